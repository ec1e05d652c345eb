/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that share a range the way the kernel's padata does for deferred struct page initialisation: chunks of
 * whole sections, taken by whichever worker is free.
 */
#ifndef MEMMAPCTL_MEASURE_WORKERS_H
#define MEMMAPCTL_MEASURE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

struct split {
	uint64_t size;  /* units in all */
	uint64_t chunk; /* units a worker takes at a time, a multiple of the alignment */
	unsigned int workers;
};

/*
 * How padata_do_multithreaded() splits: no more workers than there are aligned pieces, four chunks for each of
 * them (load_balance_factor), rounded up to the alignment; a lone worker gets the range in one piece. size, align
 * and max_workers are not 0.
 */
struct split split_range(uint64_t size, uint64_t align, unsigned int max_workers);

/* Chunk i of a split: false when there is none. */
bool split_chunk(const struct split *split, uint64_t i, uint64_t *start, uint64_t *count);

typedef void work_fn(void *arg, uint64_t start, uint64_t count);

struct workers;

/*
 * nr - 1 threads, asleep; the caller is the other worker. cpus: where thread i (the caller is 0) is pinned, nr of
 * them, or NULL. 0 and *out, or a negative errno.
 */
int workers_new(unsigned int nr, const unsigned int *cpus, struct workers **out);
void workers_free(struct workers *workers);

/*
 * A range in two steps, so that a clock can be read between them: ready wakes the threads and returns when each of
 * them waits for the signal; go gives it, works along and returns when all chunks are done.
 */
void workers_ready(struct workers *workers, const struct split *split, work_fn *fn, void *arg);
void workers_go(struct workers *workers);

#endif
