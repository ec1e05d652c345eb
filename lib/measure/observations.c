// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/observations.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

const char *obs_window_name(enum obs_window window)
{
	static const char *const names[] = {"memory", "cache"};

	_Static_assert(ARRAY_SIZE(names) == NR_OBS_WINDOWS, "a name for every window");
	return (size_t)window < ARRAY_SIZE(names) ? names[window] : "?";
}

const char *obs_emulation(const struct obs_environment *env)
{
	if (!env->emulated)
		return NULL;
	return env->instruction_clock ? "EMULATED (time counts instructions)" : "EMULATED";
}

struct observations *observations_new(const char *mode)
{
	struct observations *obs = calloc(1, sizeof(*obs));

	if (!obs)
		return NULL;
	obs->mode = strdup(mode);
	if (!obs->mode) {
		free(obs);
		return NULL;
	}
	return obs;
}

bool observations_are_race(const struct observations *obs)
{
	return !strcmp(obs->mode, "simulated") || !strcmp(obs->mode, "kernel-paths");
}

struct obs_run *observations_add_run(struct observations *obs)
{
	struct obs_run *run = array_grow(&obs->runs, &obs->nr_runs, sizeof(*run));

	if (!run)
		return NULL;
	run->path = PATH_ANY;
	run->kind = KIND_NONE;
	run->threads = 1;
	run->nr_averaged = 1;
	return run;
}

int obs_run_add_sample(struct obs_run *run, double ns)
{
	double *sample = array_grow(&run->samples_ns, &run->nr_samples, sizeof(*sample));

	if (!sample)
		return -ENOMEM;
	*sample = ns;
	return 0;
}

int obs_run_summarize(struct obs_run *run)
{
	return summary_of(run->samples_ns, run->nr_samples, &run->summary);
}

int obs_run_set_note(struct obs_run *run, const char *fmt, ...)
{
	va_list ap;

	free(run->note);
	va_start(ap, fmt);
	run->note = text_formatv(fmt, ap);
	va_end(ap);
	return run->note ? 0 : -ENOMEM;
}

static void free_run(struct obs_run *run)
{
	free(run->routine);
	free(run->codegen);
	free(run->device);
	free(run->host);
	free(run->note);
	free(run->samples_ns);
}

void observations_drop_empty(struct observations *obs)
{
	size_t kept = 0;

	for (size_t i = 0; i < obs->nr_runs; i++) {
		struct obs_run *run = &obs->runs[i];

		if (run->nr_samples || run->first_ns > 0)
			obs->runs[kept++] = *run;
		else
			free_run(run);
	}
	obs->nr_runs = kept;
}

static void free_environment(struct obs_environment *env)
{
	free(env->arch);
	free(env->cpu);
	free(env->kernel);
	free(env->timing_source);
	free(env->simulated_version);
	free(env->memory);
	free(env->date);
}

void observations_free(struct observations *obs)
{
	if (!obs)
		return;
	for (size_t i = 0; i < obs->nr_runs; i++)
		free_run(&obs->runs[i]);
	free(obs->runs);
	free_environment(&obs->env);
	free(obs->mode);
	free(obs->nt_store_routine);
	free(obs->store_routine);
	free(obs->file);
	free(obs);
}
