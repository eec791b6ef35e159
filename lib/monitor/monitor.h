/* SPDX-License-Identifier: MIT */
/*
 * Monitor: the struct behind the opaque public type.
 *
 * What lives here: the struct, which monitor.c fills in, and which the views read.
 */
#ifndef LIB_MONITOR_MONITOR_H
#define LIB_MONITOR_MONITOR_H

#include "lib/counts/histogram.h"
#include "lib/counts/exact.h"
#include "lib/symbols/catalogue.h"
#include "lib/map/map.h"
#include "lib/recording/recording.h"
#include "lib/source/source.h"

struct names;

#define MONITOR_BATCH 4096 /* records taken in together */

/**
 * struct monitor_stream - A source in the view.
 * @source: source of the records
 * @context: its properties for the histogram
 * @followed: the recording was being written when it was opened, and its map of the program, which
 *            is at its end, was not read yet
 */
struct monitor_stream {
	struct smile_source *source;
	struct histogram_stream context;
	int followed;
};

/**
 * struct Monitor - Sources, and the data read from them.
 * @name: name of the opened source; NULL: a merged view
 * @cards: the parts of a merged view, whose sources are its @streams; [@streams_count]; NULL: this
 *         is not a merged view, and owns its sources
 * @view: the merged view that this is a part of, or NULL
 * @view_stream: the number of its stream in @view
 * @last: for a part of a merged view, its counters when they were last read
 * @last_known: @last is set
 * @gone: for a part of a merged view, an error has reported that its card is gone
 * @streams: the sources: the first was opened, the others were attached; [@streams_count]
 * @streams_count: number of sources
 * @current: the source that is being read
 * @merged: configurations of the sources, [@streams_count]
 * @configured: a configuration was set
 * @reading: records were read
 * @following: recordings that are being written do not end at the ends of their files
 * @account_only: records are counted only for the loss account, in no view
 * @records: number of records taken in
 * @static_read: counts of the static counters when they were last reset
 * @swapped: the card is stopped, was swapped out, and all its records were taken in
 * @writer: recording being saved, or NULL
 * @writer_failed: the error if the recording could not be written; records are still counted
 * @exact: counts that are not in the counting recording yet; NULL: no counting recording is being
 *         saved
 * @deferred: an error in records that were passed to the caller, which the next read reports; 0: no
 *            error
 * @deferred_text: message of this error
 * @histogram: the counts
 * @fronts: the counts of map.fronts; without phases they were not computed yet
 * @fronts_shown: views show @fronts
 * @map: the known data about the program
 * @names: the program's names of its memory while it is counted; NULL: names are not followed
 * @catalogue: variables in the program's memory; NULL: not requested yet
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
	struct histogram fronts;
	int fronts_shown;
	struct map map;
	struct names *names;
	struct catalogue *catalogue;
	struct smile_record batch[MONITOR_BATCH];
};

/*
 * The only place where records are taken in: saved, then counted. If one of these fails, the next
 * read reports the error.
 */
void smile_take_in(struct Monitor *mon, struct monitor_stream *stream,
		   const struct smile_record *records, size_t count);

/*
 * While a recording is saved, or in a merged view: read the card's clock together with its host's
 * clock. A source without this operation has no pairs of times.
 */
void smile_clocks_read(struct Monitor *mon);

/* ---- counting.c: counting recordings ---- */

/* Save records unchanged, or sum them up. Return: 0; -errno, as smile_recording_append(). */
int smile_save_records(struct Monitor *mon, const struct smile_record *records, size_t count);

/* Write the sums into the recording. Return: as smile_save_records(). */
int smile_exact_save(struct Monitor *mon);

/* Write the sums while no records arrive, if a checkpoint is due. */
int smile_exact_rest(struct Monitor *mon);

/*
 * Whether the configuration may change from @before to @config while counts are saved. Return: 0;
 * -EBUSY with a message.
 */
int smile_counting_check(const struct smile_config *config, const struct smile_config *before);

/* Write the data about the program that is known so far into the recording that is saved. */
void smile_program_write(struct Monitor *mon);

/*
 * Add the data about the program that @source has so far. Return: 0; -EINVAL if it contradicts
 * known data, -ENOMEM: nothing has changed then.
 */
int smile_program_join(struct Monitor *mon, struct smile_source *source, const char *name);

/*
 * Add an open source to the view, and its data about the program. @name: for messages. Return: 0;
 * -errno: nothing has changed then.
 */
int smile_source_join(struct Monitor *mon, struct smile_source *source, const char *name);

/* The catalogue of the map, made at the first call. Return: 0, -ENOMEM. */
int smile_catalogue(struct Monitor *mon, struct catalogue **out);

/* The data for the catalogue has changed: the next call makes a new one. */
void smile_catalogue_drop(struct Monitor *mon);

/* Swap out one static counter, and take in its records. Return: the number of records; -errno. */
int smile_monitor_static_swap(struct Monitor *mon, unsigned int counter);

/* The counts that views show. */
static inline const struct histogram *smile_shown(const struct Monitor *mon)
{
	return mon->fronts_shown ? &mon->fronts : &mon->histogram;
}

/* Check that pages are distinguished. Return: 0; -ENODATA with a message. */
int smile_page_table_known(const struct Monitor *mon);

/*
 * Check that the records taken in hold all counts of the card. Return: 0, also if it is not known;
 * -EBADMSG.
 */
int smile_loss_check(struct Monitor *mon);

#endif /* LIB_MONITOR_MONITOR_H */
