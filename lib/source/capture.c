/* SPDX-License-Identifier: MIT */
/*
 * Capture: reads and writes packets with time stamps, through libpcap.
 *
 * What lives here: all calls of libpcap, made through the functions in lib/source/pcap.h. The
 * packets of a capture are B-Link frames, with link type USER0 (147). If the caller accepts them,
 * they can be packets of the cable instead, with link type USER1 (148). Time stamps are in
 * nanoseconds. This reader and the reader of the QEMU device (emu/qemu/pcap_stream.c) accept the
 * same captures, and read the same frames and time stamps from them. This reader rejects some
 * malformed captures that libpcap would accept.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file_lock.h>
#include <hw/blink.h>
#include <hw/cable.h>
#include <smile/monitor.h>

#include "lib/source/capture.h"
#include "lib/base/deadline.h"
#include "lib/base/error.h"
#include "lib/base/locked_file.h"
#include "lib/base/output_stream.h"
#include "lib/source/pcap.h"
#include "lib/source/pcapng_blocks.h"

/*
 * The part of a pcap file's header that this code reads: magic, version, two unused words, and snap
 * length. If a frame is longer than the snap length, libpcap silently cuts it off. To prevent this,
 * this code hides the snap length from libpcap.
 */
#define HEAD_BYTES 20U
#define HEAD_ALL_BYTES 24U
#define HEAD_SNAPLEN 16U
#define MAGIC_MICROSECONDS 0xa1b2c3d4U
#define MAGIC_NANOSECONDS 0xa1b23c4dU

/* The part of a frame's header that this code reads. */
#define FRAME_HEAD_BYTES 16U
#define FRAME_HEAD_CAPLEN 8U
#define FRAME_HEAD_LENGTH 12U

/*
 * The size of a buffer that is larger than a frame. It is used if the source is a pipe, for bytes
 * that are read before libpcap needs them.
 */
#define AHEAD_BYTES 131072U

/**
 * struct Monitor_capture - An open capture, for reading or for writing.
 * @path: path of the capture, for messages
 * @pcap: libpcap's handle
 * @dumper: libpcap's writer; NULL for reading
 * @fd: the file that is read; libpcap owns it, and closes it
 * @ahead: for a pipe, bytes that were read and whose frames were not returned yet, [AHEAD_BYTES];
 *         NULL: the source is a file, whose reads never block
 * @ahead_first: index of the first byte in @ahead
 * @ahead_given: index of the first byte in @ahead that libpcap has not read yet
 * @ahead_end: one past the index of the last byte in @ahead
 * @at: number of bytes of the capture's header that were read
 * @head: the capture's header
 * @frame_bytes: snap length of the capture, which is the largest length of a frame
 * @blocks: for pcapng, the interfaces of the packets that libpcap has read
 * @selected: order of the interface whose packets are returned; -1: no interface is selected, and
 *            only one interface may have packets
 * @unit_ns: unit of the time stamps; 0: the capture is pcapng, whose time stamps libpcap converts
 */
struct Monitor_capture {
	char *path;
	pcap_t *pcap;
	pcap_dumper_t *dumper;
	int fd;
	char *ahead;
	size_t ahead_first;
	size_t ahead_given;
	size_t ahead_end;
	size_t at;
	uint8_t head[HEAD_BYTES];
	uint32_t frame_bytes;
	struct pcapng_blocks blocks;
	int selected;
	int64_t unit_ns;
};

#define NS_PER_S 1000000000ULL
/* much longer than any B-Link frame; a longer frame means that the capture is damaged */
#define FRAME_BYTES_MAX 65536U

static struct Monitor_capture *capture_new(const char *path, const char *stream)
{
	struct Monitor_capture *capture = calloc(1, sizeof(*capture));

	if (!capture)
		return NULL;
	capture->selected = -1;
	capture->path = strdup(strcmp(path, "-") ? path : stream);
	if (!capture->path) {
		free(capture);
		return NULL;
	}
	return capture;
}

static void capture_free(struct Monitor_capture *capture)
{
	if (capture->pcap)
		smile_pcap.close(capture->pcap);
	smile_pcapng_blocks_free(&capture->blocks);
	free(capture->ahead);
	free(capture->path);
	free(capture);
}

