// SPDX-License-Identifier: MIT
/*
 * run/session: writes the files that describe the emulated machine to the program.
 *
 * What lives here: /sys/devices/system/node, /sys/devices/system/cpu, and /proc/cpuinfo of the
 * emulated machine, with one processor for each node. The files are in a directory that QEMU
 * searches first (option -L), so the program gets these files with any function that opens files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/session/session_inside.h"

#define FOLDER "smile-machine."

#define MEMORY_KB 16777216UL /* The size of a node's memory, as the files report it. */
#define DISTANCE_LOCAL 10 /* Distances as in the SLIT of ACPI. */
#define DISTANCE_REMOTE 20
#define DISTANCE_MOST 254

/**
 * struct files - The directory of the files, while the files are being written.
 * @path: path of the file that is being written
 * @root: length of the directory's path in bytes
 * @lock: descriptor whose lock shows that the directory is in use
 * @failed: a file could not be written
 */
struct files {
	char path[512];
	size_t root;
	int lock;
	bool failed;
};

/*
 * Create the directory whose path ends at @slash. If its parents do not exist, also create the
 * parents.
 */
static bool make_directory(struct files *files, char *slash)
{
	char *parent;
	bool made;

	*slash = '\0';
	made = !mkdir(files->path, 0755);
	if (!made && errno == ENOENT) {
		parent = strrchr(files->path, '/');
		made = parent > files->path + files->root && make_directory(files, parent) &&
		       !mkdir(files->path, 0755);
	}
	*slash = '/';
	return made;
}

static FILE *begin(struct files *files, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Begin to write a file in the directory. */
static FILE *begin(struct files *files, const char *format, ...)
{
	va_list arguments;
	FILE *file;

	va_start(arguments, format);
	vsnprintf(files->path + files->root, sizeof(files->path) - files->root, format, arguments);
	va_end(arguments);
	file = fopen(files->path, "we");
	if (!file && errno == ENOENT && make_directory(files, strrchr(files->path, '/')))
		file = fopen(files->path, "we");
	files->failed |= !file;
	return file;
}

static void end(struct files *files, FILE *file)
{
	if (file && (fclose(file) != 0))
		files->failed = true;
}

#define WRITE(files, path, ...)                                                                    \
	do {                                                                                       \
		FILE *file_ = begin path;                                                          \
		if (file_)                                                                         \
			fprintf(file_, __VA_ARGS__);                                               \
		end(files, file_);                                                                 \
	} while (0)

/* Write the numbers from 0 to @count - 1 in the kernel's format for lists. */
static void list_write(struct files *files, const char *path, unsigned int count)
{
	if (count == 1)
		WRITE(files, (files, "%s", path), "0\n");
	else
		WRITE(files, (files, "%s", path), "0-%u\n", count - 1);
}

/*
 * Write one of @count numbers in the kernel's format for masks: words of 32 bits, the highest word
 * first.
 */
static void mask_write(FILE *file, unsigned int one, unsigned int count)
{
	for (unsigned int word = (count + 31) / 32; word-- > 0;)
		fprintf(file, "%08x%c", one / 32 == word ? 1U << one % 32 : 0, word ? ',' : '\n');
}

/*
 * Get the distance between two nodes. If the distances between nodes are not all equal, they are
 * proportional to the cycles of reads.
 */
static unsigned int distance(const struct latency_model *latency, unsigned int node,
			     unsigned int other)
{
	uint64_t own = latency_cycles(latency, node, node, SMILE_TYPE_READ), cycles;

	if (node == other || !latency->pairs)
		return node == other ? DISTANCE_LOCAL : DISTANCE_REMOTE;
	cycles = latency_cycles(latency, node, other, SMILE_TYPE_READ);
	cycles = (cycles * DISTANCE_LOCAL + own / 2) / own;
	return cycles > DISTANCE_MOST ? DISTANCE_MOST : (unsigned int)cycles;
}

static void node_write(struct files *files, const struct latency_model *latency, unsigned int node,
		       unsigned int count)
{
	const char *folder = "/sys/devices/system/node/node";
	FILE *file;

	WRITE(files, (files, "%s%u/cpulist", folder, node), "%u\n", node);
	file = begin(files, "%s%u/cpumap", folder, node);
	if (file)
		mask_write(file, node, count);
	end(files, file);
	file = begin(files, "%s%u/distance", folder, node);
	for (unsigned int other = 0; file && other < count; other++)
		fprintf(file, "%u%c", distance(latency, node, other),
			other + 1 < count ? ' ' : '\n');
	end(files, file);
	WRITE(files, (files, "%s%u/meminfo", folder, node),
	      "Node %u MemTotal: %13lu kB\nNode %u MemFree: %14lu kB\nNode %u MemUsed: %14d kB\n",
	      node, MEMORY_KB, node, MEMORY_KB, node, 0);
	WRITE(files, (files, "%s%u/numastat", folder, node),
	      "numa_hit 0\nnuma_miss 0\nnuma_foreign 0\ninterleave_hit 0\nlocal_node 0\nother_node "
	      "0\n");
	WRITE(files, (files, "%s%u/cpu%u/online", folder, node, node), "1\n");
}

static void processor_write(struct files *files, unsigned int processor, unsigned int count)
{
	static const char *const lists[] = {"thread_siblings_list", "core_siblings_list",
					    "core_cpus_list", "package_cpus_list"};
	static const char *const masks[] = {"thread_siblings", "core_siblings", "core_cpus",
					    "package_cpus"};
	const char *folder = "/sys/devices/system/cpu/cpu";
	FILE *file;

	WRITE(files, (files, "%s%u/online", folder, processor), "1\n");
	WRITE(files, (files, "%s%u/node%u/cpulist", folder, processor, processor), "%u\n",
	      processor);
	WRITE(files, (files, "%s%u/topology/physical_package_id", folder, processor), "%u\n",
	      processor);
	WRITE(files, (files, "%s%u/topology/core_id", folder, processor), "0\n");
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		WRITE(files, (files, "%s%u/topology/%s", folder, processor, lists[i]), "%u\n",
		      processor);
		file = begin(files, "%s%u/topology/%s", folder, processor, masks[i]);
		if (file)
			mask_write(file, processor, count);
		end(files, file);
	}
}

