// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/configs.h"

#include <errno.h>

#include "base/util.h"

int configs_find(const char *name, char **path)
{
	const char *const dirs[] = {getenv("MEMMAPCTL_CONFIGS"), MEMMAPCTL_SOURCE_CONFIGS,
				    MEMMAPCTL_INSTALLED_CONFIGS};

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		_cleanup_free_ char *candidate = NULL;

		if (!dirs[i] || !*dirs[i])
			continue;
		if (asprintf(&candidate, "%s/%s", dirs[i], name) < 0) {
			candidate = NULL;
			return -ENOMEM;
		}
		if (access(candidate, F_OK))
			continue;
		*path = take_ptr(candidate);
		return 0;
	}
	return -ENOENT;
}
