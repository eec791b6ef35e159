/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * SMiLE deep trace instrument: the contract between the instrument, its driver and programs.
 *
 * What lives here: the configuration (patterns, levels, filter), the entries of the trace memory,
 * and the status with its packet counts. docs/trace.md explains them. This project defines all
 * formats, because the thesis describes functions and sizes, but no bits.
 */
#ifndef UAPI_SMILE_TRACE_H
#define UAPI_SMILE_TRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SMILE_TRACE_LEVELS 4U /* thesis 4.1.4 */
#define SMILE_TRACE_PATTERNS 16U /* patterns of each level, and of the filter */

/**
 * struct smile_trace_pattern - A pattern matches a frame if the masked bits of the frame's BD1 and
 * BD2 have these values.
 * @bd1_mask: bits of BD1 that are compared
 * @bd1_value: values of the compared bits; all other bits must be 0
 * @bd2_mask: bits of BD2 that are compared
 * @bd2_value: values of the compared bits; all other bits must be 0
 */
struct smile_trace_pattern {
	__u64 bd1_mask;
	__u64 bd1_value;
	__u64 bd2_mask;
	__u64 bd2_value;
};

/*
 * VALID: one bit for each pattern of the set that is in use. INVERT: a frame matches the set if
 * none of the set's patterns matches it.
 */
#define SMILE_TRACE_SET_VALID 0x0000ffffU
#define SMILE_TRACE_SET_INVERT 0x80000000U

/* The actions that the trigger can take at the end of a level. */
#define SMILE_TRACE_NEXT 0U /* the next level; after the last level: as STOP */
#define SMILE_TRACE_BACK 1U /* the first level; if any level has STORE, storing stops */
#define SMILE_TRACE_STORE 2U /* store from this frame on; then as NEXT, but never stop */
#define SMILE_TRACE_STOP 3U /* this frame is the trigger */

#define SMILE_TRACE_ACTION_THEN 0x00000003U /* action after the level's frames were seen */
#define SMILE_TRACE_ACTION_ELSE 0x00000300U /* action after the level's time-out */

/**
 * struct smile_trace_level - One level of the trigger.
 * @set: SMILE_TRACE_SET_*
 * @count: number of matching frames that cause the action THEN, at least 1
 * @timeout_ns: time after the start of the level at which the action ELSE is taken; 0: no time-out
 * @action: SMILE_TRACE_ACTION_*
 * @reserved: 0
 * @pattern: patterns of the level
 */
struct smile_trace_level {
	__u32 set;
	__u32 count;
	__u64 timeout_ns;
	__u32 action;
	__u32 reserved;
	struct smile_trace_pattern pattern[SMILE_TRACE_PATTERNS];
};

#define SMILE_TRACE_MODE_WRAP 0x00000001U /* a full memory drops its oldest frames; 0: new frames */
#define SMILE_TRACE_MODE_FILTER 0x00000002U /* store frames that match the filter; 0: all frames */
#define SMILE_TRACE_MODE_LINE_IN 0x00000004U /* the trigger line triggers the instrument */
#define SMILE_TRACE_MODE_LINE_OUT 0x00000008U /* a trigger of the instrument drives the line */
#define SMILE_TRACE_MODE_ALL 0x0000000fU

#define SMILE_TRACE_MEMORY_ALIGN 4096U
#define SMILE_TRACE_MEMORY_HISTORIC 0x01800000U /* 2 x 12 MB: thesis 4.1.3 */

/**
 * struct smile_trace_config - Configuration of the instrument.
 * @mode: SMILE_TRACE_MODE_*
 * @memory_bytes: number of bytes of the trace memory to use, a multiple of SMILE_TRACE_MEMORY_ALIGN
 * @position_percent: percentage of the memory for the frames before the trigger, 0 to 100
 * @levels: number of levels in use, 0 to SMILE_TRACE_LEVELS; 0: no trigger
 * @filter_set: SMILE_TRACE_SET_* of the filter
 * @watermark_bytes: number of stored bytes at which the instrument raises an interrupt; 0: no
 *                   interrupt
 * @level: the levels
 * @filter: the filter's patterns
 */
struct smile_trace_config {
	__u32 mode;
	__u32 memory_bytes;
	__u32 position_percent;
	__u32 levels;
	__u32 filter_set;
	__u32 watermark_bytes;
	struct smile_trace_level level[SMILE_TRACE_LEVELS];
	struct smile_trace_pattern filter[SMILE_TRACE_PATTERNS];
};

/*
 * An entry of the trace memory consists of two little-endian words of 64 bits, and the frame, which
 * is padded with zeros to whole words. Word 0 is the time stamp in ns. Word 1 has these fields:
 */
