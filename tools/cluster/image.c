// SPDX-License-Identifier: MIT
/*
 * smile cluster: the guests' kernel and image.
 *
 * What lives here: the search for kernel, image and plug-in, and the image of a run: the program,
 * its shared libraries, and the script that the guest's init runs.
 */
#include "tools/cluster/cluster.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/tool.h"

#define KERNEL "vmlinux"
#define IMAGE "cluster-image"
#define PLUGIN "smile-monitor.so"
#define PROGRAM_DIRECTORY "smile/program/"
#define LIBRARY_DIRECTORY "smile/library/"

/* ---- search ---- */

/* Return: DIRECTORY/NAME, allocated, if it can be read; else NULL. */
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

/* Search relative to this program: BUILD/bin/smile as built, or PREFIX/bin/smile as installed. */
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
		"%s%sno guest: of its kernel (%s), image (%s) and plug-in (%s) not all are "
		"there; make them with `make cluster`, install them with `make "
		"install-cluster`, or name their directory with --guest",
		given ? given : "", given ? ": " : "", KERNEL, IMAGE, PLUGIN);
}

/* ---- the program ---- */

/* Return: the program's path, allocated; NULL if there is none. */
static char *program_find(const char *name)
{
	const char *at = getenv("PATH"), *end;
	char *path;

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : realpath(name, NULL);
	for (; at && *at; at = *end ? end + 1 : end) {
		end = strchrnul(at, ':');
		if (asprintf(&path, "%.*s/%s", (int)(end - at), at, name) < 0)
			return NULL;
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	return NULL;
}

/* Is @path in a directory where the loader looks without being configured? */
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

/*
 * A library, where it is on this machine, for programs that name the place. The guest has no cache
 * of libraries, and mounts over some directories: what the loader would not find there is in a
 * directory of its own, too. A place that LD_LIBRARY_PATH names from here on is none in the guest.
 */
static int library_add(FILE *to, const char *path)
{
	char *inside;
	int err = *path == '/' ? archive_file(to, path + 1, path) : 0;

	if (err || found_by_default(path))
		return err;
	if (asprintf(&inside, LIBRARY_DIRECTORY "%s", strrchr(path, '/') + 1) < 0)
		return -ENOMEM;
	err = archive_file(to, inside, path);
	free(inside);
	return err;
}

/*
 * Add the libraries that ldd lists to the archive. Return: 0 or -errno; -ECANCELED after a message.
 */
static int libraries_add(FILE *to, const char *program)
{
	char *command, *line = NULL;
	size_t size = 0;
	FILE *ldd;
	int err = 0;

	/* Passed as a variable, so that any file name is safe. */
	if (setenv("SMILE_PROGRAM", program, 1) < 0 ||
	    asprintf(&command, "ldd \"$SMILE_PROGRAM\" 2>/dev/null") < 0)
		return -ENOMEM;
	ldd = popen(command, "re");
	free(command);
	if (!ldd)
		return -errno;
	while (!err && getline(&line, &size, ldd) > 0) {
		/* "NAME => PATH (ADDRESS)", or of the loader PATH alone. */
		char *arrow = strstr(line, "=> "), *path, *end;

		if (strstr(line, "not found")) {
			tool_message("%s needs %.*s, which this machine lacks", program,
				     (int)strcspn(line + strspn(line, " \t"), " "),
				     line + strspn(line, " \t"));
			err = -ECANCELED;
		}
		path = arrow ? arrow + 3 : line + strspn(line, " \t");
		end = path + strcspn(path, " \n");
		*end = '\0';
		if (!strchr(path, '/') || err)
			continue;
		err = library_add(to, path);
	}
	free(line);
	pclose(ldd);
	return err;
}

/* Print a word for the shell, quoted. */
static void word_print(FILE *to, const char *word)
{
	putc('\'', to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			putc(*word, to);
	}
	putc('\'', to);
}

/*
 * Print the script that the guest's init runs. The port of standard output is opened last, after
 * the other ports.
 */
static void script_print(FILE *to, const struct cluster *cluster)
{
	const char *name;
	char **argument;

	fputs("#!/bin/sh\n"
	      "ports=/dev/virtio-ports\n"
	      "exec 2>$ports/org.smile.error\n"
	      "SMILE_NODE=$(sed -n 's/.*smile.node=\\([0-9]*\\).*/\\1/p' /proc/cmdline)\n",
	      to);
	fprintf(to, "SMILE_NODES=%u\n", cluster->nodes);
	fputs("export SMILE_NODE SMILE_NODES\n"
	      "export PATH=/smile/program:$PATH\n"
	      "export LD_LIBRARY_PATH=/" LIBRARY_DIRECTORY "\n"
	      "hostname node$SMILE_NODE\n"
	      "ifconfig lo up\n"
	      "cd /root\n",
	      to);
	if (cluster->shell) {
		/*
		 * The other guests run until the shell ends; QEMU is then ended. The script leads
		 * its session, so the terminal that it opens controls the shell's jobs.
		 */
		fputs("[ $SMILE_NODE = 0 ] || exec sleep 1000000\n"
		      "exec sh -i <>/dev/hvc0 >&0 2>&1\n",
		      to);
		return;
	}
	if (cluster->output)
		fputs("smile record -d dev:0 -o /tmp/recording -- ", to);
	name = strrchr(cluster->command[0], '/');
	name = name ? name + 1 : cluster->command[0];
	fputs("/" PROGRAM_DIRECTORY, to);
	word_print(to, name);
	for (argument = cluster->command + 1; *argument; argument++) {
		putc(' ', to);
		word_print(to, *argument);
	}
	fputs("\nstatus=$?\n", to);
	if (cluster->output)
		fputs("cat /tmp/recording >$ports/org.smile.recording || status=2\n", to);
	fputs("exit $status\n", to);
}

static int script_add(FILE *to, const struct cluster *cluster)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *script = open_memstream(&text, &bytes);
	int err;

	if (!script)
		return -errno;
	script_print(script, cluster);
	err = fclose(script) ? -ENOMEM : archive_data(to, "smile/run", text, bytes);
	free(text);
	return err;
}

static int program_add(FILE *to, const struct cluster *cluster)
{
	const char *name = strrchr(cluster->command[0], '/');
	char *path = program_find(cluster->command[0]), *inside;
	int err;

	if (!path) {
		tool_message("%s is no program that can be run", cluster->command[0]);
		return -ECANCELED;
	}
	if (asprintf(&inside, PROGRAM_DIRECTORY "%s", name ? name + 1 : cluster->command[0]) < 0) {
		free(path);
		return -ENOMEM;
	}
	err = archive_file(to, inside, path);
	if (!err)
		err = libraries_add(to, path);
	free(inside);
	free(path);
	return err;
}

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

int image_make(const struct cluster *cluster, const char *path)
{
	FILE *to = fopen(path, "we");
	int err = to ? 0 : -errno;

	if (!err)
		err = copy(to, cluster->image);
	if (!err && !cluster->shell)
		err = program_add(to, cluster);
	if (!err)
		err = script_add(to, cluster);
	if (!err)
		err = archive_end(to);
	if (to && fclose(to) && !err)
		err = -errno;
	/* The message was printed at the failure. */
	if (err == -ECANCELED)
		return TOOL_ERROR;
	return err ? tool_error("cannot make the guests' image %s: %s", path, strerror(-err))
		   : TOOL_OK;
}
