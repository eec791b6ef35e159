/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The host's processors on which the calling thread runs. See gathered.h. */
#include "run/tracer/gathered.h"

#include <sched.h>

#include "run/tracer/channel.h"

/* The reader may use more than one processor. */
static bool several;
/* The value of stream_header.gathered that the affinity of this thread follows. */
static __thread uint32_t followed;

static uint32_t wanted(void)
{
	return atomic_load_explicit(&stream->gathered, memory_order_relaxed);
}

static void on_all(void)
{
	sched_setaffinity(0, sizeof(stream->host), &stream->host);
}

void gathered_attach(void)
{
	several = CPU_COUNT(&stream->host) > 1;
}

bool gathered_follow(void)
{
	uint32_t now = wanted(), processor = now & STREAM_GATHERED_PROCESSOR;
	cpu_set_t set;

	if (now != followed) {
		followed = now;
		CPU_ZERO(&set);
		if (processor)
			CPU_SET(processor - 1, &set);
		if (!processor || sched_setaffinity(0, sizeof(set), &set))
			on_all();
	}
	return several && !processor;
}

void gathered_leave(void)
{
	uint32_t now = wanted() & ~STREAM_GATHERED_PROCESSOR;

	if (now == (followed & ~STREAM_GATHERED_PROCESSOR))
		return;
	followed = now;
	on_all();
}

void gathered_end(void)
{
	if (followed & STREAM_GATHERED_PROCESSOR)
		on_all();
	followed &= ~STREAM_GATHERED_PROCESSOR;
}
