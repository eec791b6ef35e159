/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the traced test programs and the test: the addresses of the memory whose accesses are
 * known.
 */
#ifndef TESTS_TRACER_GUEST_H
#define TESTS_TRACER_GUEST_H

#define ARENA 0x200000000ULL
#define ARENA_PAGES 128U
#define ARENA_PAGE 4096ULL
/* Addresses beyond the arena, for larger mappings. */
#define LARGE (ARENA + 0x10000000ULL)
#define ARENA_AT(page, offset) (ARENA + (page)*ARENA_PAGE + (offset))

#endif /* TESTS_TRACER_GUEST_H */
