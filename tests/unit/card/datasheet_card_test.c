/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests that the card model has the reset values and the access rules of docs/registers.md.
 * datasheet_test.c compares the datasheet with the headers.
 *
 * What lives here: the tests. Each test makes a card, and accesses every register of the datasheet
 * and every other offset. May use card_fixture.h and datasheet_tables.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/field.h>

#include "tests/unit/card/card_fixture.h"
#include "tests/unit/card/datasheet_tables.h"

/* For each writable register, a legal value that is not the reset value. */
static const struct {
	const char *name;
	uint32_t value;
} legal[] = {
	{"CONTROL", SMILE_CONTROL_ENABLE},
	{"NODE", 5},
	{"FILTER", SMILE_FILTER_ALL},
	{"MODE", SMILE_MODE_ALIGNED | SMILE_MODE_STATIC},
	{"MAX_RANGE", 4096},
	{"ENTRIES", 64},
	{"PHASE_EVENTS", 0x8001},
	{"INT_ENABLE", SMILE_INT_ALL},
	{"RING_READ", 0}, /* the only legal value while the ring is empty */
	{"DMA_BASE_LOW", 0xfffff000},
	{"DMA_BASE_HIGH", 0x12345678},
	{"DMA_SIZE", 256},
	{"DMA_READ", 0xfffffff0},
	{"DMA_WRITE", 0xfffffff0},
	{"RING_WATERMARK", 1U << 24},
	{"RING_LATENCY", 0xffffffff},
	{"STATIC_PAGE", SMILE_STATIC_PAGE_VALID | 0xfffff},
	{"STATIC_NODE", 0xffff},
	{"STATIC_EVENT", SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_TOP},
	{"STATIC_COUNTER", SMILE_STATIC_COUNTER_COUNT_VALID | 31},
	{"TIMER_PERIOD", 0xffffffff},
	{"TIMER_EVENT", 15},
	{"TIME_PERIOD", 0xffffffff},
};

static uint32_t legal_value(const struct sheet_register *reg)
{
	for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++) {
		if (strcmp(legal[i].name, reg->name) == 0)
			return legal[i].value;
	}
	fail_msg("%s can be written: give this test a legal value", reg->name);
	return 0;
}

static bool has_access(const struct sheet_register *reg, const char *access)
{
	return strcmp(reg->access, access) == 0;
}

static uint32_t offset_of(const struct sheet_register *reg, uint32_t element)
{
	return reg->offset + element * reg->stride;
}

static bool bad_write(struct fixture *fx)
{
	return fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE;
}

/* The card must accept the write; the register must then have this value. */
static void expect_taken(struct fixture *fx, const struct sheet_register *reg, uint32_t element,
			 uint32_t value)
{
	uint32_t offset = offset_of(reg, element);

	fixture_set(fx, offset, value);
	if (bad_write(fx))
		fail_msg("%s [%u], " SHEET_PATH ": %s; but 0x%x is refused", reg->name, element,
			 reg->access, value);
	if (fixture_get(fx, offset) != value)
		fail_msg("%s [%u] reads 0x%x after 0x%x was written", reg->name, element,
			 fixture_get(fx, offset), value);
}

/* The write must set STATUS.BAD_WRITE, and change nothing else. */
static void expect_refused(struct fixture *fx, uint32_t offset, uint32_t value)
{
	fixture_set(fx, offset, value);
	if (!bad_write(fx))
		fail_msg("0x%x at 0x%03x is not refused", value, offset);
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	assert_false(bad_write(fx));
	fixture_expect_refused(fx, offset, value);
}

static void expect_reset_values(struct fixture *fx)
{
	size_t checked = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		for (uint32_t element = 0; reg->has_reset && element < reg->count; element++) {
			uint32_t value = fixture_get(fx, offset_of(reg, element));

			if (value != reg->reset)
				fail_msg("%s [%u] resets to 0x%x in " SHEET_PATH
					 ", to 0x%x in the card",
					 reg->name, element, reg->reset, value);
			if (reg->bytes == 8)
				assert_int_equal(fixture_get(fx, reg->offset + 4), 0);
			checked++;
		}
		/*
		 * The datasheet describes the reset value of STATUS in words. A WO register cannot
		 * be read.
		 */
		if (!reg->has_reset && !has_access(reg, "WO"))
			assert_string_equal(reg->name, "STATUS");
	}
	assert_true(checked > 150);
}

