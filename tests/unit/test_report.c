// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports of a forecast made by hand: the page, the fleet, CSV, and JSON, YAML and CSV held against each other. */
#include "support/check.h"

#include <json-c/json.h>
#include <locale.h>
#include <yaml.h>

#include "report/forecast_report.h"
#include "support/capture.h"
#include "support/forecast_fixture.h"

static const struct style ascii = {.utf8 = false, .color = false, .width = 80};
static const struct style utf8 = {.utf8 = true, .color = false, .width = 80};

/* The lines from the one that starts with `first` on to an empty line; the caller frees. */
static char *paragraph(const char *text, const char *first)
{
	const char *at = strncmp(text, first, strlen(first)) ? strstr(text, first) : text, *end;

	assert_non_null(at);
	end = strstr(at, "\n\n");
	return strndup(at, end ? (size_t)(end - at + 1) : strlen(at));
}

static void check_paragraph(const char *text, const char *first, const char *want)
{
	char *got = paragraph(text, first);

	check_str(got, want, "paragraph %s", first);
	free(got);
}

static void page(void **state)
{
	struct fixture f;
	struct capture c;
	const char *text;

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 1};

	assert_int_equal(forecast_table_host(capture_start(&c), &ascii, &report), 0);
	text = capture_text(&c);
	check_paragraph(text, "node-a",
			"node-a  x86_64, Linux 7.3.4, 512 GiB RAM, 64 CPUs\n"
			"path baseline, profile test-profile: fitted, a test machine\n");
	check_paragraph(text, "HOT-PLUG",
			"HOT-PLUG    1.50 s  1.35-2.60 s  ! 500 ms over 1 s window  3 devices rebound\n"
			"  at first  2.00 s  1.80-3.20 s                            bound after boot\n"
			"  of each   1.00 s  +-10%        ? may miss 1.05 s window  worst: dax0.0\n"
			"BOOT        302 ms  +-10%        ok fits 500 ms window     memory map's part\n"
			"MEMORY      10.89 GiB of RAM holds memmaps (2.1 %); HVO saves 28 MiB; DAX\n"
			"            vmemmap optimisation saves 1.172 GiB\n");
	check_paragraph(text, "DEVICE",
			"DEVICE            REBIND         FIRST BIND  WHERE THE REBIND GOES\n"
			"dax0.0            1.00 s         1.50 s      add_memory   ########### 80%\n"
			"  100 GiB devdax  +-10%          +-13%       memmap_init  ### 20%\n"
			"  2MiB map=mem\n"
			"gpu               500 ms         same        memmap_init  ####### 100%\n"
			"  2 x 80 GiB      400 ms-1.60 s\n"
			"  private         250 ms each\n"
			"                  200-800 ms\n");
	check_paragraph(text, "BOOT STAGE",
			"BOOT STAGE                  TIME     SHARE\n"
			"memmap_deferred             300 ms   ############## 99%\n"
			"  133,693,440 struct pages  +-10%\n"
			"memmap_early                2.50 ms  # 1%\n"
			"  524,288 struct pages      +-20%\n");
	check_paragraph(text, "HUGEPAGES",
			"HUGEPAGES   1,024 of 2MiB at run time: 102 ms +-10% to allocate, 10.0 ms +-5% to\n"
			"            free\n");
	check_paragraph(text, "- extra",
			"- extrapolated beyond the sizes that profile test-profile was fitted on:\n"
			"  memmap_init\n");
	capture_end(&c);
}

/* Half of a bar, and marks: with UTF-8 in eighths of a column. Longest stage of all devices: a full bar. */
static void page_in_utf8(void **state)
{
	struct fixture f;
	struct capture c;

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		check_skip("the C library has no C.UTF-8 locale");
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 1};

	assert_int_equal(forecast_table_host(capture_start(&c), &utf8, &report), 0);
	check_paragraph(capture_text(&c), "DEVICE",
			"DEVICE            REBIND         FIRST BIND  WHERE THE REBIND GOES\n"
			"dax0.0            1.00 s         1.50 s      add_memory   ███████████ 80%\n"
			"  100 GiB devdax  ±10%           ±13%        memmap_init  ██▊ 20%\n"
			"  2MiB map=mem\n"
			"gpu               500 ms         same        memmap_init  ██████▉ 100%\n"
			"  2 × 80 GiB      400 ms–1.60 s\n"
			"  private         250 ms each\n"
			"                  200–800 ms\n");
	capture_end(&c);
	setlocale(LC_CTYPE, "C");
}

