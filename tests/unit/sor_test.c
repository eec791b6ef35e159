/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of SOR and of what all workloads share: the result, and the traffic that the paper shows
 * ("Memory access behavior analysis of NUMA-based shared memory programs", section 4.2).
 *
 * What lives here: a counter of requests by page and node, which reads the frames that the machine
 * sends. It may use emu/workload, emu/machine, card_fixture.h, cmocka and the C library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/machine.h"
#include "emu/workload/barrier.h"
#include "emu/workload/sor.h"
#include "emu/workload/workload.h"
#include "tests/unit/card_fixture.h"

#define NODES 4U
#define PAGES 257U /* of a 512 x 512 grid with its header */
#define MARKS_MAX 16U
#define CHECKSUM_64_3 0x851c9a0f36491258 /* of a 64 x 64 grid after 3 iterations */

/**
 * struct traffic_count - What passed on one node's B-Link.
 * @card: the card there; NULL: none
 * @remote: requests by page and source
 * @types: requests by type
 * @responses: responses
 * @marks: event00 frames
 * @mark_ns: when they came
 * @mark_id: with which id
 */
struct traffic_count {
	struct fixture *card;
	uint64_t remote[PAGES][NODES];
	uint64_t types[SMILE_TYPE_COUNT];
	uint64_t responses;
	unsigned marks;
	uint64_t mark_ns[MARKS_MAX];
	uint64_t mark_id[MARKS_MAX];
};

static uint64_t word_get(const uint8_t *at)
{
	uint64_t word = 0;

	for (unsigned i = BLINK_WORD_BYTES; i-- > 0;)
		word = word << 8 | at[i];
	return word;
}

static void count_request(struct traffic_count *count, unsigned command, unsigned source,
			  uint64_t address)
{
	static const uint8_t types[] = {SMILE_TYPE_READ, SMILE_TYPE_WRITE, SMILE_TYPE_LOCK};

	assert_in_range(command, BLINK_READSB, BLINK_LOCKSB + 0xf);
	/* Words are accessed whole: the last byte is three after the first. */
	assert_int_equal(command % 16, address % 16 + 3);
	assert_in_range(address / SMILE_PAGE_BYTES, 0, PAGES - 1);
	assert_in_range(source, 0, NODES - 1);
	count->types[types[command / 16]]++;
	count->remote[address / SMILE_PAGE_BYTES][source]++;
}

static void count_frame(void *opaque, unsigned node, uint64_t time_ns, const void *bytes,
			size_t length)
{
	struct traffic_count *count = opaque;
	uint64_t bd1 = word_get(bytes);
	uint64_t address =
		SMILE_GET(BLINK_BD2_ADDRESS, word_get((const uint8_t *)bytes + BLINK_WORD_BYTES));
	unsigned command = (unsigned)SMILE_GET(BLINK_BD1_COMMAND, bd1);

	if (count->card) {
		if (!card_ready(&count->card->card))
			fixture_drain(count->card);
		card_tick(&count->card->card, time_ns);
		card_blink_packet(&count->card->card, bytes, length);
	}
	if (command == BLINK_EVENT00) {
		assert_in_range(count->marks, 0, MARKS_MAX - 1);
		count->mark_ns[count->marks] = time_ns;
		count->mark_id[count->marks++] = address;
	} else if (command >= BLINK_RESPONSE00) {
		count->responses++;
	} else {
		count_request(count, command, (unsigned)SMILE_GET(BLINK_BD1_SOURCE, bd1), address);
	}
}

static const struct machine_ops count_ops = {.frame = count_frame};

/* Run SOR, watching one node; a negative one: none. */
static void sor_watch(struct traffic_count *count, unsigned nodes, int node, unsigned size,
		      unsigned iterations, struct workload_result *result)
{
	const struct machine_config config = {
		.nodes = nodes,
		.watch = node < 0 ? 0 : 1ULL << node,
	};
	const struct workload_request request = {.size = size, .iterations = iterations};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &config, &count_ops, count), 0);
	assert_int_equal(workload_run(&workload_sor, machine, &request, result), 0);
	machine_destroy(machine);
}

/* ---- the result ---------------------------------------------------------------------------- */

