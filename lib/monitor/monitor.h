/* SPDX-License-Identifier: MIT */
/*
 * Monitor: the struct behind the opaque public type.
 *
 * What lives here: the struct, for monitor.c, which fills it, and for the views, which read it.
 */
#ifndef LIB_MONITOR_MONITOR_H
#define LIB_MONITOR_MONITOR_H

#include "lib/counts/histogram.h"
#include "lib/counts/exact.h"
#include "lib/symbols/catalogue.h"
#include "lib/map/map.h"
#include "lib/recording/recording.h"
#include "lib/source/source.h"

#define MONITOR_BATCH 4096 /* records taken in at once */

/**
 * struct monitor_stream - A source in the view.
 * @source: where records come from
 * @context: what the histogram must know of it
 * @followed: it was being written when it was opened, and what it says of the program at its end is
 *            still to come
 */
struct monitor_stream {
	struct smile_source *source;
	struct histogram_stream context;
	int followed;
};

/**
 * struct Monitor - Sources, and what they said.
 * @streams: the first is what was opened, the others were attached; [@streams_count]
 * @streams_count: how many
 * @current: the one being read
 * @merged: their configurations, [@streams_count]
 * @configured: a configuration was set
 * @reading: something was read
 * @following: recordings that are being written do not end where their files do
 * @account_only: records are counted for the loss account, in no view
 * @records: records taken in
 * @static_read: what static counters had counted when they were reset last
 * @swapped: the card is stopped, was swapped out, and all its records were taken in
 * @writer: recording being saved, or NULL
 * @writer_failed: it could not be written, with this error; the records go on being counted
 * @exact: of a counting recording that is being saved, what is not in it yet; NULL: it is none
 * @deferred: an error among records that were handed out, to be reported by the next read; 0: none
 * @deferred_text: its message
 * @histogram: the counts
 * @map: what is known of the program
 * @catalogue: what lies where in its memory; NULL: not requested yet
 * @batch: records on their way from a source
 */
struct Monitor {
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
	struct map map;
	struct catalogue *catalogue;
	struct smile_record batch[MONITOR_BATCH];
};

/*
 * The one place where records are taken in: saved, then counted. What goes wrong is reported by the
 * next read.
 */
void smile_take_in(struct Monitor *mon, struct monitor_stream *stream,
		   const struct smile_record *records, size_t count);

/* ---- counting.c: counting recordings ---- */

/* Save records as they are, or sum them up. Return: 0; -errno, as smile_recording_append(). */
int smile_save_records(struct Monitor *mon, const struct smile_record *records, size_t count);

/* What was summed up goes into the recording. Return: the same. */
int smile_exact_save(struct Monitor *mon);

/* Nothing comes for the moment: the same, if a checkpoint is due. */
int smile_exact_rest(struct Monitor *mon);

/* Can @config follow on @before while counts are saved? Return: 0; -EBUSY with a message. */
int smile_counting_check(const struct smile_config *config, const struct smile_config *before);

/*
 * Add to what is known of the program what @source says of it by now. Return: 0; -EINVAL if the two
 * contradict each other, -ENOMEM: nothing has changed then.
 */
int smile_program_join(struct Monitor *mon, struct smile_source *source, const char *name);

/* The catalogue of the map, made at the first call. Return: 0, -ENOMEM. */
int smile_catalogue(struct Monitor *mon, struct catalogue **out);

/* What the catalogue was made of has changed: the next call makes another. */
void smile_catalogue_drop(struct Monitor *mon);

/* Swap out one static counter, and take in what comes of it. Return: records; -errno. */
int smile_monitor_static_swap(struct Monitor *mon, unsigned int counter);

/* Are pages distinguished? Return: 0; -ENODATA with a message. */
int smile_pages_known(const struct Monitor *mon);

/* Is what was taken in what the card counted? Return: 0, also if that is not known; -EBADMSG. */
int smile_loss_check(struct Monitor *mon);

#endif /* LIB_MONITOR_MONITOR_H */
