// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether the driver's module is loaded, and if it is not, find the reason.
 *
 * What lives here: the search for the module, the data in its file, and the conditions under which
 * this kernel loads a module. The check loads no module. May use: doctor.h.
 */
#include "tools/doctor/doctor.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODULE "smile_monitor"
/* The end of the file of a signed module. */
#define MODULE_SIGNATURE "~Module signature appended~\n"

/*
 * Directories for modules that are not part of the kernel: of DKMS, of make install-kmod, and of
 * other installers.
 */
static const char *const module_places[] = {"updates/dkms", "updates", "extra"};

/**
 * struct module_file - The file of the module that is installed for a kernel.
 * @path: path of the file, without DOCTOR_ROOT; "" if there is no file
 * @release: the kernel release for which the module was built; "" if unknown, since the file is
 *           compressed
 * @is_signed: 1 if the module is signed; 0 if not; -1 if unknown
 * @is_indexed: modprobe can find the module
 */
struct module_file {
	char path[PATH_MAX];
	char release[128];
	int is_signed;
	int is_indexed;
};

/* Find the file that modprobe would load, which modules.dep lists. */
static int find_indexed(struct module_file *file, const char *release)
{
	char path[PATH_MAX], line[PATH_MAX];
	int found = 0;
	FILE *list;

	doctor_path(path, "/lib/modules/%s/modules.dep", release);
	list = fopen(path, "re");
	if (!list)
		return 0;
	while (!found && fgets(line, sizeof(line), list)) {
		const char *name;

		line[strcspn(line, ":\n")] = '\0';
		name = strrchr(line, '/');
		if (!name || strncmp(name, "/" MODULE ".ko", strlen("/" MODULE ".ko")) != 0)
			continue;
		if (*line == '/')
			snprintf(file->path, sizeof(file->path), "%s", line);
		else
			snprintf(file->path, sizeof(file->path), "/lib/modules/%.255s/%.3800s",
				 release, line);
		found = 1;
	}
	fclose(list);
	return found;
}

/*
 * Find files of the module for a kernel release, which may be the pattern "*". @path: receives the
 * first file.
 */
static int find_file(char path[PATH_MAX], const char *release)
{
	const char *root = getenv(DOCTOR_ROOT);
	char pattern[PATH_MAX];
	glob_t found;
	size_t i;

	*path = '\0';
	for (i = 0; i < sizeof(module_places) / sizeof(module_places[0]) && !*path; i++) {
		doctor_path(pattern, "/lib/modules/%s/%s/" MODULE ".ko*", release,
			    module_places[i]);
		if (!glob(pattern, 0, NULL, &found))
			snprintf(path, PATH_MAX, "%s",
				 found.gl_pathv[0] + (root ? strlen(root) : 0));
		globfree(&found);
	}
	return *path != '\0';
}

/* Read the kernel release and the signature from the module's file. */
static void read_file(struct module_file *file)
{
	static const char key[] = "vermagic=", signature[] = MODULE_SIGNATURE;
	const char *data, *magic;
	char path[PATH_MAX];
	struct stat status;
	size_t bytes;
	int fd;

	doctor_path(path, "%s", file->path);
	file->is_signed = -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) || status.st_size < (off_t)sizeof(signature))
		goto close_file;
	bytes = (size_t)status.st_size;
	data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		goto close_file;
	if (!memcmp(data, "\177ELF", 4)) {
		file->is_signed =
			!memcmp(data + bytes - strlen(signature), signature, strlen(signature));
		magic = memmem(data, bytes, key, strlen(key));
		/* The release is valid only if a space follows it within the file. */
		if (magic && memchr(magic, ' ', bytes - (size_t)(magic - data))) {
			magic += strlen(key);
			snprintf(file->release, sizeof(file->release), "%.*s",
				 (int)strcspn(magic, " "), magic);
		}
	}
	munmap((void *)data, bytes);
close_file:
	if (fd >= 0)
		close(fd);
}

/* Write the reason why this kernel accepts only signed modules; "" if it accepts any module. */
static void signature_reason(char *text, size_t size)
{
	char line[128];

	if (doctor_line(line, sizeof(line), "/sys/kernel/security/lockdown") &&
	    (strstr(line, "[integrity]") || strstr(line, "[confidentiality]")))
		snprintf(text, size, "this kernel is locked down (Secure Boot does that)");
	else if (doctor_line(line, sizeof(line), "/sys/module/module/parameters/sig_enforce") &&
		 *line == 'Y')
		snprintf(text, size, "this kernel enforces signatures (module.sig_enforce)");
	else
		*text = '\0';
}

