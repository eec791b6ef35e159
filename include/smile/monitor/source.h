/* SPDX-License-Identifier: MIT */
/*
 * Sources: opening and closing a Monitor. Part of <smile/monitor.h>.
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
 * unknown form; -EPROTO for a file that is no recording or capture, or that has an unknown version;
 * -EBUSY for a "pci:" card that a driver or another process uses; -ENOMEM.
 */
int Monitor_open(struct Monitor **out, const char *source);

/**
 * Monitor_attach() - Merge one more recording into the view.
 * @mon: Monitor opened on a recording from which nothing was read yet
 * @source: "file:RECORDING" or a path
 *
 * Phases are merged by their ordinal number.
 *
 * Return: 0.
 * Errors: -EINVAL if @mon or @source is not a recording, if only one of the cards had
 * SMILE_MODE_NARROW (the two cards then name nodes and addresses differently), or if their data
 * about the program (Monitor_homes() and the calls after it) is contradictory because the
 * recordings are of different runs; -EBUSY if records were read already; -EEXIST if a recording of
 * the same node is in the view; and as Monitor_open().
 */
int Monitor_attach(struct Monitor *mon, const char *source);

/**
 * Monitor_follow() - Follow recordings that are being written, as tail -f does.
 * @mon: Monitor opened on a recording from which nothing was read yet; recordings attached to it,
 *       before or later, are followed too
 *
 * After this call Monitor_poll() takes in records of all recordings as they are written, and waits
 * for more. For Monitor_ended(), a recording has ended when it was closed and read to its end. If
 * its recorder was killed, the recording has ended when all written records were read. A complete
 * recording ends as without this call. The data about the program (Monitor_homes() and the calls
 * below it) and Monitor_statistics() follow a recording's records in the file, so they are known
 * only at its end; earlier results of Monitor_variables() and of similar calls are then invalid.
 * The library detects the recorder by its lock on the file (fcntl(2), F_OFD_SETLK): without locks,
 * a recording whose recorder was killed never ends. The library takes in records about 100 ms after
 * they were written.
 *
 * Monitor_poll() fails with -EPROTO, and the recording has ended, if the file is written again from
 * its beginning, replaced by another file of the same name, or truncated below the position read,
 * or if the data at its end contradicts the other recordings. A file that was only removed or
 * renamed is read to its end.
 *
 * Return: 0, also if the recordings are already followed.
 * Errors: -EINVAL if @mon is not opened on a recording; -EBUSY if records were read already.
 */
int Monitor_follow(struct Monitor *mon);

/**
 * Monitor_merge() - Create one view of several open cards or recordings, which all stay usable.
 * @out: receives the view
 * @parts: Monitors of different nodes, from which nothing was read yet; shape [@count], not kept
 * @count: number of parts
 *
 * Configure each part, and start its recording, before this call; the view starts the cards.
 * Monitor_config_set(), Monitor_start(), Monitor_stop(), Monitor_swap(), Monitor_event() and
 * Monitor_follow() of the view apply to all parts, but each part keeps its node id. If such a call
 * fails for one part, it still applies to the other parts, and the message names the parts for
 * which it failed and the parts for which it did not. Monitor_poll() of the view takes in records
 * from all parts. Its error message names the part that failed; if a card is gone, the call reports
 * it once, and the other parts continue. The view has all data about the program that its parts
 * have.
 *
 * A caller that must know which part failed or ended may still read, stop, swap out and mark a
 * single part: records that a part takes in are also in the view. Monitor_loss() and
 * Monitor_statistics() of a part report only that part. For the view they report sums, to which a
 * card that is gone adds its last figures. Only the view has all other counts. A transaction that
 * several parts counted counts once, and phases are merged by their ordinal number, as by
 * Monitor_attach(). The view has the static counters of the first part.
 *
 * Close the view before its parts: they stay open when the view is closed.
 *
 * Context: one thread for the view and its parts.
 * Return: 0.
 * Errors: -EINVAL if cards and recordings are mixed, if a part is merged already, or as for
 * Monitor_attach(); -EBUSY if records were read already; -EEXIST if two parts are of one node;
 * -ENOMEM.
 */
int Monitor_merge(struct Monitor **out, struct Monitor *const *parts, size_t count);

/**
 * Monitor_close() - Complete the recording being saved, if any, and close the Monitor.
 * @mon: Monitor, or NULL
 *
 * Even if the call fails, it frees @mon.
 *
 * Return: 0.
 * Errors: -EIO or -ENOSPC if the recording could not be completed, or the error of reading the
 * card's last counters. The part of the recording that was written before stays readable, as a
 * recording that was not closed. -EBADMSG if a card was stopped and swapped out, but the records
 * taken in are not all records that it wrote, or do not match its counts (Monitor_loss()).
 */
int Monitor_close(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_SOURCE_H */
