/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tests' reader of a trace stream: runs a program under the tracer, drains all channels while
 * it runs, and keeps what it reported.
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
 * @words: @count of them, @room allocated
 * @complete: ended by END, as opposed to by the death of its process
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
 * @options: of the plugin, or NULL
 * @plugin: the tracer
 * @emulator: qemu-x86_64
 * @preload: the preload library, or NULL
 * @pause_us: before each look at the channels, so that they run full
 * @discard: words are not kept
 * @spoil: the memory is no stream
 * @stop_early: after some words, tell the program's side to stop
 * @turns: turns are promised, and none is given
 * @asleep: the reader says that it sleeps; after the run, whether nobody has woken it
 * @status: of the program, as of wait(2)
 * @words: in all
 * @regions: REGION records, @unmaps: UNMAP records, @live: regions that were not gone at the end
 * @errors: what came on standard error
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
 * reader_run() - Run @argv, whose first is the program. Return: 0, or -errno.
 */
int reader_run(struct reader *reader, char *const argv[]);
void reader_free(struct reader *reader);

struct stream_region *reader_regions(const struct reader *reader);

#endif /* TESTS_TRACER_READER_H */
