// SPDX-License-Identifier: MIT
/*
 * run/session: writes stack frames of the program's threads into the recordings.
 *
 * What lives here: each different frame once, in the order in which it was first reported, up to a
 * limit. If accesses to stacks are counted, readers use the frames to find the variables on the
 * stacks.
 */
#include "run/session/session_inside.h"

#include <inttypes.h>
#include <stdlib.h>

/* Limit on the number of frames. They take 640 KB in each recording. */
#define FRAMES_MAX 16384U
#define SLOTS (4 * FRAMES_MAX) /* a power of two */

/**
 * struct run_frames - The frames of all threads.
 * @list: the frames; shape [@count]
 * @count: number of frames
 * @slots: number of a frame plus one, indexed by a hash of the frame; shape [SLOTS]
 * @lost: number of reports of frames that were not stored, because the list was full
 */
struct run_frames {
	struct Monitor_stack_frame list[FRAMES_MAX];
	size_t count;
	uint32_t slots[SLOTS];
	uint64_t lost;
};

void run_frames_free(struct run *run)
{
	free(run->frames);
	run->frames = NULL;
}

/*
 * Check whether two frames are the same. The frame pointer is not compared: in code without frame
 * pointers, rbp is an ordinary register; in other code, the value of rbp follows from the address.
 */
static int is_same(const struct Monitor_stack_frame *a, const struct Monitor_stack_frame *b)
{
	return a->ip == b->ip && a->cfa == b->cfa && a->sp == b->sp && a->thread == b->thread;
}

static void frame_add(struct run_frames *frames, const struct Monitor_stack_frame *frame)
{
	uint64_t hash = (frame->ip ^ frame->cfa << 20 ^ frame->thread) * 0x9e3779b97f4a7c15ULL;
	uint32_t slot = (uint32_t)(hash >> 32) & (SLOTS - 1);

	for (; frames->slots[slot]; slot = (slot + 1) & (SLOTS - 1))
		if (is_same(&frames->list[frames->slots[slot] - 1], frame))
			return;
	if (frames->count == FRAMES_MAX) {
		frames->lost++;
		return;
	}
	frames->list[frames->count++] = *frame;
	frames->slots[slot] = (uint32_t)frames->count;
}

void run_frames_frame(void *opaque, const struct schedule_frame *frame)
{
	struct run *run = opaque;
	const struct Monitor_stack_frame reported = {
		.ip = frame->ip,
		.cfa = frame->cfa,
		.sp = frame->sp,
		.bp = frame->bp,
		.thread = frame->thread,
	};

	if (!run->config.prefix)
		return;
	if (!run->frames) {
		run->frames = calloc(1, sizeof(*run->frames));
		if (!run->frames)
			return;
	}
	frame_add(run->frames, &reported);
}

static int frames_report(const struct run_frames *frames, struct Monitor *mon)
{
	int err = 0;

	for (size_t i = 0; i < frames->count && err >= 0; i++)
		err = Monitor_stack_frame_add(mon, &frames->list[i]);
	return err;
}

void run_frames_report(struct run *run)
{
	const struct run_frames *frames = run->frames;

	if (!frames)
		return;
	for (unsigned n = 0; n < run->config.nodes; n++) {
		if (!run->cards[n].mon || frames_report(frames, run->cards[n].mon) >= 0)
			continue;
		run_message("%s", Monitor_error_message());
		run->failed = 1;
	}
	if (frames->lost)
		run_message("note: the program's threads had more different stack frames than the "
			    "%u that are kept: variables in the other frames have no name",
			    FRAMES_MAX);
	run_frames_free(run);
}
