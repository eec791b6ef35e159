/* SPDX-License-Identifier: MIT */
/*
 * Stack frames: the part of the map that has the functions which the program's threads executed.
 *
 * What lives here: the list of frames, and its field in the trailer of a recording
 * (stack_frames.c).
 */
#ifndef LIB_MAP_STACK_FRAMES_H
#define LIB_MAP_STACK_FRAMES_H

#include <stdio.h>

#include <smile/monitor.h>

#include "lib/map/field.h"

/**
 * struct frames - A list of frames. If all members are 0, the list is empty.
 * @items: the frames in the order in which they were added; [@size]
 */
struct frames {
	struct Monitor_stack_frame *items;
	size_t count;
	size_t size;
};

/*
 * The largest number of frames in the list. It is four times the largest number that a recorder
 * reports.
 */
#define FRAMES_MAX 65536U

void smile_frames_free(struct frames *frames);

/*
 * Add a copy of a frame. Return: 0; -EINVAL, -ENOSPC or -ENOMEM, with Monitor_error_message() set.
 */
int smile_frames_add(struct frames *frames, const struct Monitor_stack_frame *frame);

/*
 * Return whether two lists agree. They agree if they are equal, or if at least one of them is
 * empty.
 */
int smile_frames_agree(const struct frames *a, const struct frames *b);

/*
 * Make the union of two lists that agree. @sum: receives the union; it must be empty. Return: 0;
 * -ENOMEM.
 */
int smile_frames_sum(struct frames *sum, const struct frames *a, const struct frames *b);

#define FRAMES_TAG 24

#define FRAMES_HEAD_BYTES 8U
#define FRAMES_FRAME_BYTES 40U

/*
 * Write the field of the list, but not the field that ends the trailer. After a write error,
 * ferror(3) reports the error for @file.
 */
void smile_frames_trailer_write(FILE *file, const struct frames *frames);

/*
 * Read a field if it has the tag FRAMES_TAG. Return: NULL if the field is valid; otherwise a text
 * that describes the error.
 */
const char *smile_frames_trailer_field(struct frames *frames, const struct field *field);

#endif /* LIB_MAP_STACK_FRAMES_H */
