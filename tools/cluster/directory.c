// SPDX-License-Identifier: MIT
/*
 * smile cluster: the run's directory, which contains the sockets of the fabric and the consoles of
 * the guests.
 *
 * What lives here: the creation and the removal of this directory. If a run is killed, its
 * directory remains until the next run removes it. While a run is alive, it holds the lock of a
 * file in its directory.
 */
#include "tools/cluster/cluster.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define NAME "smile-cluster-"
#define OWNER "owner"
#define PATH_BYTES 4096

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	(void)info;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void remove_all(const char *directory)
{
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool lock(int file)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(file, F_OFD_SETLK, &all);
}

/*
 * Check whether a killed command of this user has left the directory. In this case, the directory's
 * lock is free.
 */
static bool is_left(const char *directory)
{
	char path[PATH_BYTES + sizeof(OWNER) + 1];
	struct stat info;
	bool left;
	int file;

	snprintf(path, sizeof(path), "%s/%s", directory, OWNER);
	file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0)
		return false;
	left = !fstat(file, &info) && info.st_uid == geteuid() && lock(file);
	close(file);
	return left;
}

static void remove_left(const char *where)
{
	char path[PATH_BYTES];
	struct dirent *entry;
	DIR *all = opendir(where);

	if (!all)
		return;
	while ((entry = readdir(all))) {
		if (strncmp(entry->d_name, NAME, strlen(NAME)) ||
		    snprintf(path, sizeof(path), "%s/%s", where, entry->d_name) >=
			    (int)sizeof(path))
			continue;
		if (is_left(path))
			remove_all(path);
	}
	closedir(all);
}

/*
 * Lock the file before it gets its name. Otherwise another run could find the file unlocked, and
 * remove the directory.
 */
static int own(struct cluster *cluster)
{
	char *early = NULL, *name = NULL;
	int status = TOOL_OK;

	if (asprintf(&early, "%s/%s.new", cluster->directory, OWNER) < 0 ||
	    asprintf(&name, "%s/%s", cluster->directory, OWNER) < 0)
		return tool_error("no memory");
	cluster->owner = open(early, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (cluster->owner < 0 || !lock(cluster->owner) || rename(early, name) < 0)
		status = tool_error("cannot write in %s: %s", cluster->directory, strerror(errno));
	free(early);
	free(name);
	return status;
}

int directory_make(struct cluster *cluster)
{
	const char *where = getenv("TMPDIR");

	where = where && *where ? where : "/tmp";
	remove_left(where);
	/* The names of the fabric's sockets contain this path, so it must be short. */
	if (asprintf(&cluster->directory, "%s/" NAME "XXXXXX", where) < 0)
		cluster->directory = NULL;
	if (cluster->directory && mkdtemp(cluster->directory))
		return own(cluster);
	free(cluster->directory);
	cluster->directory = NULL;
	return tool_error("no temporary directory in %s (TMPDIR): %s", where, strerror(errno));
}

void directory_remove(struct cluster *cluster)
{
	if (cluster->directory)
		remove_all(cluster->directory);
	if (cluster->owner >= 0)
		close(cluster->owner);
	free(cluster->directory);
}
