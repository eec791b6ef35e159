/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests that docs/registers.md and the headers define the same names with the same values.
 * datasheet_card_test.c compares the card model with the datasheet.
 *
 * What lives here: the comparisons, and the list of names that the datasheet need not contain. May
 * use datasheet_tables.h and include/.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/blink.h>
#include <hw/smile_regs.h>

#include "tests/unit/card/datasheet_tables.h"

/* Prefixes of names that only the driver and user space use, not the card. */
static const char *const abi[] = {"SMILE_PERIOD_", "SMILE_IOC_", "SMILE_INFO_", "SMILE_FEATURE_",
				  "SMILE_ABI_",
				  /* ids of events that only the driver records */
				  "SMILE_EVENT_ASLEEP", "SMILE_EVENT_RESET"};

/*
 * Names that are not a register, a field, a command or a record: sizes, limits, and masks of
 * several fields. Another comparison covers the names that end in _ALL.
 */
static const char *const others[] = {
	"SMILE_REG_ABSENT",	   "SMILE_ID_VALUE",	      "SMILE_VERSION_VALUE",
	"SMILE_BAR_REGS",	   "SMILE_BAR_RING",	      "SMILE_REGS_BYTES",
	"SMILE_RING_WORDS",	   "SMILE_RING_BYTES",	      "SMILE_RING_POINTER",
	"SMILE_INT_ALL",	   "SMILE_DMA_RECORDS_MIN",   "SMILE_DMA_RECORDS_MAX",
	"SMILE_DMA_BASE_ALIGN",	   "SMILE_COUNT_FIRST",	      "SMILE_COUNT_LAST",
	"SMILE_RECORD_BYTES",	   "SMILE_RECORD_WORDS",      "SMILE_TYPE_COUNT",
	"SMILE_COUNT_MAX",	   "SMILE_PAGE_BYTES",	      "SMILE_WORD_BYTES",
	"SMILE_ADDRESS_BITS",	   "SMILE_FILTER_TYPES",      "SMILE_FILTER_PACKETS",
	"SMILE_FILTER_DIRECTIONS", "SMILE_FILTER_ALL",	      "SMILE_FILTER_DEFAULT",
	"SMILE_STATIC_PAGE_ALL",   "SMILE_STATIC_EVENT_ALL",  "SMILE_STATIC_COUNTER_ALL",
	"SMILE_MODE_ALL",	   "SMILE_MODE_DEFAULT",      "SMILE_MAX_RANGE_MIN",
	"SMILE_MAX_RANGE_MAX",	   "SMILE_MAX_RANGE_DEFAULT", "SMILE_ENTRIES_MIN",
	"SMILE_ENTRIES_MAX",	   "SMILE_ENTRIES_DEFAULT",   "SMILE_EVENTS",
	"SMILE_NARROW_NODE",	   "SMILE_NARROW_ADDRESS",    "SMILE_STATIC_PAGES",
	"SMILE_STATIC_EVENTS",	   "SMILE_STATIC_COUNTERS",   "SMILE_STATIC_IDS",
	"SMILE_STATIC_GLOBAL",	   "BLINK_WORD_BYTES",	      "BLINK_WORDS_MIN",
	"BLINK_WORDS_MAX",	   "BLINK_BYTES_MAX",	      "BLINK_TRANSACTIONS",
	"BLINK_LINKTYPE",	   "BLINK_FAITHFUL_ADDRESS",  "BLINK_COMMANDS",
	"BLINK_REQUEST_NODES",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_abi(const char *name)
{
	for (size_t i = 0; i < COUNT(abi); i++) {
		if (begins(name, abi[i]))
			return true;
	}
	return false;
}

/* Make the name of a macro: the prefix, and the letters and digits of a word in capitals. */
static const char *macro_of(const char *prefix, const char *word)
{
	static char name[SHEET_NAME];
	size_t at = strlen(prefix);

	strcpy(name, prefix);
	for (; *word && at + 1 < SHEET_NAME; word++) {
		if (isalnum((unsigned char)*word))
			name[at++] = (char)toupper((unsigned char)*word);
	}
	name[at] = '\0';
	return name;
}

/* Check that exactly this many names of the headers begin with the prefix. */
static void expect_names(const char *prefix, size_t expected)
{
	size_t found = 0;

	for (size_t i = 0; i < header_name_count; i++)
		found += begins(header_names[i].name, prefix);
	if (found != expected)
		fail_msg("the headers have %zu names %s*, " SHEET_PATH " reports %zu", found,
			 prefix, expected);
}

/* ---- registers ------------------------------------------------------------------------------- */

static void registers_are_the_headers(void **state)
{
	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];
		char name[2 * SHEET_NAME];

		snprintf(name, sizeof(name), "SMILE_REG_%s", reg->name);
		if (!header_has(name))
			fail_msg("%s is in " SHEET_PATH " and in no header", name);
		if (reg->offset != header_value(name))
			fail_msg("%s is at 0x%03x in " SHEET_PATH ", at 0x%03" PRIx64
				 " in the header",
				 name, reg->offset, header_value(name));
	}
	/* SMILE_REG_ABSENT is no register. */
	expect_names("SMILE_REG_", sheet_register_count + 1);
	assert_true(sheet_register_count > 40);
}

