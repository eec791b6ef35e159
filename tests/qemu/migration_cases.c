/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: its state, carried from one QEMU to another by way of a file.
 *
 * What lives here: a run that is cut in two at its worst moment, while the ring is full, a Swap_All
 * and a mark wait for room, requests wait for their responses, and frames lie in the device's
 * buffer. Its records must be those of a run in one piece.
 */
#include <err.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

#define FRAMES 16000U
/* What the first peer sends: it fits the device's buffer, and fills the ring twice and more. */
#define BEFORE 5500U
#define CONFIG_BYTES 256U
#define BURDEN_BYTES 0x180000U

static const struct setup rich = {
	.filter = SMILE_FILTER_ALL,
	.mode = SMILE_MODE_DEFAULT,
	.max_range_bytes = 64,
	.phase_events = 0x00f5,
	.swap_when_full = 2,
};

/* With the historic table of transactions, and counters that outlive the cut. */
static const struct setup historic = {
	.filter = SMILE_FILTER_ALL,
	.mode = SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE,
	.max_range_bytes = 16,
};

static const struct traffic whole = {.count = FRAMES, .step_ns = 100};
static const struct traffic before = {.count = BEFORE, .step_ns = 100};
static const struct traffic after = {.first = BEFORE, .count = FRAMES - BEFORE, .step_ns = 100};

static char *chardev_option(const char *path)
{
	char *text;

	if (asprintf(&text, "socket,id=b,path=%s,server=on,wait=off", path) < 0)
		err(1, "%s", path);
	return text;
}

/* The state of the card as the bus shows it. */
struct image {
	uint32_t config[CONFIG_BYTES / 4];
	uint32_t reg[(SMILE_COUNT_LAST + 8) / 4];
	uint32_t ring[SMILE_RING_WORDS];
};

static void image_take(struct driver *driver, struct image *image)
{
	uint32_t i;

	for (i = 0; i < CONFIG_BYTES / 4; i++)
		image->config[i] = driver_pci_get(driver, i * 4);
	for (i = 0; i < sizeof(image->reg) / 4; i++)
		image->reg[i] = driver_get(driver, i * 4);
	for (i = 0; i < SMILE_RING_WORDS; i++)
		image->ring[i] = qemu_load(&driver->qemu, DRIVER_RING + i * 4);
}

