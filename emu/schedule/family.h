/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Family: processes that a process has made, and the waits for any of them.
 *
 * What lives here: who waits for any child gets the one that ended first by the simulated clocks. A
 * child that executes another program ends when nobody can tell, so that while there is one the host
 * says which is first. It may use parts.h.
 */
#ifndef EMU_SCHEDULE_FAMILY_H
#define EMU_SCHEDULE_FAMILY_H

#include "thread.h"

/**
 * family_begin() - A thread begins: it may be the first of its process.
 */
void family_begin(struct thread *thread);

/**
 * family_end() - A thread ends, and with the last one its process.
 */
void family_end(struct schedule *schedule, struct thread *thread);

/**
 * family_execute() - A process executes another program.
 */
void family_execute(struct schedule *schedule, struct process *process);

/**
 * family_reap() - Somebody waits for this thread, and for its process if it is the first of one.
 */
void family_reap(struct thread *leader);

/**
 * family_wait() - A thread waits for any child of its process.
 *
 * Return: as control_replay().
 */
int family_wait(struct schedule *schedule, struct thread *thread);

#endif /* EMU_SCHEDULE_FAMILY_H */
