/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/symbols/symbol.c: from the name that the linker uses, make the name in the source.
 */
#include <string.h>

#include "lib/symbols/object.h"
#include "tests/unit/lib_fixture.h"

static void names_are_those_of_the_source(void **state)
{
	static const char *const names[][2] = {
		{"matrix", "matrix"},
		{"_ZN3sim5cellsE", "sim::cells"},
		{"_ZN3sim4Grid7weightsE", "sim::Grid::weights"},
		{"_ZL5count", "count"},
		{"_ZN3simL6hiddenE", "sim::hidden"},
		{"_ZN3sim12_GLOBAL__N_16hiddenE", "sim::(anonymous namespace)::hidden"},
		{"__fields_MOD_a", "fields::a"},
		{"_ZZN3sim4Grid4stepEvE5count", "sim::Grid::step()::count"},
		{"_ZTVN3sim4GridE", "vtable for sim::Grid"},
		/* Functions of C++. The names have no parameters. */
		{"_ZN3sim4Grid4stepEid", "sim::Grid::step"},
		{"_ZN3sim4sortIiEEvPT_", "sim::sort<int>"},
		{"_ZN3sim4Grid4stepEid.part.0", "sim::Grid::step"},
		/* Functions of Rust, in both encodings. */
		{"_ZN3sim4grid4step17h0123456789abcdefE", "sim::grid::step"},
		{"_RNvNtC3sim4grid4step", "sim::grid::step"},
		/* Other names are unchanged. */
		{"_ZN3sim", "_ZN3sim"},
		{"_ZN99simE", "_ZN99simE"},
		{"_ZN", "_ZN"},
		{"_Z", "_Z"},
		{"___MOD_", "___MOD_"},
		{"__MOD_", "__MOD_"},
	};
	char text[OBJECT_NAME_BYTES];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		smile_symbol_name(names[i][0], text);
		assert_string_equal(text, names[i][1]);
	}
}

static void a_name_that_is_too_long_is_cut_off(void **state)
{
	char symbol[2 * OBJECT_NAME_BYTES], text[OBJECT_NAME_BYTES];

	memset(symbol, 'x', sizeof(symbol) - 1);
	symbol[sizeof(symbol) - 1] = '\0';
	smile_symbol_name(symbol, text);
	assert_int_equal(strlen(text), OBJECT_NAME_BYTES - 1);
	memcpy(symbol, "_Z1017", 6);
	smile_symbol_name(symbol, text);
	assert_int_equal(strlen(text), OBJECT_NAME_BYTES - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_source),
		cmocka_unit_test(a_name_that_is_too_long_is_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
