/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Phase: the program's named phases.
 *
 * What lives here: their names, in order, and the mark on the machine's links. It may use parts.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

void phase_text(char *text, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count * 8; i++) {
		char letter = (char)(words[i / 8] >> (8 * (i % 8)) & 0xff);

		if (letter == '\0' || i == count * 8 - 1) {
			memset(text + i, 0, count * 8 - i);
			return;
		}
		text[i] = letter >= ' ' && letter <= '~' ? letter : '?';
	}
}

static int phases_make_room(struct schedule *schedule)
{
	size_t capacity = schedule->phases_capacity ? 2 * schedule->phases_capacity : 16;
	void *phases;

	if (schedule->phases_count < schedule->phases_capacity)
		return 0;
	phases = realloc(schedule->phases, capacity * sizeof(schedule->phases[0]));
	if (!phases)
		return -ENOMEM;
	schedule->phases = phases;
	schedule->phases_capacity = capacity;
	return 0;
}

int phase_begin(struct schedule *schedule, const struct thread *thread, const uint64_t *words)
{
	const struct schedule_config *config = &schedule->config;
	char *name;
	int err;

	if (schedule->phases_count == SCHEDULE_PHASES_MAX) {
		notice_once(schedule, SCHEDULE_NOTICE_PHASE,
			    "the program names more phases than are kept apart: the rest counts as "
			    "the last");
		return 0;
	}
	err = phases_make_room(schedule);
	if (err == 0)
		err = machine_event(schedule->machine, SCHEDULE_PHASE_EVENT, thread->clock);
	if (err < 0)
		return err;
	name = schedule->phases[schedule->phases_count++];
	phase_text(name, words + 1, STREAM_NAME_WORDS);
	schedule->statistics.phases++;
	if (config->ops && config->ops->phase)
		config->ops->phase(config->opaque, name, (unsigned)schedule->phases_count,
				   machine_time_ns(schedule->machine, thread->clock));
	return 0;
}

const char *schedule_phase_name(const struct schedule *schedule, size_t index)
{
	if (index == 0 || index > schedule->phases_count)
		return "";
	return schedule->phases[index - 1];
}
