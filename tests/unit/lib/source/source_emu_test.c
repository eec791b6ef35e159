/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/source/source_emu.c and lib/monitor/monitor.c, with a card in this process. */
#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"
#include <hw/blink.h>

static struct Monitor *started(uint32_t entries)
{
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.entries = entries;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	return mon;
}

static void pass(struct Monitor *mon, uint64_t address)
{
	uint64_t words[3] = {htole64(1ULL | 3ULL << 16), htole64(address), 0};

	assert_int_equal(Monitor_packet(mon, words, sizeof(words), 0), 0);
}

static struct Monitor_loss loss_of(struct Monitor *mon)
{
	struct Monitor_loss loss = {0};

	assert_int_equal(Monitor_loss(mon, &loss), 0);
	return loss;
}

static void emu_more_records_than_the_ring_holds_all_wait(void **state)
{
	struct Monitor *mon = started(1);
	struct Monitor_loss loss;
	int got, taken = 0;

	for (uint64_t i = 0; i < 5000; i++)
		pass(mon, 4 * i);
	while ((got = Monitor_poll(mon, 0)) > 0)
		taken += got;
	assert_int_equal(taken, 5000);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.balanced && loss.accepted == 5000 && loss.lost == 0);
	Monitor_close(mon);
}

/* More frames than one call passes at a time, and more records than fit in the ring. */
#define MANY 3000

static void emu_packets_in_one_call_are_as_one_by_one(void **state)
{
	static uint64_t words[MANY][3];
	static struct Monitor_frame frames[MANY];
	static struct smile_record single[2 * MANY], batch[2 * MANY];
	struct Monitor *a = started(1), *b = started(1);
	int records = 0, got;

	for (unsigned int i = 0; i < MANY; i++) {
		words[i][0] = htole64(1ULL | 3ULL << 16);
		words[i][1] = htole64(4 * i);
		frames[i] = (struct Monitor_frame){words[i], sizeof(words[i]), 100 * i};
		assert_int_equal(Monitor_packet(a, words[i], sizeof(words[i]), 100 * i), 0);
	}
	assert_int_equal(Monitor_packets(b, frames, 0), 0);
	assert_int_equal(Monitor_packets(b, frames, MANY), MANY);
	while ((got = Monitor_records_read(a, single + records, MANY, 0)) > 0)
		records += got;
	assert_int_equal(records, MANY);
	for (records = 0; (got = Monitor_records_read(b, batch + records, MANY, 0)) > 0;)
		records += got;
	assert_int_equal(records, MANY);
	assert_memory_equal(single, batch, MANY * sizeof(single[0]));
	/* A stopped card also accepts frames, but does not count them. */
	assert_int_equal(Monitor_stop(b), 0);
	assert_int_equal(Monitor_packets(b, frames, MANY), MANY);
	assert_int_equal(Monitor_poll(b, 0), 0);
	assert_true(loss_of(b).accepted == MANY);
	Monitor_close(a);
	Monitor_close(b);
}

static void emu_requests_are_as_their_packets(void **state)
{
	static uint64_t words[MANY][3];
	static struct Monitor_frame frames[MANY];
	static uint64_t requests[MANY], times_ns[MANY];
	static struct smile_record packet[MANY], request[MANY];
	struct Monitor *a = started(16), *b = started(16);
	int of_a = 0, of_b = 0, got;

	for (unsigned int i = 0; i < MANY; i++) {
		words[i][0] = htole64(1ULL | 0x13ULL << 16 | 5ULL << 32);
		words[i][1] = htole64(4 * (i / 2 * 7));
		frames[i] = (struct Monitor_frame){words[i], sizeof(words[i]), 100 * i};
		times_ns[i] = 100 * i;
		requests[i] = Monitor_request(1, 5, SMILE_TYPE_WRITE, 4 * (i / 2 * 7));
	}
	assert_int_equal(Monitor_packets(a, frames, MANY), MANY);
	assert_int_equal(Monitor_requests(b, requests, times_ns, 0), 0);
	assert_int_equal(Monitor_requests(b, requests, times_ns, MANY), MANY);
	while ((got = Monitor_records_read(a, packet + of_a, MANY, 0)) > 0)
		of_a += got;
	while ((got = Monitor_records_read(b, request + of_b, MANY, 0)) > 0)
		of_b += got;
	assert_in_range(of_a, MANY / 2 - 16, MANY - 1);
	assert_int_equal(of_b, of_a);
	assert_memory_equal(packet, request, sizeof(packet));
	/* A stopped card also accepts requests, but does not count them. */
	assert_int_equal(Monitor_stop(b), 0);
	assert_int_equal(Monitor_requests(b, requests, times_ns, MANY), MANY);
	assert_int_equal(Monitor_poll(b, 0), 0);
	assert_true(loss_of(b).accepted == MANY);
	Monitor_close(a);
	Monitor_close(b);
}