static void workload_run_sor_equals_the_sequential_run(void **state)
{
	static const unsigned sizes[] = {3, 4, 17, 64};
	static const unsigned nodes[] = {1, 2, 3, 4, 64};

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		uint64_t checksum = 0;

		for (size_t n = 0; n < sizeof(nodes) / sizeof(nodes[0]); n++) {
			struct workload_result result;

			sor_watch(NULL, nodes[n], -1, sizes[s], 5, &result);
			assert_true(result.equal);
			assert_true(result.residual_end < result.residual_start);
			assert_true(workload_correct(&result));
			if (n > 0)
				assert_int_equal(result.checksum, checksum);
			checksum = result.checksum;
		}
	}
}

static void workload_run_sor_has_the_same_bits_on_every_host(void **state)
{
	struct workload_result result;

	sor_watch(NULL, NODES, -1, 64, 3, &result);
	assert_int_equal(result.checksum, CHECKSUM_64_3);
	assert_int_equal(result.size, 64);
	assert_int_equal(result.iterations, 3);
	assert_int_equal(result.shared_bytes, SOR_HEADER_BYTES + 64 * 64 * 4);
}

static void workload_run_more_iterations_get_closer(void **state)
{
	struct workload_result few, many;

	sor_watch(NULL, NODES, -1, 32, 2, &few);
	sor_watch(NULL, NODES, -1, 32, 50, &many);
	assert_true(many.residual_end < few.residual_end);
	assert_true(many.residual_end < 1e-3);
	assert_int_not_equal(many.checksum, few.checksum);
}

static void workload_correct_wrong_result_is_false(void **state)
{
	const struct workload_result differs = {.residual_start = 1};
	const struct workload_result diverges = {
		.equal = true, .residual_start = 1, .residual_end = 2};

	assert_false(workload_correct(&differs));
	assert_false(workload_correct(&diverges));
}

static void workload_checksum_is_fnv_1a(void **state)
{
	static const uint32_t words[] = {0x64636261};
	const float one = 1.0f;

	assert_int_equal(workload_checksum(NULL, 0), 0xcbf29ce484222325);
	assert_int_equal(workload_checksum(words, 1), 0xfc179f83ee0724dd); /* "abcd" */
	assert_int_equal(workload_checksum(&one, 1), workload_checksum(&(uint32_t){0x3f800000}, 1));
}

static void workload_run_number_out_of_range_is_refused(void **state)
{
	struct workload_result result = {.size = 77};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &(struct machine_config){0}, NULL, NULL), 0);
	assert_int_equal(workload_run(&workload_sor, machine, &(struct workload_request){.size = 2},
				      &result),
			 -EINVAL);
	assert_int_equal(workload_run(&workload_sor, machine,
				      &(struct workload_request){.size = 4097}, &result),
			 -EINVAL);
	assert_int_equal(machine_clock(machine, 0), 0);
	assert_int_equal(result.size, 77);
	machine_destroy(machine);
}

static void workload_find_unknown_name_is_null(void **state)
{
	assert_ptr_equal(workload_find("sor"), &workload_sor);
	assert_null(workload_find("so"));
	assert_ptr_equal(workload_at(0), &workload_sor);
	assert_null(workload_at(1000));
}

static void progress_count(void *opaque, unsigned done, unsigned total)
{
	unsigned *last = opaque;

	assert_int_equal(done, *last + 1);
	assert_int_equal(total, 4);
	*last = done;
}

static void workload_run_tells_of_each_iteration(void **state)
{
	unsigned last = 0;
	const struct workload_request request = {
		.size = 8, .iterations = 4, .progress = progress_count, .opaque = &last};
	struct workload_result result;
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &(struct machine_config){0}, NULL, NULL), 0);
	assert_int_equal(workload_run(&workload_sor, machine, &request, &result), 0);
	assert_int_equal(last, 4);
	machine_destroy(machine);
}

static void workload_run_machine_error_ends_it(void **state)
{
	struct workload_result result = {.size = 77};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &(struct machine_config){0}, NULL, NULL), 0);
	machine_fail(machine, -ENOSPC);
	assert_int_equal(workload_run(&workload_sor, machine, &(struct workload_request){.size = 8},
				      &result),
			 -ENOSPC);
	assert_int_equal(result.size, 77);
	machine_destroy(machine);
}

