/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Searches all loaded objects for undefined symbols with given names. This file may use
 * dl_iterate_phdr(3).
 */
#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "run/preload/base/imports.h"

/**
 * struct symbols - The dynamic symbols and the relocations of an object. There is a relocation for
 * each function that the object imports.
 *
 * @table: the first symbol
 * @strings: the symbols' names
 * @relocations: the table of relocations of data, and the table of relocations of functions
 * @bytes: the size of each table in @relocations
 */
struct symbols {
	const ElfW(Sym) * table;
	const char *strings;
	const ElfW(Rela) * relocations[2];
	size_t bytes[2];
};

/*
 * Get a table's address from an entry of the dynamic section. glibc replaces the value of the entry
 * by an absolute address, unless the dynamic section is read-only. In a read-only section, the
 * value is relative to the object's load address.
 */
static uintptr_t symbols_at(const struct dl_phdr_info *object, ElfW(Addr) address)
{
	return address < object->dlpi_addr ? object->dlpi_addr + address : address;
}

static bool symbols_find(struct symbols *symbols, const struct dl_phdr_info *object)
{
	const ElfW(Dyn) *entry = NULL;

	*symbols = (struct symbols){0};
	for (size_t i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
			entry = (const ElfW(Dyn) *)(object->dlpi_addr +
						    object->dlpi_phdr[i].p_vaddr);
	for (; entry && entry->d_tag != DT_NULL; entry++) {
		uintptr_t at = symbols_at(object, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			symbols->table = (const ElfW(Sym) *)at;
		else if (entry->d_tag == DT_STRTAB)
			symbols->strings = (const char *)at;
		else if (entry->d_tag == DT_RELA)
			symbols->relocations[0] = (const ElfW(Rela) *)at;
		else if (entry->d_tag == DT_RELASZ)
			symbols->bytes[0] = entry->d_un.d_val;
		else if (entry->d_tag == DT_JMPREL)
			symbols->relocations[1] = (const ElfW(Rela) *)at;
		else if (entry->d_tag == DT_PLTRELSZ)
			symbols->bytes[1] = entry->d_un.d_val;
	}
	return symbols->table && symbols->strings;
}

/*
 * Compare two names. strcmp() cannot be used here: it is this library's replacement of libc's
 * strcmp(), whose accesses the tracer counts as accesses of the program.
 */
static bool name_is(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static bool symbols_have(const struct symbols *symbols, const ElfW(Rela) * relocation,
			 const char *const *names)
{
	uint64_t index = ELF64_R_SYM(relocation->r_info);
	const ElfW(Sym) *symbol = &symbols->table[index];

	if (index == 0 || symbol->st_shndx != SHN_UNDEF)
		return false;
	for (size_t i = 0; names[i]; i++)
		if (name_is(symbols->strings + symbol->st_name, names[i]))
			return true;
	return false;
}

static int imports_look(struct dl_phdr_info *object, size_t bytes, void *opaque)
{
	const char *const *names = opaque;
	struct symbols symbols;

	(void)bytes;
	if (!symbols_find(&symbols, object))
		return 0;
	for (size_t kind = 0; kind < 2; kind++) {
		const ElfW(Rela) *first = symbols.relocations[kind];

		for (size_t i = 0; first && i < symbols.bytes[kind] / sizeof(*first); i++)
			if (symbols_have(&symbols, &first[i], names))
				return 1;
	}
	return 0;
}

static int imports_count(struct dl_phdr_info *object, size_t bytes, void *opaque)
{
	(void)bytes;
	*(uint64_t *)opaque = object->dlpi_adds;
	return 1;
}

uint64_t imports_serial(void)
{
	uint64_t loaded = 0;

	dl_iterate_phdr(imports_count, &loaded);
	return loaded + 1;
}

bool imports_any(const char *const *names)
{
	return dl_iterate_phdr(imports_look, (void *)(uintptr_t)names) != 0;
}
