/* SPDX-License-Identifier: MIT */
/*
 * Schema: makes the SQL text of the tables and views of a trace database.
 *
 * What lives here: the functions that generate the text from the tables in include/hw. Other files
 * execute the text. May use frame.h.
 */
#ifndef LIB_TRACE_DB_SCHEMA_H
#define LIB_TRACE_DB_SCHEMA_H

/*
 * The values of `PRAGMA application_id` ("SMTR") and `PRAGMA user_version`. Version 1 has the same
 * tables, but its view `packets` decodes only packets of the B-Link.
 */
#define SCHEMA_APPLICATION 0x534d5452
#define SCHEMA_VERSION 2
#define SCHEMA_VERSION_FIRST 1

/**
 * struct schema_object - A table or view that the file must contain.
 * @name: name of the table or view
 * @fixed: 1: a file of this version or a later version must have the statement @sql; 0: users may
 *         change the table or view
 * @sql: the statement that creates the table or view; schema_free() frees it
 */
struct schema_object {
	const char *name;
	int fixed;
	char *sql;
};

#define SCHEMA_OBJECTS 10U

/**
 * schema_make() - Write all statements. Return: 0; -ENOMEM.
 */
int schema_make(struct schema_object objects[SCHEMA_OBJECTS]);
void schema_free(struct schema_object objects[SCHEMA_OBJECTS]);

/**
 * schema_rows() - Get the statements that fill `commands`, `packet_types` and `faults`. The caller
 * must free them.
 */
char *schema_rows(void);

/**
 * schema_upgrade() - Get the statements that convert a file of version 1 to this version. The
 * caller must free them.
 */
char *schema_upgrade(void);

#endif /* LIB_TRACE_DB_SCHEMA_H */
