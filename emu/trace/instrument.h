/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument: the interface between the model and its environment.
 *
 * What lives here: the complete state of the instrument, and the functions that drive it. The
 * environment (a QEMU device, the library or a test) owns the memory and calls these functions. The
 * instrument calls functions of the environment to set the interrupt line and the trigger line, and
 * to transfer data into host memory. It does no I/O and allocates no memory. Its only clock is the
 * time stamps of the frames. May use include/ and <stdbool.h>, <stddef.h>, <stdint.h>, <string.h>.
 * docs/trace.md is the datasheet.
 *
 * The functions are not thread-safe: for each instrument, only one thread may call them at a time.
 */
#ifndef EMU_TRACE_INSTRUMENT_H
#define EMU_TRACE_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <hw/smile_trace_regs.h>

/**
 * struct instrument_ops - Functions of the environment, which the instrument calls. Each may be
 * NULL.
 * @interrupt: the interrupt line has changed to @level
 * @line: the instrument drives the trigger line at @time_ns
 * @dma_write: write to bus address @address. Return false if the bus has rejected the write. NULL:
 *             the bus rejects all writes
 *
 * The instrument calls these functions only from within the functions below. These functions must
 * not call the same instrument.
 */
struct instrument_ops {
	void (*interrupt)(void *opaque, bool level);
	void (*line)(void *opaque, uint64_t time_ns);
	bool (*dma_write)(void *opaque, uint64_t address, const void *data, size_t bytes);
};

/**
 * struct instrument_set - A set of patterns, prepared for a fast comparison.
 * @common: the bits for which all patterns in use require the same value; these bits are compared
 *          first
 * @count: number of patterns in use
 * @invert: 1 if a frame matches the set when it matches none of the patterns; otherwise 0
 * @pattern: the patterns in use, without gaps
 *
 * All members are derived from the configuration.
 */
struct instrument_set {
	struct smile_trace_pattern common;
	uint32_t count;
	uint32_t invert;
	struct smile_trace_pattern pattern[SMILE_TRACE_PATTERNS];
};

/**
 * struct instrument - The complete state of the instrument.
 * @ops: functions of the environment
 * @opaque: first argument of these functions
 * @memory: the trace memory
 * @memory_max: largest size of the trace memory: the size of @memory in bytes
 * @config: the configuration registers
 * @status: state and account. The member for the number of bytes is not kept up to date
 * @head: number of bytes that were written since the instrument was armed
 * @tail: number of bytes that were consumed or overwritten since the instrument was armed
 * @head_place: @head modulo the size of the trace memory
 * @tail_place: @tail modulo the size of the trace memory
 * @budget: in state TRIGGERED: number of bytes that may still be written
 * @now_ns: time stamp of the last frame
 * @level_since_ns: time at which the current level began
 * @level_left: number of frames that must still match before the level's action THEN is executed
 * @level_fresh: the current level begins with the next frame
 * @gated: at least one level has the action STORE
 * @storing: frames are stored
 * @missed_since: number of frames that were missed since the last entry
 * @full: bit STATUS.FULL
 * @bad_write: bit STATUS.BAD_WRITE
 * @dma_error: bit STATUS.DMA_ERROR
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line that was last reported to the environment
 * @latch: high half of the 64-bit register that was read last
 * @dma_base: register DMA_BASE
 * @dma_from: register DMA_FROM
 * @dma_bytes: register DMA_BYTES
 * @set: the patterns of each level, and the patterns of the filter
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
 * struct instrument_entry - A decoded entry of the trace memory.
 * @time_ns: time stamp
 * @word: word 1 of the entry: see SMILE_TRACE_ENTRY_*
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
 * @instrument: memory of the caller, with any contents
 * @memory: trace memory of the caller, @memory_bytes long
 * @memory_bytes: size of the trace memory: at least SMILE_TRACE_MEMORY_ALIGN, and a multiple of it
 */
void instrument_init(struct instrument *instrument, void *memory, uint32_t memory_bytes,
		     const struct instrument_ops *ops, void *opaque);

/**
 * instrument_reset() - Handle a reset by the bus. Every register gets its reset value. The contents
 * of the trace memory are kept.
 */
void instrument_reset(struct instrument *instrument);

/**
 * instrument_mmio_read() - Read a register for the host: SMILE_TRACE_REG_*.
 *
 * Return: value of the register; 0 if there is no such register.
 */
uint32_t instrument_mmio_read(struct instrument *instrument, uint32_t offset);

/**
 * instrument_mmio_write() - Write a register for the host. If the register cannot have the value,
 * the write is rejected.
 */
void instrument_mmio_write(struct instrument *instrument, uint32_t offset, uint32_t value);

/**
 * instrument_configure() - Set the configuration. The effect is the same as that of writing all
 * registers of the configuration.
 *
 * Return: true if the configuration was set; false if it is invalid, or if the instrument is armed
 *         or triggered. If the result is false, nothing has changed.
 */
bool instrument_configure(struct instrument *instrument, const struct smile_trace_config *config);

/**
 * instrument_arm() - Execute COMMAND.ARM: clear the trace memory and the account, and wait for the
 * trigger.
 *
 * Return: true; false if the instrument is already armed or triggered.
 */
bool instrument_arm(struct instrument *instrument);

/**
 * instrument_stop() - Execute COMMAND.STOP: end the trace without a trigger.
 */
void instrument_stop(struct instrument *instrument);

/**
 * instrument_trigger() - Execute COMMAND.TRIGGER at a given time.
 */
void instrument_trigger(struct instrument *instrument, uint64_t time_ns);

/**
 * instrument_line() - Report that another instrument has driven the trigger line.
 *
 * If MODE.LINE_IN is not set, this call has no effect.
 */
void instrument_line(struct instrument *instrument, uint64_t time_ns);

/**
 * instrument_frame() - Process a frame that passes on the B-Link.
 * @frame: the frame, as 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp of the frame
 *
 * If the instrument is neither armed nor triggered, it ignores the frame.
 */
void instrument_frame(struct instrument *instrument, const void *frame, size_t bytes,
		      uint64_t time_ns);

/**
 * instrument_status() - Get the state and the account.
 */
void instrument_status(const struct instrument *instrument, struct smile_trace_status *status);

/**
 * instrument_peek() - Decode the entry that starts @at bytes after the first byte since ARM. @at
 * must not be before TAIL.
 *
 * Return: length of the entry in bytes. The next entry starts at @at plus this length. The length
 *         is 0 if @at is HEAD, or if no entry starts at @at.
 */
size_t instrument_peek(const struct instrument *instrument, uint64_t at,
		       struct instrument_entry *entry);

/**
 * instrument_consume() - Consume bytes, like a write of register CONSUME.
 *
 * Return: true; false if the instrument has rejected the request.
 */
bool instrument_consume(struct instrument *instrument, uint64_t bytes);

#endif /* EMU_TRACE_INSTRUMENT_H */
