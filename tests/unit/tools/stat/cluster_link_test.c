/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of tools/stat/cluster_link.c. This file simulates the adapters. A node whose driver has
 * another version must be reported once, and the other nodes must be used. May use lib/exchange/.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <sisci/sisci_api.h>

#include "tools/common/tool.h"
#include "tools/stat/cluster_link.h"

#define NODES 3U
#define STRANGE 1U
#define INTERVAL_NS 1000000ULL
#define TRIES 30000 /* of 1 ms each */

static const struct Estimate_process process = {.sigma = 1, .beta = 1, .mean = 1, .r = 1};
static volatile uint64_t memory[NODES][1 << 17];
static _Atomic int mended, tries;
static char said[8192];
static unsigned int messages;

/* ---- messages of the tool -------------------------------------------------------------------- */

void tool_message(const char *format, ...)
{
	va_list arguments;
	size_t length = strlen(said);

	va_start(arguments, format);
	vsnprintf(said + length, sizeof(said) - length, format, arguments);
	va_end(arguments);
	messages++;
}

int tool_error(const char *format, ...)
{
	fail_msg("%s", format);
	return TOOL_ERROR;
}

void *tool_memory(size_t count, size_t bytes)
{
	void *got = calloc(count + 1, bytes);

	assert_non_null(got);
	return got;
}

uint64_t tool_now_ns(void)
{
	return 1;
}

/* ---- adapters; this process is node 0 -------------------------------------------------------- */

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIGetLocalNodeId(unsigned int adapter, unsigned int *node, unsigned int flags,
		       sci_error_t *error)
{
	*node = 4;
	*error = SCI_ERR_OK;
}

void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int id, size_t size,
		      sci_cb_local_segment_t callback, void *arg, unsigned int flags,
		      sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIPrepareSegment(sci_local_segment_t segment, unsigned int adapter, unsigned int flags,
		       sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size,
			 void *address, unsigned int flags, sci_error_t *error)
{
	assert_true(size <= sizeof(memory[0]));
	*error = SCI_ERR_OK;
	return (void *)(uintptr_t)memory[0];
}

void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int adapter, unsigned int flags,
			    sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int adapter, unsigned int flags,
			      sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int node_id,
		       unsigned int id, unsigned int adapter, sci_cb_remote_segment_t callback,
		       void *arg, unsigned int timeout, unsigned int flags, sci_error_t *error)
{
	const unsigned int node = node_id / 4 - 1;

	*segment = (sci_remote_segment_t)(uintptr_t)node;
	*error = node == STRANGE && !mended ? SCI_ERR_INCONSISTENT_VERSIONS : SCI_ERR_OK;
	tries += node == STRANGE;
}

void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment)
{
	return sizeof(memory[0]);
}

volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset,
				   size_t size, void *address, unsigned int flags,
				   sci_error_t *error)
{
	*error = SCI_ERR_OK;
	return memory[(uintptr_t)segment];
}

void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int adapter,
			unsigned int *number, sci_cb_interrupt_t callback, void *arg,
			unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int node,
			 unsigned int adapter, unsigned int number, unsigned int timeout,
			 unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags,
			    sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
	*error = SCI_ERR_OK;
}

void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
			 sci_error_t *error)
{
	*error = SCI_ERR_TIMEOUT;
}

const char *SCIGetErrorString(sci_error_t error)
{
	return "";
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void members_make(struct members *members, size_t self)
{
	const struct members_setup setup = {
		.nodes = NODES,
		.self = self,
		.counters = 1,
		.processes = &process,
		.interval_ns = INTERVAL_NS,
		.agreement = 1,
		.incarnation = self + 1,
	};

	assert_true(exchange_bytes(1) <= sizeof(memory[0]));
	assert_int_equal(members_init(members, &setup, memory[self]), 0);
}

static void look(struct cluster_link *link, struct members *members)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	nanosleep(&pause, NULL);
	cluster_link_update(link, members);
}

static void a_driver_of_another_version_is_named_and_the_others_taken(void **state)
{
	/* The link is static, because threads use it until the process ends. */
	static struct cluster_link *link;
	struct members members, others[NODES];
	int at, before;

	members_make(&members, 0);
	members_make(&others[1], 1);
	members_make(&others[2], 2);
	assert_int_equal(cluster_link_open(&link, 7, exchange_bytes(1)), TOOL_OK);
	assert_int_equal(cluster_link_join(link, NODES), TOOL_OK);
	for (at = 0; at < TRIES && (!messages || !members.member[2].words); at++)
		look(link, &members);
	assert_true(at < TRIES);
	assert_non_null(strstr(said, "node 1 is left out: the driver of its adapter has another "
				     "version"));
	assert_non_null(strstr(said, "install the same driver on all nodes"));
	assert_null(members.member[1].words);
	/* The tool tries to connect to the node several times, but reports it only once. */
	for (at = 0, before = tries; at < TRIES && tries == before; at++)
		look(link, &members);
	assert_true(at < TRIES);
	assert_int_equal(messages, 1);
	mended = 1;
	for (at = 0; at < TRIES && !members.member[1].words; at++)
		look(link, &members);
	assert_non_null(members.member[1].words);
	assert_int_equal(messages, 1);
	members_free(&members);
	members_free(&others[1]);
	members_free(&others[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_driver_of_another_version_is_named_and_the_others_taken),
	};

	return cmocka_run_group_tests_name("cluster_link", tests, NULL, NULL);
}
