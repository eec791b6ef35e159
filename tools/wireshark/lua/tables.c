// SPDX-License-Identifier: MIT
/*
 * The tables of the dissector as Lua: commands and fields of include/hw, so that there is no second
 * list of them. Run while building; its output comes in front of dissector.lua.
 */
#include <stdio.h>

#include <hw/blink_fields.h>

#define ROW(first, number, name, class, type, payload, mark)                                       \
	for (unsigned int i = 0; i < number; i++)                                                  \
		printf("\t[%u] = {name = \"%s\", class = \"%s\", payload = %u},\n", (first) + i,   \
		       name, #class, payload);
#define FIELD(name, word, shift, bits, of, title, mark)                                            \
	printf("\t{name = \"%s\", word = \"%s\", shift = %u, bits = %u, of = \"%s\", "             \
	       "title = \"%s\", mark = \"%s\"},\n",                                                \
	       name, #word, shift, bits, #of, title, mark);

int main(void)
{
	puts("-- SPDX-License-Identifier: MIT\n-- Made from include/hw/blink.h and "
	     "include/hw/blink_fields.h by tools/wireshark/lua/tables.c.\nlocal commands = {");
	BLINK_COMMAND_TABLE(ROW)
	puts("}\nlocal fields = {");
	BLINK_FIELD_TABLE(FIELD)
	puts("}");
	printf("local first_types = {REQUEST = {[false] = %u, [true] = %u}, "
	       "RESPONSE = {[false] = %u, [true] = %u}}\nlocal frame_bytes_max = %u\n",
	       BLINK_TYPE_REQUEST, BLINK_TYPE_REQUEST_EXTENDED, BLINK_TYPE_RESPONSE,
	       BLINK_TYPE_RESPONSE_EXTENDED, BLINK_BYTES_MAX);
	return 0;
}
