// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether this user may open the card, which process has opened it, what its
 * driver reports, and whether perf can use its counters.
 *
 * What lives here: the checks of /dev/smile_monitor* and of its driver. The checks never become the
 * owner of the card. May use: doctor.h, and ioctls that only read.
 */
#include "tools/doctor/doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <smile/monitor.h>

#define DEVICE_GROUP "smile" /* The group that kmod/70-smile-monitor.rules names. */
#define DEVICE_RULE "70-smile-monitor.rules"
#define DEVICE_TRIGGER "sudo udevadm control --reload; sudo udevadm trigger -s smile_monitor"

static void find_device(struct doctor *doctor)
{
	char pattern[PATH_MAX];
	glob_t found;

	if (*doctor->device)
		return;
	doctor_path(pattern, "/dev/smile_monitor*");
	if (!glob(pattern, 0, NULL, &found))
		snprintf(doctor->device, sizeof(doctor->device), "%s", found.gl_pathv[0]);
	globfree(&found);
}

static int rule_is_installed(void)
{
	static const char *const places[] = {"/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"};
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		doctor_path(path, "%s/udev/rules.d/" DEVICE_RULE, places[i]);
		if (!access(path, F_OK))
			return 1;
	}
	return 0;
}

/* Explain that the device file belongs to no group that the user could join. */
static void explain_root_only(struct check *check)
{
	if (!rule_is_installed())
		doctor_fix(check, "run smile with sudo; or install the udev rule " DEVICE_RULE
				  ", which gives it to the group " DEVICE_GROUP
				  " (package smile-monitor, or sudo make install), then sudo "
				  "systemd-sysusers; " DEVICE_TRIGGER);
	else if (!getgrnam(DEVICE_GROUP))
		doctor_fix(check, "there is no group " DEVICE_GROUP
				  " for the udev rule: sudo systemd-sysusers, or sudo groupadd "
				  "--system " DEVICE_GROUP "; then " DEVICE_TRIGGER);
	else
		doctor_fix(check, "the udev rule has not seen it yet: " DEVICE_TRIGGER);
}

/*
 * Check whether the file of groups lists the user as a member. The user may have joined the group
 * after this process got its groups.
 */
static int user_is_member(const struct passwd *user, gid_t gid)
{
	gid_t groups[256];
	int count = sizeof(groups) / sizeof(groups[0]), i;

	if (!user || getgrouplist(user->pw_name, user->pw_gid, groups, &count) < 0)
		return 0;
	for (i = 0; i < count; i++) {
		if (groups[i] == gid)
			return 1;
	}
	return 0;
}

static void explain_permission(struct check *check, const char *device)
{
	const mode_t both = S_IRGRP | S_IWGRP;
	const struct passwd *user = getpwuid(geteuid());
	const char *name = user ? user->pw_name : "\"$USER\"";
	const struct group *group = NULL;
	struct stat status;

	check->state = CHECK_MISSING;
	doctor_detail(check, "%s: no permission to open it", device);
	if (!stat(device, &status) && status.st_gid && (status.st_mode & both) == both)
		group = getgrgid(status.st_gid);
	if (!group) {
		explain_root_only(check);
	} else if (user_is_member(user, group->gr_gid)) {
		doctor_detail(check,
			      "%s: no permission to open it: %s is in the group %s, but was not "
			      "when this session began",
			      device, name, group->gr_name);
		doctor_fix(check, "log in again, or for this shell: newgrp %s", group->gr_name);
	} else {
		doctor_detail(check,
			      "%s: no permission to open it: it is for the group %s, and %s is not "
			      "in this group",
			      device, group->gr_name, name);
		doctor_fix(check,
			   "sudo usermod -aG %s %s, and log in again; or run smile with sudo",
			   group->gr_name, name);
	}
}

