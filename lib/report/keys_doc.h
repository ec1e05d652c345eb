/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a table of keys describes, as a document: the same keys as in the YAML, sizes in bytes, durations in
 * ns.
 */
#ifndef MEMMAPCTL_REPORT_KEYS_DOC_H
#define MEMMAPCTL_REPORT_KEYS_DOC_H

#include "base/keys.h"
#include "report/doc.h"

/*
 * Write the values of object as members of the object that is open in doc: all of them, defaults too, null
 * for what is not stated or has an unknown origin (origins may be NULL). KEY_VERSION rows are left out.
 */
void keys_doc(struct doc *doc, const struct key *keys, const void *object, const struct key_origins *origins);

#endif
