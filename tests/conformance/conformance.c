/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite: checks the public API's promises on every source.
 *
 *	conformance emu: | file: | dev:N | read:N
 *
 * Each case runs twice: with the ring in the card's memory and with the one in the host's.
 *
 * What lives here: the program. The cases are in the *_cases.c files; each sends its own frames,
 * counts them naively, and compares the library's result. May use fixture.h and cases.h.
 */
#include <stdio.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/fixture.h"

static uint32_t card_ring = 0;
static uint32_t host_ring = SMILE_MODE_HOST_RING;

#define CASE(name)                                                                                 \
	{#name ", card ring", name, conformance_setup, conformance_teardown, &card_ring},          \
		{#name ", host ring", name, conformance_setup, conformance_teardown, &host_ring},

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {CONFORMANCE_CASES(CASE)};

	if (argc != 2 || !conformance_source_find(argv[1])) {
		fprintf(stderr, "usage: %s emu: | file: | dev:N | read:N\n", argv[0]);
		return 2;
	}
	conformance_name_set(argv[1]);
	return cmocka_run_group_tests_name(argv[1], tests, NULL, NULL);
}
