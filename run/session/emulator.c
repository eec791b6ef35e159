// SPDX-License-Identifier: MIT
/*
 * run/session: chooses the QEMU that traces the program.
 *
 * What lives here: the choice of the qemu-x86_64 that traces the program, and the remedy if there
 * is no such QEMU. Some distributions link their QEMU statically, so this QEMU cannot load
 * plug-ins. For these distributions, build-qemu builds a QEMU from the distribution's own source.
 * build-qemu stores this QEMU in a directory in which each source tree and each installed package
 * searches.
 */
#include "run/session/session_inside.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Path of the QEMU that root has built with build-qemu. All users can use this QEMU.
 * emu/qemu/build-user.sh defines the same path.
 */
#define BUILT_BY_ROOT "/var/lib/smile-monitor/" RUN_QEMU

static char *if_program(char *path)
{
	if (path && !access(path, X_OK))
		return path;
	free(path);
	return NULL;
}

/* Get the path of the QEMU that this user has built. */
static char *built_by_user(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *path = NULL;

	if (cache && *cache == '/') {
		if (asprintf(&path, "%s/smile-monitor/" RUN_QEMU, cache) < 0)
			return NULL;
	} else if (home && *home == '/') {
		if (asprintf(&path, "%s/.cache/smile-monitor/" RUN_QEMU, home) < 0)
			return NULL;
	}
	return if_program(path);
}

/*
 * A QEMU that was built by build-qemu is used only if the distribution's QEMU cannot load plug-ins,
 * because the distribution keeps its own QEMU up to date.
 */
char *run_emulator_find(void)
{
	const char *given = getenv("SMILE_QEMU");
	char *packaged, *built;

	if (given && *given)
		return run_search(given);
	packaged = run_search(RUN_QEMU);
	if (packaged && run_emulator_loads(packaged))
		return packaged;
	built = built_by_user();
	if (!built)
		built = if_program(strdup(BUILT_BY_ROOT));
	if (!built)
		return packaged;
	free(packaged);
	return built;
}

bool run_emulator_loads(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool interpreter = false;
	Elf64_Phdr segment;
	Elf64_Ehdr header;

	if (fd < 0)
		return false;
	/*
	 * A file that is not an ELF file, such as a script, may start a QEMU that loads plug-ins.
	 */
	if (pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(segment)) {
		close(fd);
		return true;
	}
	for (unsigned i = 0; i < header.e_phnum && !interpreter; i++) {
		off_t at = (off_t)(header.e_phoff + i * sizeof(segment));

		interpreter = pread(fd, &segment, sizeof(segment), at) == sizeof(segment) &&
			      segment.p_type == PT_INTERP;
	}
	close(fd);
	return interpreter;
}

void run_emulator_missing(char *text, size_t bytes)
{
	char *build = run_file_look(RUN_QEMU_BUILD);

	snprintf(text, bytes,
		 "there is no " RUN_QEMU
		 " with plug-ins in PATH: on Debian 12, sudo apt-get install "
		 "qemu-user; on Debian 13, build one from Debian's source, which takes two "
		 "minutes: %s",
		 build ? build : RUN_QEMU_BUILD);
	free(build);
}
