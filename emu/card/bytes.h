/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Little-endian words in memory, independent of the host's byte order.
 *
 * What lives here: functions that read a word of a frame, and write a word of a record. May use
 * <stdint.h> and <string.h>.
 */
#ifndef EMU_CARD_BYTES_H
#define EMU_CARD_BYTES_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static inline uint64_t bytes_get_64(const uint8_t bytes[8])
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static inline void bytes_put_32(void *bytes, uint32_t word)
{
	memcpy(bytes, &word, sizeof(word));
}

#else

static inline uint64_t bytes_get_64(const uint8_t bytes[8])
{
	uint64_t word = 0;

	for (unsigned int i = 0; i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word;
}

static inline void bytes_put_32(void *bytes, uint32_t word)
{
	for (unsigned int i = 0; i < 4; i++)
		((uint8_t *)bytes)[i] = (uint8_t)(word >> 8 * i);
}

#endif

#endif /* EMU_CARD_BYTES_H */
