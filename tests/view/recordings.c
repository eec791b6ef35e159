/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * recordings KIND FILE: writes recordings in which every count is known, for the tests of
 * `smile view` and of `smile report`.
 *
 *	known    four nodes, five pages in three regions (one of a hostile name), two named phases;
 *	         what the nodes did with their own memory is known. Page 65536 + k is on node k
 *	         mod 4:
 *	         65536  home 0, node 1: 100 reads of the first word, 10 writes of the last: wrong
 *	         65537  home 1, node 2: 40 reads; its home 500 reads: right
 *	         65538  home 2, nodes 0, 1, 3: 30 reads each: shared
 *	         65539  home 3, node 0: 5 locks: wrong node
 *	         131072 home 0, node 3: 20 writes: wrong node
 *	caches   the same, on a machine with caches in front of all memory, which have not served
 *	         these accesses; in addition, all in the first phase, node 1 has read the first word
 *	         of page 65536 2000 times, and node 2 page 65537 500 times and its own page 65540
 *	         3000 times
 *	program PATH START END ADDRESS...   four nodes, two phases; the variables of PATH are from
 *	         START to END, and page p of it is on node p mod 4; in the first phase the next node
 *	         reads each address once, and in the second the node after that writes it twice
 *	cards    a card's recording without a run: one page on the wrong node
 *	high     one page at 2^44, where memory of smile_alloc() starts: five reads of a word
 *	large    262,144 pages on 64 nodes, each used by three of them, two regions
 *	nothing  no access
 *	odd      two nodes; regions and a phase whose names are hard for CSV, terminals and UTF-8;
 *	         a count of 1 in each page
 *	phases   100 phases; in phase k, from 0 on, k + 1 reads
 *	sim      a recording of `smile sim`, with files for all results; one page on the wrong node
 *	wide     64 nodes; page 65536 + k, k < 40, has k + 1 reads by each other node than k;
 *	         5000 additional writes from node 63 to page 65536: a bottleneck
 *
 * Uses only the public API and the frame format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "tests/harness/blink_request.h"

#define PAGE 65536ULL
#define LARGE_PAGES (1U << 18)
#define LARGE_NODES 64U

static struct Monitor *mon;
static uint64_t now_ns;

static void need(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "recordings: %s: %s\n", what, Monitor_error_message());
	exit(2);
}

static void frame(unsigned int source, unsigned int target, unsigned int command, uint64_t address,
		  unsigned int words)
{
	unsigned char bytes[BLINK_BYTES_MAX];

	blink_request(bytes, source, target, command, 0, address);
	now_ns += 1000;
	need(Monitor_packet(mon, bytes, words * BLINK_WORD_BYTES, now_ns), "packet");
}

/*
 * A request of 4 bytes. The low nibble of the address is the offset of the last byte in 16 bytes.
 */
static void request(unsigned int source, unsigned int home, unsigned int command, uint64_t address)
{
	frame(source, home, command + ((address & 12) | 3), address,
	      command == BLINK_READSB ? 3 : 5);
}

static void many(unsigned int count, unsigned int source, unsigned int home, unsigned int command,
		 uint64_t address)
{
	while (count--)
		request(source, home, command, address);
}

static void region(uint64_t first, uint64_t pages, unsigned int kind, const char *name)
{
	struct Monitor_region one = {
		.start = first * 4096, .end = (first + pages) * 4096, .kind = kind, .name = name};

	need(Monitor_region_add(mon, &one), "region");
}

