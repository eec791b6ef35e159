/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* See datasheet_tables.h. May use cmocka and the C library. */
#include "tests/unit/card/datasheet_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TABLES_MAX 48
#define SECTIONS_MAX 48
#define REGISTERS_MAX 96
#define FIELDS_MAX 160
#define NAMES_MAX 384

static struct sheet_table tables[TABLES_MAX];
static size_t table_count;
static struct sheet_section sections[SECTIONS_MAX];
static size_t section_count;
struct sheet_register sheet_registers[REGISTERS_MAX];
size_t sheet_register_count;
struct sheet_field sheet_fields[FIELDS_MAX];
size_t sheet_field_count;
struct header_name header_names[NAMES_MAX];
size_t header_name_count;

/* Read the whole file. The text is never freed, since cells point to it. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t bytes;
	char *text;

	if (!file)
		fail_msg("%s is missing: run the tests from the top of the tree", path);
	fseek(file, 0, SEEK_END);
	bytes = (size_t)ftell(file);
	rewind(file);
	text = malloc(bytes + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, bytes, file), bytes);
	text[bytes] = '\0';
	fclose(file);
	return text;
}

static char *next_line(char **text)
{
	return strsep(text, "\n");
}

/* ---- the datasheet --------------------------------------------------------------------------- */

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (*text == ' ')
		text++;
	while (end > text && end[-1] == ' ')
		*--end = '\0';
	return text;
}

/* Split a line "| a | b |" into its cells. Return: the number of cells. */
static size_t split(char *line, const char *cell[SHEET_CELLS])
{
	size_t count = 0;
	char *rest = strchr(line, '|') + 1;

	while (strchr(rest, '|')) {
		assert_true(count < SHEET_CELLS);
		cell[count++] = trim(strsep(&rest, "|"));
	}
	return count;
}

static void take_row(struct sheet_table **table, char *line)
{
	if (strncmp(line, "|---", 4) == 0)
		return;
	if (!*table) {
		assert_true(table_count < TABLES_MAX && section_count > 0);
		*table = &tables[table_count++];
		strcpy((*table)->section, sections[section_count - 1].number);
		(*table)->columns = split(line, (*table)->head);
		return;
	}
	assert_true((*table)->rows < SHEET_ROWS);
	if (split(line, (*table)->cell[(*table)->rows]) != (*table)->columns)
		fail_msg(SHEET_PATH ", section %s: a row has not %zu cells: %s", (*table)->section,
			 (*table)->columns, (*table)->cell[(*table)->rows][0]);
	(*table)->rows++;
}

static void take_heading(const char *line)
{
	struct sheet_section *section = &sections[section_count];

	assert_true(section_count < SECTIONS_MAX);
	if (sscanf(line, "%*[#] %7[0-9.]", section->number) != 1)
		return;
	if (section->number[strlen(section->number) - 1] == '.')
		section->number[strlen(section->number) - 1] = '\0';
	section_count++;
}

static void read_sheet(void)
{
	char *text = read_text(SHEET_PATH), *line;
	struct sheet_table *table = NULL;
	bool fenced = false, boxes = false;

	while ((line = next_line(&text))) {
		if (strncmp(line, "```", 3) == 0) {
			if (fenced && boxes && section_count)
				sections[section_count - 1].diagrams++;
			fenced = !fenced;
			boxes = false;
		} else if (fenced) {
			boxes |= strstr(line, "┌") != NULL;
		} else if (line[0] == '#') {
			take_heading(line);
		}
		if (!fenced && line[0] == '|')
			take_row(&table, line);
		else
			table = NULL;
	}
}

const struct sheet_table *sheet_table(const char *first, const char *second)
{
	const struct sheet_table *found = NULL;

	for (size_t i = 0; i < table_count; i++) {
		if (strcmp(tables[i].head[0], first) || strcmp(tables[i].head[1], second))
			continue;
		if (found)
			fail_msg(SHEET_PATH " has two tables: %s, %s", first, second);
		found = &tables[i];
	}
	if (!found)
		fail_msg(SHEET_PATH " has no table: %s, %s", first, second);
	return found;
}

static const char *cell_or_null(const struct sheet_table *table, size_t row, const char *column)
{
	for (size_t i = 0; i < table->columns; i++) {
		if (strcmp(table->head[i], column) == 0)
			return table->cell[row][i];
	}
	return NULL;
}

const char *sheet_cell(const struct sheet_table *table, size_t row, const char *column)
{
	const char *cell = cell_or_null(table, row, column);

	if (!cell)
		fail_msg(SHEET_PATH ", section %s: no column %s", table->section, column);
	return cell;
}

const struct sheet_section *sheet_section(const char *number)
{
	for (size_t i = 0; i < section_count; i++) {
		if (strcmp(sections[i].number, number) == 0)
			return &sections[i];
	}
	fail_msg(SHEET_PATH " has no section %s", number);
	return NULL;
}

/* ---- registers and fields -------------------------------------------------------------------- */

