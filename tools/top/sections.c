// SPDX-License-Identifier: MIT
/*
 * smile top: draw the sections of one page. The papers call this the "page analysis" window.
 */
#include "tools/top/top.h"

#include <inttypes.h>

#define SECTION_BYTES_MIN 64U
#define FRAME_ROWS 2U /* title and headings */
#define NUMBERS_COLUMNS 46U

unsigned int top_sections_size(size_t rows)
{
	unsigned int bytes = SECTION_BYTES_MIN;

	while (bytes < SMILE_PAGE_BYTES && SMILE_PAGE_BYTES / bytes + FRAME_ROWS > rows)
		bytes *= 2;
	return bytes;
}

static void bar_draw(struct top_screen *screen, size_t row, const struct top_section *section,
		     uint64_t most)
{
	size_t room =
		screen->columns > NUMBERS_COLUMNS + 2 ? screen->columns - NUMBERS_COLUMNS - 2 : 0;
	size_t reads, length;

	if (!most || !room)
		return;
	length = (size_t)((double)section->accesses / (double)most * (double)room + 0.5);
	reads = (size_t)((double)section->reads / (double)most * (double)room + 0.5);
	/* Draw at least one character if there was an access. */
	if (section->accesses && !length)
		length = 1;
	for (size_t i = 0; i < length; i++)
		top_put(screen, row, NUMBERS_COLUMNS + 2 + i, i < reads ? TOP_GOOD : TOP_BAD,
			i < reads ? "r" : "w");
}

static void section_draw(struct top_screen *screen, size_t row, const struct top_snapshot *snapshot,
			 size_t index, uint64_t most)
{
	const struct top_section *section = &snapshot->sections[index];
	char text[TOP_COUNT_BYTES];

	top_print(screen, row, 0, TOP_PLAIN, "%9zu", index * snapshot->section_bytes);
	top_put_right(screen, row, 18, TOP_PLAIN, top_count(text, (double)section->accesses));
	top_put_right(screen, row, 27, TOP_PLAIN, top_count(text, (double)section->reads));
	top_put_right(screen, row, 36, TOP_PLAIN, top_count(text, (double)section->writes));
	if (section->accesses)
		top_print(screen, row, 36, TOP_PLAIN, "%7" PRIu32, section->dominant);
	bar_draw(screen, row, section, most);
}

void top_sections_draw(struct top_screen *screen, size_t row, size_t rows,
		       const struct top_snapshot *snapshot)
{
	uint64_t most = 0;
	char text[TOP_COUNT_BYTES];
	size_t end = row + rows, at;

	at = top_print(screen, row, 0, TOP_STRONG, "Page %" PRIu64 " of node %" PRIu32,
		       snapshot->sections_page, snapshot->sections_home);
	if (snapshot->sampled) {
		top_put(screen, row + 1, 2, TOP_FAINT,
			"samples have no sections here: they need exact counts, see smile-run(1)");
		return;
	}
	if (!snapshot->sections_count) {
		top_put(screen, row + 1, 2, TOP_FAINT, "it was never accessed");
		return;
	}
	at = top_print(screen, row, at, TOP_PLAIN, ", sections of %u bytes, in total",
		       snapshot->section_bytes);
	if (snapshot->straddling)
		top_print(screen, row, at, TOP_PLAIN, "; %s accesses to more than one",
			  top_count(text, (double)snapshot->straddling));
	top_put(screen, row + 1, 0, TOP_HEAD, "   OFFSET ACCESSES    READS   WRITES   NODE");
	top_put(screen, row + 1, NUMBERS_COLUMNS + 2, TOP_HEAD, "r reads, w writes and locks");
	for (size_t i = 0; i < snapshot->sections_count; i++)
		if (snapshot->sections[i].accesses > most)
			most = snapshot->sections[i].accesses;
	for (size_t i = 0; i < snapshot->sections_count && row + 2 + i < end; i++)
		section_draw(screen, row + 2 + i, snapshot, i, most);
}