/*
 * For the formats that users give most often by mistake, get a better message than libpcap's
 * "unknown file format".
 */
static const char *compressed_remedy(FILE *file, const char *path)
{
	static const struct {
		const char *magic;
		size_t length;
		const char *remedy;
	} known[] = {
		{"\xfd"
		 "7zXZ",
		 5, "xz-compressed: give what xz -dc FILE writes, as the capture -"},
		{"\x1f\x8b", 2,
		 "gzip-compressed: give what gzip -dc FILE writes, as the capture -"},
		{"\x28\xb5\x2f\xfd", 4,
		 "zstd-compressed: give what zstd -dc FILE writes, as the capture -"},
		{"SMILEREC", 8, "a recording, not a capture: smile report or smile dump reads it"},
	};
	char head[8] = "";

	if (strcmp(path, "-") == 0 || fseek(file, 0, SEEK_SET) < 0)
		return NULL;
	if (fread(head, 1, sizeof(head), file) == 0)
		return ferror(file) ? NULL : "empty";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(head, known[i].magic, known[i].length) == 0)
			return known[i].remedy;
	}
	return NULL;
}

static bool is_pcapng(const struct Monitor_capture *capture)
{
	return memcmp(capture->head, "\n\r\r\n", 4) == 0;
}

/* Read available bytes, and append them to capture->ahead. Return: the result of read(). */
static ssize_t ahead_read(struct Monitor_capture *capture)
{
	size_t first = capture->ahead_first;
	ssize_t got;

	memmove(capture->ahead, capture->ahead + first, capture->ahead_end - first);
	capture->ahead_first = 0;
	capture->ahead_given -= first;
	capture->ahead_end -= first;
	got = read(capture->fd, capture->ahead + capture->ahead_end,
		   AHEAD_BYTES - capture->ahead_end);
	if (got > 0)
		capture->ahead_end += (size_t)got;
	return got;
}

/*
 * Read available bytes. For a pipe, keep a copy of the bytes that libpcap has read. libpcap reads
 * into its own buffer, so only the copy shows whether another whole frame has arrived.
 */
static ssize_t source_take(struct Monitor_capture *capture, char *data, size_t bytes)
{
	ssize_t got;

	if (!capture->ahead)
		return read(capture->fd, data, bytes);
	if (capture->ahead_given == capture->ahead_end) {
		/*
		 * The frame is too long to be valid, or the file is pcapng, whose frames this code
		 * does not parse. In both cases, no copy is needed.
		 */
		if (capture->ahead_end - capture->ahead_first == AHEAD_BYTES ||
		    (capture->at && is_pcapng(capture)))
			capture->ahead_first = capture->ahead_given;
		got = ahead_read(capture);
		if (got <= 0)
			return got;
	}
	if (bytes > capture->ahead_end - capture->ahead_given)
		bytes = capture->ahead_end - capture->ahead_given;
	memcpy(data, capture->ahead + capture->ahead_given, bytes);
	capture->ahead_given += bytes;
	return (ssize_t)bytes;
}

/* Drop the first @bytes bytes in capture->ahead, because their frame was returned. */
static void ahead_pass(struct Monitor_capture *capture, size_t bytes)
{
	size_t given = capture->ahead_given - capture->ahead_first;

	capture->ahead_first += bytes < given ? bytes : given;
}

/*
 * The read function that libpcap calls. It returns the bytes of the file, but changes the snap
 * length in them.
 */
static ssize_t source_read(void *cookie, char *data, size_t bytes)
{
	struct Monitor_capture *capture = cookie;
	ssize_t got;

	/* After a signal within the header, the capture could not be opened again. */
	do
		got = source_take(capture, data, bytes);
	while (got < 0 && errno == EINTR && capture->at && !capture->pcap);
	/* Before 4 bytes have arrived, it is not known whether the file is pcapng. */
	if (got > 0 && (capture->at < 4 || is_pcapng(capture)))
		smile_pcapng_blocks(&capture->blocks, data, (size_t)got);
	for (ssize_t i = 0; i < got && capture->at < HEAD_BYTES; i++, capture->at++) {
		capture->head[capture->at] = (uint8_t)data[i];
		if (capture->at >= HEAD_SNAPLEN && !is_pcapng(capture))
			data[i] = 0;
	}
	return got;
}

