/* SPDX-License-Identifier: MIT */
/*
 * Type: describes the type of a variable, from its debug information.
 *
 * What lives here: functions that get the size of a type, its text in the source language, and the
 * member at an offset. Debug information can be invalid, so this code checks it before use. May use
 * libdw.
 */
#ifndef LIB_SYMBOLS_TYPE_H
#define LIB_SYMBOLS_TYPE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct type - A type.
 * @die: DIE of the type; valid as long as the debug information is open
 * @fortran: the source is in Fortran. In Fortran, indices are in parentheses and begin at 1, and
 *           the first index varies fastest
 */
struct type {
	Dwarf_Die die;
	int fortran;
};

#define TYPE_DIMENSIONS 16

/**
 * struct type_array - An array type.
 * @item: type of the items
 * @item_bytes: size of an item; never 0
 * @dimensions: number of dimensions; never 0
 * @lower: lowest index of each dimension, in the order of the source
 * @count: number of items of each dimension; 0: unknown
 */
struct type_array {
	struct type item;
	uint64_t item_bytes;
	int dimensions;
	int64_t lower[TYPE_DIMENSIONS];
	uint64_t count[TYPE_DIMENSIONS];
};

/* Find the type of a variable or member. Return: 1; 0 if it has no type. */
int smile_type_of(Dwarf_Die *die, int fortran, struct type *type);

/* Get the size of a type in bytes; 0 if the size is not known. */
uint64_t smile_type_bytes(const struct type *type);

/*
 * Get the distance, in bytes, between two successive values of the index of an array that varies
 * slowest; 0 if the type is not an array.
 */
uint64_t smile_type_item_bytes(const struct type *type);

/* Write the type in the syntax of the source language; "" if the type is not known. */
void smile_type_name(const struct type *type, char *text, size_t bytes);

/**
 * struct type_place - The part of a type that contains an offset.
 * @type: type of the part
 * @start: offset of the first byte of the part
 * @bytes: size of the part
 */
struct type_place {
	struct type type;
	uint64_t start;
	uint64_t bytes;
};

/*
 * Remove typedef, const and volatile from a type. Return: 1; 0 if no type remains, or if the chain
 * of types is too long.
 */
int smile_type_peel(struct type *type);

/*
 * Describe an array type. @depth: 0 in the first call. Return: 1; 0 if the type is invalid, or if
 * the items are stored elsewhere, as for an allocatable array.
 */
int smile_type_array(const struct type *type, struct type_array *array, int depth);

/*
 * Find the offset of a member. Return: 1; 0 if the offset is not known, or if the member has no
 * bytes of its own.
 */
int smile_type_member(Dwarf_Die *member, uint64_t *start);

/*
 * Find the element at @offset, and append its name, such as "[12].pos.x", to @text, a buffer of
 * @bytes bytes. Some elements, such as a union or a Fortran text of 64 KiB, have no named parts,
 * although they are longer than a number. For such an element, the function appends the offset in
 * the element too, as in "+24".
 */
void smile_type_find(const struct type *type, uint64_t offset, char *text, size_t bytes,
		     struct type_place *place);

#endif /* LIB_SYMBOLS_TYPE_H */
