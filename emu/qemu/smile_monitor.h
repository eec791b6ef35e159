/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: the declarations that its files share.
 *
 * What lives here: the device's state, and the functions that its files share. The files are the
 * PCI shell (smile_monitor.c), the slot (slot.c), simulated time (pace.c), traffic (feed.c) and
 * migration (vmstate.c, state_check.c). For files compiled against QEMU's headers, which must
 * include "qemu/osdep.h" first.
 */
#ifndef EMU_QEMU_SMILE_MONITOR_H
#define EMU_QEMU_SMILE_MONITOR_H

#include "chardev/char-fe.h"
#include "qom/object.h"

#include "emu/card/card.h"
#include "emu/qemu/compat.h"
#include "emu/qemu/pcap_stream.h"

#define TYPE_SMILE_MONITOR "smile-monitor"
OBJECT_DECLARE_SIMPLE_TYPE(SmileMonitor, SMILE_MONITOR)

/*
 * The buffer has room for a few frames of the maximum size, or for several thousand frames of usual
 * size.
 */
#define FEED_BUFFER_BYTES (256U * 1024U)
QEMU_BUILD_BUG_ON(FEED_BUFFER_BYTES < 2 * PCAP_STREAM_ITEM_BYTES_MAX);

/**
 * struct SmilePace - The card's clock.
 * @name: property "pace"
 * @realtime: @name is "realtime": the card's clock is the machine's virtual time
 * @due: with pace=realtime: timer for the card's next action without traffic
 * @latency: the ring's latency timer
 * @latency_ns: virtual time at which this timer expires; 0: the timer is stopped
 */
struct SmilePace {
	char *name;
	bool realtime;
	QEMUTimer *due;
	QEMUTimer *latency;
	uint64_t latency_ns;
};

/**
 * struct SmileTap - A listener on a card's B-Link, in addition to the card.
 * @frame: called for each frame
 * @opaque: first argument of @frame
 * @next: entry of the list of the card's listeners
 */
struct SmileTap {
	void (*frame)(void *opaque, const void *data, size_t bytes, uint64_t time_ns);
	void *opaque;
	QLIST_ENTRY(SmileTap) next;
};

/**
 * struct SmileFeed - The B-Link traffic between a character device and the card.
 * @blink: the character device, which may have no back end
 * @timer: with pace=realtime: timer for the next frame
 * @rest: timer that ends a pause; not saved, as the next two members
 * @turn: number of frames fed since the last pause
 * @resting: feeding and reading are paused
 * @open: the character device has a peer
 * @ending: the peer has disconnected, but some of its frames have not been passed to the card yet.
 *          Until the card has these frames, the feed reads nothing
 * @refused: the stream is not a capture, or is damaged; its remaining bytes are dropped
 * @full: the buffer was nearly full, and has not been half empty since then; not saved, because it
 *        can be computed
 * @frames: number of frames fed from the stream
 * @stream: the parser
 * @started_ns: with pace=realtime: virtual time of the first frame of the stream
 * @first_ns: time stamp of the first frame
 * @timed: @started_ns and @first_ns are set
 * @start: index of the first byte in @buffer that has not been consumed
 * @end: index one past the last byte in @buffer
 * @taps: other listeners; not saved
 * @buffer: received bytes
 */
struct SmileFeed {
	SmileChardev blink;
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
 * @dark: region that covers the RAM while the card is in D3hot or absent
 * @bar_ring: BAR 2: contains @ram and @dark
 * @card: the card itself
 * @pace: its clock
 * @feed: its traffic
 * @work: bottom half for all work outside of register accesses
 * @running: handler of stops and continuations of the virtual machine
 * @room: notifies an adapter that the card may have room for frames
 * @arrivals: notifies an adapter that it must pass the frames of earlier accesses by other nodes to
 *            the card
 * @arriving: the adapter is passing these frames, because the guest accesses a register; the access
 *            has not taken effect yet
 * @stopping: the present register access stops the card. The card then loses the frames for which
 *            it has no room
 * @node: property "node"
 * @link: property "link"
 * @interrupt: level of the card's interrupt line
 * @absent: the card does not respond, because the property "absent" is set, or because the card was
 *          unplugged
 * @reset_due: the card must be reset when its current work ends
 * @loading: a saved state is being loaded and has not been validated
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
	NotifierList arrivals;
	uint32_t node;
	OnOffAuto link;
	bool interrupt;
	bool absent;
	bool reset_due;
	bool loading;
	bool arriving;
	bool stopping;
};

/* ---- smile_monitor.c ---- */

/* Register the device type. QEMU does this itself if the device is built in. */
void smile_monitor_register(void);

/*
 * Set the card to its state at power-on: all counters 0, nothing received, interrupt line inactive.
 */
void smile_monitor_power_on(SmileMonitor *mon);

/*
 * Run the bottom half, because the card may have work. After the card was unplugged, this has no
 * effect.
 */
void smile_monitor_kick(SmileMonitor *mon);

