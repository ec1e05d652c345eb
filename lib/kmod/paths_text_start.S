/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program's linker names the ends of a section; a module's does not. Linked before and after paths_routines.o. The name
 * is compared and never called, which is what the annotation tells the kernel's checker.
 */
#include <linux/objtool.h>

	.section initpath_text_default, "ax"
	.globl __start_initpath_text_default
__start_initpath_text_default:
#ifdef CONFIG_X86_KERNEL_IBT
	ANNOTATE_NOENDBR
#endif
