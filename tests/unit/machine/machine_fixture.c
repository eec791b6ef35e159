/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See machine_fixture.h. May use machine_fixture.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "emu/machine/machine_inside.h"
#include "tests/unit/machine/machine_fixture.h"

static uint64_t word_get(const uint8_t *at)
{
	uint64_t word = 0;

	for (unsigned i = BLINK_WORD_BYTES; i-- > 0;)
		word = word << 8 | at[i];
	return word;
}

static void recorder_frame(struct recorder *recorder, unsigned node, uint64_t time_ns,
			   const void *bytes, size_t length)
{
	uint64_t bd1, bd2;

	assert_in_range(length, BLINK_WORDS_MIN * BLINK_WORD_BYTES, BLINK_BYTES_MAX);
	assert_true(time_ns >= recorder->last_ns[node]);
	recorder->last_ns[node] = time_ns;
	recorder->frames[node]++;
	bd1 = word_get(bytes);
	bd2 = word_get((const uint8_t *)bytes + BLINK_WORD_BYTES);
	memcpy(SMILE_GET(BLINK_BD1_COMMAND, bd1) < BLINK_RESPONSE00 ? recorder->request
								    : recorder->response,
	       bytes, length);
	if (recorder->room - recorder->used < 128) {
		recorder->room = recorder->room * 2 + 4096;
		recorder->text = realloc(recorder->text, recorder->room);
		assert_non_null(recorder->text);
	}
	recorder->used += (size_t)sprintf(recorder->text + recorder->used,
					  "%u: @%" PRIu64 " %02x %u>%u #%u %#x +%zu\n", node,
					  time_ns, (unsigned)SMILE_GET(BLINK_BD1_COMMAND, bd1),
					  (unsigned)SMILE_GET(BLINK_BD1_SOURCE, bd1),
					  (unsigned)SMILE_GET(BLINK_BD1_TARGET, bd1),
					  (unsigned)SMILE_GET(BLINK_BD1_TRANSACTION, bd1),
					  (unsigned)SMILE_GET(BLINK_BD2_ADDRESS, bd2), length);
}

static void recorder_frames(void *opaque, unsigned node, const struct machine_frame *frames,
			    size_t count)
{
	for (size_t i = 0; i < count; i++)
		recorder_frame(opaque, node, frames[i].time_ns, frames[i].bytes, frames[i].length);
}

static const struct machine_ops recorder_ops = {.frames = recorder_frames};

struct recorder *recorder_new(const struct machine_config *config)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));

	assert_non_null(recorder);
	assert_int_equal(machine_create(&recorder->machine, config, &recorder_ops, recorder), 0);
	/* The order of frames of different nodes is recorded, too. */
	for (unsigned node = 0; node < machine_nodes(recorder->machine); node++)
		recorder->machine->link[node].limit = 1;
	return recorder;
}

void recorder_free(struct recorder *recorder)
{
	machine_destroy(recorder->machine);
	free(recorder->text);
	free(recorder);
}

void recorder_expect(struct recorder *recorder, const char *text)
{
	assert_int_equal(machine_barrier(recorder->machine), 0);
	assert_string_equal(recorder->used ? recorder->text : "", text);
	recorder->used = 0;
}

int machine_mark(struct machine *machine, unsigned event)
{
	int err = machine_barrier(machine);

	return err < 0 ? err : machine_event(machine, event, machine_clock(machine, 0));
}

struct machine_statistics recorder_statistics(const struct recorder *recorder, unsigned node)
{
	struct machine_statistics statistics;

	assert_int_equal(machine_statistics(recorder->machine, node, &statistics), 0);
	return statistics;
}
