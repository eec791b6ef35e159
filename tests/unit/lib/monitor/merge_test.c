/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/merge.c: several cards in one view, in some tests with a card that does not
 * work.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"
#include "tests/unit/lib_fixture.h"

#define CARDS 3U

/* The cards of nodes 1, 2 and 5, in one view that is started. */
struct cards {
	struct Monitor *view;
	struct Monitor *parts[CARDS];
};

static const unsigned int nodes[CARDS] = {1, 2, 5};

static void cards_open(struct cards *cards)
{
	struct smile_config config;

	Monitor_config_default(&config);
	for (size_t i = 0; i < CARDS; i++) {
		assert_int_equal(Monitor_open(&cards->parts[i], "emu:"), 0);
		config.node = nodes[i];
		assert_int_equal(Monitor_config_set(cards->parts[i], &config), 0);
	}
	assert_int_equal(Monitor_merge(&cards->view, cards->parts, CARDS), 0);
}

static void cards_close(struct cards *cards)
{
	assert_int_equal(Monitor_close(cards->view), 0);
	for (size_t i = 0; i < CARDS; i++)
		assert_int_equal(Monitor_close(cards->parts[i]), 0);
}

/* Send a request that the cards of both nodes count, as in a ring of cables. */
static void both_see(struct cards *cards, size_t from, size_t to, unsigned int count)
{
	const uint64_t request =
		Monitor_request(nodes[from], nodes[to], SMILE_TYPE_READ, 4096 * nodes[to]);

	for (unsigned int i = 0; i < count; i++) {
		const uint64_t time_ns = 0;

		assert_int_equal(Monitor_requests(cards->parts[from], &request, &time_ns, 1), 1);
		assert_int_equal(Monitor_requests(cards->parts[to], &request, &time_ns, 1), 1);
	}
}

static uint64_t delivered(struct Monitor *mon)
{
	struct Monitor_loss loss;

	assert_int_equal(Monitor_loss(mon, &loss), 0);
	return loss.delivered;
}

static uint64_t transfer(struct Monitor *mon, unsigned int from, unsigned int to)
{
	uint64_t counts[36] = {0};

	assert_true(Monitor_get_packets(mon, counts, 6) >= 0);
	return counts[from * 6 + to];
}

static void transaction_counts_once_and_each_account_holds(void **state)
{
	struct Monitor_loss loss, sum = {0};
	struct cards cards;

	cards_open(&cards);
	assert_int_equal(Monitor_start(cards.view), 0);
	both_see(&cards, 0, 1, 7);
	both_see(&cards, 2, 0, 4);
	assert_int_equal(Monitor_stop(cards.view), 0);
	assert_true(Monitor_swap(cards.view) > 0);
	assert_int_equal(transfer(cards.view, 1, 2), 7);
	assert_int_equal(transfer(cards.view, 5, 1), 4);
	for (size_t i = 0; i < CARDS; i++) {
		assert_int_equal(Monitor_loss(cards.parts[i], &loss), 0);
		assert_true(loss.balanced);
		sum.delivered += loss.delivered;
		sum.records += loss.records;
	}
	assert_int_equal(delivered(cards.parts[0]), 11);
	assert_int_equal(Monitor_loss(cards.view, &loss), 0);
	assert_true(loss.balanced && loss.accepted == 22);
	assert_true(loss.delivered == sum.delivered && loss.records == sum.records);
	cards_close(&cards);
}

/*
 * If the records of one card are read separately, they are also in the view. An event ends the
 * phase of all cards.
 */
static void mark_reaches_all_cards(void **state)
{
	struct cards cards;

	cards_open(&cards);
	assert_int_equal(Monitor_start(cards.view), 0);
	both_see(&cards, 0, 1, 2);
	assert_int_equal(Monitor_event(cards.view, 0), 0);
	both_see(&cards, 0, 1, 3);
	for (size_t i = 0; i < CARDS; i++)
		assert_true(Monitor_swap(cards.parts[i]) > 0);
	assert_int_equal(Monitor_phases(cards.view, NULL, 0), 2);
	assert_int_equal(transfer(cards.view, 1, 2), 5);
	cards_close(&cards);
}

static int gone(void)
{
	return smile_error(ENODEV, "the card is gone");
}

static int gone_act(struct smile_source *source)
{
	return gone();
}

static int gone_event(struct smile_source *source, unsigned int event)
{
	return gone();
}

static int gone_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		     int timeout_ms)
{
	return gone();
}

static int gone_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	return gone();
}

/* Make a card behave as if it were removed from the machine: it does not answer. */
static void pull_out(struct Monitor *part, struct smile_source_ops *ops)
{
	struct smile_source *source = part->streams[0].source;

	*ops = *source->ops;
	ops->start = gone_act;
	ops->stop = gone_act;
	ops->swap = gone_act;
	ops->event = gone_event;
	ops->read = gone_read;
	ops->statistics = gone_statistics;
	source->ops = ops;
}

