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
 * @from: qtest, from QEMU
 * @monitor: the socket of QMP
 * @machine: answers and events of the monitor
 * @events: the events since the last command was sent, as many as fit
 */
struct qemu {
	pid_t pid;
	FILE *to;
	FILE *from;
	int monitor;
	FILE *machine;
	char events[4096];
};

/* Set once which QEMU to run, with which plug-in ("": none), and the tests' scratch directory. */
void qemu_set(const char *binary, const char *plugin, const char *scratch);

/* Return: a path in the scratch directory, in newly allocated memory. */
char *qemu_path(const char *name);

/* Start on machine @type with further arguments, up to a NULL. Return once the monitor answers. */
void qemu_start(struct qemu *qemu, const char *type, ...);

/*
 * Name the event that the test waits for from here on, with an argument or NULL; qemu_late()
 * reports it if it does not occur. Commands set this name themselves.
 */
void qemu_waits(const char *what, const char *argument);

/* Handler of SIGALRM: end the test and report what the test waited for. */
void qemu_late(int signal);

/* In a child: request that the kernel kills it when the process @parent ends. */
void qemu_end_with(pid_t parent);

/* Ask QEMU to end; it must end without an error. */
void qemu_end(struct qemu *qemu);

/* QEMU must end by itself, with an error. */
void qemu_end_refusing(struct qemu *qemu);

/* Send one qtest command. Return: the text after "OK ". */
const char *qemu_ask(struct qemu *qemu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Send one monitor command, as JSON. Return: the line of the answer. */
const char *qemu_monitor(struct qemu *qemu, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Wait for an event that has occurred since the monitor's last command, or will occur. */
void qemu_await(struct qemu *qemu, const char *event);

/* Access guest memory and configuration space; @slot is the slot plus 32 for each bus. */
uint32_t qemu_load(struct qemu *qemu, uint32_t address);
void qemu_store(struct qemu *qemu, uint32_t address, uint32_t value);
uint32_t qemu_pci_get(struct qemu *qemu, unsigned int slot, unsigned int offset);
void qemu_pci_put(struct qemu *qemu, unsigned int slot, unsigned int offset, uint32_t value);

/* End the test unless both are equal. */
void expect(const char *what, uint64_t found, uint64_t expected);

#endif /* TESTS_QEMU_QEMU_H */
