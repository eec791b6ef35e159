// SPDX-License-Identifier: MIT
/*
 * Signals: handlers that do nothing but count.
 */
#include "tools/signals.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t signals_caught;
static volatile sig_atomic_t terminate_caught;

static void signal_count(int number)
{
	signals_caught++;
	if (number == SIGTERM)
		terminate_caught = 1;
}

/* Being called is what interrupts the wait. */
static void signal_wake(int number)
{
}

void signals_catch(void)
{
	struct sigaction action;

	/* No SA_RESTART: a signal is to end the waiting for records. */
	memset(&action, 0, sizeof(action));
	action.sa_handler = signal_count;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* A command that is stopped and continued has not ended. */
	action.sa_handler = signal_wake;
	action.sa_flags = SA_NOCLDSTOP;
	sigaction(SIGCHLD, &action, NULL);
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
