/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: its B-Link traffic.
 *
 * What lives here: a character device receives a capture, and its frames are passed to the card. No
 * frame is lost: the device reads the character device only as far as its buffer has room, so the
 * sender waits. The device's bottom half feeds the frames. After a number of frames it pauses, so
 * that the guest's processors can take QEMU's lock. With pace=drain, a frame is fed only when the
 * card can take it and no timer of the card is due. With pace=realtime, frames are fed when virtual
 * time reaches their time stamps, or shortly afterwards, several at a time (pace_wake()). Like a
 * real link, the device then does not wait for the card. While the card is in D3hot, frames wait
 * with pace=drain, and are lost with pace=realtime.
 *
 * While the virtual machine is stopped, nothing changes, so that a migration saves the whole state.
 *
 *	OPENED          link up
 *	CLOSED          ending: no more data is read; the remaining frames are fed
 *	all fed         link down, parser reset; link up again if there is a new peer
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
#include "chardev/char-socket.h"

#include "emu/qemu/smile_monitor.h"

/*
 * Feeding and reading pause after this many frames, which take a third of a millisecond. QEMU's
 * main thread releases QEMU's lock once in each loop, but takes it again before a waiting thread
 * has woken up. The guest's processors get the lock only when the main thread sleeps. If a guest
 * cannot get the lock for so long that the card's ring overflows, it loses packets, even if it has
 * little to do.
 */
#define FRAMES_PER_RUN 2048
#define FEED_REST_NS 100000

static const char *feed_name(SmileMonitor *mon)
{
	DeviceState *dev = DEVICE(mon);

	return dev->id ? dev->id : TYPE_SMILE_MONITOR;
}

static const char *feed_chardev(SmileMonitor *mon)
{
	Chardev *chr = qemu_chr_fe_get_driver(&mon->feed.blink);

	return chr && chr->label ? chr->label : "none";
}

/* Set the link's state. @peer: whether the character device has a peer. */
static void feed_link(SmileMonitor *mon, bool peer)
{
	bool up = mon->link == ON_OFF_AUTO_AUTO ? peer : mon->link == ON_OFF_AUTO_ON;

	if (up != !!(mon->card.link))
		card_link(&mon->card, up);
}

/*
 * With pace=drain, check whether the card's clock has reached @time_ns and the card can take a
 * frame. If not, a register write will run the bottom half again. With pace=drain, only frames
 * advance the clock. The clock stops while the card is disabled.
 */
static bool feed_ready(SmileMonitor *mon, uint64_t time_ns)
{
	uint64_t reach = pace_reach(mon, time_ns);

	if (!card_ready(&mon->card))
		return false;
	/*
	 * Advance even if the clock is already at @time_ns, because work that is due at @time_ns
	 * may be pending.
	 */
	if (!card_advance(&mon->card, reach))
		return false;
	if (reach < time_ns) {
		smile_monitor_kick(mon);
		return false;
	}
	/* The work that was due may have used the last room in the ring. */
	return card_ready(&mon->card);
}

/*
 * Check whether @frame may be fed now. If it may not be fed yet, ensure that the bottom half runs
 * at the time when it may.
 */
static bool feed_may(SmileMonitor *mon, const struct pcap_frame *frame)
{
	struct SmileFeed *feed = &mon->feed;
	uint64_t now, since;

	/*
	 * The timer is missing if a record that was written to a wrong address has unplugged the
	 * card.
	 */
	if (!feed->timer)
		return false;
	if (!mon->pace.realtime)
		return !slot_asleep(mon) && feed_ready(mon, frame->time_ns);

	/*
	 * Start the clock again if its start is in the future. Such a start occurs only in a
	 * damaged saved state.
	 */
	now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
	if (!feed->timed || feed->started_ns > now) {
		feed->timed = true;
		feed->started_ns = now;
		feed->first_ns = frame->time_ns;
	}
	/* If the time stamp of a frame is out of order, the frame is due immediately. */
	since = frame->time_ns > feed->first_ns ? frame->time_ns - feed->first_ns : 0;
	if (now - feed->started_ns >= since)
		return true;
	timer_mod_ns(feed->timer, pace_wake(feed->started_ns + since));
	return false;
}

void feed_tap(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns)
{
	struct SmileTap *tap;

	QLIST_FOREACH(tap, &mon->feed.taps, next)
	tap->frame(tap->opaque, frame, bytes, time_ns);
}

static void feed_frame(SmileMonitor *mon, const struct pcap_frame *frame)
{
	mon->feed.frames++;
	feed_tap(mon, frame->data, frame->bytes, frame->time_ns);
	if (slot_asleep(mon))
		return;
	pace_tick(mon);
	card_blink_packet(&mon->card, frame->data, frame->bytes);
}

void feed_forget(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	feed->start = 0;
	feed->end = 0;
	feed->ending = false;
	feed->refused = false;
	feed->timed = false;
	feed->frames = 0;
	pcap_stream_reset(&feed->stream);
}

/* Finish the stream, after the peer has disconnected and all possible frames have been fed. */
static void feed_finish(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	if (feed->end != feed->start) {
		error_report(
			"%s: the capture from chardev %s is cut off: the last %" PRIu32
			" bytes, after %" PRIu64 " frames, are an incomplete frame and are ignored",
			feed_name(mon), feed_chardev(mon), feed->end - feed->start, feed->frames);
	}
	feed_forget(mon);
	feed_link(mon, false);
	feed_link(mon, feed->open);
}

