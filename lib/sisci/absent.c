/* SPDX-License-Identifier: MIT */
/*
 * Absent calls: the functions of the SISCI API that the adapter does not support. Each of them
 * fails with SCI_ERR_NOT_IMPLEMENTED.
 *
 * What lives here: the functions for control and status registers, physical addresses, conditional
 * interrupts, asynchronous block transfers, DMA from a program's own memory, and DMA channels. A
 * program that uses such a function can be compiled and linked, and gets the error at run time. A
 * function that would create a handle sets it to NULL.
 */
#include "lib/sisci/sisci.h"

static void absent(sci_error_t *error)
{
	sisci_fail(error, SCI_ERR_NOT_IMPLEMENTED);
}

unsigned int SCIGetCSRRegister(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId,
			       unsigned int offset, unsigned int flags, sci_error_t *error)
{
	absent(error);
	return 0;
}

void SCISetCSRRegister(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId,
		       unsigned int offset, unsigned int value, unsigned int flags,
		       sci_error_t *error)
{
	absent(error);
}

unsigned int SCIGetLocalCSR(sci_desc_t sd, unsigned int localAdapterNo, unsigned int offset,
			    unsigned int flags, sci_error_t *error)
{
	absent(error);
	return 0;
}

void SCISetLocalCSR(sci_desc_t sd, unsigned int localAdapterNo, unsigned int offset,
		    unsigned int value, unsigned int flags, sci_error_t *error)
{
	absent(error);
}

void SCIAttachPhysicalMemory(sci_ioaddr_t ioaddress, void *address, unsigned int busNo, size_t size,
			     sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
	absent(error);
}

void SCIConnectSCISpace(sci_desc_t sd, unsigned int localAdapterNo, sci_remote_segment_t *segment,
			sci_address_t address, unsigned int size, unsigned int flags,
			sci_error_t *error)
{
	if (segment)
		*segment = NULL;
	absent(error);
}

void SCIphDmaEnqueue(sci_dma_queue_t queue, unsigned int size, sci_ioaddr_t localBusAddr,
		     unsigned int remoteNodeId, unsigned int remoteHighAddr,
		     unsigned int remoteLowAddr, unsigned int flags, sci_error_t *error)
{
	absent(error);
}

sci_dma_queue_state_t SCIphDmaStart(sci_dma_queue_t queue, sci_cb_dma_t callback, void *arg,
				    unsigned int flags, sci_error_t *error)
{
	absent(error);
	return SCI_DMAQUEUE_ERROR;
}

void SCIStartDmaTransferMem(sci_dma_queue_t queue, void *memory, sci_remote_segment_t remote,
			    size_t size, size_t remoteOffset, sci_cb_dma_t callback, void *arg,
			    unsigned int flags, sci_error_t *error)
{
	absent(error);
}

void SCIRequestDMAChannel(sci_desc_t sd, sci_dma_channel_t *channel, unsigned int localAdapterNo,
			  sci_dma_type_t type, unsigned int id, unsigned int flags,
			  sci_error_t *error)
{
	if (channel)
		*channel = NULL;
	absent(error);
}

void SCIReturnDMAChannel(sci_dma_channel_t channel, sci_error_t *error)
{
	absent(error);
}

void SCIRegisterInterruptFlag(unsigned int localAdapterNo, sci_local_interrupt_t *interrupt,
			      sci_local_segment_t segment, unsigned int offset,
			      sci_cb_interrupt_t callback, void *arg, unsigned int flags,
			      sci_error_t *error)
{
	if (interrupt)
		*interrupt = NULL;
	absent(error);
}

void SCIEnableConditionalInterrupt(sci_local_interrupt_t interrupt, unsigned int flags,
				   sci_error_t *error)
{
	absent(error);
}

void SCIDisableConditionalInterrupt(sci_local_interrupt_t interrupt, unsigned int flags,
				    sci_error_t *error)
{
	absent(error);
}

void SCIGetConditionalInterruptTrigCounter(sci_local_interrupt_t interrupt, unsigned int *counter,
					   unsigned int flags, sci_error_t *error)
{
	absent(error);
}

void SCITransferBlockAsync(sci_map_t source, unsigned int sourceOffset, sci_map_t destination,
			   unsigned int destinationOffset, unsigned int size,
			   sci_block_transfer_t *block, sci_cb_block_transfer_t callback, void *arg,
			   unsigned int flags, sci_error_t *error)
{
	if (block)
		*block = NULL;
	absent(error);
}

void SCIWaitForBlockTransfer(sci_block_transfer_t block, unsigned int timeout, unsigned int flags,
			     sci_error_t *error)
{
	absent(error);
}

void SCIAbortBlockTransfer(sci_block_transfer_t block, unsigned int flags, sci_error_t *error)
{
	absent(error);
}
