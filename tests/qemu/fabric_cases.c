/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: two nodes of a fabric, and a node that is killed.
 *
 * What lives here: the cases of correct nodes. hostile_fabric_cases.c tests foreign processes.
 */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <hw/smile_regs.h>

#include "emu/adapter/link.h"
#include "tests/qemu/cases.h"
#include "tests/qemu/fabric_node.h"

#define PAGES 4096U /* that each node exports */
#define ROUND_SECONDS 600

static uint64_t window_load(struct qemu *node, uint32_t offset)
{
	return strtoull(qemu_ask(node, "readq 0x%x", NODE_WINDOW + offset), NULL, 0);
}

static uint64_t issued(struct qemu *node)
{
	return node_count(node, NODE_REGS + ADAPTER_REG_COUNT_READS) +
	       node_count(node, NODE_REGS + ADAPTER_REG_COUNT_WRITES);
}

static void expect_error(struct qemu *node, unsigned int of, uint32_t why)
{
	expect("a failed load", window_load(node, 0), UINT64_MAX);
	expect("why it failed", node_get(node, ADAPTER_REG_ERROR + of * ADAPTER_STRIDE_ERROR), why);
}

void fabric_of_two_reads_and_writes(void)
{
	const char *answer;
	struct qemu a, b;

	node_start(&a, 0, "drain");
	node_start(&b, 1, "drain");
	expect("ID", node_get(&a, ADAPTER_REG_ID), ADAPTER_ID_VALUE);
	expect("NODE", node_get(&b, ADAPTER_REG_NODE), 1);
	expect("TIMEOUT", node_get(&a, ADAPTER_REG_TIMEOUT), ADAPTER_TIMEOUT_MS);
	expect("RECEIVE_NODE", node_get(&a, ADAPTER_REG_RECEIVE_NODE), ADAPTER_ABSENT);
	node_await(&a, 1, 1);
	node_await(&b, 0, 1);
	node_map(&a, 1, 4);
	expect_error(&a, 1, ADAPTER_ERROR_EXPORT);
	node_export(&b, 3);
	qemu_ask(&b, "writeq 0x%x 0x1122334455667788", NODE_MEMORY + 16);
	expect("load", window_load(&a, 16), 0x1122334455667788U);
	qemu_ask(&a, "writeq 0x%x 0x99", NODE_WINDOW + 24);
	expect("store", strtoull(qemu_ask(&b, "readq 0x%x", NODE_MEMORY + 24), NULL, 0), 0x99);
	qemu_ask(&a, "writew 0x%x 0xabcd", NODE_WINDOW + 2 * ADAPTER_PAGE_BYTES + 2);
	expect("short store", qemu_load(&b, NODE_MEMORY + 2 * ADAPTER_PAGE_BYTES), 0xabcd0000U);
	expect("beyond what is exported", window_load(&a, 3 * ADAPTER_PAGE_BYTES), UINT64_MAX);
	expect("failed", node_count(&a, NODE_REGS + ADAPTER_REG_COUNT_FAILED), 2);
	expect("issued", issued(&a), 3);
	node_await_count(&b, NODE_REGS + ADAPTER_REG_COUNT_RECEIVED, 3);
	expect("seen", node_count(&a, NODE_MONITOR + SMILE_REG_COUNT_SEEN), 6);
	expect("seen by both", node_count(&b, NODE_MONITOR + SMILE_REG_COUNT_SEEN), 6);
	if (!node_count(&a, NODE_MONITOR + SMILE_REG_COUNT_ACCEPTED))
		errx(1, "the monitor counts nothing");
	expect("counted by both", node_count(&b, NODE_MONITOR + SMILE_REG_COUNT_ACCEPTED),
	       node_count(&a, NODE_MONITOR + SMILE_REG_COUNT_ACCEPTED));
	answer = qemu_monitor(&a, "{\"execute\": \"human-monitor-command\", \"arguments\": "
				  "{\"command-line\": \"migrate exec:true\"}}");
	if (!strstr(answer, "cannot be saved"))
		errx(1, "the machine's state is saved: %s", answer);
	qemu_end(&a);
	node_await(&b, 0, 0);
	qemu_end(&b);
}

