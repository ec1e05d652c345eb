// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "arch/arch.h"

enum { SIGNATURE = 13 };

/* "model name\t: Intel(R) Xeon(R)": what stands behind the colon, the caller frees; NULL: no such line. */
static char *cpuinfo_value(const char *cpuinfo, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len))
			continue;
		const char *p = line + len + strspn(line + len, " \t");

		if (*p != ':')
			continue;
		p += 1 + strspn(p + 1, " \t");
		return strndup(p, strcspn(p, "\n"));
	}
	return NULL;
}

static void hypervisor_signature(char signature[SIGNATURE])
{
	memset(signature, 0, SIGNATURE);
#if defined(__x86_64__)
	unsigned int eax, ebx, ecx, edx;

	/* Leaf 1, ECX bit 31: a hypervisor answers leaf 0x40000000. */
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx >> 31))
		return;
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
#endif
}

bool machine_tcg(const char *cpuinfo, const char *signature)
{
	_cleanup_free_ char *implementer = cpuinfo_value(cpuinfo, "CPU implementer");
	_cleanup_free_ char *part = cpuinfo_value(cpuinfo, "CPU part");

	if (!strcmp(signature, "TCGTCGTCGTCG"))
		return true;
	/* On arm64 TCG's own model, -cpu max, has a MIDR of implementer 0, part 'Q'; no silicon has it. */
	return implementer && part && !strcmp(implementer, "0x00") && !strcmp(part, "0x051");
}

bool machine_user_emulated(char **emulator)
{
	_cleanup_fd_ int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	_cleanup_fd_ int running = open("/proc/thread-self/exe", O_RDONLY | O_CLOEXEC);
	struct stat a, b;
	char target[512];
	ssize_t len;

	if (program < 0 || running < 0 || fstat(program, &a) || fstat(running, &b))
		return false;
	if (a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		return false;
	len = readlink("/proc/thread-self/exe", target, sizeof(target) - 1);
	if (emulator && len > 0) {
		target[len] = 0;
		*emulator = strdup(strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
	}
	return true;
}

/* x86 has a CPUID bit for it; elsewhere the firmware's tables name the hypervisor's maker. */
static bool is_virtualized(const struct root *root, const char *cpuinfo)
{
	static const char *const makers[] = {"QEMU",   "Amazon EC2", "VMware, Inc.", "Microsoft Corporation",
					     "Google", "Xen",        "innotek GmbH", "Parallels"};
	_cleanup_free_ char *flags = cpuinfo_value(cpuinfo, "flags"), *vendor = NULL;

	if (flags && strstr(flags, " hypervisor"))
		return true;
	if (flags || root_read(root, &vendor, "sys/class/dmi/id/sys_vendor"))
		return root_exists(root, "proc/device-tree/hypervisor/compatible");
	for (size_t i = 0; i < ARRAY_SIZE(makers); i++) {
		if (!strcmp(vendor, makers[i]))
			return true;
	}
	return false;
}

static char *cpu_model(const char *cpuinfo)
{
	char buf[128];
	char *model = cpuinfo_value(cpuinfo, "model name");
	const char *name;

	if (model)
		return model;
	name = arch_ops.cpu_name ? arch_ops.cpu_name(buf, sizeof(buf)) : NULL;
	return strdup(name ? name : "unknown");
}

/* An emulated CPU is the emulator's; the machine below it is told for what it is worth. */
static char *emulated_cpu(const char *emulator, const char *cpuinfo)
{
	_cleanup_free_ char *below = cpuinfo_value(cpuinfo, "model name");
	char *text;

	if (asprintf(&text, "%s%s%s", emulator ? emulator : "an emulator", below ? " on " : "",
		     below ? below : "") < 0)
		return NULL;
	return text;
}

static char *utc_date(void)
{
	time_t now = time(NULL);
	char text[32];
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return strdup(text);
}

int machine_environment(const struct root *root, struct obs_environment *env)
{
	_cleanup_free_ char *cpuinfo = NULL, *emulator = NULL;
	char signature[SIGNATURE];
	bool user_emulated = machine_user_emulated(&emulator);
	struct utsname uts;

	if (root_read(root, &cpuinfo, "proc/cpuinfo"))
		cpuinfo = strdup("");
	if (!cpuinfo || uname(&uts))
		return -ENOMEM;
	hypervisor_signature(signature);
	env->arch = strdup(arch_ops.name);
	env->cpu = user_emulated ? emulated_cpu(emulator, cpuinfo) : cpu_model(cpuinfo);
	env->kernel = strdup(uts.release);
	env->date = utc_date();
	env->virtualized = is_virtualized(root, cpuinfo);
	env->emulated = user_emulated || machine_tcg(cpuinfo, signature);
	return env->arch && env->cpu && env->kernel && env->date ? 0 : -ENOMEM;
}
