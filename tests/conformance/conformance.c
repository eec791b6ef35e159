/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite: checks the public API's promises on every source.
 *
 *	conformance emu: | file:
 *	conformance {dev:N | read:N | pci:SLOT} PORT
 *
 * PORT is the guest's end of the channel that leads to the card's B-Link on the host.
 *
 * Each case runs twice: with the ring in the card's memory, and with the ring in the host's; with a
 * source without DMA it runs once.
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
	const size_t all = sizeof(tests) / sizeof(tests[0]);
	const struct conformance_source *source =
		argc > 1 ? conformance_source_find(argv[1]) : NULL;
	struct CMUnitTest chosen[sizeof(tests) / sizeof(tests[0])];
	size_t count = 0;

	if (!source || (source->settle && !argv[2])) {
		fprintf(stderr, "usage: %s emu: | file: | {dev:N | read:N | pci:SLOT} PORT\n",
			argv[0]);
		return 2;
	}
	for (size_t i = 0; i < all; i++)
		if (!source->polled || tests[i].initial_state == &card_ring)
			chosen[count++] = tests[i];
	conformance_name_set(argv[1], argv[2]);
	return _cmocka_run_group_tests(argv[1], chosen, count, NULL, NULL);
}
