/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A fuzz target without libFuzzer: tries every file of a folder.
 *
 * usage: TARGET FOLDER
 *
 * What lives here: main(), for compilers that have no libFuzzer. Each file is one test; a fault
 * ends the program, as under libFuzzer. May use fuzz.h, tests/harness/test.h and POSIX.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/harness/test.h"

#define INPUT_BYTES_MAX (1U << 20)
#define PATH_BYTES_MAX 4096U

static void *must(void *got, const char *path)
{
	if (!got) {
		perror(path);
		exit(2);
	}
	return got;
}

static void try_file(const char *path)
{
	FILE *file = must(fopen(path, "rb"), path);
	uint8_t *buffer = must(malloc(INPUT_BYTES_MAX), path);
	size_t size = fread(buffer, 1, INPUT_BYTES_MAX, file);
	/*
	 * The buffer has exactly the length of the input, so that a sanitizer detects reads beyond
	 * it.
	 */
	uint8_t *data = must(malloc(size ? size : 1), path);

	must(ferror(file) ? NULL : data, path);
	fclose(file);
	memcpy(data, buffer, size);
	free(buffer);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	char path[PATH_BYTES_MAX];
	unsigned int files = 0;
	struct dirent *entry;
	DIR *folder;

	folder = argc == 2 ? opendir(argv[1]) : NULL;
	if (!folder) {
		fprintf(stderr, "usage: %s FOLDER, with inputs in it\n", argv[0]);
		return 2;
	}
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
		/*
		 * The name is printed before the test: after a crash, the last line names the
		 * input.
		 */
		printf("%s\n", path);
		fflush(stdout);
		try_file(path);
		files++;
	}
	closedir(folder);
	/* An empty corpus proves nothing. */
	return suite_end(files, files == 0, 0);
}
