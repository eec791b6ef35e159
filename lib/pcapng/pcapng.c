/* SPDX-License-Identifier: MIT */
/*
 * pcapng: composes blocks and their options in memory, and writes one block at a time.
 */
#include "lib/pcapng/pcapng.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hw/blink.h>

#include "lib/base/output_stream.h"

#define BLOCK_SECTION 0x0a0d0d0aU
#define BLOCK_INTERFACE 1U
#define BLOCK_STATISTICS 5U
#define BLOCK_PACKET 6U
#define BYTE_ORDER_MAGIC 0x1a2b3c4dU
#define VERSION_MAJOR 1U
#define VERSION_MINOR 0U
#define SECTION_LENGTH_UNKNOWN UINT64_MAX

#define OPTION_END 0U
#define OPTION_COMMENT 1U
#define SHB_USERAPPL 4U
#define IF_NAME 2U
#define IF_DESCRIPTION 3U
#define IF_TSRESOL 9U
#define IF_FILTER 11U
#define IF_FILTER_TEXT 0U /* the first byte of if_filter, which means that a text follows */
#define EPB_FLAGS 2U
#define EPB_DROPCOUNT 4U
#define ISB_STARTTIME 2U
#define ISB_ENDTIME 3U
#define ISB_IFRECV 4U
#define ISB_IFDROP 5U
#define ISB_FILTERACCEPT 6U
#define ISB_USRDELIV 8U

#define TSRESOL_NANOSECONDS 9U
/*
 * The size of the largest block: a packet, or an interface with three texts, plus space for the
 * fixed parts.
 */
#define BLOCK_BYTES_MAX (PCAPNG_FRAME_BYTES_MAX + 3U * PCAPNG_TEXT_BYTES_MAX + 256U)
#define BUFFER_BYTES (1U << 20)

/**
 * struct pcapng - A file that is being written.
 * @file: the file
 * @error: the first error, or 0
 * @interfaces: number of interfaces that were described so far
 * @bytes: number of bytes in @block so far
 * @block: the block that is being composed
 */
struct pcapng {
	FILE *file;
	int error;
	uint32_t interfaces;
	size_t bytes;
	uint8_t block[BLOCK_BYTES_MAX];
};

static void put_number(struct pcapng *file, uint64_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		file->block[file->bytes++] = (uint8_t)(value >> 8 * i);
}

static void put_padding(struct pcapng *file)
{
	while (file->bytes % 4)
		file->block[file->bytes++] = 0;
}

static void put_bytes(struct pcapng *file, const void *data, size_t bytes)
{
	if (bytes)
		memcpy(file->block + file->bytes, data, bytes);
	file->bytes += bytes;
}

static void put_option_number(struct pcapng *file, unsigned int code, uint64_t value,
			      unsigned int bytes)
{
	put_number(file, code, 2);
	put_number(file, bytes, 2);
	put_number(file, value, bytes);
	put_padding(file);
}

/*
 * Add an option with a text. If @prefix is not negative, write it as a byte before the text. If
 * @text is NULL, add no option.
 */
static void put_option_text(struct pcapng *file, unsigned int code, int prefix, const char *text)
{
	size_t length;

	if (!text)
		return;
	length = strnlen(text, PCAPNG_TEXT_BYTES_MAX - 1);
	put_number(file, code, 2);
	put_number(file, length + (prefix >= 0), 2);
	if (prefix >= 0)
		put_number(file, (uint64_t)prefix, 1);
	put_bytes(file, text, length);
	put_padding(file);
}

static void put_option_count(struct pcapng *file, unsigned int code, uint64_t count)
{
	if (count != PCAPNG_UNKNOWN)
		put_option_number(file, code, count, 8);
}

/* Write a time. Its high half comes first in both byte orders. */
static void put_time(struct pcapng *file, uint64_t time_ns)
{
	put_number(file, time_ns >> 32, 4);
	put_number(file, time_ns & UINT32_MAX, 4);
}

static void put_option_time(struct pcapng *file, unsigned int code, uint64_t time_ns)
{
	if (time_ns == PCAPNG_UNKNOWN)
		return;
	put_number(file, code, 2);
	put_number(file, 8, 2);
	put_time(file, time_ns);
}

static void block_begin(struct pcapng *file, uint32_t type)
{
	file->bytes = 0;
	put_number(file, type, 4);
	put_number(file, 0, 4);
}

