/* SPDX-License-Identifier: MIT */
/*
 * SISCI: shared memory, interrupts and DMA between the nodes of an SCI cluster.
 *
 * What lives here: those calls of Dolphin's SISCI API that libsisci provides. Programs for either
 * version of the API can be compiled with this header, in C or C++. docs/sisci.md describes how
 * libsisci implements each call, and which calls fail with SCI_ERR_NOT_IMPLEMENTED. Every call that
 * has the argument error writes to *error, even if it succeeds. All calls are thread-safe.
 */
#ifndef SISCI_API_H
#define SISCI_API_H

#include "sisci_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- flags: the meaning of a bit depends on the call ---- */

#define SCI_FLAG_USE_CALLBACK 0x1U
#define SCI_FLAG_THREAD_SAFE 0x2U

#define SCI_FLAG_EMPTY 0x10U
#define SCI_FLAG_PRIVATE 0x20U
#define SCI_FLAG_AUTO_ID 0x40U
#define SCI_FLAG_BROADCAST 0x80U
#define SCI_FLAG_ALLOW_UNICAST 0x100U
#define SCI_FLAG_DMA_GLOBAL 0x200U
#define SCI_FLAG_DMA_SOURCE_ONLY 0x400U
#define SCI_FLAG_NOTIFY 0x10U
#define SCI_FLAG_FORCE_DISCONNECT 0x20U
#define SCI_FLAG_ASYNCHRONOUS_CONNECT 0x10U
#define SCI_FLAG_LOCK_USER_MEM 0x10U

#define SCI_FLAG_FIXED_MAP_ADDR 0x10U
#define SCI_FLAG_READONLY_MAP 0x20U
#define SCI_FLAG_IO_MAP_IOSPACE 0x40U
#define SCI_FLAG_LOCK_OPERATION 0x100U
#define SCI_FLAG_NO_MEMORY_LOOPBACK_MAP 0x200U
#define SCI_FLAG_READ_PREFETCH_AGGR_HOLD_MAP 0x400U
#define SCI_FLAG_READ_PREFETCH_NO_HOLD_MAP 0x800U
#define SCI_FLAG_DMOVE_MAP 0x1000U
#define SCI_FLAG_WRITES_DISABLE_GATHER_MAP 0x2000U
#define SCI_FLAG_DISABLE_128_BYTES_PACKETS 0x4000U
#define SCI_FLAG_WRITE_BACK_CACHE_MAP 0x8000U
#define SCI_FLAG_CONDITIONAL_INTERRUPT_MAP 0x10000U
#define SCI_FLAG_UNCONDITIONAL_DATA_INTERRUPT_MAP 0x20000U
#define SCI_FLAG_CACHE_FLUSH 0x10U
#define SCI_FLAG_CACHE_INVALIDATE 0x20U

#define SCI_FLAG_FAST_BARRIER 0x10U
#define SCI_FLAG_NO_FLUSH 0x10U
#define SCI_FLAG_NO_STORE_BARRIER 0x20U
#define SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY 0x10U
#define SCI_FLAG_BLOCK_READ 0x10U
#define SCI_FLAG_ERROR_CHECK 0x20U

#define SCI_FLAG_DMA_READ 0x10U
#define SCI_FLAG_DMA_POST 0x20U
#define SCI_FLAG_DMA_WAIT 0x40U
#define SCI_FLAG_DMA_RESET 0x80U
#define SCI_FLAG_DMA_SYSDMA 0x400U
#define SCI_FLAG_DMA_ADAPTER 0x800U

#define SCI_FLAG_FIXED_INTNO 0x10U
#define SCI_FLAG_SHARED_INT 0x20U
#define SCI_FLAG_COUNTING_INT 0x40U

/* ---- queries ---- */

#define SCI_Q_ADAPTER 1U
#define SCI_Q_SYSTEM 2U
#define SCI_Q_LOCAL_SEGMENT 3U
#define SCI_Q_REMOTE_SEGMENT 4U
#define SCI_Q_MAP 5U
#define SCI_Q_DMA 6U
#define SCI_Q_VENDORID 7U
#define SCI_Q_API 8U

