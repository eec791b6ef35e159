/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ELF program: find out from the file of an x86-64 program whether it can be traced.
 *
 * What lives here: functions that read the program headers and the dynamic section of the file. The
 * session uses them before it starts a program, and the tracer before the program executes another
 * program. This file may use <elf.h>, pread(2), <stdlib.h> and <string.h>, and is not installed.
 */
#ifndef BASE_ELF_PROGRAM_H
#define BASE_ELF_PROGRAM_H

#include <elf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The loader of glibc. The preload library needs glibc. */
#define ELF_PROGRAM_LOADER "ld-linux-x86-64.so.2"
/* The largest table of names that is searched. */
#define ELF_PROGRAM_NAMES (256UL << 20)
#define ELF_PROGRAM_ENTRIES 256U

/*
 * Get the number of the first segment of this type, from number @from on. Return: its number; -1:
 * there is none; -2: the program headers cannot be read.
 */
static inline int elf_program_segment(int fd, const Elf64_Ehdr *header, uint32_t type,
				      unsigned int from, Elf64_Phdr *segment)
{
	unsigned int i;

	if (header->e_phentsize != sizeof(*segment))
		return -2;
	for (i = from; i < header->e_phnum; i++) {
		off_t at = (off_t)(header->e_phoff + i * sizeof(*segment));

		if (pread(fd, segment, sizeof(*segment), at) != sizeof(*segment))
			return -2;
		if (segment->p_type == type)
			return (int)i;
	}
	return -1;
}

/*
 * Get the path of the program's loader.
 * @loader: receives the path, which is empty if the program has no loader; shape [PATH_MAX]
 *
 * Return: whether the file can be read.
 */
static inline bool elf_program_loader(int fd, const Elf64_Ehdr *header, char *loader)
{
	Elf64_Phdr segment;
	int found = elf_program_segment(fd, header, PT_INTERP, 0, &segment);

	memset(loader, 0, PATH_MAX);
	if (found < 0)
		return found == -1;
	return segment.p_filesz < PATH_MAX &&
	       pread(fd, loader, segment.p_filesz, (off_t)segment.p_offset) ==
		       (ssize_t)segment.p_filesz;
}

/* Get the offset in the file of an address in memory; 0 if the file has no such data. */
static inline uint64_t elf_program_offset(int fd, const Elf64_Ehdr *header, uint64_t address)
{
	Elf64_Phdr segment;
	int i = -1;

	while ((i = elf_program_segment(fd, header, PT_LOAD, (unsigned int)(i + 1), &segment)) >= 0)
		if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
			return segment.p_offset + (address - segment.p_vaddr);
	return 0;
}

/* Check whether the names of the program's symbols contain one of a sanitizer's own functions. */
static inline bool elf_program_has_sanitizer(const char *names, size_t bytes)
{
	static const char *const functions[] = {"__asan_init", "__tsan_init", "__lsan_init",
						"__msan_init", "__hwasan_init"};
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (memmem(names, bytes, functions[i], strlen(functions[i]) + 1))
			return true;
	return false;
}

/*
 * Check whether the program was built with a sanitizer of addresses, threads, leaks or memory. Such
 * a program reserves terabytes of addresses, and QEMU needs memory for each page of them.
 */
static inline bool elf_program_sanitized(int fd, const Elf64_Ehdr *header)
{
	Elf64_Dyn entries[ELF_PROGRAM_ENTRIES];
	uint64_t address = 0, bytes = 0;
	Elf64_Phdr segment;
	ssize_t length, i;
	bool found = false;
	char *names;

	if (elf_program_segment(fd, header, PT_DYNAMIC, 0, &segment) < 0)
		return false;
	length = pread(fd, entries, sizeof(entries), (off_t)segment.p_offset);
	for (i = 0; i < length / (ssize_t)sizeof(entries[0]); i++) {
		if (entries[i].d_tag == DT_NULL)
			break;
		if (entries[i].d_tag == DT_STRTAB)
			address = entries[i].d_un.d_ptr;
		if (entries[i].d_tag == DT_STRSZ)
			bytes = entries[i].d_un.d_val;
	}
	address = elf_program_offset(fd, header, address);
	names = address && bytes <= ELF_PROGRAM_NAMES ? malloc(bytes + 1) : NULL;
	if (!names)
		return false;
	length = pread(fd, names, bytes, (off_t)address);
	if (length > 0)
		found = elf_program_has_sanitizer(names, (size_t)length);
	free(names);
	return found;
}

#endif /* BASE_ELF_PROGRAM_H */
