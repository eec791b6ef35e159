// SPDX-License-Identifier: MIT
/* run/sample: manages the file with the logs of the sampled processes. See log_file.h. */
#include "run/sample/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

int log_file_make(struct log_file *file, const uint8_t *node, unsigned nodes, bool children)
{
	void *memory;

	*file = (struct log_file){.fd = memfd_create(SAMPLE_LOG_FILE, MFD_CLOEXEC)};
	if (file->fd < 0)
		return -errno;
	/* The file is sparse. A log to which no process has written takes no memory. */
	if (ftruncate(file->fd, (off_t)SAMPLE_LOG_FILE_BYTES) < 0)
		return -errno;
	memory = mmap(NULL, sizeof(*file->header), PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	file->header = memory;
	file->header->magic = SAMPLE_LOG_MAGIC;
	file->header->bytes = SAMPLE_LOG_FILE_BYTES;
	file->header->nodes = nodes;
	file->header->children = children;
	for (unsigned i = 0; i < nodes; i++)
		file->header->node[i] = node[i];
	return 0;
}

void log_file_begin(struct log_file *file, pid_t pid)
{
	if (file->header)
		atomic_store(&file->header->process[0], (uint32_t)pid);
}

/*
 * Find the index of a process's log. Return: the index; SAMPLE_LOG_PROCESSES if the process has no
 * log.
 */
static unsigned index_of(const struct log_file *file, pid_t pid)
{
	unsigned i = 0;

	while (i < SAMPLE_LOG_PROCESSES &&
	       (!file->header || atomic_load(&file->header->process[i]) != (uint32_t)pid))
		i++;
	return i;
}

struct sample_log *log_file_find(const struct log_file *file, pid_t pid)
{
	unsigned index = index_of(file, pid);
	void *memory;

	if (index == SAMPLE_LOG_PROCESSES)
		return NULL;
	memory = mmap(NULL, sizeof(struct sample_log), PROT_READ | PROT_WRITE, MAP_SHARED, file->fd,
		      SAMPLE_LOG_AT(index));
	return memory == MAP_FAILED ? NULL : memory;
}

void log_file_unmap(struct sample_log *log)
{
	if (log)
		munmap(log, sizeof(*log));
}

/* Empty the log, and make it available to another process. */
static void give_back(struct log_file *file, unsigned index)
{
	if (fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, SAMPLE_LOG_AT(index),
		      sizeof(struct sample_log)) == 0)
		atomic_store(&file->header->process[index], 0);
}

void log_file_return(struct log_file *file, pid_t pid)
{
	unsigned index = index_of(file, pid);

	if (index < SAMPLE_LOG_PROCESSES)
		give_back(file, index);
}

void log_file_sweep(struct log_file *file, bool (*known)(void *opaque, pid_t pid), void *opaque)
{
	for (unsigned i = 0; i < SAMPLE_LOG_PROCESSES && file->header; i++) {
		pid_t pid = (pid_t)atomic_load(&file->header->process[i]);

		if (pid && !known(opaque, pid) && kill(pid, 0) < 0 && errno == ESRCH)
			give_back(file, i);
	}
}

void log_file_free(struct log_file *file)
{
	if (file->header)
		munmap(file->header, sizeof(*file->header));
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct log_file){.fd = -1};
}
