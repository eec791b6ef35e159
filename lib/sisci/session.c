/* SPDX-License-Identifier: MIT */
/*
 * Sessions: the functions from SCIInitialize() to SCITerminate(), and the queries about nodes and
 * adapters.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/sisci/sisci.h"

#define API_VERSION "libsisci of the SMiLE Monitor, API 1 and 2"
#define VENDOR "SMiLE Monitor"
#define CARD_TYPE 310
#define DMA_MTU (1U << 20)
/* Properties of the parallel SCI cable: its width in bits, and its speed in MB/s. */
#define LINK_WIDTH 16
#define LINK_SPEED 400

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
	sisci_ok(error);
	if (!sisci_flags(flags, SCI_FLAG_THREAD_SAFE, 0, error))
		return;
	sisci_enter();
	sisci_fork_prepare();
	sisci_initialized = true;
	sisci_leave();
}

/*
 * End one object, like the function of the API that removes objects of its kind. The caller must
 * have the lock.
 */
static void end(struct object *object)
{
	switch (object->kind) {
	case KIND_SESSION:
		sisci_dispatch_end((struct sci_desc *)object);
		break;
	case KIND_SEGMENT:
		sisci_segment_end((struct sci_local_segment *)object);
		break;
	case KIND_REMOTE:
		sisci_remote_end((struct sci_remote_segment *)object);
		break;
	case KIND_MAP:
		sisci_map_end((struct sci_map *)object);
		break;
	case KIND_DMA:
		sisci_dma_end((struct sci_dma_queue *)object);
		break;
	case KIND_SEQUENCE:
		sisci_sequence_end((struct sci_sequence *)object);
		break;
	default:
		sisci_interrupt_end((struct interrupt *)object);
		break;
	}
}

/*
 * Like sisci_get(), but for functions of the API that remove an object. After SCITerminate(), it is
 * not an error if the object was removed already.
 */
static void *get_to_remove(const void *handle, enum kind kind, sci_error_t *error)
{
	sci_error_t why;
	void *object = sisci_get(handle, kind, &why);

	sisci_fail(error, why == SCI_ERR_NOT_INITIALIZED ? SCI_ERR_OK : why);
	return object;
}

void sisci_end(const void *handle, enum kind kind, unsigned int flags, unsigned int allowed,
	       sci_error_t *error)
{
	struct object *object = NULL;

	if (sisci_flags(flags, allowed, 0, error))
		object = get_to_remove(handle, kind, error);
	if (!object)
		return;
	sisci_enter();
	if (object->gone)
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
	else if (object->maps)
		sisci_fail(error, SCI_ERR_BUSY);
	else if (kind == KIND_DMA && sisci_dma_posted((struct sci_dma_queue *)object))
		sisci_fail(error, SCI_ERR_ILLEGAL_OPERATION);
	else
		end(object);
	sisci_put_locked(object);
	sisci_leave();
}

/*
 * End all objects of a session, or of all sessions. They are ended in an order in which no object
 * needs an object that was already removed.
 */
static void end_all(const struct sci_desc *sd)
{
	static const enum kind order[] = {
		KIND_SEQUENCE, KIND_DMA,       KIND_MAP,       KIND_REMOTE,	    KIND_SEGMENT,
		KIND_LINE,     KIND_DATA_LINE, KIND_INTERRUPT, KIND_DATA_INTERRUPT, KIND_SESSION};
	struct object *object, *next;
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		for (object = LIST_FIRST(&sisci_objects); object; object = next) {
			next = LIST_NEXT(object, list);
			if (object->kind == order[i] && (!sd || object->sd == sd))
				end(object);
		}
	}
}

void SCITerminate(void)
{
	sisci_enter();
	end_all(NULL);
	sisci_initialized = false;
	sisci_dispatch_wait();
	sisci_leave();
}

static int open_adapter(unsigned int adapter)
{
	char path[32];

	snprintf(path, sizeof(path), "/dev/smile_adapter%u", adapter);
	/*
	 * Open the file as non-blocking. If an object is removed between poll() and read(), its
	 * events are removed too. In this case, a blocking read() would wait for the next event,
	 * while SCITerminate() waits for the dispatcher that is in this read().
	 */
	return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
}

/*
 * Get the driver's information about an adapter, by the number of the adapter. Return: 0 or a
 * negative errno.
 */
