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
 * Monitor_save() - Write all records that are read from now on to a recording.
 * @path: file to create; an existing file is replaced
 * @command_line: stored in the recording, may be NULL
 *
 * The file is locked until Monitor_close(), so that no other program can write it. If @path has
 * older contents and the card is not started, the file keeps them until Monitor_start() or the
 * first record. If neither happens, and no data about a program was added, Monitor_close() leaves
 * the file unchanged.
 *
 * Return: 0.
 * Errors: -EBUSY if a recording is being saved or records were read already; -EINVAL if @path is
 * the recording being read; -ESPIPE if @path is a pipe; -EOPNOTSUPP for merged recordings; and as
 * open(2).
 */
int Monitor_save(struct Monitor *mon, const char *path, const char *command_line);

/**
 * Monitor_save_counts() - Write exact counts from now on to a recording, which is called a counting
 * recording.
 * @path: as for Monitor_save()
 * @command_line: as for Monitor_save()
 *
 * Unlike Monitor_save(), this call does not save DYNAMIC records. It saves the sums of their counts
 * by phase, block, source, destination and type. A block is as long as the configuration's range,
 * which must not change after this call. All other records are saved unchanged. The size of the
 * file therefore depends on the amount of accessed memory, not on the number of accesses. When the
 * file is read, MONITOR_KIND_COUNT records replace the DYNAMIC records, and all views are the same.
 *
 * Return: 0.
 * Errors: as Monitor_save(); -EINVAL if ranges of more than one word are not aligned.
 */
int Monitor_save_counts(struct Monitor *mon, const char *path, const char *command_line);

/**
 * Monitor_counting() - Check whether exact counts are read or saved in place of a card's records.
 *
 * Return: 1 if any recording of @mon is a counting recording, 0 if none is.
 */
int Monitor_counting(struct Monitor *mon);

/**
 * Monitor_record_only() - Write records to the recording, and count them only in Monitor_loss().
 *
 * All other views stay empty. This call is for a recorder whose recording is read later: it avoids
 * the counting of records, which is most of the work. If a card in this process ("emu:") writes
 * records while packets are passed to it, the call that passes the packets also reads the records,
 * unless other records already wait for Monitor_poll(). The next Monitor_poll() reads the records
 * that are still in the card, and reports any error.
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already.
 */
int Monitor_record_only(struct Monitor *mon);

/**
 * Monitor_ranges_only() - Count ranges within pages only for some pages.
 * @page: first page number, address / SMILE_PAGE_BYTES
 * @pages: number of pages, on any home node; 0: count no ranges
 *
 * Accesses to all pages are still counted by node, type and phase. Counts of single words need most
 * of the time and memory, so a caller that does not need these counts saves both.
 *
 * After this call Monitor_sections_info(), _read() and _write() return -ENODATA for all other
 * pages, Monitor_structures_info() and Monitor_spans_info() always return -ENODATA, and
 * Monitor_walk_ranges() passes only the selected pages.
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already.
 */
int Monitor_ranges_only(struct Monitor *mon, uint64_t page, uint64_t pages);

/**
 * Monitor_variables_only() - Count ranges within pages only for pages with several variables.
 *
 * This call is for callers that use only Monitor_structures_info(). If a page lies in one variable,
 * as nearly all pages of large variables do, the page is counted as a whole. The sums of
 * Monitor_structures_info() are the same, but need less time and memory. The variables must be
 * known when records are counted; if a recording is complete, they are known from the beginning.
 *
 * After this call Monitor_sections_info(), _read() and _write() return -ENODATA for pages that lie
 * in one variable, Monitor_spans_info() always returns -ENODATA, and Monitor_walk_ranges() passes
 * such a page as one range. Monitor_ranges_of() can later count the ranges within some of these
 * pages.
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already; -ENOMEM.
 */
int Monitor_variables_only(struct Monitor *mon);

/**
 * Monitor_nodes_only() - Count by node, but not by page.
 *
 * This call is for callers that use only Monitor_get_packets(), Monitor_get_bytes(),
 * Monitor_phases(), Monitor_static_counts() and Monitor_loss(). The time and memory for counting
 * then do not depend on the number of pages. After this call, all functions that show pages return
 * -ENODATA: Monitor_walk_*(), Monitor_histogram_info(), Monitor_page_home(), Monitor_sections_*(),
 * Monitor_phase_info(), Monitor_structures_info(), Monitor_spans_info(), Monitor_advice(),
 * Monitor_cycles(), Monitor_difference().
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already.
 */
int Monitor_nodes_only(struct Monitor *mon);

/**
 * Monitor_ranges_of() - Count the ranges within some pages that Monitor_variables_only() has
 * counted as a whole.
 * @pages: numbers of the pages; shape [@count]
 * @count: number of pages
 *
 * This call is for callers that can select pages only after all pages are counted. It reads the
 * recordings once more, up to their end, to count the ranges within the selected pages. No other
 * counts change, and ranges that were counted before stay unchanged. For the accesses that
 * Monitor_accesses_show() selects, the counted ranges are those that were selected at the first
 * call of Monitor_accesses_show().
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if a source is not a recording; -ESPIPE if a recording is a pipe; -EBUSY if
 * recordings are being followed or saved, or were not read to their end; -ENOMEM; -EIO if a
 * recording cannot be read again. After an error the ranges of the pages may be incomplete.
 */
int Monitor_ranges_of(struct Monitor *mon, const uint64_t *pages, size_t count);

/**
 * struct Monitor_origin - The origin of a recording.
 * @host: host name
 * @command_line: as passed to Monitor_save()
 * @start_ns: time of day at the start of the recording, ns since 1970
 * @complete: 1: the recording was closed, and ends with the card's statistics
 * @until_ns: if a counting recording was not closed, the time by the card's clock up to which the
 *            recording holds all counts; 0: not known
 *
 * The strings belong to the Monitor.
 */
struct Monitor_origin {
	const char *host;
	const char *command_line;
	uint64_t start_ns;
	int complete;
	uint64_t until_ns;
};

/**
 * Monitor_origin() - Get the origin of an open recording.
 * @origin: receives the origin
 *
 * For merged recordings the call returns the origin of the first recording.
 *
 * Return: 0.
 * Errors: -EOPNOTSUPP if the source is not a recording.
 */
int Monitor_origin(struct Monitor *mon, struct Monitor_origin *origin);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_RECORDING_H */
