/* SPDX-License-Identifier: MIT */
/*
 * Piece: what lies where, as sorted intervals without overlaps.
 *
 * What lives here: lists of pieces, how one is laid under another, and how an address is found in
 * one.
 */
#ifndef LIB_MAP_PIECE_H
#define LIB_MAP_PIECE_H

#include <smile/monitor.h>

/* Alignment and the heap's bookkeeping leave less than this between two variables. */
#define PIECE_GAP_BYTES 64U

/**
 * struct pieces - A list. All zero is an empty one.
 * @items: shape [@size]
 */
struct pieces {
	struct Monitor_piece *items;
	size_t count;
	size_t size;
};

/* Append; in any order before smile_pieces_settle(). Return: 0, -ENOMEM. */
int smile_pieces_push(struct pieces *pieces, uint64_t start, uint64_t end, uint64_t base,
		      uint32_t variable);

/* Sort. Of two that overlap the one pushed last keeps all it has. Return: 0, -ENOMEM. */
int smile_pieces_settle(struct pieces *pieces);

/*
 * Add what is in @below and not in @top to @top; both are settled. What would be shorter than
 * @least bytes is left out. Return: 0, -ENOMEM.
 */
int smile_pieces_under(struct pieces *top, const struct pieces *below, uint64_t least);

/* Return: index of the first piece that ends behind @address; the count if there is none. */
size_t smile_pieces_find(const struct pieces *pieces, uint64_t address);

void smile_pieces_free(struct pieces *pieces);

#endif /* LIB_MAP_PIECE_H */
