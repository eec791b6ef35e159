/* SPDX-License-Identifier: MIT */
/*
 * pcapng: writes capture files with interfaces, flags, drop counts and comments.
 *
 * What lives here: the pcapng blocks that a trace needs: section header, interface description,
 * enhanced packet and interface statistics. libpcap can read these blocks, but cannot write all of
 * them. Time stamps are in nanoseconds since 1970-01-01 (if_tsresol 9). Blocks are little-endian on
 * every host. May use include/hw and libc. This code prints nothing.
 *
 * Source: "PCAP Next Generation (pcapng) Capture File Format", draft of the IETF's opsawg.
 */
#ifndef LIB_PCAPNG_PCAPNG_H
#define LIB_PCAPNG_PCAPNG_H

#include <stdint.h>

/* limit of the length of a frame, before and after it is truncated */
#define PCAPNG_FRAME_BYTES_MAX 65535U
#define PCAPNG_INTERFACES_MAX 1024U
#define PCAPNG_TEXT_BYTES_MAX 4096U /* longest comment or name; the rest is cut off */
#define PCAPNG_UNKNOWN UINT64_MAX /* the count is not known, and its option is left out */

/* Bits of struct pcapng_packet.flags. They are the bits of the option epb_flags. */
#define PCAPNG_INBOUND 0x00000001U
#define PCAPNG_OUTBOUND 0x00000002U
#define PCAPNG_TOO_LONG 0x02000000U
#define PCAPNG_TOO_SHORT 0x04000000U

struct pcapng;

/**
 * struct pcapng_packet - An enhanced packet block.
 * @interface: number of the interface, from pcapng_interface()
 * @time_ns: time stamp
 * @frame: bytes of the frame
 * @bytes: number of bytes to write, at most PCAPNG_FRAME_BYTES_MAX
 * @original_bytes: length of the frame on the link, at least @bytes
 * @flags: bits PCAPNG_*; 0: the option epb_flags is left out
 * @dropped: number of frames lost since the previous packet of this interface; 0: the option
 *           epb_dropcount is left out
 * @comment: text; NULL: no comment
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
 * @interface: number of the interface, from pcapng_interface()
 * @time_ns: time at which the counts were read
 * @start_ns: start of the capture
 * @end_ns: end of the capture
 * @received: number of frames that the interface received (isb_ifrecv)
 * @dropped: number of frames that the interface lost because it had no space (isb_ifdrop)
 * @accepted: number of frames that passed the filter (isb_filteraccept)
 * @delivered: number of frames in the file (isb_usrdeliv)
 * @comment: text; NULL: no comment
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
 * The file is locked until it is closed.
 *
 * Return: 0; -EBUSY if another program is writing the file, which is then unchanged; -errno.
 */
int pcapng_create(struct pcapng **out, const char *path, const char *application);

/**
 * pcapng_interface() - Describe an interface.
 * @link_type: link type of the packets of this interface
 * @name: short name (if_name)
 * @description: longer name (if_description); NULL: none
 * @filter: text of the filter (if_filter); NULL: none
 *
 * Return: the number of the interface, from 0; -ENOSPC if the file already has
 * PCAPNG_INTERFACES_MAX interfaces; -errno.
 */
int pcapng_interface(struct pcapng *file, uint16_t link_type, const char *name,
		     const char *description, const char *filter);

/**
 * pcapng_packet() - Write a packet.
 *
 * Return: 0; -EINVAL if a length is not possible, or if the interface was not described; -errno.
 */
int pcapng_packet(struct pcapng *file, const struct pcapng_packet *packet);

/**
 * pcapng_statistics() - Write the statistics of an interface, after all its packets.
 *
 * Return: 0; -EINVAL if the interface was not described; -errno.
 */
int pcapng_statistics(struct pcapng *file, const struct pcapng_statistics *statistics);

/**
 * pcapng_close() - Write the buffered blocks, and close the file.
 * @file: the file; may be NULL
 *
 * Return: 0; -errno if this call or an earlier call could not write a block.
 */
int pcapng_close(struct pcapng *file);

#endif /* LIB_PCAPNG_PCAPNG_H */
