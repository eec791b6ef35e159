/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: the interface between the model and its environment.
 *
 * What lives here: the complete state of the card, and the functions that drive it. The environment
 * (a QEMU device, the library or a test) owns the memory and calls these functions. The card calls
 * the environment when the interrupt line changes, when it writes a record to host memory, and when
 * the latency timer starts or stops. The card does no I/O and allocates no memory. Its only clock
 * is the time that the environment passes to it. May use include/ and <stdbool.h>, <stddef.h>,
 * <stdint.h>, <string.h>.
 *
 * The functions are not thread-safe: for each card, only one thread may call them at a time.
 */
#ifndef EMU_CARD_CARD_H
#define EMU_CARD_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <hw/smile_regs.h>

struct card;

/**
 * struct card_ops - Functions of the environment, which the card calls.
 * @interrupt: the interrupt line has changed to @level; may be NULL
 * @dma_write: write @bytes bytes to bus address @address. Return false if the bus has rejected the
 *             write; the card then keeps the record. NULL: the bus rejects all writes
 * @latency: restart the latency timer. The environment must call card_expire() @us microseconds of
 *           machine time from now, unless the card calls @latency again before that time. If @us is
 *           0, stop the timer. May be NULL
 *
 * The card calls these functions only from within the functions below. They must not call the card.
 */
struct card_ops {
	void (*interrupt)(void *opaque, bool level);
	bool (*dma_write)(void *opaque, uint64_t address, const void *data, size_t bytes);
	void (*latency)(void *opaque, uint32_t us);
};

/* The class of a frame, as the decoder finds it. Source: 2000 paper, section III. */
enum blink_class {
	BLINK_CLASS_MALFORMED, /* no valid frame, or an unknown command */
	BLINK_CLASS_REQUEST,
	BLINK_CLASS_RESPONSE,
	BLINK_CLASS_EVENT, /* the command event00: a global event */
};

/**
 * struct blink_event - A decoded transaction.
 * @class: request, response or global event
 * @type: SMILE_TYPE_READ, WRITE or LOCK; for a response, the type of its request
 * @transaction: transaction id
 * @source: source node of the packet
 * @target: target node of the packet
 * @address: byte address; for a response, the address of its request
 */
struct blink_event {
	enum blink_class class;
	uint8_t type;
	uint8_t transaction;
	uint16_t source;
	uint16_t target;
	uint64_t address;
};

#define BLINK_SLOTS 4096U /* 64 source nodes x 64 transaction ids */

/**
 * struct transaction_slot - A request in a transaction table.
 * @address: byte address
 * @source: full node id of the requester; its low six bits alone choose the slot
 * @type: SMILE_TYPE_*
 * @valid: the request's response has not passed yet
 */
struct transaction_slot {
	uint64_t address;
	uint16_t source;
	uint8_t type;
	uint8_t valid;
};

/**
 * struct transaction_table - The transaction tables.
 * @keyed: table with the key of source and transaction id, which is the default table
 * @faithful: table that was built in 2000. Its key is only the transaction id. In an entry, bits
 *            25-0 are page and word, and bit 26 is set for reads and locks
 */
struct transaction_table {
	struct transaction_slot keyed[BLINK_SLOTS];
	uint32_t faithful[BLINK_TRANSACTIONS];
};

/**
 * struct dynamic_entry - A counter of the range table, with its tag.
 * @used: number of the event that last used the entry. The entry with the smallest number is the
 *        least recently used one
 * @page: page number, address / SMILE_PAGE_BYTES
 * @first: first word of the counter's range within the page
 * @last: last word of the counter's range
 * @source: source node
 * @destination: destination node
 * @count: number of events counted, 1 to SMILE_COUNT_MAX
 * @type: SMILE_TYPE_*; ANY if tags are untyped
 * @response: the counted events are responses
 * @valid: the entry is in use
 */
struct dynamic_entry {
	uint64_t used;
	uint64_t page;
	uint16_t first;
	uint16_t last;
	uint16_t source;
	uint16_t destination;
	uint16_t count;
	uint8_t type;
	uint8_t response;
	uint8_t valid;
};

struct dynamic_array;
struct search;

/**
 * struct card_frame - A frame, and the time at which it passes.
 * @frame: see card_blink_packet()
 * @bytes: see card_blink_packet()
 * @time_ns: see card_advance()
 */
