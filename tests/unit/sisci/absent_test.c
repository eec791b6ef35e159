/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/sisci/absent.c. Each call that the adapter does not support must report an error and
 * return no handle, without an adapter and without SCIInitialize().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <sisci/sisci_api.h>

static sci_error_t error;

/* The call must set this error, and must overwrite the previous one. */
#define ABSENT(call)                                                                               \
	do {                                                                                       \
		error = SCI_ERR_OK;                                                                \
		call;                                                                              \
		assert_int_equal(error, SCI_ERR_NOT_IMPLEMENTED);                                  \
	} while (0)

static void registers_and_addresses_are_absent(void **state)
{
	const sci_address_t address = {0};
	sci_remote_segment_t segment = (sci_remote_segment_t)&error;

	ABSENT(SCIGetCSRRegister(NULL, 0, 4, 0, 0, &error));
	ABSENT(SCISetCSRRegister(NULL, 0, 4, 0, 0, 0, &error));
	ABSENT(SCIGetLocalCSR(NULL, 0, 0, 0, &error));
	ABSENT(SCISetLocalCSR(NULL, 0, 0, 0, 0, &error));
	ABSENT(SCIAttachPhysicalMemory(0, NULL, 0, 4096, NULL, 0, &error));
	ABSENT(SCIConnectSCISpace(NULL, 0, &segment, address, 4096, 0, &error));
	assert_null(segment);
}

static void memory_of_the_program_is_absent(void **state)
{
	char memory[64];

	ABSENT(SCIRegisterSegmentMemory(memory, sizeof(memory), NULL, 0, &error));
	ABSENT(SCIStartDmaTransferMem(NULL, memory, NULL, sizeof(memory), 0, NULL, NULL, 0,
				      &error));
}

static void dma_by_address_is_absent(void **state)
{
	sci_dma_channel_t channel = (sci_dma_channel_t)&error;

	ABSENT(SCIphDmaEnqueue(NULL, 64, 0, 4, 0, 0, 0, &error));
	ABSENT(assert_int_equal(SCIphDmaStart(NULL, NULL, NULL, 0, &error), SCI_DMAQUEUE_ERROR));
	ABSENT(SCIRequestDMAChannel(NULL, &channel, 0, SCI_DMA_TYPE_ADAPTER, 0, 0, &error));
	assert_null(channel);
	ABSENT(SCIReturnDMAChannel(NULL, &error));
}

static void conditional_interrupts_are_absent(void **state)
{
	sci_local_interrupt_t interrupt = (sci_local_interrupt_t)&error;
	unsigned int counter;

	ABSENT(SCIRegisterInterruptFlag(0, &interrupt, NULL, 0, NULL, NULL, 0, &error));
	assert_null(interrupt);
	ABSENT(SCIEnableConditionalInterrupt(NULL, 0, &error));
	ABSENT(SCIDisableConditionalInterrupt(NULL, 0, &error));
	ABSENT(SCIGetConditionalInterruptTrigCounter(NULL, &counter, 0, &error));
}

static void asynchronous_transfers_are_absent(void **state)
{
	sci_block_transfer_t block = (sci_block_transfer_t)&error;

	ABSENT(SCITransferBlockAsync(NULL, 0, NULL, 0, 4, &block, NULL, NULL, 0, &error));
	assert_null(block);
	ABSENT(SCIWaitForBlockTransfer(NULL, 0, 0, &error));
	ABSENT(SCIAbortBlockTransfer(NULL, 0, &error));
}

static void the_error_has_a_text(void **state)
{
	assert_string_equal(SCIGetErrorString(SCI_ERR_NOT_IMPLEMENTED),
			    "this call is not implemented");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_and_addresses_are_absent),
		cmocka_unit_test(memory_of_the_program_is_absent),
		cmocka_unit_test(dma_by_address_is_absent),
		cmocka_unit_test(conditional_interrupts_are_absent),
		cmocka_unit_test(asynchronous_transfers_are_absent),
		cmocka_unit_test(the_error_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