/* All transactions that a monitor has accepted, once its table is empty: delivered plus lost. */
static uint64_t monitor_accounts(struct qemu *node, uint64_t *lost)
{
	uint64_t delivered;

	/* The ring is full, and no driver reads it. Skip its records, which count as delivered. */
	qemu_store(node, NODE_MONITOR + SMILE_REG_RING_READ,
		   qemu_load(node, NODE_MONITOR + SMILE_REG_RING_WRITE));
	qemu_store(node, NODE_MONITOR + SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	delivered = node_count(node, NODE_MONITOR + SMILE_REG_COUNT_DELIVERED);
	*lost = node_count(node, NODE_MONITOR + SMILE_REG_COUNT_LOST);
	expect("accepted = delivered + lost", delivered + *lost,
	       node_count(node, NODE_MONITOR + SMILE_REG_COUNT_ACCEPTED));
	return delivered + *lost;
}

/*
 * With pace=realtime a full monitor does not stop the traffic: it loses records, and both ends
 * report how many.
 */
void fabric_of_realtime_accounts_for_losses(void)
{
	const unsigned int stores = 3000; /* fit in an inbox, and are more than a ring's records */
	uint64_t accounted = 0, lost;
	struct qemu nodes[3];
	unsigned int i, j;

	for (i = 0; i < 3; i++)
		node_start(&nodes[i], i, "realtime");
	for (i = 0; i < 3; i++) {
		node_export(&nodes[i], 4);
		node_await(&nodes[i], (i + 1) % 3, 1);
		node_map(&nodes[i], (i + 1) % 3, 4);
	}
	/* Each store is in another range than the last ones, so that each makes a record. */
	for (j = 0; j < stores; j++) {
		for (i = 0; i < 3; i++)
			qemu_ask(&nodes[i], "writeq 0x%x %u",
				 NODE_WINDOW + j * 256 % (4 * ADAPTER_PAGE_BYTES), j);
	}
	for (i = 0; i < 3; i++) {
		expect("issued", issued(&nodes[i]), stores);
		node_await_count(&nodes[i], NODE_REGS + ADAPTER_REG_COUNT_RECEIVED, stores);
		expect("held", node_count(&nodes[i], NODE_REGS + ADAPTER_REG_COUNT_HELD), 0);
	}
	for (i = 0; i < 3; i++) {
		accounted += monitor_accounts(&nodes[i], &lost);
		if (!lost)
			errx(1, "nothing is lost: the test tests nothing");
	}
	/* Summed over all nodes, two monitors count each transaction. */
	expect("delivered + lost = issued, over all nodes", accounted, 2 * 3 * (uint64_t)stores);
	for (i = 0; i < 3; i++)
		qemu_end(&nodes[i]);
}

/* The inboxes of a node, as its peers map them; they remain after the node has ended. */
static struct link_region *region_of(unsigned int id)
{
	struct node_greeting greeting;
	struct link_region *region;
	int i;

	close(node_connect(id, &greeting));
	region = mmap(NULL, sizeof(*region), PROT_READ, MAP_SHARED, greeting.files[0], 0);
	if (region == MAP_FAILED)
		err(1, "region");
	for (i = 0; i < GREETING_FILES; i++)
		close(greeting.files[i]);
	return region;
}

/* Send stores to QEMU, which executes them one after another; qtest answers them later. */
static void stores_begin(struct qemu *node, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		fprintf(node->to, "writeq 0x%x 0x%x\n", NODE_WINDOW + 8 * i, i);
	fflush(node->to);
}

static void stores_end(struct qemu *node, unsigned int count)
{
	char line[256];

	qemu_waits("the answers to stores", NULL);
	for (unsigned int i = 0; i < count; i++) {
		if (!fgets(line, sizeof(line), node->from) || strncmp(line, "OK", 2))
			errx(1, "a store is not answered");
	}
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/*
 * One round: node 1 starts, both nodes write to each other, and node 1 is killed in the middle.
 * After that, @a has received all stores that node 1 has issued, and all stores that @a has issued
 * are in node 1's inbox, received or not. Return: the time until @a found node 1 lost, including
 * the time of its own stores, ms.
 */
static double kill_round(struct qemu *a, const struct link_region *own, unsigned int number)
{
	const unsigned int stores = 2000; /* fit in a pipe, and in an inbox */
	const struct timespec moment = {0, 200000L * (number % 10)};
	const struct link_inbox *from_b = &own->inbox[1], *to_b;
	struct link_region *region;
	uint64_t issued_before = issued(a), failed, taken;
	struct qemu b;
	double gone_ms;

	alarm(ROUND_SECONDS);
	node_start(&b, 1, "realtime");
	region = region_of(1);
	to_b = &region->inbox[0];
	node_await(a, 1, 1);
	node_await(&b, 0, 1);
	expect_error(a, 1, ADAPTER_ERROR_EXPORT);
	node_export(&b, PAGES);
	failed = node_count(a, NODE_REGS + ADAPTER_REG_COUNT_FAILED);
	node_put(&b, ADAPTER_REG_DMA_NODE, 0);
	node_put(&b, ADAPTER_REG_DMA_BYTES, PAGES * ADAPTER_PAGE_BYTES);
	node_put(&b, ADAPTER_REG_DMA_COMMAND, ADAPTER_DMA_WRITE);
	stores_begin(a, stores);
	nanosleep(&moment, NULL);
	node_kill(&b);
	gone_ms = now_ms();
	stores_end(a, stores);
	node_await(a, 1, 0);
	gone_ms = now_ms() - gone_ms;

	taken = atomic_load(&to_b->head);
	expect("issued is what is in the inbox, taken or not", issued(a) - issued_before,
	       atomic_load(&to_b->tail));
	if (taken > atomic_load(&to_b->tail))
		errx(1, "more is taken than was issued");
	failed = node_count(a, NODE_REGS + ADAPTER_REG_COUNT_FAILED) - failed;
	expect("issued and failed", issued(a) - issued_before + failed, stores);
	expect_error(a, 1, ADAPTER_ERROR_NODE);
	qemu_waits("the inbox is empty", NULL);
	while (atomic_load(&from_b->head) != atomic_load(&from_b->tail))
		node_pause();
	expect("received modulo 2^32",
	       (uint32_t)node_count(a, NODE_REGS + ADAPTER_REG_COUNT_RECEIVED),
	       atomic_load(&from_b->tail));
	expect("malformed", node_count(a, NODE_REGS + ADAPTER_REG_COUNT_REFUSED), 0);
	expect("held", node_count(a, NODE_REGS + ADAPTER_REG_COUNT_HELD), 0);
	expect("seen by the monitor: request and response",
	       node_count(a, NODE_MONITOR + SMILE_REG_COUNT_SEEN),
	       2 * (issued(a) + node_count(a, NODE_REGS + ADAPTER_REG_COUNT_RECEIVED)));
	munmap(region, sizeof(*region));
	return gone_ms;
}

/* FABRIC_KILLS is the number of rounds, for a long run. */
void fabric_outlives_killed_nodes(void)
{
	const char *kills = getenv("FABRIC_KILLS");
	unsigned int rounds = kills ? (unsigned int)strtoul(kills, NULL, 10) : 20, i;
	double ms, longest_ms = 0;
	struct link_region *own;
	struct qemu a;

	if (!rounds)
		errx(1, "FABRIC_KILLS=%s is no number of rounds", kills);
	node_start(&a, 0, "realtime");
	own = region_of(0);
	node_export(&a, PAGES);
	node_map(&a, 1, 4);
	for (i = 0; i < rounds; i++) {
		ms = kill_round(&a, own, i);
		longest_ms = ms > longest_ms ? ms : longest_ms;
	}
	if (!issued(&a) || !node_count(&a, NODE_REGS + ADAPTER_REG_COUNT_RECEIVED))
		errx(1, "there was no traffic");
	printf("%u kills: %" PRIu64 " issued, %" PRIu64 " received; "
	       "gone after %.1f ms at most\n",
	       rounds, issued(&a), node_count(&a, NODE_REGS + ADAPTER_REG_COUNT_RECEIVED),
	       longest_ms);
	qemu_end(&a);
}
