/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The traced process: the start of its code, its children, and its end.
 */
#ifndef RUN_TRACER_PROCESS_H
#define RUN_TRACER_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

/**
 * struct process - The state of this process.
 * @counting: code of the program or of its libraries has started
 * @loading: the loader maps code that is not counted, and has linked no library yet
 * @unnumbered: the process was forked when no number was left, so its private memory is not counted
 * @copying: the process was forked, and its memory has not been reported yet
 * @marked: the preload library reports threads
 * @preloaded: the preload library's code is mapped
 * @started: the preload library has reported the main thread's stack
 * @stacks: thread stacks are counted
 * @constants: constants are counted
 * @libc: all code is counted
 * @work: instructions of code that is not counted are work, too
 * @program: number, in the stream, of the program that the process executes
 * @next: the number of the program that it executes next; 0: a new number
 * @number: number of the process in the stream: the program's number, or the copy's. Code that has
 *          one name in all copies of a program has the number @program.
 * @loaded: the process is included in the stream's number of processes
 * @ended: its end has been reported
 * @made: number of threads and processes that it has created, or tried to create, in this program
 * @status: status of the last exit(2)
 * @entry: first instruction of the program itself, as opposed to its loader
 */
struct process {
	_Atomic bool counting;
	bool loading;
	bool unnumbered;
	bool copying;
	bool marked;
	bool preloaded;
	bool started;
	bool stacks;
	bool constants;
	bool libc;
	bool work;
	uint32_t program;
	uint32_t next;
	uint32_t number;
	bool loaded;
	bool ended;
	_Atomic uint32_t made;
	uint64_t status;
	uint64_t entry;
};

extern struct process process;

/**
 * process_continues() - This process continues with program @program, executed by the thread of
 * channel @channel.
 * @turns: see struct thread
 */
void process_continues(uint32_t program, uint32_t channel, uint32_t turns);

/**
 * process_number() - Reserve a number for a process. Return: the number; 0 if no number is left.
 */
uint32_t process_number(void);

/**
 * process_key() - Convert a key that the program's code has chosen into a unique one.
 *
 * A process that executes another program starts to count its threads from 0 again.
 */
uint64_t process_key(uint64_t key);

/**
 * process_loaded() - Initialise when the program is mapped and its first block is being translated.
 * @first: the block's address
 *
 * Return: 0, or -errno after a message.
 */
int process_loaded(uint64_t first);

/**
 * process_begins() - Start counting when code of the program or of its libraries starts.
 * @marked: the preload library reports threads
 */
void process_begins(bool marked);

/**
 * process_thread_begins() - Register the calling thread at its first block. Return: the thread.
 */
struct thread *process_thread_begins(void);

/**
 * process_forks() - Prepare for the creation of a child. process_forked() - Handle its success or
 * failure.
 * @thread: the thread that forks; in the child, its copy from the parent
 * @keyed: the preload library does not see the child, so the tracer assigns a key
 * @result: result of the system call: 0 in the child, process id in the parent, or -errno
 */
void process_forks(struct thread *thread, bool keyed);
void process_forked(struct thread *thread, int64_t result);

/**
 * process_copied() - Report the memory of a forked process, whose first thread has begun.
 */
void process_copied(struct thread *thread);

/**
 * process_forking() - Is a thread of this process forking? QEMU first stops all other threads.
 */
bool process_forking(void);

/**
 * process_thread_ends() - Handle the end of the calling thread while other threads of its process
 * continue.
 */
void process_thread_ends(void);

/**
 * process_executes() - Report that the calling thread is about to execute another program, which is
 * not traced.
 * @path: address of the path in the program's memory
 *
 * Return: whether this was reported. If the call then fails, process_stays() reports that.
 */
bool process_executes(struct thread *thread, const char *path);

/**
 * process_hands_over() - Report that the calling thread is about to continue in program @program.
 */
void process_hands_over(struct thread *thread, const char *path, uint32_t program);
void process_stays(void);

/**
 * process_gone() - Report the end of the process. Only the calling thread still runs.
 */
void process_gone(void);

#endif /* RUN_TRACER_PROCESS_H */
