/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Undefined symbols of all objects. It may use dl_iterate_phdr(3).
 */
#include <elf.h>
#include <link.h>
#include <stddef.h>

#include "emu/tracer/preload/imports.h"

/**
 * struct symbols - The symbols of an object that the dynamic linker knows.
 * @table: the first one
 * @strings: their names
 * @hash: DT_HASH, or NULL
 * @gnu: DT_GNU_HASH, or NULL
 */
struct symbols {
	const ElfW(Sym) * table;
	const char *strings;
	const uint32_t *hash;
	const uint32_t *gnu;
};

/* glibc has added where the object lies, but not where it could not write. */
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
		else if (entry->d_tag == DT_HASH)
			symbols->hash = (const uint32_t *)at;
		else if (entry->d_tag == DT_GNU_HASH)
			symbols->gnu = (const uint32_t *)at;
	}
	return symbols->table && symbols->strings;
}

/* Undefined ones are among the first so many: all there are, or those that the GNU hash leaves out. */
static uint32_t symbols_count(const struct symbols *symbols)
{
	if (symbols->gnu)
		return symbols->gnu[1];
	return symbols->hash ? symbols->hash[1] : 0;
}

/* Not libc's: what this library has in its place is counted as the program's. */
static bool name_is(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static int imports_look(struct dl_phdr_info *object, size_t bytes, void *opaque)
{
	const char *const *names = opaque;
	struct symbols symbols;

	(void)bytes;
	if (!symbols_find(&symbols, object))
		return 0;
	for (uint32_t i = 0; i < symbols_count(&symbols); i++) {
		const ElfW(Sym) *symbol = &symbols.table[i];

		for (size_t n = 0; symbol->st_shndx == SHN_UNDEF && names[n]; n++)
			if (name_is(symbols.strings + symbol->st_name, names[n]))
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
