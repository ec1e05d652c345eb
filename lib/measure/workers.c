// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/util.h"

enum { LOAD_BALANCE_FACTOR = 4, SPINS = 1000 };

struct workers {
	unsigned int nr_threads; /* without the caller */
	pthread_t *threads;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	unsigned int round; /* counts up with each range; under the lock */
	bool stop;
	struct split split;
	work_fn *fn;
	void *arg;
	atomic_uint waiting, go, done;
	atomic_uint_least64_t next_chunk;
};

struct split split_range(uint64_t size, uint64_t align, unsigned int max_workers)
{
	struct split split = {.size = size, .workers = (unsigned int)MIN(MAX(size / align, 1), max_workers)};
	uint64_t chunk = MAX(size / ((uint64_t)split.workers * LOAD_BALANCE_FACTOR), 1);

	split.chunk = split.workers == 1 ? size : div_round_up(chunk, align) * align;
	return split;
}

bool split_chunk(const struct split *split, uint64_t i, uint64_t *start, uint64_t *count)
{
	if (i >= div_round_up(split->size, split->chunk))
		return false;
	*start = i * split->chunk;
	*count = MIN(split->chunk, split->size - *start);
	return true;
}

static void take_chunks(struct workers *w)
{
	uint64_t start, count;

	while (split_chunk(&w->split, atomic_fetch_add(&w->next_chunk, 1), &start, &count))
		w->fn(w->arg, start, count);
}

/* Spinning answers within nanoseconds; yielding helps where there are more threads than CPUs. */
static void spin_until(atomic_uint *value, unsigned int wanted)
{
	for (unsigned int i = 1; atomic_load(value) != wanted; i++) {
		if (i % SPINS == 0)
			sched_yield();
	}
}

static void *worker_main(void *arg)
{
	struct workers *w = arg;

	for (unsigned int round = 1;; round++) {
		pthread_mutex_lock(&w->lock);
		while (w->round != round && !w->stop)
			pthread_cond_wait(&w->wake, &w->lock);
		bool stop = w->stop;

		pthread_mutex_unlock(&w->lock);
		if (stop)
			return NULL;
		atomic_fetch_add(&w->waiting, 1);
		spin_until(&w->go, round);
		take_chunks(w);
		atomic_fetch_add(&w->done, 1);
	}
}

static void pin(pthread_t thread, unsigned int cpu)
{
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	size_t size = CPU_ALLOC_SIZE(cpu + 1);

	if (!set)
		return;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	pthread_setaffinity_np(thread, size, set);
	CPU_FREE(set);
}

int workers_new(unsigned int nr, const unsigned int *cpus, struct workers **out)
{
	struct workers *w = calloc(1, sizeof(*w));
	int err = 0;

	if (!w)
		return -ENOMEM;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->wake, NULL);
	w->threads = calloc(nr, sizeof(*w->threads));
	if (!w->threads)
		err = -ENOMEM;
	for (unsigned int i = 1; !err && i < nr; i++) {
		err = -pthread_create(&w->threads[w->nr_threads], NULL, worker_main, w);
		if (err)
			break;
		if (cpus)
			pin(w->threads[w->nr_threads], cpus[i]);
		w->nr_threads++;
	}
	if (err) {
		workers_free(w);
		return err;
	}
	if (cpus)
		pin(pthread_self(), cpus[0]);
	*out = w;
	return 0;
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->stop = true;
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	for (unsigned int i = 0; i < w->nr_threads; i++)
		pthread_join(w->threads[i], NULL);
	pthread_cond_destroy(&w->wake);
	pthread_mutex_destroy(&w->lock);
	free(w->threads);
	free(w);
}

void workers_ready(struct workers *w, const struct split *split, work_fn *fn, void *arg)
{
	w->split = *split;
	w->fn = fn;
	w->arg = arg;
	atomic_store(&w->next_chunk, 0);
	atomic_store(&w->waiting, 0);
	atomic_store(&w->done, 0);
	pthread_mutex_lock(&w->lock);
	w->round++;
	pthread_cond_broadcast(&w->wake);
	pthread_mutex_unlock(&w->lock);
	spin_until(&w->waiting, w->nr_threads);
}

void workers_go(struct workers *w)
{
	atomic_store(&w->go, w->round);
	take_chunks(w);
	spin_until(&w->done, w->nr_threads);
}
