/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of docs/adapter.md: its tables of registers and errors must agree with the header and with
 * the adapter.
 *
 * What lives here: the parser of the tables and of the header, and the comparisons. The test must
 * run in the top directory of the tree. May use adapter_fixture.h.
 */
#include <stdio.h>

#include "tests/unit/adapter/adapter_fixture.h"

#define SHEET "docs/adapter.md"
#define HEADER "include/hw/adapter_regs.h"
#define ROWS_MAX 96
#define CELL_BYTES 48
#define CELLS 4

/* The first cells of a row of a table, without the blanks around their text. */
struct row {
	char cell[CELLS][CELL_BYTES];
};

/* A number that the header defines. */
struct number {
	char name[CELL_BYTES];
	uint32_t value;
};

static struct row rows[ROWS_MAX];
static struct number numbers[ROWS_MAX];
static size_t row_count, number_count;

static void read_row(const char *line, struct row *row)
{
	const char *end;
	size_t i, length;

	memset(row, 0, sizeof(*row));
	for (i = 0; i < CELLS && *line == '|'; i++, line = end) {
		line += 1 + strspn(line + 1, " ");
		end = strchr(line, '|');
		if (!end)
			return;
		length = (size_t)(end - line);
		while (length && line[length - 1] == ' ')
			length--;
		if (length >= CELL_BYTES)
			length = CELL_BYTES - 1;
		memcpy(row->cell[i], line, length);
	}
}

/* Read the rows of the section "## @section". */
static void read_sheet(const char *section)
{
	FILE *file = fopen(SHEET, "r");
	char line[1024];
	bool inside = false;

	assert_non_null(file);
	row_count = 0;
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "## ", 3))
			inside = !strncmp(line + 3, section, strlen(section));
		if (!inside || line[0] != '|' || line[2] < '0' || line[2] > '9')
			continue;
		assert_true(row_count < ROWS_MAX);
		read_row(line, &rows[row_count++]);
	}
	fclose(file);
}

/* Read the definitions whose names begin with @prefix. */
static void read_header(const char *prefix)
{
	FILE *file = fopen(HEADER, "r");
	char line[256], name[128], value[64];

	assert_non_null(file);
	number_count = 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "#define %127s %63s", name, value) != 2 ||
		    strncmp(name, prefix, strlen(prefix)))
			continue;
		/* The value is on the next line. */
		if (value[0] == '\\')
			assert_true(fgets(line, sizeof(line), file) &&
				    sscanf(line, "%63s", value) == 1);
		assert_true(number_count < ROWS_MAX);
		snprintf(numbers[number_count].name, CELL_BYTES, "%s", name + strlen(prefix));
		numbers[number_count++].value = (uint32_t)strtoul(value, NULL, 0);
	}
	fclose(file);
}

/* Each row must have a number of the header with the same name and value, and the reverse. */
static void expect_same(size_t value_cell, size_t name_cell)
{
	size_t i, j;

	for (i = 0; i < row_count; i++) {
		const struct row *row = &rows[i];

		for (j = 0; j < number_count; j++) {
			if (!strcmp(numbers[j].name, row->cell[name_cell]))
				break;
		}
		if (j == number_count)
			fail_msg("%s is in " SHEET ", not in " HEADER, row->cell[name_cell]);
		if (strtoul(row->cell[value_cell], NULL, 0) != numbers[j].value)
			fail_msg("%s is %s in " SHEET ", 0x%x in " HEADER, row->cell[name_cell],
				 row->cell[value_cell], numbers[j].value);
	}
	if (row_count != number_count)
		fail_msg(SHEET " has %zu rows, " HEADER " has %zu names", row_count, number_count);
}

static void sheet_registers_areTheHeaders(void **state)
{
	(void)state;
	read_sheet("3. ");
	read_header("ADAPTER_REG_");
	assert_true(row_count > 40);
	expect_same(0, 1);
}

static void sheet_errors_areTheHeaders(void **state)
{
	(void)state;
	read_sheet("7. ");
	read_header("ADAPTER_ERROR_");
	assert_true(row_count > 5);
	expect_same(0, 1);
}

/* A reset cell contains sizes, "strapped" or "ones"; an empty cell specifies no reset value. */
static void expect_reset(struct node *node, const struct row *row)
{
	uint32_t offset = (uint32_t)strtoul(row->cell[0], NULL, 0), reset = 0;
	const char *word = row->cell[3];

	if (!*word)
		return;
	if (!strcmp(word, "sizes"))
		reset = 6 << 16 | 4 << 8 | 6;
	else if (!strcmp(word, "strapped"))
		reset = node->adapter.node;
	else if (!strcmp(word, "ones"))
		reset = ADAPTER_ABSENT;
	else if (word[0] >= '0' && word[0] <= '9')
		reset = (uint32_t)strtoul(word, NULL, 0);
	else
		fail_msg("%s: unknown reset value \"%s\" in " SHEET, row->cell[1], word);
	if (get(node, offset) != reset)
		fail_msg("%s is 0x%x after power on, %s in " SHEET, row->cell[1], get(node, offset),
			 word);
}

static void sheet_resetValues_areTheAdapters(void **state)
{
	struct fabric fabric = {.incoming = 64};
	struct node *node = node_make(&fabric, 3);
	size_t i, checked = 0;

	(void)state;
	read_sheet("3. ");
	for (i = 0; i < row_count; i++) {
		expect_reset(node, &rows[i]);
		checked += rows[i].cell[3][0] != '\0';
	}
	assert_true(checked > 30);
	node_free(node);
}

/* Access each register of an unused adapter, and compare the result with the access column. */
static void sheet_access_isTheAdapters(void **state)
{
	struct fabric fabric = {.incoming = 64};
	struct node *node = node_make(&fabric, 3);
	size_t i;

	(void)state;
	read_sheet("3. ");
	for (i = 0; i < row_count; i++) {
		uint32_t offset = (uint32_t)strtoul(rows[i].cell[0], NULL, 0);
		const char *access = rows[i].cell[2];

		if (!strcmp(access, "RO") || !strcmp(access, "RO, 64 bits"))
			put_refused(node, offset, 0);
		else if (!strcmp(access, "RW") || !strcmp(access, "RW1C"))
			put(node, offset, get(node, offset));
		else if (!strcmp(access, "WO"))
			assert_int_equal(get(node, offset), 0);
		else
			assert_string_equal(rows[i].cell[1], "STATUS");
	}
	node_free(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sheet_registers_areTheHeaders),
		cmocka_unit_test(sheet_errors_areTheHeaders),
		cmocka_unit_test(sheet_resetValues_areTheAdapters),
		cmocka_unit_test(sheet_access_isTheAdapters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
