/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: its B-Link traffic.
 *
 * What lives here: a capture comes in through a character device and its frames go to the card.
 * Nothing is lost on the way. The character device is read only as far as the buffer has room, and
 * the sender waits; the frames are fed by a bottom half, a limited number at a time, so that the
 * guest's processors get the lock in between; and with pace=drain a frame is fed only while the
 * card can take it. With pace=realtime frames come when virtual time reaches their stamps, as on
 * the real link, which does not wait.
 *
 * While the virtual machine is stopped nothing moves, so that what a migration saves is all there
 * is.
 *
 *	OPENED          link up
 *	CLOSED          ending: no more is read; frames are fed to the last
 *	all fed         link down, parser reset; then up again if there is a new peer
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/timer.h"
#include "chardev/char-socket.h"
#include "hw/qdev-properties.h"
#include "sysemu/runstate.h"

#include "emu/qemu/smile_monitor.h"

#define FRAMES_PER_RUN 2048

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

/* What the link does while the character device's peer is there, or not. */
static void feed_link(SmileMonitor *mon, bool peer)
{
	bool up = mon->link == ON_OFF_AUTO_AUTO ? peer : mon->link == ON_OFF_AUTO_ON;

	if (up != !!(mon->card.link))
		card_link(&mon->card, up);
}

void feed_clock(SmileMonitor *mon)
{
	uint64_t now;

	if (!mon->feed.realtime)
		return;
	/* A snapshot brings back an earlier time; the card's clock never goes back. */
	now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
	if (now > mon->card.count.clock_ns)
		card_tick(&mon->card, now);
}

/* May @frame be fed now? If not, see to it that the bottom half runs when it may. */
static bool feed_may(SmileMonitor *mon, const struct pcap_frame *frame)
{
	struct SmileFeed *feed = &mon->feed;
	uint64_t now, since;

	/* A register write wakes us. */
	if (!feed->realtime)
		return card_ready(&mon->card);

	/* A start that is still to come is nobody's: only a damaged saved state has one. */
	now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
	if (!feed->timed || feed->started_ns > now) {
		feed->timed = true;
		feed->started_ns = now;
		feed->first_ns = frame->time_ns;
	}
	/* Stamps out of order are due at once. */
	since = frame->time_ns > feed->first_ns ? frame->time_ns - feed->first_ns : 0;
	if (now - feed->started_ns >= since)
		return true;
	timer_mod_ns(feed->timer, feed->started_ns + since);
	return false;
}

static void feed_frame(SmileMonitor *mon, const struct pcap_frame *frame)
{
	if (mon->feed.realtime)
		feed_clock(mon);
	else if (frame->time_ns > mon->card.count.clock_ns)
		card_tick(&mon->card, frame->time_ns);
	card_blink_packet(&mon->card, frame->data, frame->bytes);
	mon->feed.frames++;
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

/* The peer has gone and all that can be fed has been. */
static void feed_finish(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	if (feed->end != feed->start) {
		error_report("%s: the capture from chardev %s is cut off: the last %" PRIu32
			     " bytes, after %" PRIu64 " frames, are no whole frame and are ignored",
			     feed_name(mon), feed_chardev(mon), feed->end - feed->start,
			     feed->frames);
	}
	feed_forget(mon);
	feed_link(mon, false);
	feed_link(mon, feed->open);
}

/* Feed what may be fed. Return: false if the limit was reached and there may be more to do. */
static bool feed_run(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;
	struct pcap_frame frame;
	int used, frames;

	for (frames = 0; frames < FRAMES_PER_RUN && !feed->refused; frames++) {
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
				return true;
			feed_frame(mon, &frame);
		}
		feed->start += used;
	}
	if (frames == FRAMES_PER_RUN)
		return false;
	/* A stream that is refused is still read to its end: the sender must not hang. */
	if (feed->refused)
		feed->start = feed->end;
	if (feed->ending)
		feed_finish(mon);
	return true;
}