static void known(void)
{
	struct Monitor_local own = {.page = PAGE + 1, .node = 1, .phase = 1, .reads = 500};

	many(60, 1, 0, BLINK_READSB, PAGE * 4096);
	many(10, 1, 0, BLINK_WRITESB, PAGE * 4096 + 4092);
	many(40, 2, 1, BLINK_READSB, (PAGE + 1) * 4096 + 64);
	frame(0, 0, BLINK_EVENT00, 0, 3);
	need(Monitor_phase_name_add(mon, 0, "begin"), "phase");
	need(Monitor_phase_name_add(mon, now_ns, "solve"), "phase");
	many(40, 1, 0, BLINK_READSB, PAGE * 4096);
	many(30, 0, 2, BLINK_READSB, (PAGE + 2) * 4096);
	many(30, 1, 2, BLINK_READSB, (PAGE + 2) * 4096 + 1024);
	many(30, 3, 2, BLINK_READSB, (PAGE + 2) * 4096 + 2048);
	many(5, 0, 3, BLINK_LOCKSB, (PAGE + 3) * 4096);
	many(20, 3, 0, BLINK_WRITESB, 131072ULL * 4096 + 8);
	region(PAGE, 2, MONITOR_REGION_NAMED, "grid");
	region(PAGE + 2, 2, MONITOR_REGION_NAMED, "</script><b>\"&x");
	region(131072, 1, MONITOR_REGION_HEAP, "");
	for (unsigned int node = 0; node < 4; node++) {
		need(Monitor_local_node_add(mon, node), "node");
		need(Monitor_home_add(mon, PAGE + node, 1, node), "home");
	}
	need(Monitor_home_add(mon, 131072, 1, 0), "home");
	need(Monitor_local_add(mon, &own), "own accesses");
	need(Monitor_parameters_set(
		     mon, "{\"schema\":\"smile.run/1\",\"latency\":{\"model\":\"test\","
			  "\"frequency_hz\":100000000,\"local_cycles\":1,\"remote_cycles\":"
			  "{\"read\":101,\"write\":11,\"lock\":201}}}"),
	     "parameters");
}

static void accessed(unsigned int node, unsigned int home, uint64_t page, uint32_t reads)
{
	need(Monitor_accesses_add(mon, 0, Monitor_request(node, home, SMILE_TYPE_READ, page * 4096),
				  4, &reads, 1),
	     "accesses");
}

static void caches(void)
{
	known();
	accessed(1, 0, PAGE, 2000);
	accessed(2, 1, PAGE + 1, 500);
	accessed(2, 2, PAGE + 4, 3000);
	for (unsigned int node = 0; node < 4; node++)
		need(Monitor_accesses_node_add(mon, node), "node");
	need(Monitor_parameters_set(
		     mon,
		     "{\"schema\":\"smile.run/2\",\"caches\":[],\"latency\":{\"model\":\"test\","
		     "\"frequency_hz\":100000000,\"local_cycles\":1,\"remote_cycles\":"
		     "{\"read\":101,\"write\":11,\"lock\":201}}}"),
	     "parameters");
}

static void high(void)
{
	uint64_t address = 1ULL << 44;

	many(5, 1, 0, BLINK_READSB, address);
	region(address / 4096, 1, MONITOR_REGION_NAMED, "high");
}

static void phases(void)
{
	for (unsigned int k = 0; k < 100; k++) {
		if (k)
			frame(0, 0, BLINK_EVENT00, 0, 3);
		many(k + 1, 1, 0, BLINK_READSB, PAGE * 4096);
	}
}

static void large(void)
{
	for (uint64_t k = 0; k < LARGE_PAGES; k++) {
		unsigned int home = (unsigned int)(k % LARGE_NODES);
		unsigned int user = (unsigned int)(k * LARGE_NODES / LARGE_PAGES);
		uint64_t address = (PAGE + k) * 4096;

		for (unsigned int i = 0; i < 3; i++)
			if ((user + 7 * i) % LARGE_NODES != home)
				request((user + 7 * i) % LARGE_NODES, home,
					i == 1 ? BLINK_WRITESB : BLINK_READSB, address + 64 * i);
	}
	region(PAGE, LARGE_PAGES / 2, MONITOR_REGION_NAMED, "left");
	region(PAGE + LARGE_PAGES / 2, LARGE_PAGES / 2, MONITOR_REGION_NAMED, "right");
}

