/* SPDX-License-Identifier: MIT */
/*
 * pcapng: the writer of capture files with interfaces, flags, drop counts and comments.
 *
 * What lives here: the blocks of pcapng that a trace needs: section header, interface description,
 * enhanced packet, interface statistics. libpcap writes none of them; reading is left to it. Time
 * stamps are in nanoseconds since 1970-01-01 (if_tsresol 9).
 * Blocks are little-endian on every host. It may use include/hw and libc; it prints nothing.
 *
 * Source: "PCAP Next Generation (pcapng) Capture File Format", draft of the IETF's opsawg.
 */
#ifndef LIB_PCAPNG_PCAPNG_H
#define LIB_PCAPNG_PCAPNG_H

#include <stdint.h>

#define PCAPNG_FRAME_BYTES_MAX 65535U /* of a frame in a file, before and after it is cut */
#define PCAPNG_INTERFACES_MAX 1024U
#define PCAPNG_TEXT_BYTES_MAX 4096U /* of a comment or a name; the rest is cut off */
#define PCAPNG_UNKNOWN UINT64_MAX /* a count that is not known: its option is left out */

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
 * @bytes: how many of them are written, at most PCAPNG_FRAME_BYTES_MAX
 * @original_bytes: length on the link, not below @bytes
 * @flags: PCAPNG_*; 0: nothing is known, the option is left out
 * @dropped: frames lost between the packet before of this interface and this one; 0: the option is
 *	left out
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
 * struct pcapng_statistics - An interface statistics block; of each count, PCAPNG_UNKNOWN if it is
 * not known.
 * @interface: as pcapng_interface() returned it
 * @time_ns: when these were the counts
 * @start_ns: when capturing started
 * @end_ns: when it ended
 * @received: frames seen (isb_ifrecv)
 * @dropped: frames lost for want of room (isb_ifdrop)
 * @accepted: frames that the filter let pass (isb_filteraccept)
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
 * @application: program that writes it (shb_userappl)
 * @comment: of the section; NULL: none
 *
 * Return: 0, or -errno.
 */
int pcapng_create(struct pcapng **out, const char *path, const char *application,
		  const char *comment);

/**
 * pcapng_interface() - Describe an interface of link type 147, a place at which frames are seen.
 * @name: short name (if_name)
 * @description: longer one (if_description); NULL: none
 * @filter: text of the filter (if_filter); NULL: none
 *
 * Return: its number, from 0; -ENOSPC if there are PCAPNG_INTERFACES_MAX; -errno.
 */
int pcapng_interface(struct pcapng *file, const char *name, const char *description,
		     const char *filter);

/**
 * pcapng_interface_link() - The same, of another link type.
 */
int pcapng_interface_link(struct pcapng *file, uint16_t link_type, const char *name,
			  const char *description, const char *filter);

/**
 * pcapng_packet() - Write a packet.
 *
 * Return: 0; -EINVAL for an impossible length or an interface that was not described; -errno.
 */
int pcapng_packet(struct pcapng *file, const struct pcapng_packet *packet);

/**
 * pcapng_statistics() - Write an interface's statistics, once all its packets are written.
 *
 * Return: 0; -EINVAL for an interface that was not described; -errno.
 */
int pcapng_statistics(struct pcapng *file, const struct pcapng_statistics *statistics);

/**
 * pcapng_close() - Write out what is in memory and close.
 * @file: NULL does nothing
 *
 * Return: 0; -errno if not all could be written, also before.
 */
int pcapng_close(struct pcapng *file);

#endif /* LIB_PCAPNG_PCAPNG_H */
