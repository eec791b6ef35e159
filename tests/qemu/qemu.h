/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: a QEMU without a guest.
 *
 * What lives here: starting and ending a QEMU, its qtest protocol, which reads and writes memory
 * and ports in place of a guest, and its monitor. The machine's firmware halts. Every failure ends
 * the test. May use only POSIX and Linux.
 */
#ifndef TESTS_QEMU_QEMU_H
#define TESTS_QEMU_QEMU_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/**
 * struct qemu - A running QEMU.
 * @pid: its process
 * @to: qtest, to QEMU
 * @from: and back
 * @monitor: QMP
 * @machine: answers and events of the monitor
 * @events: the events since the last command was given, as far as there is room
 */
struct qemu {
	pid_t pid;
	FILE *to;
	FILE *from;
	int monitor;
	FILE *machine;
	char events[4096];
};

/* Say once which QEMU to run, with which plug-in ("": none), and where tests may write. */
void qemu_set(const char *binary, const char *plugin, const char *scratch);

/* A path in the scratch directory, in memory of its own. */
char *qemu_path(const char *name);

/* Start on machine @type with further arguments, up to a NULL. Returns once the monitor answers. */
void qemu_start(struct qemu *qemu, const char *type, ...);

/*
 * What is waited for from here on, with an argument or NULL: said by qemu_late() if it does not
 * come. Commands say so by themselves.
 */
void qemu_waits(const char *what, const char *argument);

/* For SIGALRM: end the test, and say what has not come. */
void qemu_late(int signal);

/* For a child: be killed when the process @parent ends. */
void qemu_end_with(pid_t parent);

/* Ask it to end; it must do so in peace. */
void qemu_end(struct qemu *qemu);

/* It must end by itself, with an error. */
void qemu_end_refusing(struct qemu *qemu);

/* One qtest command. Return: what follows "OK ". */
const char *qemu_ask(struct qemu *qemu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* One monitor command, as JSON. Return: the answer's line. */
const char *qemu_monitor(struct qemu *qemu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Wait for an event that has come since the monitor's last command, or is still to come. */
void qemu_await(struct qemu *qemu, const char *event);

/* Guest memory and configuration space; @slot: plus 32 for each bus. */
uint32_t qemu_load(struct qemu *qemu, uint32_t address);
void qemu_store(struct qemu *qemu, uint32_t address, uint32_t value);
uint32_t qemu_pci_get(struct qemu *qemu, unsigned int slot, unsigned int offset);
void qemu_pci_put(struct qemu *qemu, unsigned int slot, unsigned int offset, uint32_t value);

/* End the test unless both are equal. */
void expect(const char *what, uint64_t found, uint64_t expected);

#endif /* TESTS_QEMU_QEMU_H */
