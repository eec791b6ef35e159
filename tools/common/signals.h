/* SPDX-License-Identifier: MIT */
/*
 * Signals: end a recording in an orderly way after Ctrl-C, so that the recording is not lost.
 */
#ifndef TOOLS_COMMON_SIGNALS_H
#define TOOLS_COMMON_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

/**
 * signals_catch() - From now on, count SIGINT, SIGTERM and SIGHUP; if SIGHUP is ignored, as under
 * nohup(1), it stays ignored. These signals interrupt every call that waits. SIGCHLD interrupts
 * only the calls that Linux never restarts, such as poll(2) and nanosleep(2).
 */
void signals_catch(void);

/**
 * signals_catch_guarded() - Like signals_catch(), but do not count SIGHUP: only signals_hangup()
 * returns it. A signal that a process has sent is caught only if the sender is the guard: see
 * run/session/guard.c. If @guard is 0, it is caught from any process.
 */
void signals_catch_guarded(pid_t guard);

/**
 * signals_hold() - Block the signals that signals_catch() catches.
 * @before: receives the signal mask for signals_release(); may be NULL
 */
void signals_hold(sigset_t *before);

/**
 * signals_release() - Unblock the signals that signals_catch() catches. Pending signals are caught
 * now.
 */
void signals_release(const sigset_t *before);

/**
 * signals_count() - Get the number of counted signals that have arrived so far.
 */
int signals_count(void);

/**
 * signals_catch_mark() - From now on, catch SIGUSR1, which requests the end of a phase. SIGUSR1
 * interrupts the same calls as SIGCHLD.
 */
void signals_catch_mark(void);

/**
 * signals_mark() - Check whether SIGUSR1 has arrived since the last call of this function.
 */
int signals_mark(void);

/**
 * signals_terminate() - Check whether SIGTERM has arrived since the last call of this function.
 */
int signals_terminate(void);

/**
 * signals_hangup() - Check whether SIGHUP is caught and has arrived since the last call of this
 * function.
 */
int signals_hangup(void);

/**
 * signals_pass_on() - Send a process each of SIGTERM and SIGHUP that has arrived since the last
 * call of this function.
 */
void signals_pass_on(pid_t pid);

/**
 * signals_interrupt_sent() - Check whether a process has sent SIGINT since the last call of this
 * function. SIGINT from a terminal does not count.
 *
 * A terminal sends SIGINT to a whole process group. Another process usually sends SIGINT only to
 * this process.
 */
int signals_interrupt_sent(void);

#endif /* TOOLS_COMMON_SIGNALS_H */
