/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Twins: two cards that must behave in the same way.
 *
 * What lives here: a card after reset and a new card; a card that is reset twice; a card and its
 * copy, as a migration makes it; a card whose ring is drained immediately, a card whose ring is
 * drained as late as possible, a card whose ring is in host memory, and a card that receives many
 * frames in one call. May use cmocka, bench.h and traffic.h.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/reference/bench.h"
#include "tests/reference/traffic.h"

#ifdef __SANITIZE_ADDRESS__
#define STEPS 1000U
#define FRAMES 2000U
#else
#define STEPS 10000U
#define FRAMES 40000U
#endif

static struct traffic *new_traffic(enum traffic_shape shape, uint64_t seed)
{
	struct traffic *traffic = malloc(sizeof(*traffic));

	assert_non_null(traffic);
	traffic_begin(traffic, shape, seed);
	return traffic;
}

/* ---- equal behaviour ----------------------------------------------------------------------- */

static void expect_same_registers(struct bench *a, struct bench *b)
{
	for (uint32_t offset = 0; offset < SMILE_REGS_BYTES; offset += 4)
		if (bench_get(a, offset) != bench_get(b, offset))
			fail_msg("register 0x%03" PRIx32 ": 0x%" PRIx32 " and 0x%" PRIx32, offset,
				 bench_get(a, offset), bench_get(b, offset));
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->latency_running, b->latency_running);
	if (a->latency_running)
		assert_int_equal(a->latency_us, b->latency_us);
	assert_int_equal(card_ready(bench_card(a)), card_ready(bench_card(b)));
	assert_int_equal(card_deadline(bench_card(a)), card_deadline(bench_card(b)));
}

/* The records that were collected since the last call must be equal. */
static void expect_same_records(struct bench *a, struct bench *b)
{
	bench_gather(a);
	bench_gather(b);
	assert_int_equal(a->records, b->records);
	for (size_t i = 0; i < a->records; i++) {
		assert_int_equal(a->record[i].host, b->record[i].host);
		assert_int_equal(a->record[i].place, b->record[i].place);
		assert_memory_equal(a->record[i].word, b->record[i].word, SMILE_RECORD_BYTES);
	}
	a->records = 0;
	b->records = 0;
}

/*
 * Apply the same traffic to both and compare everything visible. Return: number of compared
 * records.
 */
static uint64_t follow(struct bench *a, struct bench *b, struct traffic *traffic, uint32_t steps)
{
	uint64_t records = bench_counter(a, SMILE_REG_COUNT_RECORDS);

	for (uint32_t i = 0; i < steps; i++) {
		struct operation operation = *traffic_next(traffic);

		bench_resolve(a, &operation);
		bench_do(a, &operation);
		bench_do(b, &operation);
		expect_same_records(a, b);
		if (i % 16 == 0)
			expect_same_registers(a, b);
	}
	expect_same_registers(a, b);
	return bench_counter(a, SMILE_REG_COUNT_RECORDS) - records;
}

static void run(struct bench *bench, struct traffic *traffic, uint32_t steps)
{
	for (uint32_t i = 0; i < steps; i++) {
		struct operation operation = *traffic_next(traffic);

		bench_resolve(bench, &operation);
		bench_do(bench, &operation);
	}
	bench_forget(bench);
	bench_gather(bench);
	bench->records = 0;
}

/* Copy the environment of a card, which is not part of the card. */
static void same_surroundings(struct bench *bench, const struct bench *as)
{
	bench->bus_accepts = as->bus_accepts;
	bench->machine_us = as->machine_us;
}

/* ---- reset --------------------------------------------------------------------------------- */

