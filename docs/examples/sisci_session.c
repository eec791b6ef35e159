/* SPDX-License-Identifier: MIT */
/* The program prints the id of this node, and whether node 8 answers: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	unsigned int node;
	sci_error_t error;
	sci_desc_t sd;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCIGetLocalNodeId(0, &node, 0, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	printf("node %u; node 8 %s\n", node,
	       SCIProbeNode(sd, 0, 8, 0, &error) ? "answers" : "does not answer");
	SCIClose(sd, 0, &error);
	SCITerminate();
	return 0;
}
