/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The traced process: the beginning of its code, its children, its end.
 */
#ifndef TRACER_PROCESS_H
#define TRACER_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/**
 * struct process - State of this process.
 * @counting: the program's own code has begun
 * @child: it was forked by a traced one: its private memory does not count
 * @marked: the preload library reports threads
 * @stacks: thread stacks count
 * @libc: all code counts
 * @work: instructions of code that does not count are work, too
 * @loaded: it is counted among those that are traced
 * @ended: its end is reported
 * @status: of the last exit(2)
 * @entry: first instruction of the program, as opposed to its loader
 */
struct process {
	_Atomic bool counting;
	bool child;
	bool marked;
	bool stacks;
	bool libc;
	bool work;
	bool loaded;
	bool ended;
	uint64_t status;
	uint64_t entry;
};

extern struct process process;

/**
 * process_loaded() - The program is mapped and its first block is being translated.
 *
 * Return: 0, or -errno after a message.
 */
int process_loaded(void);

/**
 * process_begins() - The program's own code begins.
 * @marked: as the preload library says
 */
void process_begins(bool marked);

/**
 * process_thread_begins() - The calling thread is seen for the first time. Return: it.
 */
struct thread *process_thread_begins(void);

/**
 * process_forks() - Is about to make a child. process_forked() - Has made one, or not.
 * @thread: the one that does; in the child, what it was in the parent
 * @keyed: the program's side does not know of it: the tracer gives it a key
 * @result: of the system call: 0 in the child, process id in the parent, -errno
 */
void process_forks(struct thread *thread, bool keyed);
void process_forked(struct thread *thread, int64_t result);

/**
 * process_thread_ends() - The calling thread ends, and others of its process do not.
 */
void process_thread_ends(void);

/**
 * process_executes() - The calling thread is about to become another program.
 * @path: in the program's memory
 *
 * Return: whether it was reported; process_stays() then takes that back if it comes to nothing.
 */
bool process_executes(struct thread *thread, const char *path);
void process_stays(void);

/**
 * process_gone() - At the process's end, which the calling thread makes: none executes any more.
 */
void process_gone(void);

#endif /* TRACER_PROCESS_H */
