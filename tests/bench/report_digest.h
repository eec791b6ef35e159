/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A digest: it represents the rows of a report by one line, which does not depend on their order.
 *
 * What lives here: the digest that the bench of reports compares. If two digests are equal, the
 * rows are equal.
 */
#ifndef TESTS_BENCH_REPORT_DIGEST_H
#define TESTS_BENCH_REPORT_DIGEST_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* The view of the recording, and its name for both programs. */
enum report_view {
	VIEW_PAGES, /* by page, home and source */
	VIEW_TOP, /* the ten pages with the most accesses; of equal pages, the lowest numbers */
	VIEW_TRANSFERS, /* by source and home */
};

#define VIEW_TOP_ROWS 10U

/* A row: page (0 in transfers), home, source (0 in top), accesses, reads, writes, locks (0 in
 * transfers). */
#define DIGEST_NUMBERS 7

/**
 * struct digest - The digest of the rows that were added.
 * @rows: number of rows
 * @accesses: the sum of the rows' accesses
 * @hash: the sum of the rows' hashes
 */
struct digest {
	uint64_t rows;
	uint64_t accesses;
	uint64_t hash;
};

static inline void digest_row(struct digest *digest, const uint64_t number[DIGEST_NUMBERS])
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (int i = 0; i < DIGEST_NUMBERS; i++) {
		hash = (hash ^ number[i]) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 29;
	}
	digest->rows++;
	digest->accesses += number[3];
	digest->hash += hash;
}

static inline void digest_print(const struct digest *digest)
{
	printf("%" PRIu64 " rows, %" PRIu64 " accesses, %016" PRIx64 "\n", digest->rows,
	       digest->accesses, digest->hash);
}

/* Make the same report with SQLite; see report_sqlite.c. Return: exit status. */
int sqlite_report(const char *how, enum report_view view, const char *path, struct digest *digest);

/*
 * Print the cost of the last query: "query", elapsed seconds, processor seconds, kilobytes. Print
 * nothing if there was no query.
 */
void sqlite_print(void);

#endif /* TESTS_BENCH_REPORT_DIGEST_H */
