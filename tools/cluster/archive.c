// SPDX-License-Identifier: MIT
/*
 * smile cluster: write an archive in cpio's "newc" format, which the kernel unpacks after the boot
 * image.
 *
 * What lives here: the headers of the archive. The kernel does not create missing directories, so
 * the entry of a directory precedes the entries in it.
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

	if (bytes > UINT32_MAX)
		return -EFBIG;
	if (fprintf(to, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X", 0, mode, 0,
		    0, 1, 0, bytes, 0, 0, 0, 0, length, 0) != 110 ||
	    fwrite(name, length, 1, to) != 1)
		return -EIO;
	return pad(to, 110 + length);
}

/* Add an entry for each directory in the path @name. */
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

static bool is_there(const struct archive *archive, const char *name)
{
	size_t i;

	for (i = 0; i < archive->names.count; i++) {
		if (!strcmp(archive->names.word[i], name))
			return true;
	}
	return false;
}

static int put(struct archive *archive, const char *name, unsigned int mode, const void *data,
	       size_t bytes)
{
	FILE *to = archive->file;
	int err = directories(to, name);

	if (!err)
		err = words_add(&archive->names, name);
	if (!err)
		err = header(to, name, S_IFREG | mode, bytes);
	if (!err && bytes && fwrite(data, bytes, 1, to) != 1)
		err = -EIO;
	return err ? err : pad(to, bytes);
}

int archive_data(struct archive *archive, const char *name, const void *data, size_t bytes)
{
	return is_there(archive, name) ? 0 : put(archive, name, 0755, data, bytes);
}

int archive_file(struct archive *archive, const char *name, const char *path)
{
	char *data = NULL;
	struct stat info;
	FILE *from;
	int err = 0;

	if (is_there(archive, name))
		return 0;
	from = fopen(path, "re");
	if (!from)
		return -errno;
	if (fstat(fileno(from), &info) < 0)
		err = -errno;
	else if (!(data = malloc((size_t)info.st_size + 1)))
		err = -ENOMEM;
	else if (fread(data, 1, (size_t)info.st_size, from) != (size_t)info.st_size)
		err = -EIO;
	if (!err)
		err = put(archive, name, info.st_mode & 0777, data, (size_t)info.st_size);
	free(data);
	fclose(from);
	return err;
}

int archive_end(struct archive *archive)
{
	return header(archive->file, "TRAILER!!!", 0, 0);
}
