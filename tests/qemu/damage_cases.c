/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: saved states that no card can have.
 *
 * What lives here: fields of a saved state, changed one at a time, each of which must make the load
 * fail. The test finds a field by a mark: a value that the driver has written to a nearby register.
 * The distances follow from the descriptions in emu/qemu/vmstate.c: fields are big-endian and
 * follow each other without holes.
 */
#include <endian.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "emu/card/card.h"
#include "tests/qemu/cases.h"
#include "tests/qemu/saved.h"

#define BYTES_MAX (8U << 20)
#define HOST_RECORDS 512U

/**
 * struct damage - One field, and a value that it cannot contain.
 * @what: name of the field
 * @offset: offset from the mark, bytes
 * @bytes: size of the field
 * @value: the impossible value
 * @more: this damage is applied together with the next one
 */
struct damage {
	const char *what;
	long offset;
	size_t bytes;
	uint64_t value;
	bool more;
};

#define DAMAGE(what, offset, bytes, value)                                                         \
	{                                                                                          \
		what, offset, bytes, value, false                                                  \
	}

struct state {
	uint8_t bytes[BYTES_MAX];
	size_t size;
};

static void state_read(struct state *state, const char *path)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		err(1, "%s", path);
	state->size = fread(state->bytes, 1, sizeof(state->bytes), file);
	if (fclose(file) || state->size == sizeof(state->bytes))
		errx(1, "%s: %zu bytes", path, state->size);
}

static void state_write(const struct state *state, const char *path)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(state->bytes, 1, state->size, file) != state->size || fclose(file))
		err(1, "%s", path);
}

/* Return: address of the mark, which must occur exactly once. */
static uint8_t *find(struct state *state, const void *mark, size_t bytes)
{
	uint8_t *at = memmem(state->bytes, state->size, mark, bytes);

	if (!at || memmem(at + 1, state->size - (size_t)(at + 1 - state->bytes), mark, bytes))
		errx(1, "a mark of %zu bytes is not in the state, or twice", bytes);
	return at;
}

static void state_change(struct state *state, const uint32_t *mark, size_t mark_words,
			 const struct damage *damage)
{
	uint8_t *at = find(state, mark, mark_words * sizeof(*mark)) + damage->offset;
	uint64_t value = htobe64(damage->value);

	memcpy(at, (uint8_t *)&value + sizeof(value) - damage->bytes, damage->bytes);
}

/* Loading must fail with each damage, and must succeed without any damage. */
static void expect_refused(const char *path, const char *device, const uint32_t *mark,
			   size_t mark_words, const struct damage *damage, size_t count)
{
	static struct state state;
	char *next = qemu_path("there"), *damaged = qemu_path("damaged");
	struct driver driver = {.bus = !!strstr(device, "bus=")};
	size_t i;

	remove(next);
	saved_load(&driver, device, path, next);
	expect("ID", driver_get(&driver, SMILE_REG_ID), SMILE_ID_VALUE);
	qemu_end(&driver.qemu);
	for (i = 0; i < count; i++) {
		state_read(&state, path);
		for (; damage[i].more; i++)
			state_change(&state, mark, mark_words, &damage[i]);
		state_change(&state, mark, mark_words, &damage[i]);
		state_write(&state, damaged);
		printf("%s\n", damage[i].what);
		fflush(stdout);
		remove(next);
		saved_load_refused(&driver, device, damaged, next);
	}
}

/* ---- marks ---- */

#define MARKED_NODE 0xa5c3U
#define MARKED_PAGE (SMILE_STATIC_PAGE_VALID | 0xa5c3eU)

/* The configuration, at its first two words; the tables of the static array, at the first page. */
static uint32_t config_mark[2], page_mark[1];

