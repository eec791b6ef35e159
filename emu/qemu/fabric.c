/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The fabric: how adapters of several QEMU processes find each other.
 *
 * The fabric needs no daemon. A node that joins holds the lock of the directory, listens, and
 * connects to all listening nodes. Each pair of nodes therefore has one connection, which the node
 * that joined later has made.
 *
 *	DIR/lock	held while a node joins
 *	DIR/N.lock	held by node N as long as it lives
 *	DIR/N		node N's socket
 *
 * Each side of a connection sends a greeting with three file descriptors: its region, its memory,
 * and an eventfd that wakes it. The sides send nothing else. When a process ends for any reason,
 * the kernel closes the connection, which reports the end to the other side. Regions and memories
 * are sealed against shrinking, because otherwise a peer could truncate its file, and the next
 * access to it would end this process.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/memfd.h"
#include "qemu/sockets.h"

#include <linux/memfd.h>
#include <sys/file.h>
#include <sys/un.h>

#include "emu/qemu/smile_adapter.h"

#define GREETING_MAGIC 0x534d694cU
#define GREETING_FILES 3

#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif
#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW)

/* The greeting, which is the only message of each side. */
struct greeting {
	uint32_t magic;
	uint32_t version;
	uint32_t node;
	uint32_t unused;
};

static const char *device_name(SmileAdapter *dev)
{
	return DEVICE(dev)->id ? DEVICE(dev)->id : TYPE_SMILE_ADAPTER;
}

static void close_file(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

/* ---- this node's memory ---- */

/* Create a file of zeros that is sealed against shrinking. */
static int sealed_file(const char *name, size_t bytes, Error **errp)
{
	int file = memfd_create(name, MFD_ALLOW_SEALING | MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, bytes) < 0 || fcntl(file, F_ADD_SEALS, SEALS) < 0) {
		error_setg_errno(errp, errno, "no memory of %zu bytes to share", bytes);
		close_file(&file);
	}
	return file;
}

bool fabric_memory(SmileAdapter *dev, Error **errp)
{
	struct SmileFabric *fabric = &dev->fabric;
	Error *err = NULL;

	QTAILQ_INIT(&fabric->peers);
	fabric->lock = -1;
	fabric->listener = -1;
	fabric->memory = -1;
	fabric->region = sealed_file("smile-region", dev->region_bytes, errp);
	if (fabric->region < 0)
		return false;
	fabric->memory = sealed_file("smile-memory", dev->memory_bytes, errp);
	if (fabric->memory < 0)
		return false;
	dev->region = mmap(NULL, dev->region_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			   fabric->region, 0);
	if (dev->region == MAP_FAILED) {
		error_setg_errno(errp, errno, "cannot map %zu bytes", dev->region_bytes);
		dev->region = NULL;
		return false;
	}
	if (event_notifier_init(&fabric->bell, false) < 0) {
		error_setg(errp, "no eventfd for the fabric");
		return false;
	}
	link_init(dev->region, dev->node, dev->memory_bytes / ADAPTER_PAGE_BYTES, dev->incoming);
	/* QEMU closes the descriptor when it frees the memory region. */
	memory_region_init_ram_from_fd(&dev->memory, OBJECT(dev), "smile-adapter.memory",
				       dev->memory_bytes, RAM_SHARED, dup(fabric->memory), 0, &err);
	if (!err)
		return true;
	error_propagate(errp, err);
	return false;
}

/* ---- the other nodes ---- */

static void peer_free(struct FabricPeer *peer)
{
	struct SmileFabric *fabric = &peer->adapter->fabric;

	if (peer->attached) {
		fabric->by_node[peer->node] = NULL;
		adapter_detach(&peer->adapter->adapter, peer->node);
	}
	if (peer->socket >= 0)
		qemu_set_fd_handler(peer->socket, NULL, NULL, NULL);
	close_file(&peer->socket);
	close_file(&peer->region);
	close_file(&peer->memory);
	close_file(&peer->bell);
	if (peer->mapped)
		munmap(peer->mapped, peer->mapped_bytes);
	if (peer->store)
		munmap(peer->store, peer->store_bytes);
	QTAILQ_REMOVE(&fabric->peers, peer, next);
	g_free(peer);
}

static void peer_refuse(struct FabricPeer *peer, const char *why)
{
	warn_report("%s: a connection to the fabric %s is refused: %s", device_name(peer->adapter),
		    peer->adapter->fabric.directory, why);
	peer_free(peer);
}