/*
 * Write an entry for each processor. The entry is a copy of the host's entry for its first
 * processor, with the numbers of this processor.
 */
static void cpuinfo_write(struct files *files, unsigned int count)
{
	static const char *const own[] = {"processor", "physical id", "siblings",      "core id",
					  "cpu cores", "apicid",      "initial apicid"};
	FILE *host = fopen("/proc/cpuinfo", "re"), *file = begin(files, "/proc/cpuinfo");
	char *line = NULL;
	size_t room = 0;

	for (unsigned int p = 0; host && file && p < count; p++) {
		rewind(host);
		while (getline(&line, &room, host) > 1) {
			size_t name = strcspn(line, "\t:"), i;

			for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
				if (strlen(own[i]) == name && !strncmp(line, own[i], name))
					break;
			if (i == sizeof(own) / sizeof(own[0]))
				fputs(line, file);
			else
				fprintf(file, "%s\t%s: %u\n", own[i], name < 8 ? "\t" : "",
					i == 2 || i == 4 ? 1
					: i == 3	 ? 0
							 : p);
		}
		fputc('\n', file);
	}
	free(line);
	if (host)
		fclose(host);
	end(files, file);
}

static int file_remove(const char *path, const struct stat *status, int type, struct FTW *at)
{
	return remove(path);
}

static void folder_remove(const char *path)
{
	nftw(path, file_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/*
 * Lock a directory. The run that uses the directory holds the lock. A process that removes a
 * directory also holds the lock. Return: a descriptor that holds the lock; -EWOULDBLOCK if another
 * process holds it; -ENOENT if the directory was removed; another -errno.
 */
static int folder_hold(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat opened, there;
	int error = 0;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB))
		error = -errno;
	else if (fstat(fd, &opened) || lstat(path, &there) || opened.st_ino != there.st_ino ||
		 opened.st_dev != there.st_dev)
		error = -ENOENT;
	if (!error)
		return fd;
	close(fd);
	return error;
}

