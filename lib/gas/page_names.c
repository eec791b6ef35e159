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

/*
 * Write all lines in one call of write(), so that lines of other processes do not appear between
 * them.
 */
static void text_append(const char *text, size_t bytes)
{
	const char *path = secure_getenv("SMILE_NAMES");
	int file = path && *path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY) : -1;

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

void gas_names_share(const struct Gas *gas)
{
	unsigned int node;
	char *text = NULL;
	size_t bytes = 0;
	FILE *to;

	if (!secure_getenv("SMILE_NAMES"))
		return;
	to = open_memstream(&text, &bytes);
	if (!to)
		return;
	extents_print(to, gas);
	for (node = 0; node < gas->nodes; node++)
		fprintf(to, "pages %llx %zx %llx\n", (unsigned long long)gas->peer[node].first_page,
			gas->pages, (unsigned long long)BASE_PAGE);
	homes_print(to, gas);
	if (!fclose(to))
		text_append(text, bytes);
	free(text);
}

void gas_names_move(const struct Gas *gas, const bool *changed)
{
	char *text = NULL;
	size_t bytes = 0, page, end;
	FILE *to;

	if (!secure_getenv("SMILE_NAMES"))
		return;
	to = open_memstream(&text, &bytes);
	if (!to)
		return;
	for (page = 0; page < gas->pages; page = end) {
		for (end = page + 1; end < gas->pages && changed[end] == changed[page];)
			end++;
		if (changed[page])
			fprintf(to, "moved %llx %zx\n", (unsigned long long)BASE_PAGE + page,
				end - page);
	}
	if (!fclose(to) && bytes)
		text_append(text, bytes);
	free(text);
}