static int source_close(void *cookie)
{
	struct Monitor_capture *capture = cookie;

	return close(capture->fd);
}

/* Open the file so that libpcap can read it. Return: NULL with errno if it cannot be opened. */
static FILE *source_open(struct Monitor_capture *capture, const char *path)
{
	static const cookie_io_functions_t calls = {.read = source_read, .close = source_close};
	struct stat status;
	FILE *file;

	capture->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
					: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (capture->fd < 0)
		return NULL;
	file = fopencookie(capture, "r", calls);
	if (!file) {
		close(capture->fd);
		return NULL;
	}
	if (!fstat(capture->fd, &status) && !S_ISREG(status.st_mode)) {
		capture->ahead = malloc(AHEAD_BYTES);
		if (!capture->ahead) {
			fclose(file);
			errno = ENOMEM;
			return NULL;
		}
	}
	return file;
}

static uint32_t head_word(const struct Monitor_capture *capture, size_t at)
{
	uint32_t word;

	memcpy(&word, capture->head + at, sizeof(word));
	return smile_pcap.is_swapped(capture->pcap) ? __builtin_bswap32(word) : word;
}

/* Find errors in the header of the capture that libpcap ignores or does not report. */
static int judge_head(struct Monitor_capture *capture)
{
	uint32_t snaplen;

	capture->frame_bytes = FRAME_BYTES_MAX;
	if (is_pcapng(capture))
		return 0;
	capture->unit_ns = head_word(capture, 0) == MAGIC_NANOSECONDS ? 1 : 1000;
	if ((capture->unit_ns != 1 && head_word(capture, 0) != MAGIC_MICROSECONDS) ||
	    smile_pcap.major_version(capture->pcap) != PCAP_VERSION_MAJOR ||
	    smile_pcap.minor_version(capture->pcap) != PCAP_VERSION_MINOR)
		return smile_error(EPROTO,
				   "%s is no pcap of version %d.%d; convert it: editcap -F "
				   "nsecpcap IN OUT",
				   capture->path, PCAP_VERSION_MAJOR, PCAP_VERSION_MINOR);
	snaplen = head_word(capture, HEAD_SNAPLEN);
	if (snaplen && snaplen < FRAME_BYTES_MAX)
		capture->frame_bytes = snaplen;
	return 0;
}

/*
 * Reject a link type that the caller does not accept. @any: the caller accepts packets of the
 * cable.
 */
static int judge_link(const struct Monitor_capture *capture, bool any)
{
	int link = smile_pcap.datalink(capture->pcap);

	if (link == BLINK_LINKTYPE || (any && link == CABLE_LINKTYPE))
		return 0;
	if (link == CABLE_LINKTYPE)
		return smile_error(EPROTO,
				   "%s has link type %d, packets of the SCI cable; B-Link captures "
				   "have %d (USER0): smile trace import reads it",
				   capture->path, link, BLINK_LINKTYPE);
	return smile_error(EPROTO,
			   "%s has link type %d, B-Link captures have %d (USER0): it was not "
			   "taken on a B-Link",
			   capture->path, link, BLINK_LINKTYPE);
}

static int capture_open(struct Monitor_capture **out, const char *path, bool any)
{
	struct Monitor_capture *capture;
	char text[PCAP_ERRBUF_SIZE];
	const char *remedy;
	FILE *file, *peek;
	int error;

	error = smile_pcap_load();
	if (error)
		return error;
	capture = capture_new(path, "standard input");
	if (!capture)
		return smile_error(ENOMEM, "no memory to open the capture %s", path);
	file = source_open(capture, path);
	if (!file) {
		error = errno;
		capture_free(capture);
		return smile_error(error, "cannot open the capture %s: %s", path, strerror(error));
	}

	capture->pcap = smile_pcap.fopen_offline_with_tstamp_precision(
		file, PCAP_TSTAMP_PRECISION_NANO, text);
	if (!capture->pcap) {
		fclose(file);
		if (!capture->at && strstr(text, strerror(EINTR))) {
			capture_free(capture);
			return smile_error(EINTR, "opening the capture %s was interrupted", path);
		}
		peek = strcmp(path, "-") ? fopen(path, "re") : NULL;
		remedy = peek ? compressed_remedy(peek, path) : NULL;
		if (peek)
			fclose(peek);
		error = remedy ? smile_error(EPROTO, "%s is %s", capture->path, remedy)
			       : smile_error(EPROTO,
					     "%s is no capture (%s): a pcap or pcapng file of link "
					     "type %d is needed",
					     capture->path, text, BLINK_LINKTYPE);
		capture_free(capture);
		return error;
	}
	ahead_pass(capture, HEAD_ALL_BYTES);
	error = judge_link(capture, any);
	if (!error)
		error = judge_head(capture);
	if (error) {
		capture_free(capture);
		return error;
	}
	*out = capture;
	return 0;
}

