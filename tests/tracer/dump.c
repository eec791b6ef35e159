/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Runs a program under the tracer and prints its reports, or only their number. It is for
 * developers, and for measuring only the tracer.
 *
 *	tracer_dump [-n] [-o OPTIONS] [-p PRELOAD] PLUGIN PROGRAM [ARGS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tracer/reader.h"

static const uint8_t sizes[STREAM_OP_COUNT] = STREAM_OP_WORDS;

static void print_thread(const struct reader_thread *t)
{
	static const char kinds[] = "rwl";
	uint64_t word;
	size_t i, n;
	unsigned int op;

	printf("channel %u pid %u words %zu%s\n", t->channel, t->pid, t->count,
	       t->complete ? "" : " incomplete");
	for (i = 0; i < t->count; i++) {
		word = t->words[i];
		if ((word >> STREAM_KIND_SHIFT & STREAM_KIND) != STREAM_CONTROL) {
			printf("  %c %#lx %u +%u\n", kinds[word >> STREAM_KIND_SHIFT & STREAM_KIND],
			       (unsigned long)(word & STREAM_ADDRESS),
			       1U << (word >> STREAM_SIZE_SHIFT & STREAM_SIZE),
			       (unsigned int)(word >> STREAM_WORK_SHIFT));
			continue;
		}
		op = word >> STREAM_OP_SHIFT & STREAM_OP;
		printf("  op %u %#lx", op, (unsigned long)(word & STREAM_ADDRESS));
		for (n = 1; op < STREAM_OP_COUNT && n < sizes[op] && i + 1 < t->count; n++)
			printf(" %#lx", (unsigned long)t->words[++i]);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	static struct reader r;
	unsigned int i, count;
	bool quiet = false;
	int option;

	r.emulator = "qemu-x86_64";
	while ((option = getopt(argc, argv, "+no:p:")) != -1) {
		if (option == 'n')
			quiet = true;
		else if (option == 'o')
			r.options = optarg;
		else if (option == 'p')
			r.preload = optarg;
		else
			return 2;
	}
	if (argc - optind < 2)
		return 2;
	r.plugin = argv[optind];
	r.discard = quiet;
	if (reader_run(&r, argv + optind + 1) < 0)
		return 1;
	fputs(r.errors, stderr);
	for (i = 0; i < r.threads && !quiet; i++)
		print_thread(&r.thread[i]);
	count = atomic_load(&r.header->regions);
	for (i = 0; i < count && i < STREAM_REGIONS && !quiet; i++)
		printf("region %u kind %u %#lx-%#lx offset %#lx bias %#lx pid %u%s %s\n", i,
		       reader_regions(&r)[i].kind, reader_regions(&r)[i].start,
		       reader_regions(&r)[i].end, reader_regions(&r)[i].offset,
		       reader_regions(&r)[i].bias, reader_regions(&r)[i].pid,
		       reader_regions(&r)[i].gone ? " gone" : "", reader_regions(&r)[i].path);
	printf("status %#x ready %u pids %u claimed %u refused %u words %lu\n", r.status, r.ready,
	       r.pids, r.claimed, r.refused, r.words);
	return WIFEXITED(r.status) ? WEXITSTATUS(r.status) : 1;
}
