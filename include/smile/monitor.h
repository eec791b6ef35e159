/* SPDX-License-Identifier: MIT */
/*
 * SMiLE Monitor: the C API.
 *
 * What lives here: everything a program may call. A Monitor is opened on a source of records (a
 * card behind the driver, a card emulated in this process, or a recording), counts what the records
 * say in exact 64-bit histograms, and answers questions about them at any time.
 *
 *	struct Monitor *mon;
 *	if (Monitor_open(&mon, "dev:0") < 0)
 *		errx(2, "%s", Monitor_error_message());
 *	Monitor_start(mon);
 *	run_my_program();
 *	Monitor_stop(mon);
 *	Monitor_swap(mon);
 *
 * Errors: every int function returns 0 or a count on success and a negative errno value on
 * failure, leaves its outputs untouched on failure, and sets a message for the calling thread that
 * names the thing and the remedy (Monitor_error_message()). The library never prints and never
 * exits.
 *
 * Threads: a Monitor is used by one thread at a time; different Monitors are independent.
 *
 * Views: counts come from requests alone, unless the configuration accepts responses only; a
 * transaction then counts once. Pages are named by their home node and their number there. Where
 * several cards' recordings are merged, a transaction that two of the cards counted counts once.
 * Records of the static array, which counts the same events once more, are in
 * Monitor_static_counts() alone.
 *
 * Sources cited below: [2002a] "Data Monitoring in High-Performance Clusters for Computing
 * Applications", section VI; [2002b] "Memory access behavior analysis of NUMA-based shared memory
 * programs", section 4; [1998] "Exploiting Spatial and Temporal Locality of Accesses", section 3.
 */
#ifndef SMILE_MONITOR_H
#define SMILE_MONITOR_H

#include <stddef.h>
#include <stdint.h>

#include <uapi/smile_monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- errors -------------------------------------------------------------------------------- */

/**
 * Monitor_error_message() - What the last failure of this thread was, and what to do about it.
 *
 * Return: a sentence, never NULL; valid until the thread's next failing call.
 */
const char *Monitor_error_message(void);

/**
 * Monitor_error_set() - Set the calling thread's message: for libraries built on this one, so that
 * their callers have one way to read a failure.
 * @error: positive errno value
 * @format: as of printf(3); the message names the thing and the remedy
 *
 * Return: -@error.
 */
