/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Notice: sends notices to the user. This file may use schedule_inside.h. */
#include <errno.h>

#include "schedule_inside.h"
#include "text.h"

void notice(struct schedule *schedule, enum schedule_notice kind, const char *text)
{
	const struct schedule_config *config = &schedule->config;

	if (config->ops && config->ops->notice)
		config->ops->notice(config->opaque, kind, text);
}

void notice_once(struct schedule *schedule, enum schedule_notice kind, const char *text)
{
	if (!(schedule->reported >> kind & 1))
		notice(schedule, kind, text);
	schedule->reported |= 1U << kind;
}

_Static_assert(SCHEDULE_NOTICE_COUNT <= 32, "the bits of the reported notices fit into a word");

int notice_protocol(struct schedule *schedule, const struct thread *thread, const char *text)
{
	struct text message = {{0}, 0};

	if (thread) {
		text_add(&message, "thread ");
		text_number(&message, thread->number);
		text_add(&message, " ");
	}
	text_add(&message, text);
	text_add(&message, ": the program has written into the tracer's memory, or the tracer is "
			   "of another build");
	notice_once(schedule, SCHEDULE_NOTICE_PROTOCOL, message.bytes);
	return -EPROTO;
}
