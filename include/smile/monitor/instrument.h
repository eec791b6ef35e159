/* SPDX-License-Identifier: MIT */
/*
 * The deep trace instrument: every packet between two triggers. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_INSTRUMENT_H
#define SMILE_MONITOR_INSTRUMENT_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor_instrument;

/**
 * struct Monitor_trace_packet - A packet from the trace memory.
 * @time_ns: time stamp
 * @frame: bytes of the packet, valid until the next call for the instrument
 * @bytes: number of bytes in @frame
 * @original_bytes: length of the packet on the link; larger than @bytes if the instrument has
 *                  truncated the packet
 * @missed: number of packets between the previous packet and this packet that the instrument had no
 *          room to store
 * @level: level at which the trigger waited when the packet arrived, from 0
 * @trigger: 1: the packet is the trigger
 * @start: 1: storing began with this packet
 */
struct Monitor_trace_packet {
	uint64_t time_ns;
	const void *frame;
	size_t bytes;
	size_t original_bytes;
	uint64_t missed;
	unsigned int level;
	int trigger;
	int start;
};

/**
 * Monitor_trace_config_default() - Fill in a configuration without trigger and without filter.
 * @config: receives the configuration: the instrument uses all of its memory, or 24 MB if it is in
 *          this process; when the memory is full, new packets overwrite the oldest packets; the
 *          trigger lies in the middle of the memory
 *
 * Context: any thread.
 */
void Monitor_trace_config_default(struct smile_trace_config *config);

/**
 * Monitor_trace_filter() - Add a pattern to the filter.
 * @config: configuration
 * @pattern: text, such as "source=2,type=write" or "not command=readsb"
 *
 * A packet is stored if one of the filter's patterns matches. A pattern is "any", or a list of
 * conditions separated by commas, all of which must hold. A condition is FIELD=VALUE,
 * FIELD=FIRST..LAST, or several of these alternatives separated by "/". Fields are source, target,
 * command, type, address, transaction and extended; smile-trace(1) has their values. If each
 * pattern starts with "not", a packet is stored if none of the patterns matches.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if the text is not a valid pattern, if no packet can match it, or if patterns
 * with "not" and patterns without "not" are mixed; -ENOSPC if the text needs more patterns than the
 * instrument has left.
 */
int Monitor_trace_filter(struct smile_trace_config *config, const char *pattern);

/**
 * Monitor_trace_level() - Add a level to the trigger.
 * @config: configuration
 * @level: text, such as "source=2,type=write or command=event00 count=3 within=10us else=back"
 *
 * A level consists of patterns, separated by "or", and of options after the patterns. The options
 * are count=N (the number of packets that must match, by default 1), within=TIME (the time limit
 * for the matches, in ns, us, ms or s), then=ACTION (the action when the packets have matched) and
 * else=ACTION (the action when the time limit has passed). The actions are next, back, store and
 * stop. The default of then= is next, which means stop in the last level. The default of else= is
 * back.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if the text is not a valid level, or if no packet can match it; -ENOSPC if the
 * trigger already has 4 levels, or the instrument has too few free patterns.
 */
int Monitor_trace_level(struct smile_trace_config *config, const char *level);

/**
 * Monitor_instrument_open() - Open an instrument.
 * @out: receives the instrument
 * @source: one of
 *	"emu:"                              an instrument in this process, fed with
 *	                                    Monitor_instrument_packet()
 *	"dev:N" or "dev:/dev/smile_traceN"  an instrument behind the driver
 * @config: configuration of the instrument
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENOENT, -EACCES, -EBUSY, -ENODEV as the system reports them; -EINVAL for a source of
 * unknown form, or an impossible configuration; -EPROTO for a driver of another version; -ENOMEM.
 */
int Monitor_instrument_open(struct Monitor_instrument **out, const char *source,
			    const struct smile_trace_config *config);

/**
 * Monitor_instrument_connect() - Connect the trigger lines of two instruments.
 * @instrument: one of the two instruments
 * @other: the other instrument; when one of the two is triggered, the other is triggered too
 *
 * Both instruments must be in this process, and their configurations must have
 * SMILE_TRACE_MODE_LINE_OUT and _LINE_IN. To connect more than two instruments, connect each
 * further instrument to one that is already connected.
 *
 * Return: 0.
 * Errors: -EINVAL if one of the two instruments is not in this process.
 */
int Monitor_instrument_connect(struct Monitor_instrument *instrument,
			       struct Monitor_instrument *other);

/**
 * Monitor_instrument_arm() - Empty the memory and start to wait for the trigger.
 *
 * Return: 0.
 * Errors: -EBUSY if it is armed; -ENODEV if the instrument is gone.
 */
int Monitor_instrument_arm(struct Monitor_instrument *instrument);

/**
 * Monitor_instrument_stop() - Stop without a trigger. The call does nothing if the instrument has
 * already stopped.
 *
 * Return: 0.
 * Errors: -ENODEV if the instrument is gone.
 */
int Monitor_instrument_stop(struct Monitor_instrument *instrument);

/**
 * Monitor_instrument_wait() - Wait until packets can be read or the instrument has stopped.
 * @timeout_ms: time limit; 0: do not wait; negative: no limit
 *
 * An armed instrument that overwrites its oldest packets can be read only after it has stopped. For
 * an instrument in this process the call does not wait, because the instrument receives no packets
 * in the meantime.
 *
 * Return: 1 if packets can be read or the instrument has stopped; 0 if the time limit has passed.
 * Errors: -EINTR if a signal arrived first; -ENODEV if the instrument is gone.
 */
int Monitor_instrument_wait(struct Monitor_instrument *instrument, int timeout_ms);

/**
 * Monitor_instrument_packet() - Pass a packet to an instrument in this process.
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp
 *
 * Return: 1 while the instrument is armed or stores packets after the trigger; 0 when it has
 * stopped.
 * Errors: -EINVAL if the instrument is not in this process.
 */
int Monitor_instrument_packet(struct Monitor_instrument *instrument, const void *frame,
			      size_t bytes, uint64_t time_ns);

/**
 * Monitor_instrument_read() - Remove the oldest packet from the memory and return it.
 * @packet: receives the packet
 *
 * While an instrument that overwrites its oldest packets (SMILE_TRACE_MODE_WRAP) is armed, no
 * packet can be read.
 *
 * Return: 1 if a packet was read; 0 if the memory has no packet.
 * Errors: -EBUSY if packets cannot be read yet; -ENODEV if the instrument is gone; -EPROTO if the
 * contents of its memory are not packets.
 */
int Monitor_instrument_read(struct Monitor_instrument *instrument,
			    struct Monitor_trace_packet *packet);

/**
 * Monitor_instrument_status() - Get the state of the instrument, its trigger, and its packet
 * counts.
 * @status: receives the state, the trigger and the packet counts
 *
 * At any time, seen = stored + filtered + outside + overwritten + missed.
 *
 * Return: 0.
 * Errors: -ENODEV if the instrument is gone.
 */
int Monitor_instrument_status(struct Monitor_instrument *instrument,
			      struct smile_trace_status *status);

/**
 * Monitor_instrument_close() - Close an instrument and discard its stored packets.
 * @instrument: instrument, or NULL
 *
 * Return: 0.
 */
int Monitor_instrument_close(struct Monitor_instrument *instrument);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_INSTRUMENT_H */
