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

/* Return: the arguments of a chardev "b" that listens on a socket. */
char *saved_chardev(const char *path);

/*
 * saved_start() starts to save. When it returns, all memory has been saved once, and memory that
 * changes from now on must be saved again. QEMU then does not finish for minutes, until
 * saved_finish() is called.
 */
void saved_start(struct driver *driver, const char *state);
void saved_finish(struct driver *driver, const char *state);

/* saved_start() and saved_finish() in one step, with the machine stopped. */
void saved_whole(struct driver *driver, const char *state);

/*
 * Start another QEMU with this card, in a slot if @driver's was in one, and a chardev that listens
 * on @path, and load the saved state. The machine is still stopped.
 */
void saved_load(struct driver *driver, const char *device, const char *state, const char *path);

/* The same, but QEMU must refuse the state. */
void saved_load_refused(struct driver *driver, const char *device, const char *state,
			const char *path);

/*
 * saved_disk(): a disk for QEMU's snapshots, which the machine does not use otherwise.
 * saved_snapshot(): "save" or "load" the one snapshot on it.
 */
void saved_disk(struct driver *driver, const char *path);
void saved_snapshot(struct driver *driver, const char *action);

#endif /* TESTS_QEMU_SAVED_H */
