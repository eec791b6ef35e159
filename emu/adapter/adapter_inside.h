/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The adapter: the calls between its files.
 *
 * What lives here: the calls between transaction.c, window.c, dma.c, message.c, registers.c and
 * adapter.c. Only these files include it.
 */
#ifndef EMU_ADAPTER_ADAPTER_INSIDE_H
#define EMU_ADAPTER_ADAPTER_INSIDE_H

#include <string.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "emu/adapter/adapter.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values and memory share one byte order");

#define BLOCK_BYTES 16U

/* ---- transaction.c ---- */

/* May a transaction begin? */
enum begun {
	BEGUN, /* yes; transaction_end() must follow */
	BEGUN_HELD, /* not yet */
	BEGUN_FAILED, /* never: the failure was reported */
};

/**
 * transaction_begin() - Begin @count transactions to pages of a node that exports them.
 * @address: byte offset in the node's memory
 * @bytes: their number of bytes from there; within one page
 * @held: its state, if it has been held back before
 */
enum begun transaction_begin(struct adapter *adapter, uint32_t node, uint64_t address,
			     uint32_t bytes, uint32_t count, struct adapter_held *held);

/**
 * transaction_issue() - Send a completed transaction on both B-Links.
 * @data: the bytes that it moved; for a transaction within a 16-byte block, from the start of the
 *         block
 */
void transaction_issue(struct adapter *adapter, uint32_t node, uint64_t address, uint32_t command,
		       const void *data);

/* End the access to the node's memory. */
void transaction_end(struct adapter *adapter, uint32_t node);

/* Handle a failed transaction: count it, and record the reason. */
void transaction_fail(struct adapter *adapter, uint32_t node, uint32_t why);

/* Is there room for @count entries in this node's inbox at @peer? */
bool transaction_room(struct adapter *adapter, struct adapter_peer *peer, uint32_t count);

/* Pass some of the transactions that have arrived on this B-Link. Return: true if there are more.
 */
bool transaction_receive(struct adapter *adapter);

/* Pass all transactions whose effect is visible in this node's memory, as far as there is room. */
void transaction_catch_up(struct adapter *adapter);

/* ---- dma.c ---- */

void dma_command(struct adapter *adapter, uint32_t command);

/* Return: true if there is more work to do immediately. */
bool dma_work(struct adapter *adapter);

/* ---- message.c ---- */

void message_send(struct adapter *adapter);

/*
 * Handle an entry for a message that has arrived from @sender. Return: false: there is no such
 * message.
 */
bool message_arrive(struct adapter *adapter, uint32_t sender);

/* Get the next message to read, and its sender; NULL: there is none. */
const struct link_message *message_first(struct adapter *adapter, uint32_t *sender);

void message_next(struct adapter *adapter);

/* Has @sender sent messages before it started again or left, which the driver has not read? */
bool message_waits(struct adapter *adapter, uint32_t sender);

/* Drop unread messages of all senders, or of one. */
void message_forget(struct adapter *adapter);
void message_forget_sender(struct adapter *adapter, uint32_t sender);

/* ---- adapter.c ---- */

/* Set bits of INT_STATUS, and update the interrupt line. */
void adapter_raise(struct adapter *adapter, uint32_t bits);
void adapter_line(struct adapter *adapter);

/* Does @node answer? */
bool adapter_answers(struct adapter *adapter, uint32_t node);

/* Ring @node if it rests, after something was written for it. */
void adapter_ring(struct adapter *adapter, uint32_t node);

/* Check which nodes answer; set INT_NODE if this has changed. */
void adapter_look(struct adapter *adapter);

/* Withdraw @count pages from @page on, and update STATUS.REVOKING. */
void adapter_withdraw(struct adapter *adapter, uint32_t page, uint32_t count);

/* Can an access to a withdrawn page still be running? */
bool adapter_revoking(struct adapter *adapter);

/* Join the fabric, or leave it. */
void adapter_enable(struct adapter *adapter, bool enable);

#endif /* EMU_ADAPTER_ADAPTER_INSIDE_H */
