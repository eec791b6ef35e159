/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Phase: replays the program's named phases.
 *
 * What lives here: the names of phases, and the phase marks on the machine's links. This file may
 * use schedule_inside.h.
 */
#include <string.h>

#include "schedule_inside.h"

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

int phase_begin(struct schedule *schedule, const struct thread *thread, const uint64_t *words)
{
	const struct schedule_config *config = &schedule->config;
	char name[STREAM_NAME_BYTES];
	int err;

	if (schedule->statistics.phases == SCHEDULE_PHASES_MAX) {
		notice_once(schedule, SCHEDULE_NOTICE_PHASE,
			    "the program names more phases than are kept separately: all further "
			    "phases count as the last one");
		return 0;
	}
	err = machine_event(schedule->machine, SCHEDULE_PHASE_EVENT, thread->clock);
	if (err < 0)
		return err;
	phase_text(name, words + 1, STREAM_NAME_WORDS);
	schedule->statistics.phases++;
	if (config->ops && config->ops->phase)
		config->ops->phase(config->opaque, name, (unsigned)schedule->statistics.phases,
				   machine_time_ns(schedule->machine, thread->clock));
	if (config->epoch_phases)
		epoch_report(schedule, thread->clock, true);
	return 0;
}
