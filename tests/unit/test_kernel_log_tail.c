// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's words while we work: /dev/kmsg records in a file. */
#include "support/check.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/util.h"
#include "measure/kernel_log_tail.h"

/* As if these had been said since kernel_log_tail_open. */
static int said(const char *text)
{
	int fd = memfd_create("kmsg", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void the_last_word(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"",							       NULL						  },
		{"6,1,100,-;first\n6,2,200,-;second\n",                            "second"                                              },
		{"3,1,100,-;nd_pmem pfn0.0: init failed, page size mismatch 4096\n SUBSYSTEM=nd\n "
		 "DEVICE=+nd:pfn0.0\n"
		 "6,2,200,-;usb 1-1: new device\n",               "nd_pmem pfn0.0: init failed, page size mismatch 4096"},
		{"3,1,100,-;nd_pmem pfn0.0: one\n3,2,100,-;nd_pmem pfn0.0: two\n", "nd_pmem pfn0.0: two"                                 },
		{"6,1,100,-;cut short",					    "cut short"                                           },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_fd_ int fd = said(rows[i].text);
		_cleanup_free_ char *got = kernel_log_tail(fd, "pfn0.0");

		check_str(got, rows[i].want, "row %zu", i);
	}
	assert_null(kernel_log_tail(-1, "pfn0.0"));
}

static void complaints(void **state)
{
	static const char text[] = "6,1,100,-;hugetlb: fine\n"
				   "1,2,200,-;BUG: Bad page state in process memmapctl  pfn:1234\n"
				   " SUBSYSTEM=mm\n"
				   "4,3,300,-;WARNING: CPU: 0 PID: 1 at mm/internal.h:737 folio_set_order\n"
				   "6,4,400,-;DEBUG: nothing\n";
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_fd_ int fd = said(text);

	(void)state;
	kernel_log_complaints(fd, &diags);
	check_u64(diags.nr, 2, "complaints");
	check_u64(diags.nr_errors, 0, "a measurement survives them");
	check_str(diags.items[0].text,
		  "the kernel complained meanwhile: BUG: Bad page state in process memmapctl  pfn:1234",
		  "the first");
	kernel_log_complaints(-1, &diags);
	check_u64(diags.nr, 2, "a log that cannot be read");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_word),
		cmocka_unit_test(complaints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
