/* SPDX-License-Identifier: MIT */
/* The program creates segment 1, and lets other nodes connect until one of them disconnects: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	sci_local_segment_t segment;
	sci_error_t error;
	unsigned int node;
	sci_desc_t sd;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateSegment(sd, &segment, 1, 65536, NULL, NULL, 0, &error);
	if (error == SCI_ERR_OK)
		SCIPrepareSegment(segment, 0, 0, &error);
	if (error == SCI_ERR_OK)
		SCISetSegmentAvailable(segment, 0, 0, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	while (SCIWaitForLocalSegmentEvent(segment, &node, NULL, SCI_INFINITE_TIMEOUT, 0, &error) !=
	       SCI_CB_DISCONNECT)
		printf("node %u has connected\n", node);
	SCIRemoveSegment(segment, 0, &error);
	SCIClose(sd, 0, &error);
	return 0;
}
