/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Objects. See objects.h. This file may read the files of objects and /proc/self/maps. */
#include "run/tracer/objects.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/tracer/mappings.h"
#include "run/tracer/message.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/process.h"
#include "run/tracer/qemu_plugin.h"
#include "run/tracer/unwind.h"

#define HEADERS_MAX 128U
#define NAMES_MAX 65536U
/* QEMU maps pages for its own use after the loader, at most at this distance from the loader. */
#define EMULATOR_ROOM (1UL << 20)

struct address_ranges objects_excluded;
struct address_ranges objects_text;
struct address_ranges objects_data;
struct address_ranges objects_linked;
struct address_ranges objects_linkage;
static uint64_t loader_start, loader_end, loader_last, preload_start, preload_end;

/**
 * struct object - The headers of an ELF file.
 * @header: the ELF header
 * @segments: the program headers; shape [HEADERS_MAX], of which the first @header.e_phnum are used
 */
struct object {
	Elf64_Ehdr header;
	Elf64_Phdr segments[HEADERS_MAX];
};

static bool read_at(int fd, void *buffer, size_t bytes, uint64_t offset)
{
	return pread(fd, buffer, bytes, (off_t)offset) == (ssize_t)bytes;
}

static int object_read(int fd, struct object *object)
{
	Elf64_Ehdr *h = &object->header;

	if (!read_at(fd, h, sizeof(*h), 0) || memcmp(h->e_ident, ELFMAG, SELFMAG) ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_phentsize != sizeof(Elf64_Phdr) ||
	    h->e_phnum > HEADERS_MAX)
		return -EINVAL;
	if (!read_at(fd, object->segments, h->e_phnum * sizeof(Elf64_Phdr), h->e_phoff))
		return -EINVAL;
	return 0;
}

/* Find the segment with one of the @flags that is mapped from @offset in the file. */
static const Elf64_Phdr *object_segment(const struct object *object, uint64_t offset,
					uint32_t flags)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++, p++) {
		if (p->p_type == PT_LOAD && page_down(p->p_offset) == offset &&
		    (p->p_flags & flags))
			return p;
	}
	return NULL;
}

/* Get the bias of an object whose first segment is mapped at @base. */
static uint64_t object_bias(const struct object *object, uint64_t base)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++, p++) {
		if (p->p_type == PT_LOAD)
			return base - page_down(p->p_vaddr);
	}
	return base;
}

/*
 * Find the code segment whose start is in memory from @start to before @end. The offset in the file
 * is not sufficient, because a linker can put two segments into one page of the file.
 */
static const Elf64_Phdr *object_code(const struct object *object, uint64_t bias, uint64_t start,
				     uint64_t end)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++, p++) {
		if (p->p_type == PT_LOAD && (p->p_flags & PF_X) &&
		    bias + page_down(p->p_vaddr) >= start && bias + page_down(p->p_vaddr) < end)
			return p;
	}
	return NULL;
}

/*
 * Record the unwind information of an object. This information is in a separate segment, or in the
 * segment of the code.
 */
static void object_unwind(const struct object *object, uint64_t bias, uint64_t start, uint64_t end)
{
	const Elf64_Phdr *p = object->segments, *header = NULL;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++) {
		if (p[i].p_type == PT_GNU_EH_FRAME)
			header = &p[i];
	}
	for (i = 0; header && i < object->header.e_phnum; i++, p++) {
		if (p->p_type == PT_LOAD && p->p_vaddr <= header->p_vaddr &&
		    header->p_vaddr - p->p_vaddr < p->p_filesz) {
			unwind_add(start, end, bias + header->p_vaddr, bias + p->p_vaddr,
				   bias + p->p_vaddr + p->p_filesz);
			break;
		}
	}
}

/*
 * Get the offset in the file of the byte that has @address in the headers. Return: the offset; 0 if
 * the file does not have this byte.
 */
static uint64_t object_offset(const struct object *object, uint64_t address)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++, p++) {
		if (p->p_type == PT_LOAD && address >= p->p_vaddr &&
		    address - p->p_vaddr < p->p_filesz)
			return p->p_offset + (address - p->p_vaddr);
	}
	return 0;
}

/*
 * Read the name by which programs are linked to a library (DT_SONAME). If it has none, the name is
 * "".
 */
