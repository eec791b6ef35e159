// SPDX-License-Identifier: MIT
/*
 * run/sample: reconstructs the memory of a process from the records of its mappings. See
 * perf_maps.h.
 */
#include "run/sample/perf_maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#define USER_END (1ULL << 47)

/*
 * Insert the part of a mapping from @start to @end into the list, at index @at.
 *
 * Return: 0 or -ENOMEM.
 */
static int insert(struct perf_maps *maps, size_t at, const struct perf_map *map, uint64_t start,
		  uint64_t end)
{
	/* Copy the mapping, because @map may be an element of the list, whose memory can move. */
	const struct perf_map from = *map;
	struct perf_map added = from;

	if (array_reserve(&maps->list, &maps->size, maps->count, sizeof(added)) < 0)
		return -ENOMEM;
	added.name = strdup(from.name);
	if (!added.name)
		return -ENOMEM;
	added.offset += start - from.start;
	added.start = start;
	added.end = end;
	memmove(&maps->list[at + 1], &maps->list[at], (maps->count - at) * sizeof(added));
	maps->list[at] = added;
	maps->count++;
	return 0;
}

static void drop(struct perf_maps *maps, size_t at)
{
	free(maps->list[at].name);
	maps->count--;
	memmove(&maps->list[at], &maps->list[at + 1], (maps->count - at) * sizeof(*maps->list));
}

/*
 * Remove the addresses of @map from the mapping with index @at. Return: the index of the next
 * mapping; -ENOMEM.
 */
static int64_t cut(struct perf_maps *maps, size_t at, const struct perf_map *map)
{
	struct perf_map *old = &maps->list[at];

	if (old->start < map->start && old->end > map->end) {
		if (insert(maps, at + 1, old, map->end, old->end) < 0)
			return -ENOMEM;
		maps->list[at].end = map->start;
		return (int64_t)at + 1;
	}
	if (old->start < map->start) {
		old->end = map->start;
		return (int64_t)at + 1;
	}
	if (old->end > map->end) {
		old->offset += map->end - old->start;
		old->start = map->end;
		return (int64_t)at + 1;
	}
	drop(maps, at);
	return (int64_t)at;
}

int perf_maps_add(struct perf_maps *maps, const struct perf_map *map)
{
	size_t at = maps->count;

	if (map->start >= map->end || map->end > USER_END)
		return 0;
	while (at > 0 && maps->list[at - 1].end > map->start)
		at--;
	while (at < maps->count && maps->list[at].start < map->end) {
		int64_t next = cut(maps, at, map);

		if (next < 0)
			return -ENOMEM;
		at = (size_t)next;
		/* The second part of a mapping that was split starts after the new mapping. */
		if (at < maps->count && maps->list[at].start >= map->end)
			break;
	}
	/*
	 * Find the index at which the new mapping must be inserted, which is after all mappings
	 * with lower addresses.
	 */
	while (at > 0 && maps->list[at - 1].start >= map->end)
		at--;
	return insert(maps, at, map, map->start, map->end);
}

/*
 * Write a line in the format of /proc/PID/maps. Leave out names that begin with "//". They are
 * perf's names for memory without a file, and not paths.
 */
static void line_print(FILE *text, const struct perf_map *map)
{
	const char *name = strncmp(map->name, "//", 2) ? map->name : "";

	fprintf(text, "%" PRIx64 "-%" PRIx64 " %s %" PRIx64 " 00:00 0 ", map->start, map->end,
		map->flags, map->offset);
	/* A newline in the name would end the line. */
	for (; *name; name++)
		fputc(*name == '\n' ? '?' : *name, text);
	fputc('\n', text);
}

int perf_maps_regions(const struct perf_maps *maps, struct mapped *mapped)
{
	char *lines = NULL;
	size_t bytes = 0;
	FILE *text = open_memstream(&lines, &bytes);
	int failed;

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < maps->count; i++)
		line_print(text, &maps->list[i]);
	failed = ferror(text) ? -ENOMEM : 0;
	if (fclose(text))
		failed = -ENOMEM;
	text = failed || !bytes ? NULL : fmemopen(lines, bytes, "r");
	if (text) {
		failed = mapped_read(mapped, text);
		fclose(text);
	} else if (bytes) {
		failed = -ENOMEM;
	}
	free(lines);
	return failed;
}

void perf_maps_free(struct perf_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		free(maps->list[i].name);
	free(maps->list);
	*maps = (struct perf_maps){0};
}