static void barrier_pass_nodes_take_the_lock_in_order_of_arrival(void **state)
{
	struct barrier_words words = {.flag = 6};
	struct machine_statistics node[3];
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &(struct machine_config){.nodes = 3}, NULL, NULL),
			 0);
	machine_work(machine, 0, 5000);
	machine_work(machine, 1, 10);
	assert_int_equal(barrier_pass(machine, &words, 0), 0);
	assert_int_equal(words.lock, 0);
	assert_int_equal(words.counter, 0);
	assert_int_equal(words.flag, 7);

	/*
	 * Node 2 comes first and holds the lock for 1000 + 1000 + 20 + 20 cycles; node 1 waits for
	 * it, then does the same; node 0, at home, needs 5, the flag included. Then each reads the
	 * flag.
	 */
	for (unsigned n = 0; n < 3; n++)
		assert_int_equal(machine_statistics(machine, n, &node[n]), 0);
	assert_int_equal(node[2].wait_cycles, 5005 - 2040);
	assert_int_equal(node[1].wait_cycles, (2040 - 10) + (5005 - 4080));
	assert_int_equal(node[0].wait_cycles, 0);
	assert_int_equal(node[0].cycles, 5006);
	assert_int_equal(node[1].cycles, 6005);
	assert_int_equal(node[2].cycles, 6005);
	machine_destroy(machine);
}

static void barrier_pass_nodes_arriving_at_once_hold_the_lock_one_after_another(void **state)
{
	struct barrier_words words = {0};
	struct machine *machine;

	assert_int_equal(machine_create(&machine, &(struct machine_config){.nodes = 3}, NULL, NULL),
			 0);
	assert_int_equal(barrier_pass(machine, &words, 0), 0);
	/* Node 0 holds it for 4 cycles, node 1 for 2040, node 2 for 2060: it writes the flag too.
	 */
	assert_int_equal(machine_clock(machine, 0), 4 + 2040 + 2060 + 1);
	assert_int_equal(machine_clock(machine, 1), 4 + 2040 + 2060 + 1000);
	assert_int_equal(machine_clock(machine, 2), 4 + 2040 + 2060 + 1000);
	machine_destroy(machine);
}

/* ---- the traffic --------------------------------------------------------------------------- */

/* Which nodes access a page, one bit each. */
static unsigned page_sources(const struct traffic_count *count, unsigned page)
{
	unsigned sources = 0;

	for (unsigned n = 0; n < NODES; n++)
		sources |= (count->remote[page][n] > 0) << n;
	return sources;
}

static void sor_pages_of_node_0_show_the_bands_of_the_paper(void **state)
{
	struct traffic_count *count = calloc(1, sizeof(*count));
	struct workload_result result;

	assert_non_null(count);
	sor_watch(count, NODES, 0, 512, 1, &result);

	/* Remote requests to the pages at home on node 0; its own make no frames. */
	assert_int_equal(page_sources(count, 0), 1 << 1 | 1 << 2 | 1 << 3);
	for (unsigned page = 4; page <= 60; page += 4)
		assert_int_equal(page_sources(count, page), 0);
	for (unsigned page = 64; page <= 124; page += 4)
		assert_int_equal(page_sources(count, page), 1 << 1);
	/* The header shifts the grid, so a border page ends the block before. */
	assert_int_equal(page_sources(count, 128), 1 << 1 | 1 << 2);
	for (unsigned page = 132; page <= 188; page += 4)
		assert_int_equal(page_sources(count, page), 1 << 2);
	assert_int_equal(page_sources(count, 192), 1 << 2 | 1 << 3);
	for (unsigned page = 196; page <= 256; page += 4)
		assert_int_equal(page_sources(count, page), 1 << 3);

	/* Node 0 goes out to its block's other pages, and to the row below them. */
	for (unsigned page = 1; page < PAGES; page++) {
		if (page % NODES != 0)
			assert_int_equal(page_sources(count, page), page <= 63 ? 1 : 0);
	}
	free(count);
}

static void sor_requests_of_an_inner_page_are_counted_exactly(void **state)
{
	struct traffic_count *count = calloc(1, sizeof(*count));
	struct workload_result result;

	assert_non_null(count);
	sor_watch(count, NODES, 0, 512, 2, &result);
	/*
	 * A page is as long as two rows of 512 points. In each row there are 510 inner points, each
	 * is read by itself and by its four neighbours, and written once an iteration; what the
	 * points next to the border lack is read of the border.
	 */
	assert_int_equal(count->remote[100][1], 2 * 2 * 510 * 6);
	assert_int_equal(count->remote[5][0], 2 * 2 * 510 * 6);
	assert_int_equal(count->types[SMILE_TYPE_READ] + count->types[SMILE_TYPE_WRITE] +
				 count->types[SMILE_TYPE_LOCK],
			 count->responses);
	free(count);
}

