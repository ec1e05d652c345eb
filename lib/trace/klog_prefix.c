// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands before a message: every program that shows a kernel's log has its own way. */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "base/util.h"
#include "trace/klog_match.h"

static void advance(struct klog_line *l, size_t n)
{
	l->message += n;
	l->len -= n;
}

static void skip_blanks(struct klog_line *l)
{
	while (l->len && isblank((unsigned char)*l->message))
		advance(l, 1);
}

/* "12.345678" or "12,345678" to ns; the length it has, 0 when there is none. */
static size_t seconds_at(const char *at, size_t len, uint64_t *ns)
{
	uint64_t whole = 0, fraction = 0, scale = NS_PER_S;
	size_t i = 0, point;

	for (; i < len && isdigit((unsigned char)at[i]); i++) {
		if (mul_u64(whole, 10, &whole) || add_u64(whole, (uint64_t)(at[i] - '0'), &whole))
			return 0;
	}
	if (!i || i >= len || (at[i] != '.' && at[i] != ','))
		return 0;
	for (point = i++; i < len && isdigit((unsigned char)at[i]) && scale > 1; i++) {
		scale /= 10;
		fraction += (uint64_t)(at[i] - '0') * scale;
	}
	if (i == point + 1 || mul_u64(whole, NS_PER_S, &whole) || add_u64(whole, fraction, ns))
		return 0;
	return i;
}

/* A calendar stamp at the start of text, by a strptime format; its length, 0 when it is none. */
static size_t calendar_at(const char *at, size_t len, const char *format, uint64_t *ns)
{
	char copy[48];
	struct tm tm = {.tm_year = 70, .tm_mday = 1};
	size_t n = MIN(len, sizeof(copy) - 1);

	memcpy(copy, at, n);
	copy[n] = 0;
	const char *end = strptime(copy, format, &tm);
	time_t t = end ? timegm(&tm) : -1;

	if (t < 0)
		return 0;
	*ns = (uint64_t)t * NS_PER_S;
	return (size_t)(end - copy);
}

/* The inside of a bracket: a stamp since boot, a difference, a calendar stamp. */
static bool read_stamp(const char *at, size_t len, struct klog_line *l)
{
	static const char *const formats[] = {"%a %b %d %H:%M:%S %Y", "%b%d %H:%M"};
	uint64_t ns;

	while (len && *at == ' ') {
		at++;
		len--;
	}
	if (len && (*at == '+' || *at == '<')) { /* dmesg --reltime; dmesg --show-delta --notime */
		at++;
		len--;
		while (len && *at == ' ') {
			at++;
			len--;
		}
		if (!seconds_at(at, len, &ns))
			return false;
		l->stamp = KLOG_STAMP_DELTA;
		l->stamp_ns = ns;
		return true;
	}
	if (seconds_at(at, len, &ns)) { /* also "12.345678 <    0.000012>", dmesg --show-delta */
		l->stamp = KLOG_STAMP_BOOT;
		l->stamp_ns = ns;
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!calendar_at(at, len, formats[i], &ns))
			continue;
		l->stamp = KLOG_STAMP_WALL;
		l->stamp_ns = ns;
		return true;
	}
	return false;
}

/* "[    T36]" and "[    C1]": CONFIG_PRINTK_CALLER */
static bool is_caller(const char *at, size_t len)
{
	while (len && *at == ' ') {
		at++;
		len--;
	}
	if (len < 2 || (*at != 'T' && *at != 'C'))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!isdigit((unsigned char)at[i]))
			return false;
	}
	return true;
}

static bool peel_bracket(struct klog_line *l)
{
	const char *close = l->len && *l->message == '[' ? memchr(l->message, ']', l->len) : NULL;

	if (!close)
		return false;
	size_t inside = (size_t)(close - l->message) - 1;

	if (!is_caller(l->message + 1, inside) && !read_stamp(l->message + 1, inside, l))
		return false;
	advance(l, inside + 2);
	return true;
}