static void paths_side_by_side(void **state)
{
	struct fixture f, faster;
	struct capture c;

	(void)state;
	fixture_make(&f);
	fixture_make(&faster);
	faster.forecast.path = faster.devices[0].path = faster.devices[1].path = PATH_TEMPLATE_NT;
	faster.devices[0].rebind = (struct estimate)MS(880, 800, 960);
	faster.forecast.hotplug = (struct estimate)MS(1200, 1000, 1400);
	const struct host_forecast *paths[] = {&f.forecast, &faster.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 2};

	assert_int_equal(forecast_table_host(capture_start(&c), &ascii, &report), 0);
	check_paragraph(capture_text(&c), "PATH",
			"PATH               baseline       template     template-nt\n"
			"rebind dax0.0      1.00 s                      880 ms         x0.88\n"
			"                   +-10%                       +-9%\n"
			"rebind gpu         500 ms                      500 ms         x1.00\n"
			"                   400 ms-1.60 s               400 ms-1.60 s\n"
			"rebind all         1.50 s                      1.20 s         x0.80\n"
			"                   1.35-2.60 s                 +-17%\n"
			"first bind of all  2.00 s                      2.00 s         x1.00\n"
			"                   1.80-3.20 s                 1.80-3.20 s\n"
			"boot               302 ms                      302 ms         x1.00\n"
			"                   +-10%                       +-10%\n");
	capture_end(&c);
}

static void biggest_lever(void **state)
{
	static struct lever items[] = {
		{.change = {.kind = CHANGE_PATH,
			    .effort = EFFORT_KERNEL,
			    .text = "memmap_path=template-nt",
			    .price = "a kernel that has this path"},
		 .after = {.hotplug = MS(500, 400, 600), .boot = MS(302.5, 272, 333)},
		 .hotplug_saved_ns = 1000e6          },
		{ .change = {.kind = CHANGE_NAMESPACE,
			    .effort = EFFORT_RECREATE,
			    .device = "dax0.0",
			    .text = "align=1GiB",
			    .price = "the data has to be moved"},
		 .after = {.hotplug = MS(640, 500, 800),
			   .boot = MS(302.5, 272, 333),
			   .windows = {{.fits = false}},
			   .nr_windows = 1},
		 .hotplug_saved_ns = 860e6,
		 .ram_saved_bytes = 400 * MIB,
		 .usable_gained_bytes = -(int64_t)GIB},
	};
	const struct levers levers = {items, 2}, none = {0};
	struct fixture f;
	struct capture c;
	char *got;

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	struct forecast_report report = {.paths = paths, .nr_paths = 1, .levers = &levers};

	assert_int_equal(forecast_table_host(capture_start(&c), &ascii, &report), 0);
	check_paragraph(capture_text(&c), "LEVER",
			"LEVER       dax0.0 align=1GiB: hot-plug 640 ms +-25% instead of 1.50 s\n"
			"            (1.35-2.60 s), 400 MiB of RAM back, 1 GiB of capacity taken; the\n"
			"            data has to be moved\n"
			"new kernel  memmap_path=template-nt: hot-plug 500 ms +-20% instead of 1.50 s\n"
			"            (1.35-2.60 s); then every window fits; a kernel that has this path\n");
	capture_end(&c);
	report.levers = &none;
	assert_int_equal(forecast_table_host(capture_start(&c), &ascii, &report), 0);
	got = paragraph(capture_text(&c), "LEVER");
	check_str(got,
		  "LEVER       no single change that the forecast knows saves 10 % of the time or\n"
		  "            of the memmaps' RAM\n"
		  "            No single change makes every window fit.\n",
		  "no lever");
	free(got);
	capture_end(&c);
}

