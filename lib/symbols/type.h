/* SPDX-License-Identifier: MIT */
/*
 * Type: the type of a variable, from its debug information.
 *
 * What lives here: the size of a type, its text in the source language, and its member at an
 * offset. May use libdw. Debug information is checked before use.
 */
#ifndef LIB_SYMBOLS_TYPE_H
#define LIB_SYMBOLS_TYPE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct type - A type.
 * @die: entry of the type in the debug information; valid as long as the debug information is open
 * @fortran: the source is Fortran: indices in parentheses, the first one fastest, from 1
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
 * @lower: lowest index, by dimension in the order of the source
 * @count: number of items, by dimension; 0: unknown
 */
struct type_array {
	struct type item;
	uint64_t item_bytes;
	int dimensions;
	int64_t lower[TYPE_DIMENSIONS];
	uint64_t count[TYPE_DIMENSIONS];
};

/* Find the type of a variable or member. Return: 1; 0: it has no type. */
int smile_type_of(Dwarf_Die *die, int fortran, struct type *type);

/* Size of a type in bytes; 0: unknown. */
uint64_t smile_type_bytes(const struct type *type);

/* For an array, the bytes of one value of its slowest index; 0: not an array. */
uint64_t smile_type_item_bytes(const struct type *type);

/* The type in the syntax of the source; "" if unknown. */
void smile_type_name(const struct type *type, char *text, size_t bytes);

/**
 * struct type_place - The part of a type at an offset.
 * @type: type of the element
 * @start: offset where it begins
 * @bytes: size of the element
 */
struct type_place {
	struct type type;
	uint64_t start;
	uint64_t bytes;
};

/*
 * Remove typedef, const and volatile. Return: 0: there is no type below them, or the chain is too
 * long.
 */
int smile_type_peel(struct type *type);

/*
 * Describe an array type. @depth: initially 0. Return: 0: the type is invalid, or its items lie
 * elsewhere, as for an allocatable array.
 */
int smile_type_array(const struct type *type, struct type_array *array, int depth);

/* Find the offset of a member. Return: 0: it is unknown, or the member has no bytes of its own. */
int smile_type_member(Dwarf_Die *member, uint64_t *start);

/*
 * Find the element at @offset, and append its name, such as "[12].pos.x", to the string @text in a
 * buffer of @bytes. If the element has no named parts, as a union or a Fortran text of 64 KiB, the
 * offset in it is appended ("+24"), unless it is a single number.
 */
void smile_type_find(const struct type *type, uint64_t offset, char *text, size_t bytes,
		     struct type_place *place);

#endif /* LIB_SYMBOLS_TYPE_H */
