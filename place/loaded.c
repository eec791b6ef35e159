/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the files of the program lie: the loader's list, at the beginning. Libraries that the
 * program loads later are not found. It may use what place.h names.
 */
#include <link.h>

#include "place/place.h"

static int loaded_one(struct dl_phdr_info *info, size_t size, void *opaque)
{
	const struct plan_object *objects = place_objects();
	bool program = !info->dlpi_name || !*info->dlpi_name;
	uint64_t *biases = opaque;

	for (uint32_t i = 0; i < place_plan->objects; i++)
		if (biases[i] == MATCH_NOWHERE &&
		    (program ? objects[i].program
			     : !objects[i].program && match_path(objects[i].path, info->dlpi_name)))
			biases[i] = info->dlpi_addr;
	return 0;
}

void loaded_find(uint64_t *biases)
{
	for (uint32_t i = 0; i < place_plan->objects; i++)
		biases[i] = MATCH_NOWHERE;
	dl_iterate_phdr(loaded_one, biases);
}
