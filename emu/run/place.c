// SPDX-License-Identifier: MIT
/*
 * emu/run: the placement file.
 *
 * What lives here: its parser. A line says where pages are to lie, or in which order threads are to
 * take a lock for the first time:
 *
 *	pages FIRST[-LAST] node N
 *	bytes ADDRESS+COUNT node N
 *	order ADDRESS threads T,T,...
 *
 * # begins a comment. Numbers are decimal, or hexadecimal after 0x. Of two lines for a page the
 * later one holds. Pages that no line names lie where the program or the policy says.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "emu/run/parts.h"

#define PLACE_PAGE_MAX ((1ULL << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES - 1)

/**
 * struct place_line - A line's meaning.
 */
struct place_line {
	uint64_t start;
	uint64_t bytes;
	uint64_t node;
};

/* A number, and *@text behind it. Return: 0; -1 if there is none. */
static int number_take(const char **text, uint64_t *number)
{
	int base = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X') ? 16 : 10;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -1;
	errno = 0;
	*number = strtoull(*text, &end, base);
	*text = end;
	return errno ? -1 : 0;
}

/* "17-20", in pages, or "0x7000+4096", in bytes */
static int range_parse(const char *kind, const char *text, struct place_line *line)
{
	uint64_t first, second;

	if (number_take(&text, &first) < 0)
		return -1;
	if (!strcmp(kind, "pages")) {
		second = first;
		if (*text == '-' && (text++, number_take(&text, &second) < 0))
			return -1;
		if (*text || first > second || second > PLACE_PAGE_MAX)
			return -1;
		line->start = first * SMILE_PAGE_BYTES;
		line->bytes = (second - first + 1) * SMILE_PAGE_BYTES;
		return 0;
	}
	if (strcmp(kind, "bytes") || *text++ != '+' || number_take(&text, &second) < 0 || *text)
		return -1;
	line->start = first;
	line->bytes = second;
	return second && first < 1ULL << SMILE_ADDRESS_BITS &&
			       second <= (1ULL << SMILE_ADDRESS_BITS) - first
		       ? 0
		       : -1;
}

/* ---- orders ---------------------------------------------------------------------------------- */

/* "0,3,1". Return: 0; -EINVAL; -ENOMEM. */
static int threads_parse(const char *text, struct schedule_order *order)
{
	unsigned *threads = calloc(strlen(text) + 1, sizeof(*threads));
	uint64_t number;

	order->threads = threads;
	if (!threads)
		return -ENOMEM;
	for (;;) {
		if (number_take(&text, &number) < 0 || number >= SCHEDULE_THREADS_MAX)
			return -EINVAL;
		threads[order->count++] = (unsigned)number;
		if (*text++ != ',')
			return text[-1] ? -EINVAL : 0;
	}
}

static int order_add(struct run_orders *orders, uint64_t lock, const char *threads)
{
	int err = array_reserve(&orders->list, &orders->capacity, orders->count,
				sizeof(*orders->list));

	if (err < 0)
		return err;
	orders->list[orders->count] = (struct schedule_order){.lock = lock};
	return threads_parse(threads, &orders->list[orders->count++]);
}

void run_orders_free(struct run_orders *orders)
{
	for (size_t i = 0; i < orders->count; i++)
		free((unsigned *)orders->list[i].threads);
	free(orders->list);
	*orders = (struct run_orders){0};
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Return: 1; 0 if there is nothing in it or it is an order, which @orders has then; -errno. */
static int line_parse(char *text, struct place_line *line, struct run_orders *orders)
{
	static const char blanks[] = " \t\r\n";
	char *rest, *kind, *range, *word, *node;
	const char *at;

	text[strcspn(text, "#")] = '\0';
	kind = strtok_r(text, blanks, &rest);
	if (!kind)
		return 0;
	range = strtok_r(NULL, blanks, &rest);
	word = strtok_r(NULL, blanks, &rest);
	node = strtok_r(NULL, blanks, &rest);
	if (!node || strtok_r(NULL, blanks, &rest))
		return -EINVAL;
	at = range;
	if (!strcmp(kind, "order") && !strcmp(word, "threads") &&
	    number_take(&at, &line->start) == 0 && !*at)
		return order_add(orders, line->start, node);
	at = node;
	if (strcmp(word, "node") || number_take(&at, &line->node) < 0 || *at)
		return -EINVAL;
	return range_parse(kind, range, line) < 0 ? -EINVAL : 1;
}

static int line_apply(const char *file, size_t number, const struct place_line *line,
		      struct machine *machine)
{
	if (line->node >= machine_nodes(machine))
		return run_error(-EINVAL,
				 "%s: line %zu: there is no node %" PRIu64 ": the machine has %u, "
				 "see --nodes",
				 file, number, line->node, machine_nodes(machine));
	if (machine_place(machine, line->start, line->bytes, (unsigned)line->node, PLACEMENT_USER) <
	    0)
		return run_error(-ENOMEM, "%s: line %zu: no memory for it", file, number);
	return 0;
}

int run_place_apply(const char *file, struct machine *machine, struct run_orders *orders)
{
	FILE *in = fopen(file, "re");
	char *text = NULL;
	size_t room = 0;
	int status = 0;

	if (!in)
		return run_error(-errno, "the placement file %s: %s", file, strerror(errno));
	for (size_t number = 1; !status && getline(&text, &room, in) >= 0; number++) {
		struct place_line line;
		int parsed = line_parse(text, &line, orders);

		if (parsed == -ENOMEM)
			status = run_error(-ENOMEM, "%s: line %zu: no memory for it", file, number);
		else if (parsed < 0)
			status = run_error(
				-EINVAL,
				"%s: line %zu is none of \"pages FIRST[-LAST] node N\", \"bytes "
				"ADDRESS+COUNT node N\" and \"order ADDRESS threads T,T,...\"",
				file, number);
		else if (parsed)
			status = line_apply(file, number, &line, machine);
	}
	if (!status && ferror(in))
		status = run_error(-EIO, "the placement file %s: %s", file, strerror(errno));
	free(text);
	fclose(in);
	return status;
}
