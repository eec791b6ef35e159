/* SPDX-License-Identifier: MIT */
/*
 * Recordings: files of records. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_RECORDING_H
#define SMILE_MONITOR_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_save() - Write every record taken in from now on to a recording.
 * @path: file to create; an existing one is replaced
 * @command_line: kept in the recording, may be NULL
 *
 * Return: 0.
 * Errors: -EBUSY if a recording is being saved or records were taken in already; -EINVAL if @path
 * is the recording being read; -ESPIPE if it is a pipe; -EOPNOTSUPP for merged recordings; as
 * open(2).
 */
int Monitor_save(struct Monitor *mon, const char *path, const char *command_line);

/**
 * Monitor_save_counts() - The same, but write exact counts: a counting recording.
 * @path: as of Monitor_save()
 * @command_line: as of Monitor_save()
 *
 * Counts are summed up by phase, block, source, destination and type. A block is as long as the
 * configuration's range, which does not change any more. All other records are saved as they are.
 * The file grows with the memory that was accessed, not with the accesses. A reader of the file
 * gets records MONITOR_KIND_COUNT in place of DYNAMIC ones: every view is the same.
 *
 * Return: 0.
 * Errors: as Monitor_save(); -EINVAL if ranges of more than one word are not aligned.
 */
int Monitor_save_counts(struct Monitor *mon, const char *path, const char *command_line);

/**
 * Monitor_counting() - Whether exact counts are read, or saved, in place of a card's records.
 *
 * Return: 1 if any recording of @mon is a counting recording, 0 if none is.
 */
int Monitor_counting(struct Monitor *mon);

/**
 * Monitor_record_only() - Write records to the recording, and count them in Monitor_loss() alone.
 *
 * All other views stay empty. For a recorder whose recording is read later: counting them is most
 * of the work. Records that packets push out of a card in this process ("emu:") are taken in by the
 * call that passes them, unless others wait for Monitor_poll() already; those that are still in the
 * card, and any error, come with the next Monitor_poll().
 *
 * Return: 0.
 * Errors: -EBUSY if records were taken in already.
 */
int Monitor_record_only(struct Monitor *mon);

/**
 * Monitor_ranges_only() - Count ranges within pages for some pages alone.
 * @page: first page number, address / SMILE_PAGE_BYTES
 * @pages: how many, of any home node; 0: for none
 *
 * All pages are still counted by node, type and phase. Counts of single words take most of the time
 * and of the memory; callers that do not ask for them save both.
 *
 * From then on Monitor_sections_info(), _read() and _write() return -ENODATA for all other pages,
 * and Monitor_structures_info() and Monitor_spans_info() always; Monitor_walk_ranges() passes these
 * pages alone.
 *
 * Return: 0.
 * Errors: -EBUSY if records were taken in already.
 */
int Monitor_ranges_only(struct Monitor *mon, uint64_t page, uint64_t pages);

/**
 * Monitor_variables_only() - Count ranges within pages only where a page has several variables.
 *
 * For callers that use Monitor_structures_info() alone. A page that lies in one variable, as nearly
 * all pages of large ones do, is counted as a whole: that gives the same sums, in less time and
 * memory. The variables must be known: of a complete recording they are from the beginning.
 *
 * From then on Monitor_sections_info(), _read() and _write() return -ENODATA for such pages, and
 * Monitor_spans_info() always; Monitor_walk_ranges() passes a whole page as one range.
 * Monitor_ranges_of() counts the ranges within some of them later.
 *
 * Return: 0.
 * Errors: -EBUSY if records were taken in already; -ENOMEM.
 */
int Monitor_variables_only(struct Monitor *mon);

/**
 * Monitor_nodes_only() - Do not count by page.
 *
 * For callers that use Monitor_get_packets(), Monitor_get_bytes(), Monitor_phases(),
 * Monitor_static_counts() and Monitor_loss() alone. Time and memory do then not depend on how many
 * pages there are. Functions that show pages return -ENODATA from then on: Monitor_walk_*(),
 * Monitor_histogram_info(), Monitor_page_home(), Monitor_sections_*(), Monitor_phase_info(),
 * Monitor_structures_info(), Monitor_spans_info(), Monitor_advice(), Monitor_cycles(),
 * Monitor_difference().
 *
 * Return: 0.
 * Errors: -EBUSY if records were taken in already.
 */
int Monitor_nodes_only(struct Monitor *mon);

/**
 * Monitor_ranges_of() - Count the ranges within some pages after all.
 * @pages: their numbers; shape [@count]
 * @count: how many
 *
 * For callers that know which pages matter once all are counted. Monitor_variables_only() has left
 * the ranges within these pages out; the recordings are read once more for them, up to their end.
 * Nothing else changes; pages whose ranges were counted stay as they are. Of accesses in front of
 * the caches ranges are counted as they were asked for when Monitor_accesses_show() first showed
 * these.
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if not only recordings are read; -ESPIPE if one is a pipe; -EBUSY if they are
 * followed, or saved, or were not read to their end; -ENOMEM; -EIO if one cannot be read again.
 * Ranges of the pages may be incomplete then.
 */
int Monitor_ranges_of(struct Monitor *mon, const uint64_t *pages, size_t count);

/**
 * struct Monitor_origin - Where a recording comes from.
 * @host: host name
 * @command_line: as passed to Monitor_save()
 * @start_ns: time of day at its beginning, ns since 1970
 * @complete: it was closed: it has the statistics of its end
 * @until_ns: of a counting recording that was not closed, the card's clock up to which it holds all
 *            counts; 0: not known
 *
 * Strings belong to the Monitor.
 */
struct Monitor_origin {
	const char *host;
	const char *command_line;
	uint64_t start_ns;
	int complete;
	uint64_t until_ns;
};

/**
 * Monitor_origin() - Where an open recording comes from.
 * @origin: receives it
 *
 * If several are merged, the origin of the first.
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if the source is no recording.
 */
int Monitor_origin(struct Monitor *mon, struct Monitor_origin *origin);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_RECORDING_H */
