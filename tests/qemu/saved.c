/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: its state in a file.
 */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/saved.h"

#define BURDEN_BYTES 0x180000U

char *saved_chardev(const char *path)
{
	char *text;

	if (asprintf(&text, "socket,id=b,path=%s,server=on,wait=off", path) < 0)
		err(1, "%s", path);
	return text;
}

void image_take(struct driver *driver, struct image *image)
{
	uint32_t i;

	for (i = 0; i < IMAGE_CONFIG_BYTES / 4; i++)
		image->config[i] = driver_pci_get(driver, i * 4);
	for (i = 0; i < sizeof(image->reg) / 4; i++)
		image->reg[i] = driver_get(driver, i * 4);
	for (i = 0; i < SMILE_RING_WORDS; i++)
		image->ring[i] = qemu_load(&driver->qemu, DRIVER_RING + i * 4);
}

void image_compare(const struct image *found, const struct image *expected)
{
	char what[64];
	uint32_t i;

	for (i = 0; i < IMAGE_CONFIG_BYTES / 4; i++) {
		snprintf(what, sizeof(what), "configuration space 0x%02" PRIx32, i * 4);
		expect(what, found->config[i], expected->config[i]);
	}
	for (i = 0; i < sizeof(found->reg) / 4; i++) {
		snprintf(what, sizeof(what), "register 0x%03" PRIx32, i * 4);
		expect(what, found->reg[i], expected->reg[i]);
	}
	for (i = 0; i < SMILE_RING_WORDS; i++) {
		snprintf(what, sizeof(what), "ring word %" PRIu32, i);
		expect(what, found->ring[i], expected->ring[i]);
	}
}

static void begin(struct driver *driver, const char *state)
{
	unlink(state);
	/* When QEMU has finished, its last bytes may not have reached the file yet. */
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"migrate\", \"arguments\": {\"uri\": "
		     "\"exec:cat > %s.part && mv %s.part %s\"}}",
		     state, state, state);
}

static void finish(struct driver *driver, const char *state)
{
	const struct timespec pause = {0, 5000000};
	const char *line;

	for (;;) {
		line = qemu_monitor(&driver->qemu, "{\"execute\": \"query-migrate\"}");
		if (strstr(line, "\"status\": \"completed\""))
			break;
		if (strstr(line, "\"status\": \"failed\""))
			errx(1, "the migration failed: %s", line);
		nanosleep(&pause, NULL);
	}
	qemu_waits("the file", state);
	while (access(state, F_OK))
		nanosleep(&pause, NULL);
}

/* Fill other memory that QEMU must save, so that saving takes a while. */
static void burden(struct driver *driver)
{
	qemu_ask(&driver->qemu, "memset 0x100000 0x%x 0x5a", BURDEN_BYTES);
}

void saved_start(struct driver *driver, const char *state)
{
	const struct timespec pause = {0, 20000000};
	const char *line, *syncs;

	burden(driver);
	/* QEMU finishes once the rest fits the downtime: here less than a page. */
	qemu_monitor(&driver->qemu, "{\"execute\": \"migrate-set-parameters\", \"arguments\": "
				    "{\"max-bandwidth\": 4000000, \"downtime-limit\": 1}}");
	begin(driver, state);
	for (;;) {
		burden(driver);
		line = qemu_monitor(&driver->qemu, "{\"execute\": \"query-migrate\"}");
		syncs = strstr(line, "\"dirty-sync-count\": ");
		if (syncs && strtoul(strchr(syncs, ':') + 1, NULL, 10) >= 2)
			break;
		nanosleep(&pause, NULL);
	}
	/* Now the other memory takes minutes, however late saved_finish() is called. */
	qemu_monitor(&driver->qemu, "{\"execute\": \"migrate-set-parameters\", "
				    "\"arguments\": {\"max-bandwidth\": 10000}}");
}

void saved_finish(struct driver *driver, const char *state)
{
	const char *line;

	do {
		line = qemu_monitor(&driver->qemu, "{\"execute\": \"query-migrate\"}");
	} while (strstr(line, "\"status\": \"setup\""));
	if (!strstr(line, "\"status\": \"active\""))
		errx(1, "the migration is not under way: %s", line);
	qemu_monitor(&driver->qemu, "{\"execute\": \"stop\"}");
	qemu_monitor(&driver->qemu, "{\"execute\": \"migrate-set-parameters\", "
				    "\"arguments\": {\"max-bandwidth\": 1000000000}}");
	finish(driver, state);
}

void saved_whole(struct driver *driver, const char *state)
{
	qemu_monitor(&driver->qemu, "{\"execute\": \"stop\"}");
	begin(driver, state);
	finish(driver, state);
}

/* Start a QEMU that waits for the command migrate-incoming, which names the state. */
static void start_there(struct driver *driver, const char *device, const char *path)
{
	/* A NULL argument ends the list. */
	qemu_start(&driver->qemu, "q35", "-chardev", saved_chardev(path), "-incoming", "defer",
		   "-device", driver->bus ? DRIVER_PORT : device, driver->bus ? "-device" : NULL,
		   device, NULL);
}

static const char incoming[] = "{\"execute\": \"migrate-incoming\", "
			       "\"arguments\": {\"uri\": \"exec:cat %s\"}}";

void saved_load(struct driver *driver, const char *device, const char *state, const char *path)
{
	const struct timespec pause = {0, 5000000};

	start_there(driver, device, path);
	qemu_monitor(&driver->qemu, incoming, state);
	while (strstr(qemu_monitor(&driver->qemu, "{\"execute\": \"query-status\"}"), "inmigrate"))
		nanosleep(&pause, NULL);
}

void saved_load_refused(struct driver *driver, const char *device, const char *state,
			const char *path)
{
	start_there(driver, device, path);
	dprintf(driver->qemu.monitor, incoming, state);
	qemu_end_refusing(&driver->qemu);
}

/* ---- snapshots ---- */

/* The job that the last monitor command started must end without an error. */
static void await_job(struct driver *driver)
{
	const struct timespec pause = {0, 5000000};
	const char *line;

	do {
		nanosleep(&pause, NULL);
		line = qemu_monitor(&driver->qemu, "{\"execute\": \"query-jobs\"}");
	} while (!strstr(line, "\"concluded\""));
	if (strstr(line, "\"error\""))
		errx(1, "%s", line);
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"job-dismiss\", \"arguments\": {\"id\": \"j\"}}");
}

void saved_disk(struct driver *driver, const char *path)
{
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"blockdev-create\", \"arguments\": {\"job-id\": \"j\", "
		     "\"options\": "
		     "{\"driver\": \"file\", \"filename\": \"%s\", \"size\": 0}}}",
		     path);
	await_job(driver);
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"blockdev-add\", \"arguments\": {\"driver\": \"file\", "
		     "\"node-name\": \"file\", \"filename\": \"%s\"}}",
		     path);
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"blockdev-create\", \"arguments\": {\"job-id\": \"j\", "
		     "\"options\": "
		     "{\"driver\": \"qcow2\", \"file\": \"file\", \"size\": 1048576}}}");
	await_job(driver);
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"blockdev-add\", \"arguments\": {\"driver\": \"qcow2\", "
		     "\"node-name\": \"disk\", \"file\": \"file\"}}");
}

void saved_snapshot(struct driver *driver, const char *action)
{
	qemu_monitor(
		&driver->qemu,
		"{\"execute\": \"snapshot-%s\", \"arguments\": {\"job-id\": \"j\", \"tag\": \"t\", "
		"\"vmstate\": \"disk\", \"devices\": [\"disk\"]}}",
		action);
	await_job(driver);
}