int Monitor_capture_open(struct Monitor_capture **out, const char *path)
{
	return capture_open(out, path, false);
}

int Monitor_capture_open_any(struct Monitor_capture **out, const char *path)
{
	return capture_open(out, path, true);
}

int Monitor_capture_link(const struct Monitor_capture *capture)
{
	return smile_pcap.datalink(capture->pcap);
}

/* Reject a packet header that is invalid in every capture. */
static int judge_frame(const struct Monitor_capture *capture, const struct pcap_pkthdr *header)
{
	if (header->caplen > FRAME_BYTES_MAX)
		return smile_error(EPROTO,
				   "%s is damaged: a frame longer than 64 KiB; frames before that "
				   "are good: record or copy the capture again",
				   capture->path);
	if (header->caplen > capture->frame_bytes)
		return smile_error(
			EPROTO,
			"%s is damaged: a frame longer than the capture's snap length of %u "
			"bytes; frames before that are good: record or copy the "
			"capture again",
			capture->path, capture->frame_bytes);
	if (header->caplen > header->len)
		return smile_error(EPROTO,
				   "%s is damaged: a frame has more bytes than it had on the link; "
				   "frames before that are good: record or copy the capture again",
				   capture->path);
	return 0;
}

/*
 * Read the lengths from the header of the next frame. Return: true if the whole header has arrived.
 */
static bool ahead_header(const struct Monitor_capture *capture, struct pcap_pkthdr *header)
{
	const char *at = capture->ahead + capture->ahead_first;

	if (capture->ahead_end - capture->ahead_first < FRAME_HEAD_BYTES)
		return false;
	memcpy(&header->caplen, at + FRAME_HEAD_CAPLEN, sizeof(header->caplen));
	memcpy(&header->len, at + FRAME_HEAD_LENGTH, sizeof(header->len));
	if (smile_pcap.is_swapped(capture->pcap)) {
		header->caplen = __builtin_bswap32(header->caplen);
		header->len = __builtin_bswap32(header->len);
	}
	return true;
}

/* Return whether the whole next frame has arrived, or will never arrive. */
static bool ahead_whole(const struct Monitor_capture *capture)
{
	struct pcap_pkthdr header;

	return ahead_header(capture, &header) &&
	       (header.caplen > capture->frame_bytes ||
		header.caplen <= capture->ahead_end - capture->ahead_first - FRAME_HEAD_BYTES);
}

bool smile_capture_is_pipe(const struct Monitor_capture *capture)
{
	return capture->ahead && !is_pcapng(capture);
}

int smile_capture_ready(struct Monitor_capture *capture, int timeout_ms)
{
	int64_t deadline = timeout_ms > 0 ? smile_now_ms() + timeout_ms : 0;
	struct pollfd wait = {.fd = capture->fd, .events = POLLIN};
	int ready;

	while (smile_capture_is_pipe(capture) && !ahead_whole(capture)) {
		ready = poll(&wait, 1, timeout_ms > 0 ? smile_left_ms(deadline) : timeout_ms);
		if (ready < 0 && errno == EINTR)
			return smile_error(EINTR, "waiting for %s was interrupted", capture->path);
		if (ready == 0)
			return 0;
		/* The next read reports the end of the capture, or the error. */
		if (ahead_read(capture) <= 0)
			break;
	}
	return 1;
}

/*
 * Convert a time stamp to nanoseconds. The two words of a time stamp in the file are unsigned, but
 * libpcap may treat them as signed.
 */
