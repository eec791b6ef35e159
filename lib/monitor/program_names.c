/* SPDX-License-Identifier: MIT */
/*
 * Program names: reads the names that a program gives to its memory, while a card counts the
 * program. See lib/monitor/program_names.h.
 *
 * What lives here: the reader of the lines, which checks each line; the translation of the card's
 * pages to pages of the program; and the homes of pages that have not moved.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/field.h>
#include <base/page_ranges.h>

#include "lib/base/error.h"
#include "lib/monitor/program_names.h"

#define LINE_BYTES 8192
#define FILE_BYTES ((off_t)16 << 20) /* bytes beyond this size are not read */
#define REGIONS_MAX 4096U
#define NAME_BYTES 256
#define QUOTED_BYTES 40

/*
 * The value in names.homes of a page that has had several homes. For any other page, the value is
 * its home plus one.
 */
#define MOVED UINT64_MAX

/**
 * struct names - The file of names, and the names that were read from it.
 * @file: descriptor of the file; it belongs to the caller
 * @at: number of bytes that were read
 * @line: the beginning of a line that is not complete yet
 * @used: number of bytes in @line
 * @number: number of the current line, from 1
 * @pages: for each page of the card, the number to add to its page number to get the program's page
 *         number
 * @homes: homes of the program's pages
 * @regions: number of regions that were added
 * @problem: -errno of the first line that could not be parsed; 0: no error
 * @problem_text: message of @problem
 */
struct names {
	int file;
	off_t at;
	char line[LINE_BYTES];
	size_t used;
	unsigned long number;
	struct page_ranges pages;
	struct page_ranges homes;
	unsigned int regions;
	int problem;
	char problem_text[192];
};