/* One recorder reads its card at times, the other never does. Both recordings must be equal. */
static void emu_requests_of_a_recorder_reach_the_recording(void **state)
{
	static uint64_t requests[MANY], times_ns[MANY];
	static struct smile_record kept[MANY], recorded[MANY + 1];
	struct Monitor *a = started(16), *b = started(16), *back;
	char path[128];
	int of_a = 0, of_b = 0, got;

	for (unsigned int i = 0; i < MANY; i++) {
		times_ns[i] = 100 * i;
		requests[i] = Monitor_request(0, 1, SMILE_TYPE_READ, 4 * i);
	}
	snprintf(path, sizeof(path), "%s", scratch_path("requests.rec"));
	assert_int_equal(Monitor_record_only(b), 0);
	assert_int_equal(Monitor_save(b, path, NULL), 0);
	assert_int_equal(Monitor_requests(a, requests, times_ns, MANY), MANY);
	assert_int_equal(Monitor_requests(b, requests, times_ns, MANY / 2), MANY / 2);
	/* The ring was full twice, and the library has read the first records without a call. */
	assert_true(loss_of(b).records >= 1024);
	assert_int_equal(Monitor_requests(b, requests + MANY / 2, times_ns + MANY / 2, MANY / 2),
			 MANY / 2);
	assert_true(loss_of(b).records >= 2048);
	while ((got = Monitor_poll(b, 0)) > 0)
		of_b += got;
	assert_in_range(of_b, 1, 1024);
	assert_int_equal(Monitor_swap(b), 15);
	assert_true(loss_of(b).balanced && loss_of(b).delivered == MANY);
	assert_int_equal(Monitor_close(b), 0);
	while ((got = Monitor_records_read(a, kept + of_a, MANY, 0)) > 0)
		of_a += got;
	assert_int_equal(of_a, MANY - 15);
	assert_int_equal(Monitor_open(&back, path), 0);
	for (of_b = 0; (got = Monitor_records_read(back, recorded + of_b, MANY, 0)) > 0;)
		of_b += got;
	assert_int_equal(of_b, MANY);
	assert_memory_equal(recorded, kept, (MANY - 15) * sizeof(kept[0]));
	Monitor_close(a);
	Monitor_close(back);
}

static void emu_swap_delivers_what_is_in_the_array(void **state)
{
	struct Monitor *mon = started(16);
	struct Monitor_loss loss;

	for (uint64_t i = 0; i < 10; i++)
		pass(mon, 4 * i);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.pending == 10 && !loss.balanced);
	assert_int_equal(Monitor_swap(mon), 10);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.pending == 0 && loss.balanced);
	Monitor_close(mon);
}

static void emu_configure_needs_stop_and_keeps_what_was_counted(void **state)
{
	struct Monitor *mon = started(16);
	struct smile_config config;

	pass(mon, 0);
	Monitor_config_default(&config);
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	assert_int_equal(Monitor_stop(mon), 0);
	config.entries = 65;
	assert_int_equal(Monitor_config_set(mon, &config), -EINVAL);
	assert_true(loss_of(mon).delivered == 0);
	config.node = 9;
	config.filter ^= SMILE_FILTER_PACKETS;
	config.entries = 2;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_true(loss_of(mon).delivered == 1);
	/* The record is decoded with the configuration that was set when it was counted. */
	assert_int_equal(Monitor_histogram_info(mon, NULL, 0), 1);
	Monitor_close(mon);
}

static void emu_records_read_without_room_is_refused(void **state)
{
	struct Monitor *mon = started(1);
	struct smile_record record;

	pass(mon, 0);
	assert_int_equal(Monitor_records_read(mon, &record, 0, 0), -EINVAL);
	assert_int_equal(Monitor_records_read(mon, &record, 1, 0), 1);
	Monitor_close(mon);
}

