/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What cmocka lacks: 64-bit numbers printed in decimal, doubles compared by relative error, strings with both sides shown. */
#ifndef MEMMAPCTL_TESTS_CHECK_H
#define MEMMAPCTL_TESTS_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Skip the rest of a test, saying what is missing; tests/run prints the line. */
#define check_skip(...)                                                                                      \
	do {                                                                                                 \
		fputs("# skip: ", stdout);                                                                   \
		printf(__VA_ARGS__);                                                                         \
		fputs("\n", stdout);                                                                         \
		fflush(stdout);                                                                              \
		skip();                                                                                      \
	} while (0)

/* Each takes a label (printf-like) so that a table's failing row names itself. */
#define check_u64(got, want, ...)                                                                            \
	do {                                                                                                 \
		uint64_t got_ = (got), want_ = (want);                                                       \
		if (got_ != want_) {                                                                         \
			print_error("%s:%d: ", __FILE__, __LINE__);                                          \
			print_error(__VA_ARGS__);                                                            \
			print_error(": got %" PRIu64 ", want %" PRIu64 "\n", got_, want_);                   \
			fail();                                                                              \
		}                                                                                            \
	} while (0)

#define check_int(got, want, ...)                                                                            \
	do {                                                                                                 \
		long long got_ = (got), want_ = (want);                                                      \
		if (got_ != want_) {                                                                         \
			print_error("%s:%d: ", __FILE__, __LINE__);                                          \
			print_error(__VA_ARGS__);                                                            \
			print_error(": got %lld, want %lld\n", got_, want_);                                 \
			fail();                                                                              \
		}                                                                                            \
	} while (0)

#define check_near(got, want, relative, ...)                                                                 \
	do {                                                                                                 \
		double got_ = (got), want_ = (want);                                                         \
		if (!(fabs(got_ - want_) <= (relative)*fabs(want_))) {                                       \
			print_error("%s:%d: ", __FILE__, __LINE__);                                          \
			print_error(__VA_ARGS__);                                                            \
			print_error(": got %.12g, want %.12g within %g\n", got_, want_, (double)(relative)); \
			fail();                                                                              \
		}                                                                                            \
	} while (0)

#define check_str(got, want, ...)                                                                            \
	do {                                                                                                 \
		const char *got_ = (got), *want_ = (want);                                                   \
		if (!got_ || !want_ ? got_ != want_ : strcmp(got_, want_)) {                                 \
			print_error("%s:%d: ", __FILE__, __LINE__);                                          \
			print_error(__VA_ARGS__);                                                            \
			print_error(":\n got  %s\n want %s\n", got_ ? got_ : "(null)",                       \
				    want_ ? want_ : "(null)");                                               \
			fail();                                                                              \
		}                                                                                            \
	} while (0)

#endif
