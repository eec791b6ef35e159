// SPDX-License-Identifier: MIT
/*
 * Generate the tables of the dissector in Lua: commands, fields and masks, from the headers in
 * include/hw. With these tables, no second list of commands, fields and masks is needed. This
 * program is run during the build, and its output is placed before the text of dissector.lua.
 */
#include <stdio.h>

#include <hw/blink_fields.h>
#include <hw/cable.h>

#define ROW(first, number, name, class, type, payload, mark)                                       \
	for (unsigned int i = 0; i < number; i++)                                                  \
		printf("\t[%u] = {name = \"%s\", class = \"%s\", payload = %u},\n", (first) + i,   \
		       name, #class, payload);
#define FIELD(name, word, shift, bits, of, title, mark)                                            \
	printf("\t{name = \"%s\", word = \"%s\", shift = %u, bits = %u, of = \"%s\", "             \
	       "title = \"%s\", mark = \"%s\"},\n",                                                \
	       name, #word, shift, bits, #of, title, mark);

#define CABLE(name)                                                                                \
	{                                                                                          \
#name, CABLE_##name                                                                \
	}
#define CABLE_OF(name, symbol)                                                                     \
	{                                                                                          \
#name, CABLE_##symbol##_##name                                                     \
	}

static const struct {
	const char *name;
	unsigned int value;
} cable[] = {
	CABLE_OF(MPR, COMMAND),
	CABLE_OF(SPR, COMMAND),
	CABLE_OF(PHASE, COMMAND),
	CABLE_OF(OLD, COMMAND),
	CABLE_OF(ECHO, COMMAND),
	CABLE_OF(EXTENDED, COMMAND),
	CABLE_OF(CODE, COMMAND),
	CABLE_OF(BUSY, COMMAND),
	CABLE_OF(RESPONSE, COMMAND),
	CABLE_OF(TRANSACTION, COMMAND),
	CABLE(CONTROL_TRACE),
	CABLE_OF(TOD_EXPONENT, CONTROL),
	CABLE_OF(TOD_MANTISSA, CONTROL),
	CABLE_OF(TPR, CONTROL),
	CABLE(CONTROL_TRANSACTION),
	CABLE_OF(FLOW, IDLE),
	CABLE(SYNC_SYMBOL),
	CABLE(SYNC_SYMBOLS),
	CABLE(CRC_POLYNOMIAL),
	CABLE(CRC_BEGIN),
	CABLE(TYPE_REQUEST_EXTENDED),
	CABLE(TYPE_REQUEST),
	CABLE(TYPE_REQUEST_ECHO),
	CABLE(TYPE_RESPONSE_EXTENDED),
	CABLE(TYPE_RESPONSE),
	CABLE(TYPE_RESPONSE_ECHO),
	CABLE(TYPE_IDLES),
	CABLE(TYPE_SYNC),
};

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
	puts("local cable = {");
	for (unsigned int i = 0; i < sizeof(cable) / sizeof(cable[0]); i++)
		printf("\t%s = %u,\n", cable[i].name, cable[i].value);
	puts("}");
	return 0;
}