/* "<6>" of dmesg --raw and of consoles */
static bool peel_priority(struct klog_line *l)
{
	size_t i = 1;

	if (!l->len || *l->message != '<')
		return false;
	while (i < l->len && isdigit((unsigned char)l->message[i]))
		i++;
	if (i == 1 || i >= l->len || l->message[i] != '>')
		return false;
	advance(l, i + 1);
	return true;
}

/* "6,1234,5140900,-;" of /dev/kmsg: priority, sequence, microseconds, flags */
static bool peel_kmsg(struct klog_line *l)
{
	const char *semicolon =
		l->len && isdigit((unsigned char)*l->message) ? memchr(l->message, ';', l->len) : NULL;
	size_t header = semicolon ? (size_t)(semicolon - l->message) : 0, field = 0;
	uint64_t us = 0;

	for (size_t i = 0; i < header && field < 3; i++) {
		char c = l->message[i];

		if (c == ',')
			field++;
		else if (!isdigit((unsigned char)c))
			return false;
		else if (field == 2 && (mul_u64(us, 10, &us) || add_u64(us, (uint64_t)(c - '0'), &us)))
			return false;
	}
	if (field != 3 || mul_u64(us, NS_PER_US, &us))
		return false;
	l->stamp = KLOG_STAMP_BOOT;
	l->stamp_ns = us;
	advance(l, header + 1);
	return true;
}

/* A calendar stamp without brackets: journals, dmesg --time-format=iso. */
static bool peel_calendar(struct klog_line *l)
{
	static const char *const formats[] = {"%Y-%m-%dT%H:%M:%S", "%b %d %H:%M:%S", "%a %Y-%m-%d %H:%M:%S"};
	uint64_t ns;
	size_t n = 0;

	for (size_t i = 0; !n && i < ARRAY_SIZE(formats); i++)
		n = calendar_at(l->message, l->len, formats[i], &ns);
	if (!n)
		return false;
	while (n < l->len && !isblank((unsigned char)l->message[n])) /* fractions and time zones */
		n++;
	l->stamp = KLOG_STAMP_WALL;
	l->stamp_ns = ns;
	advance(l, n);
	return true;
}

/* "HOST kernel: " after a journal's stamp; the host's name has no blanks. */
static bool peel_journal_source(struct klog_line *l)
{
	static const char source[] = "kernel: ";
	size_t i = 0;

	if (l->stamp == KLOG_STAMP_NONE)
		return false;
	while (i < l->len && !isblank((unsigned char)l->message[i]))
		i++;
	i++;
	if (i + sizeof(source) - 1 > l->len || memcmp(l->message + i, source, sizeof(source) - 1))
		return false;
	advance(l, i + sizeof(source) - 1);
	return true;
}

/* A quoted mail, or a list of one in a bug report. */
static bool peel_quote(struct klog_line *l)
{
	if (!l->len || (*l->message != '>' && *l->message != '|'))
		return false;
	advance(l, 1);
	return true;
}

/* Kata writes the guest's console into the host's journal: ... vmconsole="[    0.42] text" */
static void find_console(struct klog_line *l)
{
	static const char key[] = "vmconsole=\"";
	const char *start = memmem(l->message, l->len, key, sizeof(key) - 1);

	if (!start)
		return;
	advance(l, (size_t)(start - l->message) + sizeof(key) - 1);
	const char *end = memrchr(l->message, '"', l->len);

	if (end)
		l->len = (size_t)(end - l->message);
}

void klog_peel(const char *line, size_t len, struct klog_line *out)
{
	struct klog_line l = {.message = line, .len = len};

	while (l.len && isspace((unsigned char)l.message[l.len - 1]))
		l.len--;
	find_console(&l);
	do
		skip_blanks(&l);
	while (peel_quote(&l) || peel_priority(&l) || peel_kmsg(&l) || peel_bracket(&l) ||
	       peel_calendar(&l) || peel_journal_source(&l));
	*out = l;
}
