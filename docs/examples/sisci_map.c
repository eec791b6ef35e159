/* SPDX-License-Identifier: MIT */
/* The program stores a number into segment 1 of node 4, and checks that it arrived: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	volatile unsigned int *memory = NULL;
	sci_sequence_t sequence = NULL;
	sci_remote_segment_t segment;
	sci_error_t error;
	sci_desc_t sd;
	sci_map_t map;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCIConnectSegment(sd, &segment, 4, 1, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0,
				  &error);
	if (error == SCI_ERR_OK)
		memory = SCIMapRemoteSegment(segment, &map, 0, 4096, NULL, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateMapSequence(map, &sequence, 0, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	do {
		SCIStartSequence(sequence, 0, &error);
		memory[0] = 42;
	} while (SCICheckSequence(sequence, 0, &error) == SCI_SEQ_RETRIABLE);
	SCIRemoveSequence(sequence, 0, &error);
	SCIUnmapSegment(map, 0, &error);
	SCIDisconnectSegment(segment, 0, &error);
	return 0;
}