static uint64_t stamp_ns(const struct Monitor_capture *capture, const struct timeval *ts)
{
	/* With nanosecond precision, libpcap stores nanoseconds in tv_usec. */
	int64_t s = ts->tv_sec, ns = ts->tv_usec;

	if (capture->unit_ns) {
		s = (uint32_t)s;
		if (ns < 0)
			ns += (UINT32_MAX + 1LL) * capture->unit_ns;
	}
	return (uint64_t)s * NS_PER_S + (uint64_t)ns;
}

/* Read the next frame of any interface. Return: 1; 0 at the end; -errno. */
static int frame_next(struct Monitor_capture *capture, struct pcap_pkthdr **header,
		      const u_char **data)
{
	switch (smile_pcap.next_ex(capture->pcap, header, data)) {
	case 1:
		return 1;
	case PCAP_ERROR_BREAK:
		return 0;
	default:
		/*
		 * After a signal in the middle of a frame, no further frame can be read. libpcap
		 * reports the errno only as text in its message.
		 */
		if (strstr(smile_pcap.geterr(capture->pcap), strerror(EINTR)))
			return smile_error(EINTR, "reading %s was interrupted", capture->path);
		return smile_error(EPROTO,
				   "%s is cut off or damaged (%s): frames before that are good",
				   capture->path, smile_pcap.geterr(capture->pcap));
	}
}

/*
 * Check whether the frame is of the selected interface. Return: 1; 0 if the frame must be skipped;
 * -errno.
 */
static int judge_interface(struct Monitor_capture *capture)
{
	int order;

	if (!is_pcapng(capture))
		return capture->selected <= 0;
	order = smile_pcapng_blocks_next(&capture->blocks);
	if (order < 0)
		return smile_error(EPROTO,
				   "%s is damaged, or has more than %u interfaces: a packet has no "
				   "interface; frames before that are good",
				   capture->path, PCAPNG_BLOCKS_INTERFACES);
	if (capture->selected < 0 && capture->blocks.used > 1)
		return smile_error(ENOTSUP,
				   "%s has packets of several interfaces: extract each interface "
				   "N, from 0 on, "
				   "by tshark -r IN -Y 'frame.interface_id == N' -w OUT.pcapng",
				   capture->path);
	return capture->selected < 0 || order == capture->selected;
}

int Monitor_capture_read(struct Monitor_capture *capture, const void **frame, size_t *bytes,
			 uint64_t *time_ns)
{
	struct pcap_pkthdr *header, ahead;
	const u_char *data;
	int result;

	if (capture->dumper)
		return smile_error(EBADF, "%s is being written, not read", capture->path);
	/*
	 * Check the lengths before libpcap reads the frame, because it would wait for all bytes
	 * even of a frame that this code rejects.
	 */
	if (smile_capture_is_pipe(capture)) {
		result = smile_capture_ready(capture, -1);
		if (result < 0)
			return result;
		result = ahead_header(capture, &ahead) ? judge_frame(capture, &ahead) : 0;
		if (result)
			return result;
	}
	do {
		result = frame_next(capture, &header, &data);
		if (result <= 0)
			return result;
		result = judge_frame(capture, header);
		if (!result)
			result = judge_interface(capture);
		if (result < 0)
			return result;
	} while (!result);
	ahead_pass(capture, FRAME_HEAD_BYTES + header->caplen);
	*frame = data;
	*bytes = header->caplen;
	*time_ns = stamp_ns(capture, &header->ts);
	return 1;
}

int Monitor_capture_select(struct Monitor_capture *capture, unsigned int interface)
{
	if (capture->dumper)
		return smile_error(EBADF, "%s is being written, not read", capture->path);
	if (capture->ahead)
		return smile_error(ESPIPE,
				   "%s is no file: it cannot be read once for each interface",
				   capture->path);
	if (interface >= PCAPNG_BLOCKS_INTERFACES)
		return smile_error(EINVAL, "no capture has an interface %u: choose up to %u",
				   interface, PCAPNG_BLOCKS_INTERFACES - 1);
	capture->selected = (int)interface;
	return 0;
}