static void read_register(const struct sheet_table *table, size_t row)
{
	struct sheet_register *reg = &sheet_registers[sheet_register_count];
	const char *access = sheet_cell(table, row, "access");
	const char *reset = sheet_cell(table, row, "reset");
	const char *array;
	char *end;

	assert_true(sheet_register_count < REGISTERS_MAX);
	assert_true(strlen(sheet_cell(table, row, "register")) < SHEET_NAME);
	strcpy(reg->name, sheet_cell(table, row, "register"));
	reg->offset = (uint32_t)strtoul(sheet_cell(table, row, "offset"), &end, 16);
	if (*end || reg->offset % 4)
		fail_msg(SHEET_PATH ": %s has no offset", reg->name);
	if (sscanf(access, "%15[A-Z0-9]", reg->access) != 1)
		fail_msg(SHEET_PATH ": %s has no access", reg->name);
	reg->remark = access + strlen(reg->access);
	reg->reset = (uint32_t)strtoul(reset, &end, 0);
	reg->has_reset = end != reset && !*end;
	reg->bytes = sheet_remark(reg, "64 bits") ? 8 : 4;
	reg->count = 1;
	array = strchr(reg->remark, ' ');
	while (array &&
	       sscanf(array, " %u of them, %u bytes apart", &reg->count, &reg->stride) != 2) {
		reg->count = 1;
		array = strchr(array + 1, ' ');
	}
	sheet_register_count++;
}

static void read_field(const struct sheet_table *table, size_t row)
{
	struct sheet_field *field = &sheet_fields[sheet_field_count];
	const char *name = sheet_cell(table, row, "field");
	unsigned int high, low;
	int read, blink;

	assert_true(sheet_field_count < FIELDS_MAX);
	field->of = sheet_cell(table, row, "of");
	assert_true(strlen(field->of) + strlen(name) + 8 < SHEET_NAME);
	blink = !strncmp(field->of, "BD", 2) || !strcmp(field->of, "REQUEST");
	snprintf(field->macro, SHEET_NAME, "%s_%.16s_%.24s", blink ? "BLINK" : "SMILE", field->of,
		 name);
	field->access = cell_or_null(table, row, "access");
	field->meaning = cell_or_null(table, row, "meaning");
	read = sscanf(sheet_cell(table, row, "bits"), "%u-%u", &high, &low);
	if (read == 1)
		low = high;
	if (read < 1 || low > high || high > 63)
		fail_msg(SHEET_PATH ": %s has no bits", field->macro);
	field->mask = (UINT64_MAX >> (63 - high)) & (UINT64_MAX << low);
	sheet_field_count++;
}

const struct sheet_register *sheet_register(const char *name)
{
	for (size_t i = 0; i < sheet_register_count; i++) {
		if (strcmp(sheet_registers[i].name, name) == 0)
			return &sheet_registers[i];
	}
	return NULL;
}

const char *sheet_remark(const struct sheet_register *reg, const char *text)
{
	return strstr(reg->remark, text);
}

const struct sheet_field *sheet_field(const char *macro)
{
	for (size_t i = 0; i < sheet_field_count; i++) {
		if (strcmp(sheet_fields[i].macro, macro) == 0)
			return &sheet_fields[i];
	}
	return NULL;
}

const char *sheet_fields_of(const struct sheet_register *reg)
{
	if (strcmp(reg->name, "INT_STATUS") == 0 || strcmp(reg->name, "INT_ENABLE") == 0)
		return "INT";
	return strcmp(reg->name, "STATIC_VALUE") ? reg->name : "VALUE";
}

uint64_t sheet_bits(const char *of)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < sheet_field_count; i++) {
		if (strcmp(sheet_fields[i].of, of) == 0)
			bits |= sheet_fields[i].mask;
	}
	return bits;
}

/* ---- the headers ----------------------------------------------------------------------------- */

static void read_header(const char *path)
{
	char *whole = read_text(path), *text = whole, *line;

	while ((line = next_line(&text))) {
		struct header_name *name = &header_names[header_name_count];
		char after;

		assert_true(header_name_count < NAMES_MAX);
		/* Skip function-like macros, and names without a value. */
		if (sscanf(line, "#define %47[A-Z_0-9]%c", name->name, &after) != 2 || after != ' ')
			continue;
		name->path = path;
		header_name_count++;
	}
	free(whole);
}

bool header_has(const char *name)
{
	for (size_t i = 0; i < header_name_count; i++) {
		if (strcmp(header_names[i].name, name) == 0)
			return true;
	}
	return false;
}

int sheet_setup(void **state)
{
	const struct sheet_table *registers;

	read_sheet();
	registers = sheet_table("offset", "register");
	for (size_t row = 0; row < registers->rows; row++)
		read_register(registers, row);
	for (size_t i = 0; i < table_count; i++) {
		for (size_t row = 0; strcmp(tables[i].head[0], "of") == 0 && row < tables[i].rows;
		     row++)
			read_field(&tables[i], row);
	}
	read_header("include/hw/smile_regs.h");
	read_header("include/hw/blink.h");
	read_header("include/uapi/smile_monitor.h");
	return 0;
}