static void emu_save_that_could_not_balance_is_refused(void **state)
{
	struct Monitor *mon = started(1);

	pass(mon, 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_save(mon, scratch_path("late.rec"), NULL), -EBUSY);
	Monitor_close(mon);

	/* The balance would also lack a record that has no count. */
	mon = started(1);
	assert_int_equal(Monitor_event(mon, 0), 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_save(mon, scratch_path("late.rec"), NULL), -EBUSY);
	assert_non_null(strstr(Monitor_error_message(), "records were read already"));
	Monitor_close(mon);
}

/* The header must be written anew, but the waiting records cannot be written. */
static void configured_on_a_full_disk(int (*set)(struct Monitor *mon))
{
	struct rlimit limit, small = {.rlim_cur = 100};
	struct Monitor *mon = started(1);
	struct smile_record record;
	int taken = 0;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(Monitor_save(mon, scratch_path("header.rec"), NULL), 0);
	pass(mon, 0);
	pass(mon, 4);
	while (Monitor_poll(mon, 0) > 0)
		taken++;
	assert_true(taken > 0);
	assert_int_equal(Monitor_stop(mon), 0);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(set(mon), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	/* The error is reported once. Later counts are only in the Monitor. */
	assert_int_equal(set(mon), 0);
	assert_int_equal(Monitor_start(mon), 0);
	pass(mon, 8);
	pass(mon, 12);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_true(Monitor_swap(mon) > 0);
	assert_true(loss_of(mon).balanced && loss_of(mon).delivered == 4);
	assert_int_equal(Monitor_close(mon), -EFBIG);

	assert_int_equal(Monitor_open(&mon, scratch_path("header.rec")), 0);
	while ((taken = Monitor_records_read(mon, &record, 1, 0)) > 0)
		continue;
	assert_int_equal(taken, 0);
	assert_true(!loss_of(mon).known && loss_of(mon).delivered <= 2);
	Monitor_close(mon);
}

static int set_range(struct Monitor *mon)
{
	struct smile_info info;

	assert_int_equal(Monitor_info(mon, &info), 0);
	info.config.max_range_bytes = 64;
	return Monitor_config_set(mon, &info.config);
}

static int set_tables(struct Monitor *mon)
{
	struct smile_static tables;

	Monitor_static_default(&tables);
	return Monitor_static_set(mon, &tables);
}

static void emu_configure_on_a_full_disk_keeps_the_recording_readable(void **state)
{
	configured_on_a_full_disk(set_range);
	configured_on_a_full_disk(set_tables);
}

/*
 * The disk is full after the header. The Monitor must still count everything, and report the error.
 */
static void emu_save_on_a_full_disk_goes_on_counting(void **state)
{
	struct rlimit limit, small = {.rlim_cur = 20000};
	struct Monitor *mon = started(1);
	int got, errors = 0, taken = 0;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small.rlim_max = limit.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(Monitor_save(mon, scratch_path("full.rec"), NULL), 0);
	setrlimit(RLIMIT_FSIZE, &small);
	for (uint64_t i = 0; i < 20000; i++)
		pass(mon, 4 * i);
	while ((got = Monitor_poll(mon, 0)) != 0) {
		errors += got < 0;
		taken += got > 0 ? got : 0;
	}
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(errors, 1);
	assert_int_equal(taken, 20000);
	assert_true(loss_of(mon).delivered == 20000);
	/* Another failure in between does not change the message. */
	assert_int_equal(Monitor_page_home(mon, UINT64_MAX), -ENOENT);
	assert_int_equal(Monitor_close(mon), -EFBIG);
	assert_non_null(strstr(Monitor_error_message(), "full.rec"));

	assert_int_equal(Monitor_open(&mon, scratch_path("full.rec")), 0);
	assert_true(Monitor_poll(mon, 0) > 0);
	assert_int_equal(loss_of(mon).known, 0);
	Monitor_close(mon);
}

static void emu_configure_while_saving_keeps_the_records_meaning(void **state)
{
	struct smile_config config;
	struct smile_info info;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.node = 7;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save(mon, scratch_path("busy.rec"), NULL), 0);
	config.node = 8;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.node = 7;
	config.filter = SMILE_FILTER_ALL & ~SMILE_FILTER_REQUEST;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.filter = SMILE_FILTER_DEFAULT & ~SMILE_FILTER_LOCK;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.filter = SMILE_FILTER_DEFAULT & ~SMILE_FILTER_FOREIGN;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.filter = SMILE_FILTER_DEFAULT;
	config.mode = SMILE_MODE_DEFAULT ^ SMILE_MODE_TYPED_TAGS;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.mode = SMILE_MODE_DEFAULT | SMILE_MODE_NARROW;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	config.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	assert_non_null(strstr(Monitor_error_message(), "configure first, then save"));
	/* These settings do not change the meaning of a record. */
	config.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC | SMILE_MODE_ALIGNED |
		      SMILE_MODE_FAITHFUL_TABLE | SMILE_MODE_HOST_RING;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	config.mode = SMILE_MODE_DEFAULT;
	config.entries = 1;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	pass(mon, 0);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	assert_int_equal(Monitor_close(mon), 0);

	assert_int_equal(Monitor_open(&mon, scratch_path("busy.rec")), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_true(info.config.node == 7 && info.config.entries == 1);
	assert_int_equal(Monitor_poll(mon, 0), 1);
	Monitor_close(mon);
}

static void emu_start_without_configuration_marks_phases(void **state)
{
	struct Monitor *mon;
	struct smile_info info;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_int_equal(info.config.phase_events, 1);
	assert_true(info.status & SMILE_INFO_RUNNING);
	pass(mon, 0);
	assert_int_equal(Monitor_event(mon, 0), 0);
	assert_int_equal(Monitor_poll(mon, 0), 2);
	assert_int_equal(Monitor_phases(mon, NULL, 0), 1);
	assert_int_equal(Monitor_event(mon, 65536), -EINVAL);
	Monitor_close(mon);
}

static void emu_capture_is_passed_to_its_end(void **state)
{
	uint64_t words[3] = {htole64(1ULL | 3ULL << 16), 0, 0};
	struct Monitor_capture *capture;
	struct smile_statistics statistics;
	struct Monitor *mon;
	char source[160];
	int taken = 0, got;

	assert_int_equal(Monitor_capture_create(&capture, scratch_path("in.pcap")), 0);
	for (uint64_t i = 0; i < 3000; i++) {
		words[1] = htole64(i * 64);
		Monitor_capture_write(capture, words, sizeof(words), i);
	}
	Monitor_capture_close(capture);
	snprintf(source, sizeof(source), "emu:%s", scratch_path("in.pcap"));
	assert_int_equal(Monitor_open(&mon, source), 0);
	assert_int_equal(Monitor_packet(mon, words, sizeof(words), 0), -EOPNOTSUPP);
	assert_int_equal(Monitor_start(mon), 0);
	assert_int_equal(Monitor_ended(mon), 0);
	while ((got = Monitor_poll(mon, -1)) > 0)
		taken += got;
	assert_int_equal(Monitor_ended(mon), 1);
	Monitor_stop(mon);
	taken += Monitor_swap(mon);
	assert_int_equal(taken, 3000);
	assert_int_equal(Monitor_statistics(mon, &statistics), 0);
	assert_true(statistics.packets_seen == 3000 && statistics.clock_ns == 2999);
	Monitor_close(mon);
}

static void emu_info_reports_what_was_configured(void **state)
{
	struct smile_config config;
	struct smile_info info;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_int_equal(info.static_counters, 16);
	assert_int_equal(info.features, SMILE_FEATURE_HOST_RING | SMILE_FEATURE_TIMER);
	Monitor_config_default(&config);
	config.node = 31;
	config.mode = SMILE_MODE_ALL;
	config.timer_us = 1000;
	config.timer_event = 9;
	config.time_us = UINT32_MAX;
	config.watermark_records = 77;
	config.latency_us = 5;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_memory_equal(&info.config, &config, sizeof(config));
	config.timer_event = 16;
	assert_int_equal(Monitor_config_set(mon, &config), -EINVAL);
	/*
	 * With the default configuration, the ring in host memory is released, and can be used
	 * anew.
	 */
	Monitor_config_default(&config);
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_info(mon, &info), 0);
	assert_memory_equal(&info.config, &config, sizeof(config));
	config.mode |= SMILE_MODE_HOST_RING;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static struct Monitor *started_with_ring(uint32_t mode)
{
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.entries = 1;
	config.mode |= mode;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	return mon;
}

/* Send three times as many records as fit in the ring, together or one by one. */
static void emu_host_ring_hands_out_the_same_records(void **state)
{
	struct Monitor *mon[] = {started_with_ring(0), started_with_ring(SMILE_MODE_HOST_RING)};
	static struct smile_record records[2][8192];

	for (unsigned int ring = 0; ring < 2; ring++) {
		size_t taken = 0;
		int got;

		for (uint64_t i = 0; i < 13000; i++) {
			pass(mon[ring], 4 * i);
			if (i % 5000 == 1)
				assert_int_equal(
					Monitor_records_read(mon[ring], records[ring], 1, 0), 1);
		}
		while ((got = Monitor_records_read(mon[ring], records[ring] + taken % 4096, 4096,
						   0)) > 0)
			taken += (size_t)got;
		assert_int_equal(taken, 13000 - 3);
		assert_true(loss_of(mon[ring]).balanced);
	}
	assert_memory_equal(records[0], records[1], sizeof(records[0]));
	assert_int_equal(Monitor_close(mon[0]), 0);
	assert_int_equal(Monitor_close(mon[1]), 0);
}

/*
 * The card changes to the other ring after each part of the traffic. All records must be read in
 * order.
 */
static void emu_ring_changes_lose_nothing(void **state)
{
	struct Monitor *mon = started_with_ring(0);
	struct smile_record records[64];
	struct smile_config config;
	struct smile_info info;

	for (unsigned int stretch = 0; stretch < 5; stretch++) {
		for (unsigned int i = 0; i < 10; i++)
			pass(mon, 4096 * stretch + 4 * i);
		assert_int_equal(Monitor_records_read(mon, records, 64, 0), 10);
		for (unsigned int i = 0; i < 10; i++)
			assert_int_equal(le32toh(records[i].word[2]), 4096 * stretch + 4 * i);
		pass(mon, 0);
		assert_int_equal(Monitor_stop(mon), 0);
		assert_int_equal(Monitor_info(mon, &info), 0);
		config = info.config;
		config.mode ^= SMILE_MODE_HOST_RING;
		assert_int_equal(Monitor_config_set(mon, &config), 0);
		assert_true(loss_of(mon).delivered == 11 * (stretch + 1));
		assert_int_equal(Monitor_start(mon), 0);
	}
	assert_true(loss_of(mon).balanced);
	assert_int_equal(Monitor_close(mon), 0);
}

/* Between two frames, there are more timer events than fit in any ring. None may be lost. */
static void emu_timer_waits_for_room(void **state)
{
	static const uint32_t modes[] = {0, SMILE_MODE_HOST_RING};

	for (unsigned int ring = 0; ring < 2; ring++) {
		uint64_t words[3] = {htole64(1ULL | 3ULL << 16), 0, 0};
		struct smile_statistics statistics;
		struct smile_record records[1000];
		struct smile_config config;
		struct Monitor *mon;
		int got, taken = 0;

		assert_int_equal(Monitor_open(&mon, "emu:"), 0);
		Monitor_config_default(&config);
		config.mode |= modes[ring];
		config.timer_us = 1;
		config.timer_event = 3;
		assert_int_equal(Monitor_config_set(mon, &config), 0);
		assert_int_equal(Monitor_start(mon), 0);
		assert_int_equal(Monitor_packet(mon, words, sizeof(words), 5000), 0);
		assert_int_equal(Monitor_packet(mon, words, sizeof(words), 9005000), 0);
		while ((got = Monitor_records_read(mon, records, 1000, 0)) > 0) {
			for (int i = 0; i < got; i++) {
				struct Monitor_record record;

				assert_int_equal(Monitor_record_decode(&records[i], &record), 0);
				assert_int_equal(record.kind, SMILE_KIND_EVENT);
				assert_int_equal(record.cause, SMILE_RAISED_TIMER);
				assert_int_equal(record.time_ns, 5000 + 1000 * (uint64_t)(++taken));
			}
		}
		assert_int_equal(taken, 9000);
		assert_int_equal(Monitor_statistics(mon, &statistics), 0);
		assert_true(statistics.marks_lost == 0 && statistics.clock_ns == 9005000);
		Monitor_close(mon);
	}
}

/* The same for a capture: its frames wait until the timer's records are written. */
static void emu_capture_waits_for_the_timer(void **state)
{
	uint64_t words[3] = {htole64(1ULL | 3ULL << 16), 0, 0};
	struct Monitor_capture *capture;
	struct smile_config config;
	struct Monitor *mon;
	char source[160];
	int got, taken = 0;

	assert_int_equal(Monitor_capture_create(&capture, scratch_path("slow.pcap")), 0);
	for (uint64_t i = 0; i < 4; i++)
		Monitor_capture_write(capture, words, sizeof(words), 1000 + i * 2000000);
	assert_int_equal(Monitor_capture_close(capture), 0);
	snprintf(source, sizeof(source), "emu:%s", scratch_path("slow.pcap"));
	assert_int_equal(Monitor_open(&mon, source), 0);
	Monitor_config_default(&config);
	config.time_us = 1;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	while ((got = Monitor_poll(mon, 0)) > 0)
		taken += got;
	assert_int_equal(got, 0);
	assert_int_equal(Monitor_ended(mon), 1);
	assert_int_equal(taken, 6000);
	assert_int_equal(Monitor_stop(mon), 0);
	assert_int_equal(Monitor_swap(mon), 1);
	assert_true(loss_of(mon).delivered == 4 && loss_of(mon).balanced);
	assert_int_equal(Monitor_close(mon), 0);
}

static void open_unknown_or_impossible_source_names_the_remedy(void **state)
{
	static const struct {
		const char *source;
		int error;
		const char *word;
	} cases[] = {
		{"usb:0", -EINVAL, "dev:N"},
		{"dev:/nonexistent", -ENOENT, "modprobe"},
		{"dev:/dev/null", -ENOTTY, "not a SMiLE Monitor"},
		{"file:/nonexistent", -ENOENT, "/nonexistent"},
		{"/nonexistent", -ENOENT, "/nonexistent"},
		{"emu:/nonexistent", -ENOENT, "/nonexistent"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct Monitor *mon = NULL;

		assert_int_equal(Monitor_open(&mon, cases[i].source), cases[i].error);
		assert_null(mon);
		if (!strstr(Monitor_error_message(), cases[i].word))
			fail_msg("\"%s\" does not say \"%s\"", Monitor_error_message(),
				 cases[i].word);
	}
}

static void recording_cannot_be_run(void **state)
{
	struct smile_config config;
	struct Monitor *mon;

	write_recording(scratch_path("still.rec"), 0, NULL, 0, 0);
	assert_int_equal(Monitor_open(&mon, scratch_path("still.rec")), 0);
	Monitor_config_default(&config);
	assert_int_equal(Monitor_config_set(mon, &config), -EOPNOTSUPP);
	assert_int_equal(Monitor_start(mon), -EOPNOTSUPP);
	assert_int_equal(Monitor_stop(mon), -EOPNOTSUPP);
	assert_int_equal(Monitor_swap(mon), -EOPNOTSUPP);
	assert_int_equal(Monitor_event(mon, 0), -EOPNOTSUPP);
	assert_int_equal(Monitor_packets(mon, NULL, 0), -EOPNOTSUPP);
	assert_int_equal(Monitor_requests(mon, NULL, NULL, 0), -EOPNOTSUPP);
	assert_non_null(strstr(Monitor_error_message(), "file:"));
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(emu_more_records_than_the_ring_holds_all_wait),
		cmocka_unit_test(emu_packets_in_one_call_are_as_one_by_one),
		cmocka_unit_test(emu_requests_are_as_their_packets),
		cmocka_unit_test(emu_requests_of_a_recorder_reach_the_recording),
		cmocka_unit_test(emu_swap_delivers_what_is_in_the_array),
		cmocka_unit_test(emu_configure_needs_stop_and_keeps_what_was_counted),
		cmocka_unit_test(emu_records_read_without_room_is_refused),
		cmocka_unit_test(emu_save_that_could_not_balance_is_refused),
		cmocka_unit_test(emu_save_on_a_full_disk_goes_on_counting),
		cmocka_unit_test(emu_configure_on_a_full_disk_keeps_the_recording_readable),
		cmocka_unit_test(emu_configure_while_saving_keeps_the_records_meaning),
		cmocka_unit_test(emu_start_without_configuration_marks_phases),
		cmocka_unit_test(emu_capture_is_passed_to_its_end),
		cmocka_unit_test(emu_info_reports_what_was_configured),
		cmocka_unit_test(emu_host_ring_hands_out_the_same_records),
		cmocka_unit_test(emu_ring_changes_lose_nothing),
		cmocka_unit_test(emu_timer_waits_for_room),
		cmocka_unit_test(emu_capture_waits_for_the_timer),
		cmocka_unit_test(open_unknown_or_impossible_source_names_the_remedy),
		cmocka_unit_test(recording_cannot_be_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