#define SCI_Q_ADAPTER_SERIAL_NUMBER 1U
#define SCI_Q_ADAPTER_CARD_TYPE 2U
#define SCI_Q_ADAPTER_NODEID 3U
#define SCI_Q_ADAPTER_CONFIGURED 4U
#define SCI_Q_ADAPTER_LINK_OPERATIONAL 5U
#define SCI_Q_ADAPTER_DMA_MTU 6U
#define SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT 7U
#define SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT 8U
#define SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE 9U
#define SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE 10U
#define SCI_Q_ADAPTER_NUMBER_OF_STREAMS 11U
#define SCI_Q_ADAPTER_NUMBER_OF_LINKS 12U
#define SCI_Q_ADAPTER_BDF 13U
#define SCI_Q_ADAPTER_LINK_WIDTH 14U
#define SCI_Q_ADAPTER_LINK_SPEED 15U
#define SCI_Q_ADAPTER_LINK_UPTIME 16U
#define SCI_Q_LOCAL_SEGMENT_IOADDR 1U
#define SCI_Q_REMOTE_SEGMENT_IOADDR 1U
#define SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET 1U
#define SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE 1U
#define SCI_Q_DMA_AVAILABLE 1U
#define SCI_Q_DMA_CAPABILITIES 2U

typedef struct {
	char *str;
	unsigned int length;
} sci_query_string_t;

typedef struct {
	unsigned int localAdapterNo;
	unsigned int portNo;
	unsigned int subcommand;
	void *data;
} sci_query_adapter_t;

typedef struct {
	unsigned int subcommand;
	void *data;
} sci_query_system_t;

typedef struct {
	sci_local_segment_t segment;
	unsigned int subcommand;
	union {
		sci_ioaddr_t ioaddr;
	} data;
} sci_query_local_segment_t;

typedef struct {
	sci_remote_segment_t segment;
	unsigned int subcommand;
	union {
		sci_ioaddr_t ioaddr;
	} data;
} sci_query_remote_segment_t;

typedef struct {
	sci_map_t map;
	unsigned int subcommand;
	unsigned long long data;
} sci_query_map_t;

typedef struct {
	unsigned int localAdapterNo;
	unsigned int subcommand;
	void *data;
} sci_query_dma_t;

/*
 * A list of all calls. Each row has the result, the name and the arguments of a call. To use the
 * list, expand it with a macro of three arguments, as the declarations below do. For each row, the
 * build also creates the two prefixed names under which the original libraries export the call.
 */
