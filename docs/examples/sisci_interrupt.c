/* SPDX-License-Identifier: MIT */
/* The program waits at most ten seconds for interrupt 7: */
#include <stdio.h>
#include <sisci_api.h>

int main(void)
{
	sci_local_interrupt_t interrupt;
	unsigned int number = 7;
	sci_error_t error;
	sci_desc_t sd;

	SCIInitialize(0, &error);
	SCIOpen(&sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateInterrupt(sd, &interrupt, 0, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
				   &error);
	if (error == SCI_ERR_OK)
		SCIWaitForInterrupt(interrupt, 10000, 0, &error);
	if (error != SCI_ERR_OK)
		return fprintf(stderr, "%s\n", SCIGetErrorString(error)), 2;
	printf("interrupt %u was triggered\n", number);
	SCIRemoveInterrupt(interrupt, 0, &error);
	SCIClose(sd, 0, &error);
	return 0;
}
