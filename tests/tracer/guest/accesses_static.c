/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The same programs as in accesses.c, linked without libraries (see build.mk). */
#include "tests/tracer/guest/accesses.c"
