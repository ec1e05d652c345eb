// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/diagnosis.h"

#include <errno.h>

#include "model/diagnose.h"

static int diagnose_by(const struct profile *profile, const struct host *host, const struct work *work,
		       struct diags *diags)
{
	_cleanup_forecast_ struct host_forecast *forecast = NULL;
	int err = forecast_new(host, work, profile, host->kernel.memmap_path, &forecast);

	if (!err)
		diagnose_times(forecast, diags);
	return err;
}

int diagnose_host(const struct host *host, struct diags *diags)
{
	const char *name = host->profile ? host->profile : profile_generic_name(host->arch);
	_cleanup_diags_ struct diags unused = {0}; /* the profile's mistakes are not the host's */
	_cleanup_profile_ struct profile *profile = NULL;
	_cleanup_work_ struct work *work = NULL;
	int err = work_new(host, diags, &work);

	if (err)
		return err == -EOVERFLOW ? -EINVAL : err;
	diagnose_work(work, diags);
	err = profile_load(name, &unused, &profile);
	if (!err)
		return diagnose_by(profile, host, work, diags);
	diag_add(diags, DIAG_NOTE, host->file, 0, 0, "profile \"%s\" cannot be used: times are not looked at",
		 name);
	return err == -ENOMEM ? err : 0;
}
