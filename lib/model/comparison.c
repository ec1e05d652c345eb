// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/comparison.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/comparable.h"

struct runs {
	struct described_run *items;
	size_t nr;
};

struct comparing {
	struct comparison *comparison;
	struct runs a, b;
	bool force;
	bool failed;
	struct diags *diags;
};

static void comparing_free(struct comparing *c)
{
	free(c->a.items);
	free(c->b.items);
}

const char *comparison_verdict_name(enum comparison_verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_FASTER] = "faster",         [VERDICT_SLOWER] = "slower",
		[VERDICT_NO_CHANGE] = "no-change",   [VERDICT_TOO_FEW] = "too-few",
		[VERDICT_ONE_SAMPLE] = "one-sample", [VERDICT_BELOW_CLOCK] = "below-clock",
	};

	return names[verdict];
}

/* A description that cannot be read is told, and its runs go by the units they state. */
static int describe(struct comparing *c, const struct observations *obs, struct runs *out)
{
	_cleanup_diags_ struct diags found = {0};

	out->items = calloc(MAX(obs->nr_runs, (size_t)1), sizeof(*out->items));
	if (!out->items)
		return -ENOMEM;
	out->nr = obs->nr_runs;
	for (size_t i = 0; i < obs->nr_runs; i++) {
		struct described_run *item = &out->items[i];
		struct described d;
		int err;

		item->run = &obs->runs[i];
		if (!item->run->host)
			continue;
		err = described_host(&c->comparison->hosts, obs, item->run->host, &found, &d);
		if (err == -ENOMEM)
			return err;
		if (err)
			continue;
		item->work = d.work;
		if (item->run->device)
			item->device = described_device(d.work, item->run->device);
	}
	for (size_t i = 0; i < found.nr; i++) {
		const struct diag *d = &found.items[i];

		if (d->level == DIAG_ERROR)
			diag_add(c->diags, DIAG_WARNING, NULL, 0, 0, "%s: %s", d->file ? d->file : obs->file,
				 d->text);
	}
	return 0;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_subject(const struct obs_run *a, const struct obs_run *b)
{
	return same_text(a->device, b->device) && a->event == b->event && a->stage == b->stage &&
	       same_text(a->routine, b->routine) && same_text(a->codegen, b->codegen) &&
	       a->window == b->window && a->threads == b->threads;
}

static bool same_sequence(const struct obs_run *a, const struct obs_run *b)
{
	return a->path == b->path && a->kind == b->kind && a->order == b->order;
}

/* The first unused partner: the same sequence and work before the same sequence before the same subject. */
static struct described_run *partner_of(struct comparing *c, const struct described_run *a, char **why)
{
	bool one_path = !observations_are_race(c->comparison->a);
	struct described_run *second = NULL, *third = NULL;

	for (size_t i = 0; i < c->b.nr; i++) {
		struct described_run *b = &c->b.items[i];
		_cleanup_free_ char *reason = NULL;

		if (b->used || !same_subject(a->run, b->run))
			continue;
		if (!same_sequence(a->run, b->run)) {
			third = third || !one_path ? third : b;
			continue;
		}
		if (same_work(a, b, &reason))
			return b;
		second = second ? second : b;
	}
	second = second ? second : third;
	if (second)
		same_work(a, second, why);
	return second;
}

static double median_of(const double *samples, size_t nr)
{
	struct summary summary;

	return summary_of(samples, nr, &summary) ? NAN : summary.median;
}

/* The smallest step of a run's times that its clock can show. */
static double resolution_ns(const struct observations *obs, const struct obs_run *run)
{
	double scale = run->measured_units ? (double)run->units / (double)run->measured_units : 1;

	return obs->env.resolution_ns * scale / MAX(run->nr_averaged, 1u);
}

static double row_resolution_ns(const struct comparison *c, const struct comparison_row *row)
{
	return fmax(resolution_ns(c->a, row->a), resolution_ns(c->b, row->b));
}

static int compare_samples(struct comparison_row *row, const struct two_samples *samples)
{
	struct median_ratio ratio;
	int err;

	row->nr_a = samples->nr_a;
	row->nr_b = samples->nr_b;
	row->a_ns = median_of(samples->a, samples->nr_a);
	row->b_ns = median_of(samples->b, samples->nr_b);
	if (isnan(row->a_ns) || isnan(row->b_ns))
		return -ENOMEM;
	row->verdict = VERDICT_BELOW_CLOCK;
	if (row->a_ns <= 0 || row->b_ns <= 0)
		return 0;
	row->ratio = row->b_ns / row->a_ns;
	row->verdict = MIN(row->nr_a, row->nr_b) == 1 ? VERDICT_ONE_SAMPLE : VERDICT_TOO_FEW;
	if (MIN(row->nr_a, row->nr_b) < COMPARISON_MIN_SAMPLES)
		return 0;
	err = median_ratio(samples, &ratio);
	if (err == -EINVAL) { /* some samples are 0 */
		row->verdict = VERDICT_BELOW_CLOCK;
		row->ratio = 0;
		return 0;
	}
	if (!err)
		err = rank_test(samples, &row->test);
	row->low = ratio.low;
	row->high = ratio.high;
	row->has_interval = true;
	return err;
}

static int add_row(struct comparing *c, const struct described_run *a, const struct described_run *b,
		   bool first)
{
	const struct obs_run *x = a->run, *y = b->run;
	const struct two_samples samples =
		first ? (struct two_samples){&x->first_ns, &y->first_ns, 1, 1}
		      : (struct two_samples){x->samples_ns, y->samples_ns, x->nr_samples, y->nr_samples};
	struct comparison_row *row = array_grow(&c->comparison->rows, &c->comparison->nr, sizeof(*row));

	if (!row)
		return -ENOMEM;
	*row = (struct comparison_row){.a = x, .b = y, .device = a->device, .first = first};
	row->host = a->work ? a->work->host : NULL;
	return compare_samples(row, &samples);
}

static void tell_other_work(struct comparing *c, const char *why)
{
	c->failed |= !c->force;
	diag_add(c->diags, c->force ? DIAG_WARNING : DIAG_ERROR, NULL, 0, 0, "work differs: %s%s", why,
		 c->force ? "" : " (--force compares all the same)");
}

static int compare_run(struct comparing *c, struct described_run *a)
{
	_cleanup_free_ char *why = NULL;
	struct described_run *b = partner_of(c, a, &why);
	int err = 0;

	if (!b) {
		c->comparison->nr_only_a++;
		return 0;
	}
	b->used = true;
	if (why)
		tell_other_work(c, why);
	if (a->run->nr_samples && b->run->nr_samples)
		err = add_row(c, a, b, false);
	/* what comes first in a simulation only warms up */
	if (!err && a->run->first_ns > 0 && b->run->first_ns > 0 && !observations_are_race(c->comparison->a))
		err = add_row(c, a, b, true);
	return err;
}

static int correct(struct comparison *c)
{
	_cleanup_free_ double *p = calloc(MAX(c->nr, (size_t)1), sizeof(*p));
	size_t nr = 0;
	int err;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < c->nr; i++) {
		if (c->rows[i].has_interval)
			p[nr++] = c->rows[i].test.p;
	}
	err = holm_adjust(p, nr);
	if (err)
		return err;
	c->nr_tests = nr;
	nr = 0;
	for (size_t i = 0; i < c->nr; i++) {
		if (c->rows[i].has_interval)
			c->rows[i].p_holm = p[nr++];
	}
	return 0;
}

