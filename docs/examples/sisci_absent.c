/* SPDX-License-Identifier: MIT */
/* If a program does not need an absent function, it tests for the error: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	sci_error_t error;
	sci_desc_t sd;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	SCIGetLocalCSR(sd, 0, 0, 0, &error);
	if (error == SCI_ERR_NOT_IMPLEMENTED)
		printf("no CSR registers\n");
	SCIClose(sd, 0, &error);
	SCITerminate();
	return 0;
}
