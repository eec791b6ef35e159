// SPDX-License-Identifier: MIT
/*
 * Balance. See tools/common/balance.h.
 */
#include "tools/common/balance.h"

#include <stdbool.h>
#include <stdlib.h>

#include <smile/monitor.h>

#include "tools/common/recordings.h"
#include "tools/common/tool.h"

/* Messages are addressed to the last 64 KB of a node's 4 GB: docs/adapter.md, section 4. */
#define NODE_PAGES ((1ULL << 32) / SMILE_PAGE_BYTES)
#define MESSAGE_PAGES (65536 / SMILE_PAGE_BYTES)

/* The number of node ids, which have 16 bits. */
#define NODES 65536U

#define WHOLE_FILTER                                                                               \
	(SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST | SMILE_FILTER_INCOMING | SMILE_FILTER_OUTGOING)

/**
 * struct side - The counts of one card.
 * @node: the card's node
 * @whole: the card has counted all accesses by its node and all accesses to its node's memory
 * @from: number of accesses of each node to this node's memory, shape [NODES]
 * @to: number of this node's accesses to the memory of each home node, shape [NODES]
 */
struct side {
	uint32_t node;
	bool whole;
	uint64_t *from;
	uint64_t *to;
};

static int page_add(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct side *side = opaque;

	if (rows->page % NODE_PAGES >= NODE_PAGES - MESSAGE_PAGES)
		return 0;
	for (size_t i = 0; i < count; i++) {
		if (rows[i].home == side->node && rows[i].source < NODES)
			side->from[rows[i].source] += rows[i].accesses;
		else if (rows[i].source == side->node && rows[i].home < NODES)
			side->to[rows[i].home] += rows[i].accesses;
	}
	return 0;
}

/* Check whether the recording shows that the card has counted all accesses. */
static bool is_whole(struct Monitor *mon, const struct smile_config *config)
{
	struct Monitor_loss loss;

	return (config->filter & WHOLE_FILTER) == WHOLE_FILTER &&
	       !(config->mode & (SMILE_MODE_NO_DYNAMIC | SMILE_MODE_NARROW)) &&
	       config->node < NODES && Monitor_loss(mon, &loss) >= 0 && loss.known && !loss.lost &&
	       !loss.sleeps && !loss.resets;
}

static int side_load(struct side *side, char *file)
{
	struct Monitor *mon = recordings_open(&file, 1, NULL);
	struct smile_info info;
	int result = -1;

	if (!mon)
		return -1;
	recordings_take_in_quietly(mon);
	*side = (struct side){
		.from = calloc(NODES, sizeof(uint64_t)),
		.to = calloc(NODES, sizeof(uint64_t)),
	};
	if (!side->from || !side->to)
		tool_error("no memory");
	else if (Monitor_info(mon, &info) < 0)
		tool_error("%s", Monitor_error_message());
	else
		result = 0;
	if (!result) {
		side->node = info.config.node;
		side->whole = is_whole(mon, &info.config);
		Monitor_walk_pages(mon, page_add, side);
	}
	Monitor_close(mon);
	return result;
}

static int pairs_make(const struct side *sides, size_t count, struct balance_pair **pairs)
{
	int made = 0;

	*pairs = calloc(count * count, sizeof(**pairs));
	if (!*pairs) {
		tool_error("no memory");
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			const struct side *source = &sides[i], *home = &sides[j];

			if (source->node == home->node || !source->whole || !home->whole)
				continue;
			(*pairs)[made++] = (struct balance_pair){
				.source = source->node,
				.home = home->node,
				.by_source = source->to[home->node],
				.by_home = home->from[source->node],
			};
		}
	}
	return made;
}

int balance_pairs(char *const *files, size_t count, struct balance_pair **pairs)
{
	struct side *sides = calloc(count, sizeof(*sides));
	int result = sides ? 0 : -1;

	*pairs = NULL;
	if (result < 0)
		tool_error("no memory");
	for (size_t i = 0; i < count && !result; i++)
		result = side_load(&sides[i], files[i]);
	if (!result)
		result = pairs_make(sides, count, pairs);
	for (size_t i = 0; sides && i < count; i++) {
		free(sides[i].from);
		free(sides[i].to);
	}
	free(sides);
	return result;
}