static void card_that_is_gone_is_named_and_the_others_go_on(void **state)
{
	struct smile_source_ops ops;
	struct Monitor_loss loss;
	struct cards cards;

	cards_open(&cards);
	assert_int_equal(Monitor_start(cards.view), 0);
	both_see(&cards, 0, 1, 5);
	assert_true(Monitor_swap(cards.view) > 0);
	assert_int_equal(Monitor_loss(cards.view, &loss), 0);
	pull_out(cards.parts[1], &ops);

	assert_int_equal(Monitor_poll(cards.view, 0), -ENODEV);
	assert_string_equal(Monitor_error_message(), "node 2 (emu:): the card is gone");
	assert_int_equal(Monitor_poll(cards.view, 0), 0);
	assert_int_equal(Monitor_event(cards.view, 0), -ENODEV);
	assert_string_equal(Monitor_error_message(),
			    "not marked: node 2 (emu:): the card is gone; marked: node 1, 5");
	both_see(&cards, 2, 0, 3);
	assert_int_equal(Monitor_swap(cards.view), -ENODEV);
	assert_int_equal(transfer(cards.view, 5, 1), 3);
	assert_int_equal(transfer(cards.view, 1, 2), 5);
	/* The events that the removed card had counted remain in the sums. */
	assert_int_equal(Monitor_loss(cards.view, &loss), 0);
	assert_true(loss.known && loss.accepted == 16 && loss.delivered == 16);
	assert_int_equal(delivered(cards.parts[1]), 5);

	for (size_t i = 0; i < CARDS; i++)
		if (i != 1)
			pull_out(cards.parts[i], &ops);
	assert_int_equal(Monitor_stop(cards.view), -ENODEV);
	assert_non_null(strstr(Monitor_error_message(), "; stopped: no node"));
	assert_int_equal(Monitor_poll(cards.view, 0), -ENODEV);
	assert_int_equal(Monitor_poll(cards.view, 0), -ENODEV);
	assert_int_equal(Monitor_poll(cards.view, -1), -ENODEV);
	assert_string_equal(Monitor_error_message(), "all cards of the view are gone");
	cards_close(&cards);
}

static void configuration_reaches_all_and_keeps_their_nodes(void **state)
{
	struct smile_config config;
	struct smile_info info;
	struct cards cards;

	cards_open(&cards);
	Monitor_config_default(&config);
	config.max_range_bytes = 64;
	config.filter &= ~(uint32_t)SMILE_FILTER_INCOMING;
	assert_int_equal(Monitor_config_set(cards.parts[0], &config), -EBUSY);
	assert_int_equal(Monitor_config_set(cards.view, &config), 0);
	for (size_t i = 0; i < CARDS; i++) {
		assert_int_equal(Monitor_info(cards.parts[i], &info), 0);
		assert_int_equal(info.config.max_range_bytes, 64);
		assert_int_equal(info.config.node, nodes[i]);
	}
	/* From here on, only the card of the source counts the requests. */
	assert_int_equal(Monitor_start(cards.view), 0);
	both_see(&cards, 0, 1, 6);
	assert_true(Monitor_swap(cards.view) > 0);
	assert_int_equal(transfer(cards.view, 1, 2), 6);
	assert_int_equal(delivered(cards.parts[1]), 0);
	assert_int_equal(Monitor_config_set(cards.view, &config), -EBUSY);
	assert_non_null(strstr(Monitor_error_message(), "configured: no node"));
	cards_close(&cards);
}

static void each_card_has_its_recording(void **state)
{
	struct cards cards;
	struct Monitor *mon;
	char *paths[2];

	cards_open(&cards);
	for (size_t i = 0; i < 2; i++) {
		paths[i] = strdup(scratch_path(i ? "second.rec" : "first.rec"));
		assert_int_equal(Monitor_save(cards.parts[i], paths[i], "test"), 0);
	}
	assert_int_equal(Monitor_save(cards.view, scratch_path("all.rec"), "test"), -EOPNOTSUPP);
	assert_int_equal(Monitor_start(cards.view), 0);
	both_see(&cards, 0, 1, 9);
	assert_int_equal(Monitor_stop(cards.view), 0);
	assert_true(Monitor_swap(cards.view) > 0);
	cards_close(&cards);
	assert_int_equal(Monitor_open(&mon, paths[0]), 0);
	assert_int_equal(Monitor_attach(mon, paths[1]), 0);
	while (Monitor_poll(mon, -1) > 0)
		;
	assert_int_equal(transfer(mon, 1, 2), 9);
	Monitor_close(mon);
	for (size_t i = 0; i < 2; i++)
		free(paths[i]);
}

