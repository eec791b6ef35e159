/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tests' reader of a trace stream: it runs a program under the tracer, drains all channels
 * while the program runs, and stores the reports.
 */
#ifndef TESTS_TRACER_READER_H
#define TESTS_TRACER_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/stream.h"

#define READER_CHANNELS 2048U

/**
 * struct reader_thread - The words of one channel, from claim to end.
 * @words: the words; @count of them, in @room allocated ones
 * @complete: ended by END, not by the death of its process
 */
struct reader_thread {
	unsigned int channel;
	uint32_t pid;
	uint64_t *words;
	size_t count;
	size_t room;
	bool complete;
};

/**
 * struct reader - A run.
 * @options: options of the plug-in, or NULL
 * @plugin: the tracer
 * @emulator: qemu-x86_64
 * @preload: the preload library, or NULL
 * @pause_us: pause before each read of the channels, so that they become full
 * @discard: words are not stored
 * @spoil: the memory is not a valid stream
 * @stop_early: after some words, request the tracer to stop, by the header
 * @turns: the header promises turns, but the reader gives none
 * @gathers: the header promises turns, and every turn is given. Threads that wait for turns are
 *	gathered on the last of this process's processors
 * @asleep: the header reports that the reader sleeps; after the run, whether nobody has woken it
 * @status: status of the program, as from wait(2)
 * @words: number of words in all channels
 * @regions: number of REGION records; @unmaps: of UNMAP records; @live: of regions that were
 *	present at the end
 * @errors: the output on standard error
 */
struct reader {
	const char *options;
	const char *plugin;
	const char *emulator;
	const char *preload;
	unsigned int pause_us;
	bool discard;
	bool spoil;
	bool stop_early;
	bool turns;
	bool gathers;
	bool asleep;
	int status;
	uint32_t ready;
	uint32_t pids;
	uint32_t refused;
	uint32_t claimed;
	uint32_t untaken;
	uint64_t words;
	unsigned int regions;
	unsigned int unmaps;
	unsigned int live;
	struct reader_thread thread[READER_CHANNELS];
	unsigned int threads;
	struct stream_header *header;
	char errors[4096];
};

/**
 * reader_run() - Run @argv, whose first element is the program. Return: 0, or -errno.
 */
int reader_run(struct reader *reader, char *const argv[]);
void reader_free(struct reader *reader);

struct stream_region *reader_regions(const struct reader *reader);

#endif /* TESTS_TRACER_READER_H */