/* Check whether a process has opened the device. */
static int process_has(const char *process, const char *device)
{
	char path[PATH_MAX], target[PATH_MAX];
	int found = 0;
	glob_t files;
	size_t i;

	snprintf(path, sizeof(path), "%s/fd/*", process);
	if (!glob(path, 0, NULL, &files)) {
		for (i = 0; i < files.gl_pathc && !found; i++) {
			ssize_t length = readlink(files.gl_pathv[i], target, sizeof(target) - 1);

			target[length > 0 ? length : 0] = '\0';
			found = !strcmp(target, device);
		}
	}
	globfree(&files);
	return found;
}

/*
 * Find another process that has opened the device, and write its name and process id. Only root can
 * examine the processes of all users.
 */
static int find_user(const char *device, char *text, size_t size)
{
	char own[32], pattern[PATH_MAX];
	glob_t processes;
	int found = 0;
	size_t i;

	snprintf(own, sizeof(own), "/proc/%d", (int)getpid());
	doctor_path(pattern, "/proc/[1-9]*");
	if (!glob(pattern, 0, NULL, &processes)) {
		for (i = 0; i < processes.gl_pathc && !found; i++) {
			const char *process = processes.gl_pathv[i];
			char name[64] = "";
			FILE *file;

			if (!strcmp(process, own) || !process_has(process, device))
				continue;
			snprintf(pattern, sizeof(pattern), "%s/comm", process);
			file = fopen(pattern, "re");
			if (file && !fgets(name, sizeof(name), file))
				*name = '\0';
			if (file)
				fclose(file);
			name[strcspn(name, "\n")] = '\0';
			snprintf(text, size, "%s, process %s", *name ? name : "unknown",
				 basename(process));
			found = 1;
		}
	}
	globfree(&processes);
	return found;
}

/*
 * Check whether the stream of the card is free. A stream has one owner at a time, and cannot be
 * used together with perf's counters. While perf counts, the card runs without an owner.
 */
static void check_stream(struct doctor *doctor, const struct smile_info *info)
{
	struct check *check = doctor_check(doctor, "record stream", CHECK_OK);
	char user[128];

	if (!info->size) {
		check->state = CHECK_SKIPPED;
		doctor_detail(check, "needs a driver that answers");
		return;
	}
	if (!(info->status & (SMILE_INFO_OWNED | SMILE_INFO_RUNNING))) {
		doctor_detail(check, "free");
		return;
	}
	check->state = CHECK_MISSING;
	if (!(info->status & SMILE_INFO_OWNED)) {
		doctor_detail(check, "in use by perf, whose counters hold the card");
		doctor_fix(check, "end the perf that counts smile_monitor events: pgrep -a perf");
		return;
	}
	if (find_user(doctor->device, user, sizeof(user)))
		doctor_detail(check, "in use by another process: %s", user);
	else
		doctor_detail(check, "in use by another process");
	doctor_fix(check,
		   "end it, or wait until it has finished; all processes that have it open: sudo "
		   "fuser -v %s",
		   doctor->device);
}

/*
 * Check the version of the driver. @found: receives the driver's information if the driver has the
 * version of this program.
 */
static void check_abi(struct doctor *doctor, int device, struct smile_info *found)
{
	struct check *check = doctor_check(doctor, "driver ABI", CHECK_OK);
	struct smile_info info = {.size = sizeof(info)};

	if (device < 0) {
		check->state = CHECK_SKIPPED;
		doctor_detail(check, "needs a device that can be opened");
	} else if (ioctl(device, SMILE_IOC_INFO, &info)) {
		check->state = CHECK_MISSING;
		doctor_detail(check, "%s does not answer: %s", doctor->device, strerror(errno));
		doctor_fix(check, errno == ENODEV ? "the card is gone: is it seated, is its bus up?"
						  : "is that a device of smile_monitor?");
	} else if (info.abi != SMILE_ABI_VERSION) {
		check->state = CHECK_MISSING;
		doctor_detail(check, "the driver has version %u, this program %u", info.abi,
			      SMILE_ABI_VERSION);
		doctor_fix(check,
			   "install driver and tools of the same release and reload the module: "
			   "sudo modprobe -r smile_monitor; sudo modprobe smile_monitor");
	} else {
		doctor_detail(check, "version %u; B-Link %s", info.abi,
			      info.status & SMILE_INFO_LINK ? "up" : "down");
		*found = info;
	}
}

