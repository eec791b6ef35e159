// SPDX-License-Identifier: MIT
/*
 * smile cluster: an archive in cpio's format "newc", which the kernel unpacks after the image.
 *
 * What lives here: its headers. The kernel makes no directories by itself: each entry follows those
 * that it is in.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_MAX_BYTES 4096

static int pad(FILE *to, size_t bytes)
{
	return bytes % 4 && fwrite("\0\0\0", 4 - bytes % 4, 1, to) != 1 ? -EIO : 0;
}

static int header(FILE *to, const char *name, unsigned int mode, size_t bytes)
{
	size_t length = strlen(name) + 1;

	if (fprintf(to, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X", 0, mode, 0,
		    0, 1, 0, bytes, 0, 0, 0, 0, length, 0) != 110 ||
	    fwrite(name, length, 1, to) != 1)
		return -EIO;
	return pad(to, 110 + length);
}

/* All directories above @name. */
static int directories(FILE *to, const char *name)
{
	char path[NAME_MAX_BYTES];
	const char *slash = name;
	int err = 0;

	while (!err && (slash = strchr(slash, '/'))) {
		size_t length = (size_t)(slash++ - name);

		if (length >= sizeof(path))
			return -ENAMETOOLONG;
		memcpy(path, name, length);
		path[length] = '\0';
		err = header(to, path, S_IFDIR | 0755, 0);
	}
	return err;
}

int archive_data(FILE *to, const char *name, const void *data, size_t bytes)
{
	int err = directories(to, name);

	if (!err)
		err = header(to, name, S_IFREG | 0755, bytes);
	if (!err && bytes && fwrite(data, bytes, 1, to) != 1)
		err = -EIO;
	return err ? err : pad(to, bytes);
}

int archive_file(FILE *to, const char *name, const char *path)
{
	FILE *from = fopen(path, "re");
	struct stat info;
	char *data = NULL;
	int err = 0;

	if (!from)
		return -errno;
	if (fstat(fileno(from), &info) < 0)
		err = -errno;
	else if (!(data = malloc((size_t)info.st_size + 1)))
		err = -ENOMEM;
	else if (fread(data, 1, (size_t)info.st_size, from) != (size_t)info.st_size)
		err = -EIO;
	if (!err)
		err = archive_data(to, name, data, (size_t)info.st_size);
	free(data);
	fclose(from);
	return err;
}

int archive_end(FILE *to)
{
	return header(to, "TRAILER!!!", 0, 0);
}
