/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of diagnose_work. For lib/model only. */
#ifndef MEMMAPCTL_MODEL_DIAGNOSE_PARTS_H
#define MEMMAPCTL_MODEL_DIAGNOSE_PARTS_H

#include "geometry/geometry.h"

void diagnose_hugepages(const struct work *work, struct diags *diags);
void diagnose_bugs(const struct work *work, struct diags *diags);

/* The value of the description that a warning about a device's size is about. */
const void *diagnose_size_field(const struct device_work *device);

#endif
