/* SPDX-License-Identifier: MIT */
/* Print the variables of a recorded program, and the accesses to each. */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	struct Monitor_structure_row rows[256];
	struct Monitor_variable *variables;
	struct Monitor *mon;
	int got, known, count;

	if (argc != 2 || Monitor_open(&mon, argv[1]) < 0)
		errx(2, "%s", argc == 2 ? Monitor_error_message() : "usage: variable RECORDING");
	while ((got = Monitor_poll(mon, -1)) > 0)
		continue;
	if (got < 0)
		errx(2, "%s", Monitor_error_message());
	known = Monitor_variables(mon, NULL, 0);
	variables = calloc(known > 0 ? (size_t)known : 1, sizeof(*variables));
	if (!variables)
		err(2, "variable");
	if (known > 0)
		Monitor_variables(mon, variables, (size_t)known);
	count = Monitor_structures_info(mon, rows, 256);
	if (known < 0 || count < 0)
		errx(2, "%s", Monitor_error_message());
	for (int i = 0; i < count && i < 256; i++)
		if (rows[i].variable < (uint32_t)known)
			printf("%s %s: %" PRIu64 " accesses by node %u\n",
			       variables[rows[i].variable].type, variables[rows[i].variable].name,
			       rows[i].accesses, rows[i].source);
	free(variables);
	return Monitor_close(mon) < 0;
}
