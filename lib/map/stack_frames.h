/* SPDX-License-Identifier: MIT */
/*
 * Stack frames: the functions that the program's threads were in; a part of the map.
 *
 * What lives here: the list, and its field in a recording's trailer (stack_frames.c).
 */
#ifndef LIB_MAP_STACK_FRAMES_H
#define LIB_MAP_STACK_FRAMES_H

#include <stdio.h>

#include <smile/monitor.h>

#include "lib/map/field.h"

/**
 * struct frames - All zero is an empty list.
 * @items: the frames in the order in which they were added; [@size]
 */
struct frames {
	struct Monitor_stack_frame *items;
	size_t count;
	size_t size;
};

/*
 * The largest number of frames that are kept; a recorder reports at most a quarter of this number.
 */
#define FRAMES_MAX 65536U

void smile_frames_free(struct frames *frames);

/* Add a frame, which is copied. Return: 0, or -EINVAL, -ENOSPC or -ENOMEM with a message. */
int smile_frames_add(struct frames *frames, const struct Monitor_stack_frame *frame);

/* Whether two lists agree, if both have frames. */
int smile_frames_agree(const struct frames *a, const struct frames *b);

/* Make the union of two lists that agree in @sum, which must be empty. Return: 0; -ENOMEM. */
int smile_frames_sum(struct frames *sum, const struct frames *a, const struct frames *b);

#define FRAMES_TAG 24

#define FRAMES_HEAD_BYTES 8U
#define FRAMES_FRAME_BYTES 40U

/* Like smile_trailer_write(), without the field that ends a trailer. */
void smile_frames_trailer_write(FILE *file, const struct frames *frames);

/* Take in a field of FRAMES_TAG. Return: NULL; or a text that names the error. */
const char *smile_frames_trailer_field(struct frames *frames, const struct field *field);

#endif /* LIB_MAP_STACK_FRAMES_H */