static int adapter_info(unsigned int adapter, struct smile_adapter_info *info)
{
	int file = adapter < ADAPTERS ? open_adapter(adapter) : -1, ret = 0;

	if (file < 0)
		return -ENODEV;
	if (ioctl(file, SMILE_ADAPTER_INFO, info))
		ret = -errno;
	close(file);
	return ret;
}

/* Open the file of a session. Return: 0 or a negative errno. */
static int session_open(struct sci_desc *sd)
{
	struct smile_adapter_info info;
	void *state;

	sd->file = open_adapter(sd->adapter);
	if (sd->file < 0)
		return -errno;
	if (ioctl(sd->file, SMILE_ADAPTER_INFO, &info))
		return -errno;
	state = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, sd->file,
		     (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_STATE, 0));
	if (state == MAP_FAILED)
		return -errno;
	sd->state = state;
	sd->node = info.node;
	return sisci_dispatch_start(sd);
}

void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error)
{
	struct sci_desc *made = NULL;
	int ret = 0;

	sisci_ok(error);
	if (!SISCI_OUT(sd, error) || !sisci_flags(flags, SCI_FLAG_THREAD_SAFE, 0, error))
		return;
	sisci_enter();
	if (sisci_initialized)
		made = sisci_new(sizeof(*made), KIND_SESSION, NULL, error);
	else
		sisci_fail(error, SCI_ERR_NOT_INITIALIZED);
	if (made) {
		sisci_add(made, 0);
		made->object.sd = made;
		made->file = -1;
		made->wake = -1;
		ret = session_open(made);
		if (ret) {
			sisci_remove(made);
			made = NULL;
		}
	}
	if (ret)
		sisci_fail(error, ret == -ENOENT || ret == -ENODEV ? SCI_ERR_NO_SUCH_ADAPTERNO
								   : SCI_ERR_SYSTEM);
	*sd = made;
	sisci_leave();
}

void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error)
{
	struct sci_desc *session = get_to_remove(sd, KIND_SESSION, error);

	if (!session)
		return;
	if (sisci_flags(flags, 0, 0, error)) {
		sisci_enter();
		/*
		 * A session cannot be closed while it has segments, interrupts or DMA queues. It
		 * can be closed while it has connections to other nodes.
		 */
		if (sisci_has(session, KIND_SEGMENT) || sisci_has(session, KIND_INTERRUPT) ||
		    sisci_has(session, KIND_DATA_INTERRUPT) || sisci_has(session, KIND_DMA))
			sisci_fail(error, SCI_ERR_BUSY);
		else
			end_all(session);
		sisci_leave();
	}
	sisci_put(session);
}

/* ---- nodes ---- */

bool sisci_node(const struct sci_desc *sd, unsigned int node_id, unsigned int *node,
		sci_error_t *error)
{
	if (node_id == SCI_LOCAL_HOST) {
		*node = sd->node;
		return true;
	}
	if (node_id % 4 || node_id / 4 > SMILE_ADAPTER_NODES)
		return sisci_fail(error, SCI_ERR_ILLEGAL_NODEID);
	*node = node_id / 4 - 1;
	return true;
}

bool sisci_adapter(const struct sci_desc *sd, unsigned int adapter, sci_error_t *error)
{
	return adapter == sd->adapter ||
	       sisci_fail(error, adapter < ADAPTERS ? SCI_ERR_NO_SUCH_ADAPTERNO
						    : SCI_ERR_ILLEGAL_ADAPTERNO);
}

int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId,
		 unsigned int flags, sci_error_t *error)
{
	struct sci_desc *session = sisci_use(sd, KIND_SESSION, flags, 0, error);
	struct smile_adapter_info info;
	unsigned int node;
	int reachable = 0;

	if (!session)
		return 0;
	if (sisci_adapter(session, localAdapterNo, error) &&
	    sisci_node(session, nodeId, &node, error)) {
		if (ioctl(session->file, SMILE_ADAPTER_INFO, &info))
			sisci_fail(error, SCI_ERR_NO_LINK_ACCESS);
		else if (!info.fabric)
			sisci_fail(error, SCI_ERR_NO_LINK_ACCESS);
		else if (!(info.reachable >> node & 1))
			sisci_fail(error, SCI_ERR_NO_REMOTE_LINK_ACCESS);
		else
			reachable = 1;
	}
	sisci_put(session);
	return reachable;
}

