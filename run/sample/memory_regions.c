// SPDX-License-Identifier: MIT
/* run/sample: finds the contents of the program's memory. See memory_regions.h. */
#include "run/sample/memory_regions.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/array.h>
#include <sample/log.h>

#define SEGMENTS_MAX 64
#define PAGE_MASK 0xfffULL
/* The name that the kernel gives to shared anonymous memory. */
#define SHARED_ANONYMOUS "/dev/zero" DELETED
#define DELETED " (deleted)" /* suffix that the kernel writes after the path of a deleted file */
/* Names of the files that `smile sample` itself maps into the program. */
#define LOG "/memfd:" SAMPLE_LOG_FILE
#define PLAN "/memfd:" PLAN_FILE

/**
 * struct line - A line of /proc/PID/maps.
 * @start: first address
 * @end: one past the last address
 * @offset: offset in the mapped file
 * @flags: flags of the mapping
 * @path: path of the mapped file; "" if no file is mapped
 */
struct line {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	char flags[8];
	char path[PATH_MAX];
};

/**
 * struct file - The ELF file of the last line that had a file.
 * @path: path of the file; "" if there was no file, or if it is not an ELF file
 * @segments: the segments that are loaded; shape [@count]
 * @count: number of segments
 * @bias: address in memory minus address in the file
 * @bss_end: end of the file's data without contents (bss); 0: the file has no such data
 * @known: the file was already read at an earlier line
 */
struct file {
	char path[PATH_MAX];
	Elf64_Phdr segments[SEGMENTS_MAX];
	size_t count;
	uint64_t bias;
	uint64_t bss_end;
	bool known;
};

static bool line_parse(const char *text, struct line *line)
{
	int at = 0;

	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &line->start,
		   &line->end, line->flags, &line->offset, &at) < 4 ||
	    !at || strlen(line->flags) < 4 || line->start >= line->end)
		return false;
	snprintf(line->path, sizeof(line->path), "%s", text + at);
	line->path[strcspn(line->path, "\n")] = '\0';
	return true;
}

/*
 * Read the loaded segments of the ELF file at @where. A file that is not an ELF file has no
 * segments.
 */
