/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of docs/registers.md: datasheet, header and card say the same.
 *
 * What lives here: a reader of the datasheet's register table and of the header's #define lines.
 * Run from the top of the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/card/card.h"

#define NAMES_MAX 128

struct reg {
	char name[40];
	unsigned long offset;
	unsigned long reset;
	int has_reset;
};

static struct reg sheet[NAMES_MAX], header[NAMES_MAX];
static size_t sheet_count, header_count;

static void read_sheet(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512], reset[64];

	if (!file)
		fail_msg("%s is missing: run the tests from the top of the tree", path);
	while (sheet_count < NAMES_MAX && fgets(line, sizeof(line), file)) {
		struct reg *reg = &sheet[sheet_count];
		char *end;

		if (sscanf(line, "| 0x%lx | %39[A-Z_0-9] | %*[^|] | %63[^|]", &reg->offset,
			   reg->name, reset) < 2 ||
		    strncmp(line, "| 0x", 4))
			continue;
		reg->reset = strtoul(reset, &end, 0);
		reg->has_reset = end != reset && (*end == ' ' || !*end);
		sheet_count++;
	}
	fclose(file);
}

static void read_header(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		fail_msg("%s is missing: run the tests from the top of the tree", path);
	while (header_count < NAMES_MAX && fgets(line, sizeof(line), file)) {
		struct reg *reg = &header[header_count];

		if (sscanf(line, "#define SMILE_REG_%39[A-Z_0-9] 0x%lx", reg->name, &reg->offset) ==
			    2 &&
		    strcmp(reg->name, "ABSENT"))
			header_count++;
	}
	fclose(file);
}

static const struct reg *find(const struct reg *regs, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(regs[i].name, name) == 0)
			return &regs[i];
	}
	return NULL;
}

static int read_both(void **state)
{
	read_sheet("docs/registers.md");
	read_header("include/hw/smile_regs.h");
	return 0;
}

static void datasheet_lists_exactly_the_headers_registers(void **state)
{
	assert_true(sheet_count > 20);
	assert_int_equal(sheet_count, header_count);
	for (size_t i = 0; i < header_count; i++) {
		const struct reg *row = find(sheet, sheet_count, header[i].name);

		if (!row)
			fail_msg("docs/registers.md does not list %s", header[i].name);
		if (row->offset != header[i].offset)
			fail_msg("docs/registers.md has %s at 0x%lx, the header at 0x%lx",
				 row->name, row->offset, header[i].offset);
	}
}

static void datasheet_reset_values_are_the_cards(void **state)
{
	static uint32_t ram[SMILE_RING_WORDS];
	static struct card card;
	size_t checked = 0;

	card_init(&card, ram, NULL, NULL);
	for (size_t i = 0; i < sheet_count; i++) {
		uint32_t value = card_mmio_read(&card, (uint32_t)sheet[i].offset);

		if (!sheet[i].has_reset)
			continue;
		checked++;
		if (value != sheet[i].reset)
			fail_msg("docs/registers.md says %s resets to 0x%lx, the card to 0x%x",
				 sheet[i].name, sheet[i].reset, value);
	}
	assert_true(checked > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(datasheet_lists_exactly_the_headers_registers),
		cmocka_unit_test(datasheet_reset_values_are_the_cards),
	};

	return cmocka_run_group_tests(tests, read_both, NULL);
}
