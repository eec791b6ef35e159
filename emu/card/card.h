/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card: its interface for the environment.
 *
 * What lives here: the whole state of the card and the calls that drive it. The environment (a QEMU
 * device, the library, a test) owns the memory, calls the card, and is called back when the
 * interrupt line changes, when a record is written to host memory, and when the latency timer
 * starts or stops. The card does no I/O, allocates nothing, and has no clock except the time that
 * it is given. May use include/ and <stdbool.h>, <stddef.h>, <stdint.h>, <string.h>.
 *
 * Not thread-safe: one caller at a time for each card.
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
 * struct card_ops - Functions of the environment that the card calls.
 * @interrupt: the interrupt line has changed to @level; may be NULL
 * @dma_write: write @bytes bytes to bus address @address; return false if the bus has refused the
 *         write, and the card then keeps the record; NULL: the bus always refuses
 * @latency: restart the latency timer: call card_expire() @us microseconds of machine time from
 * 	now, unless this is called again before; 0: stop it; may be NULL
 *
 * The card calls them during the calls below; they must not call the card.
 */
struct card_ops {
	void (*interrupt)(void *opaque, bool level);
	bool (*dma_write)(void *opaque, uint64_t address, const void *data, size_t bytes);
	void (*latency)(void *opaque, uint32_t us);
};

/* The class of a frame for the decoder. Source: 2000 paper, section III. */
enum blink_class {
	BLINK_CLASS_MALFORMED, /* not a frame, or an unknown command */
	BLINK_CLASS_REQUEST,
	BLINK_CLASS_RESPONSE,
	BLINK_CLASS_EVENT, /* event00: a global event */
};

/**
 * struct blink_event - One decoded transaction, as it leaves the decoder.
 * @class: request, response or global event
 * @type: SMILE_TYPE_READ, WRITE or LOCK; a response has the type of its request
 * @transaction: transaction id
 * @source: source node of the packet
 * @target: target node of the packet
 * @address: byte address; a response has the address of its request
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
 * struct blink_slot - A request in the transaction table.
 * @address: byte address
 * @source: the full id of the requester, since only its low six bits choose the slot
 * @type: SMILE_TYPE_*
 * @valid: there is a request without its response so far
 */
struct blink_slot {
	uint64_t address;
	uint16_t source;
	uint8_t type;
	uint8_t valid;
};

/**
 * struct blink_decoder - The transaction tables.
 * @keyed: by source and transaction id: the default table
 * @faithful: by transaction id only, as built in 2000: bits 25-0 page and word, bit 26 read or lock
 */
struct blink_decoder {
	struct blink_slot keyed[BLINK_SLOTS];
	uint32_t faithful[BLINK_TRANSACTIONS];
};

/**
 * struct dynamic_entry - One counter of the range table with its tag.
 * @used: number of the event that last used the entry, for the replacement
 * @page: page number, address / SMILE_PAGE_BYTES
 * @first: first word of the range within the page
 * @last: last word of the range
 * @source: source node
 * @destination: destination node
 * @count: events counted, 1 to SMILE_COUNT_MAX
 * @type: SMILE_TYPE_*, ANY if tags are untyped
 * @response: the events are responses
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
 * struct card_frame - A frame and its time.
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
 * struct dynamic_index - An index for a fast search of the range table.
 * @search: the implementation of the search: see search.h
 * @count: its function for the current configuration; NULL: the plain search is used, or the next
 *         event chooses a search, since the table is empty or was restored; the other members are
 *         not kept up to date then
 * @lane: its function for many packets
 * @valid: bit i: entry i is valid
 * @saturated: bit i: the count of entry i is saturated
 * @how: enum search_how
 * @kinds: all ones if tags are typed, otherwise 0
 * @entries: the number of entries, ENTRIES
 * @range_words: MAX_RANGE in words
 * @reciprocal: factor that replaces the division by @range_words: search_block()
 * @newer: the entry that was used next after entry i, or SMILE_ENTRIES_MAX; at index
 *         SMILE_ENTRIES_MAX: the least recently used one
 * @older: the entry that was used last before entry i, or SMILE_ENTRIES_MAX; at index
 *         SMILE_ENTRIES_MAX: the most recently used one
 * @tag: for entry i, search_tag()
 * @first: for entry i, the first word of its range, if @how needs it
 * @last: for entry i, the last word of its range, if @how needs it
 *
 * All members are derived from the entries and the configuration, so a migration does not contain
 * them (dynamic_restore()).
 */
