/* SPDX-License-Identifier: MIT */
/*
 * Map: what is known of the program that was recorded, besides what the card counted.
 *
 * What lives here: where its pages lie, the regions of its address space, the names of its phases,
 * and the parameters of the run. Kept by a Monitor, written behind the records of a recording
 * (trailer.c), merged where several recordings make one view.
 */
#ifndef LIB_MAP_H
#define LIB_MAP_H

#include <smile/monitor.h>

/* One past the last number that a page can have. */
#define MAP_PAGES (((uint64_t)1 << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES)

/**
 * struct map_phase - A named phase.
 * @start_ns: the card's clock at its beginning
 * @name: owned
 */
struct map_phase {
	uint64_t start_ns;
	char *name;
};

/**
 * struct map - All zero is an empty one.
 * @homes: ascending, without overlaps; neighbours on one node are one; [@homes_size]
 * @regions: as they were added, with names of their own; [@regions_size]
 * @phases: as they were added, which is ascending; [@phases_size]
 * @parameters: of the run; NULL: none
 */
struct map {
	struct Monitor_home *homes;
	size_t homes_count;
	size_t homes_size;
	struct Monitor_region *regions;
	size_t regions_count;
	size_t regions_size;
	struct map_phase *phases;
	size_t phases_count;
	size_t phases_size;
	char *parameters;
};

void smile_map_free(struct map *map);
int smile_map_is_empty(const struct map *map);

/* The adders copy. Each returns 0, or -EINVAL or -ENOMEM with a message. */
int smile_map_home_add(struct map *map, uint64_t page, uint64_t pages, uint32_t node);
int smile_map_region_add(struct map *map, const struct Monitor_region *region);
int smile_map_phase_add(struct map *map, uint64_t start_ns, const char *name);
int smile_map_parameters_set(struct map *map, const char *text);

/* Return: the node, -1 if the map does not say. */
int smile_map_home(const struct map *map, uint64_t page);

/*
 * Add what @from says to @into. @name: what @from was read from, for the message. Return: 0; -EINVAL
 * if the two contradict each other; -ENOMEM. On failure @into is what it was.
 */
int smile_map_merge(struct map *into, const struct map *from, const char *name);

#endif /* LIB_MAP_H */
