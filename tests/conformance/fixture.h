/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the conformance suite's records come from: every source behind one table of operations.
 *
 * What lives here: the frames that a case sends, and their way to the Monitor under test. The cases
 * use only the flags below to distinguish sources, so that all sources must keep the same promises.
 * May use cmocka and <smile/monitor.h>, the public API, and <hw/blink.h> to build frames.
 */
#ifndef TESTS_CONFORMANCE_FIXTURE_H
#define TESTS_CONFORMANCE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hw/blink.h>
#include <smile/monitor.h>

/**
 * struct conformance_frame - A B-Link frame to send.
 * @word: host byte order; turned into little-endian bytes when sent
 * @bytes: its length, at most sizeof(@word)
 */
struct conformance_frame {
	uint64_t word[4];
	size_t bytes;
	uint64_t time_ns;
};

struct conformance;

/**
 * struct conformance_source - One kind of source.
 * @prefix: the prefix of the names of its sources
 * @recording: after finish(), the Monitor is a recording
 * @packets: before finish(), the Monitor takes Monitor_packet()
 * @polled: it has neither interrupts nor DMA: no ring in host memory
 * @open: open @c->name, not yet configured or started; sets @c->mon
 * @configured: called between configuring and starting; may be NULL
 * @feed: pass one frame
 * @settle: wait until the card has seen every frame that was fed; may be NULL
 * @finish: called after stop and swap, so that @c->mon can answer all queries; may be NULL
 *
 * All return 0 or -errno.
 */
struct conformance_source {
	const char *prefix;
	bool recording;
	bool packets;
	bool polled;
	int (*open)(struct conformance *c);
	int (*configured)(struct conformance *c);
	int (*feed)(struct conformance *c, const void *frame, size_t bytes, uint64_t time_ns);
	int (*settle)(struct conformance *c);
	int (*finish)(struct conformance *c);
};

/**
 * struct conformance - The run of one case.
 * @source: operations
 * @name: the source, as given on the command line
 * @ring_mode: SMILE_MODE_HOST_RING, or 0: each case runs with either ring
 * @tables: static tables that conformance_open() sets; NULL: none
 * @mon: the Monitor under test
 * @base: its statistics before the first frame
 * @now_ns: time stamp of the last frame
 * @frames: frames not yet sent
 * @fed: frames sent
 * @records: records handed out by Monitor_records_read() so far
 * @path: recording being written, "" if none
 */
struct conformance {
	const struct conformance_source *source;
	const char *name;
	uint32_t ring_mode;
	const struct smile_static *tables;
	struct Monitor *mon;
	struct smile_statistics base;
	uint64_t now_ns;
	struct conformance_frame *frames;
	size_t frame_count;
	size_t frame_capacity;
	uint64_t fed;
	struct smile_record *records;
	size_t record_count;
	size_t record_capacity;
	char path[256];
};

/* Find the source by the prefix of its name. Return: NULL if no source has this prefix. */
const struct conformance_source *conformance_source_find(const char *name);

/*
 * Before and after each case; *state is NULL or the ring_mode, then a struct conformance with @name
 * set by main(). @port leads to the card's B-Link, unless the source is fed in this process.
 */
int conformance_setup(void **state);
int conformance_teardown(void **state);
void conformance_name_set(const char *name, const char *port);

/* Open, configure with the case's ring, and start. If this fails, the case fails. */
void conformance_open(struct conformance *c, const struct smile_config *config);

/* Close, so that the source can be opened once more. */
void conformance_close(struct conformance *c);

/* Add a frame to those to be sent, 100 ns after the one before. */
void conformance_frame_add(struct conformance *c, unsigned int command, unsigned int source,
			   unsigned int target, unsigned int transaction, uint64_t bd2);

/* Send the added frames, and read the records that they cause. */
void conformance_feed(struct conformance *c);

/* Wait until @count records were read, or until a time-out.
 */
void conformance_records_await(struct conformance *c, size_t count);

/* Wait until all records that the card has written were read. */
void conformance_records_await_all(struct conformance *c);

/* Stop, swap out, and read all records: afterwards @c->mon can answer all queries. */
void conformance_finish(struct conformance *c);

/* Statistics since conformance_open(). */
void conformance_statistics(struct conformance *c, struct smile_statistics *statistics);

#endif /* TESTS_CONFORMANCE_FIXTURE_H */