void smile_names_free(struct names *names)
{
	if (!names)
		return;
	page_ranges_free(&names->pages);
	page_ranges_free(&names->homes);
	free(names);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/*
 * Read a hexadecimal number, and advance *@text to the text after it. Return: 1; 0 if @text does
 * not begin with a number.
 */
static int number_take(const char **text, uint64_t *number)
{
	size_t digits;

	*text += **text == ' ';
	digits = strspn(*text, "0123456789abcdef");
	if (!digits || digits > 16)
		return 0;
	*number = strtoull(*text, NULL, 16);
	*text += digits;
	return 1;
}

static int is_extent(uint64_t page, uint64_t pages)
{
	return pages && page < MAP_PAGES && pages <= MAP_PAGES - page;
}

/* Parse the words of a line `pages`: "FIRST COUNT TO". */
static int pages_take(struct names *names, const char *text)
{
	uint64_t first, count, to;

	if (!number_take(&text, &first) || !number_take(&text, &count) || !number_take(&text, &to))
		return -EPROTO;
	if (*text || !is_extent(first, count) || !is_extent(to, count))
		return -EPROTO;
	return page_ranges_set(&names->pages, first, first + count - 1, to - first);
}

static int home_set(struct names *names, uint64_t page, uint64_t node)
{
	const struct page_range *before = page_ranges_find(&names->homes, page);

	if (before && before->value == node + 1)
		return 0;
	return page_ranges_set(&names->homes, page, page, before ? MOVED : node + 1);
}

/* Parse the words of a line `homes`: "PAGE NODES", with two digits for each page. */
static int homes_take(struct names *names, const char *text)
{
	char digits[3] = "";
	uint64_t page, pages;
	int error = 0;

	if (!number_take(&text, &page) || *text++ != ' ')
		return -EPROTO;
	pages = strlen(text) / 2;
	if (strspn(text, "0123456789abcdef") != 2 * pages || text[2 * pages] ||
	    !is_extent(page, pages))
		return -EPROTO;
	for (uint64_t i = 0; i < pages && !error; i++) {
		memcpy(digits, text + 2 * i, 2);
		error = home_set(names, page + i, strtoull(digits, NULL, 16));
	}
	return error;
}

/* Parse the words of a line `moved`: "PAGE COUNT". */
static int moved_take(struct names *names, const char *text)
{
	uint64_t page, count;

	if (!number_take(&text, &page) || !number_take(&text, &count) || *text ||
	    !is_extent(page, count))
		return -EPROTO;
	return page_ranges_set(&names->homes, page, page + count - 1, MOVED);
}

static int region_known(struct Monitor *mon, const struct Monitor_region *region)
{
	for (size_t i = 0; i < mon->map.regions_count; i++) {
		const struct Monitor_region *there = &mon->map.regions[i];

		if (there->start == region->start && there->end == region->end &&
		    there->offset == region->offset && there->kind == region->kind &&
		    !strcmp(there->name, region->name))
			return 1;
	}
	return 0;
}

/* Parse the words of a line `region`: "START END ITEM NAME". */
static int region_take(struct Monitor *mon, const char *text)
{
	struct Monitor_region region = {.kind = MONITOR_REGION_NAMED};
	int error;

	if (!number_take(&text, &region.start) || !number_take(&text, &region.end) ||
	    !number_take(&text, &region.offset) || *text++ != ' ')
		return -EPROTO;
	region.name = text;
	if (!*text || strlen(text) >= NAME_BYTES || region.start >= region.end ||
	    region.offset > region.end - region.start)
		return -EPROTO;
	if (region_known(mon, &region))
		return 0;
	if (mon->names->regions == REGIONS_MAX)
		return -E2BIG;
	error = Monitor_region_add(mon, &region);
	mon->names->regions += !error;
	return error == -EINVAL ? -EPROTO : error;
}

/*
 * Parse a line. If the first word is unknown, ignore the line, because a later version may define
 * the word. Return: 0; -errno.
 */
static int line_take(struct Monitor *mon, const char *line)
{
	struct names *names = mon->names;

	if (!strncmp(line, "pages ", 6))
		return pages_take(names, line + 6);
	if (!strncmp(line, "homes ", 6))
		return homes_take(names, line + 6);
	if (!strncmp(line, "moved ", 6))
		return moved_take(names, line + 6);
	if (!strncmp(line, "region ", 7))
		return region_take(mon, line + 7);
	return 0;
}

/* Store the first error. Counting continues, and the error is reported at the end. */
static void problem_note(struct names *names, int error, const char *line)
{
	char quoted[QUOTED_BYTES + 1];
	size_t i;

	if (names->problem)
		return;
	for (i = 0; i < QUOTED_BYTES && line[i]; i++)
		quoted[i] = (char)(line[i] >= ' ' && line[i] <= '~' ? line[i] : '?');
	quoted[i] = '\0';
	names->problem = error;
	snprintf(names->problem_text, sizeof(names->problem_text),
		 error == -ENOMEM ? "no memory for line %lu of the program's names of its memory"
		 : error == -E2BIG
			 ? "line %lu of the program's names of its memory is one too many: "
			   "the recording lacks names"
			 : "line %lu of the program's names of its memory is not "
			   "understood, and left out: '%s'",
		 names->number, quoted);
}

/* Parse all complete lines. Return: the number of bytes of these lines. */
static size_t lines_take(struct Monitor *mon)
{
	struct names *names = mon->names;
	char *line = names->line, *end;

	while ((end = memchr(line, '\n', names->used - (size_t)(line - names->line)))) {
		int error;

		*end = '\0';
		names->number++;
		error = line_take(mon, line);
		if (error < 0)
			problem_note(names, error, line);
		line = end + 1;
	}
	return (size_t)(line - names->line);
}

static void file_read(struct Monitor *mon)
{
	struct names *names = mon->names;

	while (names->at < FILE_BYTES) {
		ssize_t got = pread(names->file, names->line + names->used,
				    sizeof(names->line) - names->used, names->at);
		size_t taken;

		if (got <= 0)
			return;
		names->at += got;
		names->used += (size_t)got;
		taken = lines_take(mon);
		names->used -= taken;
		memmove(names->line, names->line + taken, names->used);
		if (names->used < sizeof(names->line))
			continue;
		names->line[names->used - 1] = '\0';
		names->number++;
		problem_note(names, -EPROTO, names->line);
		/*
		 * The line is too long. Its rest counts as another line, which cannot be parsed
		 * either.
		 */
		names->used = 0;
	}
	problem_note(names, -E2BIG, "");
}

/* ---- records -------------------------------------------------------------------------------- */

/* Change the address in a record from the card's address to the program's address. */
static void record_move(struct names *names, struct smile_record *record)
{
	uint32_t low = le32toh(record->word[2]), high = le32toh(record->word[3]);
	uint32_t kind = SMILE_GET(SMILE_RECORD_KIND, le32toh(record->word[0]));
	const struct page_range *to;
	uint64_t address;

	if (kind != SMILE_KIND_DYNAMIC && kind != MONITOR_KIND_COUNT)
		return;
	address = (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, high) << 32 | low;
	to = page_ranges_find(&names->pages, address / SMILE_PAGE_BYTES);
	if (!to)
		return;
	address += to->value * SMILE_PAGE_BYTES;
	high = (high & ~SMILE_RECORD_ADDRESS_HIGH) |
	       SMILE_PUT(SMILE_RECORD_ADDRESS_HIGH, (uint32_t)(address >> 32));
	record->word[2] = htole32((uint32_t)address);
	record->word[3] = htole32(high);
}

int smile_names_read(struct Monitor *mon, struct smile_source *source, struct smile_record *records,
		     size_t capacity, int timeout_ms)
{
	int got = source->ops->read(source, records, capacity, timeout_ms);
	struct names *names = mon->names;
	unsigned int regions;

	if (got <= 0 || !names)
		return got;
	regions = names->regions;
	file_read(mon);
	/*
	 * Write the names now. Processes that follow the recording need them, and so do readers if
	 * the recording is never closed.
	 */
	if (names->regions != regions)
		smile_program_write(mon);
	for (int i = 0; i < got && names->pages.count; i++)
		record_move(names, &records[i]);
	return got;
}

/* ---- public --------------------------------------------------------------------------------- */

int Monitor_names_follow(struct Monitor *mon, int file)
{
	struct smile_info info;
	int error;

	if (mon->cards || mon->streams_count > 1 || mon->streams[0].source->take ||
	    mon->streams[0].source->ops == &smile_source_file)
		return smile_error(EOPNOTSUPP, "names can be followed only for one card that "
					       "counts a program");
	if (mon->records || mon->names)
		return smile_error(EBUSY, "names can be followed only from the first record, and "
					  "only once");
	error = Monitor_info(mon, &info);
	if (error < 0)
		return error;
	if (info.config.mode & SMILE_MODE_NARROW)
		return smile_error(EOPNOTSUPP, "a card with narrow node ids counts at addresses "
					       "that cannot be translated");
	mon->names = calloc(1, sizeof(*mon->names));
	if (!mon->names)
		return smile_error(ENOMEM, "no memory for names");
	mon->names->file = file;
	return 0;
}

int Monitor_names_end(struct Monitor *mon)
{
	struct names *names = mon->names;
	int error = 0;

	if (!names)
		return smile_error(ENOENT, "no names are followed: Monitor_names_follow()");
	file_read(mon);
	for (size_t i = 0; i < names->homes.count && !error; i++) {
		const struct page_range *run = &names->homes.items[i];

		if (run->value != MOVED)
			error = Monitor_home_add(mon, run->first, run->last - run->first + 1,
						 (unsigned int)run->value - 1);
	}
	if (!error && names->problem)
		error = smile_error(-names->problem, "%s", names->problem_text);
	mon->names = NULL;
	smile_names_free(names);
	return error;
}