static void file_open(struct file *file, const char *path, const char *where)
{
	Elf64_Phdr segment;
	Elf64_Ehdr header;
	struct stat status;
	int fd;

	*file = (struct file){.count = 0};
	/*
	 * Open only regular files. Opening a device may have an effect, and a perf.data file may
	 * contain the name of any device.
	 */
	if (stat(where, &status) < 0 || !S_ISREG(status.st_mode))
		return;
	fd = open(where, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	if (pread(fd, &header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
	    !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_ident[EI_CLASS] == ELFCLASS64 &&
	    header.e_phentsize == sizeof(segment))
		for (unsigned i = 0; i < header.e_phnum && file->count < SEGMENTS_MAX; i++)
			if (pread(fd, &segment, sizeof(segment),
				  (off_t)(header.e_phoff + i * sizeof(segment))) ==
				    (ssize_t)sizeof(segment) &&
			    segment.p_type == PT_LOAD)
				file->segments[file->count++] = segment;
	close(fd);
	if (file->count)
		snprintf(file->path, sizeof(file->path), "%s", path);
}

/*
 * Find the segment that the line maps. From the segment, compute the bias of the file and the end
 * of the file's data.
 */
static void file_locate(struct file *file, const struct line *line)
{
	for (size_t i = 0; i < file->count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t first = segment->p_offset & ~PAGE_MASK;
		bool writable = line->flags[1] == 'w';

		if (line->offset < first || line->offset >= segment->p_offset + segment->p_filesz ||
		    writable != !!(segment->p_flags & PF_W))
			continue;
		file->bias = line->start - (line->offset - first) - (segment->p_vaddr & ~PAGE_MASK);
		file->bss_end = file->bias + segment->p_vaddr + segment->p_memsz;
		return;
	}
}

/*
 * If two regions are the same memory at different times, merge them. Return: true if they were
 * merged.
 */
static bool grows(struct Monitor_region *region, const struct Monitor_region *next)
{
	if (region->kind != next->kind || region->bias != next->bias ||
	    strcmp(region->name, next->name) || next->start > region->end ||
	    next->end < region->start)
		return false;
	/*
	 * Adjacent regions are different memory, with two exceptions: the heap, and the data of a
	 * file, of which a part has no contents (bss).
	 */
	if ((next->start == region->end || next->end == region->start) &&
	    next->kind != MONITOR_REGION_HEAP && next->kind != MONITOR_REGION_GLOBAL)
		return false;
	if (next->start < region->start) {
		region->start = next->start;
		region->offset = next->offset;
	}
	if (next->end > region->end)
		region->end = next->end;
	return true;
}

static int append(struct mapped *mapped, const struct Monitor_region *region)
{
	struct Monitor_region *added;

	if (array_reserve(&mapped->list, &mapped->size, mapped->count, sizeof(*added)) < 0)
		return -ENOMEM;
	added = &mapped->list[mapped->count];
	*added = *region;
	added->name = strdup(region->name);
	if (!added->name)
		return -ENOMEM;
	mapped->count++;
	return 0;
}

int mapped_add(struct mapped *mapped, const struct Monitor_region *region)
{
	for (size_t i = mapped->count; i-- > 0;)
		if (grows(&mapped->list[i], region))
			return 0;
	return append(mapped, region);
}

/*
 * Get the end of the file data that contains an address. If no file data contains the address, get
 * the address itself.
 */
static uint64_t data_end(const struct mapped *mapped, uint64_t address)
{
	for (size_t i = mapped->count; i-- > 0;)
		if (mapped->list[i].kind == MONITOR_REGION_GLOBAL &&
		    address >= mapped->list[i].start && address < mapped->list[i].end)
			return mapped->list[i].end;
	return address;
}

static int anonymous_add(struct mapped *mapped, const struct line *line, struct file *file,
			 uint64_t before)
{
	struct Monitor_region region = {
		.start = line->start,
		.end = line->end,
		.kind = line->flags[3] == 's' ? MONITOR_REGION_SHARED : MONITOR_REGION_PRIVATE,
		.name = "",
	};
	struct Monitor_region data = region;
	uint64_t end = (file->bss_end + PAGE_MASK) & ~PAGE_MASK;

	/* The data of a file without contents (bss) follows its writable data. */
	if (file->known && line->start == before)
		region.start = data_end(mapped, line->start);
	if (region.start >= region.end)
		return 0;
	if (!*file->path || line->start != before || end <= line->start)
		return mapped_add(mapped, &region);
	data.end = end < line->end ? end : line->end;
	data.kind = MONITOR_REGION_GLOBAL;
	data.bias = file->bias;
	data.name = file->path;
	region.start = data.end;
	file->bss_end = 0;
	if (mapped_add(mapped, &data) < 0)
		return -ENOMEM;
	return region.start < region.end ? mapped_add(mapped, &region) : 0;
}

static const struct Monitor_object *build_find(const struct mapped *mapped, const char *path)
{
	for (size_t i = 0; i < mapped->build_count; i++)
		if (!strcmp(mapped->builds[i].path, path))
			return &mapped->builds[i];
	return NULL;
}

/*
 * Read a file that is not the file of the last line. Read its build at once, because the file may
 * be replaced while the program runs.
 */
static int file_see(struct mapped *mapped, const char *path, struct file *file)
{
	char where[2 * PATH_MAX], build[MONITOR_BUILD_BYTES];

	snprintf(where, sizeof(where), "%s%s", mapped->root ? mapped->root : "", path);
	file_open(file, path, where);
	if (!mapped->root || !*file->path || build_find(mapped, path) ||
	    Monitor_object_build(where, build) < 0)
		return 0;
	return mapped_build_add(mapped, path, build);
}

/*
 * Check whether the file of this line was already read at the same address, for example for the
 * parent process. Such a file is not read a second time, because it may no longer exist, or may be
 * on a slow remote file system.
 */
static bool is_known(const struct mapped *mapped, const struct line *line)
{
	size_t length = strlen(line->path), suffix = strlen(DELETED);
	bool deleted = length >= suffix && !strcmp(line->path + length - suffix, DELETED);

	if (deleted)
		length -= suffix;
	for (size_t i = 0; i < mapped->count; i++) {
		const struct Monitor_region *region = &mapped->list[i];

		if (line->start >= region->start && line->end <= region->end &&
		    (deleted || line->start - region->start == line->offset - region->offset) &&
		    strlen(region->name) == length && !strncmp(region->name, line->path, length))
			return true;
	}
	return false;
}

static int file_add(struct mapped *mapped, const struct line *line, struct file *file)
{
	struct Monitor_region region = {
		.start = line->start,
		.end = line->end,
		.offset = line->offset,
		.kind = line->flags[3] == 's' ? MONITOR_REGION_SHARED : MONITOR_REGION_PRIVATE,
		.name = line->path,
	};

	if (is_known(mapped, line)) {
		*file = (struct file){.known = true};
		return 0;
	}
	file->known = false;
	if (strcmp(file->path, line->path) && file_see(mapped, line->path, file) < 0)
		return -ENOMEM;
	if (*file->path && line->flags[3] == 'p') {
		file_locate(file, line);
		region.kind = line->flags[1] == 'w' ? MONITOR_REGION_GLOBAL : MONITOR_REGION_CODE;
		region.bias = file->bias;
	}
	return mapped_add(mapped, &region);
}

/*
 * Add shared memory. Shared anonymous memory is added without a name, because smile-place.so finds
 * it without a name.
 */
static int shared_add(struct mapped *mapped, const struct line *line)
{
	const struct Monitor_region region = {
		.start = line->start,
		.end = line->end,
		.offset = line->offset,
		.kind = MONITOR_REGION_SHARED,
		.name = "",
	};

	return mapped_add(mapped, &region);
}

static int special_add(struct mapped *mapped, const struct line *line)
{
	bool heap = !strcmp(line->path, "[heap]"), stack = !strcmp(line->path, "[stack]");
	struct Monitor_region region = {
		.start = line->start,
		.end = line->end,
		.kind = heap	? MONITOR_REGION_HEAP
			: stack ? MONITOR_REGION_STACK
				: MONITOR_REGION_PRIVATE,
		.name = "",
	};

	/* All other names are names of pages of the kernel, such as [vdso]. */
	if (!heap && !stack && strncmp(line->path, "[anon", 5))
		return 0;
	return mapped_add(mapped, &region);
}

/*
 * Check whether the NUMA balancing of some kernel versions does not scan this memory. Linux 6.1
 * does not scan a mapping whose file has a policy for all processes. Such files are those of System
 * V segments, memfd_create(2), tmpfs and shared anonymous memory. Linux 6.12 scans such mappings.
 * No version scans pages of hugetlbfs.
 */
static bool is_unscanned(const struct line *line)
{
	static const char *const shared[] = {"/memfd:", "/SYSV", "/dev/shm/", "/dev/zero"};

	if (!strncmp(line->path, "/anon_hugepage", 14) || strstr(line->path, "hugepages/"))
		return true;
	if (line->flags[1] != 'w' || line->flags[3] != 's' ||
	    !strncmp(line->path, LOG, strlen(LOG)) || !strncmp(line->path, PLAN, strlen(PLAN)))
		return false;
	for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
		if (!strncmp(line->path, shared[i], strlen(shared[i])))
			return true;
	return false;
}

static int range_append(struct mapped *mapped, uint64_t start, uint64_t end)
{
	if (start >= end)
		return 0;
	if (array_reserve(&mapped->unscanned, &mapped->unscanned_size, mapped->unscanned_count,
			  sizeof(*mapped->unscanned)) < 0)
		return -ENOMEM;
	mapped->unscanned[mapped->unscanned_count++] =
		(struct mapped_range){.start = start, .end = end};
	return 0;
}

/*
 * Add a range of memory that some kernels do not scan. Ranges must not overlap, so the function
 * cuts earlier ranges. They can overlap because a part of the memory can receive a policy. The
 * kernel then lists the memory as several lines, and may scan the memory of one line, but not the
 * memory of the next line.
 */
static int unscanned_add(struct mapped *mapped, const struct line *line)
{
	int failed = 0;

	for (size_t i = mapped->unscanned_count; i-- > 0 && !failed;) {
		struct mapped_range cut = mapped->unscanned[i];

		if (cut.start >= line->end || cut.end <= line->start)
			continue;
		mapped->unscanned[i] = mapped->unscanned[--mapped->unscanned_count];
		failed = range_append(mapped, cut.start, line->start);
		if (!failed)
			failed = range_append(mapped, line->end, cut.end);
	}
	return failed ? failed : range_append(mapped, line->start, line->end);
}

void mapped_sampled(struct mapped *mapped, uint64_t address)
{
	for (size_t i = 0; i < mapped->unscanned_count; i++)
		if (address >= mapped->unscanned[i].start && address < mapped->unscanned[i].end)
			mapped->unscanned[i].sampled = true;
}

uint64_t mapped_unsampled(const struct mapped *mapped)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < mapped->unscanned_count; i++)
		if (!mapped->unscanned[i].sampled)
			bytes += mapped->unscanned[i].end - mapped->unscanned[i].start;
	return bytes < mapped->unscanned_bytes ? bytes : mapped->unscanned_bytes;
}

