/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench in the guest. In one run, packets pass through a card, and a consumer gets the records by
 * one of several ways; the program measures the cost of this way. Prints one line of NAME=VALUE
 * pairs. Fails if a record is missing that the card has not reported as lost, or if there is a
 * record that no sent packet can have caused.
 *
 * What lives here: the run, and the interrupts and times that the guest itself counts. guest_feed
 * sends the traffic, and reports the processor time that the guest used on its host. May use: the
 * ways (guest_bench.h), the port to the host.
 *
 * usage: guest_bench WAY CARD RATE PACKETS EVENTS [pause=MS] [watermark=RECORDS] [latency=US]
 *        guest_bench memory 0 0 PACKETS 0
 *        guest_bench idle 0 0 0 0 pause=MS
 *
 * pause: every 100 ms the consumer does nothing for this long.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/smile_regs.h>

#include "tests/bench/guest_bench.h"

#define PORT "/dev/virtio-ports/org.smile.bench"
#define PAUSE_EVERY_NS 100000000ULL
#define PATIENCE_S 60 /* no wait takes nearly as long */
#define MEMORY_RECORDS 65536
#define NS_PER_MS 1000000ULL
#define NS_PER_S 1000000000ULL

struct account {
	struct wire_answer qemu;
	uint64_t time_ns;
	uint64_t interrupts; /* of every kind, all processors */
	uint64_t idle_ns;
};

static struct consumer consumer;
static const struct wire_request nothing;

void fail(const char *what)
{
	fprintf(stderr, "guest_bench: %s: %s\n", what, strerror(errno));
	exit(2);
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- cards ---- */

static bool is_card(const char *address)
{
	unsigned int subdevice = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.32s/subsystem_device", address);
	file = fopen(path, "re");
	if (file && fscanf(file, "%x", &subdevice) != 1)
		subdevice = 0;
	if (file)
		fclose(file);
	return subdevice == SMILE_PCI_SUBDEVICE;
}

void card_path(int card, const char *file, char path[128])
{
	struct dirent **entries;
	int count = scandir("/sys/bus/pci/devices", &entries, NULL, alphasort), found = 0;

	for (int i = 0; i < count; i++) {
		if (!is_card(entries[i]->d_name) || found++ != card)
			continue;
		snprintf(path, 128, "/sys/bus/pci/devices/%.32s/%.64s", entries[i]->d_name, file);
		return;
	}
	errno = ENODEV;
	fail("there are not so many cards");
}

int card_open(int card, const char *class)
{
	char directory[128], path[64];
	const struct dirent *entry;
	int fd = -1;
	DIR *dir;

	card_path(card, class, directory);
	dir = opendir(directory);
	while (dir && fd < 0 && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, class, strlen(class)))
			continue;
		snprintf(path, sizeof(path), "/dev/%.32s", entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
	}
	if (dir)
		closedir(dir);
	return fd;
}

/* ---- the consumer ---- */

void consume_rare(struct consumer *who, const struct smile_record *record)
{
	uint32_t kind = SMILE_GET(SMILE_RECORD_KIND, record->word[0]);
	uint64_t wide = (uint64_t)record->word[3] << 32 | record->word[2];

	if (kind == SMILE_KIND_LOST) {
		who->lost += wide;
		who->events_lost += record->word[1];
	} else if (kind == SMILE_KIND_EVENT) {
		uint64_t place = who->events + who->events_lost;

		/* Without a loss, each record has the next number. */
		if (!who->events_lost &&
		    SMILE_GET(SMILE_RECORD_COUNT, record->word[0]) != place % WIRE_IDS)
			who->bad = true;
		if (who->events < LATENCY_SAMPLES_MAX)
			who->arrivals[who->events] = (struct arrival){wide, now_ns()};
		who->events++;
	} else {
		who->bad = true;
	}
}

/* Whether each sent packet has been received or reported as lost. */
static bool complete(const struct wire_request *request)
{
	return consumer.counted + consumer.lost >= request->packets &&
	       consumer.events + consumer.events_lost >= request->events;
}

/* If nothing was lost, each page must have been counted as often as it was sent. */
static void check(const struct wire_request *request)
{
	errno = EBADMSG;
	if (consumer.bad)
		fail("a record that nothing sent can have made");
	if (consumer.counted + consumer.lost != request->packets ||
	    consumer.events + consumer.events_lost != request->events)
		fail("more counted than sent");
	for (uint64_t page = 0; !consumer.lost && page < WIRE_PAGES; page++) {
		if (consumer.counts[page] !=
		    (request->packets + WIRE_PAGES - 1 - page) / WIRE_PAGES)
			fail("a page was counted wrongly");
	}
}