static void object_name(int fd, const struct object *object, char *name, size_t bytes)
{
	uint64_t strings = 0, at = 0, offset, end;
	const Elf64_Phdr *p = object->segments;
	Elf64_Dyn entry = {.d_tag = DT_DEBUG};
	unsigned int i;
	ssize_t got;

	name[0] = '\0';
	for (i = 0; i < object->header.e_phnum && p->p_type != PT_DYNAMIC; i++)
		p++;
	if (i == object->header.e_phnum)
		return;
	end = p->p_offset + p->p_filesz;
	for (offset = p->p_offset; offset < end && entry.d_tag != DT_NULL;
	     offset += sizeof(entry)) {
		if (!read_at(fd, &entry, sizeof(entry), offset))
			return;
		if (entry.d_tag == DT_STRTAB)
			strings = object_offset(object, entry.d_un.d_ptr);
		else if (entry.d_tag == DT_SONAME)
			at = entry.d_un.d_val;
	}
	if (!strings || !at)
		return;
	got = pread(fd, name, bytes - 1, (off_t)(strings + at));
	name[got < 0 ? 0 : got] = '\0';
}

/*
 * Check whether the accesses of an object's code are counted. They are counted for all objects
 * except the C library, its loader, libgomp and the preload library. These objects are recognised
 * by DT_SONAME, and not by the path, because a user's file can have any path.
 */
static bool objects_counts(int fd, bool *preload)
{
	static const char *const names[] = {
		"libc.so.6",  "ld-linux-x86-64.so.2", "libpthread.so.0",
		"libdl.so.2", "librt.so.1",	      "libgomp.so.1",
	};
	struct object object;
	char name[64];
	size_t i;

	*preload = false;
	if (object_read(fd, &object) < 0)
		return true;
	object_name(fd, &object, name, sizeof(name));
	*preload = !strcmp(name, OBJECTS_PRELOAD);
	if (*preload)
		return false;
	if (process.libc)
		return true;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return false;
	}
	return true;
}

static void exclude(uint64_t start, uint64_t end)
{
	if (start < end && address_ranges_add(&objects_excluded, start, end, 0) < 0)
		message("there are more than %u ranges of code that is not counted: the code in "
			"further ranges is counted",
			ADDRESS_RANGES_MAX);
}

static void exclude_sections(int fd, const struct object *object, uint64_t bias, bool counts,
			     uint64_t start, uint64_t end)
{
	const Elf64_Ehdr *h = &object->header;
	char *names = calloc(1, NAMES_MAX);
	Elf64_Shdr section, strings;
	unsigned int i;
	const char *name;
	size_t bytes;
	uint64_t from, to;

	if (!names || h->e_shentsize != sizeof(section) || h->e_shstrndx >= h->e_shnum ||
	    !read_at(fd, &strings, sizeof(strings), h->e_shoff + h->e_shstrndx * sizeof(section)))
		goto whole;
	bytes = strings.sh_size < NAMES_MAX - 1 ? strings.sh_size : NAMES_MAX - 1;
	if (!read_at(fd, names, bytes, strings.sh_offset))
		goto whole;
	for (i = 0; i < h->e_shnum; i++) {
		if (!read_at(fd, &section, sizeof(section), h->e_shoff + i * sizeof(section)))
			break;
		if (section.sh_name >= bytes || !(section.sh_flags & SHF_EXECINSTR))
			continue;
		name = names + section.sh_name;
		from = section.sh_addr + bias;
		to = from + section.sh_size;
		if (counts && !process.constants && !strncmp(name, ".plt", 4)) {
			address_ranges_add(&objects_linkage, from, to, 0);
		} else if (!counts && !strcmp(name, OBJECTS_COUNTED_SECTION) && from > start &&
			   to < end) {
			exclude(start, from);
			start = to;
		}
	}
whole:
	free(names);
	if (!counts)
		exclude(start, end);
}

/* Get the addresses of an object, and record which data the loader will make read-only. */
static void object_place(const struct object *object, uint64_t bias, struct object_place *place)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	*place = (struct object_place){.bias = bias, .start = UINT64_MAX};
	for (i = 0; i < object->header.e_phnum; i++, p++) {
		uint64_t first = page_down(bias + p->p_vaddr);

		if (p->p_type == PT_GNU_RELRO)
			address_ranges_add(&objects_linked, first,
					   page_down(bias + p->p_vaddr + p->p_memsz), 0);
		if (p->p_type != PT_LOAD)
			continue;
		if (first < place->start)
			place->start = first;
		if (page_up(bias + p->p_vaddr + p->p_memsz) > place->end)
			place->end = page_up(bias + p->p_vaddr + p->p_memsz);
	}
}