/* Remove the directories of runs that were killed. The locks of these directories are free. */
static void folders_sweep(const char *folder)
{
	DIR *all = opendir(folder);
	const struct dirent *one;
	struct stat status;
	char path[512];

	while (all && (one = readdir(all))) {
		int length = snprintf(path, sizeof(path), "%s/%s", folder, one->d_name), fd;

		if (strncmp(one->d_name, FOLDER, strlen(FOLDER)) != 0 ||
		    length >= (int)sizeof(path) || lstat(path, &status) ||
		    status.st_uid != geteuid())
			continue;
		fd = folder_hold(path);
		if (fd < 0)
			continue;
		folder_remove(path);
		close(fd);
	}
	if (all)
		closedir(all);
}

/* Create a directory in @folder. Return: true if the directory was created. */
static bool folder_make_in(struct files *files, const char *folder)
{
	do {
		files->root = (size_t)snprintf(files->path, sizeof(files->path),
					       "%s/" FOLDER "XXXXXX", folder);
		if (files->root >= sizeof(files->path) / 2 || !mkdtemp(files->path))
			return false;
		files->lock = folder_hold(files->path);
		/*
		 * In these two cases, another run has mistaken this directory for the directory of
		 * a killed run, because this run had not locked it yet.
		 */
	} while (files->lock == -EWOULDBLOCK || files->lock == -ENOENT);
	/*
	 * If the file system has no locks, no other run can lock the directory. For this reason, no
	 * other run removes it.
	 */
	return true;
}

/*
 * Create the directory of the files. If the user has not chosen a directory for temporary files, it
 * is in memory, because writing these files to a disk would take longer than the rest of the start.
 * Return: true if the directory was created.
 */
static bool folder_make(struct files *files)
{
	const char *temporary = getenv("TMPDIR");
	const char *const folders[] = {"/dev/shm", "/tmp"};
	const char *const *folder = folders, *const *end = folders + 2;

	if (temporary && *temporary) {
		folder = &temporary;
		end = folder + 1;
	}
	for (; folder < end; folder++) {
		folders_sweep(*folder);
		if (folder_make_in(files, *folder))
			return true;
	}
	return false;
}

/* Get the remedy for an error of the directory; "" if run_refusal() names the remedy. */
static const char *remedy(int error)
{
	return error == EMFILE || error == EFBIG ? "" : "; set TMPDIR to another folder";
}

int run_files_make(struct run *run)
{
	struct files files = {.lock = -1};

	if (!folder_make(&files))
		return run_error(-errno, "no folder for the machine's files: %s%s",
				 run_refusal(errno), remedy(errno));
	run->files = realpath(files.path, NULL);
	run->files_lock = files.lock;
	return run->files ? 0 : run_error(-ENOMEM, "no memory");
}

int run_files_write(struct run *run)
{
	static const char *const nodes[] = {"online", "possible", "has_cpu", "has_memory",
					    "has_normal_memory"};
	static const char *const processors[] = {"online", "possible", "present"};
	struct files files = {.lock = run->files_lock};
	unsigned int count = run->config.nodes;
	char path[64];

	files.root = (size_t)snprintf(files.path, sizeof(files.path), "%s", run->files);
	files.failed = files.root >= sizeof(files.path) / 2;
	for (size_t i = 0; !files.failed && i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/%s", nodes[i]);
		list_write(&files, path, count);
	}
	for (size_t i = 0; !files.failed && i < sizeof(processors) / sizeof(processors[0]); i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", processors[i]);
		list_write(&files, path, count);
	}
	for (unsigned int n = 0; !files.failed && n < count; n++) {
		node_write(&files, &run->config.latency, n, count);
		processor_write(&files, n, count);
	}
	if (!files.failed)
		cpuinfo_write(&files, count);
	if (!files.failed)
		return 0;
	return run_error(-EIO, "cannot write the machine's files: %s%s", run_refusal(errno),
			 remedy(errno));
}

void run_files_free(struct run *run)
{
	if (!run->files)
		return;
	folder_remove(run->files);
	if (run->files_lock >= 0)
		close(run->files_lock);
	free(run->files);
	run->files = NULL;
}
