// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Makes recordings of known samples, without a machine with several nodes: two nodes, and pages
 * 16 to 20 of a mapping.
 *
 *	page 16: 30 samples of node 0, its home
 *	page 17: 10 of node 0 at home 1, 20 of node 1
 *	page 18: 1 of node 1 at home 0
 *	page 19: 500 of node 1, its home
 *	page 20: 40 of node 1 at home 0
 *
 * Node 0's samples are of thread main; node 1's are of worker-0 on even pages, of worker-1 on odd
 * ones.
 *
 * usage: mksampled PREFIX [shared|stack|chance|memory|child]
 *
 * With shared, processes may share the mapping, and there are 7 samples of other processes. With
 * stack, the log declares pages 19 and 20 as a thread's stack. With child, another process has
 * started the program. With memory, the samples are of accesses. On page 16, node 0 has 720 reads
 * that caches served and 830 reads that caches did not serve; node 1 has 530 reads and 610 writes
 * that caches did not serve. With chance there are other pages:
 *
 *	pages 1016 to 1115: 12 samples of node 1, their home
 *	pages 16 to 1015: 6 samples, each of either node by chance
 */
#include <stdio.h>
#include <string.h>

#include <base/random.h>

#include "run/sample/sample_inside.h"

static const char maps[] = "10000-20000 rw-p 00000000 00:00 0 \n"
			   "30000-40000 rw-p 00000000 00:00 0            [heap]\n";

static const char stack_maps[] = "10000-12000 rw-p 00000000 00:00 0 \n"
				 "12000-13000 ---p 00000000 00:00 0 \n"
				 "13000-15000 rw-p 00000000 00:00 0 \n"
				 "20000-22000 rw-p 00000000 00:00 0 \n";
static const struct Monitor_region stack_logged = {
	.start = 0x13000,
	.end = 0x15000,
	.kind = MONITOR_REGION_STACK,
	.name = "",
};

static const char shared_maps[] = "10000-20000 rw-s 00000000 00:01 77      /a/file\n";

static void message(void *opaque, const char *text)
{
	fprintf(stderr, "mksampled: %s\n", text);
}

static int samples(struct counts *counts, uint64_t page, uint32_t node, unsigned count)
{
	const uint32_t tid = node ? 101 + (uint32_t)(page % 2) : 100;
	char name[THREADS_NAME_BYTES] = "main";
	int failed = 0;

	if (node)
		snprintf(name, sizeof(name), "worker-%u", (unsigned)(page % 2));
	counts->thread = threads_sampled(&counts->threads, tid);
	threads_named(&counts->threads, tid, name);
	for (unsigned i = 0; i < count && !failed; i++)
		failed = counts_fault(counts, page * COUNTS_PAGE_BYTES, node, 0, 0);
	return failed;
}

/* The first fault is not a sample; it shows on which node the page is. */
static int page(struct counts *counts, uint64_t number, uint32_t home, unsigned first,
		unsigned second)
{
	int failed = samples(counts, number, home, 1);

	counts_home(counts, number, home, 0);
	if (!failed)
		failed = samples(counts, number, 0, first);
	return failed ? failed : samples(counts, number, 1, second);
}

static int known_pages(struct counts *counts)
{
	int failed = page(counts, 16, 0, 30, 0);

	if (!failed)
		failed = page(counts, 17, 1, 10, 20);
	if (!failed)
		failed = page(counts, 18, 0, 0, 1);
	if (!failed)
		failed = page(counts, 19, 1, 0, 500);
	return failed ? failed : page(counts, 20, 0, 0, 40);
}

static int accesses(struct counts *counts, uint32_t node, enum counts_type type, bool behind,
		    unsigned count)
{
	const struct counts_access access = {
		.address = 16 * COUNTS_PAGE_BYTES,
		.node = node,
		.home = 0,
		.type = type,
		.behind = behind,
	};
	int failed = 0;

	for (unsigned i = 0; i < count && !failed; i++)
		failed = counts_access(counts, &access);
	return failed;
}

static int accessed_page(struct counts *counts)
{
	return accesses(counts, 0, COUNTS_READ, false, 720) ||
	       accesses(counts, 0, COUNTS_READ, true, 830) ||
	       accesses(counts, 1, COUNTS_READ, true, 530) ||
	       accesses(counts, 1, COUNTS_WRITE, true, 610);
}

static int chance_pages(struct counts *counts)
{
	uint64_t state = 1;
	int failed = 0;

	for (uint64_t number = 16; number < 1016 && !failed; number++) {
		unsigned first = 0;

		for (unsigned i = 0; i < 6; i++)
			first += random_below(&state, 2);
		failed = page(counts, number, 0, first, 6 - first);
	}
	for (uint64_t number = 1016; number < 1116 && !failed; number++)
		failed = page(counts, number, 1, 0, 12);
	return failed;
}

int main(int argc, char **argv)
{
	const struct sample_config config = {
		.prefix = argv[1],
		.command_line = "smile sample known",
		.message = message,
	};
	const struct sample_host host = {.nodes = {0, 1}, .count = 2};
	const bool chance = argc > 2 && !strcmp(argv[2], "chance");
	const bool stack = argc > 2 && !strcmp(argv[2], "stack");
	const bool memory = argc > 2 && !strcmp(argv[2], "memory");
	const bool child = argc > 2 && !strcmp(argv[2], "child");
	const bool shared = argc > 2 && !chance && !stack && !memory && !child;
	const char *const text_of = shared ? shared_maps : stack ? stack_maps : maps;
	struct sample_result result = {
		.source = memory ? SAMPLE_MEMORY : SAMPLE_FAULTS,
		.nodes = 2,
		.samples = 601,
		.behind = 601,
		.remote = 51,
		.first = 5,
		.others = shared ? 7 : 0,
		.all = shared ? 613 : 606,
		.pages = 5,
		.one_of = child,
		.process = 78,
		.parent = 77,
		.command = child ? (char *[]){(char *)"true", NULL} : NULL,
	};
	struct counts counts = {0};
	struct mapped mapped = {0};
	struct program_log log = {
		.phases = {{.elapsed_ns = 1000000000}},
		.phase_count = 1,
	};
	json_t *document;
	FILE *text;
	int failed;

	if (argc < 2)
		return 2;
	text = fmemopen((char *)text_of, strlen(text_of), "r");
	if (chance ? chance_pages(&counts) : memory ? accessed_page(&counts) : known_pages(&counts))
		return 1;
	result.thread_names = sample_threads_json(&counts, &host);
	document = sample_report_json(&result);
	json_decref(result.thread_names);
	failed = !text || mapped_read(&mapped, text) ||
		 (stack && mapped_add(&mapped, &stack_logged)) ||
		 write_recordings(&config, &host, result.source, &counts, &mapped, &log, document);
	fclose(text);
	json_decref(document);
	counts_free(&counts);
	mapped_free(&mapped);
	return failed ? 1 : 0;
}
