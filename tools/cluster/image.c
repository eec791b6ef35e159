// SPDX-License-Identifier: MIT
/*
 * smile cluster: the kernel and the boot image of the guests.
 *
 * What lives here: the search for the kernel, the image and the plug-in; and the image of a run, to
 * which the programs and the script for the guest's init are added.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define KERNEL "vmlinux"
#define IMAGE "cluster-image"
#define PLUGIN "smile-monitor.so"

/* ---- search ---- */

/* Return: the allocated path DIRECTORY/NAME if this file can be read; otherwise NULL. */
static char *look(const char *directory, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return NULL;
	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

static bool found(struct cluster *cluster, const char *guest, const char *plugins)
{
	free(cluster->kernel);
	free(cluster->image);
	free(cluster->plugin);
	cluster->kernel = look(guest, KERNEL);
	cluster->image = look(guest, IMAGE);
	cluster->plugin = look(plugins, PLUGIN);
	return cluster->kernel && cluster->image && cluster->plugin;
}

/*
 * Search relative to the executable file of this program: BUILD/bin/smile in a build tree, and
 * PREFIX/bin/smile if the program is installed.
 */
static bool found_beside(struct cluster *cluster)
{
	char self[PATH_MAX], guest[PATH_MAX + 64], plugins[PATH_MAX + 64];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int up;

	if (length <= 0)
		return false;
	self[length] = '\0';
	for (up = 0; up < 2; up++)
		*strrchr(self, '/') = '\0';
	snprintf(guest, sizeof(guest), "%s/guest", self);
	snprintf(plugins, sizeof(plugins), "%s/emu/qemu", self);
	if (found(cluster, guest, plugins))
		return true;
	snprintf(guest, sizeof(guest), "%s/share/smile-monitor/guest", self);
	return found(cluster, guest, guest);
}

int image_find(struct cluster *cluster, const char *given)
{
	if (!given)
		given = getenv("SMILE_GUEST");
	if (given ? found(cluster, given, given) : found_beside(cluster))
		return TOOL_OK;
	return tool_error(
		"%s%sno guest: its kernel (%s), image (%s) or plug-in (%s) is missing; make "
		"them with `make cluster`, install them with `make install-cluster`, or name "
		"their directory with --guest",
		given ? given : "", given ? ": " : "", KERNEL, IMAGE, PLUGIN);
}

/* ---- the image of a run ---- */

static int copy(FILE *to, const char *path)
{
	FILE *from = fopen(path, "re");
	char buffer[65536];
	size_t got;
	int err = 0;

	if (!from)
		return -errno;
	while (!err && (got = fread(buffer, 1, sizeof(buffer), from)) > 0)
		err = fwrite(buffer, got, 1, to) == 1 ? 0 : -EIO;
	if (!err && ferror(from))
		err = -EIO;
	fclose(from);
	return err;
}

/* Make the image in memory, so that a killed run leaves no file. */
int image_make(struct cluster *cluster)
{
	struct archive archive = {.file = NULL};
	int err = 0;

	cluster->initrd = memfd_create("initrd", 0);
	if (cluster->initrd >= 0)
		archive.file = fdopen(dup(cluster->initrd), "w");
	if (!archive.file)
		err = -errno;
	if (!err)
		err = copy(archive.file, cluster->image);
	if (!err && !cluster->shell)
		err = programs_add(&archive, cluster);
	if (!err)
		err = copies_add(&archive, cluster);
	if (!err)
		err = script_add(&archive, cluster);
	if (!err)
		err = archive_end(&archive);
	if (archive.file && fclose(archive.file) && !err)
		err = -errno;
	words_free(&archive.names);
	/* The function that failed has already printed a message. */
	if (err == -ECANCELED)
		return TOOL_ERROR;
	return err ? tool_error("cannot make the guests' image: %s", strerror(-err)) : TOOL_OK;
}