int Monitor_error_set(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Monitor_version() - Version of the library, as "1.2.3".
 */
const char *Monitor_version(void);

/* ---- source: open and close ---------------------------------------------------------------- */

struct Monitor;

/**
 * Monitor_open() - Open a source of records.
 * @out: receives the Monitor
 * @source: one of
 *	"dev:N" or "dev:/dev/smile_monitorN"  a card behind the driver, through its shared mapping
 *	"read:N" or "read:/dev/..."           the same through read()
 *	"emu:"                                a card in this process, fed with Monitor_packet()
 *	"emu:CAPTURE"                         the same, fed from a capture ("-": standard input)
 *	"file:RECORDING" or just a path       a recording
 *	"pci:DDDD:BB:DD.F"                    refused for now; see Monitor_card_list()
 *
 * Return: 0; -ENOENT, -EACCES, -EBUSY, -ENODEV as the system says; -EINVAL for a source of unknown
 * form; -EPROTO for a file that is no recording or capture, or of a version not known here;
 * -EOPNOTSUPP for "pci:"; -ENOMEM.
 */
int Monitor_open(struct Monitor **out, const char *source);

/**
 * Monitor_attach() - Merge one more recording into the view.
 * @mon: Monitor opened on a recording from which nothing was read yet
 * @source: "file:RECORDING" or a path
 *
 * Phases are merged by their ordinal number. Return: 0; -EINVAL if @mon or @source is not a
 * recording, if one card had SMILE_MODE_NARROW and the other had not: they name nodes and addresses
 * differently, or if what the two say of the program (Monitor_homes() and what follows it)
 * contradicts each other: they are of different runs; -EBUSY if records were read already; -EEXIST if
 * a recording of the same node is in the view; and as Monitor_open().
 */
int Monitor_attach(struct Monitor *mon, const char *source);

/**
 * Monitor_follow() - Follow recordings that are being written, as tail -f does.
 * @mon: Monitor opened on a recording from which nothing was read yet; those attached, before or
 *       later, are followed too
 *
 * Monitor_poll() then takes records in as they are written, from whichever recording has some, and
 * waits for more. A recording ends, for Monitor_ended(), once it was closed and read, or, if its
 * recorder was killed, once what it has left was read; one that is complete ends as ever. What a
 * recording says of the program (Monitor_homes() and what follows it) is behind its records, and so
 * is there when it has ended, as are Monitor_statistics(). That changes what Monitor_variables() and
 * the like have handed out. A recorder is seen by its lock on the file (fcntl(2), F_OFD_SETLK): where
 * there are no locks, a recording whose recorder was killed never ends. Records are taken in from
 * some 100 ms after they were.
 *
 * Return: 0, also if followed already; -EINVAL if @mon is no recording; -EBUSY if records were read
 * already. Monitor_poll() fails with -EPROTO, and the recording has ended, if it is written anew,
 * replaced by another file of its name, or cut off to less than was read meanwhile, or if what it says
 * at its end contradicts the others. A file that was only removed or renamed is read to its end.
 */
int Monitor_follow(struct Monitor *mon);

/**
 * Monitor_close() - Close, after completing the recording being saved, if any.
 * @mon: Monitor, or NULL
 *
 * Frees @mon whatever it returns. Return: 0; -EIO or -ENOSPC if the recording could not be
 * completed, or what kept the card's last counters from being known (what was written before stays
 * readable, as a recording that was not closed); -EBADMSG if a card was stopped and swapped out,
 * and the records taken in are not all that it wrote, or not what it counted (Monitor_loss()).
 */
int Monitor_close(struct Monitor *mon);

/* ---- config -------------------------------------------------------------------------------- */

/**
 * Monitor_config_default() - Fill in the library's defaults: the card's reset values, and event 0 a
 * phase mark.
 */
void Monitor_config_default(struct smile_config *config);

/**
 * Monitor_config_set() - Configure the card; it must be stopped.
 *
 * Counters still in the array are taken in under the old configuration first. @config's size is
 * sizeof(*@config), as Monitor_config_default() leaves it: no other is accepted. Return: 0; -EINVAL
 * for a value out of range, or for SMILE_MODE_NARROW with static tables in force that name a node
 * above 31 or a page above 65535, with a message that names it; -EBUSY while running, or while a
 * recording is saved for another node id, filter, SMILE_MODE_TYPED_TAGS, _NO_DYNAMIC or _NARROW
 * (its header tells one configuration, the last, and these decide what its records mean);
 * -EOPNOTSUPP for a recording; if the recording being saved cannot be written, -ENOSPC and the like,
 * although the card is configured; and as Monitor_swap().
 */
int Monitor_config_set(struct Monitor *mon, const struct smile_config *config);

/**
 * Monitor_info() - What the card is and how it is configured; for a recording, was.
 */
int Monitor_info(struct Monitor *mon, struct smile_info *info);

/* ---- static: counters for ranges that the user names ------------------------------------------ */

/*
 * The static array counts what its tables say, beside the dynamic one or instead of it, if the
 * configuration's mode has SMILE_MODE_STATIC: tables without that mode count nothing. Its counts are
 * exact, in Monitor_static_counts(), and in no other view. Source: "Design and Implementation
 * Aspects" (2000), section IV.A.
 *
 *	struct smile_static tables;
 *	Monitor_static_default(&tables);
 *	int writes = Monitor_static_event(&tables, 1, 40 * 4096, 64,
 *					  SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST);
 *	int counter = Monitor_static_counter(&tables, writes, SMILE_STATIC_GLOBAL + 3, -1);
 *	Monitor_static_set(mon, &tables);
 *
 *	struct smile_config config;
 *	Monitor_config_default(&config);
 *	config.mode |= SMILE_MODE_STATIC;
 *	Monitor_config_set(mon, &config);
 */

/**
 * Monitor_static_default() - Empty tables.
 */
void Monitor_static_default(struct smile_static *tables);

/**
 * Monitor_static_event() - Add a memory event to the tables, or find an equal one.
 * @node: home node of the memory
 * @address: first byte, a multiple of 4, below 4 GB
 * @bytes: length, a multiple of 4, within one page
 * @filter: SMILE_FILTER_READ, _WRITE, _LOCK, _REQUEST, _RESPONSE: at least one type, and at least
 *          one of requests and responses
 *
 * Return: event id, 0 to 15; -ENOSPC if the tables are full; -EINVAL.
 */
int Monitor_static_event(struct smile_static *tables, unsigned int node, uint64_t address,
			 size_t bytes, unsigned int filter);

/**
 * Monitor_static_counter() - Add a counter to the tables.
 * @count: id of the event that it counts: of a memory event, or SMILE_STATIC_GLOBAL plus a global
 *         event
 * @activate: id of the event that begins the counting, or -1: it begins at once
 * @deactivate: id of the event that ends it, or -1
 *
 * An event that is both counted and activates or deactivates is counted. Return: counter index,
 * 0 to 15; -ENOSPC if all are in use; -EINVAL for an id that is not there.
 */
int Monitor_static_counter(struct smile_static *tables, int count, int activate, int deactivate);

/**
 * Monitor_static_set() - Set the tables; the card must be stopped.
 *
 * Counters still in the arrays are taken in under the old tables first; what Monitor_static_counts()
 * tells goes on from there, by counter index. @tables' size is sizeof(*@tables), as
 * Monitor_static_default() leaves it: no other is accepted. Return: 0; -EINVAL for tables that make
 * no sense, or that with SMILE_MODE_NARROW in force name a node above 31 or a page above 65535, with
 * a message that names the entry; -EBUSY while running, or while a recording is saved that has static
 * counts already (its header tells one set of tables, the last); -EOPNOTSUPP for a recording, or a
 * card without a static array; and as Monitor_config_set().
 */
int Monitor_static_set(struct Monitor *mon, const struct smile_static *tables);

/**
 * Monitor_static_info() - The tables in force; for a recording, those of its card.
 *
 * Return: 0; -EOPNOTSUPP if there is no static array.
 */
int Monitor_static_info(struct Monitor *mon, struct smile_static *tables);

/**
 * Monitor_static_counts() - What the static counters have counted.
 * @counts: caller-owned, shape [@phases][SMILE_STATIC_COUNTERS]
 * @phases: Monitor_phases() at least; later phases are left out
 *
 * For merged recordings, the first one's, whose tables Monitor_static_info() tells. Return: phases
 * there are.
 */
int Monitor_static_counts(struct Monitor *mon, uint64_t *counts, size_t phases);

/* ---- run ----------------------------------------------------------------------------------- */

/**
 * Monitor_start() - Begin to count.
 *
 * If Monitor_config_set() was not called before, the defaults are set first, with the node id that
 * the card has, and with SMILE_MODE_STATIC if Monitor_static_set() has set a counter. Return: 0, also
 * if running; -EOPNOTSUPP for a recording.
 */
int Monitor_start(struct Monitor *mon);

/**
 * Monitor_stop() - Stop counting. Counters stay in the card: call Monitor_swap() to get them.
 */
int Monitor_stop(struct Monitor *mon);

/**
 * Monitor_swap() - Drain now: write every counter of the card to its ring (SWAP_OUT), and take in
 * all records that are there.
 *
 * Return: records taken in; -EPROTO as Monitor_records_read(), once all is taken in; -errno.
 */
int Monitor_swap(struct Monitor *mon);

/**
 * Monitor_event() - Raise a global event; a phase mark, if so configured.
 * @event: 0 to 65533; 0 to 15 can be phase marks
 *
 * Return: 0; -EAGAIN if the card's ring was full and could not keep it; -EOPNOTSUPP for a
 * recording.
 */
int Monitor_event(struct Monitor *mon, unsigned int event);

/**
 * Monitor_packet() - Pass a B-Link frame by the emulated card of source "emu:".
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than the one before
 *
 * Return: 0, whatever the card makes of the frame (see Monitor_statistics()); -EOPNOTSUPP for any
 * other source.
 */
int Monitor_packet(struct Monitor *mon, const void *frame, size_t bytes, uint64_t time_ns);

/**
 * struct Monitor_frame - A B-Link frame and its time.
 * @frame: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame
 * @time_ns: time stamp, never less than that of the one before
 */
struct Monitor_frame {
	const void *frame;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * Monitor_packets() - Pass many frames, one after another: the same as Monitor_packet() for each,
 * but faster.
 * @frames: shape [@count]; not kept
 *
 * Return: frames that have passed: @count, or less if there is no memory for the records of the
 * next, and -ENOMEM if none has passed for that; at most INT_MAX; -EOPNOTSUPP as Monitor_packet().
 */
int Monitor_packets(struct Monitor *mon, const struct Monitor_frame *frames, size_t count);

/**
 * Monitor_request() - A request packet, decoded, in one word: for Monitor_requests().
 * @source: requester's node id, below 64
 * @target: node id of whom it asks, below 64
 * @type: SMILE_TYPE_READ, WRITE or LOCK; with 0 it is a malformed packet
 * @address: byte address, below 2^48
 *
 * What is beyond these limits is left out.
 */
uint64_t Monitor_request(unsigned int source, unsigned int target, unsigned int type,
			 uint64_t address);

/**
 * Monitor_requests() - Pass many requests, one after another: the same as Monitor_packets() with their
 * frames, but faster, and that no response finds its request among them. For traffic of which only
 * requests are looked at, among up to 64 nodes.
 * @requests: as Monitor_request() makes them, shape [@count]; not kept
 * @times_ns: the time stamp of each, never less than that of the one before, shape [@count]
 *
 * Return: as Monitor_packets().
 */
int Monitor_requests(struct Monitor *mon, const uint64_t *requests, const uint64_t *times_ns,
		     size_t count);

/* ---- record -------------------------------------------------------------------------------- */

/**
 * Monitor_poll() - Take in the records that are there, waiting for the first of them.
 * @timeout_ms: how long to wait; 0 not at all, negative without end. A capture that comes from a
 *              pipe is read as far as it is there, but one of pcapng is waited for
 *
 * Return: records taken in; 0 if none came in time or the source has ended (Monitor_ended());
 * -EINTR if a signal came first; -ENODEV if the card is gone; -EPROTO as Monitor_records_read().
 */
int Monitor_poll(struct Monitor *mon, int timeout_ms);

/**
 * Monitor_records_read() - The same, handing out the records, too.
 * @records: caller-owned, shape [@capacity]
 * @capacity: 1 at least
 *
 * The records count in the histograms like those of Monitor_poll(). One that makes no sense is
 * handed out and saved like the others, counts nowhere, and is reported by the next call's -EPROTO;
 * if the recording cannot be written, the next call says why (-ENOSPC, for example), and no more is
 * written. The call after that goes on. Return: records filled in, at most @capacity; -EINVAL for no
 * capacity; otherwise as Monitor_poll().
 */
int Monitor_records_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
			 int timeout_ms);

/**
 * Monitor_ended() - Has the source ended?
 *
 * Return: 1 for a recording or capture read to its end; for a card, when its B-Link has no clock
 * and every record that the card wrote was taken in; 0 otherwise.
 */
int Monitor_ended(struct Monitor *mon);

/**
 * struct Monitor_record - A record, decoded. Members that a kind does not have are zero.
 * @kind: SMILE_KIND_*
 * @type: SMILE_TYPE_*
 * @response: not requests but responses were counted
 * @cause: SMILE_CAUSE_*, for an EVENT SMILE_RAISED_*
 * @index: counter index
 * @count: events counted
 * @source: source node; for an EVENT the node that raised it; for STATIC and OVERFLOW the card's
 * @destination: destination node
 * @address: start address, bytes
 * @length_bytes: length of the range
 * @event: event id; also of a STATIC or OVERFLOW of type SMILE_TYPE_EVENT
 * @phase: the event is a phase mark
 * @time_ns: the card's clock
 * @lost: memory events lost
 * @marks_lost: EVENT records lost
 */
struct Monitor_record {
	unsigned int kind;
	unsigned int type;
	unsigned int response;
	unsigned int cause;
	unsigned int index;
	unsigned int count;
	unsigned int source;
	unsigned int destination;
	uint64_t address;
	unsigned int length_bytes;
	unsigned int event;
	unsigned int phase;
	uint64_t time_ns;
	uint64_t lost;
	uint64_t marks_lost;
};

/**
 * Monitor_record_decode() - Decode a record.
 *
 * Return: 0; -EPROTO for an unknown kind or impossible contents: what the card's datasheet says that
 * no record holds, and more than INT64_MAX events lost. A SMILE_KIND_TRACE has no contents yet.
 */
int Monitor_record_decode(const struct smile_record *record, struct Monitor_record *out);

/* ---- recording ----------------------------------------------------------------------------- */

/**
 * Monitor_save() - Write every record taken in from now on to a recording.
 * @path: file to create; an existing one is replaced
 * @command_line: kept in the recording, may be NULL
 *
 * Return: 0; -EBUSY if one is being saved or records were taken in already; -EINVAL if @path is what
 * is being read; -ESPIPE if it is a pipe; -EOPNOTSUPP for merged recordings; as open(2).
 */
int Monitor_save(struct Monitor *mon, const char *path, const char *command_line);

/**
 * Monitor_record_only() - Records go to the recording, and count in Monitor_loss() alone: all other
 * views stay empty. For a recorder whose recording is read later: counting them is most of the work.
 * Records that packets push out of a card in this process ("emu:") are taken in by the call that passes
 * them, unless others wait for Monitor_poll() already; those that are still in it, and whatever went
 * wrong, come with the next Monitor_poll().
 *
 * Return: 0; -EBUSY if records were taken in already.
 */
int Monitor_record_only(struct Monitor *mon);

/**
 * Monitor_ranges_only() - Count ranges within pages for some pages alone. All pages are still counted
 * by node, type and phase; but what tells the words of a page apart takes most of the time and of the
 * memory, for whoever does not ask for it.
 * @page: first page number, address / SMILE_PAGE_BYTES
 * @pages: how many, of any home node; 0: for none
 *
 * Monitor_sections_info(), _read() and _write() of another page are -ENODATA from then on, so are
 * Monitor_structures_info() and Monitor_spans_info(); Monitor_walk_ranges() hands out these pages
 * alone. Thread-safety: as all functions of a Monitor, one thread at a time.
 *
 * Return: 0; -EBUSY if records were taken in already.
 */
int Monitor_ranges_only(struct Monitor *mon, uint64_t page, uint64_t pages);

/**
 * Monitor_nodes_only() - Tell no pages apart: for whoever asks for Monitor_get_packets(),
 * Monitor_get_bytes(), Monitor_phases(), Monitor_static_counts() and Monitor_loss() alone. Time and memory do then not
 * depend on how many pages there are. What tells of pages is -ENODATA from then on: Monitor_walk_*(),
 * Monitor_histogram_info(), Monitor_page_home(), Monitor_sections_*(), Monitor_phase_info(),
 * Monitor_structures_info(), Monitor_spans_info(), Monitor_advice(), Monitor_cycles(),
 * Monitor_difference(). Thread-safety: as all functions of a Monitor, one thread at a time.
 *
 * Return: 0; -EBUSY if records were taken in already.
 */
int Monitor_nodes_only(struct Monitor *mon);

/**
 * struct Monitor_origin - Where a recording comes from.
 * @host: host name
 * @command_line: what was given to Monitor_save()
 * @start_ns: time of day at its beginning, ns since 1970
 * @complete: it was closed: the statistics are those of its end
 *
 * Strings belong to the Monitor.
 */
struct Monitor_origin {
	const char *host;
	const char *command_line;
	uint64_t start_ns;
	int complete;
};

/**
 * Monitor_origin() - Of an open recording; of the first, if several are merged.
 *
 * Return: 0; -EOPNOTSUPP if the source is no recording.
 */
int Monitor_origin(struct Monitor *mon, struct Monitor_origin *origin);

/* ---- statistics ---------------------------------------------------------------------------- */

/**
 * Monitor_statistics() - The card's and driver's counters; none is reset by reading.
 *
 * For merged recordings, the sums, and the latest clock. Return: 0; -ENODATA for a recording that was
 * not closed.
 */
int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics);

