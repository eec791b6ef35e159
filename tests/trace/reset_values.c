/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Prints the registers of an instrument after its reset: for each offset a line with the offset,
 * the value, and whether a write of this value is refused. For datasheet_test.py.
 */
#include <stdio.h>
#include <stdlib.h>

#include "emu/trace/instrument.h"

int main(void)
{
	static struct instrument instrument;
	void *memory = malloc(SMILE_TRACE_MEMORY_HISTORIC);

	if (!memory)
		return 1;
	for (uint32_t offset = 0; offset < SMILE_TRACE_REGS_BYTES; offset += 4) {
		uint32_t value, status;

		instrument_init(&instrument, memory, SMILE_TRACE_MEMORY_HISTORIC, NULL, NULL);
		value = instrument_mmio_read(&instrument, offset);
		instrument_mmio_write(&instrument, offset, value);
		status = instrument_mmio_read(&instrument, SMILE_TRACE_REG_STATUS);
		printf("%u %u %u\n", offset, value, !!(status & SMILE_TRACE_STATUS_BAD_WRITE));
	}
	free(memory);
	return 0;
}