static void fleet(void **state)
{
	static const char *const names[] = {"fits", "misses", "no-window", "may"};
	struct fixture f[ARRAY_SIZE(names)];
	struct fleet fleet = {0};
	struct capture c;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		fixture_make(&f[i]);
		f[i].host.name = (char *)names[i];
	}
	f[0].forecast.windows[0] = f[0].forecast.windows[2];
	f[0].forecast.nr_windows = 1;
	f[2].forecast.nr_windows = 0;
	f[2].forecast.hotplug = (struct estimate)MS(120000, 110000, 130000);
	f[3].forecast.windows[0] = f[3].forecast.windows[1];
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct host_forecast *paths[] = {&f[i].forecast};

		assert_int_equal(fleet_add(&fleet, &(struct forecast_report){.paths = paths, .nr_paths = 1}),
				 0);
	}
	assert_int_equal(fleet_print(&fleet, capture_start(&c), &ascii), 0);
	check_str(capture_text(&c),
		  "1 of 4 hosts miss a window, 1 more may; some have none\n"
		  "\n"
		  "HOST       HOT-PLUG     BOOT    MEMMAP RAM  TIGHTEST WINDOW\n"
		  "misses     1.50 s       302 ms   10.89 GiB  ! 500 ms over 1 s\n"
		  "           1.35-2.60 s  +-10%               hotplug\n"
		  "may        1.50 s       302 ms   10.89 GiB  ? may miss 1.05 s\n"
		  "           1.35-2.60 s  +-10%               per_device\n"
		  "fits       1.50 s       302 ms   10.89 GiB  ok fits 500 ms\n"
		  "           1.35-2.60 s  +-10%               boot\n"
		  "no-window  2m 00s       302 ms   10.89 GiB\n"
		  "           +-8%         +-10%\n",
		  "fleet");
	capture_end(&c);
	fleet_free(&fleet);
}

static void csv(void **state)
{
	struct fixture f;
	struct capture c;

	(void)state;
	fixture_make(&f);
	f.host.name = (char *)"a, \"b\"";
	f.host.kernel.release = NULL;
	const struct host_forecast *paths[] = {&f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 1};

	forecast_csv_header(capture_start(&c));
	forecast_csv_host(c.file, &report);
#define HOST "\"a, \"\"b\"\"\",x86_64,,test-profile,baseline,"
	check_str(capture_text(&c),
		  "host,arch,kernel,profile,path,device,count,event,stage,units,unit,mid_ms,low_ms,high_ms,"
		  "extrapolated\n" HOST "dax0.0,1,bind,add_memory,800,sections,800,720,880,false\n" HOST
		  "dax0.0,1,bind,memmap_init,6553600,struct pages,200,180,220,false\n" HOST
		  "dax0.0,1,first-bind,first_touch,102400,touched pages,500,450,550,false\n" HOST
		  "dax0.0,1,bind,total,,,1000,900,1100,\n" HOST
		  "dax0.0,1,first-bind,total,,,1500,1300,1700,\n" HOST "dax0.0,1,unbind,total,,,0,0,0,\n" HOST
		  "gpu,2,bind,memmap_init,20971520,struct pages,250,225,275,true\n" HOST
		  "gpu,2,bind,total,,,250,200,800,\n" HOST "gpu,2,first-bind,total,,,250,200,800,\n" HOST
		  "gpu,2,unbind,total,,,0,0,0,\n" HOST
		  ",1,boot,memmap_early,524288,struct pages,2.5,2,3,false\n" HOST
		  ",1,boot,memmap_deferred,133693440,struct pages,300,270,330,false\n" HOST
		  ",1,boot,total,,,302.5,272,333,\n" HOST
		  "2MiB,1024,hugepage,hugepage_alloc,1024,hugepages,102.4,92.16,112.64,false\n",
		  "csv");
	capture_end(&c);
}

static char *document(enum doc_format format, const struct forecast_report *report)
{
	struct capture c;
	struct doc *doc = doc_new(format, capture_start(&c));
	char *text;

	forecast_doc_begin(doc);
	forecast_doc_host(doc, report);
	forecast_doc_end(doc);
	assert_int_equal(doc_finish(doc), 0);
	text = strdup(capture_text(&c));
	doc_free(doc);
	capture_end(&c);
	return text;
}

