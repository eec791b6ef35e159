// SPDX-License-Identifier: MIT
/*
 * smile cluster: bring programs and other files into the guests.
 *
 * What lives here: the search for a program, for its shared libraries, and for the interpreter of a
 * script. The shared libraries of the files of --copy, and of the programs at the top of the
 * --share directory, are copied, too.
 */
#include "tools/cluster/cluster.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/tool.h"

/*
 * The largest number of files of --share whose libraries are searched. Each search takes about 10
 * ms.
 */
#define SHARED_MAX 500
#define LINE_BYTES 256

static bool is_file(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode);
}

/* Find a program as a shell does. Return: its allocated path; NULL if there is no such program. */
static char *program_find(const char *name)
{
	const char *at = getenv("PATH"), *end;
	char *path;

	if (strchr(name, '/'))
		return access(name, X_OK) || !is_file(name) ? NULL : realpath(name, NULL);
	for (; at && *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, ':');
		if (asprintf(&path, "%.*s/%s", (int)(end - at), at, name) < 0)
			return NULL;
		if (!access(path, X_OK) && is_file(path))
			return path;
		free(path);
	}
	return NULL;
}

/* Report that the program was not found. Return: -ECANCELED. */
static int not_found(const char *name)
{
	struct stat info;

	if (!strchr(name, '/'))
		tool_message("%s is no program that can be run: it is in no directory of PATH",
			     name);
	else if (stat(name, &info))
		tool_message("%s is no program that can be run: %s", name, strerror(errno));
	else if (S_ISDIR(info.st_mode))
		tool_message("%s is no program that can be run: it is a directory", name);
	else
		tool_message("%s is no program that can be run: it is not executable (chmod +x)",
			     name);
	return -ECANCELED;
}

/* ---- shared libraries ---- */

/* Check whether @path is in a directory that the loader always searches. */
static bool found_by_default(const char *path)
{
	static const char *const directories[] = {
		"/lib/",
		"/usr/lib/",
		"/lib64/",
		"/lib/x86_64-linux-gnu/",
		"/usr/lib/x86_64-linux-gnu/",
	};
	size_t length = (size_t)(strrchr(path, '/') + 1 - path), i;

	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		if (strlen(directories[i]) == length && !strncmp(path, directories[i], length))
			return true;
	return false;
}

static int add_within(struct archive *archive, const char *directory, const char *path)
{
	char *inside;
	int err;

	if (asprintf(&inside, "%s%s", directory, basename(path)) < 0)
		return -ENOMEM;
	err = archive_file(archive, inside, path);
	free(inside);
	return err;
}

/*
 * Add a library under the same path as on this machine, for programs that name this path. The guest
 * has no cache of libraries, and it mounts file systems over some directories. If the loader of the
 * guest would not find a library, also add the library to a separate directory. Leave out relative
 * paths in LD_LIBRARY_PATH, because they do not exist in the guest.
 */
static int library_add(struct archive *archive, const char *path)
{
	int err = *path == '/' ? archive_file(archive, path + 1, path) : 0;

	return err || found_by_default(path) ? err : add_within(archive, CLUSTER_LIBRARIES, path);
}

/*
 * Report a line of ldd of the form "FILE: LIBRARY: version `V' not found (required by FILE)" or
 * "NAME => not found".
 */
static void lacks(const char *file, char *line)
{
	char *name = line + strspn(line, " \t"), *version = strstr(line, ": version `");

	line[strcspn(line, "\n")] = '\0';
	if (version && !strncmp(line, file, strlen(file)) && version > line + strlen(file))
		tool_message("%s is built for another release of a library: %s", file,
			     line + strlen(file) + 2);
	else
		tool_message("%s needs %.*s, which this machine lacks", file,
			     (int)strcspn(name, " "), name);
}

/*
 * Add the libraries that ldd lists for a file. @must: all of these libraries must exist. Return: 0
 * or -errno; -ECANCELED after a message.
 */
static int libraries_add(struct archive *archive, const char *file, bool must)
{
	char *line = NULL;
	size_t size = 0;
	FILE *ldd;
	int err = 0;

	/*
	 * Pass the name of the file in a variable, so that the shell does not interpret its
	 * characters.
	 */
	if (setenv("SMILE_PROGRAM", file, 1) < 0)
		return -ENOMEM;
	ldd = popen("ldd \"$SMILE_PROGRAM\" 2>/dev/null", "re");
	if (!ldd)
		return -errno;
	while (!err && getline(&line, &size, ldd) > 0) {
		/* A line is "NAME => PATH (ADDRESS)". For the loader it is "PATH (ADDRESS)". */
		char *arrow = strstr(line, "=> "), *path, *end;

		if (must && strstr(line, "not found")) {
			lacks(file, line);
			err = -ECANCELED;
		}
		path = arrow ? arrow + 3 : line + strspn(line, " \t");
		/* A path may contain blanks. */
		end = strstr(path, " (0x");
		if (!end)
			end = path + strcspn(path, "\n");
		*end = '\0';
		if (!strchr(path, '/') || err)
			continue;
		err = library_add(archive, path);
	}
	free(line);
	pclose(ldd);
	return err;
}

