/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the program's process, and the processes that it starts.
 *
 * What lives here: its start, the moments of each process that is followed (it begins; it executes
 * a program; it is about to end, while its memory still exists; it has ended), and signals. May use
 * fork(2) and ptrace(2). Only the first thread of a process is followed, and it stops only at these
 * moments and for signals, so that all else runs at full speed.
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
 * struct process - The program that is sampled; all zero if there is none.
 * @pid: its process id
 * @go: end of the pipe on which it waits; -1: it does not wait
 * @report: end of the pipe from which the errno of its execve(2) is read; -1: closed
 * @children: the processes that it starts, and their descendants, are followed, too
 * @status: once it has ended, its exit status, as a shell would report it
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
	PROCESS_FORKS, /* it has started another process, and does not continue yet */
	PROCESS_BEGINS, /* it was started, and has not begun; or it continues after job control */
	PROCESS_EXECUTES, /* a new program is in its memory, and has not begun */
	PROCESS_ENDS, /* it is about to end; its memory still exists */
	PROCESS_ENDED,
};

/**
 * struct process_event - A moment of a process.
 * @pid: its process
 * @child: for PROCESS_FORKS, the process that it has started
 * @status: for PROCESS_ENDED, its status as in struct process
 */
struct process_event {
	enum process_moment moment;
	pid_t pid;
	pid_t child;
	int status;
};

/**
 * struct process_preload - The environment of the program.
 * @library: path of the library that is loaded into the program; NULL: none
 * @fd: descriptor, in this process, of the file of the log that the library writes, <sample/log.h>
 * @children: the processes that the program starts are followed, too, and write logs
 * @plan: descriptor of the plan that the library follows, <place/plan.h>; -1: none
 * @small_pages: the program gets no transparent huge pages
 */
struct process_preload {
	const char *library;
	int fd;
	bool children;
	int plan;
	bool small_pages;
};

/**
 * process_start() - Create a process that waits, and follow it.
 * @command: the command that it will execute
 * @signals: signals that are blocked in this process, and not in the new one
 * @preload: the environment of the program, and of programs that replace it
 *
 * Return: 0.
 * Errors: -errno; then the process does not exist.
 */
int process_start(struct process *process, char **command, const sigset_t *signals,
		  const struct process_preload *preload);

/**
 * process_go() - Let the process execute its command.
 *
 * Return: 0; the errno of its execve(2): then it has ended.
 */
int process_go(struct process *process);

/**
 * process_moment() - Get the next moment of a process that is followed, without waiting. At all
 * moments except PROCESS_ENDED the process stands still until process_continue().
 *
 * Return: the moment, with its details in @event; PROCESS_RUNS: nothing has happened.
 */
enum process_moment process_moment(struct process *process, struct process_event *event);

void process_continue(pid_t pid);

/**
 * process_follow() - Follow a process that is not followed: one of its threads that was not
 * followed has executed a program, and is its only thread now; or such a thread has started the
 * process.
 * @children: follow the processes that it starts, too
 *
 * Return: 1: it is followed now; 0: it was already followed.
 * Errors: -ESRCH: it has ended; another -errno: the system does not permit it.
 */
int process_follow(pid_t pid, bool children);

/* Request that a process stops, so that it can be left. */
void process_interrupt(pid_t pid);

/*
 * Stop following all processes, which continue. Do not wait for a process that does not stop in
 * time.
 */
void process_leave(void);

/* Get the process that has started a process; 0: not known. */
pid_t process_parent(pid_t pid);

/* Has the process not ended? A process of which only the status is left has ended. */
bool process_lives(pid_t pid);

/**
 * process_words() - Get the command line of its program: the program and its arguments.
 * @words: receives the words, ended by NULL, to be freed by one free(); NULL: not known
 */
void process_words(pid_t pid, char ***words);

/**
 * struct process_seen - Data that the kernel reports about a process.
 * @thread: a thread that still has the process's memory: the first thread may have ended before
 *          others
 * @children_ns: processor time of the processes that it has started, and has waited for, in steps
 *               of the kernel's clock tick, 10 ms
 */
struct process_seen {
	pid_t thread;
	uint64_t children_ns;
};

/* Read the data of a process. Return: whether it exists; otherwise @seen is unchanged. */
bool process_see(pid_t pid, struct process_seen *seen);

/* Get the path of the program in a process, or its name if the user may not read the path; "" if
 * neither is known. */
void process_program(pid_t pid, char path[PATH_MAX]);

/*
 * Get the inode number of the program's file, even if the file was renamed; 0 if it is not known.
 */
uint64_t process_file(pid_t pid);

/*
 * Get the root of the paths of its files: "", or a folder if it has other mounts than this process,
 * such as in a container.
 */
void process_root(pid_t pid, char root[64]);

/* Does the process have more than one thread now? */
bool process_has_several(pid_t pid);

/* Is the process another user's, and does this process not run as root? */
bool process_is_foreign(pid_t pid);

/* Does the program's file give it rights of its own (setuid, setgid, capabilities)? */
bool process_has_rights(pid_t pid);

/* End the process, if it has not ended, and wait for its end. */
void process_kill(struct process *process);

#endif /* RUN_SAMPLE_PROCESS_H */
