// SPDX-License-Identifier: MIT
/*
 * smile top: draw the list of the cards or recordings of a source, each with its loss account.
 */
#include "tools/top/top.h"

#include <stdio.h>

#include "lib/analysis/utf8.h"
#include "tools/common/output.h"

/* Positions at which columns begin or end. */
#define NODE_END 6U
#define STATE_AT 8U
#define ACCEPTED_END 24U
#define DELIVERED_END 35U
#define LOST_END 43U
#define PENDING_END 51U
#define NAME_AT 53U

size_t top_nodes_rows(const struct top_snapshot *snapshot)
{
	return snapshot->live ? snapshot->live->members_count + 2 : 0;
}

static void heading(struct top_screen *screen, size_t row)
{
	for (size_t i = 0; i < screen->columns; i++)
		top_put(screen, row, i, TOP_HEAD, " ");
	top_put_right(screen, row, NODE_END, TOP_HEAD, "NODE");
	top_put(screen, row, STATE_AT, TOP_HEAD, "STATE");
	top_put_right(screen, row, ACCEPTED_END, TOP_HEAD, "ACCEPTED");
	top_put_right(screen, row, DELIVERED_END, TOP_HEAD, "DELIVERED");
	top_put_right(screen, row, LOST_END, TOP_HEAD, "LOST");
	top_put_right(screen, row, PENDING_END, TOP_HEAD, "TO COME");
	top_put(screen, row, NAME_AT, TOP_HEAD, "SOURCE");
}

static void member_draw(struct top_screen *screen, size_t row, const struct live *live,
			const struct live_member *member)
{
	const struct Monitor_loss *loss = &member->loss;
	char text[LIVE_TEXT_BYTES], name[2 * LIVE_TEXT_BYTES + 4];
	enum top_style style = *live_member_note(live, member, text) ? TOP_BAD : TOP_PLAIN;

	snprintf(name, sizeof(name), "%s%s%s", member->name, *text ? ": " : "", text);
	if (member->state == LIVE_AWAITED)
		top_put_right(screen, row, NODE_END, TOP_PLAIN, "?");
	else
		top_print(screen, row, 0, TOP_PLAIN, "%6u", member->node);
	top_put(screen, row, STATE_AT, style, live_state_name(member->state));
	top_put_right(screen, row, ACCEPTED_END, TOP_PLAIN,
		      loss->known ? top_count(text, (double)loss->accepted) : "?");
	top_put_right(screen, row, DELIVERED_END, TOP_PLAIN,
		      top_count(text, (double)loss->delivered));
	top_put_right(screen, row, LOST_END, loss->lost ? TOP_BAD : TOP_PLAIN,
		      top_count(text, (double)loss->lost));
	top_put_right(screen, row, PENDING_END, TOP_PLAIN,
		      loss->known ? top_count(text, (double)loss->pending) : "?");
	if (screen->columns <= NAME_AT)
		return;
	utf8_crop(name, screen->columns - NAME_AT, "~");
	top_put(screen, row, NAME_AT, style, name);
}

void top_nodes_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_snapshot *snapshot)
{
	const struct live *live = snapshot->live;

	heading(screen, row);
	for (size_t i = 0; i + 1 < rows && i < live->members_count; i++)
		member_draw(screen, row + 1 + i, live, &live->members[i]);
}