/* The value at "hosts.0.boot.path". */
static struct json_object *at(struct json_object *value, const char *path)
{
	char *copy = strdup(path), *rest = copy;

	for (const char *key; value && (key = strsep(&rest, "."));)
		value = json_object_is_type(value, json_type_array)
				? json_object_array_get_idx(value, (size_t)atoi(key))
				: json_object_object_get(value, key);
	free(copy);
	return value;
}

static void json_keys(void **state)
{
	static const struct {
		const char *path, *value;
	} rows[] = {
		{"schema",					"memmapctl.forecast/1"             },
		{"hosts.0.name",				  "node-a"                           },
		{"hosts.0.arch",				  "x86_64"                           },
		{"hosts.0.profile",                               "test-profile"                     },
		{"hosts.0.provenance.obtained",                   "fitted"                           },
		{"hosts.0.hotplug_ms.mid",                        "1500"                             },
		{"hosts.0.hotplug.0.device",                      "dax0.0"                           },
		{"hosts.0.hotplug.0.mode",                        "devdax"                           },
		{"hosts.0.hotplug.0.map",                         "mem"                              },
		{"hosts.0.hotplug.0.align",                       "2097152"                          },
		{"hosts.0.hotplug.0.size",                        "107374182400"                     },
		{"hosts.0.hotplug.0.path",                        "baseline"                         },
		{"hosts.0.hotplug.0.struct_pages",                "26214400"                         },
		{"hosts.0.hotplug.0.struct_pages_initialized",    "6553600"                          },
		{"hosts.0.hotplug.0.memmap_bytes",                "419430400"                        },
		{"hosts.0.hotplug.0.memmap_location",             "ram"                              },
		{"hosts.0.hotplug.0.rebind_ms.high",              "1100"                             },
		{"hosts.0.hotplug.0.first_bind_ms.mid",           "1500"                             },
		{"hosts.0.hotplug.0.unbind_ms.low",               "0"                                },
		{"hosts.0.hotplug.0.stages.1.stage",              "memmap_init"                      },
		{"hosts.0.hotplug.0.stages.1.units",              "6553600"                          },
		{"hosts.0.hotplug.0.stages.1.unit",               "struct pages"                     },
		{"hosts.0.hotplug.0.stages.1.ms.mid",             "200"                              },
		{"hosts.0.hotplug.0.stages.1.terms.0.formula",    "M / S"                            },
		{"hosts.0.hotplug.0.stages.1.terms.0.rule",       "a_kernel_function (mm/file.c)"    },
		{"hosts.0.hotplug.0.stages.1.terms.0.basis",      "profile"                          },
		{"hosts.0.hotplug.0.stages.1.terms.0.source",     "a bench, \"quoted\""              },
		{"hosts.0.hotplug.0.facts.0.symbol",              "M"                                },
		{"hosts.0.hotplug.0.facts.0.value",               "107374182400"                     },
		{"hosts.0.hotplug.1.count",                       "2"                                },
		{"hosts.0.hotplug.1.mode",                        "private"                          },
		{"hosts.0.hotplug.1.stages.0.extrapolated",       "true"                             },
		{"hosts.0.boot.path",                             "baseline"                         },
		{"hosts.0.boot.hugetlb_ms.mid",                   "0"                                },
		{"hosts.0.boot.deferred_ms.mid",                  "300"                              },
		{"hosts.0.boot.total_ms.high",                    "333"                              },
		{"hosts.0.boot.stages.0.stage",                   "memmap_early"                     },
		{"hosts.0.hugepages.0.struct_pages_saved_by_hvo", "448"                              },
		{"hosts.0.hugepages.0.alloc_ms.mid",              "102.4"                            },
		{"hosts.0.memory.memmap_ram_bytes",               "11696865280"                      },
		{"hosts.0.memory.memmap_device_bytes",            "0"                                },
		{"hosts.0.memory.saved_bytes",                    "1287651328"                       },
		{"hosts.0.windows.0.name",                        "hotplug"                          },
		{"hosts.0.windows.0.limit_ms",                    "1000"                             },
		{"hosts.0.windows.0.forecast_ms.mid",             "1500"                             },
		{"hosts.0.windows.0.fits",                        "false"                            },
		{"hosts.0.windows.1.device",                      "dax0.0"                           },
		{"hosts.0.windows.1.sure",                        "false"                            },
		{"hosts.0.windows.2.sure",                        "true"                             },
		{"hosts.0.notes.0",
		 "extrapolated beyond the sizes that profile test-profile was fitted on: memmap_init"},
	};
	struct fixture f;

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	char *text =
		document(DOC_JSON, &(struct forecast_report){.paths = paths, .nr_paths = 1, .explain = true});
	struct json_object *root = json_tokener_parse(text);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_object *value = at(root, rows[i].path);

		check_str(value ? json_object_get_string(value) : NULL, rows[i].value, "%s", rows[i].path);
	}
	json_object_put(root);
	free(text);
}

