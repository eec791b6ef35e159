/* SPDX-License-Identifier: MIT */
/* Cable frame: the functions that frame.c calls for packets of the cable. May use frame.h. */
#ifndef LIB_TRACE_DB_CABLE_FRAME_H
#define LIB_TRACE_DB_CABLE_FRAME_H

#include "lib/trace-db/frame.h"

/* Return whether a frame is a request or a response that could be decoded completely. */
bool cable_frame_is_send(const struct frame *frame);

/*
 * These functions do the work of the functions with similar names in frame.h, for packets of the
 * cable.
 */
size_t cable_frame_build(const struct frame *frame, uint8_t *bytes, size_t room);
unsigned int cable_frame_class(const struct frame *frame);
bool cable_frame_has_bd2(const struct frame *frame);
bool cable_frame_has_trailer(const struct frame *frame);
const struct frame_field *cable_frame_fields(size_t *count);
int cable_frame_field_get(const struct frame *frame, const struct frame_field *field,
			  uint64_t *value);
size_t cable_frame_field_byte(const struct frame *frame, const struct frame_field *field);
const char *cable_frame_field_word(const struct frame_field *field);

#endif /* LIB_TRACE_DB_CABLE_FRAME_H */