static void what_cannot_be_merged_is_refused(void **state)
{
	const struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 1);
	struct Monitor *parts[2], *view = NULL;
	struct cards cards;

	assert_int_equal(Monitor_merge(&view, NULL, 0), -EINVAL);
	assert_int_equal(Monitor_open(&parts[0], "emu:"), 0);
	assert_int_equal(Monitor_open(&parts[1], "emu:"), 0);
	assert_int_equal(Monitor_merge(&view, parts, 2), -EEXIST);
	assert_string_equal(Monitor_error_message(),
			    "emu: and emu: are both of node 0: one of each node can be merged");
	Monitor_close(parts[1]);
	write_recording(scratch_path("a.rec"), 1, &record, 1, 1);
	assert_int_equal(Monitor_open(&parts[1], scratch_path("a.rec")), 0);
	assert_int_equal(Monitor_merge(&view, parts, 2), -EINVAL);
	assert_int_equal(Monitor_poll(parts[1], 0), 1);
	assert_int_equal(Monitor_merge(&view, parts + 1, 1), -EBUSY);
	assert_null(view);
	Monitor_close(parts[0]);
	Monitor_close(parts[1]);

	/* The view would count the attached recording's records as those of the part's node. */
	write_recording(scratch_path("b.rec"), 2, &record, 1, 1);
	assert_int_equal(Monitor_open(&parts[0], scratch_path("a.rec")), 0);
	assert_int_equal(Monitor_merge(&view, parts, 1), 0);
	assert_int_equal(Monitor_attach(parts[0], scratch_path("b.rec")), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "merged view"));
	Monitor_close(view);
	Monitor_close(parts[0]);

	cards_open(&cards);
	assert_int_equal(Monitor_merge(&view, &cards.parts[0], 1), -EINVAL);
	assert_int_equal(Monitor_merge(&view, &cards.view, 1), -EINVAL);
	assert_int_equal(Monitor_attach(cards.view, scratch_path("a.rec")), -EINVAL);
	cards_close(&cards);
}

/* The view also contains the data about the program at the end of a recording. */
static void recordings_that_grow_are_parts(void **state)
{
	struct smile_info info = {.size = sizeof(info)};
	struct Monitor_region region = {.start = 4096, .end = 8192, .name = "grid"};
	const struct smile_record record = record_dynamic(SMILE_TYPE_READ, 1, 0, 0, 1, 8);
	struct smile_statistics statistics = {.size = sizeof(statistics), .events_accepted = 8};
	struct recording_writer *writers[2];
	struct Monitor *parts[2], *view;
	struct map map = {0};

	Monitor_config_default(&info.config);
	for (unsigned int i = 0; i < 2; i++) {
		const char *path = scratch_path(i ? "right.rec" : "left.rec");

		info.config.node = i;
		assert_int_equal(
			smile_recording_create(&writers[i], path, "test", &info, NULL, 0, NULL), 0);
		assert_int_equal(smile_recording_begin(writers[i]), 0);
		assert_int_equal(Monitor_open(&parts[i], path), 0);
	}
	assert_int_equal(Monitor_merge(&view, parts, 2), 0);
	assert_int_equal(Monitor_follow(view), 0);
	assert_int_equal(smile_recording_append(writers[0], &record, 1), 0);
	assert_int_equal(smile_recording_flush(writers[0]), 0);
	assert_int_equal(Monitor_poll(view, -1), 1);
	assert_int_equal(Monitor_poll(view, 0), 0);
	assert_int_equal(smile_map_region_add(&map, &region), 0);
	assert_int_equal(smile_recording_map(writers[0], &map), 0);
	assert_int_equal(smile_recording_finish(writers[0], &statistics), 0);
	assert_int_equal(Monitor_poll(view, 0), 0);
	assert_int_equal(Monitor_ended(parts[0]), 1);
	assert_int_equal(Monitor_ended(view), 0);
	assert_int_equal(Monitor_region_find(view, 5000, &region), 0);
	assert_int_equal(smile_recording_finish(writers[1], NULL), 0);
	assert_int_equal(Monitor_poll(view, -1), 0);
	assert_int_equal(Monitor_ended(view), 1);
	assert_int_equal(transfer(view, 1, 0), 8);
	assert_int_equal(delivered(parts[0]), 8);
	smile_map_free(&map);
	Monitor_close(view);
	for (unsigned int i = 0; i < 2; i++)
		Monitor_close(parts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transaction_counts_once_and_each_account_holds),
		cmocka_unit_test(mark_reaches_all_cards),
		cmocka_unit_test(card_that_is_gone_is_named_and_the_others_go_on),
		cmocka_unit_test(configuration_reaches_all_and_keeps_their_nodes),
		cmocka_unit_test(each_card_has_its_recording),
		cmocka_unit_test(what_cannot_be_merged_is_refused),
		cmocka_unit_test(recordings_that_grow_are_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
