/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A host that writes random values into the instrument's registers while frames pass. The account
 * and the memory must still follow the datasheet's rules, and no transfer may be outside the
 * memory.
 *
 * usage: hostile_test [ROUNDS]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/trace/instrument.h"
#include "tests/harness/test.h"

#define ROUNDS 2000U
#define STEPS 400U
#define MEMORY 8192U

static uint64_t state = 1;
static uint8_t *memory;
static bool transfers_fine = true;
static uint64_t transfers;

static uint32_t random_32(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 32);
}

static bool dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	const uint8_t *from = data;
	volatile uint8_t sum = 0;

	transfers++;
	transfers_fine = transfers_fine && from >= memory && bytes <= MEMORY &&
			 (size_t)(from - memory) <= MEMORY - bytes;
	for (size_t i = 0; i < bytes && transfers_fine; i++)
		sum += from[i];
	return address & 8;
}

static const struct instrument_ops ops = {.dma_write = dma_write};

/* Write a register, in most cases an existing one, and in most cases a small or valid value. */
static void write_something(struct instrument *instrument)
{
	static const uint16_t likely[] = {
		SMILE_TRACE_REG_COMMAND,   SMILE_TRACE_REG_MODE,      SMILE_TRACE_REG_MEMORY,
		SMILE_TRACE_REG_POSITION,  SMILE_TRACE_REG_LEVELS,    SMILE_TRACE_REG_FILTER_SET,
		SMILE_TRACE_REG_WATERMARK, SMILE_TRACE_REG_CONSUME,   SMILE_TRACE_REG_DMA_FROM,
		SMILE_TRACE_REG_DMA_BYTES, SMILE_TRACE_REG_LEVEL_SET, SMILE_TRACE_REG_LEVEL_ACTION,
	};
	uint32_t offset = likely[random_32() % (sizeof(likely) / sizeof(likely[0]))];
	uint32_t value = random_32();

	switch (random_32() % 4) {
	case 0:
		offset = random_32() % 0x2000;
		break;
	case 1:
		value = 1U << random_32() % 6;
		break;
	case 2:
		value = random_32() % 4 * 4096;
		break;
	default:
		value %= 128;
		break;
	}
	instrument_mmio_write(instrument, offset, value);
	instrument_mmio_read(instrument, random_32() % 0x2000);
}

static bool invariants_hold(const struct instrument *instrument)
{
	const struct smile_trace_status *status = &instrument->status;

	return status->seen == status->stored + status->filtered + status->outside +
				       status->overwritten + status->missed &&
	       instrument->head - instrument->tail <= instrument->config.memory_bytes &&
	       instrument->config.memory_bytes <= MEMORY && status->level <= SMILE_TRACE_LEVELS;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS;
	static struct instrument instrument;
	static struct instrument_entry entry;
	uint8_t frame[400] = {0};
	bool hold = true;
	uint64_t stored = 0;

	/* A separate allocation, so that a sanitizer detects accesses beyond its end. */
	memory = calloc(1, MEMORY);
	if (!memory)
		return 2;
	instrument_init(&instrument, memory, MEMORY, &ops, NULL);
	for (unsigned long round = 0; round < rounds && hold; round++) {
		if (random_32() % 8 == 0)
			instrument_mmio_write(&instrument, SMILE_TRACE_REG_COMMAND,
					      SMILE_TRACE_COMMAND_RESET);
		for (unsigned int step = 0; step < STEPS && hold; step++) {
			uint64_t time_ns = (uint64_t)random_32() << 8;

			if (random_32() % 3 == 0)
				write_something(&instrument);
			frame[random_32() % 16] = (uint8_t)random_32();
			instrument_frame(&instrument, frame, random_32() % sizeof(frame), time_ns);
			if (random_32() % 16 == 0)
				instrument_peek(&instrument, instrument.tail + random_32() % 512,
						&entry);
			hold = invariants_hold(&instrument);
		}
		stored += instrument.status.stored;
	}
	free(memory);
	printf("%s account and memory hold: %" PRIu64 " stored at the ends of rounds\n",
	       hold && stored ? "ok" : "not ok", stored);
	printf("%s %" PRIu64 " transfers stay within the memory\n",
	       transfers_fine && transfers ? "ok" : "not ok", transfers);
	return suite_end((hold && stored) + (transfers_fine && transfers),
			 !(hold && stored) + !(transfers_fine && transfers), 0);
}