int objects_code(int fd, uint64_t start, uint64_t end, uint64_t offset, struct object_place *place)
{
	struct object object;
	const Elf64_Phdr *segment;
	int err = object_read(fd, &object);
	bool preload;

	if (err < 0)
		return err;
	segment = object_segment(&object, offset, PF_X);
	if (!segment)
		return -EINVAL;
	object_place(&object, start - page_down(segment->p_vaddr), place);
	/*
	 * If the list is full, the only effect is that accesses to this object's constants cost a
	 * look-up.
	 */
	address_ranges_add(&objects_text, start, end, 0);
	place->counts = objects_counts(fd, &preload);
	place->preload = preload;
	if (place->counts)
		process.loading = false;
	if (preload) {
		process.preloaded = true;
		preload_start = start;
		preload_end = end;
	}
	object_unwind(&object, place->bias, start, end);
	exclude_sections(fd, &object, place->bias, place->counts, start, end);
	return 0;
}

/*
 * The files whose code is mapped. If a file is mapped again, its new mapping replaces the previous
 * one.
 */
static struct {
	uint64_t device;
	uint64_t inode;
	struct object_place place;
} files[ADDRESS_RANGES_MAX];
static _Atomic uint32_t file_count;

void objects_note(uint64_t device, uint64_t inode, const struct object_place *place)
{
	uint32_t count = file_count;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (files[i].device == device && files[i].inode == inode)
			break;
	}
	if (i == ADDRESS_RANGES_MAX)
		return;
	files[i].device = device;
	files[i].inode = inode;
	files[i].place = *place;
	if (i == count)
		file_count = count + 1;
}

bool objects_find(uint64_t device, uint64_t inode, struct object_place *place)
{
	uint32_t count = file_count;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (files[i].device == device && files[i].inode == inode) {
			*place = files[i].place;
			return true;
		}
	}
	return false;
}

/* struct line - A line of /proc/self/maps. */
struct line {
	uint64_t base; /* address of the first mapping of the file */
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	bool executable;
	char path[PATH_MAX];
};

/* struct headers - The headers of the file that was read last. */
struct headers {
	char path[PATH_MAX];
	bool read; /* the file is an ELF object */
	struct object object;
};

/*
 * The kernel writes a newline in a path as "\\012", but does not mark a backslash. If no file has
 * the path as it is written, convert it back.
 */
static void path_convert(char *path)
{
	static const char newline[] = "\\012";
	char *at = strstr(path, newline);

	if (!at || !access(path, F_OK))
		return;
	for (; at; at = strstr(at, newline)) {
		*at++ = '\n';
		memmove(at, at + strlen(newline) - 1, strlen(at + strlen(newline) - 1) + 1);
	}
}

static bool line_parse(const char *text, struct line *line)
{
	char permissions[8];
	int at = 0;

	line->path[0] = '\0';
	if (sscanf(text, "%lx-%lx %7s %lx %*s %*s %n", &line->start, &line->end, permissions,
		   &line->offset, &at) < 4 ||
	    !at)
		return false;
	line->executable = strchr(permissions, 'x') != NULL;
	snprintf(line->path, sizeof(line->path), "%s", text + at);
	line->path[strcspn(line->path, "\n")] = '\0';
	path_convert(line->path);
	return true;
}

static void program_data(const struct object *object, uint64_t bias, struct mapping *m)
{
	const Elf64_Phdr *p = object->segments;
	unsigned int i;

	for (i = 0; i < object->header.e_phnum; i++, p++) {
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		m->start = page_down(bias + p->p_vaddr);
		m->end = page_up(bias + p->p_vaddr + p->p_memsz);
		m->offset = page_down(p->p_offset);
		m->kind = STREAM_REGION_GLOBAL;
		address_ranges_add(&objects_data, m->start, m->end, 0);
		mappings_add(NULL, m);
	}
}

/*
 * Check whether the code of an object starts in this mapping. QEMU maps the program's code without
 * execute permission, so the kernel may merge it with adjacent read-only data. QEMU's own code is
 * executable.
 */
static bool line_has_code(const struct line *line, struct headers *headers)
{
	int fd;

	if (line->path[0] != '/' || line->executable)
		return false;
	/* The lines of one file follow each other, so its headers are read only once. */
	if (strcmp(headers->path, line->path) != 0) {
		snprintf(headers->path, sizeof(headers->path), "%s", line->path);
		fd = open(line->path, O_RDONLY | O_CLOEXEC);
		headers->read = fd >= 0 && object_read(fd, &headers->object) >= 0;
		if (fd >= 0)
			close(fd);
	}
	return headers->read &&
	       object_code(&headers->object, object_bias(&headers->object, line->base), line->start,
			   line->end);
}

/*
 * Enter the whole range of an object as constants. Mappings that are entered later change parts of
 * it.
 */