/*
 * List the features of the card that `smile record` can use. If a feature is missing, the other
 * features still work.
 */
static void check_features(struct doctor *doctor, const struct smile_info *info)
{
	struct check *check = doctor_check(doctor, "features", CHECK_OK);
	int host_ring = (info->features & SMILE_FEATURE_HOST_RING) != 0;
	int timer = (info->features & SMILE_FEATURE_TIMER) != 0;

	if (!info->size) {
		check->state = CHECK_SKIPPED;
		doctor_detail(check, "needs a driver that answers");
		return;
	}
	doctor_detail(check,
		      "%u static counters (--static); ring in host memory (--ring host) %s; "
		      "timer (--timer, --time) %s",
		      info->static_counters, host_ring ? "possible" : "not possible",
		      timer ? "possible" : "not possible");
	if (host_ring && timer && info->static_counters)
		return;
	check->state = CHECK_OPTIONAL;
	doctor_fix(check, "record without them, or install the driver of this release; see sudo "
			  "dmesg | grep smile_monitor for what the driver found");
}

/*
 * Check whether this user may count with perf. The counters of a card count the accesses of all
 * programs, so perf requires a privilege.
 */
static void check_perf(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "perf stat", CHECK_OK);
	char pattern[PATH_MAX];
	glob_t found;
	int pmus;

	doctor_path(pattern, "/sys/bus/event_source/devices/smile_monitor*");
	pmus = !glob(pattern, 0, NULL, &found);
	globfree(&found);
	if (!pmus) {
		check->state = doctor->module && doctor->card ? CHECK_OPTIONAL : CHECK_SKIPPED;
		doctor_detail(check, "no smile_monitor in /sys/bus/event_source/devices");
		doctor_fix(check, doctor->module && doctor->card
					  ? "only for perf: this card has no static counters, or "
					    "its driver is older than they are"
					  : "comes with the card and its driver");
		return;
	}
	if (!geteuid()) {
		doctor_detail(check, "may count the card's events");
		return;
	}
	check->state = CHECK_OPTIONAL;
	doctor_detail(check, "a card's events need root or CAP_PERFMON");
	doctor_fix(check, "sudo perf stat, or for all users: sudo setcap "
			  "cap_perfmon+ep $(command -v perf)");
}

static void check_file(struct doctor *doctor, int device)
{
	struct check *check = doctor_check(doctor, "device file", CHECK_OK);

	if (device >= 0) {
		doctor_detail(check, "%s can be opened", doctor->device);
	} else if (!*doctor->device) {
		check->state = doctor->module && doctor->card ? CHECK_MISSING : CHECK_SKIPPED;
		doctor_detail(check, "no /dev/smile_monitor*");
		if (check->state == CHECK_MISSING)
			doctor_fix(check, "see what the driver says: sudo dmesg | grep "
					  "smile_monitor");
		else
			doctor_fix(check, "comes with the card and its driver");
	} else if (errno == EACCES || errno == EPERM) {
		explain_permission(check, doctor->device);
	} else {
		check->state = CHECK_MISSING;
		doctor_detail(check, "%s: %s", doctor->device, strerror(errno));
		doctor_fix(check, "see what the driver says: sudo dmesg | grep smile_monitor");
	}
}

void doctor_device(struct doctor *doctor)
{
	struct smile_info info = {0};
	int device = -1;

	find_device(doctor);
	errno = 0;
	/*
	 * Open the device only for reading. If it were opened for writing, this process would
	 * become the owner, and the card would be reset.
	 */
	if (*doctor->device && !faccessat(AT_FDCWD, doctor->device, R_OK | W_OK, AT_EACCESS))
		device = open(doctor->device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	check_file(doctor, device);
	check_abi(doctor, device, &info);
	check_stream(doctor, &info);
	check_features(doctor, &info);
	check_perf(doctor);
	if (device >= 0)
		close(device);
}
