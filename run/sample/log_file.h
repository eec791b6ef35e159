/* SPDX-License-Identifier: MIT */
/*
 * run/sample: manages the file that contains the logs of the sampled processes.
 *
 * What lives here: functions that assign a log in the file to each process, and that make the log
 * available again when the process has ended. <sample/log.h> describes the file. This file may use
 * system calls. This code reads no entries of logs, and prints nothing.
 */
#ifndef RUN_SAMPLE_LOG_FILE_H
#define RUN_SAMPLE_LOG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sample/log.h>

/**
 * struct log_file - The log file. If there is no log file, @fd is -1 and @header is NULL.
 * @fd: descriptor of the file in this process
 * @header: the header that precedes the logs
 */
struct log_file {
	int fd;
	struct sample_log_file *header;
};

/**
 * log_file_make() - Create a file in which all logs are empty.
 * @node: numbers of nodes; shape [@nodes]. Thread t of the first process is bound to node @node[t %
 *        @nodes]
 * @nodes: number of entries of @node; 0: the threads are not bound
 * @children: each process may use a log, and finds the file through its environment; otherwise only
 *            the first process may use a log
 *
 * Return: 0 or -errno.
 */
int log_file_make(struct log_file *file, const uint8_t *node, unsigned nodes, bool children);

/* Assign the first log to the first process. */
void log_file_begin(struct log_file *file, pid_t pid);

/*
 * Map the log of a process. Return: the log, which the caller must unmap with log_file_unmap();
 * NULL if the process has no log so far.
 */
struct sample_log *log_file_find(const struct log_file *file, pid_t pid);
void log_file_unmap(struct sample_log *log);

/*
 * Make the log of a process available to another process. The process must have ended, and its log
 * must have been read.
 */
void log_file_return(struct log_file *file, pid_t pid);

/**
 * log_file_sweep() - Make the logs of all processes that have ended available again, except the
 * logs that the caller still has to read.
 * @known: returns whether the caller must still read the log of a process
 * @opaque: first argument of @known
 */
void log_file_sweep(struct log_file *file, bool (*known)(void *opaque, pid_t pid), void *opaque);

void log_file_free(struct log_file *file);

#endif /* RUN_SAMPLE_LOG_FILE_H */
