/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the file of the logs that the sampled processes write.
 *
 * What lives here: the memory of <sample/log.h>, the assignment of logs to processes, and the
 * return of logs whose process has ended. May use system calls. It reads no entries, and prints
 * nothing.
 */
#ifndef RUN_SAMPLE_LOG_FILE_H
#define RUN_SAMPLE_LOG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sample/log.h>

/**
 * struct log_file - The file. If there is no file, all fields are zero, except @fd, which is -1.
 * @fd: its descriptor in this process
 * @header: the header in front of the logs
 */
struct log_file {
	int fd;
	struct sample_log_file *header;
};

/**
 * log_file_make() - Create a file of empty logs.
 * @node: nodes to which the first process's threads are bound in turn, shape [@nodes]
 * @nodes: number of entries of @node; 0: the threads are not bound
 * @children: each process that has the file in its environment may use a log; otherwise only the
 *            first process may
 *
 * Return: 0; -errno.
 */
int log_file_make(struct log_file *file, const uint8_t *node, unsigned nodes, bool children);

/* Assign the first log to the first process. */
void log_file_begin(struct log_file *file, pid_t pid);

/*
 * Map the log of a process, to be unmapped by log_file_unmap(); NULL: the process has no log, or
 * none yet.
 */
struct sample_log *log_file_find(const struct log_file *file, pid_t pid);
void log_file_unmap(struct sample_log *log);

/*
 * Return the log of a process that has ended, and whose log was read: another process may use it
 * now.
 */
void log_file_return(struct log_file *file, pid_t pid);

/**
 * log_file_sweep() - Return the logs of all processes that have ended, except the processes that
 * the caller still has.
 * @known: does the caller still have a process? Then it will still read the process's log.
 * @opaque: first argument of @known
 */
void log_file_sweep(struct log_file *file, bool (*known)(void *opaque, pid_t pid), void *opaque);

void log_file_free(struct log_file *file);

#endif /* RUN_SAMPLE_LOG_FILE_H */
