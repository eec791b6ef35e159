/* SPDX-License-Identifier: MIT */
/*
 * Object: opens a file of the program. See object.h.
 *
 * What lives here: the checks whether the file exists, whether it is the file that ran, and what
 * debug information it has.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/symbols/debug.h"

#define COMPRESS_ZSTD 2 /* ELFCOMPRESS_ZSTD, which not every <elf.h> defines */

__attribute__((format(printf, 3, 4))) static void
state(struct object *object, enum Monitor_object_state now, const char *format, ...)
{
	va_list arguments;

	object->state = now;
	va_start(arguments, format);
	vsnprintf(object->message, sizeof(object->message), format, arguments);
	va_end(arguments);
}

/* Return whether the file is the C library or its loader. */
static int is_libc(const char *path)
{
	const char *name = basename(path);

	return !strncmp(name, "libc.so.", 8) || !strncmp(name, "ld-linux", 8);
}

/*
 * Read DT_SONAME, the name with which programs link to the file. Return: 1; 0 if the file does not
 * have this name.
 */
static int soname(const struct object *object, char *name, size_t bytes)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Addr bias;
	GElf_Dyn entry;
	Elf *elf = object->module ? dwfl_module_getelf(object->module, &bias) : NULL;
	const char *text;

	while (elf && (section = elf_nextscn(elf, section)) != NULL) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag; i++) {
			if (entry.d_tag != DT_SONAME)
				continue;
			text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
			snprintf(name, bytes, "%s", text ? text : "");
			return text != NULL;
		}
	}
	return 0;
}

int smile_object_is_runtime(struct object *object)
{
	static const char *const names[] = {
		"libc.so.",	    "ld-linux-x86-64.so.",
		"libpthread.so.",   "libdl.so.",
		"librt.so.",	    "libm.so.",
		"libgcc_s.so.",	    "libstdc++.so.",
		"libc++.so.",	    "libc++abi.so.",
		"libgomp.so.",	    "libomp.so.",
		"libgfortran.so.",  "libquadmath.so.",
		"libmvec.so.",	    "libjemalloc.so.",
		"libtcmalloc.so.",  "libmimalloc.so.",
		"libtbbmalloc.so.", "libtcmalloc_minimal.so.",
	};
	char name[NAME_MAX + 1];
	size_t length;

	if (object->runtime)
		return object->runtime - 1;
	object->runtime = 1;
	if (!soname(object, name, sizeof(name)))
		return 0;
	/* This library runs the threads of the program under the tracer. */
	if (!strcmp(name, "smile-preload.so"))
		object->runtime = 2;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		length = strlen(names[i]);
		if (!strncmp(name, names[i], length) && name[length] &&
		    strspn(name + length, "0123456789.") == strlen(name + length))
			object->runtime = 2;
	}
	return object->runtime - 1;
}

static int find_no_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			      const char *file, const char *link, GElf_Word crc, char **found)
{
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/*
 * Do not read the separate debug file of the C library, because this takes 0.1 s. The file is
 * needed only for the names of the library's own variables. Memory that the library's functions
 * allocate gets its name without it.
 */
static const Dwfl_Callbacks callbacks_libc = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debug_file,
	.section_address = dwfl_offline_section_address,
};

/* Return whether the file exists and is the file that ran. */
static int is_the_one(struct object *object)
{
	char build[MONITOR_BUILD_BYTES];
	int error = Monitor_object_build(object->path, build);

	if (error == -EPROTO) {
		state(object, MONITOR_OBJECT_DAMAGED,
		      "%s is no ELF file: restore the file that ran, or run the program again",
		      object->path);
		return 0;
	}
	if (error < 0) {
		state(object, MONITOR_OBJECT_MISSING,
		      "%s cannot be read: %s; its variables have no names", object->path,
		      strerror(-error));
		return 0;
	}
	if (*object->build && strcmp(build, object->build)) {
		state(object, MONITOR_OBJECT_CHANGED,
		      "%s was rebuilt after the recording: its variables have other addresses now, "
		      "and are not named; restore the file that ran (%s), or record again",
		      object->path, object->build);
		return 0;
	}
	return 1;
}

/*
 * Add the file to the Dwfl at address 0. Addresses in the Dwfl are then the addresses in the ELF
 * headers of the file.
 */
static int report(struct object *object)
{
	int fd = open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return 0;
	object->dwfl =
		dwfl_begin(!object->global && is_libc(object->path) ? &callbacks_libc : &callbacks);
	if (object->dwfl) {
		dwfl_report_begin(object->dwfl);
		object->module =
			dwfl_report_elf(object->dwfl, object->path, object->path, fd, 0, true);
		dwfl_report_end(object->dwfl, NULL, NULL);
	}
	/* If the file was added, the Dwfl owns the file descriptor now. */
	if (!object->module)
		close(fd);
	return object->module != NULL;
}

