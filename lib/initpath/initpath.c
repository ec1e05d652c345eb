// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables behind initpath.h: the builds' routines put together. */
#include "initpath/initpath.h"
#include "initpath/routines.h"

const char *codegen_name(enum initpath_codegen codegen)
{
	static const char *const names[NR_CODEGENS] = {
		[CODEGEN_DEFAULT] = "default",
		[CODEGEN_ALWAYS_INLINE] = "always-inline",
		[CODEGEN_MAX_INLINE_400] = "max-inline-insns-single=400",
		[CODEGEN_OUT_OF_LINE] = "out-of-line",
	};

	return names[codegen];
}

static const struct initpath_build *const builds[] = {
	&initpath_build_default,
	&initpath_build_always_inline,
#ifdef INITPATH_HAS_MAX_INLINE_400
	&initpath_build_max_inline_400,
#endif
	&initpath_build_out_of_line,
};
enum { NR_BUILDS = sizeof(builds) / sizeof(builds[0]) };

static struct initpath_routine all_routines[NR_BUILDS * NR_ROUTINES_PER_BUILD];

/* Before main, so that the table is read-only to everybody else: a section's size is no constant expression. */
__attribute__((constructor)) static void gather_routines(void)
{
	struct initpath_routine *next = all_routines;

	for (size_t b = 0; b < NR_BUILDS; b++) {
		for (size_t i = 0; i < NR_ROUTINES_PER_BUILD; i++) {
			*next = builds[b]->routines[i];
			next->text_bytes = (uint64_t)(builds[b]->text_end - builds[b]->text_start);
			next++;
		}
	}
}

const struct initpath_routine *initpath_routines(size_t *nr)
{
	*nr = NR_BUILDS * NR_ROUTINES_PER_BUILD;
	return all_routines;
}

static void run_empty(const struct initpath_args *args)
{
	(void)args;
}

const struct initpath_routine initpath_empty = {
	.name = "empty",
	.what = "nothing: what the harness itself costs",
	.path = PATH_BASELINE,
	.kinds = (1u << NR_KINDS) - 1,
	.codegen = CODEGEN_DEFAULT,
	.run = run_empty,
};
