/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of diagnose_work. For lib/model only. */
#ifndef MEMMAPCTL_MODEL_DIAGNOSE_PARTS_H
#define MEMMAPCTL_MODEL_DIAGNOSE_PARTS_H

#include "geometry/geometry.h"

void diagnose_hugepages(const struct work *work, struct diags *diags);

#endif
