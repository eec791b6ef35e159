// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether a program can be traced, and whether QEMU has the card.
 *
 * What lives here: both checks. Each check tries the operation. The first check traces /bin/true,
 * which exists on all systems and executes few instructions. The second check starts a virtual
 * machine with a card; the virtual machine executes nothing. May use: doctor.h, run/session.
 */
#include "tools/doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/session/session.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

#define DOCTOR_QEMU "qemu-system-x86_64"
#define CARD_PLUGIN "smile-monitor.so"
#define TRIED "/bin/true"

#define OPTIONAL_CARD "only for a card emulated in a virtual machine: "
#define OPTIONAL_RUN "only for programs on the emulated NUMA machine: "

/* ---- the card in QEMU ---- */

static char *card_plugin(void)
{
	char *path = run_file_look("emu/qemu/" CARD_PLUGIN);

	return path ? path : run_file_look("share/smile-monitor/guest/" CARD_PLUGIN);
}

static void try_card(struct check *check, const char *plugin)
{
	char option[PATH_MAX + 8], text[4096];
	const char *const arguments[] = {
		DOCTOR_QEMU, "-nodefaults", "-display", "none",		 "-machine", "q35",   "-S",
		"-plugin",   option,	    "-device",	"smile-monitor", "-monitor", "stdio", NULL,
	};

	snprintf(option, sizeof(option), "file=%s", plugin);
	if (!doctor_try(arguments, "quit\n", text, sizeof(text))) {
		doctor_pick(text, "QEMU ");
		text[strcspn(text, "-")] = '\0';
		doctor_detail(check, "%shas a card by %s", text, plugin);
		return;
	}
	check->state = CHECK_OPTIONAL;
	doctor_pick(text, CARD_PLUGIN ":");
	doctor_detail(check, "%s", *text ? text : "it ended without a message");
	if (strstr(text, CARD_PLUGIN))
		doctor_fix(check,
			   OPTIONAL_CARD "build the plug-in for this QEMU, make qemu-plugin; or a "
					 "QEMU that contains the card, make qemu");
	else
		doctor_fix(
			check, OPTIONAL_CARD
			"QEMU itself does not start: see the output of this command: " DOCTOR_QEMU
			" -machine q35 -display none -monitor stdio");
}

void doctor_card_in_qemu(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "card in QEMU", CHECK_OK);
	char *qemu = run_search(DOCTOR_QEMU), *plugin = card_plugin();

	if (!qemu) {
		check->state = CHECK_OPTIONAL;
		doctor_detail(check, "no " DOCTOR_QEMU " in PATH");
		doctor_fix(check, OPTIONAL_CARD "sudo apt install qemu-system-x86");
	} else if (!plugin) {
		check->state = CHECK_OPTIONAL;
		doctor_detail(check, "%s exists, but no plug-in %s for it", qemu, CARD_PLUGIN);
		doctor_fix(check, OPTIONAL_CARD "make qemu-plugin, in the source tree");
	} else {
		try_card(check, plugin);
	}
	free(plugin);
	free(qemu);
}

/* ---- smile run ---- */

static bool run_files(struct check *check)
{
	static const char *const files[] = {RUN_TRACER, RUN_PRELOAD};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = run_file_look(files[i]);

		if (!path) {
			doctor_detail(check, "%s is not there", files[i]);
			doctor_fix(check, OPTIONAL_RUN
				   "sudo make install, or name its directory in SMILE_LIBDIR");
			return false;
		}
		free(path);
	}
	return true;
}

/* Trace /bin/true. Return: the exit status of `smile run`. */
static int trace(char *text, size_t size)
{
	const char *temporary = getenv("TMPDIR");
	char directory[PATH_MAX], prefix[PATH_MAX + 8], recording[PATH_MAX + 24];
	const char *const arguments[] = {
		"/proc/self/exe", "run", "-q", "--nodes", "1", "-o", prefix, "--", TRIED, NULL,
	};
	int status;

	snprintf(directory, sizeof(directory), "%s/smile-doctor.XXXXXX",
		 temporary && *temporary ? temporary : "/tmp");
	/* If the command is interrupted, it must still remove the directory. */
	signals_catch();
	if (!mkdtemp(directory)) {
		snprintf(text, size, "no directory for the trial can be made in TMPDIR, or /tmp");
		return RUN_FAILED;
	}
	snprintf(prefix, sizeof(prefix), "%s/trial", directory);
	snprintf(recording, sizeof(recording), "%s-node0.rec", prefix);
	status = doctor_try(arguments, "", text, size);
	unlink(recording);
	rmdir(directory);
	if (signals_count())
		exit(tool_error("interrupted"));
	return status;
}

void doctor_run(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "smile run", CHECK_OPTIONAL);
	char *qemu = run_emulator_find(), text[4096];
	size_t prefix = strlen(OPTIONAL_RUN);

	if (!qemu || !run_emulator_loads(qemu)) {
		doctor_detail(check, "%s%s", qemu ? qemu : "no " RUN_QEMU " in PATH",
			      qemu ? " loads no plug-ins: it is linked statically, or no program"
				   : "");
		snprintf(check->fix, sizeof(check->fix), OPTIONAL_RUN);
		run_emulator_missing(check->fix + prefix, sizeof(check->fix) - prefix);
	} else if (run_files(check)) {
		if (!trace(text, sizeof(text))) {
			check->state = CHECK_OK;
			doctor_detail(check, "%s has traced " TRIED, qemu);
		} else {
			/* Keep the first line of the output, which has the cause of the failure. */
			doctor_pick(text, "");
			doctor_detail(check, "%s has not traced " TRIED ": %s", qemu, text);
			doctor_fix(check, OPTIONAL_RUN "see the output of: smile run -o "
						       "/tmp/trial -- " TRIED);
		}
	}
	free(qemu);
}
