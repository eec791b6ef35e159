/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * report_make KIND RECORDS FILE: write a recording of node 0, for the bench of reports.
 *
 * 	program  the records of a card with its reset values, for a program like FFT: 4 nodes, 65536
 * 	         pages round-robin. Node 0 sees its own pages and the pages that it uses. There are
 * 	         six streams of one-word records, by rows of a page and by columns over 64 pages,
 * 	         reads, then writes, a lock now and then, 8 phases
 * 	random   any word of a million pages, any of 64 nodes, any type
 *
 * What lives here: the accesses. The program uses the library's writer, because no frames would
 * make a card write exactly these records. The accesses are always the same: they depend on no
 * clock and no seed.
 */
#include <endian.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "lib/recording/recording.h"

#define BUNCH 4096U
#define PHASES 8U
#define PROGRAM_PAGES 65536U
#define RANDOM_PAGES (1U << 20)
#define FIRST_PAGE 0x55550000ULL

static uint64_t state = 1;

/* A linear congruential generator. Use its upper bits only. */
static uint32_t any(uint32_t below)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)((state >> 32) * below >> 32);
}

static struct smile_record words(uint32_t first, uint32_t second, uint64_t rest)
{
	struct smile_record record = {{htole32(first), htole32(second), htole32((uint32_t)rest),
				       htole32((uint32_t)(rest >> 32))}};

	return record;
}

static struct smile_record counted(uint32_t type, uint32_t source, uint32_t home, uint64_t page,
				   uint32_t word, uint32_t count)
{
	uint64_t address = (FIRST_PAGE + page) * SMILE_PAGE_BYTES + word * SMILE_WORD_BYTES;

	return words(SMILE_KIND_DYNAMIC | SMILE_PUT(SMILE_RECORD_TYPE, type) |
			     SMILE_PUT(SMILE_RECORD_CAUSE, SMILE_CAUSE_CAPACITY) |
			     SMILE_PUT(SMILE_RECORD_COUNT, count),
		     SMILE_PUT(SMILE_RECORD_SOURCE, source) |
			     SMILE_PUT(SMILE_RECORD_DESTINATION, home),
		     address);
}

static struct smile_record mark(uint32_t phase)
{
	return words(SMILE_KIND_EVENT | SMILE_RECORD_PHASE |
			     SMILE_PUT(SMILE_RECORD_CAUSE, SMILE_RAISED_BLINK) |
			     SMILE_PUT(SMILE_RECORD_COUNT, 0U),
		     0, (phase + 1) * 1000000ULL);
}

/**
 * struct walk - The accesses of one node to the pages of another node.
 * @source: the node that accesses
 * @home: the node whose pages are accessed
 * @at: the current position
 * @left: number of records until another walk continues
 */
struct walk {
	uint32_t source;
	uint32_t home;
	uint64_t at;
	uint32_t left;
};

static struct walk walks[] = {
	{.source = 1, .home = 0}, {.source = 2, .home = 0}, {.source = 3, .home = 0},
	{.source = 0, .home = 1}, {.source = 0, .home = 2}, {.source = 0, .home = 3},
};

/*
 * 64 pages of 8-byte numbers, accessed first by rows, then by columns; each home has every fourth
 * page.
 */
static struct smile_record program(void)
{
	static struct walk *walk = walks;
	uint64_t block, within, page;
	uint32_t word, type;

	if (!walk->left) {
		walk = &walks[any(sizeof(walks) / sizeof(walks[0]))];
		walk->left = 4 + any(13);
	}
	walk->left--;
	block = walk->at / (64 * 512);
	within = walk->at++ % (64 * 512);
	page = block / 2 * 64 + (block % 2 ? within % 64 : within / 512);
	word = 2 * (uint32_t)(block % 2 ? within / 64 : within % 512);
	/* Two reads, then one write. One word in a thousand is a lock. */
	type = within % 3 == 2 ? SMILE_TYPE_WRITE : SMILE_TYPE_READ;
	if (word == 1000)
		type = SMILE_TYPE_LOCK;
	return counted(type, walk->source, walk->home, page % (PROGRAM_PAGES / 4) * 4 + walk->home,
		       word, 1 + (within % 16 == 0));
}

static struct smile_record random_one(void)
{
	uint32_t page = any(RANDOM_PAGES);

	return counted(SMILE_TYPE_READ + any(3), any(64), page % 64, page, any(1024), 1 + any(3));
}

static void need(int result)
{
	if (result >= 0)
		return;
	fprintf(stderr, "report_make: %s\n", Monitor_error_message());
	exit(2);
}

int main(int argc, char **argv)
{
	static struct smile_record records[BUNCH];
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_info info = {.size = sizeof(info), .abi = SMILE_ABI_VERSION};
	struct recording_writer *writer;
	uint64_t count, done;
	uint32_t phases = 0;
	int is_program;

	if (argc != 4 || (strcmp(argv[1], "program") && strcmp(argv[1], "random")))
		return 2;
	is_program = !strcmp(argv[1], "program");
	count = strtoull(argv[2], NULL, 10);
	Monitor_config_default(&info.config);
	need(smile_recording_create(&writer, argv[3], "report_make", &info, NULL, 0));
	for (done = 0; done < count;) {
		size_t bunch = count - done < BUNCH ? (size_t)(count - done) : BUNCH;

		for (size_t i = 0; i < bunch; i++) {
			/* At the end of a phase, a mark replaces the record. */
			if (is_program && (done + i + 1) * PHASES / count > phases) {
				records[i] = mark(phases++);
				continue;
			}
			records[i] = is_program ? program() : random_one();
			statistics.events_accepted +=
				SMILE_GET(SMILE_RECORD_COUNT, le32toh(records[i].word[0]));
		}
		need(smile_recording_append(writer, records, bunch));
		done += bunch;
	}
	statistics.records_written = count;
	need(smile_recording_finish(writer, &statistics));
	return 0;
}