static void set_marks(struct driver *driver)
{
	config_mark[0] = htobe32(sizeof(struct smile_config));
	config_mark[1] = htobe32(MARKED_NODE);
	page_mark[0] = htobe32(MARKED_PAGE);
	driver_put(driver, SMILE_REG_NODE, MARKED_NODE);
	driver_put(driver, SMILE_REG_STATIC_PAGE, MARKED_PAGE);
	expect("refused writes", driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

#define OF_CONFIG(field) ((long)offsetof(struct smile_config, field))
#define OF_COUNT(field) (sizeof(struct smile_config) + 16 + offsetof(struct card_counts, field))

/* Offsets from the first page: */
#define OF_TABLES (-8)
#define OF_NODE 128
#define OF_EVENT 256
#define OF_COUNTER 320
#define OF_VALUE 384 /* owed, taken_owed, count, taken, active */
#define OF_OWING 720
#define OF_RAM 728 /* read, write, aux */
#define OF_HOST 740 /* base, size, read, write, stalled */
#define OF_LATENCY 764
#define OF_TIMER 768 /* deadline, timer_next, time_next, time_ns, time_waiting */
#define OF_SWAPPING 804 /* and static_later */
#define OF_MARK 812 /* time_ns, event, node, raised, phase, valid */
#define OF_LOST 827 /* lost_unsaid, lost_later, marks_unsaid, marks_later */
#define OF_LATENCY_NS 859

static uint64_t field(struct state *state, const uint32_t *mark, size_t mark_words, long offset,
		      size_t bytes)
{
	uint8_t *at = find(state, mark, mark_words * sizeof(*mark)) + offset;
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return value;
}

/* ---- a card at rest ---- */

static const struct damage config_at_rest[] = {
	DAMAGE("config.size", 0, 4, 32),
	DAMAGE("config.node", OF_CONFIG(node), 4, SMILE_NODE_ID + 1),
	DAMAGE("config.mode", OF_CONFIG(mode), 4, SMILE_MODE_ALL + 1),
	DAMAGE("config.entries", OF_CONFIG(entries), 4, SMILE_ENTRIES_MAX + 1),
	DAMAGE("config.reserved", OF_CONFIG(reserved), 4, 1),
	DAMAGE("config.timer_event", OF_CONFIG(timer_event), 4, SMILE_EVENTS),
	DAMAGE("config.watermark", OF_CONFIG(watermark_records), 4, SMILE_DMA_RECORDS_MAX + 1),
	DAMAGE("config.reserved2", OF_CONFIG(reserved2), 4, 1),
	DAMAGE("int_status", sizeof(struct smile_config), 4, SMILE_INT_ALL + 1),
	DAMAGE("count.seen", OF_COUNT(seen), 8, 1),
	DAMAGE("count.accepted", OF_COUNT(accepted), 8, 1),
	DAMAGE("count.static_counted", OF_COUNT(static_counted), 8, 1),
	DAMAGE("count.clock", OF_COUNT(clock_ns), 8, 1ULL << 63),
};

static const struct damage rest_at_rest[] = {
	DAMAGE("tables.size", OF_TABLES, 4, 8),
	DAMAGE("tables.reserved", OF_TABLES + 4, 4, 1),
	DAMAGE("page", 4, 4, 0x40000000),
	DAMAGE("home node", OF_NODE, 4, SMILE_NODE_ID + 1),
	DAMAGE("event", OF_EVENT, 4, 0x40000000),
	DAMAGE("range", OF_EVENT, 4, SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, 1U)),
	DAMAGE("counter", OF_COUNTER, 4, 0x40),
	DAMAGE("owed", OF_VALUE, 8, 1),
	DAMAGE("taken_owed", OF_VALUE + 8, 8, 1),
	DAMAGE("count", OF_VALUE + 16, 2, SMILE_COUNT_MAX),
	DAMAGE("count without an event", OF_VALUE + 16, 2, 5),
	DAMAGE("taken", OF_VALUE + 18, 2, 5),
	DAMAGE("active", OF_VALUE + 20, 1, 2),
	DAMAGE("owing", OF_OWING, 4, 1),
	DAMAGE("waiting", OF_OWING + 4, 4, 1),
	DAMAGE("ring.read", OF_RAM, 4, SMILE_RING_POINTER + 1),
	DAMAGE("ring.write", OF_RAM + 4, 4, 4),
	DAMAGE("base", OF_HOST, 8, DRIVER_HOST + 16),
	DAMAGE("base at the end", OF_HOST, 8, 0xfffffffffffff000ULL),
	DAMAGE("no size", OF_HOST + 8, 4, 0),
	DAMAGE("size", OF_HOST + 8, 4, 3 * SMILE_DMA_RECORDS_MIN),
	DAMAGE("size", OF_HOST + 8, 4, 2 * SMILE_DMA_RECORDS_MAX),
	DAMAGE("pointers", OF_HOST + 16, 4, HOST_RECORDS + 1),
	DAMAGE("stalled", OF_HOST + 20, 4, 2),
	DAMAGE("latency", OF_LATENCY, 4, 1),
	DAMAGE("deadline", OF_TIMER, 8, 0),
	DAMAGE("timer_next", OF_TIMER + 8, 8, 1),
	DAMAGE("time_next", OF_TIMER + 16, 8, 1),
	DAMAGE("time_waiting", OF_TIMER + 32, 4, 1),
	DAMAGE("swapping", OF_SWAPPING, 4, 1),
	DAMAGE("static_later", OF_SWAPPING + 4, 4, 1),
	DAMAGE("mark.raised", OF_MARK + 12, 1, SMILE_RAISED_BLINK + 1),
	DAMAGE("mark.valid", OF_MARK + 14, 1, 1),
	DAMAGE("lost_unsaid", OF_LOST, 8, 1),
	DAMAGE("lost_later", OF_LOST + 8, 8, 1),
	DAMAGE("marks_unsaid", OF_LOST + 16, 8, 1),
	DAMAGE("marks_later", OF_LOST + 24, 8, 1),
	DAMAGE("latency_ns", OF_LATENCY_NS, 8, 1),
};

void damaged_card_at_rest_is_refused(void)
{
	struct setup setup = {
		.filter = SMILE_FILTER_ALL,
		.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.host_records = HOST_RECORDS,
	};
	static struct state there;
	struct driver driver = {.records = {0}};
	char *state = qemu_path("state");

	qemu_start(&driver.qemu, "q35", "-device", DRIVER_DEVICE, "-chardev",
		   saved_chardev(qemu_path("here")), NULL);
	driver_probe(&driver);
	driver_set_up(&driver, &setup);
	set_marks(&driver);
	saved_whole(&driver, state);
	qemu_end(&driver.qemu);

	/* Are the fields at the expected offsets? */
	state_read(&there, state);
	expect("config.mode", field(&there, config_mark, 2, OF_CONFIG(mode), 4),
	       setup.mode | SMILE_MODE_HOST_RING);
	expect("active", field(&there, page_mark, 1, OF_VALUE + 20, 1), 1);
	expect("base", field(&there, page_mark, 1, OF_HOST, 8), DRIVER_HOST);
	expect("size", field(&there, page_mark, 1, OF_HOST + 8, 4), HOST_RECORDS);
	expect("deadline", field(&there, page_mark, 1, OF_TIMER, 8), UINT64_MAX);
	expect_refused(state, DRIVER_DEVICE, config_mark, 2, config_at_rest,
		       sizeof(config_at_rest) / sizeof(config_at_rest[0]));
	expect_refused(state, DRIVER_DEVICE, page_mark, 1, rest_at_rest,
		       sizeof(rest_at_rest) / sizeof(rest_at_rest[0]));
}

/* ---- a card that has counted ---- */

/* Offset from the configuration; registers, counters and the decoder's tables are in between. */
#define OF_ENTRY                                                                                   \
	(sizeof(struct smile_config) + 16 + sizeof(struct card_counts) + BLINK_SLOTS * 12 + 256)
#define ENTRY_BYTES 29
#define OF_OCCUPIED (OF_ENTRY + SMILE_ENTRIES_MAX * ENTRY_BYTES + 8)

/* used, page, first, last, source, destination, count, type, response, valid */
static const struct damage entry_counting[] = {
	DAMAGE("used in the future", OF_ENTRY, 8, 1000),
	DAMAGE("used with another", OF_ENTRY, 8, 2),
	DAMAGE("page", OF_ENTRY + 8, 8, 1ULL << 36),
	DAMAGE("first", OF_ENTRY + 16, 2, 1023),
	DAMAGE("last", OF_ENTRY + 18, 2, 1024),
	DAMAGE("longer than MAX_RANGE", OF_ENTRY + 18, 2, 2),
	{"first", OF_ENTRY + 16, 2, 1, true},
	DAMAGE("in two blocks", OF_ENTRY + 18, 2, 2),
	DAMAGE("count", OF_ENTRY + 24, 2, 0),
	DAMAGE("another count", OF_ENTRY + 24, 2, 7),
	DAMAGE("no type", OF_ENTRY + 26, 1, SMILE_TYPE_ANY),
	DAMAGE("type", OF_ENTRY + 26, 1, SMILE_TYPE_COUNT),
	DAMAGE("response", OF_ENTRY + 27, 1, 2),
	DAMAGE("valid", OF_ENTRY + 28, 1, 2),
	DAMAGE("not valid", OF_ENTRY + 28, 1, 0),
	DAMAGE("beyond ENTRIES", OF_ENTRY + 20 * ENTRY_BYTES + 28, 1, 1),
	DAMAGE("occupied", OF_OCCUPIED, 4, SMILE_ENTRIES_MAX + 1),
};

void damaged_card_that_counts_is_refused(void)
{
	const struct traffic traffic = {.count = 10, .step_ns = 100};
	struct setup setup = {
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT | SMILE_MODE_ALIGNED,
		.max_range_bytes = 2 * SMILE_WORD_BYTES,
	};
	static struct state there;
	struct driver driver = {.records = {0}};
	char *state = qemu_path("state");
	uint32_t status;

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_set_up(&driver, &setup);
	set_marks(&driver);
	driver_put(&driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	driver_await_count(&driver, SMILE_REG_COUNT_SEEN, traffic.count);
	status = driver_get(&driver, SMILE_REG_STATUS);
	saved_whole(&driver, state);
	qemu_end(&driver.qemu);

	state_read(&there, state);
	expect("first used", field(&there, config_mark, 2, OF_ENTRY, 8), 1);
	expect("first destination", field(&there, config_mark, 2, OF_ENTRY + 22, 2), NODE);
	expect("first valid", field(&there, config_mark, 2, OF_ENTRY + 28, 1), 1);
	expect("second used", field(&there, config_mark, 2, OF_ENTRY + ENTRY_BYTES, 8), 2);
	expect("occupied", field(&there, config_mark, 2, OF_OCCUPIED, 4),
	       SMILE_GET(SMILE_STATUS_OCCUPIED, status));
	expect_refused(state, DRIVER_DEVICE, config_mark, 2, entry_counting,
		       sizeof(entry_counting) / sizeof(entry_counting[0]));
}

/* ---- a card whose timers run ---- */

static const struct damage clock_running[] = {
	DAMAGE("clock long ago", OF_COUNT(clock_ns), 8, 0),
	DAMAGE("clock to come", OF_COUNT(clock_ns), 8, INT64_MAX),
	DAMAGE("timer_us", OF_CONFIG(timer_us), 4, 0),
	DAMAGE("time_us", OF_CONFIG(time_us), 4, 1),
};

static const struct damage timer_running[] = {
	DAMAGE("latency", OF_LATENCY, 4, 0),
	DAMAGE("deadline", OF_TIMER, 8, 1),
	DAMAGE("periods not begun", OF_TIMER, 8, 0),
	{"deadline long ago", OF_TIMER, 8, 1, true},
	DAMAGE("timer_next long ago", OF_TIMER + 8, 8, 1),
	DAMAGE("time_next far ahead", OF_TIMER + 16, 8, 1ULL << 60),
	DAMAGE("latency stopped", OF_LATENCY_NS, 8, 0),
	DAMAGE("latency far ahead", OF_LATENCY_NS, 8, 1ULL << 60),
	DAMAGE("latency before time", OF_LATENCY_NS, 8, UINT64_MAX),
};

void damaged_card_with_timers_is_refused(void)
{
	static const char device[] = DRIVER_DEVICE ",pace=realtime";
	struct setup setup = {
		.filter = SMILE_FILTER_ALL,
		.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.timer_us = 100000000,
		.time_us = 200000000,
		.latency_us = UINT32_MAX,
	};
	struct driver driver = {.records = {0}};
	char *state = qemu_path("state");

	qemu_start(&driver.qemu, "q35", "-device", device, "-chardev",
		   saved_chardev(qemu_path("here")), NULL);
	driver_probe(&driver);
	driver_set_up(&driver, &setup);
	set_marks(&driver);
	driver_put(&driver, SMILE_REG_EVENT, 1);
	driver_put(&driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	driver_await_count(&driver, SMILE_REG_CLOCK, 1);
	saved_whole(&driver, state);
	qemu_end(&driver.qemu);
	expect_refused(state, device, config_mark, 2, clock_running,
		       sizeof(clock_running) / sizeof(clock_running[0]));
	expect_refused(state, device, page_mark, 1, timer_running,
		       sizeof(timer_running) / sizeof(timer_running[0]));
}

/* ---- configuration space ---- */

/* The first word of the configuration space, which QEMU saves in the byte order of the bus. */
static const uint32_t identity_mark[] = {(uint32_t)SMILE_PCI_DEVICE << 16 | SMILE_PCI_VENDOR};

#define OF_MSI_NEXT (SMILE_PCI_MSI + 1)
#define OF_POWER SMILE_PCI_PM
#define OF_POWER_STATE (SMILE_PCI_PM + 4)

static const struct damage power_broken[] = {
	DAMAGE("a list that goes elsewhere", OF_MSI_NEXT, 1, SMILE_PCI_PM + 4),
	DAMAGE("a list that begins elsewhere", 0x34, 1, SMILE_PCI_PM),
	{"a list that ends early", OF_MSI_NEXT, 1, 0, true},
	DAMAGE("and nothing behind it", OF_POWER, 8, 0x1122334403667788ULL),
	DAMAGE("another capability", OF_POWER, 1, 0x05),
	DAMAGE("a list that goes on", OF_POWER + 1, 1, SMILE_PCI_EXPRESS),
	DAMAGE("a card that knows D1", OF_POWER + 2, 2, 0x0302),
	DAMAGE("D1", OF_POWER_STATE, 1, 1),
	DAMAGE("D2", OF_POWER_STATE, 1, 2),
	DAMAGE("no reset on the way to D0", OF_POWER_STATE, 1, 8),
	DAMAGE("power management events", OF_POWER_STATE + 1, 1, 1),
	DAMAGE("the bridge's byte", OF_POWER_STATE + 2, 1, 1),
};

/* A card at rest, saved. */
static char *save_card(struct driver *driver)
{
	char *state = qemu_path("state");

	qemu_start(&driver->qemu, "q35", "-device", DRIVER_DEVICE, "-chardev",
		   saved_chardev(qemu_path("here")), NULL);
	driver_probe(driver);
	driver_set_up(driver, &setup_plain);
	saved_whole(driver, state);
	qemu_end(&driver->qemu);
	return state;
}

void damaged_power_management_is_refused(void)
{
	struct driver driver = {.records = {0}};

	expect_refused(save_card(&driver), DRIVER_DEVICE, identity_mark, 1, power_broken,
		       sizeof(power_broken) / sizeof(power_broken[0]));
}

/* The header of an error that waits to be reported; the status of the error precedes it. */
#define MARKED_HEADER 0xa5c3e7f1U

static const struct damage errors_broken[] = {
	DAMAGE("no error", -8, 4, 0),
	DAMAGE("two errors", -8, 4, 0x00005000),
	DAMAGE("an unknown error", -8, 4, 0x00000001),
};

void damaged_error_log_is_refused(void)
{
	uint32_t mark = htobe32(MARKED_HEADER);
	struct driver driver = {.records = {0}};
	char *state = qemu_path("state"), *error;

	if (asprintf(&error, "COMP_TIME 0x%x 0 0 0", MARKED_HEADER) < 0)
		err(1, "COMP_TIME");
	qemu_start(&driver.qemu, "q35", "-chardev", saved_chardev(qemu_path("here")), "-device",
		   DRIVER_PORT, "-device", DRIVER_PLUGGED, NULL);
	driver_show_space(&driver);
	driver_plug(&driver);
	driver_probe(&driver);
	driver_inject(&driver, "POISON_TLP");
	driver_inject(&driver, error);
	saved_whole(&driver, state);
	qemu_end(&driver.qemu);
	expect_refused(state, DRIVER_PLUGGED, &mark, 1, errors_broken,
		       sizeof(errors_broken) / sizeof(errors_broken[0]));
}
