/* SPDX-License-Identifier: MIT */
/*
 * Sources: functions that open, merge and close Monitors. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_SOURCE_H
#define SMILE_MONITOR_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_open() - Open a source of records.
 * @out: receives the Monitor
 * @source: one of
 *	"dev:N" or "dev:/dev/smile_monitorN"  a card behind the driver, through its shared mapping
 *	"read:N" or "read:/dev/..."           a card behind the driver, through read(2)
 *	"emu:"                                a card in this process, fed with Monitor_packet()
 *	"emu:CAPTURE"                         a card in this process, fed from a capture
 *	                                      ("-": standard input)
 *	"file:RECORDING" or just a path       a recording
 *	"pci:DDDD:BB:DD.F"                    a card without a driver, for root: polled, with
 *	                                      only the ring in the card; the card is reset
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENOENT, -EACCES, -EBUSY, -ENODEV as the system reports them; -EINVAL for a source of
 * unknown form; -EPROTO for a file that is neither a recording nor a capture, or that has an
 * unknown version; -EBUSY for a "pci:" card that a driver or another process uses; -ENOMEM.
 */
int Monitor_open(struct Monitor **out, const char *source);

/**
 * Monitor_attach() - Merge one more recording into the view.
 * @mon: Monitor opened on a recording from which nothing was read yet
 * @source: "file:RECORDING" or a path
 *
 * Phases with the same ordinal number are merged.
 *
 * Return: 0.
 * Errors: -EINVAL if @mon or @source is not a recording, if @mon is a part of a merged view, if
 * only one of the cards had SMILE_MODE_NARROW (the node ids and addresses of the two cards are then
 * not comparable), or if their data about the program, such as Monitor_homes(), is contradictory
 * because the recordings are of different runs; -EBUSY if records were read already; -EEXIST if a
 * recording of the same node is in the view; and as Monitor_open().
 */
int Monitor_attach(struct Monitor *mon, const char *source);

/**
 * Monitor_follow() - Follow recordings that are being written, as tail -f does.
 * @mon: Monitor opened on a recording from which nothing was read yet; recordings attached to it,
 *       before or later, are followed too
 *
 * After this call, Monitor_poll() reads the records of all recordings as they are written, and
 * waits for more records. Monitor_ended() reports that a recording has ended when the recording was
 * closed and read to its end. If the process that writes a recording was killed, the recording has
 * ended when all written records were read. A recording that was already complete when it was
 * opened ends as it does without this call. In the file, the data about the program (such as
 * Monitor_homes()) and the statistics (Monitor_statistics()) follow the records, so they are known
 * only when the recording has ended. Results that Monitor_variables() and similar calls returned
 * before are then invalid. The process that writes a recording holds a lock on the file (fcntl(2),
 * F_OFD_SETLK), by which the library detects that the process still runs. If the file system has no
 * locks, the recording of a killed process never ends. The library reads records about 100 ms after
 * they are written.
 *
 * In four cases, Monitor_poll() fails with -EPROTO, and the recording has ended: the file is
 * overwritten from its beginning; another file of the same name replaces it; it is truncated below
 * the position up to which it was read; or the data at its end contradicts the other recordings. A
 * file that was only removed or renamed is read to its end.
 *
 * Return: 0, even if the recordings are already followed.
 * Errors: -EINVAL if @mon is not opened on a recording; -EBUSY if records were read already.
 */
int Monitor_follow(struct Monitor *mon);

/**
 * Monitor_merge() - Create one view of several open cards or recordings.
 * @out: receives the view
 * @parts: Monitors of different nodes, from which nothing was read yet; shape [@count], not kept
 * @count: number of parts
 *
 * Before this call, configure each part, and start to save its recording. Monitor_start() of the
 * view then starts the cards. If Monitor_config_set(), Monitor_start(), Monitor_stop(),
 * Monitor_swap(), Monitor_event() or Monitor_follow() is called for the view, the call applies to
 * all parts, except that each part keeps its node id. If the call fails for some parts, it still
 * applies to the other parts, and the message names the parts for which it failed and the parts for
 * which it succeeded. Monitor_poll() of the view reads records from all parts. If one part fails,
 * the error message names it. If a card is gone, the call reports this once, and the other parts
 * continue. The view has all data about the program that its parts have.
 *
 * The parts stay usable. A caller that must know which part has failed or ended may read a part,
 * stop it, swap out its counters, and raise events in it. The records that are read from a part are
 * also counted in the view. For a part, Monitor_loss() and Monitor_statistics() report only that
 * part. For the view, they report sums, which include the last known numbers of cards that are
 * gone. All other counts are only in the view. If several parts have counted a transaction, the
 * transaction is counted once. Phases with the same ordinal number are merged, as by
 * Monitor_attach(). The view has the static counters of the first part.
 *
 * The parts stay open when the view is closed. Close the view before its parts.
 *
 * Context: one thread for the view and its parts.
 * Return: 0.
 * Errors: -EINVAL if some parts are cards and others are recordings, if a part is already in a
 * view, or as for Monitor_attach(); -EBUSY if records were read already; -EEXIST if two parts are
 * of one node; -ENOMEM.
 */
int Monitor_merge(struct Monitor **out, struct Monitor *const *parts, size_t count);

/**
 * Monitor_close() - Complete the recording being saved, if any, and close the Monitor.
 * @mon: Monitor, or NULL
 *
 * @mon is freed even if the call fails.
 *
 * Return: 0.
 * Errors: -EBADMSG if a card was stopped and swapped out, but some of the records that it wrote
 * were not read, or the records do not match its counts (Monitor_loss()); -EIO or -ENOSPC if the
 * recording could not be completed; or another error if the card's last counters could not be read.
 * The part of the recording that was already written stays readable, as a recording that was not
 * closed.
 */
int Monitor_close(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_SOURCE_H */
