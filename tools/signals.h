/* SPDX-License-Identifier: MIT */
/*
 * Signals: Ctrl-C must end a recording, not lose it.
 */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

/**
 * signals_catch() - From now on, SIGINT and SIGTERM are counted, and they and SIGCHLD interrupt
 * whatever waits.
 */
void signals_catch(void);

/**
 * signals_count() - SIGINT and SIGTERM so far.
 */
int signals_count(void);

/**
 * signals_terminate() - Has a SIGTERM come since the last call?
 */
int signals_terminate(void);

/**
 * signals_interrupt_sent() - Has a process, not a terminal, sent SIGINT since the last call?
 *
 * A terminal sends it to a whole group of processes, a process to this one alone.
 */
int signals_interrupt_sent(void);

#endif /* TOOLS_SIGNALS_H */
