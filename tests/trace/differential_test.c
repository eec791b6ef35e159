/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The instrument compared with the oracle: random frames, random sequences, filters and memories.
 * Also checks that a monitor card has the same counts with the instrument as without it.
 *
 * usage: differential_test [SEQUENCES [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/card/card.h"
#include "emu/trace/instrument.h"
#include "tests/harness/test.h"
#include "tests/trace/oracle.h"

#define SEQUENCES 100000U
#define MEMORY_MAX 12288U

static uint64_t random_state;

static uint64_t random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dULL;
}

static uint32_t random_below(uint32_t limit)
{
	return (uint32_t)((random_next() >> 32) * limit >> 32);
}

static bool random_once_in(uint32_t times)
{
	return random_below(times) == 0;
}

/* Only a few different words, so that patterns sometimes match. */
static uint64_t random_word(void)
{
	uint64_t word = random_below(4) | (uint64_t)random_below(4) << 16 |
			(uint64_t)random_below(4) << 32 | (uint64_t)random_below(4) << 48;

	return random_once_in(8) ? random_next() : word;
}

static void make_frames(struct oracle_frame *frames, size_t count)
{
	uint64_t time_ns = random_once_in(16) ? 0 : random_next() >> 16;

	for (size_t i = 0; i < count; i++) {
		static const uint16_t lengths[] = {24, 24, 32, 40, 88, 296, 16, 312};
		struct oracle_frame *frame = &frames[i];
		uint64_t words[41];

		for (size_t j = 0; j < 41; j++)
			words[j] = j < 3 ? random_word() : words[j - 3] + j;
		frame->bytes = lengths[random_below(sizeof(lengths) / sizeof(lengths[0]))];
		if (random_once_in(16))
			frame->bytes = random_below(sizeof(frame->data) + 1);
		memcpy(frame->data, words, sizeof(frame->data));
		frame->time_ns = time_ns;
		if (!random_once_in(4))
			time_ns += random_below(300);
		/* A capture can be out of order. */
		if (random_once_in(64) && time_ns > 1000)
			time_ns -= random_below(1000);
	}
}

static void make_set(__u32 *set, struct smile_trace_pattern *patterns)
{
	uint32_t most = random_once_in(4) ? 16 : 3;

	for (uint32_t i = 0; i < SMILE_TRACE_PATTERNS; i++) {
		struct smile_trace_pattern *pattern = &patterns[i];

		if (i < most && !random_once_in(3))
			*set |= 1U << i;
		pattern->bd1_mask = random_once_in(3) ? 0 : 3ULL << 16 * random_below(4);
		pattern->bd2_mask = random_once_in(3) ? 0 : 1ULL << random_below(64);
		if (random_once_in(6))
			pattern->bd1_mask = random_next() & random_next() & random_next();
		pattern->bd1_value = random_word() & pattern->bd1_mask;
		pattern->bd2_value = random_word() & pattern->bd2_mask;
		if (random_once_in(8)) /* bits that are not compared do not matter */
			pattern->bd1_value |= random_next() & ~pattern->bd1_mask;
	}
	if (random_once_in(4))
		*set |= SMILE_TRACE_SET_INVERT;
}

static void make_config(struct smile_trace_config *config)
{
	memset(config, 0, sizeof(*config));
	config->mode = random_below(SMILE_TRACE_MODE_ALL + 1);
	config->memory_bytes = SMILE_TRACE_MEMORY_ALIGN * (1 + random_below(3));
	config->position_percent = random_once_in(3) ? 100 * random_below(2) : random_below(101);
	config->levels = random_below(SMILE_TRACE_LEVELS + 1);
	config->watermark_bytes = random_below(MEMORY_MAX);
	make_set(&config->filter_set, config->filter);
	for (uint32_t i = 0; i < SMILE_TRACE_LEVELS; i++) {
		struct smile_trace_level *level = &config->level[i];

		make_set(&level->set, level->pattern);
		level->count = 1 + random_below(random_once_in(2) ? 1 : 6);
		level->timeout_ns = random_once_in(2) ? 1 + random_below(2000) : 0;
		level->action = random_once_in(2) ? 0 : random_below(4);
		level->action |= random_below(4) << 8;
	}
}

/* Write a configuration register by register. */
static void write_config(struct instrument *instrument, const struct smile_trace_config *config)
{
	const struct smile_trace_level *level = config->level;

	instrument_mmio_write(instrument, SMILE_TRACE_REG_MODE, config->mode);
	instrument_mmio_write(instrument, SMILE_TRACE_REG_MEMORY, config->memory_bytes);
	instrument_mmio_write(instrument, SMILE_TRACE_REG_POSITION, config->position_percent);
	instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVELS, config->levels);
	instrument_mmio_write(instrument, SMILE_TRACE_REG_FILTER_SET, config->filter_set);
	instrument_mmio_write(instrument, SMILE_TRACE_REG_WATERMARK, config->watermark_bytes);
	for (uint32_t i = 0; i < SMILE_TRACE_LEVELS; i++, level++) {
		uint32_t at = SMILE_TRACE_STRIDE_LEVEL * i;

		instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVEL_SET + at, level->set);
		instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVEL_COUNT + at, level->count);
		instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVEL_TIMEOUT_LOW + at,
				      (uint32_t)level->timeout_ns);
		instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVEL_TIMEOUT_HIGH + at,
				      (uint32_t)(level->timeout_ns >> 32));
		instrument_mmio_write(instrument, SMILE_TRACE_REG_LEVEL_ACTION + at, level->action);
	}
	for (uint32_t set = 0; set < SMILE_TRACE_SETS; set++) {
		const struct smile_trace_pattern *patterns =
			set < SMILE_TRACE_LEVELS ? config->level[set].pattern : config->filter;

		for (uint32_t i = 0; i < SMILE_TRACE_PATTERNS; i++) {
			const uint64_t words[] = {patterns[i].bd1_mask, patterns[i].bd1_value,
						  patterns[i].bd2_mask, patterns[i].bd2_value};

			for (uint32_t j = 0; j < 8; j++)
				instrument_mmio_write(
					instrument,
					SMILE_TRACE_REG_PATTERN + set * SMILE_TRACE_STRIDE_SET +
						i * SMILE_TRACE_STRIDE_PATTERN + 4 * j,
					(uint32_t)(words[j / 2] >> (j % 2 ? 32 : 0)));
		}
	}
}

