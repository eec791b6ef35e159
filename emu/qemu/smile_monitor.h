/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: what its parts see of each other.
 *
 * What lives here: the device's state, and the calls between the PCI shell (smile_monitor.c), the
 * time (pace.c), the traffic (feed.c) and migration (vmstate.c, loaded.c). For files compiled
 * against QEMU's headers, which must include "qemu/osdep.h" first.
 */
#ifndef EMU_QEMU_SMILE_MONITOR_H
#define EMU_QEMU_SMILE_MONITOR_H

#include "hw/pci/pci.h"
#include "chardev/char-fe.h"
#include "sysemu/sysemu.h"
#include "qom/object.h"

#include "emu/card/card.h"
#include "emu/qemu/pcap_stream.h"

#define TYPE_SMILE_MONITOR "smile-monitor"
OBJECT_DECLARE_SIMPLE_TYPE(SmileMonitor, SMILE_MONITOR)

/* A few frames of the longest kind, or several thousands of the usual one. */
#define FEED_BUFFER_BYTES (256U * 1024U)
QEMU_BUILD_BUG_ON(FEED_BUFFER_BYTES < 2 * PCAP_STREAM_ITEM_BYTES_MAX);

/**
 * struct SmilePace - What time it is for the card.
 * @name: property "pace"
 * @realtime: it is "realtime": the card's clock is the machine's virtual time
 * @due: pace=realtime: when the card next has something to do by itself
 * @latency: when the ring's latency timer runs out
 * @latency_ns: the same, as virtual time; 0: it is stopped
 */
struct SmilePace {
	char *name;
	bool realtime;
	QEMUTimer *due;
	QEMUTimer *latency;
	uint64_t latency_ns;
};

/**
 * struct SmileFeed - The B-Link traffic on its way from a character device to the card.
 * @blink: the character device; may have no back end
 * @timer: pace=realtime: when the next frame is due
 * @open: the character device has a peer
 * @ending: the peer has gone, but what it sent is not yet fed; nothing is read until it is
 * @refused: the stream is no capture, or damaged: what else comes is dropped
 * @frames: frames of the stream fed
 * @stream: the parser
 * @started_ns: pace=realtime: virtual time of the first frame of the stream
 * @first_ns: its time stamp
 * @timed: both are set
 * @start: first byte in @buffer not yet consumed
 * @end: one past the last
 * @buffer: bytes received
 */
struct SmileFeed {
	CharBackend blink;
	QEMUTimer *timer;
	bool open;
	bool ending;
	bool refused;
	uint64_t frames;
	struct pcap_stream stream;
	uint64_t started_ns;
	uint64_t first_ns;
	bool timed;
	uint32_t start;
	uint32_t end;
	uint8_t buffer[FEED_BUFFER_BYTES];
};

/**
 * struct SmileMonitor - The device.
 * @parent_obj: the PCI device
 * @registers: BAR 0
 * @ram: BAR 2
 * @card: the card itself
 * @pace: its time
 * @feed: its traffic
 * @work: bottom half: all that the card does without being accessed
 * @running: tells when the virtual machine stops and continues
 * @node: property "node"
 * @link: property "link"
 * @interrupt: level of the card's interrupt line
 * @absent: the registers are not there: property "absent", or the card was unplugged
 * @loading: a saved state is being loaded and was not yet found good
 */
struct SmileMonitor {
	PCIDevice parent_obj;
	MemoryRegion registers;
	MemoryRegion ram;
	struct card card;
	struct SmilePace pace;
	struct SmileFeed feed;
	QEMUBH *work;
	VMChangeStateEntry *running;
	uint32_t node;
	OnOffAuto link;
	bool interrupt;
	bool absent;
	bool loading;
};

/* ---- smile_monitor.c ---- */

/* Register the device type; done by QEMU itself if the device is part of it. */
void smile_monitor_register(void);

/* The card as it is when the power comes: nothing counted, nothing received, the line inactive. */
void smile_monitor_power_on(SmileMonitor *mon);

/* The card may be able to do more: run the bottom half. Does nothing once the card has gone. */
void smile_monitor_kick(SmileMonitor *mon);

/* Let the PCI interrupt follow @interrupt. */
void smile_monitor_interrupt(SmileMonitor *mon);

/* ---- pace.c ---- */

/* Start and stop; start fails if the property makes no sense. */
bool pace_realize(SmileMonitor *mon, Error **errp);
void pace_unrealize(SmileMonitor *mon);

/*
 * How far towards @time_ns the card may be told the time at once. Short periods of its timer make
 * much work of a long time; then it is not as far, and to be asked again soon.
 */
uint64_t pace_reach(const SmileMonitor *mon, uint64_t time_ns);

/* pace=realtime: tell the card the time; before each call into it that depends on the time. */
void pace_tick(SmileMonitor *mon);

/* The same, and tell the card if the latency timer has run out. From the bottom half alone. */
void pace_run(SmileMonitor *mon);

/* The card may have other plans now: see to it that the bottom half runs in time for them. */
void pace_arm(SmileMonitor *mon);

/* Start the latency timer anew, or, with 0, stop it: card_ops.latency. */
void pace_latency(void *opaque, uint32_t us);

/* A saved state has been loaded. Return: false if it is impossible. */
bool pace_load(SmileMonitor *mon);

/* ---- feed.c ---- */

/* Start and stop. */
void feed_realize(SmileMonitor *mon);
void feed_unrealize(SmileMonitor *mon);

/* Forget what was received and not yet fed, and that there was a stream. */
void feed_forget(SmileMonitor *mon);

/*
 * Feed what may be fed, as the bottom half's part. Return: false if a limit was reached and there
 * may be more to do at once.
 */
bool feed_run(SmileMonitor *mon);

/* ---- loaded.c ---- */

/* Can there be a card in this state? */
bool loaded_card_valid(const struct card *card);

/* ---- vmstate.c ---- */

extern const VMStateDescription smile_monitor_vmstate;

#endif /* EMU_QEMU_SMILE_MONITOR_H */
