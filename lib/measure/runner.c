// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/runner.h"

#include <errno.h>

#include "base/util.h"

static int run_once(const struct runner *runner, const struct runner_job *job, unsigned int pass)
{
	uint64_t start, end;
	int err = job->before ? job->before(job->ctx, pass) : 0;

	if (err)
		return err;
	start = clock_now_ns(runner->clock);
	job->run(job->ctx);
	end = clock_now_ns(runner->clock);
	err = job->result(job->ctx, pass, end - start);
	if (err)
		return err;
	return job->after ? job->after(job->ctx, pass) : 0;
}

/* xorshift64: the same order in every run of the program, and no pattern that noise could fall in step with. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void shuffle(size_t *order, size_t nr, uint64_t *state)
{
	for (size_t i = nr; i > 1; i--) {
		size_t j = next_random(state) % i, at = order[j];

		order[j] = order[i - 1];
		order[i - 1] = at;
	}
}

static int run_pass(const struct runner *runner, const struct runner_job *jobs, const size_t *order,
		    size_t nr_jobs, unsigned int pass)
{
	size_t total = nr_jobs * runner->passes;

	for (size_t i = 0; i < nr_jobs; i++) {
		int err;

		if (runner->stop && *runner->stop)
			return -EINTR;
		if (runner->progress)
			runner->progress(runner->progress_ctx, nr_jobs * pass + i, total);
		err = run_once(runner, &jobs[order[i]], pass);
		if (err)
			return err;
	}
	return 0;
}

int runner_run(const struct runner *runner, const struct runner_job *jobs, size_t nr_jobs)
{
	_cleanup_free_ size_t *order = calloc(nr_jobs, sizeof(*order));
	uint64_t state = 0x9e3779b97f4a7c15;
	int err = order ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < nr_jobs; i++)
		order[i] = i;
	for (unsigned int pass = 0; !err && pass < runner->passes; pass++) {
		if (pass)
			shuffle(order, nr_jobs, &state);
		err = run_pass(runner, jobs, order, nr_jobs, pass);
	}
	if (!err && runner->progress)
		runner->progress(runner->progress_ctx, nr_jobs * runner->passes, nr_jobs * runner->passes);
	return err;
}