/*
 * Check for an adapter on the same B-Link whether a transaction may pass. While the card has no
 * room, it holds the link, and no transaction may pass. With pace=realtime, without MODE.HOLD, or
 * while the card does not count, the card never holds the link.
 */
bool smile_monitor_room(SmileMonitor *mon);

/* Pass a frame of the adapter to the card. @time_ns: the time of the frame, on the host's clock. */
void smile_monitor_pass(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/*
 * Pass the frames of all accesses by other nodes that the guest's processors can have seen in
 * memory. Call this function before an access to a register of a device on the B-Link takes effect.
 */
void smile_monitor_arrivals(SmileMonitor *mon);

/*
 * Check whether a function of the card is running, so that no other function of the card may be
 * called.
 */
bool smile_monitor_busy(SmileMonitor *mon);

/* Set the PCI interrupt to SmileMonitor.interrupt. */
void smile_monitor_interrupt(SmileMonitor *mon);

/*
 * Carry out a reset that was deferred while the card was working. Call this function before each
 * call of a function of the card.
 */
void smile_monitor_catch_up(SmileMonitor *mon);

/* ---- smile_trace.c ---- */

/*
 * Register the type of the deep trace instrument. QEMU does this itself if the device is built in.
 */
void smile_trace_register(void);

/* ---- slot.c ---- */

/*
 * Set the functions that access configuration space. slot_choose() selects the kind of slot before
 * the device is realized.
 */
void slot_class_init(PCIDeviceClass *klass);
void slot_choose(PCIDevice *pci);

/* Add, or remove, the capabilities and BAR 2, which is for the RAM of @mon. The RAM must exist. */
bool slot_realize(SmileMonitor *mon, Error **errp);
void slot_unrealize(SmileMonitor *mon);

/* Reset the registers of the PCI slot. */
void slot_reset(SmileMonitor *mon);

/*
 * slot_asleep() checks whether the card is in D3hot. slot_dark() checks whether the card is in
 * D3hot or absent: reads then return all ones, and the card sends nothing.
 */
bool slot_asleep(SmileMonitor *mon);
bool slot_dark(SmileMonitor *mon);

/*
 * slot_speaks() checks whether the card can send records and interrupts. slot_can_send() checks
 * whether the card can send an MSI, as a bus master.
 */
bool slot_speaks(SmileMonitor *mon);
bool slot_can_send(SmileMonitor *mon);

/*
 * Update the interrupt after the result of slot_can_send() may have changed. @could_send: the
 * earlier result of slot_can_send().
 */
void slot_settle(SmileMonitor *mon, bool could_send);

/* Validate the loaded state. Return: false if the state is impossible. */
bool slot_load(SmileMonitor *mon);

/* ---- pace.c ---- */

/* Start or stop the clock. The start fails if the property is invalid. */
bool pace_realize(SmileMonitor *mon, Error **errp);
void pace_unrealize(SmileMonitor *mon);

/*
 * Get the time to which the card may advance in one step on its way to @time_ns. Usually the result
 * is @time_ns. If timer periods are short, a long step would be expensive. The result is then an
 * earlier time, and the caller must call this function again soon.
 */
uint64_t pace_reach(const SmileMonitor *mon, uint64_t time_ns);

/*
 * Get the virtual time at which the bottom half must wake for an event at @due_ns. The wake-up may
 * be delayed, as described in pace.c.
 */
int64_t pace_wake(uint64_t due_ns);

/*
 * With pace=realtime, advance the card's clock. Call this function before each call of the card
 * that depends on time.
 */
void pace_tick(SmileMonitor *mon);

/*
 * Advance the card's clock as pace_tick() does, and expire the latency timer if it is due. Called
 * only from the bottom half.
 */
void pace_run(SmileMonitor *mon);

/* Schedule the bottom half for the card's next event, which may have changed. */
void pace_arm(SmileMonitor *mon);

/* Restart the latency timer, or stop it if @us is 0. The function for card_ops.latency. */
void pace_latency(void *opaque, uint32_t us);

/* Validate the loaded state. Return: false if the state is impossible. */
bool pace_load(SmileMonitor *mon);

/* ---- feed.c ---- */

/* Start or stop the feed. */
void feed_realize(SmileMonitor *mon);
void feed_unrealize(SmileMonitor *mon);

/* Drop the received frames that were not passed to the card, and reset the stream. */
void feed_forget(SmileMonitor *mon);

/* Pass a frame to all listeners other than the card. */
void feed_tap(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/*
 * Pass as many frames as possible to the card. Called from the bottom half, which is run again if
 * there are more frames.
 */
void feed_run(SmileMonitor *mon);

/* ---- state_check.c ---- */

/* Check whether this is a possible state of a card. */
bool loaded_card_valid(const struct card *card);

/* ---- vmstate.c ---- */

extern const VMStateDescription smile_monitor_vmstate;

#endif /* EMU_QEMU_SMILE_MONITOR_H */
