// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* On x86 arch_add_memory calls add_pages, and device-private memory add_pages alone: what is nested counts once. */
const struct traced_function traced_functions[] = {
	{"arch_add_memory",           ROLE_ADD_MEMORY   },
	{"add_pages",                 ROLE_ADD_MEMORY   },
	{"move_pfn_range_to_zone",    ROLE_MOVE_ZONE    },
	{"memmap_init_zone_device",   ROLE_MEMMAP_INIT  },
	{"memunmap_pages",            ROLE_REMOVE_MEMORY},
	{"remove_memory",             ROLE_REMOVE_MEMORY},
	{"synchronize_rcu",           ROLE_GRACE_PERIOD },
	{"synchronize_rcu_expedited", ROLE_GRACE_PERIOD },
	{"synchronize_srcu",          ROLE_GRACE_PERIOD },
	{"__wait_rcu_gp",             ROLE_GRACE_PERIOD },
	{"rcu_barrier",               ROLE_GRACE_PERIOD },
	{"device_add",                ROLE_DEVICES      },
	{"device_del",                ROLE_DEVICES      },
	{"device_add_disk",           ROLE_DEVICES      },
	{"put_disk",                  ROLE_DEVICES      },
	{"put_dax",                   ROLE_DEVICES      },
	{"del_gendisk",               ROLE_DEVICES      },
	{"device_driver_attach",      ROLE_PROBE        },
	{"device_driver_detach",      ROLE_PROBE        },
	{"driver_attach",             ROLE_PROBE        },
	{"nvdimm_bus_probe",          ROLE_PROBE        },
	{"nvdimm_bus_remove",         ROLE_PROBE        },
	{"nd_pmem_probe",             ROLE_PROBE        },
	{"dax_pmem_probe",            ROLE_PROBE        },
	{"__dax_pmem_probe",          ROLE_PROBE        },
	{"dax_bus_probe",             ROLE_PROBE        },
	{"dax_bus_remove",            ROLE_PROBE        },
	{"dev_dax_probe",             ROLE_PROBE        },
	{"dev_dax_kmem_probe",        ROLE_PROBE        },
	{"dev_dax_kmem_remove",       ROLE_PROBE        },
	{"fsdev_dax_probe",           ROLE_PROBE        },
	{"memremap_pages",            ROLE_PROBE        },
	{NULL,			NR_ROLES          },
};

const char *role_name(enum span_role role)
{
	static const char *const names[] = {
		[ROLE_ADD_MEMORY] = "add_memory",        [ROLE_MOVE_ZONE] = "move_zone",
		[ROLE_MEMMAP_INIT] = "memmap_init",      [ROLE_REMOVE_MEMORY] = "remove_memory",
		[ROLE_GRACE_PERIOD] = "grace periods",   [ROLE_DEVICES] = "devices and uevents",
		[ROLE_PROBE] = "drivers and their core",
	};

	_Static_assert(ARRAY_SIZE(names) == NR_ROLES, "a name for every role");
	return (size_t)role < NR_ROLES ? names[role] : "?";
}

static int outer_first(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns > y->end_ns ? -1 : 1;
	return 0;
}

/* Calls nest: a thread's stack is no deeper than this in traced functions; what is deeper is its caller's. */
enum { MAX_DEPTH = 32 };

void spans_attribute(struct span *spans, size_t nr, struct role_time out[NR_ROLES])
{
	struct span *stack[MAX_DEPTH];
	size_t depth = 0;

	memset(out, 0, NR_ROLES * sizeof(*out));
	if (nr)
		qsort(spans, nr, sizeof(*spans), outer_first);
	for (size_t i = 0; i < nr; i++) {
		struct span *s = &spans[i];

		while (depth && stack[depth - 1]->end_ns <= s->start_ns)
			depth--;
		const struct span *outer = depth ? stack[depth - 1] : NULL;

		if (depth == MAX_DEPTH || (outer && outer->role < NR_STAGE_ROLES))
			continue;
		/* Clocks of CPUs that the thread moves between differ a little: no call outlasts its caller. */
		if (outer)
			s->end_ns = MIN(s->end_ns, outer->end_ns);
		uint64_t ns = s->end_ns - s->start_ns;

		if (outer)
			out[outer->role].ns -= ns;
		out[s->role].ns += ns;
		out[s->role].calls += !outer || outer->role != s->role;
		stack[depth++] = s;
	}
}
