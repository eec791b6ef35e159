/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: foreign processes that connect to a node of a fabric.
 *
 * What lives here: greetings that no correct adapter sends. The bytes are those of a real greeting
 * of node 1; the files that are passed with them are wrong.
 */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/fabric_node.h"

#define SHORT_BYTES 4096

/* A file of zeros, as adapters share it, sealed or not. */
static int memory_file(off_t bytes, int sealed)
{
	int file = memfd_create("foreign", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	if (file < 0 || ftruncate(file, bytes) ||
	    (sealed && fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW)))
		err(1, "memfd");
	return file;
}

static void greet(int peer, const void *bytes, size_t count, const int *files, size_t file_count)
{
	struct iovec part = {(void *)bytes, count};
	union {
		char bytes[CMSG_SPACE(GREETING_FILES * sizeof(int))];
		struct cmsghdr align;
	} control = {{0}};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	struct cmsghdr *header;

	if (file_count) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(file_count * sizeof(int));
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(file_count * sizeof(int));
		memcpy(CMSG_DATA(header), files, file_count * sizeof(int));
	}
	if (sendmsg(peer, &message, MSG_NOSIGNAL) != (ssize_t)count)
		err(1, "a greeting");
}

/* Node 0 must have closed the connection, and its last warning must be @why. */
static void expect_refused(int peer, FILE *warnings, const char *why)
{
	char line[512] = "", last[512] = "";
	char byte;

	qemu_waits("the refusal:", why);
	if (recv(peer, &byte, 1, 0) > 0)
		errx(1, "a second greeting");
	close(peer);
	while (fgets(line, sizeof(line), warnings))
		strcpy(last, line);
	clearerr(warnings);
	if (!strstr(last, "refused") || !strstr(last, why))
		errx(1, "expected a warning with \"%s\", found: %s", why, last);
}

/* Redirect the standard error of the QEMUs that start from now on. Return: the old descriptor. */
static int divert_errors(const char *path)
{
	int kept = dup(STDERR_FILENO), file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);

	if (kept < 0 || file < 0 || dup2(file, STDERR_FILENO) < 0)
		err(1, "%s", path);
	close(file);
	fcntl(kept, F_SETFD, FD_CLOEXEC);
	return kept;
}

void fabric_refuses_foreign_processes(void)
{
	struct node_greeting of_a, of_b;
	char *path = qemu_path("warnings");
	int kept = divert_errors(path), files[GREETING_FILES], peer;
	struct qemu a, b;
	struct stat info;
	FILE *warnings;

	node_start(&a, 0, "drain");
	dup2(kept, STDERR_FILENO);
	warnings = fopen(path, "r");
	if (!warnings)
		err(1, "%s", path);
	node_start(&b, 1, "drain");
	close(node_connect(1, &of_b));
	node_await(&a, 1, 1);
	node_kill(&b);
	node_await(&a, 1, 0);

	peer = node_connect(0, &of_a);
	greet(peer, "garbage", 7, NULL, 0);
	expect_refused(peer, warnings, "the connecting program is not an adapter");
	peer = node_connect(0, &of_a);
	greet(peer, "garbage of 16 by", of_b.count, of_b.files, GREETING_FILES);
	expect_refused(peer, warnings, "the connecting program is not an adapter");
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, NULL, 0);
	expect_refused(peer, warnings, "the connecting program is not an adapter");
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, of_b.files, GREETING_FILES - 1);
	expect_refused(peer, warnings, "the connecting program is not an adapter");
	peer = node_connect(0, &of_a);
	greet(peer, of_a.bytes, of_a.count, of_b.files, GREETING_FILES);
	expect_refused(peer, warnings, "its node id is impossible");

	memcpy(files, of_b.files, sizeof(files));
	if (fstat(of_b.files[0], &info))
		err(1, "region");
	files[0] = memory_file(info.st_size, 0);
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, files, GREETING_FILES);
	expect_refused(peer, warnings, "its memory is not sealed");
	files[0] = memory_file(SHORT_BYTES, 1);
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, files, GREETING_FILES);
	expect_refused(peer, warnings, "its region is not an adapter's");
	files[0] = of_b.files[0];
	files[1] = memory_file(SHORT_BYTES, 1);
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, files, GREETING_FILES);
	expect_refused(peer, warnings, "its region does not have the size that it claims");
	peer = node_connect(0, &of_a);
	greet(peer, of_b.bytes, of_b.count, of_b.files, GREETING_FILES);
	node_await(&a, 1, 1);
	greet(peer, "more", 4, NULL, 0);
	expect_refused(peer, warnings, "it has sent more than a greeting");
	node_await(&a, 1, 0);

	/* Node 0 still works: a real node joins. */
	node_start(&b, 1, "drain");
	node_await(&a, 1, 1);
	node_export(&b, 1);
	node_map(&a, 1, 1);
	qemu_store(&b, NODE_MEMORY, 0x1234);
	expect("load", qemu_load(&a, NODE_WINDOW), 0x1234);
	qemu_end(&a);
	qemu_end(&b);
}
