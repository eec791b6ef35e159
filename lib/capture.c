/* SPDX-License-Identifier: MIT */
/*
 * Capture: B-Link packets with time stamps, read and written through libpcap.
 *
 * What lives here: everything that knows libpcap. One capture packet is one B-Link frame; link type
 * USER0 (147); time stamps in nanoseconds.
 */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hw/blink.h>
#include <smile/monitor.h>

#include "lib/capture.h"
#include "lib/error.h"

/**
 * struct Monitor_capture - An open capture, for reading or for writing.
 * @path: its name, for messages
 * @pcap: libpcap's handle
 * @dumper: libpcap's writer, NULL when reading
 */
struct Monitor_capture {
	char *path;
	pcap_t *pcap;
	pcap_dumper_t *dumper;
};

#define NS_PER_S 1000000000ULL

static struct Monitor_capture *capture_new(const char *path, const char *stream)
{
	struct Monitor_capture *capture = calloc(1, sizeof(*capture));

	if (!capture)
		return NULL;
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
		pcap_close(capture->pcap);
	free(capture->path);
	free(capture);
}

/* libpcap calls anything that it does not know "unknown file format"; users mostly meet these. */
static const char *compressed_remedy(FILE *file, const char *path)
{
	static const struct {
		const char *magic;
		size_t length;
		const char *remedy;
	} known[] = {
		{"\xfd"
		 "7zXZ",
		 5, "xz-compressed: xz -dc FILE | smile replay -"},
		{"\x1f\x8b", 2, "gzip-compressed: gzip -dc FILE | smile replay -"},
		{"\x28\xb5\x2f\xfd", 4, "zstd-compressed: zstd -dc FILE | smile replay -"},
		{"SMILEREC", 8, "a recording, not a capture: smile report or smile dump reads it"},
	};
	char head[8] = "";

	if (strcmp(path, "-") == 0 || fseek(file, 0, SEEK_SET) < 0)
		return NULL;
	if (fread(head, 1, sizeof(head), file) == 0)
		return "empty";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (memcmp(head, known[i].magic, known[i].length) == 0)
			return known[i].remedy;
	}
	return NULL;
}

int Monitor_capture_open(struct Monitor_capture **out, const char *path)
{
	struct Monitor_capture *capture;
	char text[PCAP_ERRBUF_SIZE];
	const char *remedy;
	FILE *file, *peek;
	int error;

	file = strcmp(path, "-") ? fopen(path, "re") : fdopen(dup(0), "r");
	if (!file) {
		error = errno;
		return smile_error(error, "cannot open the capture %s: %s", path, strerror(error));
	}
	capture = capture_new(path, "standard input");
	if (!capture) {
		fclose(file);
		return smile_error(ENOMEM, "no memory to open the capture %s", path);
	}

	capture->pcap =
		pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, text);
	if (!capture->pcap) {
		fclose(file);
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
	if (pcap_datalink(capture->pcap) != BLINK_LINKTYPE) {
		error = smile_error(
			EPROTO,
			"%s has link type %d, B-Link captures have %d (USER0): it was not "
			"taken on a B-Link",
			capture->path, pcap_datalink(capture->pcap), BLINK_LINKTYPE);
		capture_free(capture);
		return error;
	}
	*out = capture;
	return 0;
}

int Monitor_capture_read(struct Monitor_capture *capture, const void **frame, size_t *bytes,
			 uint64_t *time_ns)
{
	struct pcap_pkthdr *header;
	const u_char *data;

	if (capture->dumper)
		return smile_error(EBADF, "%s is being written, not read", capture->path);
	switch (pcap_next_ex(capture->pcap, &header, &data)) {
	case 1:
		break;
	case PCAP_ERROR_BREAK:
		return 0;
	default:
		/*
		 * A signal in the middle of a frame leaves nothing that could be gone on with. libpcap
		 * keeps the errno in its message alone.
		 */
		if (strstr(pcap_geterr(capture->pcap), strerror(EINTR)))
			return smile_error(EINTR, "reading %s was interrupted", capture->path);
		return smile_error(EPROTO,
				   "%s is cut off or damaged (%s): frames before that are good",
				   capture->path, pcap_geterr(capture->pcap));
	}
	*frame = data;
	*bytes = header->caplen;
	/* At nanosecond precision libpcap keeps nanoseconds where its name says microseconds. */
	*time_ns = (uint64_t)header->ts.tv_sec * NS_PER_S + (uint64_t)header->ts.tv_usec;
	return 1;
}

int Monitor_capture_create(struct Monitor_capture **out, const char *path)
{
	struct Monitor_capture *capture = capture_new(path, "standard output");
	FILE *file = NULL;
	int error = 0;

	if (!capture)
		return smile_error(ENOMEM, "no memory to create the capture %s", path);
	capture->pcap = pcap_open_dead_with_tstamp_precision(BLINK_LINKTYPE, 65535,
							     PCAP_TSTAMP_PRECISION_NANO);
	if (!capture->pcap)
		error = smile_error(ENOMEM, "no memory to create the capture %s", path);
	if (!error) {
		/* libpcap closes what it writes to: standard output stays the caller's. */
		file = strcmp(path, "-") ? fopen(path, "we") : fdopen(dup(1), "w");
		error = file ? 0
			     : smile_error(errno, "cannot create the capture %s: %s", capture->path,
					   strerror(errno));
	}
	if (!error) {
		capture->dumper = pcap_dump_fopen(capture->pcap, file);
		if (!capture->dumper) {
			error = smile_error(EIO, "cannot create the capture %s: %s", capture->path,
					    pcap_geterr(capture->pcap));
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
	errno = 0;
	pcap_dump((u_char *)capture->dumper, &header, frame);
	if (ferror(pcap_dump_file(capture->dumper)))
		return smile_error(errno ? errno : EIO, "cannot write to the capture %s: %s",
				   capture->path, strerror(errno ? errno : EIO));
	return 0;
}

int smile_capture_fd(struct Monitor_capture *capture)
{
	return fileno(capture->dumper ? pcap_dump_file(capture->dumper) : pcap_file(capture->pcap));
}

int Monitor_capture_flush(struct Monitor_capture *capture)
{
	errno = 0;
	if (capture->dumper &&
	    (pcap_dump_flush(capture->dumper) < 0 || ferror(pcap_dump_file(capture->dumper))))
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
		pcap_dump_close(capture->dumper);
	capture_free(capture);
	return error;
}