static bool info_of(unsigned int adapter, struct smile_adapter_info *info, sci_error_t *error)
{
	if (adapter >= ADAPTERS)
		return sisci_fail(error, SCI_ERR_ILLEGAL_ADAPTERNO);
	return !adapter_info(adapter, info) || sisci_fail(error, SCI_ERR_NO_SUCH_ADAPTERNO);
}

void SCIGetLocalNodeId(unsigned int localAdapterNo, unsigned int *nodeId, unsigned int flags,
		       sci_error_t *error)
{
	struct smile_adapter_info info;

	sisci_ok(error);
	if (!sisci_flags(flags, 0, 0, error) || !info_of(localAdapterNo, &info, error))
		return;
	if (nodeId)
		*nodeId = NODE_ID(info.node);
	else
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
}

/*
 * Find nodes by name. The names are node0, node1 and so on, as in `smile cluster`. The name
 * localhost stands for this node.
 */
void SCIGetNodeIdByAdapterName(char *name, dis_nodeId_list_t *nodeIds, dis_virt_adapter_t *type,
			       unsigned int flags, sci_error_t *error)
{
	struct smile_adapter_info info;
	unsigned int node;
	char end;

	sisci_ok(error);
	if (!sisci_flags(flags, 0, 0, error) || !info_of(0, &info, error))
		return;
	if (!name || !nodeIds) {
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
		return;
	}
	if (!strcmp(name, "localhost")) {
		node = info.node;
	} else if (sscanf(name, "node%u%c", &node, &end) != 1 || node >= SMILE_ADAPTER_NODES) {
		sisci_fail(error, SCI_ERR_NO_SUCH_NODEID);
		return;
	}
	(*nodeIds)[0] = NODE_ID(node);
	(*nodeIds)[1] = 0;
	if (type)
		*type = 0;
}

/* ---- queries ---- */

static void query_string(sci_query_string_t *query, const char *text, sci_error_t *error)
{
	if (!query->str || query->length < strlen(text) + 1)
		sisci_fail(error, SCI_ERR_NOSPC);
	else
		memcpy(query->str, text, strlen(text) + 1);
}

/* Get the PCI bus, device and function of an adapter. */
static bool bdf_of(unsigned int adapter, unsigned int *bdf)
{
	char path[64], target[256];
	unsigned int bus, device, function;
	const char *name;
	ssize_t length;

	snprintf(path, sizeof(path), "/sys/class/smile_adapter/smile_adapter%u/device", adapter);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return false;
	target[length] = '\0';
	name = strrchr(target, '/');
	if (!name || sscanf(name, "/%*x:%x:%x.%x", &bus, &device, &function) != 3)
		return false;
	*bdf = bus << 8 | device << 3 | function;
	return true;
}

static void query_adapter(sci_query_adapter_t *query, sci_error_t *error)
{
	unsigned int *data = query->data;
	struct smile_adapter_info info;
	struct timespec now;

	if (!data) {
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
		return;
	}
	if (!info_of(query->localAdapterNo, &info, error))
		return;
	switch (query->subcommand) {
	case SCI_Q_ADAPTER_SERIAL_NUMBER:
		*data = info.node + 1;
		break;
	case SCI_Q_ADAPTER_CARD_TYPE:
		*data = CARD_TYPE;
		break;
	case SCI_Q_ADAPTER_NODEID:
		*data = NODE_ID(info.node);
		break;
	case SCI_Q_ADAPTER_CONFIGURED:
	case SCI_Q_ADAPTER_NUMBER_OF_LINKS:
	case SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT:
	case SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT:
		*data = 1;
		break;
	case SCI_Q_ADAPTER_LINK_OPERATIONAL:
		*data = info.fabric;
		break;
	case SCI_Q_ADAPTER_DMA_MTU:
		*data = DMA_MTU;
		break;
	case SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE:
		*data = 256;
		break;
	case SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE:
		*data = 64;
		break;
	case SCI_Q_ADAPTER_NUMBER_OF_STREAMS:
		*data = 16;
		break;
	case SCI_Q_ADAPTER_BDF:
		if (!bdf_of(query->localAdapterNo, data))
			sisci_fail(error, SCI_ERR_NOT_AVAILABLE);
		break;
	case SCI_Q_ADAPTER_LINK_WIDTH:
		*data = LINK_WIDTH;
		break;
	case SCI_Q_ADAPTER_LINK_SPEED:
		*data = LINK_SPEED;
		break;
	case SCI_Q_ADAPTER_LINK_UPTIME:
		clock_gettime(CLOCK_BOOTTIME, &now);
		*data = (unsigned int)now.tv_sec;
		break;
	default:
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	}
}

