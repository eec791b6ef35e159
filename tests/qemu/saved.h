/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: its state in a file.
 *
 * What lives here: saving a running QEMU to a file, loading the file into another one, and the
 * state of the card as the bus shows it. May use tests/qemu/driver.h.
 */
#ifndef TESTS_QEMU_SAVED_H
#define TESTS_QEMU_SAVED_H

#include "tests/qemu/driver.h"

#define IMAGE_CONFIG_BYTES 256U

/* The card's configuration space, its registers and its RAM. */
struct image {
	uint32_t config[IMAGE_CONFIG_BYTES / 4];
	uint32_t reg[(SMILE_REG_CLOCK_STEP + 4) / 4];
	uint32_t ring[SMILE_RING_WORDS];
};

void image_take(struct driver *driver, struct image *image);
void image_compare(const struct image *found, const struct image *expected);

/* A chardev "b" that listens on a socket. */
char *saved_chardev(const char *path);

/*
 * Begin to save; when this returns, all memory has been saved once, and what changes from now on
 * must be saved again. Then QEMU does not finish for minutes, until saved_finish().
 */
void saved_start(struct driver *driver, const char *state);
void saved_finish(struct driver *driver, const char *state);

/* Both at once, with the machine stopped. */
void saved_whole(struct driver *driver, const char *state);

/*
 * Start another QEMU, with this card, in a slot if @driver's was, and a chardev that listens on
 * @path, and load what was saved; it is still stopped.
 */
void saved_load(struct driver *driver, const char *device, const char *state, const char *path);

/* The same, but it must be refused. */
void saved_load_refused(struct driver *driver, const char *device, const char *state,
			const char *path);

/*
 * A disk, in which QEMU keeps its snapshots; the machine has no use for it. And "save" or "load" of
 * the one snapshot there.
 */
void saved_disk(struct driver *driver, const char *path);
void saved_snapshot(struct driver *driver, const char *action);

#endif /* TESTS_QEMU_SAVED_H */