static void arrays_have_the_headers_sizes(void **state)
{
	static const struct {
		const char *name, *count;
	} arrays[] = {
		{"STATIC_PAGE", "SMILE_STATIC_PAGES"},
		{"STATIC_NODE", "SMILE_STATIC_PAGES"},
		{"STATIC_EVENT", "SMILE_STATIC_EVENTS"},
		{"STATIC_COUNTER", "SMILE_STATIC_COUNTERS"},
		{"STATIC_VALUE", "SMILE_STATIC_COUNTERS"},
	};
	size_t found = 0;

	for (size_t i = 0; i < COUNT(arrays); i++) {
		const struct sheet_register *reg = sheet_register(arrays[i].name);
		char stride[2 * SHEET_NAME];

		assert_non_null(reg);
		snprintf(stride, sizeof(stride), "SMILE_STRIDE_%s", reg->name);
		if (reg->count != header_value(arrays[i].count))
			fail_msg(SHEET_PATH " has %u of %s, the header %" PRIu64, reg->count,
				 reg->name, header_value(arrays[i].count));
		if (reg->stride != header_value(stride))
			fail_msg(SHEET_PATH " has %s %u bytes apart, the header %" PRIu64,
				 reg->name, reg->stride, header_value(stride));
	}
	for (size_t i = 0; i < sheet_register_count; i++)
		found += sheet_registers[i].count > 1;
	assert_int_equal(found, COUNT(arrays));
	expect_names("SMILE_STRIDE_", COUNT(arrays));
}