static void same_value(yaml_document_t *doc, const yaml_node_t *node, struct json_object *json,
		       const char *where);

static void same_object(yaml_document_t *doc, const yaml_node_t *node, struct json_object *json,
			const char *where)
{
	int nr = 0;

	check_int(node->type, YAML_MAPPING_NODE, "%s", where);
	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++, nr++) {
		const char *key = (const char *)yaml_document_get_node(doc, pair->key)->data.scalar.value;
		struct json_object *value;
		char inner[256];

		snprintf(inner, sizeof(inner), "%s.%s", where, key);
		if (!json_object_object_get_ex(json, key, &value))
			fail_msg("%s is not in the JSON", inner);
		same_value(doc, yaml_document_get_node(doc, pair->value), value, inner);
	}
	check_int(nr, json_object_object_length(json), "keys of %s", where);
}

static void same_value(yaml_document_t *doc, const yaml_node_t *node, struct json_object *json,
		       const char *where)
{
	const yaml_node_item_t *item;
	char inner[256];
	size_t i = 0;

	if (json_object_is_type(json, json_type_object)) {
		same_object(doc, node, json, where);
	} else if (json_object_is_type(json, json_type_array)) {
		check_int(node->type, YAML_SEQUENCE_NODE, "%s", where);
		for (item = node->data.sequence.items.start; item < node->data.sequence.items.top;
		     item++, i++) {
			snprintf(inner, sizeof(inner), "%s.%zu", where, i);
			same_value(doc, yaml_document_get_node(doc, *item),
				   json_object_array_get_idx(json, i), inner);
		}
		check_u64(i, json_object_array_length(json), "items of %s", where);
	} else {
		check_int(node->type, YAML_SCALAR_NODE, "%s", where);
		check_str((const char *)node->data.scalar.value, json ? json_object_get_string(json) : "null",
			  "%s", where);
	}
}

/* The YAML, read by libyaml, has the keys and values of the JSON, read by json-c, and nothing else. */
static void yaml_equals_json(void **state)
{
	struct fixture f;

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast, &f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 2, .explain = true};
	char *json_text = document(DOC_JSON, &report), *yaml_text = document(DOC_YAML, &report);
	struct json_object *json = json_tokener_parse(json_text);
	yaml_parser_t parser;
	yaml_document_t doc;

	assert_true(yaml_parser_initialize(&parser));
	yaml_parser_set_input_string(&parser, (const unsigned char *)yaml_text, strlen(yaml_text));
	assert_true(yaml_parser_load(&parser, &doc));
	same_value(&doc, yaml_document_get_root_node(&doc), json, "");
	check_u64(json_object_array_length(at(json, "hosts.0.paths")), 2, "paths");
	check_u64(json_object_array_length(at(json, "hosts.0.hotplug")), 4, "devices by paths");
	yaml_document_delete(&doc);
	yaml_parser_delete(&parser);
	json_object_put(json);
	free(json_text);
	free(yaml_text);
}

