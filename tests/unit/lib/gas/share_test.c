/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/gas/share.c without an adapter: the data that nodes pass to Gas_share(), and the
 * error if another node has another version. May use lib/gas/gas.h.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/gas/gas.h"

#define NODES 4

static void said(const char *text)
{
	if (!strstr(Gas_error_message(), text))
		fail_msg("'%s' is not in: %s", text, Gas_error_message());
}

static void nodes_alike_share(void **state)
{
	const uint64_t alike[NODES] = {GAS_VERSION_IN(77), GAS_VERSION_IN(77), GAS_VERSION_IN(77),
				       GAS_VERSION_IN(77)};

	assert_int_equal(gas_difference(alike, NODES), 0);
	assert_int_equal(gas_difference(alike, 1), 0);
}

static void another_layout_is_named(void **state)
{
	const uint64_t first = 1ULL << 63, second = 3ULL << 62;
	const uint64_t brought[NODES] = {GAS_VERSION_IN(first), GAS_VERSION_IN(first),
					 GAS_VERSION_IN(second), GAS_VERSION_IN(first)};

	assert_int_equal(gas_difference(brought, NODES), -EINVAL);
	said("nodes 0 and 2 have different layouts");
	said("Gas_place()");
}

/* This version does not know the layout of the other version's data, and ignores the rest. */
static void another_version_is_named_with_the_remedy(void **state)
{
	const uint64_t newer = GAS_VERSION + 1ULL, oldest = 0;

	for (unsigned int node = 0; node < NODES; node++) {
		uint64_t brought[NODES];

		for (unsigned int i = 0; i < NODES; i++)
			brought[i] = GAS_VERSION_IN(i);
		brought[node] = newer << GAS_VERSION_SHIFT |
				(brought[node] & ((1ULL << GAS_VERSION_SHIFT) - 1));
		assert_int_equal(gas_difference(brought, NODES), -EPROTONOSUPPORT);
		said("build the programs of all nodes with the same");
		said("libsmile-gas of version 2, this one with version 1");
		assert_int_equal(strtoul(strstr(Gas_error_message(), "on node ") + 8, NULL, 10),
				 node);
		brought[node] = oldest;
		assert_int_equal(gas_difference(brought, NODES), -EPROTONOSUPPORT);
		said("version 0");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_alike_share),
		cmocka_unit_test(another_layout_is_named),
		cmocka_unit_test(another_version_is_named_with_the_remedy),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
