/* SPDX-License-Identifier: MIT */
/*
 * Field: the format of a recording's header and trailer.
 *
 * What lives here: a writer and a reader of fields. The reader does not check the contents of a
 * field.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "lib/map/field.h"

uint64_t smile_field_bytes(uint64_t length)
{
	return FIELD_HEAD_BYTES + (length + 7) / 8 * 8;
}

void smile_field_put_number(FILE *file, uint64_t value, size_t bytes)
{
	uint64_t ordered = htole64(value);

	fwrite(&ordered, 1, bytes, file);
}

void smile_field_begin(FILE *file, uint32_t tag, size_t length)
{
	smile_field_put_number(file, tag, 4);
	smile_field_put_number(file, length, 4);
}

void smile_field_pad(FILE *file, size_t length)
{
	static const char padding[8];

	fwrite(padding, 1, -length % sizeof(padding), file);
}

void smile_field_put(FILE *file, uint32_t tag, const void *data, size_t length)
{
	smile_field_begin(file, tag, length);
	fwrite(data, 1, length, file);
	smile_field_pad(file, length);
}

uint64_t smile_field_number(const unsigned char *data, size_t bytes)
{
	uint64_t value = 0;

	memcpy(&value, data, bytes);
	return le64toh(value);
}

const char *smile_field_next(const unsigned char **at, const unsigned char *end,
			     struct field *field)
{
	if (end - *at < (ptrdiff_t)FIELD_HEAD_BYTES)
		return "its fields do not end";
	field->tag = (uint32_t)smile_field_number(*at, 4);
	field->length = (uint32_t)smile_field_number(*at + 4, 4);
	field->data = *at + FIELD_HEAD_BYTES;
	if (field->tag == FIELD_TAG_END)
		return NULL;
	if (smile_field_bytes(field->length) > (uint64_t)(end - *at))
		return "a field is longer than all of them";
	*at += smile_field_bytes(field->length);
	return NULL;
}

const char *smile_field_wrong(int error, const char *what)
{
	if (error == -ENOMEM)
		return "there is no memory for it";
	return error < 0 ? what : NULL;
}