/* Field nr (from 0) of a CSV line without quotes; the caller frees. */
static char *field(const char *line, int nr)
{
	for (; nr; nr--)
		line += strcspn(line, ",") + 1;
	return strndup(line, strcspn(line, ",\n"));
}

static struct json_object *find_stage(struct json_object *host, const char *device, const char *stage)
{
	struct json_object *where = *device ? NULL : at(host, "boot"), *list;
	size_t nr = json_object_array_length(at(host, "hotplug"));

	for (size_t i = 0; i < nr && !where; i++) {
		struct json_object *one = json_object_array_get_idx(at(host, "hotplug"), i);

		if (!strcmp(json_object_get_string(at(one, "device")), device))
			where = one;
	}
	list = at(where ? where : at(host, "hugepages.0"), "stages");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *one = json_object_array_get_idx(list, i);

		if (!strcmp(json_object_get_string(at(one, "stage")), stage))
			return one;
	}
	return NULL;
}

/* Every row of a stage in the CSV has its stage in the JSON, with the same units and times. */
static void csv_equals_json(void **state)
{
	static const struct {
		int field;
		const char *key;
	} fields[] = {
		{7,  "event"  },
                {9,  "units"  },
                {10, "unit"   },
                {11, "ms.mid" },
                {12, "ms.low" },
                {13, "ms.high"}
        };
	struct fixture f;
	struct capture c;
	size_t nr = 0;

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 1};
	char *text = document(DOC_JSON, &report);
	struct json_object *json = json_tokener_parse(text), *host = at(json, "hosts.0");

	forecast_csv_host(capture_start(&c), &report);
	for (const char *line = capture_text(&c); *line; line = strchr(line, '\n') + 1) {
		char *device = field(line, 5), *stage = field(line, 8);

		if (strcmp(stage, "total")) {
			struct json_object *one = find_stage(host, device, stage);

			for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
				char *got = field(line, fields[i].field);

				check_str(got, json_object_get_string(at(one, fields[i].key)), "%s %s %s",
					  device, stage, fields[i].key);
				free(got);
			}
			nr++;
		}
		free(device);
		free(stage);
	}
	check_u64(nr, 7, "stages compared");
	capture_end(&c);
	json_object_put(json);
	free(text);
}

static void explanation(void **state)
{
	static const char *const wanted[] = {
		"M         = 107374182400    range that the memmap covers, bytes\n",
		"  rebind = add_memory + memmap_init = 1.00 s +-10%\n",
		"  first bind = add_memory + memmap_init + first_touch = 1.50 s +-13%\n",
		"    6,553,600 struct pages (zd-compound) = M / S\n"
		"      kernel  a_kernel_function (mm/file.c)\n"
		"      cost    30.5 ns +-10% a unit, by profile\n"
		"      source  a bench, \"quoted\"\n"
		"      time    200 ms +-10%\n",
		"      cost    none in profile test-profile: left out of every time\n",
		"      cost    11.9 ns +-10% a unit, by ratio\n"
		"      source  taken over, not fitted here: a bench, \"quoted\"\n"
		"              fitted on 30 observations of 1000 to 5000000 units\n"
		"      ratio   0.5 of the baseline: a race\n",
		"  total = memmap_early + memmap_deferred = 302 ms +-10%\n",
		"made by hand",
	};
	static const struct path_ratio ratio = {.ratio = 0.5, .source = (char *)"a race"};
	struct cost prior;
	struct fixture f;
	struct capture c;

	(void)state;
	fixture_make(&f);
	prior = f.cost;
	prior.prior = true;
	prior.units_min = 1000;
	prior.units_max = 5000000;
	f.term_forecasts[2].cost.basis = COST_MISSING;
	f.term_forecasts[3].cost.basis = COST_RATIO;
	f.term_forecasts[3].cost.row = &prior;
	f.term_forecasts[3].cost.ratio = &ratio;
	const struct host_forecast *paths[] = {&f.forecast};

	forecast_explain_host(capture_start(&c), &ascii,
			      &(struct forecast_report){.paths = paths, .nr_paths = 1, .explain = true});
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!strstr(capture_text(&c), wanted[i]))
			fail_msg("not in the explanation:\n%s\nwhich is:\n%s", wanted[i], capture_text(&c));
	}
	capture_end(&c);
}

