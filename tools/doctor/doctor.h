/* SPDX-License-Identifier: MIT */
/*
 * smile doctor: the types and functions that the checks share.
 *
 * What lives here: the result of a check, the list of all checks, and the functions by which a
 * check reports its result. This file includes no other header of the project.
 *
 *	doctor.c  the command, the check for a card, and the output
 *	module.c  the kernel module: whether it is loaded, and the reason if it is not
 *	device.c  the device file, the version and features of the driver, and perf
 *	counters.c  the performance counters of the processors, for `smile stat`
 *	emulator.c  the parts that the emulated card in QEMU and `smile run` need
 *	trial.c   runs a program to check whether it works
 *	nodes.c   the NUMA nodes of this machine, for `smile place` and `smile sample`
 *	machine.c  writes a machine file for `smile run`, and prints the latencies of this machine
 *	latency_measurement.c  measures these latencies
 */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum check_state {
	CHECK_OK,
	CHECK_MISSING,
	CHECK_SKIPPED, /* cannot be checked until another check succeeds */
	CHECK_OPTIONAL, /* missing, but only some commands need it */
};

/**
 * struct check - The result of a check.
 * @name: name of the check
 * @state: whether the check has succeeded
 * @detail: the finding, as a text
 * @fix: the remedy; "" if none is needed
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
 * @device: device file of the first card; "" if there is no card
 * @card: the machine has a card
 * @module: the driver is loaded
 */
struct doctor {
	struct check checks[13];
	int count;
	char device[280];
	int card;
	int module;
};

/*
 * Describe this machine in a machine file at @path; if @path is NULL, write the machine file to
 * standard output. Return: an exit status.
 */
int doctor_machine(const char *path);

/*
 * Measure the latencies of reads between all pairs of nodes, and print them as a table. If @json is
 * set, print them as JSON.
 * @path: also write a machine file of this machine to this path; NULL: do not write it. Return: an
 *        exit status.
 */
int doctor_latency(const char *path, bool json);

/* Add a check to the list. */
struct check *doctor_check(struct doctor *doctor, const char *name, enum check_state state);

/* Set the text of the finding, or the text of the remedy. A second call replaces the text. */
__attribute__((format(printf, 2, 3))) void doctor_detail(struct check *check, const char *format,
							 ...);
__attribute__((format(printf, 2, 3))) void doctor_fix(struct check *check, const char *format, ...);

/*
 * The environment variable that names a directory in which the files of the system are searched,
 * instead of /.
 */
#define DOCTOR_ROOT "SMILE_DOCTOR_ROOT"

/*
 * Make the path of a system file. If DOCTOR_ROOT is set, the path is below the directory that it
 * names.
 */
__attribute__((format(printf, 2, 3))) void doctor_path(char path[PATH_MAX], const char *format,
						       ...);
/*
 * Read the first line of a system file, without its newline. If the file does not exist, return 0
 * and set @text to "".
 */
__attribute__((format(printf, 3, 4))) int doctor_line(char *text, size_t size, const char *format,
						      ...);

/*
 * Run a program from PATH for at most one minute, with @input on its standard input. @text:
 * receives the output of the program, truncated to @size. Return: the exit status of the program,
 * in a shell's form.
 */
int doctor_try(const char *const *arguments, const char *input, char *text, size_t size);

/*
 * Reduce a text to its first line that begins with @prefix. If there is no such line, reduce the
 * text to its last line.
 */
void doctor_pick(char *text, const char *prefix);

/*
 * Call mbind(2), for which libc has no function. libnuma has such a function, but a program that is
 * linked with libnuma examines the machine at each start. @nodes: shape [@bits], in bits. Return:
 * 0; -1 with errno.
 */
long doctor_mbind(void *memory, size_t bytes, int mode, const unsigned long *nodes, size_t bits);

/* The checks of the other files, in the order in which doctor.c makes them. */
void doctor_module(struct doctor *doctor);
void doctor_device(struct doctor *doctor);
void doctor_card_in_qemu(struct doctor *doctor);
void doctor_run(struct doctor *doctor);
void doctor_nodes(struct doctor *doctor);
void doctor_sample(struct doctor *doctor);
void doctor_counters(struct doctor *doctor);

#endif /* TOOLS_DOCTOR_H */