/* Map a file that the peer has sent. Return: an error text, or NULL. */
static const char *map_file(int file, void **mapped, size_t *bytes)
{
	struct stat info;
	int seals = fcntl(file, F_GET_SEALS);

	if (seals < 0 || (seals & SEALS) != SEALS)
		return "its memory is not sealed";
	if (fstat(file, &info) < 0 || info.st_size <= 0)
		return "its memory has no size";
	*mapped = mmap(NULL, info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (*mapped == MAP_FAILED) {
		*mapped = NULL;
		return "its memory cannot be mapped";
	}
	*bytes = info.st_size;
	return NULL;
}

/* Attach a node whose greeting has arrived to the adapter. */
static void peer_attach(struct FabricPeer *peer)
{
	SmileAdapter *dev = peer->adapter;
	const char *error;

	error = map_file(peer->region, &peer->mapped, &peer->mapped_bytes);
	if (!error)
		error = map_file(peer->memory, &peer->store, &peer->store_bytes);
	if (!error)
		error = adapter_attach(&dev->adapter, peer->node, peer->mapped, peer->mapped_bytes,
				       peer->store, peer->store_bytes);
	if (error) {
		peer_refuse(peer, error);
		return;
	}
	close_file(&peer->region);
	close_file(&peer->memory);
	peer->attached = true;
	dev->fabric.by_node[peer->node] = peer;
}

void fabric_attach(SmileAdapter *dev)
{
	struct FabricPeer *peer, *next;

	QTAILQ_FOREACH_SAFE(peer, &dev->fabric.peers, next, next)
	{
		/*
		 * Do not attach the node as long as the adapter has not detected the end of an
		 * earlier node with this id, or still has pending transactions of that node.
		 */
		if (peer->attached || peer->node == ADAPTER_NODES ||
		    dev->fabric.by_node[peer->node] || !adapter_drained(&dev->adapter, peer->node))
			continue;
		peer_attach(peer);
	}
}

void fabric_ring(void *opaque, uint32_t node)
{
	SmileAdapter *dev = opaque;
	struct FabricPeer *peer = dev->fabric.by_node[node];
	uint64_t one = 1;

	/*
	 * If the counter has reached its maximum, the write fails; the other node then has a
	 * wake-up pending.
	 */
	if (peer && write(peer->bell, &one, sizeof(one)) < 0)
		return;
}

/* ---- greetings ---- */

static bool greet(struct FabricPeer *peer)
{
	struct SmileFabric *fabric = &peer->adapter->fabric;
	struct greeting greeting = {GREETING_MAGIC, LINK_VERSION, peer->adapter->node, 0};
	struct iovec part = {&greeting, sizeof(greeting)};
	int files[GREETING_FILES] = {fabric->region, fabric->memory,
				     event_notifier_get_fd(&fabric->bell)};
	union {
		char bytes[CMSG_SPACE(sizeof(files))];
		struct cmsghdr align;
	} control = {{0}};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(files));
	memcpy(CMSG_DATA(header), files, sizeof(files));
	return sendmsg(peer->socket, &message, MSG_NOSIGNAL) == sizeof(greeting);
}

/* Check a greeting. Return: an error text, or NULL if the greeting is valid. */
static const char *greeting_valid(struct FabricPeer *peer, const struct greeting *greeting)
{
	struct FabricPeer *other;

	if (greeting->magic != GREETING_MAGIC || peer->region < 0)
		return "the connecting program is not an adapter";
	if (greeting->version != LINK_VERSION)
		return "the other adapter is of another version: use the same plug-in for all";
	if (greeting->node >= ADAPTER_NODES || greeting->node == peer->adapter->node)
		return "its node id is impossible";
	QTAILQ_FOREACH(other, &peer->adapter->fabric.peers, next)
	{
		if (other->node == greeting->node && !other->attached)
			return "another adapter with this id is about to connect";
	}
	return NULL;
}

/*
 * Receive the greeting. Return: the number of bytes; 0 at the end of the connection; negative if
 * nothing has arrived.
 */
static ssize_t receive(struct FabricPeer *peer, struct greeting *greeting)
{
	int files[GREETING_FILES];
	struct iovec part = {greeting, sizeof(*greeting)};
	union {
		char bytes[CMSG_SPACE(sizeof(files))];
		struct cmsghdr align;
	} control;
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	ssize_t bytes = recvmsg(peer->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header;

	if (bytes < 0)
		return errno == EAGAIN || errno == EINTR ? -1 : 0;
	for (header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
		size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int), i;
		const int *sent = (const int *)CMSG_DATA(header);

		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
			continue;
		if (count == GREETING_FILES && peer->region < 0 && peer->node == ADAPTER_NODES) {
			peer->region = sent[0];
			peer->memory = sent[1];
			peer->bell = sent[2];
			continue;
		}
		for (i = 0; i < count; i++)
			close(sent[i]);
	}
	return bytes;
}

static void peer_readable(void *opaque)
{
	struct FabricPeer *peer = opaque;
	SmileAdapter *dev = peer->adapter;
	struct greeting greeting = {0};
	ssize_t bytes = receive(peer, &greeting);
	const char *error;

	if (bytes < 0)
		return;
	if (bytes == 0) {
		peer_free(peer);
		smile_adapter_kick(dev);
		return;
	}
	error = peer->node < ADAPTER_NODES  ? "it has sent more than a greeting"
		: bytes != sizeof(greeting) ? "the connecting program is not an adapter"
					    : greeting_valid(peer, &greeting);
	if (error) {
		peer_refuse(peer, error);
		smile_adapter_kick(dev);
		return;
	}
	peer->node = greeting.node;
	smile_adapter_kick(dev);
}

