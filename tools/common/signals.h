/* SPDX-License-Identifier: MIT */
/*
 * Signals: Ctrl-C must end a recording, not lose it.
 */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

/**
 * signals_catch() - From now on, SIGINT and SIGTERM are counted, and they and SIGCHLD interrupt
 * whatever waits.
 */
void signals_catch(void);

/**
 * signals_catch_guarded() - The same, and SIGHUP unless it is ignored. Of those that processes
 * send, the guard's count alone: see run/session/guard.c.
 */
void signals_catch_guarded(pid_t guard);

/**
 * signals_hold() - From now on, what signals_catch() catches waits.
 * @before: receives what signals_release() needs; NULL: not
 */
void signals_hold(sigset_t *before);

/**
 * signals_release() - Until here. What has waited is caught now.
 */
void signals_release(const sigset_t *before);

/**
 * signals_count() - SIGINT and SIGTERM so far.
 */
int signals_count(void);

/**
 * signals_terminate() - Has a SIGTERM come since the last call?
 */
int signals_terminate(void);

/**
 * signals_hangup() - Has a SIGHUP? Where it is caught.
 */
int signals_hangup(void);

/**
 * signals_interrupt_sent() - Has a process, not a terminal, sent SIGINT since the last call?
 *
 * A terminal sends it to a whole group of processes, a process to this one alone.
 */
int signals_interrupt_sent(void);

#endif /* TOOLS_COMMON_SIGNALS_H */
