/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks: which interfaces the packets of a pcapng file belong to, which libpcap does not
 * report. It may use libc.
 */
#ifndef LIB_SOURCE_PCAPNG_BLOCKS_H
#define LIB_SOURCE_PCAPNG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Type, length, and the first word of the body. */
#define PCAPNG_BLOCKS_HEAD 12U

/**
 * struct pcapng_blocks - What was seen of the blocks of a file. All zero at its begin.
 * @head: the begin of a block
 * @have: how much of it
 * @skip: bytes to the next block
 * @swapped: the section has the other byte order
 * @broken: a length is not valid: no block can be found behind it
 * @section: number of the section, from 1
 * @packets: whether there was a packet
 * @interface: section and interface of the first packet
 * @several: whether a packet belongs to another one
 */
struct pcapng_blocks {
	uint8_t head[PCAPNG_BLOCKS_HEAD];
	size_t have;
	uint64_t skip;
	bool swapped;
	bool broken;
	uint32_t section;
	bool packets;
	uint64_t interface;
	bool several;
};

/* Take in the next bytes of the file. */
void smile_pcapng_blocks(struct pcapng_blocks *blocks, const void *data, size_t bytes);

#endif /* LIB_SOURCE_PCAPNG_BLOCKS_H */