/**
 * struct Monitor_loss - The loss account.
 * @accepted: events accepted by the card's filter
 * @delivered: sum of the counts of the records taken in
 * @lost: memory events lost, as told by LOST records
 * @pending: accepted and neither delivered nor lost yet: still in the card
 * @marks_lost: EVENT records lost
 * @static_counted: events counted by the static array
 * @static_delivered: sum of the counts of its records taken in; it loses none
 * @records_written: records of every kind that the card wrote
 * @records: records taken in
 * @sleeps: times the machine slept while counting: nothing was counted meanwhile
 * @resets: times a bus error reset the card: what it had not delivered is lost, uncounted
 * @known: the card's own counters are known (0: a recording that was not closed, or @resets; then
 *         @accepted, @pending, @static_counted and @records_written are 0)
 * @balanced: @known, nothing pending, delivered + lost = accepted, @static_delivered =
 *            @static_counted, and @records = @records_written
 *
 * A sum beyond 64 bits, which only a damaged recording tells, is UINT64_MAX, and never balanced.
 */
struct Monitor_loss {
	uint64_t accepted;
	uint64_t delivered;
	uint64_t lost;
	uint64_t pending;
	uint64_t marks_lost;
	uint64_t static_counted;
	uint64_t static_delivered;
	uint64_t records_written;
	uint64_t records;
	uint64_t sleeps;
	uint64_t resets;
	int known;
	int balanced;
};

/**
 * Monitor_loss() - Nothing is lost silently: the account.
 */
int Monitor_loss(struct Monitor *mon, struct Monitor_loss *loss);

/* ---- histogram ----------------------------------------------------------------------------- */

/**
 * Monitor_nodes() - Nodes seen so far: the highest id in any record, or the card's own, plus one.
 */
int Monitor_nodes(struct Monitor *mon);

/**
 * Monitor_get_packets() - Node x node transfers.
 * @counts: caller-owned, shape [@nodes][@nodes], transactions by [source][destination]
 * @nodes: Monitor_nodes() at least; transfers from or to other nodes are left out
 *
 * Return: nodes seen. Source: [2002a] "run-time show" window; [2002b] "Run-time transfer" window.
 */
int Monitor_get_packets(struct Monitor *mon, uint64_t *counts, size_t nodes);

/**
 * Monitor_payload_bytes() - Bytes of payload that a transaction carries at least, request and response
 * together: those of the smallest B-Link command of its type.
 * @type: SMILE_TYPE_*
 *
 * Return: 16 for a read (readsb is answered with 16 bytes), for a write (writesb brings 16 bytes),
 * and for one of unknown type; 32 for a lock (locksb does both); 0 for an event. Source: defined
 * here, by the table of commands in docs/registers.md.
 */
unsigned int Monitor_payload_bytes(unsigned int type);

