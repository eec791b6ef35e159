/* SPDX-License-Identifier: MIT */
/*
 * Build id: identifies the build of a file.
 *
 * What lives here: the function that gets the build id that the linker has written into the file.
 * If the file has no build id, it computes a checksum of the file's contents instead. May use libdw
 * and libelf.
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <smile/monitor.h>

#include <base/fnv.h>

#include "lib/base/error.h"

#define ID_BYTES_MAX 32

static int build_id(Elf *elf, char *text)
{
	const unsigned char *id;
	const void *bits;
	ssize_t bytes = dwelf_elf_gnu_build_id(elf, &bits);
	size_t at;

	if (bytes <= 0)
		return 0;
	id = bits;
	at = (size_t)snprintf(text, MONITOR_BUILD_BYTES, "build-id ");
	for (ssize_t i = 0; i < bytes && i < ID_BYTES_MAX; i++)
		at += (size_t)snprintf(text + at, MONITOR_BUILD_BYTES - at, "%02x", id[i]);
	return 1;
}

static int contents(int fd, const char *path, char *text)
{
	uint64_t sum = FNV_BEGIN;
	unsigned char buffer[65536];
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, buffer, sizeof(buffer), at)) > 0) {
		sum = fnv_add(sum, buffer, (size_t)got);
		at += got;
	}
	if (got < 0) {
		int error = errno;

		return smile_error(error, "cannot read %s: %s", path, strerror(error));
	}
	snprintf(text, MONITOR_BUILD_BYTES, "contents %016" PRIx64, sum);
	return 0;
}

static int build_of(int fd, const char *path, char *text)
{
	struct stat status;
	Elf *elf;
	int found;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return smile_error(EPROTO, "%s is not a regular file, and so cannot be a program",
				   path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return smile_error(EPROTO, "%s is no ELF file", path);
	}
	found = build_id(elf, text);
	elf_end(elf);
	return found ? 0 : contents(fd, path, text);
}

int Monitor_object_build(const char *path, char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;

	if (fd < 0) {
		error = errno;
		return smile_error(error, "cannot open %s: %s", path, strerror(error));
	}
	error = build_of(fd, path, text);
	close(fd);
	return error;
}