int mapped_read(struct mapped *mapped, FILE *maps)
{
	struct file *file = calloc(1, sizeof(*file));
	struct line *line = calloc(1, sizeof(*line));
	uint64_t before = 0, unscanned = 0;
	char *text = NULL;
	size_t size = 0;
	int failed = file && line ? 0 : -ENOMEM;

	while (!failed && getline(&text, &size, maps) > 0) {
		if (!line_parse(text, line))
			continue;
		if (line->flags[3] == 's' && !strcmp(line->path, SHARED_ANONYMOUS))
			failed = shared_add(mapped, line);
		else if (line->path[0] == '/')
			failed = file_add(mapped, line, file);
		else if (line->path[0])
			failed = special_add(mapped, line);
		else
			failed = anonymous_add(mapped, line, file, before);
		before = line->end;
		if (!is_unscanned(line))
			continue;
		unscanned += line->end - line->start;
		if (!failed)
			failed = unscanned_add(mapped, line);
	}
	if (unscanned > mapped->unscanned_bytes)
		mapped->unscanned_bytes = unscanned;
	free(text);
	free(file);
	free(line);
	return failed;
}

int mapped_build_add(struct mapped *mapped, const char *path, const char *build)
{
	struct Monitor_object added = {.path = strdup(path), .build = strdup(build)};

	if (!added.path || !added.build ||
	    array_reserve(&mapped->builds, &mapped->build_size, mapped->build_count,
			  sizeof(added)) < 0) {
		free((char *)added.path);
		free((char *)added.build);
		return -ENOMEM;
	}
	mapped->builds[mapped->build_count++] = added;
	return 0;
}