/* Complete the block, and write it. Its length is stored both at its beginning and at its end. */
static int block_end(struct pcapng *file, bool options)
{
	size_t bytes;

	if (options)
		put_number(file, OPTION_END, 4);
	bytes = file->bytes + 4;
	put_number(file, bytes, 4);
	file->bytes = 4;
	put_number(file, bytes, 4);
	if (file->error)
		return file->error;
	errno = 0;
	if (fwrite(file->block, 1, bytes, file->file) != bytes)
		file->error = errno ? -errno : -EIO;
	return file->error;
}

static int write_section(struct pcapng *file, const char *application)
{
	block_begin(file, BLOCK_SECTION);
	put_number(file, BYTE_ORDER_MAGIC, 4);
	put_number(file, VERSION_MAJOR, 2);
	put_number(file, VERSION_MINOR, 2);
	put_number(file, SECTION_LENGTH_UNKNOWN, 8);
	put_option_text(file, SHB_USERAPPL, -1, application);
	return block_end(file, true);
}

int pcapng_create(struct pcapng **out, const char *path, const char *application)
{
	struct pcapng *file = calloc(1, sizeof(*file));
	int error;

	if (!file)
		return -ENOMEM;
	/*
	 * Standard output belongs to the caller and must not be closed. Write to a duplicate of its
	 * file descriptor.
	 */
	file->file = strcmp(path, "-") ? smile_output_stream_open(path, NULL)
				       : smile_output_stream(dup(STDOUT_FILENO));
	if (!file->file) {
		error = -errno;
		free(file);
		return error;
	}
	setvbuf(file->file, NULL, _IOFBF, BUFFER_BYTES);
	error = write_section(file, application);
	if (error) {
		pcapng_close(file);
		return error;
	}
	*out = file;
	return 0;
}

int pcapng_interface(struct pcapng *file, uint16_t link_type, const char *name,
		     const char *description, const char *filter)
{
	int error;

	if (file->interfaces == PCAPNG_INTERFACES_MAX)
		return -ENOSPC;
	block_begin(file, BLOCK_INTERFACE);
	put_number(file, link_type, 2);
	put_number(file, 0, 2);
	put_number(file, PCAPNG_FRAME_BYTES_MAX, 4);
	put_option_text(file, IF_NAME, -1, name);
	put_option_text(file, IF_DESCRIPTION, -1, description);
	put_option_number(file, IF_TSRESOL, TSRESOL_NANOSECONDS, 1);
	put_option_text(file, IF_FILTER, IF_FILTER_TEXT, filter);
	error = block_end(file, true);
	return error ? error : (int)file->interfaces++;
}

int pcapng_packet(struct pcapng *file, const struct pcapng_packet *packet)
{
	bool options = packet->comment || packet->flags || packet->dropped;

	if (packet->interface >= file->interfaces || packet->bytes > PCAPNG_FRAME_BYTES_MAX ||
	    packet->original_bytes < packet->bytes)
		return -EINVAL;
	block_begin(file, BLOCK_PACKET);
	put_number(file, packet->interface, 4);
	put_time(file, packet->time_ns);
	put_number(file, packet->bytes, 4);
	put_number(file, packet->original_bytes, 4);
	put_bytes(file, packet->frame, packet->bytes);
	put_padding(file);
	put_option_text(file, OPTION_COMMENT, -1, packet->comment);
	if (packet->flags)
		put_option_number(file, EPB_FLAGS, packet->flags, 4);
	if (packet->dropped)
		put_option_number(file, EPB_DROPCOUNT, packet->dropped, 8);
	return block_end(file, options);
}

int pcapng_statistics(struct pcapng *file, const struct pcapng_statistics *statistics)
{
	if (statistics->interface >= file->interfaces)
		return -EINVAL;
	block_begin(file, BLOCK_STATISTICS);
	put_number(file, statistics->interface, 4);
	put_time(file, statistics->time_ns);
	put_option_text(file, OPTION_COMMENT, -1, statistics->comment);
	put_option_time(file, ISB_STARTTIME, statistics->start_ns);
	put_option_time(file, ISB_ENDTIME, statistics->end_ns);
	put_option_count(file, ISB_IFRECV, statistics->received);
	put_option_count(file, ISB_IFDROP, statistics->dropped);
	put_option_count(file, ISB_FILTERACCEPT, statistics->accepted);
	put_option_count(file, ISB_USRDELIV, statistics->delivered);
	return block_end(file, true);
}

int pcapng_close(struct pcapng *file)
{
	int error;

	if (!file)
		return 0;
	error = file->error;
	errno = 0;
	if (fclose(file->file) && !error)
		error = errno ? -errno : -EIO;
	free(file);
	return error;
}