/*
 * Begin a pause. Its length is measured in host time, because threads of the host compete for the
 * lock.
 */
static void feed_rest(struct SmileFeed *feed)
{
	if (!feed->rest)
		return;
	feed->resting = true;
	timer_mod_ns(feed->rest, qemu_clock_get_ns(QEMU_CLOCK_REALTIME) + FEED_REST_NS);
}

static void feed_frames(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;
	struct pcap_frame frame;
	int used;

	for (; feed->turn < FRAMES_PER_RUN && !feed->refused; feed->turn++) {
		used = pcap_stream_next(&feed->stream, feed->buffer + feed->start,
					feed->end - feed->start, &frame);
		if (used == 0)
			break;
		if (used < 0) {
			error_report("%s: chardev %s, after %" PRIu64 " frames: %s", feed_name(mon),
				     feed_chardev(mon), feed->frames, feed->stream.error);
			feed->refused = true;
			break;
		}
		if (frame.data) {
			if (!feed_may(mon, &frame))
				return;
			feed_frame(mon, &frame);
		}
		feed->start += used;
	}
	if (feed->turn == FRAMES_PER_RUN) {
		feed_rest(feed);
		return;
	}
	/* Although the stream was refused, read it to its end, so that the sender does not hang. */
	if (feed->refused)
		feed->start = feed->end;
	if (feed->ending)
		feed_finish(mon);
}

void feed_run(SmileMonitor *mon)
{
	if (!mon->feed.ending)
		feed_link(mon, mon->feed.open);
	if (mon->feed.resting)
		return;
	feed_frames(mon);
	qemu_chr_fe_accept_input(&mon->feed.blink);
}

static void feed_due(void *opaque)
{
	smile_monitor_kick(opaque);
}

static void feed_rested(void *opaque)
{
	SmileMonitor *mon = opaque;

	mon->feed.resting = false;
	mon->feed.turn = 0;
	smile_monitor_kick(mon);
}

/*
 * When the buffer is nearly full, stop reading until half of it is free. Reading after each frame
 * would cost, for each frame, a call and a move of the remaining bytes. A buffer that is more than
 * half full contains a whole frame, so this cannot deadlock.
 */
static int feed_room(void *opaque)
{
	SmileMonitor *mon = opaque;
	struct SmileFeed *feed = &mon->feed;
	uint32_t room = FEED_BUFFER_BYTES - (feed->end - feed->start);

	if (room < FEED_BUFFER_BYTES / 64)
		feed->full = true;
	else if (room >= FEED_BUFFER_BYTES / 2)
		feed->full = false;
	if (feed->full || feed->resting || feed->ending || !runstate_is_running())
		return 0;
	return room;
}

static void feed_receive(void *opaque, const uint8_t *data, int bytes)
{
	SmileMonitor *mon = opaque;
	struct SmileFeed *feed = &mon->feed;

	if (bytes < 0 || (uint32_t)bytes > FEED_BUFFER_BYTES - (feed->end - feed->start)) {
		error_report("%s: chardev %s delivered %d bytes, more than the device can take; "
			     "the rest is dropped: disconnect and send the capture again",
			     feed_name(mon), feed_chardev(mon), bytes);
		feed->refused = true;
		smile_monitor_kick(mon);
		return;
	}
	if ((uint32_t)bytes > FEED_BUFFER_BYTES - feed->end) {
		memmove(feed->buffer, feed->buffer + feed->start, feed->end - feed->start);
		feed->end -= feed->start;
		feed->start = 0;
	}
	memcpy(feed->buffer + feed->end, data, bytes);
	feed->end += bytes;
	smile_monitor_kick(mon);
}

/*
 * Remove QEMU's hang-up watch. With it, QEMU closes a socket as soon as its peer does, and discards
 * bytes that were sent but not yet read: up to a socket buffer of frames, if the card is slower
 * than the sender. Without the watch, the end of file is read after the data. QEMU creates a new
 * watch for each connection.
 */
static void feed_keep_unread(SmileMonitor *mon)
{
	Chardev *chr = qemu_chr_fe_get_driver(&mon->feed.blink);
	SocketChardev *socket;

	socket = (SocketChardev *)object_dynamic_cast(OBJECT(chr), TYPE_CHARDEV_SOCKET);
	if (!socket || !socket->hup_source)
		return;
	g_source_destroy(socket->hup_source);
	g_source_unref(socket->hup_source);
	socket->hup_source = NULL;
}

static void feed_event(void *opaque, QEMUChrEvent event)
{
	SmileMonitor *mon = opaque;

	switch (event) {
	case CHR_EVENT_OPENED:
		mon->feed.open = true;
		feed_keep_unread(mon);
		break;
	case CHR_EVENT_CLOSED:
		mon->feed.open = false;
		mon->feed.ending = true;
		break;
	default:
		return;
	}
	smile_monitor_kick(mon);
}

void feed_realize(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	feed->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, feed_due, mon);
	feed->rest = timer_new_ns(QEMU_CLOCK_REALTIME, feed_rested, mon);
	feed->resting = false;
	feed->turn = 0;
	pcap_stream_reset(&feed->stream);
	qemu_chr_fe_set_handlers(&feed->blink, feed_room, feed_receive, feed_event, NULL, mon, NULL,
				 true);
}

void feed_unrealize(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	qemu_chr_fe_set_handlers(&feed->blink, NULL, NULL, NULL, NULL, NULL, NULL, false);
	timer_free(feed->timer);
	feed->timer = NULL;
	timer_free(feed->rest);
	feed->rest = NULL;
}
