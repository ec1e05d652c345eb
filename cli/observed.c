// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/observed.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

int observed_add(struct observed *observed, const char *path, struct diags *diags)
{
	_cleanup_observations_ struct observations *obs = NULL;
	struct observations **slot;
	int err = observations_load(path, diags, &obs);

	if (err)
		return err;
	slot = array_grow(&observed->files, &observed->nr_files, sizeof(struct observations *));
	if (!slot)
		return -ENOMEM;
	*slot = take_ptr(obs);
	if ((*slot)->incomplete)
		diag_add(diags, DIAG_WARNING, path, 0, 0, "was interrupted: what it has is used");
	return obs_rows_add((*slot)->env.emulated ? &observed->emulated : &observed->real, *slot, diags);
}

error_t observed_parse_path(struct argp_state *state, const char *arg, enum memmap_path *path)
{
	static const char *const names[] = {"baseline", "template", "template-nt", NULL};
	const char *near = suggest(arg, names);

	if (!path_from_name(arg, path) && *path != PATH_ANY)
		return 0;
	argp_error(state, "--path: unknown path '%s'%s%s%s: baseline, template or template-nt", arg,
		   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return EINVAL;
}

error_t parse_percentage(struct argp_state *state, const char *option, const char *arg, double *percent)
{
	char *end;
	double value = strtod(arg, &end);

	if (end == arg || (*end && strcmp(end, "%")) || !(value >= 0)) {
		argp_error(state, "%s: '%s' is not a percentage (try 15)", option, arg);
		return EINVAL;
	}
	*percent = value;
	return 0;
}

static bool is_wanted(const struct common_options *options, enum diag_level level)
{
	if (options->quiet)
		return level == DIAG_ERROR;
	return level != DIAG_NOTE || options->verbose;
}

void observed_print_diags(const char *argv0, const struct common_options *options, const struct diags *diags)
{
	for (size_t i = 0; i < diags->nr; i++) {
		const struct diags one = {.items = &diags->items[i], .nr = 1};

		if (is_wanted(options, diags->items[i].level))
			print_diags(argv0, &one);
	}
}

void observed_free(struct observed *observed)
{
	obs_rows_free(&observed->real);
	obs_rows_free(&observed->emulated);
	for (size_t i = 0; i < observed->nr_files; i++)
		observations_free(observed->files[i]);
	free(observed->files);
	*observed = (struct observed){0};
}