/* Get the address of a page on the B-Link, where each node has 4 GB. */
static sci_ioaddr_t ioaddr_of(unsigned int node, unsigned int page)
{
	return (sci_ioaddr_t)node << 32 | (sci_ioaddr_t)page * PAGE_BYTES;
}

static void query_local(sci_query_local_segment_t *query, sci_error_t *error)
{
	struct sci_local_segment *segment = sisci_get(query->segment, KIND_SEGMENT, error);

	if (!segment)
		return;
	if (query->subcommand == SCI_Q_LOCAL_SEGMENT_IOADDR)
		query->data.ioaddr = ioaddr_of(segment->object.sd->node, segment->page);
	else
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	sisci_put(segment);
}

static void query_remote(sci_query_remote_segment_t *query, sci_error_t *error)
{
	struct sci_remote_segment *segment = sisci_get(query->segment, KIND_REMOTE, error);

	if (!segment)
		return;
	if (query->subcommand == SCI_Q_REMOTE_SEGMENT_IOADDR)
		query->data.ioaddr = ioaddr_of(segment->node, segment->page);
	else
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	sisci_put(segment);
}

static void query_map(sci_query_map_t *query, sci_error_t *error)
{
	struct sci_map *map = sisci_get(query->map, KIND_MAP, error);

	if (!map)
		return;
	if (query->subcommand == SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET)
		query->data = map->node == map->object.sd->node;
	else
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	sisci_put(map);
}

static void query_unsigned(unsigned int subcommand, unsigned int known, void *data,
			   unsigned int value, sci_error_t *error)
{
	if (subcommand != known || !data)
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	else
		*(unsigned int *)data = value;
}

static void query_dma(sci_query_dma_t *query, sci_error_t *error)
{
	struct smile_adapter_info info;

	if (!info_of(query->localAdapterNo, &info, error))
		return;
	/* The DMA engine has no capabilities except those that the API requires. */
	if (query->subcommand == SCI_Q_DMA_CAPABILITIES)
		query_unsigned(query->subcommand, query->subcommand, query->data, 0, error);
	else
		query_unsigned(query->subcommand, SCI_Q_DMA_AVAILABLE, query->data, 1, error);
}

void SCIQuery(unsigned int command, void *data, unsigned int flags, sci_error_t *error)
{
	sisci_ok(error);
	/* Accept the flags that choose a kind of DMA, although the adapter has only one kind. */
	if (!sisci_flags(flags,
			 command == SCI_Q_DMA
				 ? SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SYSDMA | SCI_FLAG_DMA_ADAPTER
				 : 0,
			 0, error))
		return;
	if (!data) {
		sisci_fail(error, SCI_ERR_ILLEGAL_PARAMETER);
		return;
	}
	switch (command) {
	case SCI_Q_VENDORID:
		query_string(data, VENDOR, error);
		break;
	case SCI_Q_API:
		query_string(data, API_VERSION, error);
		break;
	case SCI_Q_ADAPTER:
		query_adapter(data, error);
		break;
	case SCI_Q_LOCAL_SEGMENT:
		query_local(data, error);
		break;
	case SCI_Q_REMOTE_SEGMENT:
		query_remote(data, error);
		break;
	case SCI_Q_MAP:
		query_map(data, error);
		break;
	case SCI_Q_SYSTEM:
		query_unsigned(((sci_query_system_t *)data)->subcommand,
			       SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE, ((sci_query_system_t *)data)->data,
			       64, error);
		break;
	case SCI_Q_DMA:
		query_dma(data, error);
		break;
	default:
		sisci_fail(error, SCI_ERR_ILLEGAL_QUERY);
	}
}

/*
 * This switch must have no default case. Without one, the compiler warns if an error has no text.
 */
