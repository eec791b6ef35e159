/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Field: values in and out of the fields of a word.
 *
 * What lives here: what the kernel has as FIELD_GET() and FIELD_PREP(), for programs. A field is
 * named by its mask, a constant without gaps; the word is in host byte order. It uses nothing. Not
 * installed.
 */
#ifndef BASE_FIELD_H
#define BASE_FIELD_H

#define SMILE_GET(mask, word) (((word) & (mask)) / ((mask) & (~(mask) + 1)))
#define SMILE_PUT(mask, value) (((value) * ((mask) & (~(mask) + 1))) & (mask))

#endif /* BASE_FIELD_H */
