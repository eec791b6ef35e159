/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: a node of a fabric.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hw/smile_regs.h>

#include "tests/qemu/fabric_node.h"

#define SLOT_MONITOR 4
#define SLOT_ADAPTER 5
#define SLOT_TRACE 6
#define PCI_COMMAND 0x04
#define PCI_MEMORY_AND_MASTER 6
#define PCI_BAR(n) (0x10 + 4 * (n))

void node_start(struct qemu *node, unsigned int id, const char *pace)
{
	node_start_traced(node, id, pace, NULL);
}

void node_start_traced(struct qemu *node, unsigned int id, const char *pace, char *line)
{
	char *directory = qemu_path("f"), *monitor, *adapter, *trace;

	if (mkdir(directory, 0700) && errno != EEXIST)
		err(1, "%s", directory);
	if (asprintf(&monitor, "smile-monitor,id=mon,addr=%d,node=%u,pace=%s", SLOT_MONITOR, id,
		     pace) < 0 ||
	    asprintf(&adapter, "smile-adapter,id=ad,addr=%d,fabric=%s,node=%u,monitor=mon",
		     SLOT_ADAPTER, directory, id) < 0 ||
	    asprintf(&trace, "smile-trace,id=trace,addr=%d,monitor=mon,memory=%u,trigger=line",
		     SLOT_TRACE, NODE_TRACE_BYTES) < 0)
		err(1, "node %u", id);
	qemu_start(node, "pc", "-device", monitor, "-device", adapter, line ? "-chardev" : NULL,
		   line, "-device", trace, NULL);
	free(monitor);
	free(adapter);
	free(trace);
	free(directory);
	qemu_pci_put(node, SLOT_MONITOR, PCI_BAR(0), NODE_MONITOR);
	qemu_pci_put(node, SLOT_MONITOR, PCI_BAR(2), NODE_MONITOR + 0x10000);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_BAR(0), NODE_REGS);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_BAR(2), NODE_WINDOW);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_BAR(3), 0);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_BAR(4), NODE_MEMORY);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_BAR(5), 0);
	qemu_pci_put(node, SLOT_MONITOR, PCI_COMMAND, PCI_MEMORY_AND_MASTER);
	qemu_pci_put(node, SLOT_ADAPTER, PCI_COMMAND, PCI_MEMORY_AND_MASTER);
	if (line) {
		qemu_pci_put(node, SLOT_TRACE, PCI_BAR(0), NODE_TRACE);
		qemu_pci_put(node, SLOT_TRACE, PCI_BAR(2), NODE_TRACE + 0x10000);
		qemu_pci_put(node, SLOT_TRACE, PCI_COMMAND, PCI_MEMORY_AND_MASTER);
	}
	qemu_store(node, NODE_MONITOR + SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	node_put(node, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
}

void node_kill(struct qemu *node)
{
	int status;

	kill(node->pid, SIGKILL);
	if (waitpid(node->pid, &status, 0) != node->pid || !WIFSIGNALED(status))
		errx(1, "QEMU ended by itself, with status 0x%x", (unsigned int)status);
	fclose(node->to);
	fclose(node->from);
	fclose(node->machine);
}

uint32_t node_get(struct qemu *node, uint32_t offset)
{
	return qemu_load(node, NODE_REGS + offset);
}

void node_put(struct qemu *node, uint32_t offset, uint32_t value)
{
	qemu_store(node, NODE_REGS + offset, value);
}

uint64_t node_count(struct qemu *node, uint32_t address)
{
	uint64_t low = qemu_load(node, address);

	return low | (uint64_t)qemu_load(node, address + 4) << 32;
}

void node_export(struct qemu *node, uint32_t pages)
{
	node_put(node, ADAPTER_REG_EXPORT_PAGE, 0);
	node_put(node, ADAPTER_REG_EXPORT_COUNT, pages);
	node_put(node, ADAPTER_REG_EXPORT_COMMAND, ADAPTER_EXPORT_SET);
}

void node_map(struct qemu *node, unsigned int to, uint32_t pages)
{
	node_put(node, ADAPTER_REG_MAP_WINDOW, 0);
	node_put(node, ADAPTER_REG_MAP_NODE, to);
	node_put(node, ADAPTER_REG_MAP_REMOTE, 0);
	node_put(node, ADAPTER_REG_MAP_COUNT, pages);
	node_put(node, ADAPTER_REG_MAP_COMMAND, ADAPTER_MAP_SET);
	expect("STATUS.BAD_WRITE", node_get(node, ADAPTER_REG_STATUS) & ADAPTER_STATUS_BAD_WRITE,
	       0);
}

void node_pause(void)
{
	const struct timespec pause = {0, 1000000};

	nanosleep(&pause, NULL);
}

void node_await(struct qemu *node, unsigned int of, int answers)
{
	/* Clear the loss of an earlier node of this id, which has no translation left by now. */
	if (answers)
		node_put(node, ADAPTER_REG_LOST_LOW, 1U << of);
	while ((node_get(node, ADAPTER_REG_REACHABLE_LOW) >> of & 1) != (unsigned int)answers) {
		qemu_waits("a change of REACHABLE", NULL);
		node_pause();
	}
}

void node_await_count(struct qemu *node, uint32_t address, uint64_t count)
{
	while (node_count(node, address) < count) {
		qemu_waits("a counter", NULL);
		node_pause();
	}
	expect("counter", node_count(node, address), count);
}

int node_connect(unsigned int id, struct node_greeting *greeting)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct iovec part = {greeting->bytes, sizeof(greeting->bytes)};
	union {
		char bytes[CMSG_SPACE(sizeof(greeting->files))];
		struct cmsghdr align;
	} control;
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	int peer = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	char *directory = qemu_path("f");
	ssize_t count;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%u", directory, id);
	free(directory);
	if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof(address)))
		err(1, "%s", address.sun_path);
	qemu_waits("a greeting", NULL);
	count = recvmsg(peer, &message, MSG_CMSG_CLOEXEC);
	if (count <= 0 || !CMSG_FIRSTHDR(&message) ||
	    CMSG_FIRSTHDR(&message)->cmsg_len != CMSG_LEN(sizeof(greeting->files)))
		errx(1, "the greeting has no files");
	greeting->count = (size_t)count;
	memcpy(greeting->files, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(greeting->files));
	return peer;
}