/* ---- the accounts ---- */

static int port = -1;

/* Send the host a request for traffic, and receive the processor time that QEMU has used so far. */
static struct wire_answer ask(const struct wire_request *request)
{
	struct wire_answer answer;
	size_t got = 0;

	if (port < 0)
		port = open(PORT, O_RDWR | O_CLOEXEC);
	if (port < 0 || write(port, request, sizeof(*request)) != sizeof(*request))
		fail(PORT);
	while (got < sizeof(answer)) {
		ssize_t bytes = read(port, (char *)&answer + got, sizeof(answer) - got);

		if (bytes <= 0)
			fail(PORT);
		got += (size_t)bytes;
	}
	return answer;
}

static void read_interrupts(struct account *account)
{
	FILE *file = fopen("/proc/stat", "re");
	unsigned long long interrupts;
	bool found = false;
	char line[4096];

	while (file && fgets(line, sizeof(line), file)) {
		if (!found && sscanf(line, "intr %llu", &interrupts) == 1) {
			account->interrupts = interrupts;
			found = true;
		}
	}
	if (!found)
		fail("/proc/stat");
	fclose(file);
}

/*
 * How long the processors have been idle [ns]. /proc/stat has this time in hundredths of a second.
 * If another processor is idle right now, the time since it became idle is missing; but the guest
 * of the bench has only one processor.
 */
static void read_idle(struct account *account)
{
	FILE *file = fopen("/proc/timer_list", "re");
	unsigned long long ns;
	bool found = false;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " .idle_sleeptime : %llu", &ns) != 1 &&
		    sscanf(line, " .iowait_sleeptime: %llu", &ns) != 1)
			continue;
		account->idle_ns += ns;
		found = true;
	}
	if (!found)
		fail("/proc/timer_list");
	fclose(file);
}

/*
 * To read the kernel's counters takes milliseconds, in which some thousands of records would be
 * read. So they are read before and after the measured time. While they are read, no processor is
 * idle.
 */
static struct account account_begin(const struct wire_request *request)
{
	struct account account = {0};

	read_interrupts(&account);
	read_idle(&account);
	account.time_ns = now_ns();
	account.qemu = ask(request);
	return account;
}

static struct account account_end(void)
{
	struct account account = {0};

	account.qemu = ask(&nothing);
	account.time_ns = now_ns();
	read_idle(&account);
	read_interrupts(&account);
	return account;
}

/* ---- latency ---- */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/*
 * The card's clock is the machine's clock (pace=realtime). The kernel's clock, which is derived
 * from the same clock, may run a little faster or slower. So the two clocks are compared before and
 * after the run.
 */
static void print_latency(struct arrival first, struct arrival last)
{
	static int64_t latency_ns[LATENCY_SAMPLES_MAX];
	uint64_t count = consumer.events;
	double slope;

	if (count > LATENCY_SAMPLES_MAX)
		count = LATENCY_SAMPLES_MAX;
	if (!count || last.card_ns <= first.card_ns)
		return;
	slope = (double)(last.at_ns - first.at_ns) / (double)(last.card_ns - first.card_ns);
	for (uint64_t i = 0; i < count; i++) {
		const struct arrival *arrival = &consumer.arrivals[i];
		double raised = (double)(int64_t)(arrival->card_ns - first.card_ns) * slope;

		latency_ns[i] = (int64_t)(arrival->at_ns - first.at_ns) - (int64_t)raised;
	}
	qsort(latency_ns, count, sizeof(latency_ns[0]), compare);
	printf(" samples=%llu lowest_us=%.1f median_us=%.1f p99_us=%.1f", (unsigned long long)count,
	       (double)latency_ns[0] / 1e3, (double)latency_ns[count / 2] / 1e3,
	       (double)latency_ns[count * 99 / 100] / 1e3);
}

/* ---- the run ---- */

static void sleep_ms(uint32_t ms)
{
	const struct timespec nap = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000 * NS_PER_MS)};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
}

static void print_accounts(const char *name, const struct wire_request *request,
			   const struct account *before, const struct account *after)
{
	uint64_t wall = after->time_ns - before->time_ns;
	uint64_t all = wall * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t idle = after->idle_ns - before->idle_ns;

	printf("bench way=%s rate=%u sent=%llu records=%llu lost=%llu wall_ns=%llu", name,
	       request->rate, (unsigned long long)(request->packets + request->events),
	       (unsigned long long)consumer.records,
	       (unsigned long long)(consumer.lost + consumer.events_lost),
	       (unsigned long long)wall);
	if (consumer.looking_ns)
		printf(" looking_ns=%llu", (unsigned long long)consumer.looking_ns);
	printf(" processors_ns=%llu board_ns=%llu busy_ns=%llu all_interrupts=%llu",
	       (unsigned long long)(after->qemu.processors_ns - before->qemu.processors_ns),
	       (unsigned long long)(after->qemu.board_ns - before->qemu.board_ns),
	       (unsigned long long)(all > idle ? all - idle : 0),
	       (unsigned long long)(after->interrupts - before->interrupts));
}

