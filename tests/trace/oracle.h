/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A second implementation of the deep trace instrument, written only from its datasheet.
 *
 * What lives here: the decision on each frame of a list, computed over the whole list. May use
 * include/, and nothing of emu/trace/.
 */
#ifndef TESTS_TRACE_ORACLE_H
#define TESTS_TRACE_ORACLE_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_trace.h>

#define ORACLE_FRAMES_MAX 256U
#define ORACLE_NEVER SIZE_MAX

/**
 * struct oracle_frame - A frame that passes the instrument.
 * @time_ns: time stamp
 * @bytes: length of the frame
 * @data: bytes of the frame
 */
struct oracle_frame {
	uint64_t time_ns;
	size_t bytes;
	uint8_t data[328];
};

/**
 * struct oracle_entry - An entry that is in the memory at the end.
 * @frame: index of its frame
 * @word: word 1
 */
struct oracle_entry {
	size_t frame;
	uint64_t word;
};

/**
 * struct oracle - The expected result.
 * @status: state and account
 * @entries: entries in the memory
 * @count: number of entries
 */
struct oracle {
	struct smile_trace_status status;
	struct oracle_entry entries[ORACLE_FRAMES_MAX];
	size_t count;
};

/**
 * oracle_decide() - Compute the expected result.
 * @line_before: index of the frame before which the trigger line is driven, or ORACLE_NEVER
 * @line_ns: when the line is driven
 */
void oracle_decide(struct oracle *oracle, const struct smile_trace_config *config,
		   const struct oracle_frame *frames, size_t count, size_t line_before,
		   uint64_t line_ns);

#endif /* TESTS_TRACE_ORACLE_H */