/* ---- reset values ---------------------------------------------------------------------------- */

static void reset_values_are_the_cards(void **state)
{
	struct fixture *fx = *state;

	expect_reset_values(fx);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), 0);
	card_link(&fx->card, true);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_LINK);
	card_reset(&fx->card);
	expect_reset_values(fx);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_LINK);
}

static void command_reset_brings_them_back(void **state)
{
	struct fixture *fx = *state;

	card_link(&fx->card, true);
	for (size_t i = sheet_register_count; i > 0; i--) {
		const struct sheet_register *reg = &sheet_registers[i - 1];

		if (!has_access(reg, "CFG") && !has_access(reg, "RW"))
			continue;
		/* Write the last register first, because CONTROL locks the registers before it. */
		for (uint32_t element = 0; element < reg->count; element++)
			expect_taken(fx, reg, element, legal_value(reg));
	}
	fixture_read(fx, 1, 5, 0x1000);
	fixture_set(fx, SMILE_REG_EVENT, 3);
	fixture_set(fx, SMILE_REG_ID, 0);
	assert_true(bad_write(fx));
	assert_int_not_equal(fixture_counter(fx, SMILE_REG_COUNT_SEEN), 0);
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect_reset_values(fx);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS), SMILE_STATUS_LINK);
}

/* In a meaning such as "entries of the range table: 64", the number at its end is the value. */
static void capabilities_are_what_their_meanings_say(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	for (size_t i = 0; i < sheet_field_count; i++) {
		const struct sheet_field *field = &sheet_fields[i];
		const char *value = field->meaning ? strrchr(field->meaning, ':') : NULL;

		if (strcmp(field->of, "CAPABILITY"))
			continue;
		assert_non_null(value);
		assert_int_equal(SMILE_GET(field->mask, fixture_get(fx, SMILE_REG_CAPABILITY)),
				 strtoul(value + 1, NULL, 10));
		checked++;
	}
	assert_true(checked >= 5);
}

/* ---- access ---------------------------------------------------------------------------------- */

static void read_only_registers_refuse_writes(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	card_link(&fx->card, true);
	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		if (!has_access(reg, "RO") || reg->remark[0] == ';' ||
		    sheet_remark(reg, "two bits"))
			continue;
		for (uint32_t element = 0; element < reg->count; element++) {
			for (uint32_t half = 0; half < reg->bytes; half += 4) {
				uint32_t offset = offset_of(reg, element) + half;

				expect_refused(fx, offset, 0);
				expect_refused(fx, offset, fixture_get(fx, offset));
				expect_refused(fx, offset, UINT32_MAX);
				checked++;
			}
		}
	}
	assert_true(checked > 40);
}

static void pairs_show_the_high_half_that_was_latched(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	card_tick(&fx->card, 7ULL << 32 | 5);
	for (size_t i = 0; i < sheet_register_count; i++) {
		if (sheet_registers[i].bytes != 8)
			continue;
		assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK), 5);
		assert_int_equal(fixture_get(fx, sheet_registers[i].offset + 4), 7);
		checked++;
	}
	assert_true(checked > 10);
}

static void status_bits_are_cleared_by_ones_or_refused(void **state)
{
	struct fixture *fx = *state;
	size_t cleared = 0;

	assert_non_null(sheet_remark(sheet_register("STATUS"), "two bits RW1C"));
	for (size_t i = 0; i < sheet_field_count; i++) {
		const struct sheet_field *field = &sheet_fields[i];

		if (strcmp(field->of, "STATUS"))
			continue;
		if (strcmp(field->access, "RW1C")) {
			expect_refused(fx, SMILE_REG_STATUS, (uint32_t)field->mask);
			continue;
		}
		fixture_set(fx, SMILE_REG_STATUS, (uint32_t)field->mask);
		assert_false(bad_write(fx));
		cleared++;
	}
	assert_int_equal(cleared, 2);
	fixture_set(fx, SMILE_REG_ID, 0);
	fixture_set(fx, SMILE_REG_STATUS, 0);
	assert_true(bad_write(fx));
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	assert_true(bad_write(fx));
	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	assert_false(bad_write(fx));
}

