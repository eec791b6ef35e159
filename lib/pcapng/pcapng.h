/* SPDX-License-Identifier: MIT */
/*
 * pcapng: the writer of capture files with interfaces, flags, drop counts and comments.
 *
 * What lives here: the blocks of pcapng for a trace: section header, interface description,
 * enhanced packet, interface statistics. libpcap reads these blocks but cannot write them. Time
 * stamps are in nanoseconds since 1970-01-01 (if_tsresol 9). Blocks are little-endian on every
 * host. May use include/hw and libc; prints nothing.
 *
 * Source: "PCAP Next Generation (pcapng) Capture File Format", draft of the IETF's opsawg.
 */
#ifndef LIB_PCAPNG_PCAPNG_H
#define LIB_PCAPNG_PCAPNG_H

#include <stdint.h>

#define PCAPNG_FRAME_BYTES_MAX 65535U /* limit, before and after truncation */
#define PCAPNG_INTERFACES_MAX 1024U
#define PCAPNG_TEXT_BYTES_MAX 4096U /* limit on a comment or a name; the rest is cut off */
#define PCAPNG_UNKNOWN UINT64_MAX /* an unknown count, whose option is omitted */

/* struct pcapng_packet.flags, epb_flags. */
#define PCAPNG_INBOUND 0x00000001U
#define PCAPNG_OUTBOUND 0x00000002U
#define PCAPNG_TOO_LONG 0x02000000U
#define PCAPNG_TOO_SHORT 0x04000000U

struct pcapng;

/**
 * struct pcapng_packet - An enhanced packet block.
 * @interface: as pcapng_interface() returned it
 * @time_ns: time stamp
 * @frame: its bytes
 * @bytes: number of bytes written, at most PCAPNG_FRAME_BYTES_MAX
 * @original_bytes: length on the link, not below @bytes
 * @flags: PCAPNG_*; 0: the option is omitted
 * @dropped: frames lost since the previous packet of this interface; 0: the option is omitted
 * @comment: text; NULL: none
 */
struct pcapng_packet {
	uint32_t interface;
	uint64_t time_ns;
	const void *frame;
	uint32_t bytes;
	uint32_t original_bytes;
	uint32_t flags;
	uint64_t dropped;
	const char *comment;
};

/**
 * struct pcapng_statistics - An interface statistics block. Unknown counts are PCAPNG_UNKNOWN.
 * @interface: as pcapng_interface() returned it
 * @time_ns: time of these counts
 * @start_ns: start of the capture
 * @end_ns: end of the capture
 * @received: frames seen (isb_ifrecv)
 * @dropped: frames lost for lack of room (isb_ifdrop)
 * @accepted: frames that passed the filter (isb_filteraccept)
 * @delivered: frames in the file (isb_usrdeliv)
 * @comment: text; NULL: none
 */
struct pcapng_statistics {
	uint32_t interface;
	uint64_t time_ns;
	uint64_t start_ns;
	uint64_t end_ns;
	uint64_t received;
	uint64_t dropped;
	uint64_t accepted;
	uint64_t delivered;
	const char *comment;
};

/**
 * pcapng_create() - Create a file and write its section header.
 * @path: file to create, or "-" for standard output
 * @application: name of the writing program (shb_userappl)
 *
 * Return: 0, or -errno.
 */
int pcapng_create(struct pcapng **out, const char *path, const char *application);

/**
 * pcapng_interface() - Describe an interface.
 * @link_type: link type of its packets
 * @name: short name (if_name)
 * @description: longer name (if_description); NULL: none
 * @filter: text of the filter (if_filter); NULL: none
 *
 * Return: its number, from 0; -ENOSPC beyond PCAPNG_INTERFACES_MAX interfaces; -errno.
 */
int pcapng_interface(struct pcapng *file, uint16_t link_type, const char *name,
		     const char *description, const char *filter);

/**
 * pcapng_packet() - Write a packet.
 *
 * Return: 0; -EINVAL for an impossible length or an interface that was not described; -errno.
 */
int pcapng_packet(struct pcapng *file, const struct pcapng_packet *packet);

/**
 * pcapng_statistics() - Write an interface's statistics, after all its packets.
 *
 * Return: 0; -EINVAL for an interface that was not described; -errno.
 */
int pcapng_statistics(struct pcapng *file, const struct pcapng_statistics *statistics);

/**
 * pcapng_close() - Write buffered blocks and close the file.
 * @file: NULL does nothing
 *
 * Return: 0; -errno if any block could not be written, now or earlier.
 */
int pcapng_close(struct pcapng *file);

#endif /* LIB_PCAPNG_PCAPNG_H */
