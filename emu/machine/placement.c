/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The placement policies. It may use what placement.h names.
 */
#include <string.h>

#include "placement.h"

static unsigned round_robin_home(struct placement *placement, uint64_t page, unsigned node)
{
	return (unsigned)(page % placement->nodes);
}

static const struct placement_policy placement_policies[] = {
	/* Source: "Exploiting Spatial and Temporal Locality of Accesses" (1998), section 4. */
	{"round-robin", round_robin_home},
};

const struct placement_policy *placement_find(const char *name)
{
	for (size_t i = 0; i < sizeof(placement_policies) / sizeof(placement_policies[0]); i++) {
		if (strcmp(placement_policies[i].name, name) == 0)
			return &placement_policies[i];
	}
	return NULL;
}