static bool status_equal(const struct smile_trace_status *got,
			 const struct smile_trace_status *want)
{
	/* The structure has no padding. */
	return memcmp(got, want, sizeof(*got)) == 0;
}

static void status_print(const char *whose, const struct smile_trace_status *status)
{
	printf("  %s: state %u level %u by %u at %u time %" PRIu64 " frame %" PRIu64
	       " seen %" PRIu64 " stored %" PRIu64 " filtered %" PRIu64 " outside %" PRIu64
	       " overwritten %" PRIu64 " missed %" PRIu64 " cut %" PRIu64 " bytes %" PRIu64 "\n",
	       whose, status->state, status->level, status->trigger_by, status->trigger_level,
	       (uint64_t)status->trigger_time_ns, (uint64_t)status->trigger_frame,
	       (uint64_t)status->seen, (uint64_t)status->stored, (uint64_t)status->filtered,
	       (uint64_t)status->outside, (uint64_t)status->overwritten, (uint64_t)status->missed,
	       (uint64_t)status->cut, (uint64_t)status->bytes);
}

/* Return: whether the memory contains the oracle's entries. */
static bool memory_equal(const struct instrument *instrument, const struct oracle *oracle,
			 const struct oracle_frame *frames)
{
	struct instrument_entry entry;
	uint64_t at = instrument->tail;

	for (size_t i = 0; i < oracle->count; i++) {
		const struct oracle_frame *frame = &frames[oracle->entries[i].frame];
		size_t bytes = instrument_peek(instrument, at, &entry);

		if (!bytes || entry.word != oracle->entries[i].word ||
		    entry.time_ns != frame->time_ns ||
		    memcmp(entry.frame, frame->data, entry.bytes))
			return false;
		at += bytes;
	}
	return at == instrument->head && !instrument_peek(instrument, at, &entry);
}

static bool account_adds_up(const struct smile_trace_status *status)
{
	return status->seen == status->stored + status->filtered + status->outside +
				       status->overwritten + status->missed;
}

struct totals {
	uint64_t triggered;
	uint64_t overwritten;
	uint64_t missed;
	uint64_t filtered;
	uint64_t outside;
	uint64_t by_line;
	uint64_t by_timeout;
};

