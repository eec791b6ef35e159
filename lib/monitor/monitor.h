/* SPDX-License-Identifier: MIT */
/*
 * Monitor: defines struct Monitor, which is opaque in the public API.
 *
 * What lives here: the struct. monitor.c fills in its members, and the views read them.
 */
#ifndef LIB_MONITOR_MONITOR_H
#define LIB_MONITOR_MONITOR_H

#include "lib/counts/histogram.h"
#include "lib/counts/exact_counts.h"
#include "lib/symbols/catalogue.h"
#include "lib/map/map.h"
#include "lib/recording/recording.h"
#include "lib/source/source.h"

struct names;

#define MONITOR_BATCH 4096 /* number of records that are read at a time */

/**
 * struct monitor_stream - A source in the view.
 * @source: source of the records
 * @context: the properties of the source that the histogram needs
 * @followed: the recording was still being written when it was opened, so its map of the program,
 *            which is at the end of the file, was not read yet
 */
struct monitor_stream {
	struct smile_source *source;
	struct histogram_stream context;
	int followed;
};

/**
 * struct Monitor - One or more sources, and the data that was read from them.
 * @name: name of the opened source; NULL: this Monitor is a merged view
 * @cards: for a merged view, the Monitors that are its parts, and that own the sources in @streams;
 *         [@streams_count]; NULL: this Monitor is not a merged view, and owns its sources
 * @view: the merged view of which this Monitor is a part; NULL: it is not part of a view
 * @view_stream: number of this part's stream in @view
 * @last: for a part of a merged view, the card's statistics when they were last read
 * @last_known: @last is set
 * @gone: for a part of a merged view: an error has shown that the card was removed
 * @streams: the sources. The first one was opened; the others were attached later; [@streams_count]
 * @streams_count: number of sources
 * @current: index of the source that is being read
 * @merged: configurations of the sources, [@streams_count]
 * @configured: a configuration was set
 * @reading: records were read
 * @following: if a recording is still being written, the end of its file does not end it
 * @account_only: records are counted only in the loss account, and in no view
 * @records: number of records that were read
 * @static_read: counts of the static counters at their last reset
 * @swapped: the card was stopped, its counters were swapped out, and all of its records were read
 * @writer: the recording that is being saved, or NULL
 * @writer_failed: the error that occurred while the recording was written. After this error,
 *                 records are still counted
 * @exact: counts that were not written to the counting recording yet; NULL: no counting recording
 *         is being saved
 * @deferred: an error in records that were passed to the caller, which the next read reports; 0: no
 *            error
 * @deferred_text: message of @deferred
 * @histogram: the counts
 * @fronts: the counts of the processors' accesses in map.fronts. If this histogram has no phases,
 *          the counts were not computed yet
 * @fronts_shown: views show the counts in @fronts, and not those in @histogram
 * @map: the known data about the program
 * @names: the reader of the names that the counted program gives to its memory; NULL: names are not
 *         read
 * @catalogue: the variables in the program's memory; NULL: no caller has requested the variables
 *         yet
 * @batch: buffer for records of a source
 */
struct Monitor {
	char *name;
	struct Monitor **cards;
	struct Monitor *view;
	size_t view_stream;
	struct smile_statistics last;
	int last_known;
	int gone;
	struct monitor_stream *streams;
	size_t streams_count;
	size_t current;
	struct smile_config *merged;
	int configured;
	int reading;
	int following;
	int account_only;
	uint64_t records;
	uint64_t static_read[SMILE_STATIC_COUNTERS];
	int swapped;
	struct recording_writer *writer;
	int writer_failed;
	struct exact *exact;
	int deferred;
	char deferred_text[256];
	struct histogram histogram;
	struct histogram accesses;
	int accesses_shown;
	struct map map;
	struct names *names;
	struct catalogue *catalogue;
	struct smile_record batch[MONITOR_BATCH];
};

/*
 * Save records, and then count them. All records of a Monitor are added by this function. If
 * records cannot be saved or counted, the next read reports the error.
 */
void smile_take_in(struct Monitor *mon, struct monitor_stream *stream,
		   const struct smile_record *records, size_t count);

/*
 * If a recording is being saved, or the Monitor is in a merged view, read the card's clock together
 * with its host's clock. If the source cannot read them together, no pair of times is stored.
 */
void smile_clocks_read(struct Monitor *mon);

/* ---- counting_recording.c: counting recordings ---- */

/* Save records. For a counting recording, add them to the sums instead. Return: 0; -errno. */
int smile_save_records(struct Monitor *mon, const struct smile_record *records, size_t count);

/* Write the sums to the counting recording. Return: 0; -errno. */
int smile_exact_save(struct Monitor *mon);

/*
 * If a checkpoint is due, write the sums to the counting recording. Call this function while no
 * records arrive.
 */
int smile_exact_rest(struct Monitor *mon);

/*
 * Check whether the configuration may change from @before to @config while counts are being saved.
 * Return: 0; -EBUSY, with Monitor_error_message() set.
 */
int smile_counting_check(const struct smile_config *config, const struct smile_config *before);

/*
 * Begin the recording, if it has not begun, because records can arrive from now on. An error that
 * has been reported before is not returned again. Return: 0; -errno.
 */
int smile_save_begin(struct Monitor *mon);

/* Complete the recording, if there is one. Return: 0; -errno. */
int smile_save_end(struct Monitor *mon);

/* Write the data about the program that is already known to the recording that is being saved. */
void smile_program_write(struct Monitor *mon);

/*
 * Add the data about the program that @source has so far. Return: 0; -EINVAL if this data
 * contradicts known data; -ENOMEM. After an error, nothing has changed.
 */
int smile_program_join(struct Monitor *mon, struct smile_source *source, const char *name);

/*
 * Add an open source to the view, together with the source's data about the program. @name: the
 * source's name for messages. Return: 0; -errno. After an error, nothing has changed.
 */
int smile_source_join(struct Monitor *mon, struct smile_source *source, const char *name);

/*
 * Get the catalogue of variables that belongs to the map. The first call makes the catalogue.
 * Return: 0; -ENOMEM.
 */
int smile_catalogue(struct Monitor *mon, struct catalogue **out);

/*
 * Free the catalogue, because the data from which it was made has changed. The next call of
 * smile_catalogue() makes a new catalogue.
 */
void smile_catalogue_drop(struct Monitor *mon);

/*
 * Swap out one static counter, and read the resulting records. Return: the number of records;
 * -errno.
 */
int smile_monitor_static_swap(struct Monitor *mon, unsigned int counter);

/* Get the counts that views show. */
static inline const struct histogram *smile_shown(const struct Monitor *mon)
{
	return mon->accesses_shown ? &mon->accesses : &mon->histogram;
}

/*
 * Check that the view distinguishes pages. Return: 0; -ENODATA, with Monitor_error_message() set.
 */
int smile_page_table_known(const struct Monitor *mon);

/*
 * Check that the records that were read contain all counts of the card. Return: 0 if no counts are
 * missing, or if this is not known; -EBADMSG if counts are missing.
 */
int smile_loss_check(struct Monitor *mon);

#endif /* LIB_MONITOR_MONITOR_H */
