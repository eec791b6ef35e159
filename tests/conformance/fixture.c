/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's sources: see fixture.h. May use cmocka, the public API and POSIX.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <base/field.h>

#include "tests/conformance/fixture.h"

#define SETTLE_MS 300000

static const char *conformance_name;
/* The guest's end of the channel that leads to the card's B-Link, on the host. */
static const char *conformance_port;

static uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- emu: and file: ------------------------------------------------------------------------ */

static int emu_open(struct conformance *c)
{
	return Monitor_open(&c->mon, "emu:");
}

static int emu_feed(struct conformance *c, const void *frame, size_t bytes, uint64_t time_ns)
{
	return Monitor_packet(c->mon, frame, bytes, time_ns);
}

/*
 * Called after configuring, because the node id and the kind of packets cannot change within a
 * recording.
 */
static int file_configured(struct conformance *c)
{
	const char *directory = getenv("TMPDIR");
	int fd;

	snprintf(c->path, sizeof(c->path), "%s/smile-conformance-XXXXXX",
		 directory ? directory : P_tmpdir);
	fd = mkstemp(c->path);
	if (fd < 0) {
		c->path[0] = 0;
		return -errno;
	}
	close(fd);
	return Monitor_save(c->mon, c->path, "conformance file:");
}

static int file_finish(struct conformance *c)
{
	char source[sizeof("file:") + sizeof(c->path)];
	int ret = Monitor_close(c->mon);

	c->mon = NULL;
	if (ret < 0)
		return ret;
	/*
	 * The records so far were read from the card; the following ones are read from the
	 * recording.
	 */
	c->record_count = 0;
	memset(&c->base, 0, sizeof(c->base));
	snprintf(source, sizeof(source), "file:%s", c->path);
	return Monitor_open(&c->mon, source);
}

/* ---- dev: and read: ------------------------------------------------------------------------ */

static int dev_open(struct conformance *c)
{
	return Monitor_open(&c->mon, c->name);
}

/*
 * A capture in the format of pcap, written here and not by Monitor_capture_write():
 * Monitor_capture_write() may buffer frames until the capture is closed. This capture stays open
 * for the whole run, because its header must be sent only once.
 */
static FILE *dev_port;

static int dev_feed(struct conformance *c, const void *frame, size_t bytes, uint64_t time_ns)
{
	/* Nanosecond magic, version 2.4, no zone, no accuracy, longest frame, link type. */
	static const uint32_t header[] = {0xa1b23c4d, 4 << 16 | 2, 0, 0, 65535, BLINK_LINKTYPE};
	const uint32_t stamp[] = {time_ns / 1000000000, time_ns % 1000000000, bytes, bytes};

	if (!dev_port) {
		dev_port = fopen(conformance_port, "wbe");
		if (!dev_port)
			return -errno;
		fwrite(header, sizeof(header), 1, dev_port);
	}
	fwrite(stamp, sizeof(stamp), 1, dev_port);
	fwrite(frame, bytes, 1, dev_port);
	return ferror(dev_port) ? -EIO : 0;
}

static void take(struct conformance *c, int timeout_ms);

static int dev_settle(struct conformance *c)
{
	struct smile_statistics now;
	uint64_t deadline_ms = clock_ms() + SETTLE_MS;

	if (dev_port && fflush(dev_port) != 0)
		return -errno;
	do {
		conformance_statistics(c, &now);
		if (now.packets_seen >= c->fed)
			return 0;
		take(c, 2);
	} while (clock_ms() < deadline_ms);
	print_error("%s saw %llu of the %llu frames sent to %s\n", c->name,
		    (unsigned long long)now.packets_seen, (unsigned long long)c->fed,
		    conformance_port);
	return -ETIMEDOUT;
}

static const struct conformance_source sources[] = {
	{
		.prefix = "emu:",
		.packets = true,
		.open = emu_open,
		.feed = emu_feed,
	},
	{
		.prefix = "file:",
		.recording = true,
		.packets = true,
		.open = emu_open,
		.configured = file_configured,
		.feed = emu_feed,
		.finish = file_finish,
	},
	{
		.prefix = "dev:",
		.open = dev_open,
		.feed = dev_feed,
		.settle = dev_settle,
	},
	{
		.prefix = "read:",
		.open = dev_open,
		.feed = dev_feed,
		.settle = dev_settle,
	},
	{
		.prefix = "pci:",
		.polled = true,
		.open = dev_open,
		.feed = dev_feed,
		.settle = dev_settle,
	},
};

/* ---- what the cases call ------------------------------------------------------------------- */

const struct conformance_source *conformance_source_find(const char *name)
{
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (strncmp(name, sources[i].prefix, strlen(sources[i].prefix)) == 0)
			return &sources[i];
	return NULL;
}

void conformance_name_set(const char *name, const char *port)
{
	conformance_name = name;
	conformance_port = port;
}

int conformance_setup(void **state)
{
	struct conformance *c = calloc(1, sizeof(*c));

	if (!c)
		return -1;
	c->name = conformance_name;
	if (*state)
		c->ring_mode = *(const uint32_t *)*state;
	c->source = conformance_source_find(c->name);
	*state = c;
	return c->source ? 0 : -1;
}

int conformance_teardown(void **state)
{
	struct conformance *c = *state;
	int ret = Monitor_close(c->mon);

	if (c->path[0])
		unlink(c->path);
	free(c->frames);
	free(c->records);
	free(c);
	return ret;
}