static void twin_afterReset_isLikeANewCard(void **state)
{
	for (enum traffic_shape shape = 0; shape < TRAFFIC_SHAPES; shape++) {
		struct traffic *traffic = new_traffic(shape, 300);
		struct bench *used = bench_new();
		struct bench *fresh = bench_new();

		run(used, traffic, STEPS);
		/* The link is not part of the card: set it to its state in a new card. */
		card_link(bench_card(used), false);
		bench_write(used, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
		same_surroundings(fresh, used);
		expect_same_registers(used, fresh);
		follow(used, fresh, traffic, STEPS);

		bench_free(fresh);
		bench_free(used);
		free(traffic);
	}
}

static void twin_resetTwice_isLikeResetOnce(void **state)
{
	for (enum traffic_shape shape = 0; shape < TRAFFIC_SHAPES; shape++) {
		struct traffic *traffic = new_traffic(shape, 400);
		struct bench *once = bench_new();
		struct bench *twice;

		run(once, traffic, STEPS);
		twice = bench_clone(once);
		bench_write(once, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
		card_reset(bench_card(twice));
		card_reset(bench_card(twice));
		twice->ram_seen = 0;
		twice->clock_ns = 0;
		expect_same_registers(once, twice);
		follow(once, twice, traffic, STEPS);

		bench_free(twice);
		bench_free(once);
		free(traffic);
	}
}

/* ---- copy ---------------------------------------------------------------------------------- */

static void twin_copy_goesOnLikeTheCard(void **state)
{
	uint64_t records = 0;

	for (enum traffic_shape shape = 0; shape < TRAFFIC_SHAPES; shape++) {
		struct traffic *traffic = new_traffic(shape, 500);
		struct bench *card = bench_new();

		for (unsigned int copies = 0; copies < 20; copies++) {
			struct bench *copy;

			run(card, traffic, STEPS / 20);
			copy = bench_clone(card);
			expect_same_registers(card, copy);
			records += follow(card, copy, traffic, STEPS / 20);
			bench_free(copy);
		}
		bench_free(card);
		free(traffic);
	}
	assert_true(records > STEPS / 10);
}

/* ---- how fast the ring is drained ---------------------------------------------------------- */

#define HOST_BATCH 32U

/* How a host reads, and how its source sends frames. */
struct habit {
	bool at_once; /* reads all after each frame; else a few records, when it must */
	bool host_ring;
	bool batches; /* many frames in one call */
};

/* A host with one of these habits, its card, and the frames of its source. */
struct host {
	struct habit habit;
	struct bench *bench;
	struct operation kept[HOST_BATCH];
	struct card_frame frame[HOST_BATCH];
	size_t frames;
};

static void host_reads(struct host *host, uint32_t records)
{
	struct operation operation = {.kind = OPERATION_DRAIN, .value = records};

	bench_resolve(host->bench, &operation);
	bench_do(host->bench, &operation);
	bench_gather(host->bench);
}

/* Send all frames that were collected. */
static void host_takes_batch(struct host *host)
{
	size_t passed = 0;

	while (passed < host->frames) {
		passed += card_blink_packets(bench_card(host->bench), host->frame + passed,
					     host->frames - passed);
		if (passed < host->frames)
			host_reads(host, 2);
	}
	host->frames = 0;
}

/* A source that can wait, as in section 13, sends a frame. */
static void host_takes(struct host *host, const struct operation *frame, uint64_t time_ns)
{
	struct card *card = bench_card(host->bench);

	if (host->habit.batches) {
		host->kept[host->frames] = *frame;
		host->frame[host->frames] = (struct card_frame){
			.frame = host->kept[host->frames].frame,
			.bytes = frame->bytes,
			.time_ns = time_ns,
		};
		if (++host->frames == HOST_BATCH)
			host_takes_batch(host);
		return;
	}
	do {
		while (!card_ready(card))
			host_reads(host, 3);
	} while (!card_advance(card, time_ns) || !card_ready(card));
	card_blink_packet(card, frame->frame, frame->bytes);
	if (host->habit.at_once)
		host_reads(host, UINT32_MAX);
}

/* The configuration at the start of the traffic, except for the ring. */
static void host_configures(struct host *host, enum traffic_shape shape, uint64_t seed)
{
	struct traffic *traffic = new_traffic(shape, seed);
	const struct operation *operation = traffic_next(traffic);

	for (; traffic->head < traffic->tail; operation = traffic_next(traffic)) {
		uint32_t offset = operation->offset;

		if (operation->kind == OPERATION_WRITE &&
		    (offset < SMILE_REG_DMA_BASE_LOW || offset > SMILE_REG_DMA_WRITE) &&
		    (offset != SMILE_REG_MODE || !(operation->value & SMILE_MODE_HOST_RING)))
			bench_do(host->bench, operation);
	}
	if (host->habit.host_ring) {
		bench_write(host->bench, SMILE_REG_CONTROL, 0);
		bench_write(host->bench, SMILE_REG_DMA_BASE_LOW, 0x10000);
		bench_write(host->bench, SMILE_REG_DMA_SIZE, SMILE_DMA_RECORDS_MIN);
		bench_write(host->bench, SMILE_REG_DMA_READ, 0xfffffff0);
		bench_write(host->bench, SMILE_REG_DMA_WRITE, 0xfffffff0);
		bench_write(host->bench, SMILE_REG_MODE,
			    bench_get(host->bench, SMILE_REG_MODE) | SMILE_MODE_HOST_RING);
		assert_true(bench_get(host->bench, SMILE_REG_MODE) & SMILE_MODE_HOST_RING);
	}
	bench_write(host->bench, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	free(traffic);
}

static void expect_same_stream(struct bench *a, struct bench *b)
{
	assert_int_equal(a->records, b->records);
	for (size_t i = 0; i < a->records; i++)
		assert_memory_equal(a->record[i].word, b->record[i].word, SMILE_RECORD_BYTES);
	assert_int_equal(bench_counter(a, SMILE_REG_COUNT_LOST), 0);
	assert_int_equal(bench_counter(a, SMILE_REG_COUNT_MARKS_LOST), 0);
	for (uint32_t offset = SMILE_COUNT_FIRST; offset <= SMILE_COUNT_LAST; offset += 8)
		assert_int_equal(bench_counter(a, offset), bench_counter(b, offset));
}

static size_t drained_alike(enum traffic_shape shape, uint64_t seed)
{
	static const struct habit habits[] = {
		{.at_once = true},
		{.at_once = false},
		{.host_ring = true},
		{.batches = true},
		{.batches = true, .host_ring = true},
	};
	enum { HOSTS = sizeof(habits) / sizeof(habits[0]) };
	struct traffic *traffic = new_traffic(shape, seed + 1000);
	struct host *hosts = calloc(HOSTS, sizeof(*hosts));
	uint64_t time_ns = 0;
	size_t records;

	assert_non_null(hosts);
	for (unsigned int i = 0; i < HOSTS; i++) {
		hosts[i].habit = habits[i];
		hosts[i].bench = bench_new();
		host_configures(&hosts[i], shape, seed);
	}
	for (uint32_t frames = 0; frames < FRAMES;) {
		const struct operation *operation = traffic_next(traffic);

		/* Omit the large time steps of a configuration: a timer runs here. */
		if ((operation->kind == OPERATION_TICK || operation->kind == OPERATION_ADVANCE) &&
		    operation->value < 1000000)
			time_ns += operation->value;
		if (operation->kind != OPERATION_FRAME && operation->kind != OPERATION_QUEUE)
			continue;
		frames++;
		for (unsigned int i = 0; i < HOSTS; i++)
			host_takes(&hosts[i], operation, time_ns);
	}
	for (unsigned int i = 0; i < HOSTS; i++) {
		host_takes_batch(&hosts[i]);
		/* The records that wait for room are the end of the same stream. */
		do
			host_reads(&hosts[i], UINT32_MAX);
		while (!card_ready(bench_card(hosts[i].bench)));
		if (i > 0)
			expect_same_stream(hosts[0].bench, hosts[i].bench);
	}
	records = hosts[0].bench->records;
	for (unsigned int i = 0; i < HOSTS; i++)
		bench_free(hosts[i].bench);
	free(hosts);
	free(traffic);
	return records;
}

static void twin_records_dependNotOnHowFastTheRingIsDrained(void **state)
{
	static const enum traffic_shape shapes[] = {TRAFFIC_UNIFORM, TRAFFIC_FEW, TRAFFIC_COLLIDING,
						    TRAFFIC_EVENTS, TRAFFIC_TIMER};
	size_t records = 0;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		for (uint64_t seed = 0; seed < 3; seed++)
			records += drained_alike(shapes[i], seed);
	assert_true(records > FRAMES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twin_afterReset_isLikeANewCard),
		cmocka_unit_test(twin_resetTwice_isLikeResetOnce),
		cmocka_unit_test(twin_copy_goesOnLikeTheCard),
		cmocka_unit_test(twin_records_dependNotOnHowFastTheRingIsDrained),
	};

	return cmocka_run_group_tests_name("twin", tests, NULL, NULL);
}
