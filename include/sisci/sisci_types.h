/* SPDX-License-Identifier: MIT */
/*
 * SISCI: handles, states and callbacks.
 *
 * What lives here: the types of both versions of the API in one header. Where the two versions
 * differ, the header has the types of the second version.
 */
#ifndef SISCI_TYPES_H
#define SISCI_TYPES_H

#include <stddef.h>

#include "dis_types.h"
#include "sisci_error.h"

#define IN
#define OUT
#define IN_OUT

typedef struct sci_desc *sci_desc_t;
typedef struct sci_local_segment *sci_local_segment_t;
typedef struct sci_remote_segment *sci_remote_segment_t;
typedef struct sci_map *sci_map_t;
typedef struct sci_sequence *sci_sequence_t;
typedef struct sci_dma_queue *sci_dma_queue_t;
typedef struct sci_local_interrupt *sci_local_interrupt_t;
typedef struct sci_remote_interrupt *sci_remote_interrupt_t;
typedef struct sci_local_data_interrupt *sci_local_data_interrupt_t;
typedef struct sci_remote_data_interrupt *sci_remote_data_interrupt_t;
typedef struct sci_block_transfer *sci_block_transfer_t;
typedef struct sci_dma_channel *sci_dma_channel_t;

typedef unsigned long long sci_ioaddr_t;

typedef struct {
	unsigned short nodeId;
	unsigned short offsHi;
	unsigned int offsLo;
} sci_address_t;

typedef enum {
	SCI_CB_CONNECT = 1,
	SCI_CB_DISCONNECT,
	SCI_CB_NOT_OPERATIONAL,
	SCI_CB_OPERATIONAL,
	SCI_CB_LOST
} sci_segment_cb_reason_t;

typedef enum {
	SCI_SEQ_OK = 0,
	SCI_SEQ_RETRIABLE,
	SCI_SEQ_NOT_RETRIABLE,
	SCI_SEQ_PENDING
} sci_sequence_status_t;

typedef enum {
	SCI_DMAQUEUE_IDLE = 0,
	SCI_DMAQUEUE_GATHER,
	SCI_DMAQUEUE_POSTED,
	SCI_DMAQUEUE_DONE,
	SCI_DMAQUEUE_ABORTED,
	SCI_DMAQUEUE_ERROR
} sci_dma_queue_state_t;

typedef enum {
	SCI_DMA_TYPE_DONTCARE = 0,
	SCI_DMA_TYPE_ADAPTER,
	SCI_DMA_TYPE_GLOBAL,
	SCI_DMA_TYPE_SYSTEM
} sci_dma_type_t;

typedef enum { SCI_CALLBACK_CANCEL = 1, SCI_CALLBACK_CONTINUE } sci_callback_action_t;

#define SCI_INFINITE_TIMEOUT 0xffffffffU
#define SCI_LOCAL_HOST 0U

typedef sci_callback_action_t (*sci_cb_local_segment_t)(void *arg, sci_local_segment_t segment,
							sci_segment_cb_reason_t reason,
							unsigned int nodeId,
							unsigned int localAdapterNo,
							sci_error_t error);
typedef sci_callback_action_t (*sci_cb_remote_segment_t)(void *arg, sci_remote_segment_t segment,
							 sci_segment_cb_reason_t reason,
							 sci_error_t error);
typedef sci_callback_action_t (*sci_cb_dma_t)(void *arg, sci_dma_queue_t queue, sci_error_t error);
typedef sci_callback_action_t (*sci_cb_interrupt_t)(void *arg, sci_local_interrupt_t interrupt,
						    sci_error_t error);
typedef sci_callback_action_t (*sci_cb_data_interrupt_t)(void *arg,
							 sci_local_data_interrupt_t interrupt,
							 void *data, unsigned int length,
							 sci_error_t error);
typedef int (*sci_cb_block_transfer_t)(void *arg, sci_block_transfer_t block, sci_error_t error);

#endif /* SISCI_TYPES_H */
