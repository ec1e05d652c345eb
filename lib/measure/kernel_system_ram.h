/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A dax device as system RAM and back: what hot-adding memory and onlining its blocks takes. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_SYSTEM_RAM_H
#define MEMMAPCTL_MEASURE_KERNEL_SYSTEM_RAM_H

#include "measure/kernel_rebind.h"

/*
 * `cycles` times: from its driver to kmem, each of its memory blocks online (movable) and offline again, from kmem
 * back to its driver; a device that is kmem's, its blocks offline, from it and back. Adds to obs, with the first cycle apart, add_memory and the total of kmem's bind, remove_memory
 * and the total of its unbind; and, block by block, what one took to go online and offline. Automatic onlining is off
 * meanwhile. options->work is not used: the device is described as what it was.
 *
 * The caller has made sure that nobody uses the device, a device on the dax bus. 0; -ENOTSUP: not such a device,
 * or kmem is not loaded; -EINTR when stopped; -EIO when the kernel refused a step. Whatever happens, putting
 * everything back is tried before returning and stays in undo where it did not work.
 */
int kernel_system_ram(const struct kernel_device *device, const struct kernel_rebind_options *options,
		      struct diags *diags, struct observations *obs);

#endif