/**
 * Monitor_get_bytes() - Node x node transfers in bytes of payload: a lower bound.
 * @bytes: caller-owned, shape [@nodes][@nodes], bytes by [source][destination]; in which of the two
 *         directions they went is not told apart
 * @nodes: Monitor_nodes() at least; transfers from or to other nodes are left out
 *
 * A counter counts transactions, and not how large each was: each counts with
 * Monitor_payload_bytes(). Exact where all are readsb, writesb and locksb, as from `smile run` without
 * caches; less than what went over the link where commands of 64 and 256 bytes were used. Headers are
 * not in it. Return: nodes seen.
 */
int Monitor_get_bytes(struct Monitor *mon, uint64_t *bytes, size_t nodes);

/**
 * struct Monitor_histogram_row - Accesses of one node to one page.
 * @page: page number, address / SMILE_PAGE_BYTES
 * @home: node where the page lies
 * @source: node that accessed it
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @ratio: share of @accesses in the accesses of all nodes to this page, 0 to 1
 *
 * With untyped tags, @accesses counts and the three others are 0.
 */
struct Monitor_histogram_row {
	uint64_t page;
	uint32_t home;
	uint32_t source;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	double ratio;
};

/**
 * Monitor_histogram_info() - Accesses by page.
 * @rows: caller-owned, shape [@capacity]; ascending by page, home and source; may be NULL if
 *        @capacity is 0
 *
 * Return: rows there are, of which min(that, @capacity) were filled in. Source: [2002a] "access
 * histogram" window; [2002b] "Histogram table".
 */
int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows,
			   size_t capacity);

/**
 * Monitor_page_function - Receives the rows of one page of a home node, ascending by source, as
 * Monitor_histogram_info() has them.
 * @rows: shape [@count], the library's, until the function returns
 * @count: at least 1
 *
 * Return: 0 to go on; anything else ends the walk. It must not call anything that takes in records.
 */
typedef int (*Monitor_page_function)(const struct Monitor_histogram_row *rows, size_t count,
				     void *opaque);

/**
 * Monitor_walk_pages() - Hand out the rows of Monitor_histogram_info() page by page, ascending by page
 * and home: so nobody needs memory for all of them.
 *
 * Return: 0; what @each returned, if not 0; -ENOMEM. Source: as Monitor_histogram_info().
 */
int Monitor_walk_pages(struct Monitor *mon, Monitor_page_function each, void *opaque);

/**
 * Monitor_page_home() - Home node of a page.
 *
 * Of a page that no record names, what Monitor_homes() says. Return: node; -ENOENT if neither knows
 * it; -EMLINK if several nodes have a page of this number.
 */
int Monitor_page_home(struct Monitor *mon, uint64_t page);

/**
 * Monitor_sections_info() - Accesses within one page, by section and node.
 * @home: the page's home node
 * @page: the page's number
 * @section_bytes: a power of two from 4 to 4096
 * @counts: caller-owned, shape [SMILE_PAGE_BYTES / @section_bytes][@nodes], accesses
 * @straddling: caller-owned, shape [@nodes], accesses whose range lies in more than one section:
 *              exact in page totals, never guessed at here; may be NULL
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * A range is placed by the smallest aligned power-of-two block that holds it, so a range that
 * crosses a section border always straddles, and one that does not never does.
 *
 * Return: sections; -ENOENT if the page was never accessed; -EINVAL. Source: [2002a] "section"
 * window; [2002b] "Page analysis" window.
 */
