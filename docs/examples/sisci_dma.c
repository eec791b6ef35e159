/* SPDX-License-Identifier: MIT */
/* The program copies a local segment to segment 1 of node 4: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	sci_remote_segment_t remote;
	sci_local_segment_t local;
	sci_dma_queue_t queue;
	sci_error_t error;
	sci_desc_t sd;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateSegment(sd, &local, 2, 65536, NULL, NULL, 0, &error);
	if (error == SCI_ERR_OK)
		SCIPrepareSegment(local, 0, 0, &error);
	if (error == SCI_ERR_OK)
		SCIConnectSegment(sd, &remote, 4, 1, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0,
				  &error);
	if (error == SCI_ERR_OK)
		SCICreateDMAQueue(sd, &queue, 0, 1, 0, &error);
	if (error == SCI_ERR_OK)
		SCIStartDmaTransfer(queue, local, remote, 0, 65536, 0, NULL, NULL,
				    SCI_FLAG_DMA_WAIT, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	printf("copied 65536 bytes\n");
	return 0;
}