/* What makes numbers less sure is said, each where it holds and only there. */
static void notes(void **state)
{
	struct fixture f;
	struct notes notes = {0};
	struct diags diags = {0};

	(void)state;
	fixture_make(&f);
	const struct host_forecast *paths[] = {&f.forecast};
	const struct forecast_report report = {.paths = paths, .nr_paths = 1, .diags = &diags};

	f.gpu_stages[0].extrapolated = false;
	assert_int_equal(forecast_notes(&report, &notes), 0);
	check_u64(notes.nr, 0, "a sure forecast");
	notes_free(&notes);

	f.profile.obtained = (char *)"uncalibrated";
	f.profile.emulated = true;
	f.profile.has_arch = true;
	f.profile.arch = ARCH_AARCH64;
	f.host.kernel.memmap_path = PATH_TEMPLATE;
	f.forecast.nr_missing = 2;
	f.forecast.missing_stage = STAGE_DRIVER;
	f.forecast.missing_unit = UNIT_GRACE_PERIODS;
	diag_add(&diags, DIAG_WARNING, "node-a.yaml", 7, 3, "a trap");
	assert_int_equal(forecast_notes(&report, &notes), 0);
	static const char *const wanted[] = {
		"node-a.yaml:7:3: a trap",
		"profile test-profile is not calibrated on any machine: times are an order of magnitude",
		"profile test-profile comes from an emulated machine: its times are not a machine's",
		"profile test-profile is of aarch64, the host is x86_64",
		"profile test-profile has no cost on the baseline path for 2 terms, left out of every time: "
		"driver by grace "
		"periods, ...",
		"forecast for a kernel with the baseline path; the description's has template",
	};
	check_u64(notes.nr, ARRAY_SIZE(wanted), "notes");
	for (size_t i = 0; i < notes.nr; i++)
		check_str(notes.items[i], wanted[i], "note %zu", i);
	notes_free(&notes);
	diags_free(&diags);
}

static void bars(void **state)
{
	static const struct {
		bool utf8;
		double share;
		const char *bar;
	} rows[] = {
		{true,  0,           ""            },
                {true,  1,           "████"},
                {true,  0.5,         "██"      },
                {true,  0.001,       "▏"         },
		{true,  0.53125,     "██▏"   },
                {true,  7,           "████"},
                {true,  -1,          ""            },
                {true,  (double)NAN, ""            },
		{false, 0,           ""            },
                {false, 1,           "####"        },
                {false, 0.001,       "#"           },
                {false, 0.6,         "##"          },
	};
	char buf[BAR_STR];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_str(bar_text(buf, rows[i].utf8 ? &utf8 : &ascii, rows[i].share, 4), rows[i].bar,
			  "row %zu", i);
}

static void intervals(void **state)
{
	static const struct {
		struct estimate e;
		const char *text;
	} rows[] = {
		{MS(100, 94,   106),   "±6%"           },
		{MS(100, 99.5, 100.5), "±0.5%"         },
		{MS(100, 50,   300),   "50.0–300 ms"  },
		{MS(100, 40,   160),   "40.0–160 ms"  },
		{MS(500, 200,  2000),  "200 ms–2.00 s"},
		{MS(0,   0,    0),     ""               },
		{MS(0,   0,    2),     "0–2.00 ms"    },
		{MS(100, 0,    300),   "0–300 ms"     },
	};
	char buf[INTERVAL_STR];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_str(interval_text(buf, &utf8, &rows[i].e), rows[i].text, "row %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page),
		cmocka_unit_test(page_in_utf8),
		cmocka_unit_test(paths_side_by_side),
		cmocka_unit_test(biggest_lever),
		cmocka_unit_test(fleet),
		cmocka_unit_test(csv),
		cmocka_unit_test(json_keys),
		cmocka_unit_test(yaml_equals_json),
		cmocka_unit_test(csv_equals_json),
		cmocka_unit_test(explanation),
		cmocka_unit_test(notes),
		cmocka_unit_test(bars),
		cmocka_unit_test(intervals),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