int Monitor_sections_info(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_read() - The reads among them. Source: [2002a] "read/write" curves.
 */
int Monitor_sections_read(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes);

/**
 * Monitor_sections_write() - The writes among them. Source: [2002a] "read/write" curves.
 */
int Monitor_sections_write(struct Monitor *mon, unsigned int home, uint64_t page,
			   unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			   size_t nodes);

/* ---- phase --------------------------------------------------------------------------------- */

/**
 * struct Monitor_phase - A program phase: all that was counted up to and including a mark.
 * @event: event id of the mark that ended it; meaningless if @open
 * @open: no mark has ended it yet
 * @end_ns: the card's clock at the mark; 0 if @open
 * @accesses: all accesses of the phase
 */
struct Monitor_phase {
	uint32_t event;
	uint32_t open;
	uint64_t end_ns;
	uint64_t accesses;
};

/**
 * Monitor_phases() - The phases, in order.
 * @phases: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * An open last phase in which nothing was counted is left out. Return: phases there are, of which
 * min(that, @capacity) were filled in.
 */
int Monitor_phases(struct Monitor *mon, struct Monitor_phase *phases, size_t capacity);

/**
 * Monitor_phase_info() - Accesses to one page over the program phases.
 * @counts: caller-owned, shape [@phases][@nodes], accesses by [phase][node]
 * @phases: Monitor_phases() at least; later phases are left out
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * Return: phases there are; -ENOENT if the page was never accessed. Source: [2002a] "phase"
 * diagram.
 */
int Monitor_phase_info(struct Monitor *mon, unsigned int home, uint64_t page, uint64_t *counts,
		       size_t phases, size_t nodes);

/* ---- walk: every count there is ---------------------------------------------------------------- */

/*
 * For views of the whole address space: what Monitor_phase_info() and Monitor_sections_info() tell
 * of one page, here for all pages in one pass.
 */

/**
 * struct Monitor_count - A count, and of what.
 * @page: page number, address / SMILE_PAGE_BYTES
 * @home: node where the page lies
 * @source: node that accessed it
 * @type: SMILE_TYPE_*
 * @phase: phase, as Monitor_phases() numbers them; 0 from Monitor_walk_ranges()
 * @offset: first byte within the page; 0 from Monitor_walk_phases()
 * @bytes: a power of two: SMILE_PAGE_BYTES from Monitor_walk_phases(); from Monitor_walk_ranges()
 *         the smallest aligned block that holds the range that was counted
 * @accesses: how many, never 0
 */
struct Monitor_count {
	uint64_t page;
	uint32_t home;
	uint32_t source;
	uint32_t type;
	uint32_t phase;
	uint32_t offset;
	uint32_t bytes;
	uint64_t accesses;
};

/**
 * Monitor_walk_function - Receives one count. Return: 0 to go on; anything else ends the walk.
 *
 * It must not call anything that takes in records.
 */
typedef int (*Monitor_walk_function)(const struct Monitor_count *count, void *opaque);

/**
 * Monitor_walk_phases() - Hand out accesses by page, home, source, type and phase, in no order, each
 * combination once. Their sums are those of Monitor_histogram_info() and Monitor_phase_info().
 *
 * Return: 0; what @each returned, if not 0.
 */
int Monitor_walk_phases(struct Monitor *mon, Monitor_walk_function each, void *opaque);

/**
 * Monitor_walk_ranges() - Hand out accesses by page, home, source, type and block, in no order, each
 * combination once. A section's accesses are the sum of the blocks within it; blocks larger than a
 * section straddle.
 *
 * Return: 0; what @each returned, if not 0. Source: as Monitor_sections_info().
 */
int Monitor_walk_ranges(struct Monitor *mon, Monitor_walk_function each, void *opaque);

/* ---- program: what was recorded besides what the card counted ---------------------------------- */

/*
 * What a recorder knows of the program is kept in the recording behind its records, and is there
 * from Monitor_open() on: where pages lie, what is where in the address space, what phases are
 * called, the parameters of the run, and what the next sections add: its allocations, its files, and
 * what nodes access of their own memory. It can be added to any Monitor until Monitor_close(), which
 * writes it to the recording being saved, and that of a recording which is read is part of what is
 * saved from it. Merged recordings must not contradict each other: Monitor_attach().
 *
 * If that part of a file is damaged nothing of it is there, and Monitor_poll() says so once all
 * records are read.
 */

/**
 * struct Monitor_home - Pages that lie on one node.
 * @page: number of the first
 * @pages: how many
 * @node: node
 * @reserved: 0
 */
struct Monitor_home {
	uint64_t page;
	uint64_t pages;
	uint32_t node;
	uint32_t reserved;
};

/**
 * Monitor_home_add() - Say where pages lie. In ascending order is fastest.
 *
 * Return: 0, also if that was said before; -EINVAL if a page lies on another node already, or for
 * a page or node that cannot be; -ENOMEM.
 */
int Monitor_home_add(struct Monitor *mon, uint64_t page, uint64_t pages, unsigned int node);

/**
 * Monitor_homes() - Where pages lie, accessed or not.
 * @homes: caller-owned, shape [@capacity]; ascending, neighbours on one node as one; may be NULL if
 *         @capacity is 0
 *
 * Return: runs there are, of which min(that, @capacity) were filled in.
 */
int Monitor_homes(struct Monitor *mon, struct Monitor_home *homes, size_t capacity);

/* What a region of the address space is. */
enum Monitor_region_kind {
	MONITOR_REGION_HEAP, /* what brk(2) gave */
	MONITOR_REGION_GLOBAL, /* writable data of the program or a library */
	MONITOR_REGION_PRIVATE, /* mapped by one process for itself */
	MONITOR_REGION_SHARED, /* mapped MAP_SHARED */
	MONITOR_REGION_NAMED, /* the program gave it a name: smile_alloc() */
	MONITOR_REGION_STACK, /* of a thread */
	MONITOR_REGION_CODE, /* nothing is counted here; it says where an object of the program lies */
};

/**
 * struct Monitor_region - Part of the program's address space.
 * @start: first address
 * @end: one past the last
 * @offset: where it begins in the file @name
 * @bias: what to take from an address to get that in the file's ELF headers and DWARF
 * @kind: enum Monitor_region_kind; later releases may know more
 * @reserved: 0
 * @name: file, or the region's name; "" if it has none. Belongs to the Monitor, and is valid until
 *        Monitor_close()
 *
 * @offset and @bias mean something to MONITOR_REGION_GLOBAL and _CODE alone.
 */
struct Monitor_region {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t bias;
	uint32_t kind;
	uint32_t reserved;
	const char *name;
};

/**
 * Monitor_region_add() - Say what is where. @region and its name are copied.
 *
 * Regions may overlap: memory that is given back can become another region. Return: 0; -EINVAL for
 * addresses that cannot be; -ENOMEM.
 */
int Monitor_region_add(struct Monitor *mon, const struct Monitor_region *region);

/**
 * Monitor_regions() - The regions, in the order in which they came.
 * @regions: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: regions there are, of which min(that, @capacity) were filled in.
 */
int Monitor_regions(struct Monitor *mon, struct Monitor_region *regions, size_t capacity);

/**
 * Monitor_region_find() - What is at an address; of several, the last one.
 *
 * Return: 0; -ENOENT if that is not known; -ENOMEM.
 */
int Monitor_region_find(struct Monitor *mon, uint64_t address, struct Monitor_region *region);

/**
 * Monitor_region_within() - What is at the first address, from @start to before @end, of which
 * anything is known.
 * @address: receives that address
 *
 * Return: 1; 0 if nothing is known of any; -ENOMEM.
 */
int Monitor_region_within(struct Monitor *mon, uint64_t start, uint64_t end,
			  struct Monitor_region *region, uint64_t *address);

/**
 * Monitor_phase_name_add() - Name a phase.
 * @start_ns: the card's clock when it begins; never less than for the one before
 * @name: copied; may be ""
 *
 * Return: 0; -EINVAL, also without a name; -ENOMEM.
 */
int Monitor_phase_name_add(struct Monitor *mon, uint64_t start_ns, const char *name);

/**
 * Monitor_phase_name() - What a phase is called.
 * @phase: as Monitor_phases() numbers them
 *
 * It is the name of the last one that was named at its beginning or before. Return: the name, "" if
 * it has none; valid until Monitor_close().
 */
const char *Monitor_phase_name(struct Monitor *mon, size_t phase);

/**
 * Monitor_parameters_set() - Keep the parameters and results of the run.
 * @json: a JSON object with a key "schema"; `smile run` keeps its smile.run/1. The library does not
 *        look into it
 *
 * Return: 0; -EINVAL if it is NULL; -ENOMEM.
 */
int Monitor_parameters_set(struct Monitor *mon, const char *json);

/**
 * Monitor_parameters() - What Monitor_parameters_set() has set, or the recording holds.
 *
 * Return: the text, NULL if there is none; valid until the next Monitor_parameters_set() or
 * Monitor_attach().
 */
const char *Monitor_parameters(struct Monitor *mon);

/* ---- heap: the program's allocations --------------------------------------------------------- */

/*
 * A recorder that hears of the program's allocations keeps them by the place in the program that
 * asked for them, its site: so many that there are, and exactly. Blocks are kept as well, for
 * addresses to be found, as many as its memory allows: what was not kept is told by site.
 */

#define MONITOR_SITE_CALLERS 4

/**
 * struct Monitor_site - A place in the program that allocates.
 * @callers: return addresses of the call, the innermost first; 0 where there are no more
 * @blocks: blocks that it has allocated
 * @bytes: their bytes; memory that was allocated again counts again
 * @peak_bytes: most bytes that it had at one time, but for those of @lost blocks that were never kept
 * @lost: blocks among @blocks of which no Monitor_block tells
 */
struct Monitor_site {
	uint64_t callers[MONITOR_SITE_CALLERS];
	uint64_t blocks;
	uint64_t bytes;
	uint64_t peak_bytes;
	uint64_t lost;
};

/**
 * struct Monitor_block - A block of the heap, or several of one size and site in a row.
 * @address: first byte of the first
 * @bytes: of each
 * @count: how many
 * @stride: from one to the next, bytes; at least @bytes
 * @uses: allocations that it stands for: more than @count where memory was allocated again
 * @begin_ns: simulated time of the first allocation
 * @end_ns: simulated time at which the last one was freed; UINT64_MAX: never
 * @site: index of its site, as of Monitor_sites()
 * @flags: MONITOR_BLOCK_MERGED: not one block, but memory in which @uses blocks of the site were, side
 *         by side with others, perhaps of other sites, too many to be told one by one
 */
struct Monitor_block {
	uint64_t address;
	uint64_t bytes;
	uint64_t count;
	uint64_t stride;
	uint64_t uses;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t site;
	uint32_t flags;
};

#define MONITOR_BLOCK_MERGED 0x1U

/**
 * Monitor_site_add() - Tell of a site. It is copied.
 *
 * Return: its index, from 0; -EINVAL for an address that cannot be, or @lost above @blocks; -ENOMEM.
 */
int Monitor_site_add(struct Monitor *mon, const struct Monitor_site *site);

/**
 * Monitor_sites() - The sites, in the order in which they came.
 * @sites: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: sites there are, of which min(that, @capacity) were filled in.
 */
int Monitor_sites(struct Monitor *mon, struct Monitor_site *sites, size_t capacity);

/**
 * Monitor_block_add() - Tell of a block. It is copied. Blocks may overlap: memory that was freed can
 * be another's.
 *
 * Return: 0; -EINVAL for addresses that cannot be, or a site that is not there; -ENOMEM.
 */
int Monitor_block_add(struct Monitor *mon, const struct Monitor_block *block);

/**
 * Monitor_blocks() - The blocks, in the order in which they came.
 * @blocks: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: blocks there are, of which min(that, @capacity) were filled in.
 */
int Monitor_blocks(struct Monitor *mon, struct Monitor_block *blocks, size_t capacity);

/* ---- stack frame: the functions that the program's threads were in ------------------------------ */

/*
 * A recorder that counts accesses to the stacks keeps which functions the threads were in, and where
 * their frames lay: those that it heard of. By them Monitor_variables() has what lay on the stacks.
 */

/**
 * struct Monitor_stack_frame - A function that a thread was in, and what lies on its stack.
 * @ip: address in it to which its callee returns; if @sp is 0, its first instruction, and all that is
 *      known is that the thread has entered it
 * @cfa: canonical frame address, as DWARF has it: the stack pointer before the function was called
 * @sp: the stack pointer in it, below @cfa; or 0
 * @bp: register rbp in it; 0 if not known
 * @thread: number of the thread, from 0, in order of creation
 * @flags: 0
 */
struct Monitor_stack_frame {
	uint64_t ip;
	uint64_t cfa;
	uint64_t sp;
	uint64_t bp;
	uint32_t thread;
	uint32_t flags;
};

/**
 * Monitor_stack_frame_add() - Tell of a frame. It is copied. Frames may overlap: stacks are used again.
 *
 * Return: 0; -EINVAL for addresses or flags that cannot be; -ENOSPC for more than 65536; -ENOMEM.
 */
int Monitor_stack_frame_add(struct Monitor *mon, const struct Monitor_stack_frame *frame);

/**
 * Monitor_stack_frames() - The frames, in the order in which they came.
 * @frames: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: frames there are, of which min(that, @capacity) were filled in.
 */
int Monitor_stack_frames(struct Monitor *mon, struct Monitor_stack_frame *frames, size_t capacity);

/* ---- object: the program's files --------------------------------------------------------------- */

/* What is known of the variables of a file of the program. */
enum Monitor_object_state {
	MONITOR_OBJECT_DEBUG, /* all, by its debug information */
	MONITOR_OBJECT_SYMBOLS, /* names and sizes, by its symbol table */
	MONITOR_OBJECT_DYNAMIC, /* only those that other files can use: it was stripped */
	MONITOR_OBJECT_NAMELESS, /* it names none */
	MONITOR_OBJECT_MISSING, /* nothing: the file cannot be read */
	MONITOR_OBJECT_CHANGED, /* nothing: it is not the file that ran */
	MONITOR_OBJECT_DAMAGED, /* nothing: it is no ELF file, or makes no sense */
};

/**
 * struct Monitor_object - A file of the program: itself, or a library.
 * @path: where it was when the program ran. Belongs to the Monitor
 * @build: what it was: "build-id HEX", or "contents HEX" for a file without a build id; "" if that
 *         was not recorded: then nobody can tell whether the file there now is the one that ran.
 *         Belongs to the Monitor
 * @state: enum Monitor_object_state; of no meaning to Monitor_object_add()
 * @variables: of it that have names
 * @message: what is wrong, and the remedy; "" if nothing is. Belongs to the Monitor; of no meaning
 *           to Monitor_object_add()
 */
struct Monitor_object {
	const char *path;
	const char *build;
	uint32_t state;
	uint32_t variables;
	const char *message;
};

#define MONITOR_BUILD_BYTES 80

/**
 * Monitor_object_build() - What tells this build of a file from all others.
 * @path: ELF file
 * @text: caller-owned, MONITOR_BUILD_BYTES long
 *
 * Return: 0; as open(2); -EPROTO if it is no ELF file.
 */
int Monitor_object_build(const char *path, char *text);

/**
 * Monitor_object_add() - Say of which build a file of the program is. @object is copied.
 *
 * Return: 0; -EINVAL without a path; -ENOMEM.
 */
int Monitor_object_add(struct Monitor *mon, const struct Monitor_object *object);

/**
 * Monitor_objects() - The files that regions of kind MONITOR_REGION_GLOBAL are of. Reads them.
 * @objects: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: files there are, of which min(that, @capacity) were filled in; -ENOMEM.
 */
int Monitor_objects(struct Monitor *mon, struct Monitor_object *objects, size_t capacity);

/* ---- variable: data structure and location ------------------------------------------------------ */

/*
 * What lies where in the program's memory, by the names that its source gives it. Names come from
 * the program's own files, which are read when they are first asked for, at the paths where they
 * were when it ran, and only if they are still the same; separate debug files are found as gdb finds
 * them. They are not kept in the recording. What has no name is told by region and offset, and
 * Monitor_objects() says why. Source: [2002b] "Data structure and location" window.
 */

enum Monitor_variable_kind {
	MONITOR_VARIABLE_GLOBAL, /* global, static, member of a class, module variable, COMMON */
	MONITOR_VARIABLE_HEAP, /* all blocks of an allocation site */
	MONITOR_VARIABLE_SEVERAL, /* of several: one after another, or in too many small blocks */
	MONITOR_VARIABLE_NAMED, /* a region with a name: smile_alloc() */
	MONITOR_VARIABLE_ANONYMOUS, /* what is left of a region */
	MONITOR_VARIABLE_STACK, /* of a function's frame, or what is left of that */
};

/**
 * struct Monitor_variable - Something that has a place in the program's memory.
 * @address: its first byte
 * @bytes: in all its pieces
 * @pieces: of contiguous memory; 1 but for what lies on the heap or on stacks, or what is left of a
 *          region
 * @item_bytes: of an array, the part of each value of its slowest index: an item, a row (in Fortran
 *              a column); of blocks of the heap in a row, a block; else 0
 * @blocks: of an allocation site, the blocks that it has allocated; else 0
 * @lost: those among @blocks that are not in its pieces, since the recording does not tell them
 * @kind: enum Monitor_variable_kind
 * @line: of @file; 0: not known
 * @name: "matrix", "sim::cells", "step::count" (a static of a function), "/block/a" (Fortran's
 *        COMMON), "grid.c:42 (make_grid)" (an allocation site), a region's name; on stacks
 *        "main::matrix", "thread 2::worker::own" if several threads have it, "main's frame" for what
 *        of a frame is in no variable, "init::a or solve::b", "init::a or solve's frame" where frames
 *        followed each other
 * @type: as the source would write it, "double [512][512]"; "" if not known
 * @object: path of the file that it is of; "" if of none
 * @file: source file that declares it, or allocates; "" if not known
 *
 * All strings belong to the Monitor, until Monitor_close() or the next call that adds to what is
 * known of the program.
 */
struct Monitor_variable {
	uint64_t address;
	uint64_t bytes;
	uint64_t pieces;
	uint64_t item_bytes;
	uint64_t blocks;
	uint64_t lost;
	uint32_t kind;
	uint32_t line;
	const char *name;
	const char *type;
	const char *object;
	const char *file;
};

/**
 * Monitor_variables() - All of them, ascending by address.
 * @variables: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: variables there are, of which min(that, @capacity) were filled in; -ENOMEM.
 */
int Monitor_variables(struct Monitor *mon, struct Monitor_variable *variables, size_t capacity);

/**
 * struct Monitor_piece - Contiguous memory of a variable.
 * @start: first address
 * @end: one past the last
 * @base: address of the variable, or block, that it is of; not @start only if that begins before it
 * @variable: index, as of Monitor_variables()
 * @reserved: 0
 */
struct Monitor_piece {
	uint64_t start;
	uint64_t end;
	uint64_t base;
	uint32_t variable;
	uint32_t reserved;
};

#define MONITOR_VARIABLES_ALL UINT32_MAX

/**
 * Monitor_pieces() - Where a variable lies.
 * @variable: index; MONITOR_VARIABLES_ALL: the pieces of all
 * @pieces: caller-owned, shape [@capacity]; ascending, without overlaps; may be NULL if @capacity
 *          is 0
 *
 * Return: pieces there are, of which min(that, @capacity) were filled in; -EINVAL; -ENOMEM.
 */
int Monitor_pieces(struct Monitor *mon, uint32_t variable, struct Monitor_piece *pieces,
		   size_t capacity);

#define MONITOR_NAME_BYTES 256

/**
 * struct Monitor_place - What is at an address.
 * @variable: index, as of Monitor_variables()
 * @block: of an allocation site that has several blocks, which of them, from 0; else 0
 * @piece: where the variable, or the block, begins
 * @start: first byte of the element: an item of an array, a member; of the variable if its type is
 *         not known
 * @bytes: of the element
 * @name: "matrix[130][17]", "particles[12].pos.x", "a(17,130)" in Fortran;
 *        "grid.c:42 (make_grid)+24", or, if that has allocated several blocks,
 *        "grid.c:42 (make_grid) block 3 +24"; "heap+0x2000". Its end is left out if it is too long
 * @type: of the element; "" if not known
 */
struct Monitor_place {
	uint32_t variable;
	uint32_t block;
	uint64_t piece;
	uint64_t start;
	uint64_t bytes;
	char name[MONITOR_NAME_BYTES];
	char type[MONITOR_NAME_BYTES];
};

/**
 * Monitor_variable_find() - What is at an address, down to the item of an array and the member of a
 * struct. Of a union, whose members share their memory, no member is chosen; of it, and of all else
 * that is no single number and has no parts with names, the name has the offset: "text+4096".
 *
 * Return: 0; -ENOENT if no variable is there; -ENOMEM.
 */
int Monitor_variable_find(struct Monitor *mon, uint64_t address, struct Monitor_place *place);

enum Monitor_type_kind {
	MONITOR_TYPE_PLAIN, /* a number, a pointer; or nobody knows what it is made of */
	MONITOR_TYPE_ARRAY,
	MONITOR_TYPE_STRUCT, /* struct, class, derived type */
	MONITOR_TYPE_UNION, /* its members share their memory: they are not told */
};

#define MONITOR_TYPE_FORTRAN 0x1U /* (i,j), the first index fastest; members behind % */

/**
 * struct Monitor_type - A type.
 * @bytes: its size; 0: not known
 * @item_bytes: of an array, from one item to the next; else 0
 * @kind: enum Monitor_type_kind; typedefs and qualifiers are looked through
 * @flags: MONITOR_TYPE_*
 * @item: of an array, the type of its items; else 0
 * @reserved: 0
 * @name: as the source would write it; "" if not known. Belongs to the Monitor, as
 *        struct Monitor_variable's
 */
struct Monitor_type {
	uint64_t bytes;
	uint64_t item_bytes;
	uint32_t kind;
	uint32_t flags;
	uint32_t item;
	uint32_t reserved;
	const char *name;
};

/**
 * struct Monitor_type_part - A dimension of an array, or a member of a struct.
 * @name: of a member; "" for a base class, a member without a name, and a dimension
 * @lower: of a dimension, its lowest index
 * @count: of a dimension, its items; 0: not known
 * @offset: of a member, in bytes; 0 for a dimension
 * @bytes: of a member; 0 for a dimension
 * @type: of a member, its type; 0 for a dimension
 * @reserved: 0
 */
struct Monitor_type_part {
	const char *name;
	int64_t lower;
	uint64_t count;
	uint64_t offset;
	uint64_t bytes;
	uint32_t type;
	uint32_t reserved;
};

/**
 * Monitor_variable_type() - The type of a variable, by a number for Monitor_type_info().
 * @variable: index, as of Monitor_variables()
 *
 * Return: the number, from 0; variables of one type may have the same. -ENOENT if the type is not
 * known; -EINVAL; -ENOMEM. Numbers are good as long as the strings of struct Monitor_variable.
 */
int Monitor_variable_type(struct Monitor *mon, uint32_t variable);

/**
 * Monitor_type_info() - What a type is made of: by what Monitor_variable_find() names elements.
 * @type: number, of Monitor_variable_type(), @item or a part's @type
 * @out: receives it
 * @parts: caller-owned, shape [@capacity]; dimensions in the order of the source, or members in that
 *         of the debug information, without those that have no bytes of their own (bit fields,
 *         statics); may be NULL if @capacity is 0
 *
 * Damaged debug information can make a type a part of itself: a reader has to bound its depth. Return:
 * parts there are, of which min(that, @capacity) were filled in; -EINVAL if there is no such type;
 * -ENOMEM.
 */
int Monitor_type_info(struct Monitor *mon, uint32_t type, struct Monitor_type *out,
		      struct Monitor_type_part *parts, size_t capacity);

/**
 * struct Monitor_structure_row - Accesses of one node to the part of a variable that lies on one.
 * @variable: index, as of Monitor_variables(); MONITOR_VARIABLES_ALL: accesses to none of them
 * @home: node where that part lies
 * @source: node that accessed it
 * @reserved: 0
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @locks: locks
 * @straddling: of the ranges that were counted and touch this variable and another, all accesses.
 *              They are in no row's other counts: which variable was meant is not known, and not
 *              guessed. One that touches several is in the row of each; in the row of
 *              MONITOR_VARIABLES_ALL each is once
 *
 * A range that leaves a variable only into less than 64 bytes that nobody has, which is what
 * alignment and the heap's own bookkeeping leave, counts for the variable. All @accesses, and
 * @straddling of the rows of MONITOR_VARIABLES_ALL, are all that Monitor_histogram_info() counts.
 */
struct Monitor_structure_row {
	uint32_t variable;
	uint32_t home;
	uint32_t source;
	uint32_t reserved;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t straddling;
};

/**
 * Monitor_structures_info() - Accesses by variable: the histogram, by what the program calls it.
 * @rows: caller-owned, shape [@capacity]; ascending by variable, home and source; may be NULL if
 *        @capacity is 0
 *
 * Return: rows there are, of which min(that, @capacity) were filled in; -ENOMEM. Source: [2002b]
 * "Data structure and location" window.
 */
int Monitor_structures_info(struct Monitor *mon, struct Monitor_structure_row *rows,
			    size_t capacity);

/**
 * Monitor_spans_info() - The same by parts of the address space that the caller chooses.
 * @bounds: ascending addresses, shape [@spans + 1]; span i is from bounds[i] to bounds[i + 1]
 * @rows: as above; @variable is the span's index, and MONITOR_VARIABLES_ALL what straddles spans.
 *        Accesses to what is outside are in no row
 *
 * Return: rows there are, of which min(that, @capacity) were filled in; -EINVAL if @bounds do not
 * ascend; -ENOMEM.
 */
int Monitor_spans_info(struct Monitor *mon, const uint64_t *bounds, size_t spans,
		       struct Monitor_structure_row *rows, size_t capacity);

/* ---- local: what nodes access of their own memory ---------------------------------------------- */

#define MONITOR_PHASE_UNKNOWN 0xffffffffU /* not told by phase */

/**
 * struct Monitor_local - Accesses of a node to a page of its own memory, which cross no link.
 * @page: page number
 * @phase: as Monitor_phases() numbers them; MONITOR_PHASE_UNKNOWN
 * @node: the page's home, whose accesses they are
 * @reads: reads
 * @writes: writes
 * @locks: locks
 */
struct Monitor_local {
	uint64_t page;
	uint32_t phase;
	uint32_t node;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * Monitor_local_add() - Say what a node has accessed of its own memory, besides what was said before.
 *
 * They are in no view of what cards counted; Monitor_advice() and Monitor_cycles() use them. Return:
 * 0; -EINVAL for a page or node that cannot be; -ENOMEM.
 */
int Monitor_local_add(struct Monitor *mon, const struct Monitor_local *local);

/**
 * Monitor_local_node_add() - Say that all accesses of a node to its own memory are told.
 *
 * Return: 0, also if that was said before; -EINVAL for a node that cannot be; -ENOMEM. Only what is
 * told of such nodes is kept in recordings.
 */
int Monitor_local_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_local_known() - Are all accesses of @node to its own memory told? Return: 1; 0 if not: a
 * card cannot know them.
 */
int Monitor_local_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_locals() - Accesses of nodes to their own memory.
 * @locals: caller-owned, shape [@capacity]; ascending by page, node and phase; may be NULL if
 *          @capacity is 0
 *
 * Return: rows there are, of which min(that, @capacity) were filled in; -ENOMEM.
 */
int Monitor_locals(struct Monitor *mon, struct Monitor_local *locals, size_t capacity);

/* ---- advice: where pages should lie ---------------------------------------------------------- */

/**
 * struct Monitor_weights - What an access costs, in cycles that the processor waits.
 * @local: of any type, to the own node's memory; no more than any of the others
 * @read: to another node's memory
 * @write: to another node's memory
 * @lock: to another node's memory
 */
struct Monitor_weights {
	uint64_t local;
	uint64_t read;
	uint64_t write;
	uint64_t lock;
};

#define MONITOR_ADVICE_SHARED 0x1U /* truly shared: no node has @shared_below of the cost */
#define MONITOR_ADVICE_LOCAL_UNKNOWN 0x2U /* what the home itself accesses is not known: bounds */
#define MONITOR_ADVICE_PARTLY_SEEN 0x4U /* the home's recording is not in the view */

/**
 * struct Monitor_advice - Where a page should lie.
 * @page: page number
 * @home: where it lies
 * @node: where its accesses cost least; of several such nodes @home, if it is one, else the lowest
 * @flags: MONITOR_ADVICE_*
 * @reserved: 0
 * @accesses: of all nodes, local ones included as far as they are known
 * @reads: the reads among them
 * @writes: the writes
 * @locks: the locks
 * @own: accesses of @node among them
 * @cycles: what they cost now
 * @advised_cycles: what they would cost if the page lay on @node; with
 *                  MONITOR_ADVICE_LOCAL_UNKNOWN both leave out the home's own accesses, so that
 *                  @cycles - @advised_cycles is the most that can be gained
 * @share: of @node in what they would cost if the page lay on none of the nodes, 0 to 1
 *
 * Accesses without a type count as reads. Sums beyond 64 bits, which only a damaged recording tells,
 * are UINT64_MAX.
 */
struct Monitor_advice {
	uint64_t page;
	uint32_t home;
	uint32_t node;
	uint32_t flags;
	uint32_t reserved;
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	uint64_t own;
	uint64_t cycles;
	uint64_t advised_cycles;
	double share;
};

/**
 * Monitor_advice() - The node on which each page that was accessed should lie.
 * @weights: what accesses cost
 * @phases: shape [@phase_count], not 0: the phase counts; later phases do not. NULL: all count
 * @phase_count: how many
 * @shared_below: 0 to 1: a page of which no node has so large a share is truly shared; 0.5 is usual
 * @advice: caller-owned, shape [@capacity]; ascending by page and home; may be NULL if @capacity is 0
 *
 * The cost of a page on node n is the sum over all other nodes of reads, writes and locks, each times
 * its weight, and n's own accesses at the local one: blocking reads weigh more than posted writes.
 *
 * Return: pages there are, of which min(that, @capacity) were filled in; -EINVAL for weights that
 * make no sense; -ENOMEM. Source: [2002b] section 4.2.
 */
int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity);

/**
 * Monitor_cycles() - What accesses cost, by phase and node, if pages lay so.
 * @homes: shape [@home_count], ascending, without overlaps; pages in none of them lie where they do.
 *         NULL, 0: all do
 * @cycles: caller-owned, shape [@phases][@nodes], cycles of the accesses of each node
 * @accesses: the same shape, how many; may be NULL
 * @phases: Monitor_phases() at least; later phases are left out. Local accesses whose phase is not
 *          known count in the last one
 * @nodes: Monitor_nodes() at least; accesses of other nodes are left out
 *
 * Local accesses are in it as far as they are known. Return: phases there are; -EINVAL for weights or
 * homes that make no sense.
 */
int Monitor_cycles(struct Monitor *mon, const struct Monitor_weights *weights,
		   const struct Monitor_home *homes, size_t home_count, uint64_t *cycles,
		   uint64_t *accesses, size_t phases, size_t nodes);

/* ---- difference: two views --------------------------------------------------------------------- */

/* The home of a page that a view does not know. */
#define MONITOR_NO_HOME 0xffffffffU

/**
 * struct Monitor_difference - Accesses of one node to one page in two views.
 * @page: page number
 * @source: node that accessed it
 * @reserved: 0
 * @home: where the page lies, in the first view and in the second; MONITOR_NO_HOME
 * @accesses: in the first view, and in the second; so are the others
 * @reads: reads
 * @writes: writes
 * @locks: locks
 */
struct Monitor_difference {
	uint64_t page;
	uint32_t source;
	uint32_t reserved;
	uint32_t home[2];
	uint64_t accesses[2];
	uint64_t reads[2];
	uint64_t writes[2];
	uint64_t locks[2];
};

/**
 * Monitor_difference() - What cards counted, of two programs, runs or placements, side by side.
 * @first: a view
 * @second: another; both are used by this thread alone
 * @rows: caller-owned, shape [@capacity]; ascending by page, homes and source; may be NULL if
 *        @capacity is 0
 *
 * If both views know the homes of pages (Monitor_homes()), a page is the same page wherever it lies,
 * and can have another home in the second view. Else pages of different homes are different pages.
 * Rows are there also where nothing differs. Return: rows there are, of which min(that, @capacity)
 * were filled in; -EINVAL if the two cannot be compared, with a message that tells why: cards of
 * different nodes, addresses of different sizes, accesses with and without types; -ENOMEM.
 */
int Monitor_difference(struct Monitor *first, struct Monitor *second,
		       struct Monitor_difference *rows, size_t capacity);

/* ---- card: what is in this machine ----------------------------------------------------------- */

/**
 * struct Monitor_card - A card on the PCI bus.
 * @address: PCI address, "0000:00:04.0"
 * @driver: name of the driver bound to it, "" if none
 * @device: its device file, "" if it has none
 */
struct Monitor_card {
	char address[32];
	char driver[64];
	char device[64];
};

/**
 * Monitor_card_list() - Cards in this machine, by PCI address.
 * @cards: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: cards there are, of which min(that, @capacity) were filled in; -ENOSYS where there is no
 * PCI bus to ask.
 */
int Monitor_card_list(struct Monitor_card *cards, size_t capacity);

/* ---- capture: B-Link packets with time stamps ------------------------------------------------ */

struct Monitor_capture;

/**
 * Monitor_capture_open() - Open a capture (pcap or pcapng, link type 147) to read.
 * @path: file, or "-" for standard input
 *
 * Return: 0; as open(2); -EPROTO for a file that is no capture, is compressed, or has another link
 * type.
 */
int Monitor_capture_open(struct Monitor_capture **out, const char *path);

/**
 * Monitor_capture_read() - Next frame.
 * @frame: receives a pointer to its bytes, valid until the next call
 * @bytes: receives its length
 * @time_ns: receives its time stamp
 *
 * Return: 1; 0 at the end; -EPROTO if the capture is cut off or damaged here: what was read before
 * is good.
 */
int Monitor_capture_read(struct Monitor_capture *capture, const void **frame, size_t *bytes,
			 uint64_t *time_ns);

/**
 * Monitor_capture_create() - Create a capture: pcap with nanosecond time stamps, link type 147.
 * @path: file to create, or "-" for standard output
 */
int Monitor_capture_create(struct Monitor_capture **out, const char *path);

/**
 * Monitor_capture_write() - Append a frame. Frames gather in memory until there are many.
 */
int Monitor_capture_write(struct Monitor_capture *capture, const void *frame, size_t bytes,
			  uint64_t time_ns);

/**
 * Monitor_capture_flush() - Write out what has gathered: for a pipe or a port with a reader that
 * waits.
 */
int Monitor_capture_flush(struct Monitor_capture *capture);

/**
 * Monitor_capture_close() - Close. Return: 0; -EIO or -ENOSPC if not all could be written.
 */
int Monitor_capture_close(struct Monitor_capture *capture);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_H */
