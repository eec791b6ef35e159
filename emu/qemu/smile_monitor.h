/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: what its files share.
 *
 * What lives here: the device's state, and the calls between the PCI shell (smile_monitor.c), the
 * slot (slot.c), simulated time (pace.c), traffic (feed.c) and migration (vmstate.c,
 * state_check.c). For files compiled against QEMU's headers; they include "qemu/osdep.h" first.
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
 * struct SmileTap - What else listens to a card's B-Link.
 * @frame: a frame passes
 * @opaque: its first argument
 * @next: all of the card's
 */
struct SmileTap {
	void (*frame)(void *opaque, const void *data, size_t bytes, uint64_t time_ns);
	void *opaque;
	QLIST_ENTRY(SmileTap) next;
};

/**
 * struct SmileFeed - The B-Link traffic on its way from a character device to the card.
 * @blink: the character device; may have no back end
 * @timer: pace=realtime: when the next frame is due
 * @rest: when a rest ends; not saved, nor are the next two
 * @turn: frames fed since the last rest
 * @resting: nothing is fed or read
 * @open: the character device has a peer
 * @ending: the peer has gone, but what it sent is not yet fed; nothing is read until it is
 * @refused: the stream is no capture, or damaged: what else comes is dropped
 * @full: the buffer was as good as full, and half of it is not free yet; not saved: it follows
 * @frames: frames of the stream fed
 * @stream: the parser
 * @started_ns: pace=realtime: virtual time of the first frame of the stream
 * @first_ns: its time stamp
 * @timed: both are set
 * @start: first byte in @buffer not yet consumed
 * @end: one past the last
 * @taps: what else listens; not saved
 * @buffer: bytes received
 */
struct SmileFeed {
	CharBackend blink;
	QEMUTimer *timer;
	QEMUTimer *rest;
	int turn;
	bool resting;
	bool open;
	bool ending;
	bool refused;
	bool full;
	uint64_t frames;
	struct pcap_stream stream;
	uint64_t started_ns;
	uint64_t first_ns;
	bool timed;
	uint32_t start;
	uint32_t end;
	QLIST_HEAD(, SmileTap) taps;
	uint8_t buffer[FEED_BUFFER_BYTES];
};

/**
 * struct SmileMonitor - The device.
 * @parent_obj: the PCI device
 * @registers: BAR 0
 * @ram: the dual-ported RAM
 * @dark: what is seen in its place while the card is asleep or absent
 * @bar_ring: BAR 2: one of the two
 * @card: the card itself
 * @pace: its time
 * @feed: its traffic
 * @work: bottom half: all that the card does without being accessed
 * @running: says when the virtual machine stops and continues
 * @room: notified when the card may have room for frames that an adapter holds back
 * @node: property "node"
 * @link: property "link"
 * @interrupt: level of the card's interrupt line
 * @absent: nothing of the card is there: property "absent", or it was unplugged
 * @reset_due: the card itself is to be reset, once it has come to an end
 * @loading: a saved state is being loaded and was not yet found good
 */
struct SmileMonitor {
	PCIDevice parent_obj;
	MemoryRegion registers;
	MemoryRegion ram;
	MemoryRegion dark;
	MemoryRegion bar_ring;
	struct card card;
	struct SmilePace pace;
	struct SmileFeed feed;
	QEMUBH *work;
	VMChangeStateEntry *running;
	NotifierList room;
	uint32_t node;
	OnOffAuto link;
	bool interrupt;
	bool absent;
	bool reset_due;
	bool loading;
};

/* ---- smile_monitor.c ---- */

/* Register the device type; done by QEMU itself if the device is part of it. */
void smile_monitor_register(void);

/* The card as it is when the power comes: nothing counted, nothing received, the line inactive. */
void smile_monitor_power_on(SmileMonitor *mon);

/* The card may be able to do more: run the bottom half. Does nothing once the card has gone. */
void smile_monitor_kick(SmileMonitor *mon);

/*
 * For an adapter on the same B-Link. Can a transaction pass without a loss? Always where the link
 * does not wait: pace=realtime, or a card that does not count.
 */
bool smile_monitor_room(SmileMonitor *mon);

/* A frame of the adapter's passes at @time_ns, the host's clock. */
void smile_monitor_pass(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/* Is the card at work, and must not be called? */
bool smile_monitor_busy(SmileMonitor *mon);

/* Let the PCI interrupt follow @interrupt. */
void smile_monitor_interrupt(SmileMonitor *mon);

/* Make up for a reset that came while the card was at work; before each call into the card. */
void smile_monitor_catch_up(SmileMonitor *mon);

/* ---- smile_trace.c ---- */

/* Register the type of the deep trace instrument, likewise. */
void smile_trace_register(void);

/* ---- slot.c ---- */

/*
 * The accesses to configuration space; which kind of slot this is: before the device is realized.
 */
void slot_class_init(PCIDeviceClass *klass);
void slot_choose(PCIDevice *pci);

/* Capabilities, and BAR 2 for @mon's RAM, which is there; and their end. */
bool slot_realize(SmileMonitor *mon, Error **errp);
void slot_unrealize(SmileMonitor *mon);

/* The part of a reset that is the slot's. */
void slot_reset(SmileMonitor *mon);

/* Is the card in D3hot? Is it that, or absent: all ones to any read, and nothing gets out? */
bool slot_asleep(SmileMonitor *mon);
bool slot_dark(SmileMonitor *mon);

/* Does anything get out of the card? And, being bus master, an MSI? */
bool slot_speaks(SmileMonitor *mon);
bool slot_can_send(SmileMonitor *mon);

/* What the card can send may have changed; it could, or could not, send an MSI before. */
void slot_settle(SmileMonitor *mon, bool could_send);

/* A saved state has been loaded. Return: false if it is impossible. */
bool slot_load(SmileMonitor *mon);

/* ---- pace.c ---- */

/* Start and stop; start fails if the property makes no sense. */
bool pace_realize(SmileMonitor *mon, Error **errp);
void pace_unrealize(SmileMonitor *mon);

/*
 * How far towards @time_ns the card may be reported the time at once. Short periods of its timer
 * make much work of a long time; then it is not as far, and to be asked again soon.
 */
uint64_t pace_reach(const SmileMonitor *mon, uint64_t time_ns);

/* Return: the virtual time to wake up at for what is due at @due_ns: not at once, see pace.c. */
int64_t pace_wake(uint64_t due_ns);

/* pace=realtime: give the card the time; before each call into it that depends on the time. */
void pace_tick(SmileMonitor *mon);

/*
 * The same, and let the card see whether the latency timer has run out. From the bottom half alone.
 */
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

/* A frame passes: let all that listen besides the card have it. */
void feed_tap(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/* Feed what may be fed, as the bottom half's part; it is kicked when there is more. */
void feed_run(SmileMonitor *mon);

/* ---- state_check.c ---- */

/* Can there be a card in this state? */
bool loaded_card_valid(const struct card *card);

/* ---- vmstate.c ---- */

extern const VMStateDescription smile_monitor_vmstate;

#endif /* EMU_QEMU_SMILE_MONITOR_H */
