/* SPDX-License-Identifier: MIT */
/*
 * Symbol: reads the variables in the symbol table of a file, and converts their names to names in
 * the source. See object.h. May use libiberty.
 */
#include <elf.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/object.h"

void smile_symbol_name(const char *symbol, char *text)
{
	const char *module = strstr(symbol, "_MOD_");
	/* Leave out the parameters, because names in debug information do not have them either. */
	char *source = cplus_demangle(symbol, DMGL_NO_OPTS);

	if (source)
		snprintf(text, OBJECT_NAME_BYTES, "%s", source);
	/* The symbol is a variable of a Fortran module. */
	else if (!strncmp(symbol, "__", 2) && module > symbol + 2 && module[5])
		snprintf(text, OBJECT_NAME_BYTES, "%.*s::%s", (int)(module - symbol - 2),
			 symbol + 2, module + 5);
	else
		snprintf(text, OBJECT_NAME_BYTES, "%s", symbol);
	free(source);
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