struct dynamic_index {
	const struct search *search;
	uint32_t (*count)(struct dynamic_array *array, uint64_t address, uint32_t nodes,
			  uint32_t kind);
	size_t (*lane)(struct card *card, const struct card_frame *frames, size_t count);
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
 * @entry: the counters
 * @clock: number of events that the array has seen, for the replacement
 * @occupied: number of valid entries
 * @index: index for a fast search
 */
struct dynamic_array {
	struct dynamic_entry entry[SMILE_ENTRIES_MAX];
	uint64_t clock;
	uint32_t occupied;
	struct dynamic_index index;
};

/**
 * struct static_counter - A counter of the static array.
 * @owed: number of OVERFLOW records that it owes
 * @taken_owed: number of owed records that a swap has taken, and that wait for room
 * @count: events counted, below SMILE_COUNT_MAX
 * @taken: events that a swap has taken, and that wait for room, below SMILE_COUNT_MAX
 * @active: it is counting
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
 * @owing: bit i: counter i owes OVERFLOW records
 * @waiting: bit i: counts that were taken from counter i wait for room
 */
struct static_array {
	struct smile_static tables;
	struct static_counter counter[SMILE_STATIC_COUNTERS];
	uint32_t owing;
	uint32_t waiting;
};

/**
 * struct swap_ring - The dual-ported RAM's three pointers.
 * @ram: SMILE_RING_WORDS little-endian words, owned by the environment
 * @read: next word the host will read
 * @write: first word of the record not yet complete
 * @aux: one past the last word written
 *
 * Pointers count words modulo 2 x SMILE_RING_WORDS. Source: 2000 paper, section V.A.
 */
struct swap_ring {
	uint32_t *ram;
	uint32_t read;
	uint32_t write;
	uint32_t aux;
};

/**
 * struct host_ring - The ring in host memory.
 * @base: bus address
 * @size: number of records, a power of two; 0: no ring
 * @read: next record the host will read
 * @write: next record the card will write
 * @stalled: the bus has refused a record: STATUS.DMA_ERROR
 *
 * Pointers count records modulo 2^32. Source: 1998 paper, section 3.2.
 */
struct host_ring {
	uint64_t base;
	uint32_t size;
	uint32_t read;
	uint32_t write;
	uint32_t stalled;
};

/**
 * struct card_timer - Timer events and TIME records; their periods are in the configuration.
 * @deadline: clock value of the next action, the earlier of the next two, UINT64_MAX if there is
 *         neither; 0: the periods start with the clock's next step
 * @timer_next: next timer event; 0: none
 * @time_next: next TIME record; 0: none
 * @time_ns: the time in a TIME record that waits for room
 * @time_waiting: a TIME record waits for room
 */
struct card_timer {
	uint64_t deadline;
	uint64_t timer_next;
	uint64_t time_next;
	uint64_t time_ns;
	uint32_t time_waiting;
};

/**
 * struct card_mark - A global event on its way to the ring.
 * @time_ns: when it was raised
 * @event: its event id
 * @node: the node that raised it
 * @raised: SMILE_RAISED_*
 * @phase: it marks a phase
 * @valid: there is an event in this structure
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
 * struct card - The whole card.
 * @ops: call-backs
 * @opaque: first argument of these functions
 * @control: register CONTROL
 * @bad_write: STATUS.BAD_WRITE
 * @link: STATUS.LINK
 * @config: the configuration registers, with those of the timer, RING_WATERMARK and RING_LATENCY
 * @int_status: register INT_STATUS
 * @int_enable: register INT_ENABLE
 * @int_level: level of the interrupt line, as last reported
 * @latch: high half of the counter that was read last
 * @count: the 64-bit counters
 * @decoder: transaction tables
 * @dynamic: the range table
 * @statics: the static array
 * @ring: the swap ring in the dual-ported RAM
 * @host_ring: the swap ring in host memory
 * @latency: the latency timer is running
 * @timer: timer events and TIME records
 * @swapping: a Swap_All has started and is not complete
 * @static_later: SWAP_STATIC was commanded while a phase mark waited: it is carried out once the
 *                mark is written
 * @mark: a global event waiting for room, or for Swap_All
 * @lost_unsaid: memory events that were lost, and that no LOST record has reported yet
 * @lost_later: the same, lost during Swap_All: reported after Swap_All
 * @marks_unsaid: EVENT records lost and not yet reported
 * @marks_later: the same, lost during Swap_All
 *
 * A migration contains everything except @ops, @opaque and @ring.ram.
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
	struct blink_decoder decoder;
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
 * @card: owned by the caller, with any contents
 * @ram: SMILE_RING_WORDS words of ring memory, owned by the caller; records are stored in
 *       little-endian order whatever the host's
 * @ops: call-backs, kept by reference
 * @opaque: first argument of @ops
 */
void card_init(struct card *card, uint32_t *ram, const struct card_ops *ops, void *opaque);

/**
 * card_reset() - Bus reset: every register gets its reset value, and all counts are dropped.
 *
 * The state of the B-Link (card_link()) is not part of the card, and stays. A second call has no
 * effect.
 */
void card_reset(struct card *card);

/**
 * card_mmio_read() - The host reads a register.
 * @offset: SMILE_REG_*; a multiple of 4
 *
 * Return: its value; 0 if there is no such register.
 */
uint32_t card_mmio_read(struct card *card, uint32_t offset);

/**
 * card_mmio_write() - The host writes a register.
 *
 * An impossible value is refused: only STATUS.BAD_WRITE is set.
 */
void card_mmio_write(struct card *card, uint32_t offset, uint32_t value);

/**
 * card_blink_packet() - A frame passes on the B-Link.
 * @frame: its bytes: 64-bit little-endian words, BD1 first
 * @bytes: length of @frame; the card reads only its first two words
 *
 * Ignored while the card is disabled.
 */
void card_blink_packet(struct card *card, const void *frame, size_t bytes);

/**
 * card_blink_packets() - Frames pass on the B-Link, each at its time, if the environment can wait.
 *
 * The result is that of card_ready(), card_advance(), card_ready() and card_blink_packet() for each
 * frame, but this call is faster.
 *
 * Return: how many frames have passed: all, or those before the first frame for which room must be
 * made.
 */
size_t card_blink_packets(struct card *card, const struct card_frame *frames, size_t count);

/**
 * card_blink_requests() - Decoded requests pass on the B-Link, if the environment can wait.
 *
 * The result is that of card_blink_packets() with their frames, except that responses are not
 * matched to these requests: the transaction tables do not change. A request of type 0 is a
 * malformed packet.
 * @requests: BLINK_REQUEST_*; shape [@count]
 * @times_ns: when each request passes, in ascending order; shape [@count]
 *
 * Return: see card_blink_packets().
 */
size_t card_blink_requests(struct card *card, const uint64_t *requests, const uint64_t *times_ns,
			   size_t count);

/**
 * card_blink_counted() - A request has passed on the B-Link a number of times, and the environment
 * stores the count.
 *
 * The card's counters change as if each request had passed the filter and its count had been
 * delivered; its arrays do not change. The static array must not count. Ignored while the card is
 * disabled.
 * @request: BLINK_REQUEST_*
 * @event: receives the request as the arrays would store it: @type is ANY if tags are untyped
 *
 * Return: whether the filter accepts it.
 */
bool card_blink_counted(struct card *card, uint64_t request, uint64_t count,
			struct blink_event *event);

/**
 * card_tick() - Give the card the time.
 * @now_ns: the card's clock; it must not go back
 *
 * Every timer event and TIME record that is due until then happens at its time, even if there is no
 * room for it, since the real B-Link does not wait.
 */
void card_tick(struct card *card, uint64_t now_ns);

/**
 * card_advance() - Give the card the time, if the environment can wait.
 *
 * The clock advances only as far as the card can without any loss (card_ready()).
 *
 * Return: true if the card's clock is at @now_ns; false if room must be made first; then call this
 * again.
 */
bool card_advance(struct card *card, uint64_t now_ns);

/**
 * card_deadline() - The latest time of the next call of card_tick() or card_advance().
 *
 * Return: the time of the next timer event or TIME record; just after the clock's time if their
 * periods start with the clock's next step; UINT64_MAX if there is none.
 */
uint64_t card_deadline(const struct card *card);

/**
 * card_expire() - The latency timer has run out (card_ops.latency).
 *
 * The call has no effect if the timer is not running.
 */
void card_expire(struct card *card);

/**
 * card_link() - Tell the card that the B-Link's clock has started or stopped.
 */
void card_link(struct card *card, bool up);

/**
 * card_ready() - Can the card take the next packet without any loss?
 *
 * A source that can wait calls this before each packet: then the records are the same, however
 * slowly the ring is drained. The real B-Link does not wait.
 *
 * Return: true if the card is enabled, nothing waits for room, the ring in use is not full, and the
 * bus has not refused a record.
 */
bool card_ready(const struct card *card);

#endif /* EMU_CARD_CARD_H */
