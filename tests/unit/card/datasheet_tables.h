/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The parser of the datasheet and of the headers, for datasheet_test.c and datasheet_card_test.c.
 *
 * What lives here: the tables, registers and fields of docs/registers.md, and the names that the
 * headers define, with their values. May use cmocka and the C library, and include/ for the values.
 * The tests must run in the top directory of the tree.
 */
#ifndef TESTS_UNIT_CARD_DATASHEET_TABLES_H
#define TESTS_UNIT_CARD_DATASHEET_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#define SHEET_PATH "docs/registers.md"
#define SHEET_CELLS 8
#define SHEET_NAME 48
#define SHEET_ROWS 64

/**
 * struct sheet_table - One table of the datasheet.
 * @section: number of the section that contains the table: "3.1"
 * @columns: number of cells of a row
 * @rows: number of rows below the heading
 * @head: the cells of the heading
 * @cell: the rows; a cell has no blanks around it
 */
struct sheet_table {
	char section[8];
	size_t columns;
	size_t rows;
	const char *head[SHEET_CELLS];
	const char *cell[SHEET_ROWS][SHEET_CELLS];
};

/**
 * struct sheet_section - A section, by its number.
 * @diagrams: number of code blocks with boxes in the section, without its subsections
 */
struct sheet_section {
	char number[8];
	unsigned int diagrams;
};

/**
 * struct sheet_register - A row of the register table.
 * @name: without SMILE_REG_
 * @access: the access column up to its first comma or semicolon: "CFG"
 * @remark: the rest of the access column
 * @reset: reset value; valid if @has_reset is true
 * @count: number of elements; 1 if the register is not an array
 * @stride: bytes from one element to the next
 * @bytes: 4, or 8 for a pair
 */
struct sheet_register {
	char name[SHEET_NAME];
	char access[SHEET_NAME];
	const char *remark;
	uint32_t offset;
	uint32_t reset;
	uint32_t count;
	uint32_t stride;
	uint32_t bytes;
	bool has_reset;
};

/**
 * struct sheet_field - A row of a table of fields.
 * @of: text of the first column
 * @macro: name of the field in the headers
 * @access: text of the access column, NULL if the table has none
 * @meaning: text of the meaning column
 * @mask: bits of the field
 */
struct sheet_field {
	const char *of;
	char macro[SHEET_NAME];
	const char *access;
	const char *meaning;
	uint64_t mask;
};

/**
 * struct header_name - A macro of a header that has a value and no arguments.
 */
struct header_name {
	char name[SHEET_NAME];
	const char *path;
};

/* Setup of a cmocka group: read all files. It fails if a file cannot be parsed. */
int sheet_setup(void **state);

/* Get the table whose heading begins with these columns. Fail unless there is exactly one. */
const struct sheet_table *sheet_table(const char *first, const char *second);
const char *sheet_cell(const struct sheet_table *table, size_t row, const char *column);
const struct sheet_section *sheet_section(const char *number);

extern struct sheet_register sheet_registers[];
extern size_t sheet_register_count;
const struct sheet_register *sheet_register(const char *name);
/* Get the part of the access column's remarks that contains @text, or NULL. */
const char *sheet_remark(const struct sheet_register *reg, const char *text);

extern struct sheet_field sheet_fields[];
extern size_t sheet_field_count;
const struct sheet_field *sheet_field(const char *macro);
/* Get the name that the tables of fields use for a register: INT for INT_STATUS. */
const char *sheet_fields_of(const struct sheet_register *reg);
/* Get all bits of the fields of register @of; 0 if the tables have no such field. */
uint64_t sheet_bits(const char *of);

extern struct header_name header_names[];
extern size_t header_name_count;
bool header_has(const char *name);

/* Get the value of a name. Fail if datasheet_values.c does not list the name. */
uint64_t header_value(const char *name);
bool header_has_value(const char *name);

#endif /* TESTS_UNIT_CARD_DATASHEET_TABLES_H */
