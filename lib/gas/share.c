/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: shares a space and closes it. This file creates and removes segments, connections
 * and mappings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <base/fnv.h>

#include "lib/gas/gas.h"

#define NODE_ID(node) (4 * ((node) + 1)) /* node id of SISCI */
#define CONNECT_PAUSE_NS 5000000

/*
 * Get the segment id of a space. Each space has a new id. After a failure, one node can already
 * open the next space while another node still has the segment of the old space. The first node
 * must not connect to that old segment.
 */
static unsigned int segment_id(void)
{
	static _Atomic unsigned int spaces;

	return GAS_SEGMENT + spaces++ % GAS_SEGMENTS;
}

/* ---- a program on only one node ---- */

static int share_alone(struct Gas *gas)
{
	size_t bytes = gas->pages * GAS_PAGE_BYTES;
	void *at = (void *)GAS_BASE, *pages;
	struct control *control = calloc(1, sizeof(*control));

	if (!control)
		return gas_fail(-ENOMEM, "no memory for locks");
	pages = mmap(at, bytes, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (pages != at) {
		if (pages != MAP_FAILED)
			munmap(pages, bytes);
		free(control);
		return errno == EEXIST ? gas_fail(-EBUSY, "this process has a space already")
				       : gas_fail(-ENOMEM, "no memory for %zu pages", gas->pages);
	}
	gas->control = control;
	return 0;
}

/* ---- this node's segment ---- */

static int session_open(struct Gas *gas)
{
	unsigned int node;
	sci_error_t error;

	/* Never call SCITerminate(), because the program may use the SISCI API itself. */
	SCIInitialize(0, &error);
	SCIGetLocalNodeId(GAS_ADAPTER, &node, 0, &error);
	if (error != SCI_ERR_OK)
		return gas_fail_sisci(error, "read the adapter's node id");
	if (node != NODE_ID(gas->node))
		return gas_fail(-EINVAL, "SMILE_NODE is %u, but the adapter's node is %u",
				gas->node, node / 4 - 1);
	SCIOpen(&gas->sd, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateDMAQueue(gas->sd, &gas->queue, GAS_ADAPTER, 1, 0, &error);
	return error == SCI_ERR_OK ? 0 : gas_fail_sisci(error, "open the adapter");
}

static int segment_make(struct Gas *gas)
{
	sci_query_local_segment_t query = {.subcommand = SCI_Q_LOCAL_SEGMENT_IOADDR};
	sci_error_t error;

	SCICreateSegment(gas->sd, &gas->segment, gas->id, gas_segment_bytes(gas), NULL, NULL, 0,
			 &error);
	if (error == SCI_ERR_NOSPC)
		return gas_fail(-ENOSPC,
				"%zu pages do not fit into the adapter's memory: smile cluster "
				"--adapter memory=SIZE makes it larger",
				gas->pages);
	if (error == SCI_ERR_SEGMENTID_USED)
		return gas_fail(-EBUSY, "another program of this node has a space");
	if (error == SCI_ERR_OK)
		SCIPrepareSegment(gas->segment, GAS_ADAPTER, 0, &error);
	if (error == SCI_ERR_OK)
		gas->control = SCIMapLocalSegment(gas->segment, &gas->map, 0, gas_frames(gas), NULL,
						  0, &error);
	query.segment = gas->segment;
	if (error == SCI_ERR_OK)
		SCIQuery(SCI_Q_LOCAL_SEGMENT, &query, 0, &error);
	if (error == SCI_ERR_OK)
		SCISetSegmentAvailable(gas->segment, GAS_ADAPTER, 0, &error);
	if (error != SCI_ERR_OK)
		return gas_fail_sisci(error, "make the segment");
	gas->list = (volatile uint64_t *)(gas->control + 1);
	return 0;
}

/* ---- the segments of all nodes ---- */

/* Return whether the error means that the other node may not have created its segment yet. */
static bool not_yet(sci_error_t error)
{
	return error == SCI_ERR_NO_SUCH_SEGMENT || error == SCI_ERR_NO_REMOTE_LINK_ACCESS ||
	       error == SCI_ERR_NO_SUCH_NODEID || error == SCI_ERR_CONNECTION_REFUSED ||
	       error == SCI_ERR_NODE_NOT_RESPONDING;
}

static int peer_connect(struct Gas *gas, unsigned int node, const struct timespec *start,
			int timeout_ms)
{
	const struct timespec pause = {.tv_nsec = CONNECT_PAUSE_NS};
	sci_query_remote_segment_t query = {.subcommand = SCI_Q_REMOTE_SEGMENT_IOADDR};
	struct peer *peer = &gas->peer[node];
	char doing[sizeof("connect to node") + 12];
	sci_error_t error;

	for (;;) {
		SCIConnectSegment(gas->sd, &peer->segment, NODE_ID(node), gas->id, GAS_ADAPTER,
				  NULL, NULL, 0, 0, &error);
		if (!not_yet(error))
			break;
		if (gas_late(start, timeout_ms))
			return gas_fail(-ETIMEDOUT,
					"node %u has not reached Gas_share() within %d ms", node,
					timeout_ms);
		nanosleep(&pause, NULL);
	}
	if (error == SCI_ERR_OK)
		peer->control = SCIMapRemoteSegment(peer->segment, &peer->map, 0,
						    sizeof(struct control), NULL, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateMapSequence(peer->map, &peer->sequence, 0, &error);
	if (error == SCI_ERR_OK)
		peer->ticket = SCIMapRemoteSegment(peer->segment, &peer->lock_map, GAS_LOCK_PAGE,
						   sizeof(peer->control->ticket), NULL,
						   SCI_FLAG_LOCK_OPERATION, &error);
	query.segment = peer->segment;
	if (error == SCI_ERR_OK)
		SCIQuery(SCI_Q_REMOTE_SEGMENT, &query, 0, &error);
	if (error == SCI_ERR_INCONSISTENT_VERSIONS)
		return gas_fail(-EPROTONOSUPPORT,
				"the adapter's driver on node %u has another version than the "
				"driver on this node: install the same driver on all nodes",
				node);
	snprintf(doing, sizeof(doing), "connect to node %u", node);
	if (error != SCI_ERR_OK)
		return gas_fail_sisci(error, doing);
	peer->first_page = (query.data.ioaddr + gas_frames(gas)) / GAS_PAGE_BYTES;
	return 0;
}

/*
 * Wait until all nodes have left the space. Otherwise, a faster node could open the next space and
 * connect to a segment of this space.
 */
static int all_leave(struct Gas *gas)
{
	uint64_t values[GAS_NODES_MAX];
	sci_error_t error;

	SCISetSegmentUnavailable(gas->segment, GAS_ADAPTER, 0, &error);
	return gas_collective(gas, COLLECTIVE_CLOSE, 0, values, GAS_NO_END);
}

/*
 * Compute a 64-bit FNV-1a hash of the layout of a space, by which different layouts can be
 * distinguished.
 */
static uint64_t layout_sum(const struct Gas *gas)
{
	uint64_t sum = FNV_BEGIN;
	size_t page, i;

	for (page = 0; page < gas->pages; page++)
		sum = (sum ^ gas->home[page]) * FNV_PRIME;
	for (i = 0; i < gas->extents; i++) {
		sum = (sum ^ gas->extent[i].pages) * FNV_PRIME;
		sum = (sum ^ gas->extent[i].item_bytes) * FNV_PRIME;
		sum = fnv_add(sum, gas->extent[i].name, strlen(gas->extent[i].name));
	}
	return (sum ^ gas->nodes) * FNV_PRIME;
}

int gas_difference(const uint64_t *brought, unsigned int nodes)
{
	/* The layouts of different versions cannot be compared, so check the versions first. */
	for (unsigned int node = 0; node < nodes; node++)
		if (GAS_VERSION_OF(brought[node]) != GAS_VERSION)
			return gas_fail(-EPROTONOSUPPORT,
					"the program on node %u is built with libsmile-gas of "
					"version %u, this one with version %u: build the programs "
					"of all nodes with the same",
					node, GAS_VERSION_OF(brought[node]), GAS_VERSION);
	for (unsigned int node = 1; node < nodes; node++)
		if (brought[node] != brought[0])
			return gas_fail(
				-EINVAL,
				"nodes 0 and %u have different layouts: all nodes must make "
				"the same calls of Gas_alloc(), Gas_name() and Gas_place()",
				node);
	return 0;
}

/*
 * Compare versions and layouts. At this time, all nodes are connected to each other. For this
 * reason, every node detects a difference, even if some node leaves early.
 */
static int layouts_compare(struct Gas *gas, int timeout_ms)
{
	const uint64_t own = GAS_VERSION_IN(layout_sum(gas));
	uint64_t brought[GAS_NODES_MAX];
	int ret = gas_collective(gas, COLLECTIVE_SHARE, own, brought, timeout_ms);

	if (ret || !gas_difference(brought, gas->nodes))
		return ret;
	ret = all_leave(gas);
	if (ret)
		return ret;
	return gas_difference(brought, gas->nodes);
}

/*
 * Map the rest of what this node needs from the segments of other nodes. All segments have the same
 * size.
 */
static int lists_map(struct Gas *gas)
{
	size_t bytes = gas_frames(gas) - sizeof(struct control);
	sci_error_t error = SCI_ERR_OK;
	unsigned int node;

	for (node = 0; node < gas->nodes && error == SCI_ERR_OK; node++) {
		struct peer *peer = &gas->peer[node];

		if (node != gas->node)
			peer->list =
				SCIMapRemoteSegment(peer->segment, &peer->list_map,
						    sizeof(struct control), bytes, NULL, 0, &error);
	}
	return error == SCI_ERR_OK ? 0 : gas_fail_sisci(error, "map the words of another node");
}

/*
 * Undo the parts of sharing that succeeded. Objects that are not freed here belong to the SISCI
 * session and end with the session.
 */
static void share_end(struct Gas *gas)
{
	unsigned int node;
	sci_error_t error;

	if (gas->run)
		gas_unmap(gas, NULL);
	for (node = 0; node < gas->nodes && gas->sd; node++) {
		struct peer *peer = &gas->peer[node];

		SCIRemoveSequence(peer->sequence, 0, &error);
		SCIUnmapSegment(peer->list_map, 0, &error);
		SCIUnmapSegment(peer->lock_map, 0, &error);
		SCIUnmapSegment(peer->map, 0, &error);
		SCIDisconnectSegment(peer->segment, 0, &error);
		*peer = (struct peer){0};
	}
	if (gas->sd) {
		SCIUnmapSegment(gas->map, 0, &error);
		SCIRemoveSegment(gas->segment, 0, &error);
		SCIRemoveDMAQueue(gas->queue, 0, &error);
		SCIClose(gas->sd, 0, &error);
	} else if (gas->shared) {
		munmap((void *)GAS_BASE, gas->pages * GAS_PAGE_BYTES);
		free((void *)(uintptr_t)gas->control);
	}
	free(gas->run);
	gas->run = NULL;
	gas->sd = NULL;
	gas->step = 0;
	gas->failed = 0;
	gas->shared = false;
}

static int share_with_others(struct Gas *gas, int timeout_ms)
{
	struct timespec start;
	unsigned int node;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &start);
	gas->id = segment_id();
	gas->run = calloc(gas->pages, sizeof(*gas->run));
	if (!gas->run)
		return gas_fail(-ENOMEM, "no memory for %zu pages", gas->pages);
	ret = session_open(gas);
	ret = ret ? ret : segment_make(gas);
	for (node = 0; node < gas->nodes && !ret; node++)
		ret = peer_connect(gas, node, &start, timeout_ms);
	ret = ret ? ret : layouts_compare(gas, timeout_ms);
	if (ret)
		return ret;
	gas_names_share(gas);
	/* From this collective call on, either all nodes fail, or no node fails. */
	ret = lists_map(gas);
	ret = gas_agree(gas, COLLECTIVE_SHARED, ret ? ret : gas_map(gas));
	if (ret && !gas->failed) {
		/*
		 * Keep the message of this failure. Other nodes may close their space while this
		 * node waits, but this would not be the cause of the failure.
		 */
		gas_message_keep(true);
		all_leave(gas);
		gas_message_keep(false);
	}
	return ret;
}

int Gas_share(struct Gas *gas, int timeout_ms)
{
	int ret;

	if (gas->shared)
		return gas_fail(-EBUSY, "the space is shared already");
	if (!gas->pages)
		return gas_fail(-EINVAL, "the space has no extent: call Gas_alloc() first");
	ret = gas->nodes == 1 ? share_alone(gas) : share_with_others(gas, timeout_ms);
	if (ret)
		share_end(gas);
	else
		gas->shared = true;
	return ret;
}

int Gas_close(struct Gas *gas)
{
	int ret = 0;

	if (!gas)
		return 0;
	if (gas->shared && gas->sd && !gas->failed)
		ret = all_leave(gas);
	share_end(gas);
	free(gas->extent);
	free(gas->home);
	free(gas);
	return ret;
}
