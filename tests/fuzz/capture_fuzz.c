/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fuzzing the readers of untrusted files: recordings, captures, and the QEMU device's pcap stream.
 *
 * What lives here: the first byte selects the reader of the rest of the input. None may crash, each
 * refusal has a message, and a reader's result must be possible. It may use fuzz.h, the public API,
 * emu/qemu/pcap_stream.h, libpcap and Linux.
 */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "emu/qemu/pcap_stream.h"
#include "tests/fuzz/fuzz.h"

#define RECORDS 64U
#define ROWS 64U
#define PHASES 16U
#define NODES 16U
#define SOURCE_BYTES 64U

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "capture_fuzz: %s\n", what);
	abort();
}

/* A refusal returns -errno, and has a message that names the error. */
static int refused(int ret)
{
	if (ret >= 0)
		return 0;
	must(ret > -4096, "an error that is no errno");
	must(Monitor_error_message()[0] != '\0', "an error without a message");
	return 1;
}

/* Create a file with these contents; @path receives its name. */
static int file_with(const void *data, size_t size, char path[SOURCE_BYTES], const char *prefix)
{
	int fd = memfd_create("fuzz", 0);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0) {
		perror("capture_fuzz");
		abort();
	}
	snprintf(path, SOURCE_BYTES, "%s/proc/self/fd/%d", prefix, fd);
	return fd;
}

/* ---- views --------------------------------------------------------------------------------- */

static void check_rows(struct Monitor *mon)
{
	static struct Monitor_histogram_row rows[ROWS];
	static uint64_t counts[SMILE_PAGE_BYTES / SMILE_WORD_BYTES * NODES];
	static uint64_t straddling[NODES];
	int there = Monitor_histogram_info(mon, rows, ROWS);

	refused(there);
	for (int i = 0; i < there && i < (int)ROWS; i++) {
		const struct Monitor_histogram_row *row = &rows[i];
		uint64_t total = 0;
		int sections;

		must(row->accesses > 0, "a row without accesses");
		must(row->ratio > 0 && row->ratio <= 1, "a ratio out of range");
		/* Untyped records are counted in none of the three. */
		must(row->reads + row->writes + row->locks <= row->accesses,
		     "more reads, writes and locks than accesses");
		must(Monitor_page_home(mon, row->page) >= 0 ||
			     Monitor_page_home(mon, row->page) == -EMLINK,
		     "the home of a page that is there");
		must(Monitor_phase_info(mon, row->home, row->page, counts, PHASES, NODES) >= 0,
		     "phases of a page that is there");
		sections = Monitor_sections_info(mon, row->home, row->page, 64, counts, straddling,
						 NODES);
		must(sections == SMILE_PAGE_BYTES / 64, "sections of a page that is there");
		if (row->source >= NODES)
			continue;
		for (int k = 0; k < sections; k++)
			total += counts[(size_t)k * NODES + row->source];
		must(total + straddling[row->source] == row->accesses,
		     "sections do not add up to the page");
	}
}

/* Check the data about the program. */
static void check_program(struct Monitor *mon)
{
	static struct Monitor_home homes[ROWS];
	static struct Monitor_region regions[ROWS];
	const char *parameters = Monitor_parameters(mon);
	struct Monitor_region found;
	int there = Monitor_homes(mon, homes, ROWS);

	for (int i = 0; i < there && i < (int)ROWS; i++) {
		must(homes[i].pages > 0 && homes[i].node <= 65535, "a home that cannot be");
		must(i == 0 || homes[i].page >= homes[i - 1].page + homes[i - 1].pages,
		     "homes that overlap");
	}
	there = Monitor_regions(mon, regions, ROWS);
	for (int i = 0; i < there && i < (int)ROWS; i++) {
		must(regions[i].start < regions[i].end, "an empty region");
		must(Monitor_region_find(mon, regions[i].start, &found) == 0 &&
			     found.start <= regions[i].start,
		     "a region that is not found");
		must(strlen(regions[i].name) < 1 << 21, "a region's name");
	}
	must(!parameters || strlen(parameters) < 1 << 21, "parameters");
	for (size_t i = 0; i < PHASES; i++)
		must(strlen(Monitor_phase_name(mon, i)) < 1 << 21, "a phase's name");
}

