/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to put a host back. Before something is changed, how to undo it is written to a file that outlives this
 * process: what a killed measurement leaves behind can be put back by the next one, or by `measure --recover`.
 */
#ifndef MEMMAPCTL_TRACE_UNDO_H
#define MEMMAPCTL_TRACE_UNDO_H

#include <stddef.h>

#include "base/diag.h"

/* Not kept over a reboot, and neither is anything that it undoes. */
#define UNDO_FILE "/run/memmapctl.undo"

struct undo;

/*
 * Open (and create) the file and lock it for as long as this process lives. Steps that a killed process left in it are
 * pending: run them with undo_all before anything else. 0 and *out, closed with undo_close; -EBUSY: another
 * measurement holds it; -EINVAL: not such a file (in diags); -EACCES and the like.
 */
int undo_open(const char *path, struct diags *diags, struct undo **out);

size_t undo_pending(const struct undo *undo);

/* Each notes one step, to be done in reverse order. 0 or a negative errno: then the change must not be made. */
int undo_write(struct undo *undo, const char *path, const char *value); /* write value to the file */
int undo_rmdir(struct undo *undo, const char *path); /* remove the directory if it is there */
/* Write value unless the file has it, or is gone: where writing what is already so is an error. */
int undo_set(struct undo *undo, const char *path, const char *value);
int undo_clear(struct undo *undo, const char *path); /* open it for writing, truncating it */
/* Write value to path when another path exists, or when it does not (a device's driver link, say). */
int undo_write_if(struct undo *undo, const char *other, const char *path, const char *value);
int undo_write_unless(struct undo *undo, const char *other, const char *path, const char *value);

/*
 * Do the pending steps, newest first, down to `keep` of them, and forget them. A step that fails is reported in diags
 * and stays pending; the others are done all the same. 0, or the first failure.
 */
int undo_to(struct undo *undo, size_t keep, struct diags *diags);

static inline int undo_all(struct undo *undo, struct diags *diags)
{
	return undo_to(undo, 0, diags);
}

/* Forget everything beyond `keep` steps without doing it: it was done by other means. 0 or a negative errno. */
int undo_forget(struct undo *undo, size_t keep);

/* Close; the file is removed when nothing is pending. Undoes nothing by itself. */
void undo_close(struct undo *undo);

static inline void undo_close_ptr(struct undo **undo)
{
	undo_close(*undo);
}
#define _cleanup_undo_ _cleanup_(undo_close_ptr)

/*
 * Write text to a file of /sys, /proc or tracefs in one write; never creates or truncates it (opening kprobe_events
 * with O_TRUNC deletes everybody's probes). 0 or a negative errno.
 */
int write_file(const char *path, const char *text);
int clear_file(const char *path); /* truncate it, which these file systems take for a reset */

#endif
