/* SPDX-License-Identifier: MIT */
/* Add the build of a program, and list the files, each with the number of its known variables. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include <smile/monitor.h>

int main(int argc, char **argv)
{
	char path[4096], build[MONITOR_BUILD_BYTES];
	struct Monitor_object object = {.path = path, .build = build}, objects[8];
	struct Monitor_region region = {
		.start = 0x10000, .end = 0x20000, .kind = MONITOR_REGION_GLOBAL, .name = path};
	struct Monitor *mon;
	int count;

	if (argc != 2 || !realpath(argv[1], path))
		errx(2, "usage: object PROGRAM");
	if (Monitor_object_build(path, build) < 0 || Monitor_open(&mon, "emu:") < 0 ||
	    Monitor_object_add(mon, &object) < 0 || Monitor_region_add(mon, &region) < 0)
		errx(2, "%s", Monitor_error_message());
	count = Monitor_objects(mon, objects, 8);
	for (int i = 0; i < count && i < 8; i++)
		printf("%s: %s: %u variables. %s\n", objects[i].path, objects[i].build,
		       objects[i].variables, objects[i].message);
	return Monitor_close(mon) < 0;
}
