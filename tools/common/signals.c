// SPDX-License-Identifier: MIT
/*
 * Signals: signal handlers that only note the signals that have arrived.
 */
#include "tools/common/signals.h"

#include <stdbool.h>
#include <string.h>

static volatile sig_atomic_t signals_caught;
static volatile sig_atomic_t terminate_caught;
static volatile sig_atomic_t interrupt_sent;
static volatile sig_atomic_t hangup_caught;
static volatile sig_atomic_t mark_caught;
static pid_t signals_guard;
static bool hangups_counted;

static void signal_count(int number, siginfo_t *info, void *context)
{
	/*
	 * If a process has sent the signal, the code in the signal's information is 0 or less. If
	 * the kernel has sent the signal for a terminal, the code is greater than 0.
	 */
	bool sent = info->si_code <= 0;

	if (sent && signals_guard && info->si_pid != signals_guard)
		return;
	if (number == SIGHUP)
		hangup_caught = 1;
	if (number != SIGHUP || hangups_counted)
		signals_caught++;
	if (number == SIGTERM)
		terminate_caught = 1;
	if (number == SIGINT && sent)
		interrupt_sent = 1;
}

/* The handler does nothing: a wait is interrupted because a handler is called. */
static void signal_wake(int number)
{
}

static void signals_set(void)
{
	struct sigaction action, hangup;

	/* Without SA_RESTART, a signal ends the wait for records. */
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = signal_count;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* If SIGHUP is ignored, as under nohup(1), keep it ignored. */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	/*
	 * SA_NOCLDSTOP: ignore that a command was stopped or continued, because the command has not
	 * ended. SA_RESTART: when a command ends, waits such as poll(2) and nanosleep(2) are
	 * interrupted, but writes are not. An interrupted write would lose the data in the buffer
	 * of stdio.
	 */
	action.sa_handler = signal_wake;
	action.sa_flags = SA_NOCLDSTOP | SA_RESTART;
	sigaction(SIGCHLD, &action, NULL);
}

void signals_catch(void)
{
	hangups_counted = true;
	signals_set();
}

static void signal_mark(int number)
{
	mark_caught = 1;
}

void signals_catch_mark(void)
{
	/* As for SIGCHLD, SA_RESTART lets the signal interrupt waits, but not writes. */
	struct sigaction action = {.sa_handler = signal_mark, .sa_flags = SA_RESTART};

	sigaction(SIGUSR1, &action, NULL);
}

int signals_mark(void)
{
	int mark = mark_caught;

	mark_caught = 0;
	return mark;
}

void signals_catch_guarded(pid_t guard)
{
	signals_guard = guard;
	signals_set();
}

void signals_hold(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	sigaddset(&held, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held, before);
}

void signals_release(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

int signals_count(void)
{
	return signals_caught;
}

int signals_terminate(void)
{
	int terminate = terminate_caught;

	terminate_caught = 0;
	return terminate;
}

void signals_pass_on(pid_t pid)
{
	if (signals_terminate())
		kill(pid, SIGTERM);
	if (signals_hangup())
		kill(pid, SIGHUP);
}

int signals_interrupt_sent(void)
{
	int sent = interrupt_sent;

	interrupt_sent = 0;
	return sent;
}

int signals_hangup(void)
{
	int hangup = hangup_caught;

	hangup_caught = 0;
	return hangup;
}