int Monitor_capture_interface(struct Monitor_capture *capture, unsigned int interface,
			      const char **name)
{
	if (!is_pcapng(capture)) {
		*name = interface ? NULL : "";
		return 1;
	}
	*name = smile_pcapng_blocks_name(&capture->blocks, interface);
	return (int)capture->blocks.used;
}

/*
 * libpcap closes its output file. Duplicate standard output, so that the caller can still use it.
 */
static int standard_output(FILE **out, int *fd)
{
	*fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	*out = *fd < 0 ? NULL : smile_output_stream(*fd);
	return *out ? 0
		    : smile_error(errno, "cannot create the capture standard output: %s",
				  strerror(errno));
}

static int capture_file(FILE **out, int *fd, const char *path)
{
	int error = smile_locked_file(out, fd, path, "capture");

	if (!error)
		error = file_lock_empty(*fd);
	if (!error || !*out)
		return error;
	fclose(*out);
	return smile_error(-error, "cannot create the capture %s: %s", path, strerror(-error));
}

int Monitor_capture_create(struct Monitor_capture **out, const char *path)
{
	struct Monitor_capture *capture;
	FILE *file = NULL;
	int error = smile_pcap_load();

	if (error)
		return error;
	capture = capture_new(path, "standard output");
	if (!capture)
		return smile_error(ENOMEM, "no memory to create the capture %s", path);
	capture->pcap = smile_pcap.open_dead_with_tstamp_precision(BLINK_LINKTYPE, 65535,
								   PCAP_TSTAMP_PRECISION_NANO);
	if (!capture->pcap)
		error = smile_error(ENOMEM, "no memory to create the capture %s", path);
	if (!error) {
		error = strcmp(path, "-") ? capture_file(&file, &capture->fd, path)
					  : standard_output(&file, &capture->fd);
	}
	if (!error) {
		capture->dumper = smile_pcap.dump_fopen(capture->pcap, file);
		if (!capture->dumper) {
			error = smile_error(EIO, "cannot create the capture %s: %s", capture->path,
					    smile_pcap.geterr(capture->pcap));
			fclose(file);
		}
	}
	if (error) {
		capture_free(capture);
		return error;
	}
	*out = capture;
	return 0;
}

int Monitor_capture_write(struct Monitor_capture *capture, const void *frame, size_t bytes,
			  uint64_t time_ns)
{
	struct pcap_pkthdr header = {
		.ts.tv_sec = (time_t)(time_ns / NS_PER_S),
		.ts.tv_usec = (suseconds_t)(time_ns % NS_PER_S),
		.caplen = (bpf_u_int32)bytes,
		.len = (bpf_u_int32)bytes,
	};

	if (!capture->dumper)
		return smile_error(EBADF, "%s is being read, not written", capture->path);
	if (bytes > 65535)
		return smile_error(EINVAL, "a frame of %zu bytes is no B-Link frame: at most %u",
				   bytes, BLINK_BYTES_MAX);
	if (time_ns / NS_PER_S > UINT32_MAX)
		return smile_error(EINVAL,
				   "a time stamp of %" PRIu64 " ns does not fit into a pcap file: "
				   "its seconds have 32 bits",
				   time_ns);
	errno = 0;
	smile_pcap.dump((u_char *)capture->dumper, &header, frame);
	if (ferror(smile_pcap.dump_file(capture->dumper)))
		return smile_error(errno ? errno : EIO, "cannot write to the capture %s: %s",
				   capture->path, strerror(errno ? errno : EIO));
	return 0;
}

int smile_capture_fd(struct Monitor_capture *capture)
{
	return capture->fd;
}

int Monitor_capture_flush(struct Monitor_capture *capture)
{
	errno = 0;
	if (capture->dumper && (smile_pcap.dump_flush(capture->dumper) < 0 ||
				ferror(smile_pcap.dump_file(capture->dumper))))
		return smile_error(errno ? errno : EIO, "cannot write to the capture %s: %s",
				   capture->path, strerror(errno ? errno : EIO));
	return 0;
}

int Monitor_capture_close(struct Monitor_capture *capture)
{
	int error;

	if (!capture)
		return 0;
	error = Monitor_capture_flush(capture);
	if (capture->dumper)
		smile_pcap.dump_close(capture->dumper);
	capture_free(capture);
	return error;
}