/*
 * Runs as a guarded bottom half: an interrupt message that the guest has aimed at the card's own
 * registers is refused by QEMU instead of entering the card a second time.
 */
static void feed_pump(void *opaque)
{
	SmileMonitor *mon = opaque;
	uint32_t aux = mon->card.ring.aux;

	if (!runstate_is_running())
		return;
	if (!mon->feed.ending)
		feed_link(mon, mon->feed.open);
	if (!feed_run(mon))
		qemu_bh_schedule(mon->feed.pump);
	smile_monitor_dirty(mon, aux);
	qemu_chr_fe_accept_input(&mon->feed.blink);
}

void feed_kick(SmileMonitor *mon)
{
	/* A register write may have waited for the lock while the card was unplugged. */
	if (mon->feed.pump)
		qemu_bh_schedule(mon->feed.pump);
}

static void feed_due(void *opaque)
{
	feed_kick(opaque);
}

static void feed_running(void *opaque, bool running, RunState state)
{
	SmileMonitor *mon = opaque;

	if (!running)
		return;
	/* The load of a saved state was broken off, and the machine is to run all the same. */
	if (mon->loading)
		smile_monitor_power_on(mon);
	feed_kick(mon);
}

static int feed_room(void *opaque)
{
	SmileMonitor *mon = opaque;
	struct SmileFeed *feed = &mon->feed;

	if (feed->ending || !runstate_is_running())
		return 0;
	return FEED_BUFFER_BYTES - (feed->end - feed->start);
}

static void feed_receive(void *opaque, const uint8_t *data, int bytes)
{
	SmileMonitor *mon = opaque;
	struct SmileFeed *feed = &mon->feed;

	if (bytes < 0 || (uint32_t)bytes > FEED_BUFFER_BYTES - (feed->end - feed->start)) {
		error_report("%s: chardev %s delivered %d bytes, more than it was asked for; what "
			     "else comes is dropped: disconnect and send the capture again",
			     feed_name(mon), feed_chardev(mon), bytes);
		feed->refused = true;
		feed_kick(mon);
		return;
	}
	if ((uint32_t)bytes > FEED_BUFFER_BYTES - feed->end) {
		memmove(feed->buffer, feed->buffer + feed->start, feed->end - feed->start);
		feed->end -= feed->start;
		feed->start = 0;
	}
	memcpy(feed->buffer + feed->end, data, bytes);
	feed->end += bytes;
	feed_kick(mon);
}

/*
 * QEMU closes a socket as soon as its peer has, and forgets what was sent but not yet read: up to a
 * socket buffer of frames, if the card is slower than the sender. Without its hang-up watch the end
 * is found by reading, after the data. The watch is made anew for each connection.
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
	feed_kick(mon);
}

bool feed_realize(SmileMonitor *mon, Error **errp)
{
	struct SmileFeed *feed = &mon->feed;

	if (!mon->pace || !strcmp(mon->pace, "drain")) {
		feed->realtime = false;
	} else if (!strcmp(mon->pace, "realtime")) {
		feed->realtime = true;
	} else {
		error_setg(errp, "pace=%s is unknown: choose drain or realtime", mon->pace);
		return false;
	}
	feed->pump = qemu_bh_new_guarded(feed_pump, mon, &DEVICE(mon)->mem_reentrancy_guard);
	feed->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, feed_due, mon);
	feed->running = qemu_add_vm_change_state_handler(feed_running, mon);
	pcap_stream_reset(&feed->stream);
	qemu_chr_fe_set_handlers(&feed->blink, feed_room, feed_receive, feed_event, NULL, mon, NULL,
				 true);
	return true;
}

void feed_unrealize(SmileMonitor *mon)
{
	struct SmileFeed *feed = &mon->feed;

	qemu_chr_fe_set_handlers(&feed->blink, NULL, NULL, NULL, NULL, NULL, NULL, false);
	qemu_del_vm_change_state_handler(feed->running);
	timer_free(feed->timer);
	feed->timer = NULL;
	qemu_bh_delete(feed->pump);
	feed->pump = NULL;
}