static bool run_sequence(uint64_t seed, struct totals *totals)
{
	static uint8_t memory[MEMORY_MAX];
	static struct oracle_frame frames[ORACLE_FRAMES_MAX];
	static struct oracle oracle;
	static struct instrument instrument;
	struct smile_trace_config config;
	struct smile_trace_status status;
	size_t count, line;
	uint64_t line_ns;
	bool adds_up = true;

	random_state = seed * 0x9e3779b97f4a7c15ULL | 1;
	for (int i = 0; i < 4; i++)
		random_next();
	count = random_once_in(4) ? random_below(ORACLE_FRAMES_MAX + 1) : random_below(40);
	make_frames(frames, count);
	make_config(&config);
	line = random_once_in(3) ? random_below((uint32_t)count + 1) : ORACLE_NEVER;
	line_ns = random_below(1000);

	instrument_init(&instrument, memory, sizeof(memory), NULL, NULL);
	if (random_once_in(2))
		write_config(&instrument, &config);
	else if (!instrument_configure(&instrument, &config))
		return false;
	if (instrument.bad_write || !instrument_arm(&instrument))
		return false;
	for (size_t i = 0; i <= count; i++) {
		if (i == line)
			instrument_line(&instrument, line_ns);
		if (i < count)
			instrument_frame(&instrument, frames[i].data, frames[i].bytes,
					 frames[i].time_ns);
		instrument_status(&instrument, &status);
		adds_up = adds_up && account_adds_up(&status);
	}
	oracle_decide(&oracle, &config, frames, count, line, line_ns);
	if (!status_equal(&status, &oracle.status) || !adds_up ||
	    !memory_equal(&instrument, &oracle, frames)) {
		printf("not ok sequence %" PRIu64 "\n", seed);
		status_print("instrument", &status);
		status_print("oracle", &oracle.status);
		return false;
	}
	totals->triggered += status.trigger_by != 0;
	totals->by_line += status.trigger_by == SMILE_TRACE_BY_LINE;
	totals->by_timeout += status.trigger_by == SMILE_TRACE_BY_TIMEOUT;
	totals->overwritten += status.overwritten != 0;
	totals->missed += status.missed != 0;
	totals->filtered += status.filtered != 0;
	totals->outside += status.outside != 0;
	return true;
}

/* Send the same frames through a card, once with an instrument beside it and once without. */
static bool card_alike(uint64_t seed)
{
	static uint32_t ram[2][SMILE_RING_WORDS];
	static struct card cards[2];
	static uint8_t memory[MEMORY_MAX];
	static struct oracle_frame frames[ORACLE_FRAMES_MAX];
	static struct instrument instrument;
	struct smile_trace_config config;

	random_state = seed | 1;
	make_frames(frames, ORACLE_FRAMES_MAX);
	make_config(&config);
	instrument_init(&instrument, memory, sizeof(memory), NULL, NULL);
	instrument_configure(&instrument, &config);
	instrument_arm(&instrument);
	memset(ram, 0, sizeof(ram));
	for (int i = 0; i < 2; i++) {
		card_init(&cards[i], ram[i], NULL, NULL);
		card_mmio_write(&cards[i], SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
		for (size_t j = 0; j < ORACLE_FRAMES_MAX; j++) {
			if (i)
				instrument_frame(&instrument, frames[j].data, frames[j].bytes,
						 frames[j].time_ns);
			card_blink_packet(&cards[i], frames[j].data, frames[j].bytes);
		}
		card_mmio_write(&cards[i], SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	}
	return instrument.status.seen && cards[0].count.records &&
	       !memcmp(ram[0], ram[1], sizeof(ram[0])) &&
	       !memcmp(&cards[0].count, &cards[1].count, sizeof(cards[0].count));
}

int main(int argc, char **argv)
{
	uint64_t sequences = argc > 1 ? strtoull(argv[1], NULL, 0) : SEQUENCES;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, failed = 0;
	struct totals totals = {0};
	bool alike = true, varied;

	for (uint64_t i = 0; i < sequences && failed < 5; i++)
		failed += !run_sequence(seed + i, &totals);
	printf("%s %" PRIu64 " sequences: %" PRIu64 " triggered (%" PRIu64 " by the line, %" PRIu64
	       " by a time-out), %" PRIu64 " overwrote, %" PRIu64 " missed, %" PRIu64
	       " filtered, %" PRIu64 " had frames outside\n",
	       failed ? "not ok" : "ok", sequences, totals.triggered, totals.by_line,
	       totals.by_timeout, totals.overwritten, totals.missed, totals.filtered,
	       totals.outside);
	/* If one of these events has not happened, the test has not tested it. */
	varied = totals.by_line && totals.by_timeout && totals.overwritten && totals.missed &&
		 totals.filtered && totals.outside && totals.triggered < sequences;
	printf("%s everything happened in some sequence\n", varied ? "ok" : "not ok");
	for (uint64_t i = 0; i < 200; i++)
		alike = alike && card_alike(seed + i);
	printf("%s a card counts the same with an instrument beside it\n", alike ? "ok" : "not ok");
	return suite_end(!failed + varied + alike, !!failed + !varied + !alike, 0);
}