static void check_views(struct Monitor *mon)
{
	static uint64_t packets[NODES * NODES];
	static uint64_t statics[PHASES * SMILE_STATIC_COUNTERS];
	struct Monitor_phase phases[PHASES];
	struct Monitor_origin origin;
	struct smile_static tables;
	struct Monitor_loss loss;
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_info info = {.size = sizeof(info)};

	refused(Monitor_nodes(mon));
	refused(Monitor_get_packets(mon, packets, NODES));
	refused(Monitor_phases(mon, phases, PHASES));
	refused(Monitor_static_counts(mon, statics, PHASES));
	refused(Monitor_statistics(mon, &statistics));
	refused(Monitor_info(mon, &info));
	refused(Monitor_static_info(mon, &tables));
	if (!refused(Monitor_origin(mon, &origin)))
		must(strlen(origin.host) + strlen(origin.command_line) < 1 << 21, "strings");
	if (!refused(Monitor_loss(mon, &loss)) && loss.balanced)
		must(loss.known && loss.accepted == loss.delivered + loss.lost, "a false balance");
	check_rows(mon);
	check_program(mon);
}

/* Read a source to its end, in two ways, and check all views. */
static void read_source(struct Monitor *mon)
{
	struct smile_record records[RECORDS];
	struct Monitor_record decoded;
	int ret;

	ret = Monitor_poll(mon, 0);
	refused(ret);
	for (unsigned int errors = 0; errors < 100 && Monitor_ended(mon) == 0;) {
		ret = Monitor_records_read(mon, records, RECORDS, 0);
		if (refused(ret) || ret == 0) {
			errors++;
			continue;
		}
		must(ret <= (int)RECORDS, "too many records");
		for (int i = 0; i < ret; i++)
			refused(Monitor_record_decode(&records[i], &decoded));
	}
	check_views(mon);
}

/* ---- readers ------------------------------------------------------------------------------- */

static void fuzz_source(const uint8_t *data, size_t size, const char *prefix)
{
	char source[SOURCE_BYTES];
	int fd = file_with(data, size, source, prefix);
	struct Monitor *mon;

	if (!refused(Monitor_open(&mon, source))) {
		if (strncmp(prefix, "emu", 3) == 0)
			refused(Monitor_start(mon));
		read_source(mon);
		if (strncmp(prefix, "emu", 3) == 0)
			refused(Monitor_swap(mon));
		check_views(mon);
		refused(Monitor_close(mon));
	}
	close(fd);
}

/* A configuration of the emulated card, without timers: time stamps can be far apart. */
static void configure(struct Monitor *mon, struct fuzz_input *input)
{
	struct smile_config config;
	struct smile_static tables;
	int event;

	Monitor_config_default(&config);
	config.node = fuzz_byte(input);
	config.filter = (uint32_t)fuzz_number(input, 2);
	config.mode = fuzz_byte(input) & SMILE_MODE_ALL;
	config.max_range_bytes = 4U << (fuzz_byte(input) & 15);
	config.entries = fuzz_byte(input);
	refused(Monitor_config_set(mon, &config));
	Monitor_static_default(&tables);
	event = Monitor_static_event(&tables, fuzz_byte(input), fuzz_number(input, 4),
				     fuzz_number(input, 2), (unsigned int)fuzz_number(input, 1));
	if (!refused(event))
		refused(Monitor_static_counter(&tables, event, (int8_t)fuzz_byte(input),
					       (int8_t)fuzz_byte(input)));
	if (fuzz_byte(input) & 1)
		tables.event[fuzz_byte(input) % SMILE_STATIC_EVENTS] =
			(uint32_t)fuzz_number(input, 4);
	refused(Monitor_static_set(mon, &tables));
}

