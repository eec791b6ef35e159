// SPDX-License-Identifier: MIT
/*
 * smile doctor: what this machine has of what monitoring needs, and the fix for what it lacks.
 *
 * Only looks: nothing is loaded, opened for writing beyond a check of permission, or changed.
 */
#include "tools/smile.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/output.h"

static const char doctor_help[] =
	"usage: smile doctor [--json]\n\n"
	"Checks what monitoring needs, and names the fix for what is missing.\n\n"
	"  --json   one JSON document, schema smile.doctor/1\n"
	"  --help   this text\n\n"
	"exit status: 0 nothing is missing, 1 something is, 2 usage or error\n";

static const struct option doctor_options[] = {
	{"json", no_argument, NULL, 'j'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

enum check_state {
	CHECK_OK,
	CHECK_MISSING,
	CHECK_SKIPPED, /* cannot be told before something else is fixed */
	CHECK_OPTIONAL, /* missing, but only of use to some */
};

static const char *const state_names[] = {"ok", "missing", "skipped", "optional"};

/**
 * struct check - One of them.
 * @name: what was checked
 * @state: what came out
 * @detail: what was found
 * @fix: what to do about it, "" if nothing
 */
struct check {
	const char *name;
	enum check_state state;
	char detail[256];
	char fix[320];
};

/**
 * struct doctor - All of them, and what one learns from another.
 * @device: device file of the first card, "" if none
 * @card: there is a card
 * @module: the driver is loaded
 */
struct doctor {
	struct check checks[8];
	int count;
	char device[280];
	int card;
	int module;
};

#define DOCTOR_QEMU "qemu-system-x86_64"
#define DOCTOR_QEMU_VERSION "7.2"

static struct check *check_add(struct doctor *doctor, const char *name, enum check_state state)
{
	struct check *check = &doctor->checks[doctor->count++];

	check->name = name;
	check->state = state;
	return check;
}

static void check_say(char *text, size_t size, const char *format, va_list arguments)
{
	vsnprintf(text, size, format, arguments);
}

__attribute__((format(printf, 2, 3))) static void check_detail(struct check *check,
							       const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	check_say(check->detail, sizeof(check->detail), format, arguments);
	va_end(arguments);
}

__attribute__((format(printf, 2, 3))) static void check_fix(struct check *check, const char *format,
							    ...)
{
	va_list arguments;

	va_start(arguments, format);
	check_say(check->fix, sizeof(check->fix), format, arguments);
	va_end(arguments);
}

static void check_card(struct doctor *doctor)
{
	struct check *check = check_add(doctor, "PCI card", CHECK_OK);
	struct Monitor_card card;
	int count;

	memset(&card, 0, sizeof(card));
	count = Monitor_card_list(&card, 1);
	if (count > 0) {
		doctor->card = 1;
		snprintf(doctor->device, sizeof(doctor->device), "%s", card.device);
		check_detail(check, "%d found, the first at %s%s%s", count, card.address,
			     *card.driver ? ", driver " : ", no driver bound", card.driver);
		return;
	}
	check->state = CHECK_MISSING;
	if (count < 0)
		check_detail(check, "%s", Monitor_error_message());
	else
		check_detail(check, "no SMiLE Monitor on the PCI bus");
	check_fix(check, "insert one, or work without: `smile sim` and `smile replay CAPTURE` use "
			 "a card emulated in the process (source emu:), `make demo` one in QEMU");
}

/* A kernel that is locked down takes signed modules only. */
static int kernel_is_locked_down(void)
{
	char text[128] = "";
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");

	if (!file)
		return 0;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return strstr(text, "[integrity]") || strstr(text, "[confidentiality]");
}

static void check_module(struct doctor *doctor)
{
	struct check *check = check_add(doctor, "driver module", CHECK_OK);

	doctor->module = !access("/sys/module/smile_monitor", F_OK);
	if (doctor->module) {
		check_detail(check, "smile_monitor is loaded");
		return;
	}
	check->state = CHECK_MISSING;
	check_detail(check, "smile_monitor is not loaded");
	check_fix(check,
		  "sudo modprobe smile_monitor (from a source tree: make kmod && sudo insmod "
		  "smile_monitor.ko)%s",
		  kernel_is_locked_down()
			  ? "; this kernel is locked down (secure boot): the module must be "
			    "signed with an enrolled key"
			  : "");
}

static void check_device_name(struct doctor *doctor)
{
	glob_t found;

	if (*doctor->device)
		return;
	if (!glob("/dev/smile_monitor*", 0, NULL, &found))
		snprintf(doctor->device, sizeof(doctor->device), "%s", found.gl_pathv[0]);
	globfree(&found);
}

static void device_permission(struct check *check, const char *device)
{
	const struct group *group = NULL;
	struct stat status;

	check->state = CHECK_MISSING;
	check_detail(check, "%s: no permission to open it", device);
	if (!stat(device, &status) && (status.st_mode & S_IRGRP) && (status.st_mode & S_IWGRP))
		group = getgrgid(status.st_gid);
	if (group && status.st_gid)
		check_fix(check,
			  "sudo usermod -aG %s \"$USER\" and log in again, or run smile "
			  "with sudo",
			  group->gr_name);
	else
		check_fix(check, "run smile with sudo, or install the udev rule that gives the "
				 "device a group");
}

/* @found receives what the driver says, if it is of our version. */
static void check_abi(struct doctor *doctor, int device, struct smile_info *found)
{
	struct check *check = check_add(doctor, "driver ABI", CHECK_OK);
	struct smile_info info = {.size = sizeof(info)};

	if (device < 0) {
		check->state = CHECK_SKIPPED;
		check_detail(check, "needs a device that can be opened");
	} else if (ioctl(device, SMILE_IOC_INFO, &info)) {
		check->state = CHECK_MISSING;
		check_detail(check, "%s does not answer: %s", doctor->device, strerror(errno));
		check_fix(check, errno == ENODEV ? "the card is gone: is it seated, is its bus up?"
						 : "is that a device of smile_monitor?");
	} else if (info.abi != SMILE_ABI_VERSION) {
		check->state = CHECK_MISSING;
		check_detail(check, "the driver speaks version %u, this program %u", info.abi,
			     SMILE_ABI_VERSION);
		check_fix(check, "install driver and tools of the same release and load the "
				 "module anew: sudo modprobe -r smile_monitor; sudo modprobe "
				 "smile_monitor");
	} else {
		check_detail(check, "version %u; B-Link %s; %s", info.abi,
			     info.status & SMILE_INFO_LINK ? "up" : "down",
			     info.status & SMILE_INFO_OWNED ? "in use by another process" : "free");
		*found = info;
	}
}

/* What `smile record` can ask of this card; what it cannot is no obstacle to the rest. */
static void check_features(struct doctor *doctor, const struct smile_info *info)
{
	struct check *check = check_add(doctor, "features", CHECK_OK);
	int host_ring = (info->features & SMILE_FEATURE_HOST_RING) != 0;
	int timer = (info->features & SMILE_FEATURE_TIMER) != 0;

	if (!info->size) {
		check->state = CHECK_SKIPPED;
		check_detail(check, "needs a driver that answers");
		return;
	}
	check_detail(check,
		     "%u static counters (--static); ring in host memory (--ring host) %s; "
		     "timer (--timer, --time) %s",
		     info->static_counters, host_ring ? "possible" : "not possible",
		     timer ? "possible" : "not possible");
	if (host_ring && timer && info->static_counters)
		return;
	check->state = CHECK_OPTIONAL;
	check_fix(check, "record without them, or install the driver of this release; see sudo "
			 "dmesg | grep smile_monitor for what it found");
}

static void check_device(struct doctor *doctor)
{
	struct check *check = check_add(doctor, "device file", CHECK_OK);
	struct smile_info info = {0};
	int device = -1;

	check_device_name(doctor);
	if (*doctor->device)
		device = open(doctor->device, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (device >= 0) {
		check_detail(check, "%s can be opened", doctor->device);
	} else if (!*doctor->device) {
		check->state = doctor->module && doctor->card ? CHECK_MISSING : CHECK_SKIPPED;
		check_detail(check, "no /dev/smile_monitor*");
		if (check->state == CHECK_MISSING)
			check_fix(check, "see what the driver says: sudo dmesg | grep "
					 "smile_monitor");
		else
			check_fix(check, "comes with the card and its driver");
	} else if (errno == EACCES || errno == EPERM) {
		device_permission(check, doctor->device);
	} else if (errno == EBUSY) {
		check->state = CHECK_MISSING;
		check_detail(check, "%s is in use", doctor->device);
		check_fix(check, "see who: sudo fuser -v %s", doctor->device);
	} else {
		check->state = CHECK_MISSING;
		check_detail(check, "%s: %s", doctor->device, strerror(errno));
		check_fix(check, "see what the driver says: sudo dmesg | grep smile_monitor");
	}
	check_abi(doctor, device, &info);
	check_features(doctor, &info);
	if (device >= 0)
		close(device);
}

/* First line of `qemu-system-x86_64 --version`; 0 if there is none in PATH. */
static int qemu_version(char *text, size_t size)
{
	static const char *const arguments[] = {DOCTOR_QEMU, "--version", NULL};
	posix_spawn_file_actions_t actions;
	ssize_t got = -1;
	int ends[2], state, failed;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return 0;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	failed = posix_spawnp(&pid, DOCTOR_QEMU, &actions, NULL, (char *const *)arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!failed) {
		got = read(ends[0], text, size - 1);
		waitpid(pid, &state, 0);
	}
	close(ends[0]);
	text[got > 0 ? got : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return got > 0;
}

static void check_qemu(struct doctor *doctor)
{
	struct check *check = check_add(doctor, "QEMU " DOCTOR_QEMU_VERSION, CHECK_OK);
	char text[160];
	const char *version;

	if (!qemu_version(text, sizeof(text))) {
		check->state = CHECK_OPTIONAL;
		check_detail(check, "no " DOCTOR_QEMU " in PATH");
		check_fix(check, "only for a card emulated in a virtual machine: sudo apt install "
				 "qemu-system-x86");
		return;
	}
	check_detail(check, "%s", text);
	version = strstr(text, "version ");
	if (version && !strncmp(version + 8, DOCTOR_QEMU_VERSION ".", 4))
		return;
	check->state = CHECK_OPTIONAL;
	check_fix(check, "the emulated card is a plug-in built for " DOCTOR_QEMU_VERSION
			 ": use that of Debian 12");
}

static int doctor_json(const struct doctor *doctor, int missing)
{
	json_t *array = json_array();
	int i;

	for (i = 0; i < doctor->count; i++) {
		const struct check *check = &doctor->checks[i];

		json_array_append_new(array, json_pack("{s:s,s:s,s:o,s:o}", "check", check->name,
						       "state", state_names[check->state], "detail",
						       output_json_string(check->detail), "fix",
						       output_json_string(check->fix)));
	}
	return output_json(json_pack("{s:s,s:b,s:o}", "schema", "smile.doctor/1", "ok", !missing,
				     "checks", array));
}

static void doctor_print(const struct doctor *doctor, int missing)
{
	static const enum output_style styles[] = {OUTPUT_GOOD, OUTPUT_BAD, OUTPUT_PLAIN,
						   OUTPUT_PLAIN};
	int i;

	for (i = 0; i < doctor->count; i++) {
		const struct check *check = &doctor->checks[i];

		printf("%s%-8s%s  %-13s  %s\n", output_begin(styles[check->state]),
		       state_names[check->state], output_end(styles[check->state]), check->name,
		       check->detail);
		if (*check->fix)
			printf("%-8s  %-13s  -> %s\n", "", "", check->fix);
	}
	if (missing)
		printf("\n%d missing. Without a card: `smile sim sor --capture sor`, `smile replay "
		       "sor-node0.pcap -o node0.rec`,\n`smile report pages node0.rec`.\n",
		       missing);
	else
		printf("\nnothing is missing: `smile record -- COMMAND`\n");
	printf("legend: skipped = cannot be told before another is ok; optional = missing, but not "
	       "needed for\nthe rest\n");
}

int doctor_main(int argc, char **argv)
{
	struct doctor doctor;
	int option, i, missing = 0, json = 0;

	while ((option = getopt_long(argc, argv, "h", doctor_options, NULL)) != -1) {
		switch (option) {
		case 'j':
			json = 1;
			break;
		case 'h':
			fputs(doctor_help, stdout);
			return TOOL_OK;
		default:
			return tool_unknown_option();
		}
	}
	if (optind < argc)
		return tool_usage("'%s' is one argument too many", argv[optind]);

	memset(&doctor, 0, sizeof(doctor));
	check_card(&doctor);
	check_module(&doctor);
	check_device(&doctor);
	check_qemu(&doctor);
	for (i = 0; i < doctor.count; i++)
		missing += doctor.checks[i].state == CHECK_MISSING;
	if (!json)
		doctor_print(&doctor, missing);
	else if (doctor_json(&doctor, missing) != TOOL_OK)
		return TOOL_ERROR;
	return missing ? TOOL_FINDING : TOOL_OK;
}