static void sor_header_is_read_and_locked_by_all_nodes(void **state)
{
	struct traffic_count *count = calloc(1, sizeof(*count));
	struct workload_result result;

	assert_non_null(count);
	sor_watch(count, NODES, 0, 64, 3, &result);
	/* Three nodes are remote; each locks once a half-sweep. */
	assert_int_equal(count->types[SMILE_TYPE_LOCK], 3 * 2 * 3);
	/*
	 * Node 3's rows are on pages 3 and 4, so that page 0 shows its header accesses alone: size,
	 * iterations, counter and flag read, counter and lock written, lock taken; the flag if it
	 * comes last.
	 */
	assert_in_range(count->remote[0][3], 2 * 3 * 7, 2 * 3 * 8);
	free(count);
}

static void sor_marks_end_each_iteration_on_every_node(void **state)
{
	struct traffic_count *count[2] = {calloc(1, sizeof(**count)), calloc(1, sizeof(**count))};
	struct workload_result result;

	assert_non_null(count[0]);
	assert_non_null(count[1]);
	sor_watch(count[0], NODES, 0, 32, 4, &result);
	sor_watch(count[1], NODES, 3, 32, 4, &result);
	assert_int_equal(count[0]->marks, 4);
	assert_int_equal(count[1]->marks, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(count[0]->mark_id[i], SOR_EVENT);
		assert_int_equal(count[0]->mark_ns[i], count[1]->mark_ns[i]);
		assert_true(i == 0 || count[0]->mark_ns[i] > count[0]->mark_ns[i - 1]);
	}
	free(count[0]);
	free(count[1]);
}

static void sor_frames_are_all_understood_by_the_card(void **state)
{
	struct fixture *card = *state;
	struct traffic_count *count = calloc(1, sizeof(*count));
	const struct smile_config config = fixture_defaults();
	struct workload_result result;
	uint64_t requests = 0;

	assert_non_null(count);
	count->card = card;
	fixture_start(card, &config);
	sor_watch(count, NODES, 0, 32, 2, &result);
	fixture_swap(card);
	fixture_drain(card);

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		requests += count->types[type];
	assert_true(requests > 0);
	fixture_expect_counter(card, SMILE_REG_COUNT_MALFORMED, 0);
	fixture_expect_counter(card, SMILE_REG_COUNT_UNMATCHED, 0);
	fixture_expect_counter(card, SMILE_REG_COUNT_EVENT, 2);
	fixture_expect_counter(card, SMILE_REG_COUNT_ACCEPTED, requests);
	fixture_expect_counter(card, SMILE_REG_COUNT_FILTERED, count->responses);
	fixture_expect_account(card);
	free(count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workload_run_sor_equals_the_sequential_run),
		cmocka_unit_test(workload_run_sor_has_the_same_bits_on_every_host),
		cmocka_unit_test(workload_run_more_iterations_get_closer),
		cmocka_unit_test(workload_correct_wrong_result_is_false),
		cmocka_unit_test(workload_checksum_is_fnv_1a),
		cmocka_unit_test(workload_run_number_out_of_range_is_refused),
		cmocka_unit_test(workload_find_unknown_name_is_null),
		cmocka_unit_test(workload_run_tells_of_each_iteration),
		cmocka_unit_test(workload_run_machine_error_ends_it),
		cmocka_unit_test(barrier_pass_nodes_take_the_lock_in_order_of_arrival),
		cmocka_unit_test(
			barrier_pass_nodes_arriving_at_once_hold_the_lock_one_after_another),
		cmocka_unit_test(sor_pages_of_node_0_show_the_bands_of_the_paper),
		cmocka_unit_test(sor_requests_of_an_inner_page_are_counted_exactly),
		cmocka_unit_test(sor_header_is_read_and_locked_by_all_nodes),
		cmocka_unit_test(sor_marks_end_each_iteration_on_every_node),
		cmocka_unit_test_setup_teardown(sor_frames_are_all_understood_by_the_card,
						fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests_name("sor", tests, NULL, NULL);
}