static void interrupt_status_is_cleared_by_ones(void **state)
{
	struct fixture *fx = *state;

	assert_true(has_access(sheet_register("INT_STATUS"), "RW1C"));
	card_link(&fx->card, true);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
	fixture_set(fx, SMILE_REG_INT_STATUS, 0);
	fixture_set(fx, SMILE_REG_INT_STATUS, SMILE_INT_ALL & ~SMILE_INT_LINK);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), SMILE_INT_LINK);
	/* See section 14: a write of all ones clears INT_STATUS. */
	fixture_set(fx, SMILE_REG_INT_STATUS, UINT32_MAX);
	assert_int_equal(fixture_get(fx, SMILE_REG_INT_STATUS), 0);
	assert_false(bad_write(fx));
}

static void write_only_registers_read_zero(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		if (!has_access(reg, "WO"))
			continue;
		assert_int_equal(fixture_get(fx, reg->offset), 0);
		fixture_set(fx, reg->offset, 2);
		assert_false(bad_write(fx));
		assert_int_equal(fixture_get(fx, reg->offset), 0);
		checked++;
	}
	assert_int_equal(checked, 2);
}

static void configuration_registers_are_writable_at_rest_alone(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		for (uint32_t element = 0; has_access(reg, "CFG") && element < reg->count;
		     element++) {
			assert_int_not_equal(legal_value(reg), reg->reset);
			expect_taken(fx, reg, element, legal_value(reg));
			fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
			expect_refused(fx, offset_of(reg, element), legal_value(reg));
			expect_refused(fx, offset_of(reg, element), reg->reset);
			fixture_set(fx, SMILE_REG_CONTROL, 0);
			expect_taken(fx, reg, element, reg->reset);
			checked++;
		}
	}
	assert_true(checked > 100);
}

/* A disabled card stays locked as long as it holds counts. */
static void configuration_registers_are_locked_while_something_is_counted(void **state)
{
	struct fixture *fx = *state;

	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	fixture_read(fx, 1, 0, 0x1000);
	fixture_set(fx, SMILE_REG_CONTROL, 0);
	assert_int_equal(SMILE_GET(SMILE_STATUS_OCCUPIED, fixture_get(fx, SMILE_REG_STATUS)), 1);
	for (size_t i = 0; i < sheet_register_count; i++) {
		if (has_access(&sheet_registers[i], "CFG"))
			expect_refused(fx, sheet_registers[i].offset,
				       legal_value(&sheet_registers[i]));
	}
	fixture_swap(fx);
	expect_taken(fx, sheet_register("NODE"), 0, 5);
}

static void read_write_registers_are_writable_at_any_time(void **state)
{
	struct fixture *fx = *state;
	size_t checked = 0;

	for (uint32_t enable = 0; enable <= SMILE_CONTROL_ENABLE; enable++) {
		for (size_t i = 0; i < sheet_register_count; i++) {
			const struct sheet_register *reg = &sheet_registers[i];

			fixture_set(fx, SMILE_REG_CONTROL, enable);
			if (!has_access(reg, "RW"))
				continue;
			expect_taken(fx, reg, 0, legal_value(reg));
			expect_taken(fx, reg, 0, reg->reset);
			checked++;
		}
	}
	assert_true(checked >= 12);
}

static void host_ring_registers_are_locked_while_it_is_in_use(void **state)
{
	struct fixture *fx = *state;
	const struct sheet_register *write = sheet_register("DMA_WRITE");
	size_t locked = 0;

	assert_string_equal(write->access, "RO");
	assert_non_null(sheet_remark(write, "; RW while MODE.HOST_RING is 0"));
	expect_taken(fx, write, 0, 77);
	expect_taken(fx, sheet_register("DMA_READ"), 0, 77);
	expect_refused(fx, SMILE_REG_MODE, SMILE_MODE_HOST_RING);
	expect_taken(fx, sheet_register("DMA_SIZE"), 0, 256);
	expect_taken(fx, sheet_register("MODE"), 0, SMILE_MODE_HOST_RING);

	expect_refused(fx, write->offset, 77);
	expect_refused(fx, write->offset, 78);
	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		if (!sheet_remark(reg, "locked while MODE.HOST_RING"))
			continue;
		expect_refused(fx, reg->offset, legal_value(reg));
		expect_refused(fx, reg->offset, reg->reset);
		locked++;
	}
	assert_int_equal(locked, 3);
	/* No other register is locked. */
	expect_taken(fx, sheet_register("NODE"), 0, 5);
	expect_taken(fx, sheet_register("MODE"), 0, 0);
	expect_taken(fx, write, 0, 78);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Bits whose legal values depend on other state: a ring in host memory, TOP or SWAP_STATIC. */
