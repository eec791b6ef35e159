/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A machine that consists of files: trees that replace /sys and /proc for one test.
 *
 * What lives here: functions that make and remove the files. A file must include cmocka's headers
 * before this header.
 */
#ifndef TESTS_UNIT_RUN_SAMPLE_HOST_TREE_H
#define TESTS_UNIT_RUN_SAMPLE_HOST_TREE_H

#include <cmocka.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/sample/host.h"

static char tree_root[] = "/tmp/smile-host-XXXXXX";

static void tree_file(const char *path, const char *text)
{
	char whole[PATH_MAX];
	FILE *out;

	snprintf(whole, sizeof(whole), "%s%s", tree_root, path);
	for (char *slash = whole + sizeof(tree_root); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	out = fopen(whole, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", text);
	fclose(out);
}

static int tree_make(void **state)
{
	strcpy(tree_root + sizeof(tree_root) - 7, "XXXXXX");
	assert_non_null(mkdtemp(tree_root));
	return setenv(SAMPLE_ROOT, tree_root, 1);
}

static int tree_remove_one(const char *path, const struct stat *status, int flag, struct FTW *at)
{
	return remove(path);
}

static int tree_remove(void **state)
{
	unsetenv(SAMPLE_ROOT);
	return nftw(tree_root, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#endif /* TESTS_UNIT_RUN_SAMPLE_HOST_TREE_H */
