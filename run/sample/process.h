/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the program's process, and those that it starts.
 *
 * What lives here: its start, the moments of each process that is followed (it begins; it executes
 * a program; it is about to end, while its memory still exists; it has ended), and signals. May use
 * fork(2) and ptrace(2). Only the first thread of a process is followed, and it stops only at these
 * moments and for signals: nothing else of it is slower.
 */
#ifndef RUN_SAMPLE_PROCESS_H
#define RUN_SAMPLE_PROCESS_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct process - The program that is sampled; all zero: none.
 * @pid: its number
 * @go: end of a pipe for which it waits; -1: it does not wait
 * @report: end of a pipe from which the errno of its execve(2) comes; -1: closed
 * @children: the processes that it starts, and those that they start, are followed, too
 * @status: once it has ended: its exit status, as a shell would give it
 */
struct process {
	pid_t pid;
	int go;
	int report;
	bool children;
	int status;
};

enum process_moment {
	PROCESS_RUNS, /* nothing has happened */
	PROCESS_FORKS, /* it has started another one, and does not go on yet */
	PROCESS_BEGINS, /* it was started, and has not begun; or it goes on after job control */
	PROCESS_EXECUTES, /* a program is in its memory, and has not begun */
	PROCESS_ENDS, /* its memory still exists */
	PROCESS_ENDED,
};

/**
 * struct process_event - A moment of a process.
 * @pid: which
 * @child: of PROCESS_FORKS: what it has started
 * @status: of PROCESS_ENDED: as that of struct process
 */
struct process_event {
	enum process_moment moment;
	pid_t pid;
	pid_t child;
	int status;
};

/**
 * struct process_preload - What the program gets.
 * @library: loaded into it: its path; NULL: none
 * @fd: of this process: the file of the log that the library writes, <sample/log.h>
 * @children: the processes that it starts are followed, too, and write logs
 * @plan: file of the plan that the library follows, <place/plan.h>; -1: none
 * @small_pages: no transparent huge pages
 */
struct process_preload {
	const char *library;
	int fd;
	bool children;
	int plan;
	bool small_pages;
};

/**
 * process_start() - Make a process that waits, and follow it.
 * @command: what it is to execute
 * @signals: to be blocked in this process, and not in that one
 * @preload: for the program, and for programs that it executes in its place
 *
 * Return: 0.
 * Errors: -errno; it does not exist then.
 */
int process_start(struct process *process, char **command, const sigset_t *signals,
		  const struct process_preload *preload);

/**
 * process_go() - Let it execute its command.
 *
 * Return: 0; the errno of its execve(2): it has ended then.
 */
int process_go(struct process *process);

/**
 * process_moment() - What has happened next to a process that is followed; does not wait. At all
 * moments but PROCESS_ENDED that process stands still until process_continue().
 *
 * Return: its moment, as @event has it; PROCESS_RUNS: nothing has happened.
 */
enum process_moment process_moment(struct process *process, struct process_event *event);

void process_continue(pid_t pid);

/**
 * process_follow() - Follow a process that is not followed: one of its threads that was not
 * followed has executed a program, and is its only thread now; or such a thread has started it.
 * @children: follow what it starts, too
 *
 * Return: 1: it is followed now; 0: this process follows it already.
 * Errors: -ESRCH: it has ended; another -errno: the system does not permit it.
 */
int process_follow(pid_t pid, bool children);

/* Have a process stop, so that it can be left. */
void process_interrupt(pid_t pid);

/* Follow no process any more: they go on. Does not wait for one that does not stop at once. */
void process_leave(void);

/* The process that has started it, by its number; 0: that cannot be told. */
pid_t process_parent(pid_t pid);

/* Has it not ended? A process of which only the status is left has. */
bool process_lives(pid_t pid);

/**
 * process_words() - What its program was started with: the program and its arguments.
 * @words: receives them, ended by NULL, to be freed by one free(); NULL: they cannot be told
 */
void process_words(pid_t pid, char ***words);

/**
 * struct process_seen - What the kernel says of a process.
 * @thread: a thread that still has the process's memory: the first thread may have ended before
 *          others
 * @children_ns: processor time of the processes that it has started, and has waited for; in steps
 *               of the kernel's clock tick, 10 ms
 */
struct process_seen {
	pid_t thread;
	uint64_t children_ns;
};

/* Look at a process. Return: whether it is there; @seen is untouched if not. */
bool process_see(pid_t pid, struct process_seen *seen);

/* The program in a process, or its name if the user may not look; "" if that cannot be told. */
void process_program(pid_t pid, char path[PATH_MAX]);

/* The number of the program's file, whatever it is called by now; 0 if that cannot be told. */
uint64_t process_file(pid_t pid);

/*
 * The root of the paths of its files: "", or a folder, if it has other mounts than this process, as
 * in a container.
 */
void process_root(pid_t pid, char root[64]);

/* Does it have more than one thread now? */
bool process_has_several(pid_t pid);

/* Is it another user's, and this one not root? */
bool process_is_foreign(pid_t pid);

/* Does the program's file give it rights of its own (setuid, setgid, capabilities)? */
bool process_has_rights(pid_t pid);

/* End it, if it has not ended, and wait for that. */
void process_kill(struct process *process);

#endif /* RUN_SAMPLE_PROCESS_H */