static void no_two_registers_share_an_offset(void **state)
{
	static const struct sheet_register *at[SMILE_REGS_BYTES / 4];

	for (size_t i = 0; i < sheet_register_count; i++) {
		const struct sheet_register *reg = &sheet_registers[i];

		for (uint32_t element = 0; element < reg->count; element++) {
			uint32_t offset = reg->offset + element * reg->stride;

			for (uint32_t end = offset + reg->bytes; offset < end; offset += 4) {
				assert_true(offset < SMILE_REGS_BYTES);
				if (at[offset / 4])
					fail_msg("%s and %s are both at 0x%03x", reg->name,
						 at[offset / 4]->name, offset);
				at[offset / 4] = reg;
			}
		}
	}
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void fields_are_the_headers(void **state)
{
	for (size_t i = 0; i < sheet_field_count; i++) {
		const struct sheet_field *field = &sheet_fields[i];

		if (!header_has(field->macro))
			fail_msg("%s is in " SHEET_PATH " and in no header", field->macro);
		if (field->mask != header_value(field->macro))
			fail_msg("%s is 0x%" PRIx64 " in " SHEET_PATH ", 0x%" PRIx64
				 " in the header",
				 field->macro, field->mask, header_value(field->macro));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(sheet_fields[j].macro, field->macro);
	}
	assert_true(sheet_field_count > 80);
}

/*
 * The fields of a register must not overlap. Fields of records and frames have variants, so they
 * may overlap.
 */
static void fields_of_a_register_do_not_overlap(void **state)
{
	size_t checked = 0;

	for (size_t i = 0; i < sheet_register_count; i++) {
		const char *of = sheet_fields_of(&sheet_registers[i]);
		uint64_t bits = 0;

		for (size_t j = 0; j < sheet_field_count; j++) {
			if (strcmp(sheet_fields[j].of, of))
				continue;
			if (bits & sheet_fields[j].mask || sheet_fields[j].mask >> 32)
				fail_msg("%s shares bits, or has too many", sheet_fields[j].macro);
			bits |= sheet_fields[j].mask;
			checked++;
		}
	}
	assert_true(checked > 60);
}

static void words_of_all_fields_hold_all_of_them(void **state)
{
	assert_int_equal(SMILE_INT_ALL, sheet_bits("INT"));
	assert_int_equal(SMILE_MODE_ALL, sheet_bits("MODE"));
	assert_int_equal(SMILE_FILTER_ALL, sheet_bits("FILTER"));
	assert_int_equal(SMILE_STATIC_PAGE_ALL, sheet_bits("STATIC_PAGE"));
	assert_int_equal(SMILE_STATIC_EVENT_ALL, sheet_bits("STATIC_EVENT"));
	assert_int_equal(SMILE_STATIC_COUNTER_ALL, sheet_bits("STATIC_COUNTER"));
	assert_int_equal(SMILE_MODE_DEFAULT, sheet_register("MODE")->reset);
	assert_int_equal(SMILE_FILTER_DEFAULT, sheet_register("FILTER")->reset);
	assert_int_equal(SMILE_MAX_RANGE_DEFAULT, sheet_register("MAX_RANGE")->reset);
	assert_int_equal(SMILE_ENTRIES_DEFAULT, sheet_register("ENTRIES")->reset);
	assert_int_equal(SMILE_ID_VALUE, sheet_register("ID")->reset);
	assert_int_equal(SMILE_VERSION_VALUE, sheet_register("VERSION")->reset);
	assert_int_equal(SMILE_COUNT_FIRST, sheet_register("COUNT_SEEN")->offset);
	assert_int_equal(SMILE_COUNT_LAST, sheet_register("COUNT_STATIC_DELIVERED")->offset);
}

static void interrupt_causes_are_the_fields_of_int(void **state)
{
	const struct sheet_table *causes = sheet_table("cause", "set when");
	char name[SHEET_NAME];

	for (size_t row = 0; row < causes->rows; row++) {
		snprintf(name, sizeof(name), "SMILE_INT_%.24s", sheet_cell(causes, row, "cause"));
		if (!sheet_field(name))
			fail_msg("section 11 of " SHEET_PATH " has %s, section 3.1 has not", name);
	}
	/* SMILE_INT_ALL is not in the table. */
	expect_names("SMILE_INT_", causes->rows + 1);
}

/* ---- frames, records, PCI -------------------------------------------------------------------- */

struct command {
	unsigned int first, count, payload;
	const char *name, *class, *type, *mark;
};

#define COMMAND_ROW(first, count, name, class, type, payload, mark)                                \
	{first, count, payload, name, #class, #type, mark},

static const struct command commands[] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

/*
 * The datasheet's word for the type of a command: a response has the type of its request, and an
 * event has no type.
 */
static const char *type_word(const struct command *command)
{
	if (strcmp(command->class, "RESPONSE") == 0)
		return "OFITSREQUEST";
	return strcmp(command->class, "EVENT") ? command->type : "";
}

static void commands_are_the_headers(void **state)
{
	const struct sheet_table *table = sheet_table("command", "name");

	assert_int_equal(table->rows, COUNT(commands));
	for (size_t row = 0; row < table->rows; row++) {
		const struct command *command = &commands[row];
		unsigned int first, last;
		int read = sscanf(table->cell[row][0], "0x%x-0x%x", &first, &last);

		assert_true(read >= 1);
		assert_string_equal(sheet_cell(table, row, "name"), command->name);
		assert_int_equal(first, command->first);
		assert_int_equal(read == 2 ? last - first + 1 : 1, command->count);
		assert_int_equal(header_value(macro_of("BLINK_", command->name)), first);
		assert_string_equal(macro_of("", sheet_cell(table, row, "class")), command->class);
		assert_string_equal(macro_of("", sheet_cell(table, row, "type")),
				    type_word(command));
		assert_int_equal(strtoul(sheet_cell(table, row, "payload bytes"), NULL, 10),
				 command->payload);
		assert_string_equal(sheet_cell(table, row, "mark"), command->mark);
	}
}

/*
 * Check that each word of a text such as "0 any, 1 read; 4 event" is a name of the headers. Return:
 * the number of words.
 */
static size_t check_values(const char *prefix, const char *text)
{
	size_t count = 0;

	while (*text) {
		char word[24];
		unsigned int value;

		if (sscanf(text, "%u %23[A-Za-z-]", &value, word) != 2)
			fail_msg(SHEET_PATH ", section 12: no value and name: %s", text);
		if (header_value(macro_of(prefix, word)) != value)
			fail_msg("%s is %u in " SHEET_PATH, macro_of(prefix, word), value);
		count++;
		text += strcspn(text, ",;:");
		if (*text == ':')
			break;
		text += strspn(text, ",; ");
	}
	return count;
}

static void record_values_are_the_headers(void **state)
{
	const struct sheet_table *kinds = sheet_table("kind", "name");
	const struct sheet_table *values = sheet_table("field", "values");

	for (size_t row = 0; row < kinds->rows; row++)
		assert_int_equal(header_value(macro_of("SMILE_KIND_", kinds->cell[row][1])),
				 strtoul(kinds->cell[row][0], NULL, 10));
	expect_names("SMILE_KIND_", kinds->rows);

	assert_int_equal(values->rows, 3);
	assert_string_equal(values->cell[0][0], "type");
	/* SMILE_TYPE_COUNT is not in the table. */
	expect_names("SMILE_TYPE_", check_values("SMILE_TYPE_", values->cell[0][1]) + 1);
	assert_string_equal(values->cell[1][0], "cause of a counting record");
	expect_names("SMILE_CAUSE_", check_values("SMILE_CAUSE_", values->cell[1][1]));
	assert_string_equal(values->cell[2][0], "cause of an EVENT");
	expect_names("SMILE_RAISED_", check_values("SMILE_RAISED_", values->cell[2][1]));
}

static const char *pci_value(const struct sheet_table *table, const char *item)
{
	for (size_t row = 0; row < table->rows; row++) {
		if (strcmp(table->cell[row][0], item) == 0)
			return sheet_cell(table, row, "value");
	}
	fail_msg(SHEET_PATH ", section 2: no %s", item);
	return NULL;
}

static void pci_identity_is_the_headers(void **state)
{
	const struct sheet_table *table = sheet_table("item", "value");
	unsigned int first, second;
	char bar[8];

	assert_int_equal(sscanf(pci_value(table, "vendor : device"), "%x : %x", &first, &second),
			 2);
	assert_int_equal(first, SMILE_PCI_VENDOR);
	assert_int_equal(second, SMILE_PCI_DEVICE);
	assert_int_equal(
		sscanf(pci_value(table, "subsystem vendor : device"), "%x : %x", &first, &second),
		2);
	assert_int_equal(first, SMILE_PCI_SUBVENDOR);
	assert_int_equal(second, SMILE_PCI_SUBDEVICE);
	assert_int_equal(
		sscanf(pci_value(table, "class, revision"), "%x (%*[^)]), %x", &first, &second), 2);
	assert_int_equal(first, SMILE_PCI_CLASS);
	assert_int_equal(second, SMILE_PCI_REVISION);
	expect_names("SMILE_PCI_", 6 + sheet_table("capability", "at")->rows);

	snprintf(bar, sizeof(bar), "BAR %u", SMILE_BAR_REGS);
	assert_int_equal(sscanf(pci_value(table, bar), "%u KB", &first), 1);
	assert_int_equal(first * 1024, SMILE_REGS_BYTES);
	snprintf(bar, sizeof(bar), "BAR %u", SMILE_BAR_RING);
	assert_int_equal(sscanf(pci_value(table, bar), "%u KB", &first), 1);
	assert_int_equal(first * 1024, SMILE_RING_BYTES);
}

static void pci_capabilities_are_the_headers(void **state)
{
	const struct sheet_table *table = sheet_table("capability", "at");

	assert_int_equal(table->rows, 4);
	for (size_t row = 0; row < table->rows; row++)
		assert_int_equal(header_value(macro_of("SMILE_PCI_", table->cell[row][0])),
				 strtoul(table->cell[row][1], NULL, 16));
}

/* ---- completeness ---------------------------------------------------------------------------- */

static bool is_command(const char *name)
{
	for (size_t i = 0; i < COUNT(commands); i++) {
		if (strcmp(macro_of("BLINK_", commands[i].name), name) == 0)
			return true;
	}
	return false;
}

static bool is_other(const char *name)
{
	for (size_t i = 0; i < COUNT(others); i++) {
		if (strcmp(others[i], name) == 0)
			return true;
	}
	return false;
}

/* Whether another test compares the number of names of this group. */
static bool is_counted(const char *name)
{
	return begins(name, "SMILE_REG_") || begins(name, "SMILE_STRIDE_") ||
	       begins(name, "SMILE_KIND_") || begins(name, "SMILE_TYPE_") ||
	       begins(name, "SMILE_CAUSE_") || begins(name, "SMILE_RAISED_") ||
	       begins(name, "SMILE_PCI_");
}

static void headers_have_no_name_that_the_datasheet_lacks(void **state)
{
	size_t compared = 0;

	for (size_t i = 0; i < header_name_count; i++) {
		const char *name = header_names[i].name;

		if (is_abi(name))
			continue;
		if (!header_has_value(name))
			fail_msg("%s of %s is not listed in tests/unit/card/datasheet_values.c",
				 name, header_names[i].path);
		if (!is_other(name) && !is_counted(name) && !is_command(name) && !sheet_field(name))
			fail_msg("%s of %s is not reported in " SHEET_PATH, name,
				 header_names[i].path);
		compared++;
	}
	assert_true(compared > 200);
	for (size_t i = 0; i < COUNT(others); i++) {
		if (!header_has(others[i]))
			fail_msg("%s is no name of the headers any more", others[i]);
		assert_null(sheet_field(others[i]));
	}
}

static void every_state_machine_has_a_diagram(void **state)
{
	static const char *const machines[] = {"1",   "2.2", "4",   "6",  "7", "8",
					       "9.1", "9.2", "9.3", "10", "11"};

	for (size_t i = 0; i < COUNT(machines); i++) {
		if (sheet_section(machines[i])->diagrams == 0)
			fail_msg(SHEET_PATH ", section %s has no diagram", machines[i]);
	}
	/*
	 * There must be a diagram of the timer, of the path of marks, and of the path of static
	 * counts.
	 */
	assert_true(sheet_section("7")->diagrams >= 3);
	assert_true(sheet_section("8")->diagrams >= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_the_headers),
		cmocka_unit_test(arrays_have_the_headers_sizes),
		cmocka_unit_test(no_two_registers_share_an_offset),
		cmocka_unit_test(fields_are_the_headers),
		cmocka_unit_test(fields_of_a_register_do_not_overlap),
		cmocka_unit_test(words_of_all_fields_hold_all_of_them),
		cmocka_unit_test(interrupt_causes_are_the_fields_of_int),
		cmocka_unit_test(commands_are_the_headers),
		cmocka_unit_test(record_values_are_the_headers),
		cmocka_unit_test(pci_identity_is_the_headers),
		cmocka_unit_test(pci_capabilities_are_the_headers),
		cmocka_unit_test(headers_have_no_name_that_the_datasheet_lacks),
		cmocka_unit_test(every_state_machine_has_a_diagram),
	};

	return cmocka_run_group_tests(tests, sheet_setup, NULL);
}
