/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The adapter: functions that one of its files defines and its other files call.
 *
 * What lives here: the functions by which transaction.c, window.c, dma.c, message.c, registers.c
 * and adapter.c call each other. Only these files include this header.
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

/* The result of an attempt to begin a transaction. */
enum begun {
	BEGUN, /* the transaction may begin; transaction_end() must be called afterwards */
	BEGUN_HELD, /* the transaction may not begin yet */
	BEGUN_FAILED, /* the transaction has failed, and the failure was reported */
};

/**
 * transaction_begin() - Begin @count transactions with a page that another node exports.
 * @address: byte offset in the memory of the node
 * @bytes: number of bytes that the transactions access; all of them in one page
 * @held: state of the transactions if they were held back before; updated
 */
enum begun transaction_begin(struct adapter *adapter, uint32_t node, uint64_t address,
			     uint32_t bytes, uint32_t count, struct adapter_held *held);

/**
 * transaction_issue() - Pass the frames of a completed transaction on the B-Links of both nodes.
 * @data: the bytes that were moved. If the transaction lies within a 16-byte block, @data has the
 *        bytes of the whole block
 */
void transaction_issue(struct adapter *adapter, uint32_t node, uint64_t address, uint32_t command,
		       const void *data);

/* End an access to the memory of @node. */
void transaction_end(struct adapter *adapter, uint32_t node);

/* Count a failed transaction, and store the reason of the failure. */
void transaction_fail(struct adapter *adapter, uint32_t node, uint32_t why);

/* Check whether the inbox that this node writes at @peer has room for @count entries. */
bool transaction_room(struct adapter *adapter, struct adapter_peer *peer, uint32_t count);

/*
 * Pass the transactions that have arrived for this node on its B-Link. Return: true if further
 * transactions have arrived.
 */
bool transaction_receive(struct adapter *adapter);

/*
 * Pass all transactions whose effects are already visible in this node's memory, as far as there is
 * room.
 */
void transaction_catch_up(struct adapter *adapter);

/* ---- dma.c ---- */

void dma_command(struct adapter *adapter, uint32_t command);

/* Continue the DMA transfer. Return: true if there is more work to do immediately. */
bool dma_work(struct adapter *adapter);

/* ---- message.c ---- */

void message_send(struct adapter *adapter);

/*
 * Process the entry of a message that has arrived from @sender. Return: false if there is no such
 * message.
 */
bool message_arrive(struct adapter *adapter, uint32_t sender);

/* Get the message to read next, and its sender. Return: NULL if there is no message. */
const struct link_message *message_first(struct adapter *adapter, uint32_t *sender);

void message_next(struct adapter *adapter);

/*
 * Check for unread messages that @sender sent before it left or started again.
 */
bool message_waits(struct adapter *adapter, uint32_t sender);

/* Discard the unread messages of all senders, or of one sender. */
void message_forget(struct adapter *adapter);
void message_forget_sender(struct adapter *adapter, uint32_t sender);

/* ---- adapter.c ---- */

/* Set bits of INT_STATUS, and update the interrupt line. */
void adapter_raise(struct adapter *adapter, uint32_t bits);
void adapter_line(struct adapter *adapter);

/* Check whether @node answers. */
bool adapter_answers(struct adapter *adapter, uint32_t node);

/* If @node rests, ring it. Call this function after something was written for @node. */
void adapter_ring(struct adapter *adapter, uint32_t node);

/* Determine which nodes answer. If this set has changed, set INT_NODE. */
void adapter_look(struct adapter *adapter);

/* Withdraw @count exported pages from @page on, and update STATUS.REVOKING. */
void adapter_withdraw(struct adapter *adapter, uint32_t page, uint32_t count);

/* Check whether an access to a withdrawn page may still be running. */
bool adapter_revoking(struct adapter *adapter);

/* Join or leave the fabric. */
void adapter_enable(struct adapter *adapter, bool enable);

#endif /* EMU_ADAPTER_ADAPTER_INSIDE_H */