#define SMILE_TRACE_ENTRY_BYTES 0x000000000000ffffULL /* bytes of the frame that are stored */
#define SMILE_TRACE_ENTRY_LENGTH 0x00000000ffff0000ULL /* bytes on the link; 65535: this or more */
#define SMILE_TRACE_ENTRY_LEVEL 0x0000000300000000ULL /* level that the trigger waited at, from 0 */
#define SMILE_TRACE_ENTRY_TRIGGER 0x0000000400000000ULL /* the frame is the trigger */
#define SMILE_TRACE_ENTRY_START 0x0000000800000000ULL /* storing began with this frame */
#define SMILE_TRACE_ENTRY_MISSED 0xffffff0000000000ULL /* missed since the last entry; saturates */
#define SMILE_TRACE_ENTRY_HEAD_BYTES 16U
#define SMILE_TRACE_FRAME_BYTES 304U /* stored bytes of a frame: enough for the longest */
#define SMILE_TRACE_ENTRY_BYTES_MAX (SMILE_TRACE_ENTRY_HEAD_BYTES + SMILE_TRACE_FRAME_BYTES)

/* The state of the instrument. */
#define SMILE_TRACE_IDLE 0U /* not armed since its reset */
#define SMILE_TRACE_ARMED 1U /* waits for its trigger */
#define SMILE_TRACE_TRIGGERED 2U /* stores the frames after the trigger */
#define SMILE_TRACE_DONE 3U /* stopped: the memory can be read */

/* The cause of the trigger. */
#define SMILE_TRACE_BY_NONE 0U
#define SMILE_TRACE_BY_FRAME 1U
#define SMILE_TRACE_BY_TIMEOUT 2U
#define SMILE_TRACE_BY_LINE 3U
#define SMILE_TRACE_BY_HOST 4U

/**
 * struct smile_trace_status - State of the instrument, its trigger, and its frame counts.
 * @state: SMILE_TRACE_IDLE and so on
 * @level: level at which the trigger waits, from 0; after the last level, the number of levels
 * @trigger_by: SMILE_TRACE_BY_*
 * @trigger_level: level that caused the trigger, from 0
 * @trigger_time_ns: time of the trigger
 * @trigger_frame: number, from 0, of the frame that was the trigger; if the trigger was not a
 *                 frame, number of the next frame
 * @seen: frames since the instrument was armed, until it was done
 * @stored: frames that are in the memory, or were read from it
 * @filtered: frames rejected by the filter
 * @outside: frames that passed while storing was off, which is before STORE and after BACK
 * @overwritten: frames that were stored, then overwritten by newer frames
 * @missed: frames that the instrument had no room to store
 * @cut: frames that were truncated because they are longer than SMILE_TRACE_FRAME_BYTES
 * @bytes: number of bytes in the memory
 *
 * At any time, seen = stored + filtered + outside + overwritten + missed.
 */
struct smile_trace_status {
	__u32 state;
	__u32 level;
	__u32 trigger_by;
	__u32 trigger_level;
	__u64 trigger_time_ns;
	__u64 trigger_frame;
	__u64 seen;
	__u64 stored;
	__u64 filtered;
	__u64 outside;
	__u64 overwritten;
	__u64 missed;
	__u64 cut;
	__u64 bytes;
};

/*
 * /dev/smile_traceN is one instrument. A file that is open for writing is the only owner of the
 * instrument, and the instrument is reset when this file is opened. read() removes bytes of entries
 * from the memory after the instrument is done, or, without SMILE_TRACE_MODE_WRAP, at any time. It
 * returns 0 when the instrument is done and all entries were read. read() and poll() wait until the
 * instrument is triggered or done, until its memory is full, or until it contains watermark_bytes
 * of data. mmap() maps the trace memory read-only, from offset 0.
 *
 * If the instrument is reset, loses power, or does not respond for some time, its trace is lost.
 * Until the next ARM, read(), STATUS, STOP and TRIGGER then fail with EIO, poll() reports POLLERR,
 * and accesses to the mapping raise SIGBUS. The configuration is kept.
 */
#define SMILE_TRACE_ABI 1U

/**
 * struct smile_trace_info - Properties of the instrument.
 * @abi: SMILE_TRACE_ABI
 * @version: the instrument's VERSION register
 * @memory_bytes: size of the trace memory
 * @reserved: 0
 */
struct smile_trace_info {
	__u32 abi;
	__u32 version;
	__u32 memory_bytes;
	__u32 reserved;
};

#define SMILE_TRACE_IOC_TYPE 0xB5 /* instrument: numbers 0x60 to 0x7f; card: 0x40 to 0x5f */
#define SMILE_TRACE_IOC_INFO _IOR(SMILE_TRACE_IOC_TYPE, 0x60, struct smile_trace_info)
#define SMILE_TRACE_IOC_STATUS _IOR(SMILE_TRACE_IOC_TYPE, 0x61, struct smile_trace_status)
/*
 * Only the owner may configure the instrument. EBUSY while it is armed; EINVAL if it rejects the
 * configuration, in which case it is reset.
 */
#define SMILE_TRACE_IOC_CONFIGURE _IOW(SMILE_TRACE_IOC_TYPE, 0x62, struct smile_trace_config)
#define SMILE_TRACE_IOC_ARM _IO(SMILE_TRACE_IOC_TYPE, 0x63)
#define SMILE_TRACE_IOC_STOP _IO(SMILE_TRACE_IOC_TYPE, 0x64)
#define SMILE_TRACE_IOC_TRIGGER _IO(SMILE_TRACE_IOC_TYPE, 0x65)

#endif /* UAPI_SMILE_TRACE_H */
