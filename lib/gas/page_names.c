/* SPDX-License-Identifier: MIT */
/*
 * Page names: reports the space to a recorder of this node's card.
 *
 * What lives here: the lines of the file that the environment variable SMILE_NAMES names, in the
 * format of docs/recording.md. Before a recorder processes a record of the card, it reads all lines
 * that were written before the card made the record. For this reason, all lines are written before
 * any node can access the pages. If a line cannot be written, it is left out. This does not change
 * the counts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/gas/gas.h"

#define BASE_PAGE (GAS_BASE / GAS_PAGE_BYTES)

/* Write all lines in one call, so that lines of other processes are not mixed with them. */
static void text_append(const char *path, const char *text, size_t bytes)
{
	int file = *path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY) : -1;

	while (file >= 0 && bytes) {
		ssize_t wrote = write(file, text, bytes);

		if (wrote <= 0)
			break;
		text += wrote;
		bytes -= (size_t)wrote;
	}
	if (file >= 0)
		close(file);
}

static void extents_print(FILE *to, const struct Gas *gas)
{
	size_t i;

	for (i = 0; i < gas->extents; i++) {
		const struct extent *extent = &gas->extent[i];
		uint64_t start = GAS_BASE + extent->page * GAS_PAGE_BYTES;

		fprintf(to, "region %llx %llx %zx %s\n", (unsigned long long)start,
			(unsigned long long)start + extent->pages * GAS_PAGE_BYTES,
			extent->item_bytes, extent->name);
	}
}

static void homes_print(FILE *to, const struct Gas *gas)
{
	size_t page;

	for (page = 0; page < gas->pages; page++) {
		if (page % GAS_HOMES_MAX == 0)
			fprintf(to, "%shomes %llx ", page ? "\n" : "",
				(unsigned long long)BASE_PAGE + page);
		fprintf(to, "%02x", gas->home[page]);
	}
	fputc('\n', to);
}

static void space_print(FILE *to, const struct Gas *gas, const bool *changed)
{
	unsigned int node;

	extents_print(to, gas);
	for (node = 0; node < gas->nodes; node++)
		fprintf(to, "pages %llx %zx %llx\n", (unsigned long long)gas->peer[node].first_page,
			gas->pages, (unsigned long long)BASE_PAGE);
	homes_print(to, gas);
}

static void moves_print(FILE *to, const struct Gas *gas, const bool *changed)
{
	size_t page, end;

	for (page = 0; page < gas->pages; page = end) {
		for (end = page + 1; end < gas->pages && changed[end] == changed[page];)
			end++;
		if (changed[page])
			fprintf(to, "moved %llx %zx\n", (unsigned long long)BASE_PAGE + page,
				end - page);
	}
}

/* Append the lines that @print writes to the file. @changed: passed to @print */
static void lines_append(void (*print)(FILE *, const struct Gas *, const bool *),
			 const struct Gas *gas, const bool *changed)
{
	const char *path = secure_getenv("SMILE_NAMES");
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = path ? open_memstream(&text, &bytes) : NULL;

	if (!to)
		return;
	print(to, gas, changed);
	if (!fclose(to) && bytes)
		text_append(path, text, bytes);
	free(text);
}

void gas_names_share(const struct Gas *gas)
{
	lines_append(space_print, gas, NULL);
}

void gas_names_move(const struct Gas *gas, const bool *changed)
{
	lines_append(moves_print, gas, changed);
}
