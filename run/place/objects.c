/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Finds the load addresses of the program's executable and libraries, in the loader's list at the
 * start of the program. Libraries that the program loads later are not in that list, and are not
 * found. This file may use place.h.
 */
#include <limits.h>
#include <link.h>
#include <stdlib.h>

#include "run/place/place.h"

/*
 * Check whether @name is the library @object. The loader lists a library under the name with which
 * the program requested it. A recording contains the path of the file after all symbolic links are
 * resolved.
 */
static bool is_library(const struct plan_object *object, const char *name, const char *file)
{
	return !object->program &&
	       (match_path(object->path, name) || match_path(object->path, file));
}

static int loaded_one(struct dl_phdr_info *info, size_t size, void *opaque)
{
	const struct plan_object *objects = place_objects();
	bool program = !info->dlpi_name || !*info->dlpi_name;
	static char file[PATH_MAX];
	uint64_t *biases = opaque;

	if (program || !realpath(info->dlpi_name, file))
		*file = '\0';
	for (uint32_t i = 0; i < place_plan->objects; i++)
		if (biases[i] == MATCH_NOWHERE &&
		    (program ? objects[i].program : is_library(&objects[i], info->dlpi_name, file)))
			biases[i] = info->dlpi_addr;
	return 0;
}

void loaded_find(uint64_t *biases)
{
	for (uint32_t i = 0; i < place_plan->objects; i++)
		biases[i] = MATCH_NOWHERE;
	dl_iterate_phdr(loaded_one, biases);
}
