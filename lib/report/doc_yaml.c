// SPDX-License-Identifier: GPL-2.0-or-later
/* YAML, by libyaml's emitter. Strings that a reader could take for a number, a boolean or null are quoted. */
#include "report/doc_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/util.h"

struct yaml_form {
	yaml_emitter_t emitter;
	FILE *out;
};

/* A write that failed is the stream's to remember, as in JSON: doc_finish asks it. */
static int write_out(void *form, unsigned char *buffer, size_t size)
{
	fwrite(buffer, 1, size, ((struct yaml_form *)form)->out);
	return 1;
}

static int emit(struct yaml_form *form, yaml_event_t *event, int made)
{
	if (!made)
		return -ENOMEM;
	if (yaml_emitter_emit(&form->emitter, event))
		return 0;
	return form->emitter.error == YAML_MEMORY_ERROR ? -ENOMEM : -EINVAL;
}

static void yaml_close(void *form)
{
	yaml_emitter_delete(&((struct yaml_form *)form)->emitter);
	free(form);
}

static void *yaml_open(FILE *out)
{
	struct yaml_form *form = calloc(1, sizeof(*form));
	yaml_event_t event;

	if (!form)
		return NULL;
	if (!yaml_emitter_initialize(&form->emitter)) {
		free(form);
		return NULL;
	}
	form->out = out;
	yaml_emitter_set_output(&form->emitter, write_out, form);
	yaml_emitter_set_unicode(&form->emitter, 1);
	yaml_emitter_set_width(&form->emitter, -1);
	if (emit(form, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)) ||
	    emit(form, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1))) {
		yaml_close(form);
		return NULL;
	}
	return form;
}

/* Words of YAML 1.1 and 1.2 that are not strings when plain. */
static const char *const reserved_words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};

/* Plain only where no reader can differ: a word of letters, digits, '_', '-', '.' and '/' that starts with a letter. */
static bool may_be_plain(const char *text)
{
	if (!isalpha((unsigned char)*text))
		return false;
	for (const char *c = text; *c; c++) {
		if (!isalnum((unsigned char)*c) && !strchr("_-./ ", *c))
			return false;
	}
	if (text[strlen(text) - 1] == ' ')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(reserved_words); i++) {
		if (!strcasecmp(text, reserved_words[i]))
			return false;
	}
	return true;
}

static int yaml_text(struct yaml_form *form, const char *text, bool is_string)
{
	yaml_event_t event;
	bool plain = !is_string || may_be_plain(text);
	yaml_scalar_style_t style = plain ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;

	return emit(form, &event,
		    yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *)text, (int)strlen(text),
						 plain, 1, style));
}

static int yaml_scalar(void *form, const struct doc_level *parent, const char *key, const char *text,
		       bool is_string)
{
	int err = key ? yaml_text(form, key, true) : 0;

	(void)parent;
	return err ? err : yaml_text(form, text, is_string);
}

static int yaml_begin(void *form, const struct doc_level *parent, const struct doc_level *level,
		      const char *key)
{
	yaml_event_t event;
	int err = key ? yaml_text(form, key, true) : 0;

	(void)parent;
	if (err)
		return err;
	if (level->is_array)
		return emit(form, &event,
			    yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
								 level->on_one_line
									 ? YAML_FLOW_SEQUENCE_STYLE
									 : YAML_BLOCK_SEQUENCE_STYLE));
	return emit(form, &event,
		    yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
							level->on_one_line ? YAML_FLOW_MAPPING_STYLE
									   : YAML_BLOCK_MAPPING_STYLE));
}

static int yaml_end(void *form, const struct doc_level *level)
{
	yaml_event_t event;

	return emit(form, &event,
		    level->is_array ? yaml_sequence_end_event_initialize(&event)
				    : yaml_mapping_end_event_initialize(&event));
}

static int yaml_finish(void *form)
{
	yaml_event_t event;
	int err = emit(form, &event, yaml_document_end_event_initialize(&event, 1));

	return err ? err : emit(form, &event, yaml_stream_end_event_initialize(&event));
}

const struct doc_ops doc_yaml_ops = {yaml_open, yaml_begin, yaml_end, yaml_scalar, yaml_finish, yaml_close};