const char *SCIGetErrorString(sci_error_t error)
{
	switch (error) {
	case SCI_ERR_OK:
		return "OK";
	case SCI_ERR_BUSY:
		return "in use";
	case SCI_ERR_FLAG_NOT_IMPLEMENTED:
		return "this flag is not implemented";
	case SCI_ERR_ILLEGAL_FLAG:
		return "this call does not take this flag";
	case SCI_ERR_NOSPC:
		return "no room left";
	case SCI_ERR_API_NOSPC:
		return "no room left in the library";
	case SCI_ERR_HW_NOSPC:
		return "no room left in the adapter";
	case SCI_ERR_NOT_IMPLEMENTED:
		return "this call is not implemented";
	case SCI_ERR_ILLEGAL_ADAPTERNO:
		return "no adapter can have this number";
	case SCI_ERR_NO_SUCH_ADAPTERNO:
		return "there is no adapter of this number: is the driver smile_adapter loaded?";
	case SCI_ERR_TIMEOUT:
		return "time-out";
	case SCI_ERR_OUT_OF_RANGE:
		return "beyond the end of the segment";
	case SCI_ERR_NO_SUCH_SEGMENT:
		return "no such segment or interrupt, or it is not available";
	case SCI_ERR_ILLEGAL_NODEID:
		return "no node can have this id: node ids are 4, 8, 12 ..";
	case SCI_ERR_CONNECTION_REFUSED:
		return "the other node refuses the connection";
	case SCI_ERR_SEGMENT_NOT_CONNECTED:
		return "the segment is not connected";
	case SCI_ERR_SIZE_ALIGNMENT:
		return "no segment can have this size";
	case SCI_ERR_OFFSET_ALIGNMENT:
		return "the offset is not aligned";
	case SCI_ERR_ILLEGAL_PARAMETER:
		return "no such handle, or an impossible argument";
	case SCI_ERR_MAX_ENTRIES:
		return "the DMA queue is full";
	case SCI_ERR_SEGMENT_NOT_PREPARED:
		return "the segment is not prepared";
	case SCI_ERR_ILLEGAL_ADDRESS:
		return "the address is in use";
	case SCI_ERR_ILLEGAL_OPERATION:
		return "not possible in this state";
	case SCI_ERR_ILLEGAL_QUERY:
		return "no such query";
	case SCI_ERR_SEGMENTID_USED:
		return "the segment id is in use on this node";
	case SCI_ERR_SYSTEM:
		return "the system refused: see errno";
	case SCI_ERR_CANCELLED:
		return "cancelled";
	case SCI_ERR_NOT_CONNECTED:
		return "not connected";
	case SCI_ERR_NOT_AVAILABLE:
		return "not available";
	case SCI_ERR_INCONSISTENT_VERSIONS:
		return "the drivers of the two nodes have different versions";
	case SCI_ERR_COND_INT_RACE_PROBLEM:
		return "the condition of the interrupt has changed during the call";
	case SCI_ERR_OVERFLOW:
		return "the data is longer than the buffer for it, or events were lost";
	case SCI_ERR_NOT_INITIALIZED:
		return "SCIInitialize() was not called";
	case SCI_ERR_ACCESS:
		return "not shared";
	case SCI_ERR_NOT_SUPPORTED:
		return "not supported";
	case SCI_ERR_DEPRECATED:
		return "this call is obsolete";
	case SCI_ERR_DMA_NOT_AVAILABLE:
		return "there is no DMA engine of this kind";
	case SCI_ERR_DMA_DISABLED:
		return "DMA is disabled";
	case SCI_ERR_EWOULD_BLOCK:
		return "the call would have to wait";
	case SCI_ERR_SEMAPHORE_COUNT_EXCEEDED:
		return "the semaphore is at its maximum";
	case SCI_ERR_IRQL_ILLEGAL:
		return "not possible in an interrupt";
	case SCI_ERR_REMOTE_BUSY:
		return "in use on the other node";
	case SCI_ERR_LOCAL_BUSY:
		return "in use on this node";
	case SCI_ERR_ALL_BUSY:
		return "in use everywhere";
	case SCI_ERR_NO_SUCH_FDID:
		return "no such device";
	case SCI_ERR_INTNO_USED:
		return "the interrupt number is in use on this node";
	case SCI_ERR_NO_SUCH_NODEID:
		return "no such node";
	case SCI_ERR_NODE_NOT_RESPONDING:
		return "the node does not respond";
	case SCI_ERR_NO_REMOTE_LINK_ACCESS:
		return "the node does not answer";
	case SCI_ERR_NO_LINK_ACCESS:
		return "the adapter is connected to no fabric";
	case SCI_ERR_TRANSFER_FAILED:
		return "a transaction has failed";
	}
	return "unknown error";
}