static enum comparison_verdict judge(const struct comparison_row *row, double resolution)
{
	if (isinf(row->detectable))
		return VERDICT_TOO_FEW;
	if (row->p_holm > COMPARISON_LEVEL || fabs(row->b_ns - row->a_ns) <= resolution)
		return VERDICT_NO_CHANGE;
	if (row->high < 1)
		return VERDICT_FASTER;
	return row->low > 1 ? VERDICT_SLOWER : VERDICT_NO_CHANGE;
}

static int judge_row(const struct comparison *c, struct comparison_row *row)
{
	const struct two_samples samples = {row->a->samples_ns, row->b->samples_ns, row->nr_a, row->nr_b};
	const struct median_ratio ratio = {row->ratio, row->low, row->high};
	double resolution = row_resolution_ns(c, row);
	/* Holm's first step is the strictest: what would pass it would be called a change whatever the other rows do */
	int err =
		detectable_change(&samples, &ratio, COMPARISON_LEVEL / (double)c->nr_tests, &row->detectable);

	if (err)
		return err;
	row->detectable = fmax(row->detectable, resolution / row->a_ns);
	row->verdict = judge(row, resolution);
	return 0;
}

static int compare(struct comparing *c)
{
	struct comparison *out = c->comparison;
	int err = describe(c, out->a, &c->a);

	if (!err)
		err = describe(c, out->b, &c->b);
	for (size_t i = 0; !err && i < c->a.nr; i++)
		err = compare_run(c, &c->a.items[i]);
	for (size_t i = 0; i < c->b.nr; i++)
		out->nr_only_b += !c->b.items[i].used;
	if (!err)
		err = correct(out);
	for (size_t i = 0; !err && i < out->nr; i++) {
		if (out->rows[i].has_interval)
			err = judge_row(out, &out->rows[i]);
	}
	return err;
}

int comparison_new(const struct observations *a, const struct observations *b, bool force,
		   struct diags *diags, struct comparison **out)
{
	_cleanup_comparison_ struct comparison *comparison = calloc(1, sizeof(*comparison));
	_cleanup_(comparing_free) struct comparing c = {
		.comparison = comparison, .force = force, .diags = diags};
	int err, incomparable;

	if (!comparison)
		return -ENOMEM;
	comparison->a = a;
	comparison->b = b;
	incomparable = check_comparable(a, b, force, diags);
	err = compare(&c);
	if (err)
		return err;
	if (incomparable || c.failed)
		return -EINVAL;
	if (!comparison->nr)
		return diag_error(diags, -EINVAL,
				  "nothing to compare: no run of the one has a partner in "
				  "the other");
	*out = take_ptr(comparison);
	return 0;
}

void comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	free(comparison->rows);
	described_hosts_free(&comparison->hosts);
	free(comparison);
}

bool comparison_has_regression(const struct comparison *comparison, double percent)
{
	for (size_t i = 0; i < comparison->nr; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (row->verdict == VERDICT_SLOWER && 100 * (row->ratio - 1) > percent)
			return true;
	}
	return false;
}