struct card_frame {
	const void *frame;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * struct dynamic_index - An index that speeds up the search of the range table.
 * @search: the implementation of the search, see search.h
 * @count: the search function for the current configuration; NULL: the index is not in use, and the
 *         other members are not up to date. In this case, if the table is empty or was restored,
 *         the next event chooses a search; otherwise the card uses the plain search
 * @fast_path: the search's function for many packets
 * @valid: bit i is set if entry i is in use
 * @saturated: bit i is set if the count of entry i is saturated
 * @how: enum search_how
 * @kinds: all ones if tags are typed, otherwise 0
 * @entries: number of entries: register ENTRIES
 * @range_words: register MAX_RANGE, in words
 * @reciprocal: factor by which search_block() replaces the division by @range_words
 * @newer: for entry i, the entry that was used next after it, or SMILE_ENTRIES_MAX; at index
 *         SMILE_ENTRIES_MAX, the least recently used entry
 * @older: for entry i, the entry that was used last before it, or SMILE_ENTRIES_MAX; at index
 *         SMILE_ENTRIES_MAX, the most recently used entry
 * @tag: for entry i, the hash of its tag from search_tag()
 * @first: for entry i, the first word of its range; maintained only if @how needs it
 * @last: for entry i, the last word of its range; maintained only if @how needs it
 *
 * All members are derived from the entries and from the configuration. When a virtual machine
 * migrates, the members are not transferred. Instead, dynamic_restore() prepares the card to
 * rebuild them.
 */
struct dynamic_index {
	const struct search *search;
	uint32_t (*count)(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			  uint32_t kind);
	size_t (*fast_path)(struct card *card, const struct card_frame *frames, size_t count);
	uint64_t valid;
	uint64_t saturated;
	uint32_t how;
	uint32_t kinds;
	uint32_t entries;
	uint32_t range_words;
	uint32_t reciprocal;
	uint8_t newer[SMILE_ENTRIES_MAX + 1];
	uint8_t older[SMILE_ENTRIES_MAX + 1];
	uint16_t tag[SMILE_ENTRIES_MAX];
	uint16_t first[SMILE_ENTRIES_MAX];
	uint16_t last[SMILE_ENTRIES_MAX];
};

/**
 * struct dynamic_array - The range table.
 * @entry: the entries
 * @clock: number of events that the array has processed, by which the entries' last uses are
 *         ordered
 * @occupied: number of valid entries
 * @index: index for the search
 */
struct dynamic_array {
	struct dynamic_entry entry[SMILE_ENTRIES_MAX];
	uint64_t clock;
	uint32_t occupied;
	struct dynamic_index index;
};

/**
 * struct static_counter - A counter of the static array.
 * @owed: number of OVERFLOW records that the counter owes: they must still be written
 * @taken_owed: number of owed records that a swap has taken, and that are waiting for room
 * @count: number of events counted, below SMILE_COUNT_MAX
 * @taken: count that a swap has taken, and that is waiting for room; below SMILE_COUNT_MAX
 * @active: the counter is counting
 */
struct static_counter {
	uint64_t owed;
	uint64_t taken_owed;
	uint16_t count;
	uint16_t taken;
	uint8_t active;
};

/**
 * struct static_array - The static array.
 * @tables: page table, event table and counter table
 * @counter: the counters
 * @owing: bit i is set if counter i owes OVERFLOW records
 * @waiting: bit i is set if counts that were taken from counter i are waiting for room
 */
struct static_array {
	struct smile_static tables;
	struct static_counter counter[SMILE_STATIC_COUNTERS];
	uint32_t owing;
	uint32_t waiting;
};

/**
 * struct swap_ring - The ring in the dual-ported RAM, with its three pointers.
 * @ram: SMILE_RING_WORDS little-endian words, owned by the environment
 * @read: next word that the host will read
 * @write: first word of the record that is not complete yet
 * @aux: one past the last word that was written
 *
 * The pointers count words modulo 2 x SMILE_RING_WORDS. Source: 2000 paper, section V.A.
 */
struct swap_ring {
	uint32_t *ram;
	uint32_t read;
	uint32_t write;
	uint32_t aux;
};

/**
 * struct host_ring - The ring in host memory.
 * @base: bus address of the ring
 * @size: size of the ring in records, a power of two; 0: there is no ring
 * @read: next record that the host will read
 * @write: next record that the card will write
 * @stalled: the bus has refused a record: STATUS.DMA_ERROR
 *
 * The pointers count records modulo 2^32. Source: 1998 paper, section 3.2.
 */
struct host_ring {
	uint64_t base;
	uint32_t size;
	uint32_t read;
	uint32_t write;
	uint32_t stalled;
};

/**
 * struct card_timer - The times of timer events and TIME records. Their periods are in the
 * configuration.
 * @deadline: time of the next action, which is the earlier of @timer_next and @time_next;
 *            UINT64_MAX if no action is due; 0 if the periods start with the next step of the clock
 * @timer_next: time of the next timer event; 0: none
 * @time_next: time of the next TIME record; 0: none
 * @time_ns: time in the TIME record that is waiting for room
 * @time_waiting: a TIME record is waiting for room
 */
struct card_timer {
	uint64_t deadline;
	uint64_t timer_next;
	uint64_t time_next;
	uint64_t time_ns;
	uint32_t time_waiting;
};

/**
 * struct card_mark - A global event whose EVENT record is waiting to be written.
 * @time_ns: time at which the event was raised
 * @event: id of the event
 * @node: node that raised the event
 * @raised: how the event was raised: SMILE_RAISED_*
 * @phase: the event marks the end of a phase
 * @valid: this structure contains an event
 */
struct card_mark {
	uint64_t time_ns;
	uint16_t event;
	uint16_t node;
	uint8_t raised;
	uint8_t phase;
	uint8_t valid;
};

/**
 * struct card_counts - The 64-bit counters, in the order of their registers.
 */
struct card_counts {
	uint64_t seen;
	uint64_t malformed;
	uint64_t unmatched;
	uint64_t filtered;
	uint64_t event;
	uint64_t accepted;
	uint64_t lost;
	uint64_t delivered;
	uint64_t marks_lost;
	uint64_t extensions;
	uint64_t records;
	uint64_t clock_ns;
	uint64_t static_counted;
	uint64_t static_delivered;
};

/**
 * struct card - The complete state of the card.
 * @ops: functions of the environment
 * @opaque: first argument of these functions
 * @control: register CONTROL
 * @bad_write: bit STATUS.BAD_WRITE
 * @link: bit STATUS.LINK
 * @config: the configuration registers, including those of the timer, RING_WATERMARK and
 *          RING_LATENCY
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line that was last reported to the environment
 * @latch: high half of the 64-bit counter that was read last
 * @count: the 64-bit counters
 * @transactions: the transaction tables
 * @dynamic: the range table
 * @statics: the static array
 * @ring: the swap ring in the dual-ported RAM
 * @host_ring: the swap ring in host memory
 * @latency: the latency timer is running
 * @timer: times of timer events and TIME records
 * @swapping: a Swap_All has started and is not complete
 * @static_later: software has commanded SWAP_STATIC while a phase mark was waiting. The card
 *                executes the command when it has written the mark
 * @mark: a global event that waits for room, or for the end of a Swap_All
 * @lost_unsaid: number of lost memory events that no LOST record has reported yet
 * @lost_later: the same for events that were lost during a Swap_All; they are reported after it
 * @marks_unsaid: number of lost EVENT records that no LOST record has reported yet
 * @marks_later: the same for EVENT records that were lost during a Swap_All
 *
 * When a virtual machine migrates, all members except @ops, @opaque and @ring.ram are transferred.
 */
struct card {
	const struct card_ops *ops;
	void *opaque;
	uint32_t control;
	uint32_t bad_write;
	uint32_t link;
	struct smile_config config;
	uint32_t int_status;
	uint32_t int_enable;
	uint32_t int_level;
	uint32_t latch;
	struct card_counts count;
	struct transaction_table transactions;
	struct dynamic_array dynamic;
	struct static_array statics;
	struct swap_ring ring;
	struct host_ring host_ring;
	uint32_t latency;
	struct card_timer timer;
	uint32_t swapping;
	uint32_t static_later;
	struct card_mark mark;
	uint64_t lost_unsaid;
	uint64_t lost_later;
	uint64_t marks_unsaid;
	uint64_t marks_later;
};

/**
 * card_init() - Set the card to its state at power-on.
 * @card: memory of the caller, with any contents
 * @ram: ring memory of the caller, SMILE_RING_WORDS words. Records are stored in little-endian
 *       order, independent of the host
 * @ops: functions of the environment; they must exist as long as the card
 * @opaque: first argument of @ops
 */
void card_init(struct card *card, uint32_t *ram, const struct card_ops *ops, void *opaque);

/**
 * card_reset() - Handle a reset by the bus. Every register gets its reset value, and all counts are
 * discarded.
 *
 * The state of the B-Link, which card_link() sets, is not part of the card, and a reset does not
 * change it. A second reset has no further effect.
 */
void card_reset(struct card *card);

/**
 * card_mmio_read() - Read a register for the host.
 * @offset: SMILE_REG_*; a multiple of 4
 *
 * Return: value of the register; 0 if there is no such register.
 */
uint32_t card_mmio_read(struct card *card, uint32_t offset);

/**
 * card_mmio_write() - Write a register for the host.
 *
 * If a register cannot have the value, the card rejects the write and only sets STATUS.BAD_WRITE.
 */
void card_mmio_write(struct card *card, uint32_t offset, uint32_t value);

/**
 * card_blink_packet() - Process a frame that passes on the B-Link.
 * @frame: the frame, as 64-bit little-endian words, BD1 first
 * @bytes: length of @frame; the card reads only its first two words
 *
 * If the card is disabled, it ignores the frame.
 */
void card_blink_packet(struct card *card, const void *frame, size_t bytes);

/**
 * card_blink_packets() - Process several frames that pass on the B-Link, each at its time. This
 * function is for an environment that can wait.
 *
 * The result is the same as that of calling card_ready(), card_advance(), card_ready() and
 * card_blink_packet() for each frame, but this function is faster.
 *
 * Return: the number of frames that were processed: all frames, or the frames before the first one
 *         for which room must be made.
 */
size_t card_blink_packets(struct card *card, const struct card_frame *frames, size_t count);

/**
 * card_blink_requests() - Process decoded requests that pass on the B-Link. This function is for an
 * environment that can wait.
 *
 * The result is the same as that of card_blink_packets() with the frames of these requests, with
 * one exception: the transaction tables do not change, so responses are not matched to these
 * requests. A request of type 0 is a malformed packet.
 * @requests: the requests, composed of BLINK_REQUEST_*; shape [@count]
 * @times_ns: time of each request, in ascending order; shape [@count]
 *
 * Return: see card_blink_packets().
 */
size_t card_blink_requests(struct card *card, const uint64_t *requests, const uint64_t *times_ns,
			   size_t count);

/**
 * card_blink_counted() - Account for a request that has passed on the B-Link @count times, for an
 * environment that stores the count itself.
 *
 * The card's 64-bit counters change as if each request had been seen, had passed the filter, and
 * had been delivered in a record. The arrays do not change. The static array must be disabled. If
 * the card is disabled, it ignores the request.
 * @request: the request, composed of BLINK_REQUEST_*
 * @event: receives the request as the arrays would store it: if tags are untyped, its @type is ANY
 *
 * Return: whether the filter accepts the request.
 */
bool card_blink_counted(struct card *card, uint64_t request, uint64_t count,
			struct blink_event *event);

/**
 * card_tick() - Advance the card's clock, for an environment that cannot wait.
 * @now_ns: the new time; the clock must not go back
 *
 * Every timer event and TIME record that is due until @now_ns happens at its time, even if the ring
 * has no room. The real B-Link does not wait either.
 */
void card_tick(struct card *card, uint64_t now_ns);

/**
 * card_advance() - Advance the card's clock, for an environment that can wait.
 *
 * The clock stops before a timer event or TIME record that would be lost.
 *
 * Return: true if the clock is now at @now_ns; false if the ring has no room. In the latter case,
 *         make room, and call this function again.
 */
bool card_advance(struct card *card, uint64_t now_ns);

/**
 * card_deadline() - Get the time at which card_tick() or card_advance() must be called at the
 * latest.
 *
 * Return: the time of the next timer event or TIME record; a time just after the present one, if
 *         the periods of these events start with the next step of the clock; UINT64_MAX if there
 *         are no periods.
 */
uint64_t card_deadline(const struct card *card);

/**
 * card_expire() - Report that the latency timer (card_ops.latency) has expired.
 *
 * If the timer is not running, this call has no effect.
 */
void card_expire(struct card *card);

/**
 * card_link() - Report that the clock of the B-Link has started or stopped.
 */
void card_link(struct card *card, bool up);

/**
 * card_ready() - Check whether the card can process the next packet without any loss.
 *
 * An environment that can wait calls this function before each packet. The records then do not
 * depend on how slowly the host drains the ring. The real B-Link does not wait.
 *
 * Return: true if the card is enabled, no work is waiting for room, the ring in use is not full,
 *         and the bus has not refused a record.
 */
bool card_ready(const struct card *card);

#endif /* EMU_CARD_CARD_H */