/* A call of the API that must succeed; if it fails, the case fails with the call's own message. */
static void must(struct conformance *c, const char *what, int ret)
{
	if (ret < 0)
		fail_msg("%s: %s: %s (%s)", c->name, what, strerror(-ret), Monitor_error_message());
}

/* Read the available records, and keep them for the cases that check records. */
static void take(struct conformance *c, int timeout_ms)
{
	int got;

	do {
		if (c->record_capacity - c->record_count < 256) {
			size_t capacity = c->record_capacity + 4096;
			void *grown = realloc(c->records, capacity * sizeof(*c->records));

			assert_non_null(grown);
			c->records = grown;
			c->record_capacity = capacity;
		}
		got = Monitor_records_read(c->mon, c->records + c->record_count, 256, timeout_ms);
		must(c, "Monitor_records_read", got);
		assert_true(got <= 256);
		c->record_count += got;
	} while (got > 0);
}

void conformance_open(struct conformance *c, const struct smile_config *config)
{
	struct smile_config with_ring = *config;
	int ret = c->source->open(c);

	must(c, "open", ret);
	assert_non_null(c->mon);
	with_ring.mode |= c->ring_mode;
	must(c, "Monitor_config_set", Monitor_config_set(c->mon, &with_ring));
	if (c->tables)
		must(c, "Monitor_static_set", Monitor_static_set(c->mon, c->tables));
	if (c->source->configured)
		must(c, "configured", c->source->configured(c));
	must(c, "Monitor_start", Monitor_start(c->mon));
	must(c, "Monitor_statistics", Monitor_statistics(c->mon, &c->base));
	/*
	 * The time stamps continue, because the clock never goes back, and a card exists longer
	 * than its Monitors.
	 */
	c->now_ns = c->base.clock_ns;
}

void conformance_close(struct conformance *c)
{
	struct Monitor *mon = c->mon;

	c->mon = NULL;
	must(c, "Monitor_close", Monitor_close(mon));
	if (c->path[0])
		unlink(c->path);
	c->path[0] = 0;
	c->fed = 0;
	c->record_count = 0;
}

void conformance_frame_add(struct conformance *c, unsigned int command, unsigned int source,
			   unsigned int target, unsigned int transaction, uint64_t bd2)
{
	struct conformance_frame *frame;

	if (c->frame_count == c->frame_capacity) {
		size_t capacity = 2 * c->frame_capacity + 64;
		void *grown = realloc(c->frames, capacity * sizeof(*frame));

		assert_non_null(grown);
		c->frames = grown;
		c->frame_capacity = capacity;
	}
	frame = &c->frames[c->frame_count++];
	memset(frame, 0, sizeof(*frame));
	frame->word[0] = SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
			 SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
			 SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)target) |
			 SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)transaction);
	frame->word[1] = bd2;
	frame->bytes = 3 * BLINK_WORD_BYTES;
	c->now_ns += 100;
	frame->time_ns = c->now_ns;
}

void conformance_feed(struct conformance *c)
{
	for (size_t i = 0; i < c->frame_count; i++) {
		const struct conformance_frame *frame = &c->frames[i];
		uint64_t words[4];

		for (unsigned int n = 0; n < 4; n++)
			words[n] = htole64(frame->word[n]);
		must(c, "feed", c->source->feed(c, words, frame->bytes, frame->time_ns));
		c->fed++;
		/* Reads are rare, so that more records accumulate than the card's ring holds.
		 * But there are some, so that the driver's ring advances. */
		if (c->fed % 2500 == 0)
			take(c, 0);
	}
	c->frame_count = 0;
	if (c->source->settle)
		must(c, "settle", c->source->settle(c));
	take(c, 0);
}

void conformance_records_await(struct conformance *c, size_t count)
{
	uint64_t deadline_ms = clock_ms() + SETTLE_MS;

	while (c->record_count < count && clock_ms() < deadline_ms)
		take(c, 100);
}

void conformance_records_await_all(struct conformance *c)
{
	struct smile_statistics statistics;

	conformance_statistics(c, &statistics);
	while (c->record_count < statistics.records_written) {
		size_t before = c->record_count;

		conformance_records_await(c, statistics.records_written);
		assert_true(c->record_count > before);
		conformance_statistics(c, &statistics);
	}
}

void conformance_finish(struct conformance *c)
{
	must(c, "Monitor_stop", Monitor_stop(c->mon));
	take(c, 0);
	must(c, "Monitor_swap", Monitor_swap(c->mon));
	take(c, 0);
	if (c->source->finish)
		must(c, "finish", c->source->finish(c));
	if (c->source->recording) {
		take(c, 0);
		assert_int_equal(Monitor_ended(c->mon), 1);
	}
}

void conformance_statistics(struct conformance *c, struct smile_statistics *statistics)
{
	struct smile_statistics now;

	must(c, "Monitor_statistics", Monitor_statistics(c->mon, &now));
	*statistics = now;
#define SINCE(member) statistics->member -= c->base.member
	SINCE(packets_seen);
	SINCE(packets_malformed);
	SINCE(packets_unmatched);
	SINCE(packets_filtered);
	SINCE(packets_event);
	SINCE(events_accepted);
	SINCE(events_lost);
	SINCE(events_delivered);
	SINCE(marks_lost);
	SINCE(extensions);
	SINCE(records_written);
	SINCE(static_counted);
	SINCE(static_delivered);
#undef SINCE
}
