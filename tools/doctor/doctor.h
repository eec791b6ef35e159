/* SPDX-License-Identifier: MIT */
/*
 * smile doctor: the types and functions that its checks share.
 *
 * What lives here: a check, the list of checks, and the functions by which a check reports its
 * result. May use: nothing.
 *
 *	doctor.c  the command: the card, and the output
 *	module.c  the driver's module: whether it is loaded, or the reason why not
 *	device.c  the device file: its permissions, its owner; the driver's answers; perf
 *	counters.c  the processors' counters, for `smile stat`
 *	emulator.c  the card in QEMU, and `smile run`
 *	trial.c   running a program for a check
 *	nodes.c   the machine's own nodes, for `smile place` and `smile sample`
 *	machine.c  the machine as a file, for `smile run`; its latencies
 *	latency.c  the measurement of latencies
 */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum check_state {
	CHECK_OK,
	CHECK_MISSING,
	CHECK_SKIPPED, /* cannot be checked before another check is ok */
	CHECK_OPTIONAL, /* missing, but needed only for some commands */
};

/**
 * struct check - A check.
 * @name: its name
 * @state: its result
 * @detail: the finding
 * @fix: the remedy, "" if none is needed
 */
struct check {
	const char *name;
	enum check_state state;
	char detail[512];
	char fix[1024];
};

/**
 * struct doctor - All checks, and results that later checks use.
 * @checks: the checks made so far
 * @count: number of @checks
 * @device: device file of the first card, "" if none
 * @card: there is a card
 * @module: the driver is loaded
 */
struct doctor {
	struct check checks[13];
	int count;
	char device[280];
	int card;
	int module;
};

/* Measure this machine, and write it to @path; NULL: to standard output. Return: an exit status. */
int doctor_machine(const char *path);

/*
 * Measure the latencies of reads between all pairs of nodes, and show them, as JSON if @json.
 * @path: also write this machine to this file; NULL: do not. Return: an exit status.
 */
int doctor_latency(const char *path, bool json);

/* Begin a check. */
struct check *doctor_check(struct doctor *doctor, const char *name, enum check_state state);

/* Set the finding, and the remedy. A second call replaces the text. */
__attribute__((format(printf, 2, 3))) void doctor_detail(struct check *check, const char *format,
							 ...);
__attribute__((format(printf, 2, 3))) void doctor_fix(struct check *check, const char *format, ...);

/* Environment variable that names a directory to use instead of /. */
#define DOCTOR_ROOT "SMILE_DOCTOR_ROOT"

/* Make the path of a system file: below the directory that DOCTOR_ROOT names, if it is set. */
__attribute__((format(printf, 2, 3))) void doctor_path(char path[PATH_MAX], const char *format,
						       ...);
/* Read the first line of a system file, without its end. Return: 0 and "" if there is no file. */
__attribute__((format(printf, 3, 4))) int doctor_line(char *text, size_t size, const char *format,
						      ...);

/*
 * Run a program of PATH, with @input on its standard input, for at most a minute. @text: receives
 * its output, cut at @size. Return: its exit status, as a shell would report it.
 */
int doctor_try(const char *const *arguments, const char *input, char *text, size_t size);

/* Reduce a text to its first line that begins with @prefix; if none does, to its last line. */
void doctor_pick(char *text, const char *prefix);

/*
 * mbind(2), which libc does not have. libnuma has it, but examines the machine at each start of a
 * command. @nodes: shape [@bits], in bits. Return: 0; -1, with errno.
 */
long doctor_mbind(void *memory, size_t bytes, int mode, const unsigned long *nodes, size_t bits);

/* The checks of the other files, in this order. */
void doctor_module(struct doctor *doctor);
void doctor_device(struct doctor *doctor);
void doctor_card_in_qemu(struct doctor *doctor);
void doctor_run(struct doctor *doctor);
void doctor_nodes(struct doctor *doctor);
void doctor_sample(struct doctor *doctor);
void doctor_counters(struct doctor *doctor);

#endif /* TOOLS_DOCTOR_H */
