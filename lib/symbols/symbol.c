/* SPDX-License-Identifier: MIT */
/*
 * Symbol: the variables that a file's symbol table names. See object.h.
 */
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/object.h"

/* Append; cut off what does not fit. */
static char *put(char *to, const char *end, const char *from, size_t bytes)
{
	size_t room = (size_t)(end - to) - 1;

	bytes = bytes < room ? bytes : room;
	memcpy(to, from, bytes);
	to[bytes] = '\0';
	return to + bytes;
}

/*
 * One name of C++, which stands behind its length. Return: what follows; NULL if there is none.
 */
static const char *part(const char *at, char **to, const char *end)
{
	static const char anonymous[] = "_GLOBAL__N_1";
	unsigned long length;
	char *name;

	if (*at == 'L')
		at++;
	if (!isdigit((unsigned char)*at))
		return NULL;
	length = strtoul(at, &name, 10);
	if (!length || length > strlen(name))
		return NULL;
	if (length == strlen(anonymous) && !strncmp(name, anonymous, length))
		*to = put(*to, end, "(anonymous namespace)", 21);
	else
		*to = put(*to, end, name, length);
	return name + length;
}

/* Return: 0: it is more than names alone. */
static int plain_cxx(const char *at, char *text)
{
	char *to = text;
	const char *end = text + OBJECT_NAME_BYTES;
	int nested = *at == 'N';

	at += nested;
	do {
		if (to > text)
			to = put(to, end, "::", 2);
		at = part(at, &to, end);
	} while (at && nested && *at != 'E');
	return at && !strcmp(at, nested ? "E" : "");
}

void smile_symbol_name(const char *symbol, char *text)
{
	const char *module = strstr(symbol, "_MOD_");

	if (!strncmp(symbol, "_Z", 2) && plain_cxx(symbol + 2, text))
		return;
	/* A variable of a Fortran module. */
	if (!strncmp(symbol, "__", 2) && module > symbol + 2 && module[5])
		snprintf(text, OBJECT_NAME_BYTES, "%.*s::%s", (int)(module - symbol - 2),
			 symbol + 2, module + 5);
	else
		snprintf(text, OBJECT_NAME_BYTES, "%s", symbol);
}

int smile_symbol_variables(struct object *object, object_variable_found *found, void *opaque)
{
	int count = object->module ? dwfl_module_getsymtab(object->module) : 0, error = 0;

	for (int i = 1; i < count && !error; i++) {
		struct object_variable variable = {.file = ""};
		char text[OBJECT_NAME_BYTES];
		GElf_Word section;
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(object->module, i, &symbol, &address,
							   &section, NULL, NULL);

		if (!name || !*name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
		    !symbol.st_size || section == SHN_UNDEF || section == SHN_ABS)
			continue;
		smile_symbol_name(name, text);
		variable.name = text;
		variable.address = address;
		variable.bytes = symbol.st_size;
		error = found(&variable, opaque);
	}
	return error;
}