bool mapped_build(const struct mapped *mapped, const char *path, char build[MONITOR_BUILD_BYTES])
{
	const struct Monitor_object *known = build_find(mapped, path);

	if (known) {
		snprintf(build, MONITOR_BUILD_BYTES, "%s", known->build);
		return true;
	}
	return Monitor_object_build(path, build) == 0;
}

int mapped_fork(struct mapped *mapped, const struct mapped *parent)
{
	int failed = 0;

	*mapped = (struct mapped){0};
	for (size_t i = 0; i < parent->count && !failed; i++)
		failed = append(mapped, &parent->list[i]);
	for (size_t i = 0; i < parent->build_count && !failed; i++)
		failed = mapped_build_add(mapped, parent->builds[i].path, parent->builds[i].build);
	return failed;
}

bool mapped_have(const struct mapped *mapped, uint64_t address)
{
	for (size_t i = mapped->count; i-- > 0;)
		if (address >= mapped->list[i].start && address < mapped->list[i].end)
			return true;
	return false;
}

void mapped_free(struct mapped *mapped)
{
	for (size_t i = 0; i < mapped->count; i++)
		free((char *)mapped->list[i].name);
	free(mapped->list);
	for (size_t i = 0; i < mapped->build_count; i++) {
		free((char *)mapped->builds[i].path);
		free((char *)mapped->builds[i].build);
	}
	free(mapped->builds);
	free(mapped->unscanned);
	*mapped = (struct mapped){0};
}