/* ---- scripts ---- */

/* Read the first line of a file. */
static void first_line(const char *path, char *line)
{
	FILE *file = fopen(path, "re");
	size_t got = file ? fread(line, 1, LINE_BYTES - 1, file) : 0;

	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
}

/*
 * Check whether the interpreter of a script is already in the guests. The guests have busybox, as
 * /bin/sh and under its other names.
 */
static bool has_guest(const char *interpreter)
{
	return !strcmp(interpreter, "/bin/sh") || !strcmp(interpreter, "/bin/busybox");
}

/*
 * Add the interpreter of a script, at the path that the script names. If the script names
 * "/usr/bin/env NAME", also add NAME.
 */
static int interpreter_add(struct archive *archive, const char *script, char *line)
{
	char *rest = line + 2, *interpreter, *argument, *found;
	int err;

	rest += strspn(rest, " \t");
	interpreter = strsep(&rest, " \t");
	argument = rest ? rest + strspn(rest, " \t") : rest;
	if (has_guest(interpreter))
		return 0;
	if (!is_file(interpreter)) {
		tool_message("%s is a script for %s, which this machine lacks", script,
			     interpreter);
		return -ECANCELED;
	}
	err = archive_file(archive, interpreter + (*interpreter == '/'), interpreter);
	if (!err)
		err = libraries_add(archive, interpreter, true);
	if (err || strcmp(basename(interpreter), "env") || !argument || !*argument)
		return err;
	argument[strcspn(argument, " \t")] = '\0';
	found = program_find(argument);
	if (!found || !strcmp(argument, "sh")) {
		free(found);
		return 0;
	}
	err = add_within(archive, CLUSTER_WORKING, found);
	if (!err)
		err = libraries_add(archive, found, true);
	free(found);
	return err;
}

/* Add the files without which an executable file cannot run. */
static int needs_add(struct archive *archive, const char *path, bool must)
{
	char line[LINE_BYTES];

	first_line(path, line);
	if (!strncmp(line, "\177ELF", 4))
		return libraries_add(archive, path, must);
	return must && !strncmp(line, "#!", 2) ? interpreter_add(archive, path, line) : 0;
}

/* ---- all files ---- */

static int program_add(struct archive *archive, uint32_t number, const char *name)
{
	char *path = program_find(name), *directory;
	int err;

	if (!path)
		return not_found(name);
	if (asprintf(&directory, CLUSTER_PROGRAMS "%u/", number) < 0)
		directory = NULL;
	/* If the program is a symbolic link to another file, keep the name of the link. */
	err = directory ? 0 : -ENOMEM;
	if (!err) {
		char *inside;

		err = asprintf(&inside, "%s%s", directory, basename(name)) < 0 ? -ENOMEM : 0;
		if (!err) {
			err = archive_file(archive, inside, path);
			free(inside);
		}
	}
	if (!err)
		err = needs_add(archive, path, true);
	free(directory);
	free(path);
	return err;
}

int programs_add(struct archive *archive, const struct cluster *cluster)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < cluster->programs_count && !err; i++)
		err = program_add(archive, i, cluster->programs[i][0]);
	return err;
}

/*
 * Add a file of --copy. If the file is a library, also add it to a directory that the loader
 * searches.
 */
static int copy_add(struct archive *archive, const char *path)
{
	struct stat info;
	int err;

	if (stat(path, &info)) {
		tool_message("--copy: %s: %s", path, strerror(errno));
		return -ECANCELED;
	}
	if (!S_ISREG(info.st_mode)) {
		tool_message("--copy: %s is no file; --share takes a directory", path);
		return -ECANCELED;
	}
	err = add_within(archive, CLUSTER_WORKING, path);
	if (!err && strstr(basename(path), ".so"))
		err = add_within(archive, CLUSTER_LIBRARIES, path);
	return err ? err : needs_add(archive, path, true);
}

static int shared_add(struct archive *archive, const char *share)
{
	DIR *all = opendir(share);
	unsigned int count = 0;
	struct dirent *entry;
	int err = 0;

	if (!all)
		return -errno;
	while (!err && (entry = readdir(all))) {
		char *path, line[LINE_BYTES];

		if (asprintf(&path, "%s/%s", share, entry->d_name) < 0) {
			err = -ENOMEM;
			break;
		}
		line[0] = '\0';
		if (is_file(path))
			first_line(path, line);
		if (!strncmp(line, "\177ELF", 4) && count++ < SHARED_MAX)
			err = needs_add(archive, path, false);
		free(path);
	}
	closedir(all);
	if (count > SHARED_MAX)
		tool_message("--share: of %u programs in %s, only the libraries of %u are in the "
			     "guests; give the other programs to --copy",
			     count, share, SHARED_MAX);
	return err;
}

int copies_add(struct archive *archive, const struct cluster *cluster)
{
	int err = 0;
	size_t i;

	for (i = 0; i < cluster->copies.count && !err; i++)
		err = copy_add(archive, cluster->copies.word[i]);
	return err || !cluster->share ? err : shared_add(archive, cluster->share);
}
