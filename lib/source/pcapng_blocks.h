/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks: finds the interface of each packet of a pcapng file, because libpcap does not
 * report it. May use libc.
 *
 * What lives here: a parser of the bytes that libpcap reads. Because libpcap delivers one packet
 * for each packet block, in the order of the file, the parser can assign each packet to its block
 * and its interface.
 */
#ifndef LIB_SOURCE_PCAPNG_BLOCKS_H
#define LIB_SOURCE_PCAPNG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes of a block that are parsed: type, length, and the first word of the body. */
#define PCAPNG_BLOCKS_HEAD 12U
/*
 * The largest number of packets that libpcap can have read but not delivered. There is such a limit
 * because libpcap reads 8 KB at a time.
 */
#define PCAPNG_BLOCKS_WAITING 4096U
/* The largest number of interfaces in all sections of a file. */
#define PCAPNG_BLOCKS_INTERFACES 1024U
#define PCAPNG_BLOCKS_NAME 64U
/*
 * The number of bytes of an interface's description that are stored. The name usually precedes the
 * other options of the description.
 */
#define PCAPNG_BLOCKS_DESCRIPTION 512U

/**
 * struct pcapng_described - An interface.
 * @name: the option if_name, made printable and shortened to fit; empty: the interface has no name
 * @order: number of interfaces whose first packet precedes the first packet of this interface; -1:
 *         this interface has no packets yet
 */
struct pcapng_described {
	char name[PCAPNG_BLOCKS_NAME];
	int order;
};

/**
 * struct pcapng_blocks - The state of the parser. At the beginning of a file, all members are 0.
 * @head: the beginning of a block
 * @have: number of bytes of @head that have arrived
 * @skip: number of bytes to the next block
 * @swapped: the section has the opposite byte order
 * @broken: the next block cannot be found, or a packet has no interface
 * @interfaces: the interfaces of all sections, shape [@count]; smile_pcapng_blocks_free() frees
 *              them
 * @room: number of interfaces for which @interfaces has memory
 * @section: index in @interfaces of the interface 0 of the present section
 * @used: number of interfaces that have packets
 * @description: the beginning of the current interface description
 * @want: number of bytes of @description that have not arrived yet
 * @got: number of bytes of @description that have arrived
 * @snaplen: number of bytes of the interface's snap length that have not arrived yet
 * @waiting: a ring that has, for each packet that libpcap has not delivered yet, the order of its
 *              interface
 * @first: index of the oldest element in @waiting
 * @waits: number of elements in @waiting
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
 * Parse the next bytes of the file, and set the snap length of each interface in them to 0, which
 * means "no limit". Otherwise, libpcap would reject a file whose interfaces have different snap
 * lengths.
 */
void smile_pcapng_blocks(struct pcapng_blocks *blocks, void *data, size_t bytes);

/* Get the member @order of the interface of the next packet; -1 if the interface is not known. */
int smile_pcapng_blocks_next(struct pcapng_blocks *blocks);

/*
 * Get the name of the interface with the given @order. Return: the name; NULL if there is no such
 * interface yet.
 */
const char *smile_pcapng_blocks_name(const struct pcapng_blocks *blocks, unsigned int order);

void smile_pcapng_blocks_free(struct pcapng_blocks *blocks);

#endif /* LIB_SOURCE_PCAPNG_BLOCKS_H */
