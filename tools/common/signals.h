/* SPDX-License-Identifier: MIT */
/*
 * Signals: Ctrl-C must end a recording, not lose it.
 */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

/**
 * signals_catch() - From now on, SIGINT and SIGTERM are counted and interrupt every call that
 * waits. SIGCHLD interrupts only the calls that Linux never restarts: poll(2), nanosleep(2).
 */
void signals_catch(void);

/**
 * signals_catch_guarded() - Like signals_catch(), and also catch SIGHUP unless it is ignored. Of
 * the signals that processes send, only those from the guard count: see run/session/guard.c.
 */
void signals_catch_guarded(pid_t guard);

/**
 * signals_hold() - Block the signals that signals_catch() catches.
 * @before: receives the signal mask for signals_release(); may be NULL
 */
void signals_hold(sigset_t *before);

/**
 * signals_release() - Unblock the signals. Pending signals are caught now.
 */
void signals_release(const sigset_t *before);

/**
 * signals_count() - The number of SIGINT and SIGTERM so far.
 */
int signals_count(void);

/**
 * signals_catch_mark() - From now on, SIGUSR1 is caught: the user requests the end of a phase. It
 * interrupts the same calls as SIGCHLD.
 */
void signals_catch_mark(void);

/**
 * signals_mark() - Has a SIGUSR1 arrived since the last call?
 */
int signals_mark(void);

/**
 * signals_terminate() - Has a SIGTERM arrived since the last call?
 */
int signals_terminate(void);

/**
 * signals_hangup() - Has a SIGHUP arrived since the last call, if it is caught?
 */
int signals_hangup(void);

/**
 * signals_interrupt_sent() - Has a process, not a terminal, sent SIGINT since the last call?
 *
 * A terminal sends SIGINT to a whole group of processes; a process sends it to this process only.
 */
int signals_interrupt_sent(void);

#endif /* TOOLS_COMMON_SIGNALS_H */