static void image_compare(const struct image *found, const struct image *expected)
{
	char what[64];
	uint32_t i;

	for (i = 0; i < CONFIG_BYTES / 4; i++) {
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

/* Send the first part; it is all in QEMU when this returns. Return: the socket, still open. */
static int send_before(const char *path)
{
	const struct timespec pause = {0, 1000000};
	int fd = traffic_connect(path), unread = 1;

	traffic_write(fd, &before);
	while (unread) {
		if (ioctl(fd, SIOCOUTQ, &unread))
			err(1, "%s", path);
		nanosleep(&pause, NULL);
	}
	return fd;
}

static void start_source(struct driver *driver, const char *path)
{
	qemu_start(&driver->qemu, "q35", "-chardev", chardev_option(path), "-device", DRIVER_DEVICE,
		   NULL);
	driver_probe(driver);
}

/* Other memory to be saved, so that it takes a while. */
static void burden(struct driver *driver)
{
	qemu_ask(&driver->qemu, "memset 0x100000 0x%x 0x5a", BURDEN_BYTES);
}

/*
 * Begin to save; when this returns, all memory has been saved once, and what changes from now on
 * must be saved again. save_finish() must come soon.
 */
static void save_start(struct driver *driver, const char *state)
{
	const struct timespec pause = {0, 20000000};
	const char *line, *syncs;

	burden(driver);
	qemu_tell(&driver->qemu, "{\"execute\": \"migrate-set-parameters\", "
				 "\"arguments\": {\"max-bandwidth\": 4000000}}");
	qemu_tell(&driver->qemu,
		  "{\"execute\": \"migrate\", \"arguments\": {\"uri\": \"exec:cat > %s\"}}", state);
	do {
		burden(driver);
		nanosleep(&pause, NULL);
		line = qemu_tell(&driver->qemu, "{\"execute\": \"query-migrate\"}");
		syncs = strstr(line, "\"dirty-sync-count\": ");
	} while (!syncs || strtoul(strchr(syncs, ':') + 1, NULL, 10) < 2);
}

static void save_finish(struct driver *driver)
{
	const struct timespec pause = {0, 5000000};
	const char *line;

	do {
		line = qemu_tell(&driver->qemu, "{\"execute\": \"query-migrate\"}");
	} while (strstr(line, "\"status\": \"setup\""));
	if (!strstr(line, "\"status\": \"active\""))
		errx(1, "the migration is not under way: %s", line);
	qemu_tell(&driver->qemu, "{\"execute\": \"stop\"}");
	qemu_tell(&driver->qemu, "{\"execute\": \"migrate-set-parameters\", "
				 "\"arguments\": {\"max-bandwidth\": 1000000000}}");
	for (;;) {
		line = qemu_tell(&driver->qemu, "{\"execute\": \"query-migrate\"}");
		if (strstr(line, "\"status\": \"completed\""))
			break;
		if (strstr(line, "\"status\": \"failed\""))
			errx(1, "the migration failed: %s", line);
		nanosleep(&pause, NULL);
	}
}

static void load(struct driver *driver, const char *state, const char *path)
{
	const struct timespec pause = {0, 5000000};
	char *uri;

	if (asprintf(&uri, "exec:cat %s", state) < 0)
		err(1, "%s", state);
	qemu_start(&driver->qemu, "q35", "-chardev", chardev_option(path), "-device", DRIVER_DEVICE,
		   "-incoming", uri, NULL);
	while (strstr(qemu_tell(&driver->qemu, "{\"execute\": \"query-status\"}"), "inmigrate"))
		nanosleep(&pause, NULL);
}

void migration_in_the_middle_changes_nothing(void)
{
	static struct image here, there;
	char *path = qemu_path("migration-1"), *next = qemu_path("migration-2");
	char *state = qemu_path("state");
	struct driver driver = {.records = {0}};
	struct records expected;
	int peer;

	start_source(&driver, path);
	driver_begin(&driver, &rich);
	peer = send_before(path);
	driver_await_full(&driver);
	save_start(&driver, state);
	/* The ring's memory changes while it is being saved. */
	driver_drain(&driver);
	driver_await_full(&driver);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	driver_put(&driver, SMILE_REG_EVENT, 9);
	expect("waiting", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_SWAPPING,
	       SMILE_STATUS_SWAPPING);
	expect("INTx", driver_line(&driver), true);
	if (driver_get_64(&driver, SMILE_REG_COUNT_SEEN) >= BEFORE)
		errx(1, "no frame is left in the buffer");
	save_finish(&driver);
	image_take(&driver, &here);
	qemu_end(&driver.qemu);
	close(peer);

	load(&driver, state, next);
	image_take(&driver, &there);
	image_compare(&there, &here);
	traffic_send(traffic_connect(next), &after);
	qemu_tell(&driver.qemu, "{\"execute\": \"cont\"}");
	expect("INTx there", driver_line(&driver), true);
	driver_put(&driver, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	expect("INTx there, acknowledged", driver_line(&driver), false);
	driver_finish(&driver, FRAMES);
	expect("events lost", driver_get_64(&driver, SMILE_REG_COUNT_LOST), 0);
	qemu_end(&driver.qemu);

	records_expect(&expected, &rich, &whole);
	records_compare("records", &driver.records, &expected);
}

/* With messages, nothing on the bus shows that the line is active: the device must remember. */
void migration_with_msi_keeps_the_line(void)
{
	char *path = qemu_path("msi-1"), *next = qemu_path("msi-2"),
	     *state = qemu_path("msi-state");
	struct driver driver = {.records = {0}};
	struct records expected;
	int peer;

	start_source(&driver, path);
	msi_enable(&driver);
	driver_begin(&driver, &historic);
	peer = send_before(path);
	driver_await_full(&driver);
	expect("message", msi_take(&driver), MSI_DATA);
	save_start(&driver, state);
	save_finish(&driver);
	qemu_end(&driver.qemu);
	close(peer);

	load(&driver, state, next);
	expect("message by loading", msi_take(&driver), 0);
	qemu_tell(&driver.qemu, "{\"execute\": \"cont\"}");
	expect("message by continuing", msi_take(&driver), 0);
	msi_disable(&driver);
	expect("INTx without MSI", driver_line(&driver), true);
	msi_enable(&driver);
	expect("message for the active line", msi_take(&driver), MSI_DATA);
	/* It falls, and rises again. */
	traffic_send(traffic_connect(next), &after);
	driver_drain(&driver);
	driver_await_full(&driver);
	expect("next message", msi_take(&driver), MSI_DATA);
	driver_finish(&driver, FRAMES);
	qemu_end(&driver.qemu);

	records_expect(&expected, &historic, &whole);
	records_compare("records", &driver.records, &expected);
}

/* Change the entries of the configuration in a saved state to what no card can have. */
static void damage(const char *state)
{
	static const uint8_t config[] = {
		0,
		0,
		0,
		sizeof(struct smile_config),
		0,
		0,
		0,
		NODE,
		0,
		0,
		SMILE_FILTER_ALL >> 8,
		SMILE_FILTER_ALL & 0xff,
	};
	static uint8_t bytes[4 << 20];
	FILE *file = fopen(state, "r+b");
	uint8_t *at;
	size_t size;

	if (!file)
		err(1, "%s", state);
	size = fread(bytes, 1, sizeof(bytes), file);
	at = memmem(bytes, size, config, sizeof(config));
	if (!at || size == sizeof(bytes))
		errx(1, "%s: no configuration in %zu bytes", state, size);
	at[5 * 4 + 3] = SMILE_ENTRIES_MAX + 1;
	rewind(file);
	if (fwrite(bytes, 1, size, file) != size || fclose(file))
		err(1, "%s", state);
}

void migration_of_a_damaged_card_is_refused(void)
{
	char *path = qemu_path("damage-1"), *next = qemu_path("damage-2");
	char *state = qemu_path("damaged"), *uri;
	struct driver driver = {.records = {0}};

	start_source(&driver, path);
	driver_begin(&driver, &rich);
	driver_put(&driver, SMILE_REG_CONTROL, 0);
	save_start(&driver, state);
	save_finish(&driver);
	qemu_end(&driver.qemu);
	damage(state);

	if (asprintf(&uri, "exec:cat %s", state) < 0)
		err(1, "%s", state);
	qemu_start(&driver.qemu, "q35", "-chardev", chardev_option(next), "-device", DRIVER_DEVICE,
		   "-incoming", uri, NULL);
	qemu_end_refusing(&driver.qemu);
}
