/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks: the interfaces of the packets of a pcapng file, which libpcap does not report. It
 * may use libc.
 *
 * What lives here: a parser of the bytes that libpcap reads, which finds the interface of each
 * packet. libpcap delivers one packet for each packet block, in the order of the file.
 */
#ifndef LIB_SOURCE_PCAPNG_BLOCKS_H
#define LIB_SOURCE_PCAPNG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parsed beginning of a block: type, length, and the first word of the body. */
#define PCAPNG_BLOCKS_HEAD 12U
/*
 * The largest number of packets that libpcap has read but not delivered: it reads 8 KB at a time.
 */
#define PCAPNG_BLOCKS_WAITING 4096U
/* The largest number of interfaces of a file, in all its sections. */
#define PCAPNG_BLOCKS_INTERFACES 1024U
#define PCAPNG_BLOCKS_NAME 64U
/* Bytes of an interface's description that are kept: the name precedes other options. */
#define PCAPNG_BLOCKS_DESCRIPTION 512U

/**
 * struct pcapng_described - An interface.
 * @name: if_name, made printable and cut to fit; empty: the interface has no name
 * @order: its number among the interfaces that have packets, in the order of their first packets,
 *         from 0; -1: it has no packets yet
 */
struct pcapng_described {
	char name[PCAPNG_BLOCKS_NAME];
	int order;
};

/**
 * struct pcapng_blocks - The state of the parser. All zero at the beginning of a file.
 * @head: the beginning of a block
 * @have: number of bytes of @head that have arrived
 * @skip: bytes to the next block
 * @swapped: the section has the other byte order
 * @broken: no block can be found after this one, or a packet has no interface
 * @interfaces: the interfaces of all sections, shape [@count]; smile_pcapng_blocks_free()
 * @room: number of interfaces that @interfaces has room for
 * @section: number of the interface 0 of this section
 * @used: number of interfaces with packets
 * @description: the beginning of the current interface description
 * @want: number of its bytes that have not arrived yet
 * @got: number of its bytes that have arrived
 * @snaplen: number of bytes of its snap length that have not arrived yet
 * @waiting: orders of the interfaces of packets, a ring
 * @first: index of the oldest
 * @waits: number of orders in the ring
 */
struct pcapng_blocks {
	uint8_t head[PCAPNG_BLOCKS_HEAD];
	size_t have;
	uint64_t skip;
	bool swapped;
	bool broken;
	struct pcapng_described *interfaces;
	size_t count;
	size_t room;
	size_t section;
	unsigned int used;
	uint8_t description[PCAPNG_BLOCKS_DESCRIPTION];
	size_t want;
	size_t got;
	size_t snaplen;
	uint16_t waiting[PCAPNG_BLOCKS_WAITING];
	size_t first;
	size_t waits;
};

/*
 * Take in the next bytes of the file. Snap lengths of interfaces are set to 0, which is "no limit",
 * because libpcap rejects a file whose interfaces have different snap lengths.
 */
void smile_pcapng_blocks(struct pcapng_blocks *blocks, void *data, size_t bytes);

/* The order of the next packet's interface; -1: it is not known. */
int smile_pcapng_blocks_next(struct pcapng_blocks *blocks);

/* The name of an interface that has packets; NULL: no such interface has appeared so far. */
const char *smile_pcapng_blocks_name(const struct pcapng_blocks *blocks, unsigned int order);

void smile_pcapng_blocks_free(struct pcapng_blocks *blocks);

#endif /* LIB_SOURCE_PCAPNG_BLOCKS_H */
