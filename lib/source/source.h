/* SPDX-License-Identifier: MIT */
/*
 * Sources of records: defines the operations of every source.
 *
 * What lives here: the table of operations, and the struct that every source begins with. Because
 * of the table, a card with a driver, an emulated card in this process, and a recording have the
 * same interface. If a source does not support an operation, the operation is NULL, and monitor.c
 * returns -EOPNOTSUPP.
 */
#ifndef LIB_SOURCE_SOURCE_H
#define LIB_SOURCE_SOURCE_H

#include <smile/monitor.h>

struct map;
struct smile_source;

/**
 * struct smile_source_ops - The operations of a kind of source.
 * @prefix: name of the kind, which precedes the colon
 * @open: open @rest, the text after the colon
 * @close: free the source
 * @info: fill in *info
 * @configure: set a checked configuration; the source must be stopped
 * @static_set: set checked static tables; the source must be stopped
 * @static_info: fill in *tables
 * @static_swap: swap out one static counter; -EAGAIN if the caller must first read records
 * @start: start counting
 * @stop: stop counting
 * @swap: swap out all counters (SWAP_OUT); -EAGAIN if the caller must first read records
 * @event: raise a global event
 * @packets: pass frames to the card. Return: the number of frames that were passed, which is
 *           smaller than the number of all frames if memory ran out
 * @requests: pass requests to the card, each of which is one word: BLINK_REQUEST_*
 * @counted: check whether the card would count a request, for callers that need only the count of
 *           many equal requests. Return: 1 if the card counts the request; 0 if it does not.
 *           *event: receives the event that the card counts
 * @read: return up to @capacity records; wait up to @timeout_ms for the first record
 * @counting: return 1 if the records are exact counts, as in a counting recording; NULL: the
 *            records are not exact counts
 * @ended: return 1 if no further records will arrive
 * @rewind: read all records again, from the first. Return: 0; -errno
 * @follow: do not treat the end of the file as the end of the records while the file is being
 *           written
 * @learn: read the data about the program that the writer of the file has written so far. Return: 1
 *         if data was added to @map
 * @statistics: fill in *statistics
 * @time: read the card's clock and its host's clock at the same time
 * @origin: fill in *origin
 * @map: get the source's map of the program's memory
 * @fd: get the descriptor of the file that the source reads; -1 if the source reads no file.
 *      Callers use the descriptor to avoid overwriting the file
 */
struct smile_source_ops {
	const char *prefix;
	int (*open)(struct smile_source **out, const char *rest);
	void (*close)(struct smile_source *source);
	int (*info)(struct smile_source *source, struct smile_info *info);
	int (*configure)(struct smile_source *source, const struct smile_config *config);
	int (*static_set)(struct smile_source *source, const struct smile_static *tables);
	int (*static_info)(struct smile_source *source, struct smile_static *tables);
	int (*static_swap)(struct smile_source *source, unsigned int counter);
	int (*start)(struct smile_source *source);
	int (*stop)(struct smile_source *source);
	int (*swap)(struct smile_source *source);
	int (*event)(struct smile_source *source, unsigned int event);
	int (*packets)(struct smile_source *source, const struct Monitor_frame *frames,
		       size_t count);
	int (*requests)(struct smile_source *source, const uint64_t *requests,
			const uint64_t *times_ns, size_t count);
	int (*counted)(struct smile_source *source, uint64_t request, uint64_t count,
		       uint64_t time_ns, struct Monitor_record *event);
	int (*read)(struct smile_source *source, struct smile_record *records, size_t capacity,
		    int timeout_ms);
	int (*counting)(struct smile_source *source);
	int (*ended)(struct smile_source *source);
	int (*rewind)(struct smile_source *source);
	void (*follow)(struct smile_source *source);
	int (*learn)(struct smile_source *source);
	int (*statistics)(struct smile_source *source, struct smile_statistics *statistics);
	int (*time)(struct smile_source *source, struct smile_time *time);
	int (*origin)(struct smile_source *source, struct Monitor_origin *origin);
	const struct map *(*map)(struct smile_source *source);
	int (*fd)(struct smile_source *source);
};

/**
 * The form in which a source must return the exact counts of a page.
 */
enum source_wanted {
	SOURCE_RECORDS, /* all records */
	/* sums of the records are sufficient; they are returned as records of the whole page */
	SOURCE_SUMS,
	SOURCE_NOTHING, /* no records are needed */
};

/**
 * struct smile_source - The base of every source. It is the first member of the struct of each
 * kind.
 * @ops: operations of the source's kind
 * @take: if set, and the ring of the card is full, the source passes the records of the card to
 *        this function immediately, in their order. @ops->read does not return these records
 * @wanted: if set, returns the form in which the source must return the exact counts of a page
 * @added_up: number of records that the source did not return, because @wanted did not require
 *            them; the reader resets it
 * @opaque: passed to @take and @wanted
 */
struct smile_source {
	const struct smile_source_ops *ops;
	void (*take)(void *opaque, const struct smile_record *records, size_t count);
	enum source_wanted (*wanted)(void *opaque, uint64_t page);
	uint64_t added_up;
	void *opaque;
};

/*
 * Find the kind of source with which @name begins. @rest: receives the text after the colon.
 * Return: the operations; NULL if the kind does not exist.
 */
const struct smile_source_ops *smile_source_kind(const char *name, const char **rest);

extern const struct smile_source_ops smile_source_dev;
extern const struct smile_source_ops smile_source_read;
extern const struct smile_source_ops smile_source_emu;
extern const struct smile_source_ops smile_source_file;
extern const struct smile_source_ops smile_source_pci;

#endif /* LIB_SOURCE_SOURCE_H */