static uint32_t bits_with_conditions(const struct sheet_register *reg)
{
	if (strcmp(reg->name, "MODE") == 0)
		return SMILE_MODE_HOST_RING;
	if (strcmp(reg->name, "COMMAND") == 0)
		return SMILE_COMMAND_ONE | SMILE_COMMAND_COUNTER;
	return strcmp(reg->name, "STATIC_EVENT") ? 0 : SMILE_STATIC_EVENT_BOTTOM;
}

static void defined_bits_are_taken_and_others_refused(void **state)
{
	struct fixture *fx = *state;
	size_t taken = 0, refused = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];
		uint32_t bits = (uint32_t)sheet_bits(sheet_fields_of(reg));

		/* The other registers are read-only, or contain a number instead of fields. */
		if (!bits || has_access(reg, "RO") || has_access(reg, "RW1C"))
			continue;
		for (uint32_t bit = 1; bit; bit <<= 1) {
			card_reset(&fx->card);
			if (!(bits & bit)) {
				expect_refused(fx, reg->offset, bit);
				refused++;
			} else if (!(bits_with_conditions(reg) & bit)) {
				fixture_set(fx, reg->offset, bit);
				if (bad_write(fx))
					fail_msg("%s: bit 0x%x is refused", reg->name, bit);
				taken++;
			}
		}
	}
	assert_true(taken > 80 && refused > 100);
}

static void fields_have_the_access_of_their_registers(void **state)
{
	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		for (size_t j = 0; j < sheet_field_count; j++) {
			const struct sheet_field *field = &sheet_fields[j];

			if (strcmp(field->of, sheet_fields_of(reg)) || !field->access ||
			    strcmp(field->access, "section 11") == 0)
				continue;
			if (strcmp(reg->name, "STATUS") == 0 && strcmp(field->access, "RW1C") == 0)
				continue;
			if (strcmp(field->access, reg->access))
				fail_msg("%s is %s, its register %s", field->macro, field->access,
					 reg->access);
		}
	}
}

/* ---- offsets without a register -------------------------------------------------------------- */

static void offsets_not_listed_read_zero_and_refuse_writes(void **state)
{
	struct fixture *fx = *state;
	bool listed[SMILE_REGS_BYTES / 4] = {false};
	size_t unlisted = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		for (uint32_t element = 0; element < reg->count; element++) {
			for (uint32_t half = 0; half < reg->bytes; half += 4)
				listed[(offset_of(reg, element) + half) / 4] = true;
		}
	}
	card_tick(&fx->card, 7ULL << 32);
	for (uint32_t offset = 0; offset < SMILE_REGS_BYTES; offset += 4) {
		if (listed[offset / 4])
			continue;
		/*
		 * The read latches 7. Only the high half of this pair may return the latched value.
		 */
		assert_int_equal(fixture_get(fx, SMILE_REG_CLOCK), 0);
		assert_int_equal(fixture_get(fx, offset), 0);
		expect_refused(fx, offset, 0);
		expect_refused(fx, offset, UINT32_MAX);
		unlisted++;
	}
	assert_true(unlisted > 500);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reset_values_are_the_cards),
		TEST(command_reset_brings_them_back),
		TEST(capabilities_are_what_their_meanings_say),
		TEST(read_only_registers_refuse_writes),
		TEST(pairs_show_the_high_half_that_was_latched),
		TEST(status_bits_are_cleared_by_ones_or_refused),
		TEST(interrupt_status_is_cleared_by_ones),
		TEST(write_only_registers_read_zero),
		TEST(configuration_registers_are_writable_at_rest_alone),
		TEST(configuration_registers_are_locked_while_something_is_counted),
		TEST(read_write_registers_are_writable_at_any_time),
		TEST(host_ring_registers_are_locked_while_it_is_in_use),
		TEST(defined_bits_are_taken_and_others_refused),
		TEST(fields_have_the_access_of_their_registers),
		TEST(offsets_not_listed_read_zero_and_refuse_writes),
	};

	return cmocka_run_group_tests(tests, sheet_setup, NULL);
}
