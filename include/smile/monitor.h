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
 * contradicts each other: they are of different runs; -EBUSY if records were read already; -EEXIST if a recording of the same node is in the
 * view; and as Monitor_open().
 */
int Monitor_attach(struct Monitor *mon, const char *source);

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
 * exact, in Monitor_static_counts(), and in no other view. Source: "Design and Implementation Aspects" (2000), section IV.A.
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
 * the card has, and with SMILE_MODE_STATIC if Monitor_static_set() has set a counter. Return: 0, also if running; -EOPNOTSUPP for a recording.
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

/* ---- record -------------------------------------------------------------------------------- */

/**
 * Monitor_poll() - Take in the records that are there, waiting for the first of them.
 * @timeout_ms: how long to wait; 0 not at all, negative without end. A capture is read without
 *              regard to it: one that comes from a pipe makes this wait for its frames.
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
 *
 * Return: 0; -EBUSY if records were taken in already.
 */
int Monitor_record_only(struct Monitor *mon);

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
 * For merged recordings, the sums, and the latest clock. Return: 0; -ENODATA for a recording that was not closed.
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
 * Monitor_page_home() - Home node of a page.
 *
 * Of a page that no record names, what Monitor_homes() says. Return: node; -ENOENT if neither knows
 * it; -EMLINK if several nodes have accessed
 * pages of this number.
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

/* ---- program: what was recorded besides what the card counted ---------------------------------- */

/*
 * What a recorder knows of the program is kept in the recording behind its records, and is there
 * from Monitor_open() on: where pages lie, what is where in the address space, what phases are
 * called, and the parameters of the run. It can be added to any Monitor until Monitor_close(), which
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
 * @name: file, or the region's name; "" if it has none. Belongs to the Monitor
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
 * Return: 0; -ENOENT if that is not known.
 */
int Monitor_region_find(struct Monitor *mon, uint64_t address, struct Monitor_region *region);

/**
 * Monitor_phase_name_add() - Name a phase.
 * @start_ns: the card's clock when it begins; never less than for the one before
 * @name: copied
 *
 * Return: 0; -EINVAL; -ENOMEM.
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
 * Return: 0; -ENOMEM.
 */
int Monitor_parameters_set(struct Monitor *mon, const char *json);

/**
 * Monitor_parameters() - What Monitor_parameters_set() has set, or the recording holds.
 *
 * Return: the text, NULL if there is none; valid until the next Monitor_parameters_set() or
 * Monitor_attach().
 */
const char *Monitor_parameters(struct Monitor *mon);

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

/* ---- capture: B-Link packets with time stamps --------------------------------------------------
 */

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