/* clang-format off */
#define SISCI_CALLS(CALL) \
CALL(void, SCIInitialize, (unsigned int flags, sci_error_t *error)) \
CALL(void, SCITerminate, (void)) \
CALL(void, SCIOpen, (sci_desc_t *sd, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIClose, (sci_desc_t sd, unsigned int flags, sci_error_t *error)) \
CALL(int, SCIProbeNode, (sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIGetLocalNodeId, (unsigned int localAdapterNo, unsigned int *nodeId, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIGetNodeIdByAdapterName, (char *name, dis_nodeId_list_t *nodeIds, \
	dis_virt_adapter_t *type, unsigned int flags, sci_error_t *error)) \
CALL(const char *, SCIGetErrorString, (sci_error_t error)) \
CALL(void, SCIQuery, (unsigned int command, void *data, unsigned int flags, sci_error_t *error)) \
CALL(void, SCICreateSegment, (sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId, \
	size_t size, sci_cb_local_segment_t callback, void *arg, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIPrepareSegment, (sci_local_segment_t segment, unsigned int localAdapterNo, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCISetSegmentAvailable, (sci_local_segment_t segment, unsigned int localAdapterNo, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCISetSegmentUnavailable, (sci_local_segment_t segment, unsigned int localAdapterNo, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRemoveSegment, (sci_local_segment_t segment, unsigned int flags, \
	sci_error_t *error)) \
CALL(void *, SCIMapLocalSegment, (sci_local_segment_t segment, sci_map_t *map, size_t offset, \
	size_t size, void *addr, unsigned int flags, sci_error_t *error)) \
CALL(size_t, SCIGetLocalSegmentSize, (sci_local_segment_t segment)) \
CALL(unsigned int, SCIGetLocalSegmentId, (sci_local_segment_t segment)) \
CALL(sci_segment_cb_reason_t, SCIWaitForLocalSegmentEvent, (sci_local_segment_t segment, \
	unsigned int *nodeId, unsigned int *localAdapterNo, unsigned int timeout, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIShareSegment, (sci_local_segment_t segment, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIAttachLocalSegment, (sci_desc_t sd, sci_local_segment_t *segment, \
	unsigned int segmentId, size_t *size, sci_cb_local_segment_t callback, void *arg, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRegisterSegmentMemory, (void *address, size_t size, sci_local_segment_t segment, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIConnectSegment, (sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId, \
	unsigned int segmentId, unsigned int localAdapterNo, sci_cb_remote_segment_t callback, \
	void *arg, unsigned int timeout, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIDisconnectSegment, (sci_remote_segment_t segment, unsigned int flags, \
	sci_error_t *error)) \
CALL(size_t, SCIGetRemoteSegmentSize, (sci_remote_segment_t segment)) \
CALL(unsigned int, SCIGetRemoteSegmentId, (sci_remote_segment_t segment)) \
CALL(unsigned int, SCIGetRemoteSegmentNodeId, (sci_remote_segment_t segment)) \
CALL(sci_segment_cb_reason_t, SCIWaitForRemoteSegmentEvent, (sci_remote_segment_t segment, \
	sci_error_t *status, unsigned int timeout, unsigned int flags, sci_error_t *error)) \
CALL(volatile void *, SCIMapRemoteSegment, (sci_remote_segment_t segment, sci_map_t *map, \
	size_t offset, size_t size, void *addr, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIUnmapSegment, (sci_map_t map, unsigned int flags, sci_error_t *error)) \
CALL(volatile void *, SCIGetMapPointer, (sci_map_t map)) \
CALL(void, SCICacheSync, (sci_map_t map, void *address, size_t size, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCICreateMapSequence, (sci_map_t map, sci_sequence_t *sequence, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIRemoveSequence, (sci_sequence_t sequence, unsigned int flags, sci_error_t *error)) \
CALL(sci_sequence_status_t, SCIStartSequence, (sci_sequence_t sequence, unsigned int flags, \
	sci_error_t *error)) \
CALL(sci_sequence_status_t, SCICheckSequence, (sci_sequence_t sequence, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIFlush, (sci_sequence_t sequence, unsigned int flags)) \
CALL(void, SCIStoreBarrier, (sci_sequence_t sequence, unsigned int flags)) \
CALL(void, SCIFlushReadBuffers, (sci_sequence_t sequence)) \
CALL(void, SCIMemCpy, (sci_sequence_t sequence, void *memory, sci_map_t map, size_t offset, \
	size_t size, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIMemCopy, (void *memory, sci_map_t map, size_t offset, size_t size, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIMemWrite, (void *memory, volatile void *remote, size_t size, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCITransferBlock, (sci_map_t source, unsigned int sourceOffset, sci_map_t destination, \
	unsigned int destinationOffset, unsigned int size, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCICreateDMAQueue, (sci_desc_t sd, sci_dma_queue_t *queue, unsigned int localAdapterNo, \
	unsigned int maxEntries, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRemoveDMAQueue, (sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)) \
CALL(sci_dma_queue_state_t, SCIEnqueueDMATransfer, (sci_dma_queue_t queue, \
	sci_local_segment_t local, sci_remote_segment_t remote, unsigned int localOffset, \
	unsigned int remoteOffset, unsigned int size, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIPostDMAQueue, (sci_dma_queue_t queue, sci_cb_dma_t callback, void *arg, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIResetDMAQueue, (sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)) \
CALL(sci_dma_queue_state_t, SCIDMAQueueState, (sci_dma_queue_t queue)) \
CALL(sci_dma_queue_state_t, SCIWaitForDMAQueue, (sci_dma_queue_t queue, unsigned int timeout, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIAbortDMAQueue, (sci_dma_queue_t queue, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIStartDmaTransfer, (sci_dma_queue_t queue, sci_local_segment_t local, \
	sci_remote_segment_t remote, size_t localOffset, size_t size, size_t remoteOffset, \
	sci_cb_dma_t callback, void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIStartDmaTransferVec, (sci_dma_queue_t queue, sci_local_segment_t local, \
	sci_remote_segment_t remote, size_t count, dis_dma_vec_t *vector, sci_cb_dma_t callback, \
	void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCICreateInterrupt, (sci_desc_t sd, sci_local_interrupt_t *interrupt, \
	unsigned int localAdapterNo, unsigned int *number, sci_cb_interrupt_t callback, \
	void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRemoveInterrupt, (sci_local_interrupt_t interrupt, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIWaitForInterrupt, (sci_local_interrupt_t interrupt, unsigned int timeout, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIConnectInterrupt, (sci_desc_t sd, sci_remote_interrupt_t *interrupt, \
	unsigned int nodeId, unsigned int localAdapterNo, unsigned int number, \
	unsigned int timeout, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIDisconnectInterrupt, (sci_remote_interrupt_t interrupt, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCITriggerInterrupt, (sci_remote_interrupt_t interrupt, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCICreateDataInterrupt, (sci_desc_t sd, sci_local_data_interrupt_t *interrupt, \
	unsigned int localAdapterNo, unsigned int *number, sci_cb_data_interrupt_t callback, \
	void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRemoveDataInterrupt, (sci_local_data_interrupt_t interrupt, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIWaitForDataInterrupt, (sci_local_data_interrupt_t interrupt, void *data, \
	unsigned int *length, unsigned int timeout, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIConnectDataInterrupt, (sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, \
	unsigned int nodeId, unsigned int localAdapterNo, unsigned int number, \
	unsigned int timeout, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIDisconnectDataInterrupt, (sci_remote_data_interrupt_t interrupt, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCITriggerDataInterrupt, (sci_remote_data_interrupt_t interrupt, void *data, \
	unsigned int length, unsigned int flags, sci_error_t *error)) \
CALL(unsigned int, SCIGetCSRRegister, (sci_desc_t sd, unsigned int localAdapterNo, \
	unsigned int nodeId, unsigned int offset, unsigned int flags, sci_error_t *error)) \
CALL(void, SCISetCSRRegister, (sci_desc_t sd, unsigned int localAdapterNo, \
	unsigned int nodeId, unsigned int offset, unsigned int value, unsigned int flags, \
	sci_error_t *error)) \
CALL(unsigned int, SCIGetLocalCSR, (sci_desc_t sd, unsigned int localAdapterNo, \
	unsigned int offset, unsigned int flags, sci_error_t *error)) \
CALL(void, SCISetLocalCSR, (sci_desc_t sd, unsigned int localAdapterNo, unsigned int offset, \
	unsigned int value, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIAttachPhysicalMemory, (sci_ioaddr_t ioaddress, void *address, \
	unsigned int busNo, size_t size, sci_local_segment_t segment, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIConnectSCISpace, (sci_desc_t sd, unsigned int localAdapterNo, \
	sci_remote_segment_t *segment, sci_address_t address, unsigned int size, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIphDmaEnqueue, (sci_dma_queue_t queue, unsigned int size, \
	sci_ioaddr_t localBusAddr, unsigned int remoteNodeId, unsigned int remoteHighAddr, \
	unsigned int remoteLowAddr, unsigned int flags, sci_error_t *error)) \
CALL(sci_dma_queue_state_t, SCIphDmaStart, (sci_dma_queue_t queue, sci_cb_dma_t callback, \
	void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIStartDmaTransferMem, (sci_dma_queue_t queue, void *memory, \
	sci_remote_segment_t remote, size_t size, size_t remoteOffset, sci_cb_dma_t callback, \
	void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIRequestDMAChannel, (sci_desc_t sd, sci_dma_channel_t *channel, \
	unsigned int localAdapterNo, sci_dma_type_t type, unsigned int id, unsigned int flags, \
	sci_error_t *error)) \
CALL(void, SCIReturnDMAChannel, (sci_dma_channel_t channel, sci_error_t *error)) \
CALL(void, SCIRegisterInterruptFlag, (unsigned int localAdapterNo, \
	sci_local_interrupt_t *interrupt, sci_local_segment_t segment, unsigned int offset, \
	sci_cb_interrupt_t callback, void *arg, unsigned int flags, sci_error_t *error)) \
CALL(void, SCIEnableConditionalInterrupt, (sci_local_interrupt_t interrupt, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIDisableConditionalInterrupt, (sci_local_interrupt_t interrupt, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIGetConditionalInterruptTrigCounter, (sci_local_interrupt_t interrupt, \
	unsigned int *counter, unsigned int flags, sci_error_t *error)) \
CALL(void, SCITransferBlockAsync, (sci_map_t source, unsigned int sourceOffset, \
	sci_map_t destination, unsigned int destinationOffset, unsigned int size, \
	sci_block_transfer_t *block, sci_cb_block_transfer_t callback, void *arg, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIWaitForBlockTransfer, (sci_block_transfer_t block, unsigned int timeout, \
	unsigned int flags, sci_error_t *error)) \
CALL(void, SCIAbortBlockTransfer, (sci_block_transfer_t block, unsigned int flags, \
	sci_error_t *error))
/* clang-format on */

#define SISCI_DECLARE(result, name, arguments)                                                     \
	__attribute__((visibility("default"))) result name arguments;
SISCI_CALLS(SISCI_DECLARE)
#undef SISCI_DECLARE

#ifdef __cplusplus
}
#endif

#endif /* SISCI_API_H */