static int has_symbols(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (elf && (section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB &&
		    header.sh_size > header.sh_entsize)
			return 1;
	return 0;
}

/*
 * Report why the debug information of the file cannot be read. Return: 1; 0 if the file has no
 * debug information.
 */
static int is_unreadable(struct object *object, Elf *elf, const char *cause)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Chdr packed;
	size_t names;

	while (elf && !elf_getshdrstrndx(elf, &names) &&
	       (section = elf_nextscn(elf, section)) != NULL) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(elf, names, header.sh_name)
					   : NULL;

		if (!name || strcmp(name, ".debug_info") || header.sh_type == SHT_NOBITS)
			continue;
		if (header.sh_flags & SHF_COMPRESSED && gelf_getchdr(section, &packed) &&
		    packed.ch_type != ELFCOMPRESS_ZLIB)
			state(object, MONITOR_OBJECT_SYMBOLS,
			      "%s has debug information that is compressed%s, which the libdw "
			      "here cannot read: no types, and the names of its symbol table; run "
			      "objcopy --decompress-debug-sections on it, or compile with -gz=zlib",
			      object->path, packed.ch_type == COMPRESS_ZSTD ? " with zstd" : "");
		else
			state(object, MONITOR_OBJECT_SYMBOLS,
			      "%s has debug information that the libdw here cannot read (%s): no "
			      "types, and the names of its symbol table; compile with -gdwarf-5 "
			      "or -gdwarf-4",
			      object->path, cause ? cause : "no unit in it");
		return 1;
	}
	return 0;
}

/* Check whether parts of the debug information are in other files that are missing. */
static void look_outside(struct object *object, Dwarf *debug)
{
	const char *directory, *name = NULL;
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;
	const void *build;

	while ((unit = dwfl_module_nextcu(object->module, unit, &bias)) != NULL) {
		directory = smile_debug_absent(unit, &name);
		if (!name)
			continue;
		state(object, MONITOR_OBJECT_DEBUG,
		      "%s has debug information in %s%s%s, which cannot be read: variables of that "
		      "source have no types; put it back (a .dwp file is not read), or compile "
		      "without -gsplit-dwarf",
		      object->path, *name == '/' ? "" : directory, *name == '/' ? "" : "/", name);
		return;
	}
	if (dwelf_dwarf_gnu_debugaltlink(debug, &name, &build) > 0 && !dwarf_getalt(debug))
		state(object, MONITOR_OBJECT_DEBUG,
		      "%s shares debug information with others in %s, which cannot be read: some "
		      "names and types are missing; put it back",
		      object->path, name);
}

/* Determine which debug information and symbols the file contains. */
static void look(struct object *object)
{
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(object->module, &bias);
	Dwarf *debug = dwfl_module_getdwarf(object->module, &bias);
	const char *cause = debug ? NULL : dwfl_errmsg(-1);
	int symbols;

	if (debug && dwfl_module_nextcu(object->module, NULL, &bias)) {
		object->state = MONITOR_OBJECT_DEBUG;
		look_outside(object, debug);
		if (!*object->build && !*object->message)
			state(object, MONITOR_OBJECT_DEBUG,
			      "the recording does not name the build of %s that has run: names are "
			      "those of the current file",
			      object->path);
		return;
	}
	if (is_unreadable(object, elf, cause))
		return;
	symbols = dwfl_module_getsymtab(object->module);
	if (has_symbols(elf))
		state(object, MONITOR_OBJECT_SYMBOLS,
		      "%s has no debug information: no types, and the names of its symbol table; "
		      "compile with -g",
		      object->path);
	else if (symbols > 1)
		state(object, MONITOR_OBJECT_DYNAMIC,
		      "%s was stripped: only variables that it exports have a name; compile with "
		      "-g, do not strip, or install its debug file",
		      object->path);
	else
		state(object, MONITOR_OBJECT_NAMELESS,
		      "%s was stripped: its variables have no names; compile with -g, do not "
		      "strip, or install its debug file",
		      object->path);
}

void smile_object_open(struct object *object)
{
	if (object->opened)
		return;
	object->opened = 1;
	if (!is_the_one(object))
		return;
	if (report(object)) {
		look(object);
		return;
	}
	state(object, MONITOR_OBJECT_DAMAGED, "%s is invalid: %s; put back the one that ran",
	      object->path, dwfl_errmsg(-1));
	smile_object_close(object);
}

void smile_object_close(struct object *object)
{
	if (object->dwfl)
		dwfl_end(object->dwfl);
	free(object->ranges);
	object->dwfl = NULL;
	object->module = NULL;
	object->ranges = NULL;
	object->ranges_count = object->ranges_size = 0;
	object->ranged = 0;
}
