/* SPDX-License-Identifier: MIT */
/*
 * Field: the format of the fields in the header and in the trailer of a recording.
 *
 * What lives here: the format of a field, which is u32 tag, u32 length, and then length bytes,
 * padded to a multiple of 8. Tag 0 ends a list of fields. All numbers are little-endian.
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
 * @length: number of bytes of @data
 * @data: contents, which are in the memory from which the field was read
 */
struct field {
	uint32_t tag;
	uint32_t length;
	const unsigned char *data;
};

/* Get the number of bytes that a field occupies in the file. */
uint64_t smile_field_bytes(uint64_t length);

void smile_field_put_number(FILE *file, uint64_t value, size_t bytes);
/*
 * Write only the tag and the length of a field. The caller must write the contents next, and call
 * smile_field_pad() after them.
 */
void smile_field_begin(FILE *file, uint32_t tag, size_t length);
void smile_field_pad(FILE *file, size_t length);
void smile_field_put(FILE *file, uint32_t tag, const void *data, size_t length);

uint64_t smile_field_number(const unsigned char *data, size_t bytes);

/*
 * Read the next field of a list that extends at most to @end, and advance *@at. After the last
 * field, the tag is 0. Return: NULL if the field is valid; otherwise a text that describes the
 * error.
 */
const char *smile_field_next(const unsigned char **at, const unsigned char *end,
			     struct field *field);

/*
 * Get the error text for a field whose contents were rejected with @error. @what: the text, unless
 * memory is missing. Return: the text; NULL if @error is not an error.
 */
const char *smile_field_wrong(int error, const char *what);

#endif /* LIB_MAP_FIELD_H */
