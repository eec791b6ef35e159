/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The link between adapters: the memory that two adapters share.
 *
 * What lives here: the layout of a node's region, and the queue of transactions from one node to
 * another. A region belongs to one node, its owner. The region has an inbox for each other node.
 * The other node writes transactions for the owner into this inbox, and reads the owner's table of
 * exported pages. The environment provides the memory of regions. May use <hw/adapter_regs.h> and
 * C11's atomics.
 *
 *	sender                                  owner
 *
 *	read head (acquire)                     read tail (acquire)
 *	write entry[tail]                       read entry[head]
 *	write tail (release)                    write head (release)
 *
 * Each sender has an epoch in its inbox. Before a sender accesses the owner's memory, it makes its
 * epoch odd, and then reads the table of exported pages. After the access, it makes its epoch even.
 * When the owner withdraws a page, it writes the table, and then reads the epochs. An access may
 * have seen the old table if its epoch is odd. The access has ended when the epoch has changed.
 */
#ifndef EMU_ADAPTER_LINK_H
#define EMU_ADAPTER_LINK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/adapter_regs.h>

#define LINK_MAGIC 0x4b4e494c694d53ULL /* "SMiLINK" */
#define LINK_VERSION 3U
#define LINK_INCOMING_MIN 2U /* an access that crosses a 16-byte block needs two transactions */
#define LINK_INCOMING_MAX 65536U
#define LINK_PAGES_MAX ADAPTER_PAGES_MAX

/**
 * struct link_entry - A transaction for the owner of the region, 64 bytes.
 * @time_ns: time at which the transaction was issued
 * @address: byte offset in the owner's memory, or LINK_MESSAGE for a message
 * @command: BLINK_*
 * @transaction: transaction id
 * @data: the 16-byte block that was written or read; not used for larger blocks
 */
struct link_entry {
	uint64_t time_ns;
	uint64_t address;
	uint32_t command;
	uint32_t transaction;
	uint64_t data[2];
	uint64_t unused[3];
};

/*
 * The address of messages. On the B-Link, this address lies in the last 64 KB of the node's 4 GB.
 */
#define LINK_MESSAGE 0xffff0000ULL

/**
 * struct link_message - A message whose receiver has not finished reading it.
 * @bytes: length of @data
 * @incarnation: value of @enabled in the sender's region when the message was sent
 * @data: contents of the message
 */
struct link_message {
	uint32_t bytes;
	uint32_t incarnation;
	uint32_t unused[2];
	uint8_t data[ADAPTER_MESSAGE_BYTES];
};

/**
 * struct link_inbox - Entries and messages from one sender to the owner of the region.
 * @tail: number of entries that were written; set by the sender
 * @epoch: if it is odd, the sender is accessing the owner's memory; set by the sender
 * @message_tail: number of messages that were written; set by the sender
 * @head: number of entries that were taken; set by the owner
 * @message_head: number of messages that were taken; set by the owner
 * @message: slots for messages; message n is in slot n % ADAPTER_MESSAGES
 *
 * All four counts are free-running. The members that the sender writes are in a separate cache
 * line.
 */
struct link_inbox {
	_Alignas(64) _Atomic uint32_t tail;
	_Atomic uint32_t epoch;
	_Atomic uint32_t message_tail;
	_Alignas(64) _Atomic uint32_t head;
	_Atomic uint32_t message_head;
	_Alignas(64) struct link_message message[ADAPTER_MESSAGES];
};

/**
 * struct link_region - The data that a node shares, in addition to its memory.
 * @magic: LINK_MAGIC
 * @version: LINK_VERSION
 * @node: id of the owner
 * @memory_pages: number of pages of the owner's memory, a power of two
 * @incoming: number of entries of each inbox, a power of two
 * @enabled: 0 if the owner does not take part in the fabric; otherwise the number of times that it
 *           has joined, which is never 0; set by the owner
 * @resting: the owner will not read its inboxes until another node rings it; set by the owner, and
 *           cleared by the sender that rings
 * @looks: number of times that the owner has read its inboxes, modulo 2^32; set by the owner
 * @inbox: an inbox for each sender
 *
 * The table of exported pages follows, with one byte for each page, and then the entries of the
 * inboxes.
 */
struct link_region {
	uint64_t magic;
	uint32_t version;
	uint32_t node;
	uint32_t memory_pages;
	uint32_t incoming;
	_Atomic uint32_t enabled;
	_Atomic uint32_t resting;
	_Atomic uint32_t looks;
	struct link_inbox inbox[ADAPTER_NODES];
};

/**
 * link_bytes() - Compute the size of a region in bytes.
 *
 * Return: the size; 0 if a region with these numbers is not possible.
 */
size_t link_bytes(uint32_t memory_pages, uint32_t incoming);

/**
 * link_init() - Initialise a region. Its memory must be all zeros.
 */
void link_init(struct link_region *region, uint32_t node, uint32_t memory_pages, uint32_t incoming);

/* Get the table of exported pages; shape [memory_pages]. */
static inline _Atomic uint8_t *link_exports(struct link_region *region)
{
	return (_Atomic uint8_t *)(region + 1);
}

/*
 * Get the entries of @sender's inbox; shape [@incoming]. @memory_pages and @incoming must be those
 * that were passed to link_init().
 */
static inline struct link_entry *link_entries(struct link_region *region, uint32_t memory_pages,
					      uint32_t incoming, uint32_t sender)
{
	uint8_t *first = (uint8_t *)(region + 1) + (memory_pages + 63U) / 64U * 64U;

	return (struct link_entry *)first + (size_t)sender * incoming;
}

#endif /* EMU_ADAPTER_LINK_H */
