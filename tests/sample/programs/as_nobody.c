/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Runs a program as another user than root.
 *
 * usage: as_nobody PROGRAM [ARGUMENTS]
 */
#include <grp.h>
#include <stdio.h>
#include <unistd.h>

#define NOBODY 65534

int main(int argc, char **argv)
{
	if (argc < 2 || setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)) {
		perror("as_nobody");
		return 125;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 125;
}
