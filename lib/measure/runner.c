// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/runner.h"

#include <errno.h>

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

int runner_run(const struct runner *runner, const struct runner_job *jobs, size_t nr_jobs)
{
	size_t done = 0, total = nr_jobs * runner->passes;

	for (unsigned int pass = 0; pass < runner->passes; pass++) {
		for (size_t i = 0; i < nr_jobs; i++) {
			/* There and back again: no job always follows the same one, with the caches that it leaves. */
			size_t at = pass % 2 ? nr_jobs - 1 - i : i;
			int err;

			if (runner->stop && *runner->stop)
				return -EINTR;
			if (runner->progress)
				runner->progress(runner->progress_ctx, done, total);
			err = run_once(runner, &jobs[at], pass);
			if (err)
				return err;
			done++;
		}
	}
	if (runner->progress)
		runner->progress(runner->progress_ctx, done, total);
	return 0;
}
