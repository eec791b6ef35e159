/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the fuzz targets.
 *
 * What lives here: the entry point that libFuzzer calls, and that main.c calls for each file of a
 * corpus where there is no libFuzzer; and a cursor over the input. May use the C library.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Test with @data. Does not return if a fault is found. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input. Reads behind its end return zeros. */
struct fuzz_input {
	const uint8_t *data;
	size_t left;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
	if (input->left == 0)
		return 0;
	input->left--;
	return *input->data++;
}

/* A little-endian number of @bytes bytes, 8 at most. */
static inline uint64_t fuzz_number(struct fuzz_input *input, unsigned int bytes)
{
	uint64_t number = 0;

	for (unsigned int i = 0; i < bytes; i++)
		number |= (uint64_t)fuzz_byte(input) << 8 * i;
	return number;
}

#endif /* TESTS_FUZZ_FUZZ_H */
