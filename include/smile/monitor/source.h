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
 *	"read:N" or "read:/dev/..."           the same through read(2)
 *	"emu:"                                a card in this process, fed with Monitor_packet()
 *	"emu:CAPTURE"                         the same, fed from a capture ("-": standard input)
 *	"file:RECORDING" or just a path       a recording
 *	"pci:DDDD:BB:DD.F"                    a card without its driver, for root: polled, with
 *	                                      the ring in the card alone; the card is reset
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -ENOENT, -EACCES, -EBUSY, -ENODEV as the system says; -EINVAL for a source of unknown
 * form; -EPROTO for a file that is no recording or capture, or of a version not known here;
 * -EBUSY for a "pci:" card that a driver or another process has; -ENOMEM.
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
 * SMILE_MODE_NARROW: they name nodes and addresses differently, or if what the two say about the
 * program (Monitor_homes() and what follows it) is contradictory: they are of different runs;
 * -EBUSY if records were read already; -EEXIST if a recording of the same node is in the view; and
 * as Monitor_open().
 */
int Monitor_attach(struct Monitor *mon, const char *source);

/**
 * Monitor_follow() - Follow recordings that are being written, as tail -f does.
 * @mon: Monitor opened on a recording from which nothing was read yet; those attached, before or
 *       later, are followed too
 *
 * Monitor_poll() then takes records in as they are written, from whichever recording has some, and
 * waits for more. For Monitor_ended(), a recording ends once it was closed and read, or, if its
 * recorder was killed, once all that it has written was read; a complete recording ends as without
 * this call. The data about the program (Monitor_homes() and the calls below it) and
 * Monitor_statistics() come after a recording's records, so they are known only at its end; earlier
 * results of Monitor_variables() and of similar calls are invalid then. The recorder is recognised
 * by its lock on the file (fcntl(2), F_OFD_SETLK): without locks, a recording whose recorder was
 * killed never ends. Records are taken in from some 100 ms after they were written.
 *
 * Monitor_poll() fails with -EPROTO, and the recording has ended, if the file is written again from
 * its beginning, replaced by another file of its name, or cut off to less than was read, or if what
 * it says at its end contradicts the other recordings. A file that was only removed or renamed is
 * read to its end.
 *
 * Return: 0, also if followed already.
 * Errors: -EINVAL if @mon is no recording; -EBUSY if records were read already.
 */
int Monitor_follow(struct Monitor *mon);

/**
 * Monitor_merge() - One view of several open cards or recordings, each of which stays usable.
 * @out: receives the view
 * @parts: Monitors of different nodes, from which nothing was read yet; shape [@count], not kept
 * @count: how many
 *
 * Configure each part, and begin its recording, before this call; cards are started by the view.
 * Monitor_config_set(), Monitor_start(), Monitor_stop(), Monitor_swap(), Monitor_event() and
 * Monitor_follow() of the view reach all parts, but each keeps its node id. If one fails, the
 * others are reached nevertheless, and the message names which failed and which did not.
 * Monitor_poll() of the view takes records in from all parts; an error names its part, once if a
 * card is gone, and the others go on. The view knows of the program all that its parts know.
 *
 * A part may still be read, stopped, swapped out and marked alone, for a caller that must know
 * which of them failed or ended: records that a part takes in are in the view too. Monitor_loss()
 * and Monitor_statistics() of a part are its own; those of the view are sums, to which a card that
 * is gone adds its last figures. Other counts are in the view alone. A transaction that several
 * parts counted counts once, and phases are merged by their ordinal number, as by Monitor_attach().
 * The view has the static counters of the first part.
 *
 * Close the view first: its parts stay open.
 *
 * Context: one thread for the view and its parts.
 * Return: 0.
 * Errors: -EINVAL if cards and recordings are mixed, if a part is merged already, or as
 * Monitor_attach(); -EBUSY if records were read already; -EEXIST if two are of one node; -ENOMEM.
 */
int Monitor_merge(struct Monitor **out, struct Monitor *const *parts, size_t count);

/**
 * Monitor_close() - Close, after completing the recording being saved, if any.
 * @mon: Monitor, or NULL
 *
 * Frees @mon in any case.
 *
 * Return: 0.
 * Errors: -EIO or -ENOSPC if the recording could not be completed, or the error of reading the
 * card's last counters (what was written before stays readable, as a recording that was not
 * closed); -EBADMSG if a card was stopped and swapped out, and the records taken in are not all
 * that it wrote, or not what it counted (Monitor_loss()).
 */
int Monitor_close(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_SOURCE_H */