static void odd(void)
{
	static const char *const names[] = {
		"a,b",	       "say \"so\"",
		"two\nlines",  "\xff\xfe\x41",
		"=1+1",	       "\xe6\x97\xa5\xe6\x9c\xac-\xc3\xa9t\xc3\xa9",
		"\033[31mred", "a long name of a region of memory, cut"};

	for (unsigned int k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		request(1, 0, BLINK_READSB, (PAGE + k) * 4096);
		region(PAGE + k, 1, MONITOR_REGION_NAMED, names[k]);
	}
	need(Monitor_phase_name_add(mon, 0, "one, \"two\""), "phase");
}

static void wide(void)
{
	for (unsigned int k = 0; k < 40; k++)
		for (unsigned int node = 0; node < LARGE_NODES; node++)
			if (node != k)
				many(k + 1, node, k, BLINK_READSB, (PAGE + k) * 4096);
	many(5000, LARGE_NODES - 1, 0, BLINK_WRITESB, PAGE * 4096);
	region(PAGE, 40, MONITOR_REGION_NAMED, "matrix");
}

static uint64_t hexadecimal(const char *text)
{
	return strtoull(text, NULL, 16);
}

static void program(char **arguments, int count)
{
	struct Monitor_region one = {
		.start = hexadecimal(arguments[1]),
		.end = hexadecimal(arguments[2]),
		.kind = MONITOR_REGION_GLOBAL,
		.name = arguments[0],
	};

	for (int i = 3; i < count; i++) {
		uint64_t address = hexadecimal(arguments[i]);
		unsigned int home = (unsigned int)(address / 4096 % 4);

		many(1, (home + 1) % 4, home, BLINK_READSB, address);
	}
	frame(0, 0, BLINK_EVENT00, 0, 3);
	for (int i = 3; i < count; i++) {
		uint64_t address = hexadecimal(arguments[i]);
		unsigned int home = (unsigned int)(address / 4096 % 4);

		many(2, (home + 2) % 4, home, BLINK_WRITESB, address);
	}
	need(Monitor_region_add(mon, &one), "region");
}

static const char *command_of(const char *kind)
{
	if (!strcmp(kind, "cards"))
		return "smile record -d 0 --time 10";
	if (!strcmp(kind, "sim"))
		return "smile sim --capture cap --node 1 -q --json=sum.json sor -o first --size 64 "
		       "--place old.place --thread-nodes block:2";
	return "smile run -o x -- './my test' a";
}

int main(int argc, char **argv)
{
	struct smile_config config;

	if (argc < 3 || (argc > 3 && (strcmp(argv[1], "program") || argc < 7)))
		return 2;
	need(Monitor_open(&mon, "emu:"), "open");
	Monitor_config_default(&config);
	need(Monitor_config_set(mon, &config), "configure");
	need(Monitor_save(mon, argv[2], command_of(argv[1])), "save");
	need(Monitor_start(mon), "start");
	if (!strcmp(argv[1], "known"))
		known();
	else if (!strcmp(argv[1], "caches"))
		caches();
	else if (!strcmp(argv[1], "large"))
		large();
	else if (!strcmp(argv[1], "odd"))
		odd();
	else if (!strcmp(argv[1], "wide"))
		wide();
	else if (!strcmp(argv[1], "program"))
		program(argv + 3, argc - 3);
	else if (!strcmp(argv[1], "high"))
		high();
	else if (!strcmp(argv[1], "phases"))
		phases();
	else if (!strcmp(argv[1], "cards") || !strcmp(argv[1], "sim"))
		many(10, 1, 0, BLINK_READSB, PAGE * 4096);
	else if (strcmp(argv[1], "nothing"))
		return 2;
	need(Monitor_stop(mon), "stop");
	need(Monitor_swap(mon), "swap");
	need(Monitor_close(mon), "close");
	return 0;
}