/*
 * The module is not installed for this kernel. Report whether it is installed for another kernel,
 * or in DKMS.
 */
static void explain_absence(struct check *check, const char *release)
{
	char other[PATH_MAX], path[PATH_MAX];
	const char *end;

	doctor_path(path, "/var/lib/dkms/smile-monitor");
	if (find_file(other, "*")) {
		end = strchr(other + strlen("/lib/modules/"), '/');
		doctor_detail(check, MODULE " is installed for the kernel %.*s, and this is %s",
			      (int)(end - other - (long)strlen("/lib/modules/")),
			      other + strlen("/lib/modules/"), release);
	} else {
		doctor_detail(check, MODULE " is not loaded, and not installed for this kernel, %s",
			      release);
	}
	if (access(path, F_OK)) {
		doctor_fix(check,
			   "install the package smile-monitor-dkms, or in a source tree: "
			   "make kmod && sudo make install-kmod; then sudo modprobe " MODULE);
		return;
	}
	doctor_path(path, "/lib/modules/%s/build", release);
	if (access(path, F_OK))
		doctor_fix(check,
			   "DKMS needs this kernel's headers: sudo apt install linux-headers-%s; "
			   "then sudo dkms autoinstall; sudo modprobe " MODULE,
			   release);
	else
		doctor_fix(check, "sudo dkms autoinstall; sudo modprobe " MODULE
				  "; if the build fails, see "
				  "/var/lib/dkms/smile-monitor/*/build/make.log");
}

/* The module is installed but not loaded. Report why. */
static void explain_refusal(struct check *check, const struct module_file *file,
			    const char *release)
{
	char reason[128];

	signature_reason(reason, sizeof(reason));
	if (*file->release && strcmp(file->release, release) != 0) {
		doctor_detail(check, "%s is built for the kernel %s, and this is %s", file->path,
			      file->release, release);
		doctor_fix(
			check,
			"rebuild it: sudo dkms build --force smile-monitor/VERSION, or in a source "
			"tree make kmod && sudo make install-kmod; then sudo modprobe " MODULE);
	} else if (*reason && !file->is_signed) {
		doctor_detail(check, "%s is not signed, and %s", file->path, reason);
		doctor_fix(
			check,
			"sign it: sudo /lib/modules/%s/build/scripts/sign-file sha256 "
			"/var/lib/dkms/mok.key /var/lib/dkms/mok.pub %s (Ubuntu: kmodsign sha512 "
			"MOK.priv MOK.der FILE); enrol the key once: sudo mokutil --import "
			"/var/lib/dkms/mok.pub, and restart; then sudo modprobe " MODULE
			"; a refusal is reported by sudo dmesg | grep -i -e lockdown -e 'key'",
			release, file->path);
	} else if (!file->is_indexed) {
		doctor_detail(check, "%s is installed, but modprobe does not find it", file->path);
		doctor_fix(check, "sudo depmod; sudo modprobe " MODULE);
	} else {
		doctor_detail(check, MODULE " is not loaded");
		doctor_fix(
			check, "sudo modprobe " MODULE "%s%s%s", *reason ? "; " : "", reason,
			*reason ? ": if the answer is 'Key was rejected', enrol the key that the "
				  "module is signed with: sudo mokutil --import "
				  "/var/lib/dkms/mok.pub, and restart"
				: "");
	}
}

void doctor_module(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "driver module", CHECK_OK);
	char path[PATH_MAX], release[128], version[64];
	struct module_file file = {.is_signed = -1};

	doctor_path(path, "/sys/module/" MODULE);
	doctor->module = !access(path, F_OK);
	if (doctor->module) {
		doctor_line(version, sizeof(version), "/sys/module/" MODULE "/version");
		doctor_detail(check, MODULE "%s%s is loaded", *version ? " " : "", version);
		return;
	}
	check->state = CHECK_MISSING;
	doctor_line(release, sizeof(release), "/proc/sys/kernel/osrelease");
	file.is_indexed = find_indexed(&file, release);
	if (!file.is_indexed && !find_file(file.path, release)) {
		explain_absence(check, release);
		return;
	}
	read_file(&file);
	explain_refusal(check, &file, release);
}