static void fuzz_configured(struct fuzz_input *input)
{
	char source[SOURCE_BYTES];
	/*
	 * The configuration is at the end, so that the capture starts at the same offset as in
	 * other inputs.
	 */
	size_t tail = input->left < 32 ? input->left : 32;
	struct fuzz_input last = {input->data + input->left - tail, tail};
	int fd = file_with(input->data, input->left - tail, source, "emu:");
	struct Monitor *mon;

	if (!refused(Monitor_open(&mon, source))) {
		configure(mon, &last);
		refused(Monitor_start(mon));
		read_source(mon);
		refused(Monitor_stop(mon));
		refused(Monitor_swap(mon));
		check_views(mon);
		must(Monitor_close(mon) != -EBADMSG, "records are missing");
	}
	close(fd);
}

/* A recording is read, saved again, and read again: nothing is added or left out. */
static void fuzz_saved(const uint8_t *data, size_t size)
{
	char source[SOURCE_BYTES], copy[SOURCE_BYTES], again[SOURCE_BYTES];
	struct Monitor_loss before, after;
	struct Monitor *mon;
	int fd[2];

	fd[0] = file_with(data, size, source, "file:");
	fd[1] = file_with("", 0, copy, "");
	snprintf(again, sizeof(again), "file:%.*s", (int)sizeof(again) - 6, copy);
	if (!refused(Monitor_open(&mon, source))) {
		int saved = !refused(Monitor_save(mon, copy, "again"));
		int homes = Monitor_homes(mon, NULL, 0), regions = Monitor_regions(mon, NULL, 0);

		read_source(mon);
		must(Monitor_loss(mon, &before) == 0, "no loss account");
		refused(Monitor_close(mon));
		if (saved) {
			must(Monitor_open(&mon, again) == 0, "what was saved cannot be read");
			/* If a recording was not closed, nothing is written behind its records. */
			must(!before.known || (Monitor_homes(mon, NULL, 0) == homes &&
					       Monitor_regions(mon, NULL, 0) == regions),
			     "a copy with another map");
			read_source(mon);
			must(Monitor_loss(mon, &after) == 0, "no loss account of the copy");
			must(after.delivered == before.delivered && after.lost == before.lost &&
				     after.marks_lost == before.marks_lost &&
				     after.static_delivered == before.static_delivered,
			     "a copy that reports something else");
			refused(Monitor_close(mon));
		}
	}
	close(fd[0]);
	close(fd[1]);
}

/* Two recordings in one view. */
static void fuzz_merged(struct fuzz_input *input)
{
	size_t first = fuzz_number(input, 2);
	char source[SOURCE_BYTES], other[SOURCE_BYTES];
	struct Monitor *mon;
	int fd[2];

	if (first > input->left)
		first = input->left;
	fd[0] = file_with(input->data, first, source, "file:");
	fd[1] = file_with(input->data + first, input->left - first, other, "");
	if (!refused(Monitor_open(&mon, source))) {
		refused(Monitor_attach(mon, other));
		read_source(mon);
		refused(Monitor_close(mon));
	}
	close(fd[0]);
	close(fd[1]);
}

/*
 * The number of packets that libpcap reads from a file. @whole: receives whether libpcap has read
 * it to its end. libpcap refuses an interface whose snap length differs from that of the first
 * interface.
 */
