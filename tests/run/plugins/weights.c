/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Constants of a shared library, with lines in the debug information: see
 * tests/run/programs/constants.c.
 */
#define ITEMS 4096

extern const double library_weights[ITEMS];
__attribute__((visibility("default"))) const double library_weights[ITEMS] = {1, 2, 3};
