// SPDX-License-Identifier: MIT
/*
 * ELF segments. See lib/analysis/elf_segments.h.
 */
#include "lib/analysis/elf_segments.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define HEADERS_MAX 64

int segments_read(const char *file, segment_fn *take, void *opaque)
{
	FILE *in = fopen(file, "re");
	Elf64_Ehdr head;
	Elf64_Phdr header;
	int result = 0;

	if (!in)
		return 0;
	if (fread(&head, sizeof(head), 1, in) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phnum > HEADERS_MAX ||
	    fseek(in, (long)head.e_phoff, SEEK_SET))
		head.e_phnum = 0;
	for (unsigned i = 0; i < head.e_phnum && !result; i++) {
		struct segment segment;

		if (fread(&header, sizeof(header), 1, in) != 1)
			break;
		if (header.p_type != PT_LOAD)
			continue;
		segment = (struct segment){
			.start = header.p_vaddr,
			.end = header.p_vaddr + header.p_memsz,
			.offset = header.p_offset,
			.writable = (header.p_flags & PF_W) != 0,
		};
		result = take(&segment, opaque);
	}
	fclose(in);
	return result;
}
