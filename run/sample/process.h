/* SPDX-License-Identifier: MIT */
/*
 * run/sample: starts and follows the process of the program, and the processes that it starts.
 *
 * What lives here: functions that start the program, that report the moments at which a followed
 * process stops (see enum process_moment), and that pass on signals. This file may use fork(2) and
 * ptrace(2). Only the first thread of a process is followed. It stops only at these moments and for
 * signals. At all other times, the process runs at full speed.
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
 * struct process - The program that is sampled. If all members are 0, there is no program.
 * @pid: process id
 * @go: write end of the pipe on which the process waits before it executes the program; -1: the
 *      process does not wait
 * @report: read end of the pipe that reports the errno of the process's execve(2); -1: closed
 * @children: the processes that the program starts, and their descendants, are followed too
 * @status: exit status after the end of the process, as a shell would report it
 */
struct process {
	pid_t pid;
	int go;
	int report;
	bool children;
	int status;
};

enum process_moment {
	PROCESS_RUNS, /* no followed process has stopped */
	PROCESS_FORKS, /* the process has started another process, and is stopped */
	/* the process was just started, and is stopped; or job control has continued it */
	PROCESS_BEGINS,
	/* the process has loaded a new program, and has not executed its first instruction */
	PROCESS_EXECUTES,
	PROCESS_ENDS, /* the process is about to end, but its memory still exists */
	PROCESS_ENDED,
};

/**
 * struct process_event - A moment of a process, at which the process stops.
 * @moment: enum process_moment
 * @pid: the process
 * @child: for PROCESS_FORKS, the process that was started
 * @status: for PROCESS_ENDED, the status as in struct process
 */
struct process_event {
	enum process_moment moment;
	pid_t pid;
	pid_t child;
	int status;
};

/**
 * struct process_preload - The environment of the program.
 * @library: path of a library that is preloaded into the program; NULL: no library
 * @fd: descriptor, in this process, of the file with the logs that the library writes
 *      (<sample/log.h>)
 * @children: the processes that the program starts are followed too, and write logs
 * @plan: descriptor of the plan that the library applies (<place/plan.h>); -1: no plan
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
 * @signals: signals that are blocked in the calling process, but not in the new process
 * @preload: the environment of the program, and of the programs that it executes later
 *
 * Return: 0 if the process was created; otherwise an error. Errors: -errno. After an error, the
 * process does not exist.
 */
int process_start(struct process *process, char **command, const sigset_t *signals,
		  const struct process_preload *preload);

/**
 * process_go() - Let the process execute its command.
 *
 * Return: 0; otherwise the errno value of the process's execve(2). After an error, the process has
 * ended.
 */
int process_go(struct process *process);

/**
 * process_moment() - Get the next moment of a followed process, without waiting. At each moment
 * except PROCESS_ENDED, the process is stopped until process_continue() is called.
 * @event: receives the details of the moment
 *
 * Return: the moment; PROCESS_RUNS if no process has stopped.
 */
enum process_moment process_moment(struct process *process, struct process_event *event);

void process_continue(pid_t pid);

/**
 * process_follow() - Follow a process that is not followed. There are two such cases. First, a
 * thread of a followed process, other than its first thread, has executed a program, and is now the
 * only thread of the process. Second, such a thread has started the process.
 * @children: follow the processes that it starts, too
 *
 * Return: 1 if the process is followed from now on; 0 if it was already followed.
 * Errors: -ESRCH if the process has ended; another -errno if the system does not permit it.
 */
int process_follow(pid_t pid, bool children);

/* Request that a process stops, so that process_leave() can detach from it. */
void process_interrupt(pid_t pid);

/*
 * Detach from all processes, and let them continue. Do not wait for a process that does not stop in
 * time.
 */
void process_leave(void);

/* Get the parent of a process; 0 if the parent is not known. */
pid_t process_parent(pid_t pid);

/* Check whether the process still exists. A zombie process counts as ended. */
bool process_lives(pid_t pid);

/**
 * process_words() - Get the command line of a process: the program and its arguments.
 * @words: receives the words, ended by NULL; NULL if they are not known. The caller must free all
 *         words with one call of free()
 */
void process_words(pid_t pid, char ***words);

/**
 * struct process_seen - Data that the kernel reports about a process.
 * @thread: a thread that still has the memory of the process. Usually, this is the first thread. If
 *          the first thread has ended before other threads, it is one of the other threads
 * @children_ns: processor time of the processes that this process has started and waited for, in
 *               multiples of 10 ms, the kernel's clock tick
 */
struct process_seen {
	pid_t thread;
	uint64_t children_ns;
};

/*
 * Read the data of a process. Return: true; false if the process does not exist, in which case
 * @seen is unchanged.
 */
bool process_see(pid_t pid, struct process_seen *seen);

/*
 * Get the path of the program of a process. If the user may not read the path, get the name of the
 * program. If the name is not known either, get "".
 */
void process_program(pid_t pid, char path[PATH_MAX]);

/*
 * Get the inode number of the program's file; 0 if the number is not known. It stays the same if
 * the file is renamed.
 */
uint64_t process_file(pid_t pid);

/*
 * Get the prefix for the paths of the files of a process. Usually the prefix is "". If the process
 * has other mounts than the calling process, for example in a container, the prefix is the path of
 * its root directory.
 */
void process_root(pid_t pid, char root[64]);

/* Check whether the process has more than one thread at this moment. */
bool process_has_several(pid_t pid);

/*
 * Check whether the process belongs to another user while the calling process does not run as root.
 */
bool process_is_foreign(pid_t pid);

/*
 * Check whether the file of the process's program gives the process additional rights, by setuid,
 * setgid or capabilities.
 */
bool process_has_rights(pid_t pid);

/* If the process has not ended, kill it, and wait until it has ended. */
void process_kill(struct process *process);

#endif /* RUN_SAMPLE_PROCESS_H */
