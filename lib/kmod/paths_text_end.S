/* SPDX-License-Identifier: GPL-2.0 */
/* See paths_text_start.S. */
	.section initpath_text_default, "ax"
	.globl __stop_initpath_text_default
__stop_initpath_text_default:
