/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: what its parts see of each other.
 *
 * What lives here: the device's state, and the calls between the PCI shell (smile_monitor.c), the
 * traffic (feed.c) and migration (vmstate.c). For files compiled against QEMU's headers, which must
 * include "qemu/osdep.h" first.
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
 * struct SmileFeed - The B-Link traffic on its way from a character device to the card.
 * @blink: the character device; may have no back end
 * @pump: bottom half that feeds frames
 * @timer: pace=realtime: when the next frame is due
 * @running: tells when the virtual machine stops and continues
 * @realtime: pace=realtime
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
	QEMUBH *pump;
	QEMUTimer *timer;
	VMChangeStateEntry *running;
	bool realtime;
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
 * @feed: its traffic
 * @node: property "node"
 * @pace: property "pace"
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
	struct SmileFeed feed;
	uint32_t node;
	char *pace;
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

/* The card may have written to its RAM, whose last write was at @aux: tell QEMU. */
void smile_monitor_dirty(SmileMonitor *mon, uint32_t aux);

/* Let the PCI interrupt follow @interrupt. */
void smile_monitor_interrupt(SmileMonitor *mon);

/* ---- feed.c ---- */

/* Start and stop; start fails if a property makes no sense. */
bool feed_realize(SmileMonitor *mon, Error **errp);
void feed_unrealize(SmileMonitor *mon);

/* Forget what was received and not yet fed, and that there was a stream. */
void feed_forget(SmileMonitor *mon);

/* The card may be able to take more; does nothing once the feed has stopped. */
void feed_kick(SmileMonitor *mon);

/* pace=realtime: tell the card the time. */
void feed_clock(SmileMonitor *mon);

/* ---- vmstate.c ---- */

extern const VMStateDescription smile_monitor_vmstate;

#endif /* EMU_QEMU_SMILE_MONITOR_H */