static bool peer_new(SmileAdapter *dev, int socket)
{
	struct FabricPeer *peer = g_new0(struct FabricPeer, 1);

	peer->adapter = dev;
	peer->node = ADAPTER_NODES;
	peer->socket = socket;
	peer->region = -1;
	peer->memory = -1;
	peer->bell = -1;
	QTAILQ_INSERT_TAIL(&dev->fabric.peers, peer, next);
	if (!greet(peer)) {
		peer_free(peer);
		return false;
	}
	qemu_set_fd_handler(socket, peer_readable, NULL, peer);
	return true;
}

static void fabric_accept(void *opaque)
{
	SmileAdapter *dev = opaque;
	int socket = accept4(dev->fabric.listener, NULL, NULL, SOCK_CLOEXEC);

	if (socket >= 0)
		peer_new(dev, socket);
}

/* ---- joining ---- */

static bool address_of(SmileAdapter *dev, uint32_t node, struct sockaddr_un *address, Error **errp)
{
	int bytes;

	address->sun_family = AF_UNIX;
	bytes = snprintf(address->sun_path, sizeof(address->sun_path), "%s/%" PRIu32,
			 dev->fabric.directory, node);
	if (bytes > 0 && (size_t)bytes < sizeof(address->sun_path))
		return true;
	error_setg(errp, "the name of the fabric's directory is too long for a socket: choose one "
			 "of at most 100 bytes");
	return false;
}

static int lock_file(SmileAdapter *dev, const char *name, int how)
{
	g_autofree char *path = g_strdup_printf("%s/%s", dev->fabric.directory, name);
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (file >= 0 && flock(file, how) < 0)
		close_file(&file);
	return file;
}

static bool fabric_listen(SmileAdapter *dev, Error **errp)
{
	struct sockaddr_un address;
	int listener;

	if (!address_of(dev, dev->node, &address, errp))
		return false;
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	/* Remove the socket of an earlier node with this id. That node no longer holds its lock. */
	unlink(address.sun_path);
	dev->fabric.listener = listener;
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(listener, ADAPTER_NODES) < 0) {
		error_setg_errno(errp, errno, "cannot listen on %s", address.sun_path);
		return false;
	}
	qemu_set_fd_handler(listener, fabric_accept, NULL, dev);
	return true;
}

static bool fabric_connect(SmileAdapter *dev, uint32_t node, Error **errp)
{
	struct sockaddr_un address;
	int peer;

	if (!address_of(dev, node, &address, errp))
		return false;
	peer = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (peer < 0) {
		error_setg_errno(errp, errno, "no socket for the fabric");
		return false;
	}
	/* If no process listens at this socket, the node does not exist, or was killed. */
	if (connect(peer, (struct sockaddr *)&address, sizeof(address)) < 0) {
		close(peer);
		return true;
	}
	peer_new(dev, peer);
	return true;
}

bool fabric_join(SmileAdapter *dev, Error **errp)
{
	struct SmileFabric *fabric = &dev->fabric;
	g_autofree char *own = g_strdup_printf("%" PRIu32 ".lock", dev->node);
	bool joined = true;
	uint32_t node;
	int lock;

	if (!fabric->directory)
		return true;
	fabric->lock = lock_file(dev, own, LOCK_EX | LOCK_NB);
	if (fabric->lock < 0) {
		error_setg_errno(errp, errno,
				 errno == EWOULDBLOCK
					 ? "node %" PRIu32 " is in the fabric %s already"
					 : "node %" PRIu32 " cannot join the fabric %s",
				 dev->node, fabric->directory);
		return false;
	}
	lock = lock_file(dev, "lock", LOCK_EX);
	if (lock < 0) {
		error_setg_errno(errp, errno, "cannot lock the fabric %s", fabric->directory);
		return false;
	}
	joined = fabric_listen(dev, errp);
	for (node = 0; joined && node < ADAPTER_NODES; node++) {
		if (node != dev->node)
			joined = fabric_connect(dev, node, errp);
	}
	close(lock);
	if (joined)
		adapter_fabric(&dev->adapter, true);
	return joined;
}

void fabric_leave(SmileAdapter *dev)
{
	struct SmileFabric *fabric = &dev->fabric;
	struct sockaddr_un address;

	if (dev->region) {
		/*
		 * Clear the flag before the memory is freed, so that no node afterwards finds this
		 * node enabled.
		 */
		atomic_store(&dev->region->enabled, 0);
	}
	while (!QTAILQ_EMPTY(&fabric->peers))
		peer_free(QTAILQ_FIRST(&fabric->peers));
	if (fabric->listener >= 0) {
		qemu_set_fd_handler(fabric->listener, NULL, NULL, NULL);
		if (address_of(dev, dev->node, &address, NULL))
			unlink(address.sun_path);
	}
	close_file(&fabric->listener);
	close_file(&fabric->lock);
	close_file(&fabric->region);
	close_file(&fabric->memory);
	if (event_notifier_get_fd(&fabric->bell) > 0) {
		event_notifier_set_handler(&fabric->bell, NULL);
		event_notifier_cleanup(&fabric->bell);
	}
	if (dev->region)
		munmap(dev->region, dev->region_bytes);
	dev->region = NULL;
}
