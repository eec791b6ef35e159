/* SPDX-License-Identifier: MIT */
/*
 * Object: a file of the program. See object.h.
 *
 * What lives here: whether the file exists, whether it is the one that ran, and what it contains.
 */
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
#include "lib/symbols/object.h"

__attribute__((format(printf, 3, 4))) static void
state(struct object *object, enum Monitor_object_state now, const char *format, ...)
{
	va_list arguments;

	object->state = now;
	va_start(arguments, format);
	vsnprintf(object->message, sizeof(object->message), format, arguments);
	va_end(arguments);
}

/* The C library, or its loader. */
static int is_libc(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return !strncmp(name, "libc.so.", 8) || !strncmp(name, "ld-linux", 8);
}

/* DT_SONAME. Return: 0: it has none. */
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
 * The C library's separate debug file takes 0.1 s to read. Only its variables need it: what its
 * functions allocate has their names without it.
 */
static const Dwfl_Callbacks callbacks_libc = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debug_file,
	.section_address = dwfl_offline_section_address,
};

/* Is the file there, and the one that ran? */
static int is_the_one(struct object *object)
{
	char build[MONITOR_BUILD_BYTES];
	int error = Monitor_object_build(object->path, build);

	if (error == -EPROTO) {
		state(object, MONITOR_OBJECT_DAMAGED,
		      "%s is no ELF file: put back the one that ran, or run it again",
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

/* It is given to the Dwfl at address 0, so that addresses are those of its headers. */
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
	/* Otherwise it is the Dwfl's now. */
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

/* What does it know? */
static void look(struct object *object)
{
	Dwarf_Addr bias;
	Elf *elf = dwfl_module_getelf(object->module, &bias);
	Dwarf *debug = dwfl_module_getdwarf(object->module, &bias);
	int symbols;

	if (debug && dwfl_module_nextcu(object->module, NULL, &bias)) {
		object->state = MONITOR_OBJECT_DEBUG;
		if (!*object->build)
			state(object, MONITOR_OBJECT_DEBUG,
			      "the recording does not say which build of %s has run: names are "
			      "those of the file that is there now",
			      object->path);
		return;
	}
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