static void object_constants(const struct mapping *code, const struct object_place *place)
{
	struct mapping m = *code;

	m.kind = mappings_constant_kind(false);
	m.offset = 0;
	m.start = place->start;
	m.end = place->end;
	mappings_add(NULL, &m);
}

/*
 * Enter the object whose code starts in this mapping. @entry: receives the entry point; NULL for
 * the loader.
 */
static int object_enter(const struct line *line, uint64_t *entry)
{
	const char *path = line->path;
	struct object object;
	const Elf64_Phdr *segment;
	struct mapping m = {.kind = STREAM_REGION_CODE, .index = -1};
	struct object_place place;
	struct stat status;
	size_t length = strlen(path);
	uint64_t bias;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = -ENOENT;

	if (fd < 0)
		return -errno;
	if (object_read(fd, &object) < 0)
		goto out;
	bias = object_bias(&object, line->base);
	segment = object_code(&object, bias, line->start, line->end);
	if (!segment || fstat(fd, &status) < 0)
		goto out;
	m.offset = page_down(segment->p_offset);
	m.start = bias + page_down(segment->p_vaddr);
	m.end = m.start + page_up(segment->p_vaddr + segment->p_filesz) -
		page_down(segment->p_vaddr);
	m.device = status.st_dev;
	m.inode = status.st_ino;
	if (length >= sizeof(m.path))
		path += length - sizeof(m.path) + 1;
	snprintf(m.path, sizeof(m.path), "%.*s", (int)sizeof(m.path) - 1, path);
	err = objects_code(fd, m.start, m.end, m.offset, &place);
	if (err < 0)
		goto out;
	m.bias = place.bias;
	m.internal = !place.counts;
	objects_note(m.device, m.inode, &place);
	object_constants(&m, &place);
	mappings_add(NULL, &m);
	if (!entry) {
		loader_start = m.start;
		loader_end = m.end;
		loader_last = place.end;
	} else {
		*entry = m.bias + object.header.e_entry;
		program_data(&object, m.bias, &m);
	}
out:
	close(fd);
	return err;
}

bool objects_own(uint64_t address)
{
	return (address >= loader_start && address < loader_end) ||
	       (address >= preload_start && address < preload_end);
}

/*
 * After the loader, QEMU maps the tables of the processor's segments and interrupts. QEMU itself
 * reads them when it enters a signal handler, and this may call the callback of an earlier
 * instruction. Mark these pages, so that the accesses are ignored.
 */
static void emulator_pages(FILE *maps)
{
	char text[PATH_MAX + 256];
	struct line line;

	rewind(maps);
	while (fgets(text, sizeof(text), maps)) {
		if (!line_parse(text, &line) || *line.path || line.executable ||
		    line.end <= loader_last || line.start >= loader_last + EMULATOR_ROOM ||
		    line.start < loader_start)
			continue;
		pages_set(line.start > loader_last ? line.start : loader_last, line.end,
			  PAGES_EMULATOR);
	}
}

int objects_program(uint64_t first, uint64_t *entry)
{
	struct line line, program = {0}, loader = {0};
	struct headers headers = {0};
	char text[PATH_MAX + 256], path[PATH_MAX] = "";
	uint64_t base = 0, path_end = 0;
	FILE *maps;
	int err;

	maps = fopen("/proc/self/maps", "re");
	if (!maps) {
		message("cannot read /proc/self/maps: %s", strerror(errno));
		return -errno;
	}
	while (fgets(text, sizeof(text), maps)) {
		if (!line_parse(text, &line))
			continue;
		/*
		 * The loader's file can be mapped twice: for QEMU, and for the program. Each time,
		 * its first mapping starts a new base.
		 */
		if (*line.path &&
		    (strcmp(line.path, path) || (!line.offset && line.start != path_end))) {
			snprintf(path, sizeof(path), "%s", line.path);
			base = line.start;
		}
		if (*line.path)
			path_end = line.end;
		line.base = base;
		if (!line_has_code(&line, &headers))
			continue;
		if (first >= line.start && first < line.end)
			loader = line;
		else if (!program.end)
			program = line;
	}
	if (!loader.end) {
		fclose(maps);
		message("QEMU has moved the program's memory: it cannot be traced. Run it without "
			"-B and "
			"-R, or build it position-independent (gcc -pie)");
		return -ENOENT;
	}
	/*
	 * A statically linked program has no loader, so the first code that is executed is the
	 * program's own code.
	 */
	if (!program.end) {
		err = object_enter(&loader, entry);
	} else {
		err = object_enter(&program, entry);
		if (err >= 0)
			err = object_enter(&loader, NULL);
		if (err >= 0)
			emulator_pages(maps);
	}
	fclose(maps);
	return err;
}
