/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the file of the logs that the sampled processes write.
 *
 * What lives here: the memory of <sample/log.h>, which process has which log, and the return of
 * logs whose process has ended. May use system calls. It reads no entries, and prints nothing.
 */
#ifndef RUN_SAMPLE_LOG_FILE_H
#define RUN_SAMPLE_LOG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sample/log.h>

/**
 * struct log_file - The file. All zero, with @fd -1: there is none.
 * @fd: its number in this process
 * @header: what is in front of the logs
 */
struct log_file {
	int fd;
	struct sample_log_file *header;
};

/**
 * log_file_make() - Make a file of empty logs.
 * @node: nodes to which the first process' threads are to be bound in turn, shape [@nodes]
 * @nodes: 0: they are not bound
 * @children: each process that has the file in its environment may take a log; else the first one
 *
 * Return: 0; -errno.
 */
int log_file_make(struct log_file *file, const uint8_t *node, unsigned nodes, bool children);

/* The first process has the first log. */
void log_file_begin(struct log_file *file, pid_t pid);

/* The log of a process, mapped, to be unmapped by log_file_unmap(); NULL: it has none (yet). */
struct sample_log *log_file_find(const struct log_file *file, pid_t pid);
void log_file_unmap(struct sample_log *log);

/* A process has ended, and what it has logged was read: another one may have its log. */
void log_file_return(struct log_file *file, pid_t pid);

/**
 * log_file_sweep() - The same for all processes that have ended, and that the caller does not know.
 * @known: does the caller know a process? Then it still reads its log.
 * @opaque: for @known
 */
void log_file_sweep(struct log_file *file, bool (*known)(void *opaque, pid_t pid), void *opaque);

void log_file_free(struct log_file *file);

#endif /* RUN_SAMPLE_LOG_FILE_H */
