/* SPDX-License-Identifier: MIT */
/*
 * Field: the format of a recording's header and trailer.
 *
 * What lives here: u32 tag, u32 length, then length bytes, padded to a multiple of 8; tag 0 ends a
 * list of fields. All numbers are little-endian.
 */
#ifndef LIB_MAP_FIELD_H
#define LIB_MAP_FIELD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FIELD_HEAD_BYTES 8U
#define FIELD_TAG_END 0U

/**
 * struct field - A field that was read.
 * @tag: kind of the contents
 * @length: bytes of @data
 * @data: contents, in the memory that the field was read from
 */
struct field {
	uint32_t tag;
	uint32_t length;
	const unsigned char *data;
};

/* The number of bytes of a field in the file. */
uint64_t smile_field_bytes(uint64_t length);

void smile_field_put_number(FILE *file, uint64_t value, size_t bytes);
/*
 * Write only tag and length. The caller must then write the contents, and call smile_field_pad().
 */
void smile_field_begin(FILE *file, uint32_t tag, size_t length);
void smile_field_pad(FILE *file, size_t length);
void smile_field_put(FILE *file, uint32_t tag, const void *data, size_t length);

uint64_t smile_field_number(const unsigned char *data, size_t bytes);

/*
 * Read the next field of a list that ends at @end at the latest; *@at is advanced. Return: NULL,
 * and tag 0 after the last field; or a text that names the error.
 */
const char *smile_field_next(const unsigned char **at, const unsigned char *end,
			     struct field *field);

/*
 * The text for a field whose contents were rejected with -errno: @what, or a text about missing
 * memory.
 * Return: NULL if they were not rejected.
 */
const char *smile_field_wrong(int error, const char *what);

#endif /* LIB_MAP_FIELD_H */
