/* SPDX-License-Identifier: MIT */
/*
 * Emu: the back-end for an emulated instrument in this process. This is the only file of the
 * library that uses emu/trace.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "emu/trace/instrument.h"
#include "lib/base/error.h"
#include "lib/instrument/entry.h"
#include "lib/instrument/instrument.h"

/**
 * struct emu - An instrument in this process.
 * @core: the instrument
 * @memory: trace memory of the instrument
 * @entry: the packet that was returned last
 * @next: the next instrument with the same trigger line; these instruments form a circle
 */
struct emu {
	struct instrument core;
	void *memory;
	struct instrument_entry entry;
	struct emu *next;
};

static void emu_line(void *opaque, uint64_t time_ns)
{
	struct emu *emu = opaque;

	for (struct emu *other = emu->next; other != emu; other = other->next)
		instrument_line(&other->core, time_ns);
}

static const struct instrument_ops emu_ops = {.line = emu_line};

static int emu_open(struct Monitor_instrument *instrument, const char *name,
		    const struct smile_trace_config *config)
{
	struct smile_trace_config used = *config;
	uint32_t bytes;
	struct emu *emu;

	if (*name)
		return smile_error(EINVAL, "'emu:%s': the instrument emu: has no name", name);
	if (!used.memory_bytes)
		used.memory_bytes = SMILE_TRACE_MEMORY_HISTORIC;
	bytes = used.memory_bytes;
	if (bytes % SMILE_TRACE_MEMORY_ALIGN)
		return smile_error(EINVAL,
				   "a trace memory of %" PRIu32 " bytes: a multiple of %u "
				   "is needed",
				   bytes, SMILE_TRACE_MEMORY_ALIGN);
	emu = calloc(1, sizeof(*emu));
	if (emu)
		emu->memory = malloc(bytes);
	if (!emu || !emu->memory) {
		free(emu);
		return smile_error(ENOMEM, "no memory for a trace memory of %" PRIu32 " bytes",
				   bytes);
	}
	emu->next = emu;
	instrument_init(&emu->core, emu->memory, bytes, &emu_ops, emu);
	if (!instrument_configure(&emu->core, &used)) {
		free(emu->memory);
		free(emu);
		return smile_error(EINVAL, "the instrument does not support this configuration; "
					   "see struct smile_trace_config");
	}
	instrument->state = emu;
	return 0;
}

static int emu_arm(struct Monitor_instrument *instrument)
{
	struct emu *emu = instrument->state;

	if (!instrument_arm(&emu->core))
		return smile_error(EBUSY, "the instrument is armed already");
	return 0;
}

static int emu_stop(struct Monitor_instrument *instrument)
{
	struct emu *emu = instrument->state;

	instrument_stop(&emu->core);
	return 0;
}

static int emu_packet(struct Monitor_instrument *instrument, const void *frame, size_t bytes,
		      uint64_t time_ns)
{
	struct emu *emu = instrument->state;

	instrument_frame(&emu->core, frame, bytes, time_ns);
	return emu->core.status.state != SMILE_TRACE_DONE;
}

static int emu_read(struct Monitor_instrument *instrument, struct Monitor_trace_packet *packet)
{
	struct emu *emu = instrument->state;
	const struct instrument_entry *entry = &emu->entry;
	size_t bytes;

	bytes = instrument_peek(&emu->core, emu->core.tail, &emu->entry);
	if (!bytes)
		return 0;
	if (!instrument_consume(&emu->core, bytes))
		return smile_error(EBUSY, "the instrument is armed and overwrites its oldest "
					  "packets: stop it first");
	packet->time_ns = entry->time_ns;
	packet->frame = entry->frame;
	packet->bytes = entry->bytes;
	smile_entry_word(entry->word, packet);
	return 1;
}

/*
 * Return immediately. Only the caller passes packets to this instrument, so nothing could change
 * during a wait.
 */
static int emu_wait(struct Monitor_instrument *instrument, int timeout_ms)
{
	struct emu *emu = instrument->state;

	(void)timeout_ms;
	return emu->core.status.state == SMILE_TRACE_DONE ||
	       (!(emu->core.config.mode & SMILE_TRACE_MODE_WRAP) &&
		emu->core.head != emu->core.tail);
}

static int emu_status(struct Monitor_instrument *instrument, struct smile_trace_status *status)
{
	struct emu *emu = instrument->state;

	instrument_status(&emu->core, status);
	return 0;
}

/*
 * Connect the trigger lines of two instruments. Each instrument is in a circular list, and the
 * function joins the two lists.
 */
static void emu_connect(struct Monitor_instrument *instrument, struct Monitor_instrument *other)
{
	struct emu *first = instrument->state, *second = other->state, *member = first;

	do {
		if (member == second)
			return;
		member = member->next;
	} while (member != first);
	member = first->next;
	first->next = second->next;
	second->next = member;
}

static void emu_close(struct Monitor_instrument *instrument)
{
	struct emu *emu = instrument->state, *before = emu;

	while (before->next != emu)
		before = before->next;
	before->next = emu->next;
	free(emu->memory);
	free(emu);
}

const struct smile_instrument_ops smile_instrument_emu = {
	.prefix = "emu:",
	.open = emu_open,
	.arm = emu_arm,
	.stop = emu_stop,
	.wait = emu_wait,
	.packet = emu_packet,
	.read = emu_read,
	.status = emu_status,
	.connect = emu_connect,
	.close = emu_close,
};
