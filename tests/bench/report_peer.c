/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Other ways to make the reports of `smile report`, and the digest of their rows:
 *
 * 	report_peer HOW VIEW FILE [OUT]   HOW: library (the public C API), or a way of
 * 	                                  report_sqlite.c; VIEW: pages, top, transfers; OUT: file
 * 	                                  for the output
 * 	report_peer lines                 rows on standard input, seven numbers a line
 *
 * Prints one line, which is the same for the same rows. For SQLite, the time of the query without
 * the load follows.
 */
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "tests/bench/report_digest.h"

static void need(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "report_peer: %s\n", Monitor_error_message());
	exit(2);
}

static int library_page(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	for (size_t i = 0; i < count; i++) {
		const struct Monitor_histogram_row *row = &rows[i];

		digest_row(opaque, (uint64_t[]){row->page, row->home, row->source, row->accesses,
						row->reads, row->writes, row->locks});
	}
	return 0;
}

/* The ten pages with the most accesses so far, sorted, and their rows. */
static uint64_t best[VIEW_TOP_ROWS + 1][DIGEST_NUMBERS];

static int library_top(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	uint64_t sum[DIGEST_NUMBERS] = {rows->page, rows->home};
	unsigned int at = VIEW_TOP_ROWS;

	for (size_t i = 0; i < count; i++) {
		sum[3] += rows[i].accesses;
		sum[4] += rows[i].reads;
		sum[5] += rows[i].writes;
		sum[6] += rows[i].locks;
	}
	for (; at && sum[3] > best[at - 1][3]; at--)
		memcpy(best[at], best[at - 1], sizeof(sum));
	memcpy(best[at], sum, sizeof(sum));
	return 0;
}

static void library_transfers(struct Monitor *mon, struct digest *digest)
{
	size_t nodes = (size_t)Monitor_nodes(mon);
	uint64_t *counts = calloc(nodes * nodes + 1, sizeof(*counts));

	if (!counts)
		exit(2);
	need(Monitor_get_packets(mon, counts, nodes));
	for (size_t i = 0; i < nodes * nodes; i++)
		if (counts[i])
			digest_row(digest,
				   (uint64_t[]){0, i % nodes, i / nodes, counts[i], 0, 0, 0});
	free(counts);
}

static void library_report(enum report_view view, const char *path, struct digest *digest)
{
	struct Monitor *mon;

	need(Monitor_open(&mon, path));
	need(view == VIEW_TRANSFERS ? Monitor_nodes_only(mon) : Monitor_ranges_only(mon, 0, 0));
	while (!Monitor_ended(mon))
		need(Monitor_poll(mon, 0));
	if (view == VIEW_PAGES)
		need(Monitor_walk_pages(mon, library_page, digest));
	else if (view == VIEW_TOP)
		need(Monitor_walk_pages(mon, library_top, NULL));
	else
		library_transfers(mon, digest);
	for (unsigned int i = 0; i < VIEW_TOP_ROWS && best[i][3]; i++)
		digest_row(digest, best[i]);
	need(Monitor_close(mon));
}

static int lines(struct digest *digest)
{
	uint64_t n[DIGEST_NUMBERS];
	int got;

	while ((got = scanf("%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64
			    "%" SCNu64,
			    &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6])) == DIGEST_NUMBERS)
		digest_row(digest, n);
	return got == EOF ? 0 : 2;
}

int main(int argc, char **argv)
{
	static const char *const views[] = {"pages", "top", "transfers"};
	struct digest digest = {0};
	int view = 0, status = 0;

	if (argc == 2 && !strcmp(argv[1], "lines")) {
		status = lines(&digest);
	} else {
		if (argc < 4 || argc > 5 || (argc == 5 && !freopen(argv[4], "w", stdout)))
			return 2;
		while (view < 3 && strcmp(argv[2], views[view]))
			view++;
		if (view == 3)
			return 2;
		if (!strcmp(argv[1], "library"))
			library_report((enum report_view)view, argv[3], &digest);
		else
			status = sqlite_report(argv[1], (enum report_view)view, argv[3], &digest);
	}
	if (status || !digest.rows)
		return 2;
	digest_print(&digest);
	sqlite_print();
	return 0;
}
