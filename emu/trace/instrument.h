/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument: its interface for its surroundings.
 *
 * What lives here: the whole state of the instrument and the calls that drive it. The surroundings
 * (a QEMU device, the library, a test) own the memory, make these calls, and are called back for
 * the interrupt line, the trigger line and transfers into host memory. The instrument does no I/O,
 * allocates nothing, and has no time except that of the frames. It may use include/ and
 * <stdbool.h>, <stddef.h>, <stdint.h>, <string.h>. docs/trace.md is its datasheet.
 *
 * Not thread-safe: one caller at a time for each instrument.
 */
#ifndef EMU_TRACE_INSTRUMENT_H
#define EMU_TRACE_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <hw/smile_trace_regs.h>

/**
 * struct instrument_ops - The functions of the surroundings that the instrument calls. Each may be
 * NULL.
 * @interrupt: the interrupt line has changed to @level
 * @line: the trigger line is driven, at @time_ns
 * @dma_write: write to bus address @address; return false if the bus has refused the write; NULL:
 *         the bus always refuses
 *
 * The instrument calls them during the calls below; they must not call the same instrument.
 */
struct instrument_ops {
	void (*interrupt)(void *opaque, bool level);
	void (*line)(void *opaque, uint64_t time_ns);
	bool (*dma_write)(void *opaque, uint64_t address, const void *data, size_t bytes);
};

/**
 * struct instrument_set - A set of patterns, ready to be compared.
 * @common: the bits that all patterns in use compare with the same value; compared first
 * @count: number of patterns in use
 * @invert: all ones if a frame matches when no pattern matches it, otherwise 0
 * @pattern: the patterns in use, without gaps
 *
 * The set is derived from the configuration.
 */
struct instrument_set {
	struct smile_trace_pattern common;
	uint32_t count;
	uint32_t invert;
	struct smile_trace_pattern pattern[SMILE_TRACE_PATTERNS];
};

/**
 * struct instrument - The whole instrument.
 * @ops: the functions of the surroundings
 * @opaque: first argument of these functions
 * @memory: the trace memory
 * @memory_max: size of @memory in bytes
 * @config: the configuration registers
 * @status: state and account; its member for bytes is not kept up to date
 * @head: bytes that were written since it was armed
 * @tail: bytes that were consumed or overwritten since then
 * @head_place: @head modulo the memory's size
 * @tail_place: @tail modulo the memory's size
 * @budget: in state TRIGGERED: bytes that may still be written
 * @now_ns: time stamp of the last frame
 * @level_since_ns: when the current level began
 * @level_left: number of matching frames until the level's THEN applies
 * @level_fresh: the level begins with the next frame
 * @gated: at least one level has the action STORE
 * @storing: frames are stored
 * @missed_since: number of frames missed since the last entry
 * @full: bit STATUS.FULL
 * @bad_write: bit STATUS.BAD_WRITE
 * @dma_error: bit STATUS.DMA_ERROR
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line, as last reported
 * @latch: high half of the 64-bit register that was read last
 * @dma_base: register DMA_BASE
 * @dma_from: register DMA_FROM
 * @dma_bytes: register DMA_BYTES
 * @set: the levels' patterns and the filter's
 */
struct instrument {
	const struct instrument_ops *ops;
	void *opaque;
	uint8_t *memory;
	uint32_t memory_max;
	struct smile_trace_config config;
	struct smile_trace_status status;
	uint64_t head;
	uint64_t tail;
	uint32_t head_place;
	uint32_t tail_place;
	uint64_t budget;
	uint64_t now_ns;
	uint64_t level_since_ns;
	uint32_t level_left;
	uint32_t level_fresh;
	uint32_t gated;
	uint32_t storing;
	uint64_t missed_since;
	uint32_t full;
	uint32_t bad_write;
	uint32_t dma_error;
	uint32_t int_status;
	uint32_t int_enable;
	uint32_t int_level;
	uint32_t latch;
	uint64_t dma_base;
	uint32_t dma_from;
	uint32_t dma_bytes;
	struct instrument_set set[SMILE_TRACE_SETS];
};

/**
 * struct instrument_entry - An entry of the trace memory, decoded.
 * @time_ns: time stamp
 * @word: word 1: see SMILE_TRACE_ENTRY_*
 * @bytes: length of @frame
 * @frame: copy of the stored part of the frame
 */
struct instrument_entry {
	uint64_t time_ns;
	uint64_t word;
	uint32_t bytes;
	uint8_t frame[SMILE_TRACE_FRAME_BYTES];
};

/**
 * instrument_init() - Set the instrument to its state at power-on.
 * @instrument: owned by the caller, with any contents
 * @memory: @memory_bytes of trace memory, owned by the caller
 * @memory_bytes: a multiple of SMILE_TRACE_MEMORY_ALIGN, and at least that
 */
void instrument_init(struct instrument *instrument, void *memory, uint32_t memory_bytes,
		     const struct instrument_ops *ops, void *opaque);

/**
 * instrument_reset() - Bus reset: set every register to its reset value. The memory keeps its
 * contents.
 */
void instrument_reset(struct instrument *instrument);

/**
 * instrument_mmio_read() - The host reads a register: SMILE_TRACE_REG_*.
 *
 * Return: its value; 0 if there is no such register.
 */
uint32_t instrument_mmio_read(struct instrument *instrument, uint32_t offset);

/**
 * instrument_mmio_write() - The host writes a register. Impossible values are refused.
 */
void instrument_mmio_write(struct instrument *instrument, uint32_t offset, uint32_t value);

/**
 * instrument_configure() - Set the configuration, as writes of all its registers would.
 *
 * Return: false, and nothing has changed, if the configuration is not valid or the instrument is
 * armed.
 */
bool instrument_configure(struct instrument *instrument, const struct smile_trace_config *config);

/**
 * instrument_arm() - COMMAND.ARM: empty memory and account, and wait for the trigger.
 *
 * Return: false if it is armed already.
 */
bool instrument_arm(struct instrument *instrument);

/**
 * instrument_stop() - COMMAND.STOP: end the trace without a trigger.
 */
void instrument_stop(struct instrument *instrument);

/**
 * instrument_trigger() - COMMAND.TRIGGER, at a time.
 */
void instrument_trigger(struct instrument *instrument, uint64_t time_ns);

/**
 * instrument_line() - Another instrument drives the trigger line.
 *
 * The call has no effect without MODE.LINE_IN.
 */
void instrument_line(struct instrument *instrument, uint64_t time_ns);

/**
 * instrument_frame() - A frame passes on the B-Link.
 * @frame: its bytes: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: its time stamp
 *
 * Ignored unless the instrument is armed or triggered.
 */
void instrument_frame(struct instrument *instrument, const void *frame, size_t bytes,
		      uint64_t time_ns);

/**
 * instrument_status() - Get state and account.
 */
void instrument_status(const struct instrument *instrument, struct smile_trace_status *status);

/**
 * instrument_peek() - Decode the entry that starts at byte @at since ARM, which must be at TAIL or
 * after it.
 *
 * Return: bytes of the entry, so that the next one is at @at plus that; 0 at HEAD, or if there is
 * no entry at @at.
 */
size_t instrument_peek(const struct instrument *instrument, uint64_t at,
		       struct instrument_entry *entry);

/**
 * instrument_consume() - Do the same as a write of CONSUME.
 *
 * Return: false if it is refused.
 */
bool instrument_consume(struct instrument *instrument, uint64_t bytes);

#endif /* EMU_TRACE_INSTRUMENT_H */