static void run(const struct way *way, const struct options *options,
		const struct wire_request *request, uint32_t pause_ms)
{
	struct arrival first, last;
	struct account before, after;
	uint64_t begin = 0, end, next, takes = 0;

	way->open(options);
	first = way->clock();
	before = account_begin(request);
	next = before.time_ns + PAUSE_EVERY_NS;
	while (!complete(request)) {
		way->take(&consumer);
		takes++;
		if (!begin)
			begin = now_ns();
		if (pause_ms && now_ns() >= next) {
			sleep_ms(pause_ms);
			next += PAUSE_EVERY_NS;
		}
	}
	end = now_ns();
	after = account_end();
	last = way->clock();
	check(request);
	print_accounts(way->name, request, &before, &after);
	printf(" flow_ns=%llu takes=%llu interrupts=%llu", (unsigned long long)(end - begin),
	       (unsigned long long)takes, (unsigned long long)way->interrupts());
	print_latency(first, last);
	printf("\n");
	way->close();
}

static void run_idle(uint32_t ms)
{
	struct account before, after;

	before = account_begin(&nothing);
	sleep_ms(ms);
	after = account_end();
	print_accounts("idle", &nothing, &before, &after);
	printf("\n");
}

/*
 * The upper bound: the records that fit in the driver's default buffer are in memory, and are
 * consumed repeatedly, without card, driver and waits. No way can need less time for a record.
 */
static void run_memory(const struct wire_request *request)
{
	static struct smile_record records[MEMORY_RECORDS];
	struct account before, after;
	uint64_t left;

	for (uint32_t i = 0; i < MEMORY_RECORDS; i++) {
		records[i].word[0] = SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_DYNAMIC) |
				     SMILE_PUT(SMILE_RECORD_COUNT, 1);
		records[i].word[2] = i % WIRE_PAGES * SMILE_PAGE_BYTES;
	}
	before = account_begin(&nothing);
	consumer.looking_ns = now_ns();
	for (left = request->packets; left; left -= left < MEMORY_RECORDS ? left : MEMORY_RECORDS)
		consume(&consumer, records, left < MEMORY_RECORDS ? left : MEMORY_RECORDS);
	consumer.looking_ns = now_ns() - consumer.looking_ns;
	after = account_end();
	check(request);
	print_accounts("memory", request, &before, &after);
	printf(" flow_ns=%llu interrupts=0\n",
	       (unsigned long long)(after.time_ns - before.time_ns));
}

static const struct way *find(const struct way *ways, const char *name)
{
	for (; ways->name; ways++) {
		if (!strcmp(ways->name, name))
			return ways;
	}
	return NULL;
}

static uint32_t option(int argc, char **argv, const char *name)
{
	size_t length = strlen(name);

	for (int i = 6; i < argc; i++) {
		if (!strncmp(argv[i], name, length) && argv[i][length] == '=')
			return (uint32_t)strtoul(argv[i] + length + 1, NULL, 10);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct wire_request request;
	struct options options;
	const struct way *way;
	uint32_t pause_ms;

	errno = EINVAL;
	if (argc < 6)
		fail("give WAY CARD RATE PACKETS EVENTS");
	pause_ms = option(argc, argv, "pause");
	request = (struct wire_request){
		.card = (uint32_t)strtoul(argv[2], NULL, 10),
		.rate = (uint32_t)strtoul(argv[3], NULL, 10),
		.packets = strtoull(argv[4], NULL, 10),
		.events = strtoull(argv[5], NULL, 10),
	};
	options = (struct options){
		.card = (int)request.card,
		.watermark_records = option(argc, argv, "watermark"),
		.latency_us = option(argc, argv, "latency"),
	};
	alarm(PATIENCE_S);
	if (!strcmp(argv[1], "idle")) {
		run_idle(pause_ms);
		return 0;
	}
	if (!strcmp(argv[1], "memory")) {
		run_memory(&request);
		return 0;
	}
	way = find(driver_ways, argv[1]);
	if (!way)
		way = find(peer_ways, argv[1]);
	if (!way)
		fail(argv[1]);
	run(way, &options, &request, pause_ms);
	return 0;
}
