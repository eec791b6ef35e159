/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Checks of the programs for the SISCI API: each ends its program at the first call that fails.
 *
 * What lives here: the error of the last call, and its expected value; a session, and a segment of
 * this node. May use: <sisci_api.h>, POSIX.
 */
#ifndef TESTS_GUEST_SISCI_CHECK_H
#define TESTS_GUEST_SISCI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sisci_api.h>

#define WAIT_MS 120000

static sci_error_t error;

static void check(int good, const char *what)
{
	if (!good) {
		printf("not ok %s (error 0x%x: %s)\n", what, (unsigned int)error,
		       SCIGetErrorString(error));
		exit(1);
	}
}

#define OK(what) check(error == SCI_ERR_OK, what)
#define REFUSED(why, what) check(error == (why), what)

/* Repeat a call until it succeeds: the other node may not be ready. */
#define UNTIL_OK(call, what)                                                                       \
	do {                                                                                       \
		int tries = 0;                                                                     \
		sci_error_t first = SCI_ERR_OK;                                                    \
		do {                                                                               \
			call;                                                                      \
			if (first != error && error != SCI_ERR_OK) {                               \
				first = error;                                                     \
				printf("# %s: try %d: error 0x%x\n", what, tries,                  \
				       (unsigned)error);                                           \
			}                                                                          \
			if (error != SCI_ERR_OK)                                                   \
				usleep(10000);                                                     \
		} while (error != SCI_ERR_OK && tries++ < WAIT_MS / 10);                           \
		OK(what);                                                                          \
	} while (0)

/* Open a session; from now on each line of output appears immediately. */
static inline sci_desc_t session_open(void)
{
	sci_desc_t sd;

	setvbuf(stdout, NULL, _IOLBF, 0);
	SCIInitialize(0, &error);
	OK("initialize");
	SCIOpen(&sd, 0, &error);
	OK("open");
	return sd;
}

/* Create and prepare a segment of this node. Return: its memory. */
static inline volatile void *segment_create(sci_desc_t sd, unsigned int id, size_t bytes,
					    sci_local_segment_t *segment, sci_map_t *map)
{
	volatile void *memory;

	SCICreateSegment(sd, segment, id, bytes, NULL, NULL, 0, &error);
	OK("create");
	SCIPrepareSegment(*segment, 0, 0, &error);
	OK("prepare");
	memory = SCIMapLocalSegment(*segment, map, 0, bytes, NULL, 0, &error);
	OK("map");
	return memory;
}

#endif /* TESTS_GUEST_SISCI_CHECK_H */