static uint64_t packets_of(const char *path, bool *whole)
{
	char text[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *header;
	pcap_t *pcap = pcap_open_offline(path, text);
	const u_char *data;
	uint64_t packets = 0;
	int ret = PCAP_ERROR;

	while (pcap && (ret = pcap_next_ex(pcap, &header, &data)) == 1)
		packets++;
	if (pcap)
		pcap_close(pcap);
	*whole = ret == PCAP_ERROR_BREAK;
	return packets;
}

/* Read each interface separately: together they have all packets. */
static void fuzz_interfaces(const char *path)
{
	struct Monitor_capture *capture;
	unsigned int count = 1;
	uint64_t time_ns, others, packets = 0;
	const void *frame;
	const char *name;
	size_t bytes;
	bool whole;
	int ret = 0;

	for (unsigned int i = 0; i < count && ret == 0; i++) {
		must(Monitor_capture_open(&capture, path) == 0, "a capture opens only once");
		must(Monitor_capture_select(capture, i) == 0, "an interface cannot be selected");
		while ((ret = Monitor_capture_read(capture, &frame, &bytes, &time_ns)) > 0)
			packets++;
		refused(ret);
		count = (unsigned int)Monitor_capture_interface(capture, i, &name);
		must(i >= count || (name && strlen(name) < 64), "an interface without a name");
		must(Monitor_capture_interface(capture, count, &name) == 1 || !name,
		     "an interface without packets");
		refused(Monitor_capture_close(capture));
	}
	others = packets_of(path, &whole);
	must(ret < 0 || packets == others || (packets > others && !whole),
	     "packets of no interface");
}

static void fuzz_capture(const uint8_t *data, size_t size)
{
	char path[SOURCE_BYTES];
	int fd = file_with(data, size, path, "");
	struct Monitor_capture *capture;
	const void *frame;
	uint64_t time_ns;
	uint32_t sum = 0;
	size_t bytes;
	int ret;

	if (!refused(Monitor_capture_open(&capture, path))) {
		while ((ret = Monitor_capture_read(capture, &frame, &bytes, &time_ns)) > 0)
			for (size_t i = 0; i < bytes; i++)
				sum += ((const uint8_t *)frame)[i];
		refused(ret);
		refused(Monitor_capture_close(capture));
		fuzz_interfaces(path);
	}
	/*
	 * The sum has read every byte, so that a sanitizer detects a frame outside of the buffer.
	 */
	must(sum == 0 || size > 0, "bytes from nowhere");
	close(fd);
}

/* ---- the pcap stream ----------------------------------------------------------------------- */

/* A summary of a stream, which does not depend on the pieces in which the stream arrived. */
struct heard {
	uint64_t frames;
	uint64_t bytes;
	uint64_t time_ns;
	const char *error;
};

/* Pass @data to the stream in pieces of @piece bytes. */
static struct heard hear(const uint8_t *data, size_t size, size_t piece)
{
	struct pcap_stream stream;
	struct heard heard = {0};
	size_t at = 0, arrived = 0;

	pcap_stream_reset(&stream);
	while (arrived < size) {
		arrived = arrived + piece < size ? arrived + piece : size;
		for (;;) {
			struct pcap_frame frame, again;
			int ret = pcap_stream_next(&stream, data + at, arrived - at, &frame);

			if (ret <= 0) {
				must(ret == 0 || stream.error, "an error without a message");
				break;
			}
			must((size_t)ret <= arrived - at, "more consumed than there is");
			if (frame.data) {
				must(pcap_stream_next(&stream, data + at, arrived - at, &again) ==
						     ret &&
					     again.data == frame.data && again.bytes == frame.bytes,
				     "asked twice, answered differently");
				must(frame.data >= data + at &&
					     frame.data + frame.bytes <= data + at + ret,
				     "a frame outside of what was consumed");
				heard.frames++;
				heard.bytes += frame.bytes;
				heard.time_ns += frame.time_ns;
			}
			at += (size_t)ret;
		}
	}
	heard.error = stream.error;
	return heard;
}

static void fuzz_stream(struct fuzz_input *input)
{
	size_t piece = 1 + fuzz_byte(input);
	struct heard whole = hear(input->data, input->left, input->left ? input->left : 1);
	struct heard pieces = hear(input->data, input->left, piece);

	must(whole.frames == pieces.frames && whole.bytes == pieces.bytes &&
		     whole.time_ns == pieces.time_ns && whole.error == pieces.error,
	     "a stream that depends on how it arrives");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {.data = data, .left = size};

	switch (fuzz_byte(&input)) {
	case 'r':
		fuzz_source(input.data, input.left, "file:");
		break;
	case 'e':
		fuzz_source(input.data, input.left, "emu:");
		break;
	case 'E':
		fuzz_configured(&input);
		break;
	case 'w':
		fuzz_saved(input.data, input.left);
		break;
	case 'm':
		fuzz_merged(&input);
		break;
	case 'c':
		fuzz_capture(input.data, input.left);
		break;
	case 's':
		fuzz_stream(&input);
		break;
	}
	return 0;
}
