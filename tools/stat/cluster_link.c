// SPDX-License-Identifier: MIT
/*
 * Link. See tools/stat/cluster_link.h.
 */
#include "tools/stat/cluster_link.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sisci/sisci_api.h>

#include "tools/common/tool.h"

#define ADAPTER 0
#define NODE_ID(node) (4 * ((node) + 1))

/*
 * The time between two attempts to connect to a node, and the time between attempts for a node that
 * was left out.
 */
#define CONNECT_PAUSE_NS 20000000
#define REFUSED_PAUSE_NS 500000000

/* The longest time that a leaving node waits for other nodes to disconnect from its segment. */
#define FAREWELL_S 5

/**
 * enum peer_stage - The state of a connection to another node.
 * @PEER_AWAY: there is no connection; the node's thread tries to connect
 * @PEER_READY: the connection exists, but is not used yet
 * @PEER_USED: the members use the connection
 * @PEER_LEFT: the connection is no longer used; the node's thread closes it
 */
enum peer_stage {
	PEER_AWAY,
	PEER_READY,
	PEER_USED,
	PEER_LEFT,
};

/**
 * struct peer - The connection to another node.
 * @link: the link to which the peer belongs
 * @node: number of the node
 * @stage: state of the connection; protected by the lock
 * @segment: the node's segment, while connected; only the node's thread uses it
 * @map: the mapping of the segment; only the node's thread uses it
 * @line: connection to the node's interrupt
 * @memory: memory of the node's segment
 * @bytes: size of @memory
 * @strange: the driver of the node's adapter has another version; protected by the lock
 * @refused: the error for which the node was left out; 0: it was not left out
 */
struct peer {
	struct cluster_link *link;
	unsigned int node;
	enum peer_stage stage;
	sci_remote_segment_t segment;
	sci_map_t map;
	sci_remote_interrupt_t line;
	const volatile uint64_t *memory;
	size_t bytes;
	int strange;
	int refused;
};

/**
 * struct cluster_link - The link of this node to the other nodes.
 * @sd: the SISCI session
 * @id: id of all segments and interrupts
 * @node: number of this node
 * @nodes: number of nodes
 * @segment: this node's segment
 * @map: mapping of @segment
 * @memory: memory of this node's segment
 * @interrupt: interrupt by which other nodes call this node
 * @peers: the connections to the other nodes; shape [@nodes]
 * @readers: number of nodes that are connected to this node's segment
 * @lock: protects the stages of peers, and @readers
 * @changed: signalled when a stage or @readers has changed
 */
struct cluster_link {
	sci_desc_t sd;
	unsigned int id;
	unsigned int node;
	unsigned int nodes;
	sci_local_segment_t segment;
	sci_map_t map;
	volatile uint64_t *memory;
	sci_local_interrupt_t interrupt;
	struct peer peers[CLUSTER_NODES_MAX];
	int readers;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

static int link_error(sci_error_t error, const char *what)
{
	return tool_error("cannot %s: %s", what, SCIGetErrorString(error));
}

static sci_callback_action_t reader_changed(void *opaque, sci_local_segment_t segment,
					    sci_segment_cb_reason_t reason, unsigned int node_id,
					    unsigned int adapter, sci_error_t error)
{
	struct cluster_link *link = opaque;

	pthread_mutex_lock(&link->lock);
	link->readers += reason == SCI_CB_CONNECT;
	link->readers -= reason == SCI_CB_DISCONNECT || reason == SCI_CB_LOST;
	pthread_cond_broadcast(&link->changed);
	pthread_mutex_unlock(&link->lock);
	return SCI_CALLBACK_CONTINUE;
}

int cluster_link_open(struct cluster_link **out, unsigned int id, size_t bytes)
{
	struct cluster_link *link = tool_memory(1, sizeof(*link));
	unsigned int node_id = 0;
	sci_error_t error;

	pthread_mutex_init(&link->lock, NULL);
	pthread_cond_init(&link->changed, NULL);
	*out = link;
	link->id = id;
	SCIInitialize(0, &error);
	SCIGetLocalNodeId(ADAPTER, &node_id, 0, &error);
	if (error == SCI_ERR_OK)
		SCIOpen(&link->sd, 0, &error);
	if (error != SCI_ERR_OK)
		return tool_error("--cluster: this machine has no working SCI adapter (%s): "
				  "load its driver (modprobe smile_adapter), or run on the nodes "
				  "of smile cluster",
				  SCIGetErrorString(error));
	link->node = node_id / 4 - 1;
	SCICreateSegment(link->sd, &link->segment, id, bytes, reader_changed, link,
			 SCI_FLAG_USE_CALLBACK, &error);
	if (error == SCI_ERR_SEGMENTID_USED)
		return tool_error("segment %u of this node is in use: another smile stat --cluster "
				  "runs here, or give --segment another number, the same on all "
				  "nodes",
				  id);
	if (error == SCI_ERR_NOSPC)
		return tool_error("the adapter has no memory for a segment of %zu bytes: smile "
				  "cluster --adapter memory=SIZE makes it larger",
				  bytes);
	if (error == SCI_ERR_OK)
		SCIPrepareSegment(link->segment, ADAPTER, 0, &error);
	if (error == SCI_ERR_OK)
		link->memory =
			SCIMapLocalSegment(link->segment, &link->map, 0, bytes, NULL, 0, &error);
	if (error == SCI_ERR_OK)
		SCICreateInterrupt(link->sd, &link->interrupt, ADAPTER, &link->id, NULL, NULL,
				   SCI_FLAG_FIXED_INTNO, &error);
	return error == SCI_ERR_OK ? TOOL_OK : link_error(error, "make this node's segment");
}

unsigned int cluster_link_node(const struct cluster_link *link)
{
	return link->node;
}

volatile uint64_t *cluster_link_memory(const struct cluster_link *link)
{
	return link->memory;
}

/* ---- the thread of a node -------------------------------------------------------------------- */

static void stage_set(struct peer *peer, enum peer_stage stage)
{
	pthread_mutex_lock(&peer->link->lock);
	peer->stage = stage;
	pthread_cond_broadcast(&peer->link->changed);
	pthread_mutex_unlock(&peer->link->lock);
}

static enum peer_stage stage_of(struct peer *peer)
{
	enum peer_stage stage;

