/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Process: reports the start of the traced process's code, the children of the process, and its
 * end.
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
 * @loading: so far, the loader has only mapped code that is not counted, and has not linked a
 *           library yet
 * @unnumbered: the process was forked when no number was free, so its private memory is not counted
 * @copying: the process was forked, and its memory was not reported yet
 * @marked: the preload library reports threads
 * @preloaded: the code of the preload library is mapped
 * @started: the preload library has reported the main thread's stack
 * @stacks: accesses to the stacks of threads are counted
 * @constants: accesses to constants are counted
 * @libc: accesses of all code are counted, including libc's
 * @work: instructions of code that is not counted also count as work
 * @program: number, in the stream, of the program that the process executes
 * @next: number of the program that the process will execute next; 0: a new number must be reserved
 * @number: number of the process in the stream. It is the number of the process's program or, in a
 *          forked copy, the number of the copy. Code has the same name in all copies of a program,
 *          so its addresses are reported with @program instead
 * @spawned: the process was created by vfork(2) or posix_spawn(3)
 * @refused: an execve(2) of the process has failed
 * @loaded: the process is included in the stream's number of processes
 * @ended: the end of the process was reported
 * @made: number of threads and processes that the process has created, or has tried to create, in
 *        this program
 * @interrupts: the program has set a signal handler without SA_RESTART
 * @status: status of the last exit(2)
 * @entry: address of the program's own first instruction, which runs after the loader's code
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
	bool spawned;
	bool refused;
	bool loaded;
	bool ended;
	_Atomic uint32_t made;
	_Atomic bool interrupts;
	uint64_t status;
	uint64_t entry;
};

extern struct process process;

/**
 * process_continues() - Continue with program @program as the thread of channel @channel, because
 * execve(2) has started this process.
 * @turns: see struct thread
 */
void process_continues(uint32_t program, uint32_t channel, uint32_t turns);

/**
 * process_number() - Reserve a number for a forked process.
 *
 * Return: the number; 0 if no number is free.
 */
uint32_t process_number(void);

/**
 * process_key() - Convert a key that the program's code has chosen to a key that is unique in the
 * run.
 *
 * The conversion is necessary because each program that a process executes numbers its threads from
 * 0.
 */
uint64_t process_key(uint64_t key);

/**
 * process_loaded() - Initialise the process. Call this function when the program is mapped and its
 * first block is being translated.
 * @first: address of this block
 *
 * Return: 0 or -errno after a message.
 */
int process_loaded(uint64_t first);

/**
 * process_begins() - Start counting, because code of the program or of its libraries starts.
 * @marked: the preload library reports threads
 */
void process_begins(bool marked);

/**
 * process_thread_begins() - Register the calling thread, which executes its first block. Return:
 * the thread.
 */
struct thread *process_thread_begins(void);

/**
 * process_forks() - Prepare for a system call that creates a child process. process_forked()
 * handles the result of this call, in the parent and in the child.
 * @thread: the thread that forks; in the child, the copy of this thread
 * @keyed: the preload library does not intercept the creation of the child, so the tracer assigns
 *         the child's key
 * @result: result of the system call: 0 in the child, the process id in the parent, or -errno
 */
void process_forks(struct thread *thread, bool keyed);
void process_forked(struct thread *thread, int64_t result);

/**
 * process_copied() - Report the memory of a forked process, whose first thread has begun.
 */
void process_copied(struct thread *thread);

/**
 * process_forking() - Check whether a thread of this process is about to fork. Before a fork, QEMU
 * stops all other threads.
 */
bool process_forking(void);

/**
 * process_thread_ends() - Report that the calling thread ends, while other threads of its process
 * continue.
 */
void process_thread_ends(void);

/**
 * process_executes() - Report that the calling thread is about to execute a program that is not
 * traced.
 * @path: address of the path in the program's memory
 *
 * Return: true if this was reported. If the system call then fails, the caller must call
 * process_stays().
 */
bool process_executes(struct thread *thread, const char *path);

/**
 * process_hands_over() - Report that the calling thread is about to continue in the traced program
 * @program. process_stays() reports that the system call has failed, so that the process continues
 * in its present program.
 */
void process_hands_over(struct thread *thread, const char *path, uint32_t program);
void process_stays(void);

/**
 * process_gone() - Report the end of the process. Only the calling thread may still run.
 */
void process_gone(void);

#endif /* RUN_TRACER_PROCESS_H */