	pthread_mutex_lock(&peer->link->lock);
	stage = peer->stage;
	pthread_mutex_unlock(&peer->link->lock);
	return stage;
}

static void strange_set(struct peer *peer, int strange)
{
	pthread_mutex_lock(&peer->link->lock);
	peer->strange = strange;
	pthread_mutex_unlock(&peer->link->lock);
}

static int strange_is(struct peer *peer)
{
	int strange;

	pthread_mutex_lock(&peer->link->lock);
	strange = peer->strange;
	pthread_mutex_unlock(&peer->link->lock);
	return strange;
}

/*
 * Connect to the node's segment and interrupt, and map the segment. If a step fails, undo the
 * previous steps. Return: whether the connection exists.
 */
static int peer_connect(struct peer *peer)
{
	sci_desc_t sd = peer->link->sd;
	sci_error_t error;

	SCIConnectSegment(sd, &peer->segment, NODE_ID(peer->node), peer->link->id, ADAPTER, NULL,
			  NULL, SCI_INFINITE_TIMEOUT, 0, &error);
	strange_set(peer, error == SCI_ERR_INCONSISTENT_VERSIONS);
	if (error != SCI_ERR_OK)
		return 0;
	peer->bytes = SCIGetRemoteSegmentSize(peer->segment);
	peer->memory =
		SCIMapRemoteSegment(peer->segment, &peer->map, 0, peer->bytes, NULL, 0, &error);
	if (error == SCI_ERR_OK) {
		SCIConnectInterrupt(sd, &peer->line, NODE_ID(peer->node), ADAPTER, peer->link->id,
				    SCI_INFINITE_TIMEOUT, 0, &error);
		if (error == SCI_ERR_OK)
			return 1;
		SCIUnmapSegment(peer->map, 0, &error);
	}
	SCIDisconnectSegment(peer->segment, 0, &error);
	return 0;
}

static void *peer_thread(void *opaque)
{
	const struct timespec pause = {.tv_nsec = CONNECT_PAUSE_NS};
	const struct timespec refused = {.tv_nsec = REFUSED_PAUSE_NS};
	struct peer *peer = opaque;
	sci_error_t error;

	for (;;) {
		/*
		 * If the drivers of the two nodes have different versions, wait longer between
		 * attempts to connect. Replacing a driver takes some time, and each attempt is
		 * logged by the kernel.
		 */
		while (!peer_connect(peer))
			nanosleep(strange_is(peer) ? &refused : &pause, NULL);
		stage_set(peer, PEER_READY);
		pthread_mutex_lock(&peer->link->lock);
		while (peer->stage != PEER_LEFT)
			pthread_cond_wait(&peer->link->changed, &peer->link->lock);
		pthread_mutex_unlock(&peer->link->lock);
		SCIDisconnectInterrupt(peer->line, 0, &error);
		SCIUnmapSegment(peer->map, 0, &error);
		SCIDisconnectSegment(peer->segment, 0, &error);
		nanosleep(peer->refused ? &refused : &pause, NULL);
		stage_set(peer, PEER_AWAY);
	}
	return NULL;
}

/* ---- for the members ------------------------------------------------------------------------- */

int cluster_link_join(struct cluster_link *link, unsigned int nodes)
{
	sci_error_t error;
	pthread_t thread;

	link->nodes = nodes;
	SCISetSegmentAvailable(link->segment, ADAPTER, 0, &error);
	if (error != SCI_ERR_OK)
		return link_error(error, "make this node's segment available");
	for (unsigned int node = 0; node < nodes; node++) {
		struct peer *peer = &link->peers[node];
		int number;

		*peer = (struct peer){.link = link, .node = node};
		if (node == link->node)
			continue;
		number = pthread_create(&thread, NULL, peer_thread, peer);
		if (number)
			return tool_error("no thread for node %u: %s", node, strerror(number));
		pthread_detach(thread);
	}
	return TOOL_OK;
}

/*
 * Report once that a node is left out, and the reason. The node may return with the correct
 * options.
 */
static void refused_report(struct peer *peer, int error)
{
	unsigned int node = peer->node;
	int before = peer->refused;

	peer->refused = error;
	if (error == before)
		return;
	if (error == -EPROTO)
		tool_message("node %u is left out: it has other events, parameters, intervals or "
			     "nodes: give all nodes the same options",
			     node);
	else if (error == -EPROTONOSUPPORT)
		tool_message("node %u is left out: its smile stat has another version", node);
	else if (error == -ENOPROTOOPT)
		tool_message("node %u is left out: the driver of its adapter has another version "
			     "than this node's: install the same driver on all nodes",
			     node);
	else if (error == -EBADMSG)
		tool_message("node %u is left out: its segment is not one of smile stat: give "
			     "--segment another number",
			     node);
}

void cluster_link_update(struct cluster_link *link, struct members *members)
{
	for (unsigned int node = 0; node < link->nodes; node++) {
		struct peer *peer = &link->peers[node];
		enum peer_stage stage = node == link->node ? PEER_AWAY : stage_of(peer);
		struct member *member = &members->member[node];

		if (stage == PEER_AWAY && node != link->node && strange_is(peer))
			refused_report(peer, -ENOPROTOOPT);
		if (stage == PEER_READY) {
			int error = members_connect(members, node, peer->memory, peer->bytes);

			refused_report(peer, error);
			stage_set(peer, error ? PEER_LEFT : PEER_USED);
		} else if (stage == PEER_USED && member->state == MEMBER_GONE) {
			stage_set(peer, PEER_LEFT);
		} else if (stage == PEER_USED && member->progress.ended == EXCHANGE_LEAVES &&
			   member->next > member->progress.newest) {
			members_disconnect(members, node);
			stage_set(peer, PEER_LEFT);
		}
	}
}

void cluster_link_call(struct cluster_link *link, const struct members *members)
{
	sci_error_t error;

	/*
	 * Do not call a node that is silent, because the call would wait for this node until a time
	 * limit.
	 */
	for (unsigned int node = 0; node < link->nodes; node++)
		if (node != link->node && members->member[node].state == MEMBER_HERE &&
		    stage_of(&link->peers[node]) == PEER_USED)
			SCITriggerInterrupt(link->peers[node].line, 0, &error);
}

int cluster_link_wait(struct cluster_link *link, uint64_t until_ns)
{
	uint64_t now = tool_now_ns();
	uint64_t ms = until_ns > now ? (until_ns - now + 999999) / 1000000 : 0;
	sci_error_t error;

	if (!ms)
		return 0;
	SCIWaitForInterrupt(link->interrupt, (unsigned int)ms, 0, &error);
	return error == SCI_ERR_OK;
}

void cluster_link_leave(struct cluster_link *link)
{
	struct timespec end;
	sci_error_t error;

	/* From now on, a node that disconnects cannot connect again. */
	SCISetSegmentUnavailable(link->segment, ADAPTER, 0, &error);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += FAREWELL_S;
	pthread_mutex_lock(&link->lock);
	while (link->readers > 0 &&
	       !pthread_cond_clockwait(&link->changed, &link->lock, CLOCK_MONOTONIC, &end))
		;
	pthread_mutex_unlock(&link->lock);
}

void cluster_link_close(struct cluster_link *link)
{
	/*
	 * If threads were started, do not free the link. A thread may still wait for a node that
	 * has stopped, and it uses the link's data. The driver releases all resources at the end of
	 * the process.
	 */
	if (link && !link->nodes)
		free(link);
}
