// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/data_source.c: which part of the machine served an access. The data sources
 * are of Intel, AMD and Arm processors, in the form in which Linux and perf report them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "run/sample/data_source.h"

#define OP(x) PERF_MEM_S(OP, x)
#define LEVEL(x) PERF_MEM_S(LVL, x)
#define NUMBER(x) ((uint64_t)(x) << PERF_MEM_LVLNUM_SHIFT)
#define REMOTE PERF_MEM_S(REMOTE, REMOTE)
#define HOPS(x) ((uint64_t)(x) << 43)
#define LOADED (OP(LOAD) | LEVEL(HIT))

static void data_source_read_what_served(void **state)
{
	static const struct {
		uint64_t value;
		enum counts_type type;
		enum data_served served;
	} sources[] = {
		/* Intel */
		{LOADED | LEVEL(L1) | NUMBER(1), COUNTS_READ, DATA_CACHE},
		{LOADED | LEVEL(LFB) | NUMBER(0xc), COUNTS_READ, DATA_CACHE},
		{LOADED | LEVEL(L3) | NUMBER(3) | PERF_MEM_S(SNOOP, HITM), COUNTS_READ, DATA_CACHE},
		{LOADED | LEVEL(REM_CCE1) | NUMBER(3) | REMOTE, COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | LEVEL(LOC_RAM) | NUMBER(0xd), COUNTS_READ, DATA_LOCAL},
		{LOADED | LEVEL(REM_RAM1) | NUMBER(0xd) | REMOTE, COUNTS_READ, DATA_REMOTE},
		{LOADED | NUMBER(0xb) | REMOTE, COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | NUMBER(0xe), COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | NUMBER(0xe) | REMOTE, COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | NUMBER(9), COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | LEVEL(UNC), COUNTS_READ, DATA_ELSEWHERE},
		{OP(LOAD) | LEVEL(MISS) | NUMBER(3), COUNTS_READ, DATA_UNKNOWN},
		{OP(STORE) | LEVEL(L1) | LEVEL(HIT), COUNTS_WRITE, DATA_CACHE},
		{OP(STORE) | LEVEL(L1) | LEVEL(MISS), COUNTS_WRITE, DATA_UNKNOWN},
		{LOADED | LEVEL(LOC_RAM) | NUMBER(0xd) | PERF_MEM_S(LOCK, LOCKED), COUNTS_LOCK,
		 DATA_LOCAL},
		/* AMD */
		{LOADED | LEVEL(L1), COUNTS_READ, DATA_CACHE},
		{LOADED | LEVEL(L3) | NUMBER(0xb) | REMOTE | HOPS(1), COUNTS_READ, DATA_CACHE},
		{LOADED | NUMBER(0xb) | REMOTE | HOPS(2), COUNTS_READ, DATA_ELSEWHERE},
		{OP(STORE) | LEVEL(HIT) | LEVEL(REM_RAM1) | NUMBER(0xd) | REMOTE | HOPS(2),
		 COUNTS_WRITE, DATA_REMOTE},
		{OP(LOAD) | OP(STORE) | LEVEL(HIT) | LEVEL(LOC_RAM), COUNTS_WRITE, DATA_LOCAL},
		/* Only the older of the two fields is set. */
		{LOADED | LEVEL(REM_RAM2), COUNTS_READ, DATA_REMOTE},
		{LOADED | LEVEL(REM_CCE2), COUNTS_READ, DATA_ELSEWHERE},
		{LOADED | LEVEL(L2) | NUMBER(0xf), COUNTS_READ, DATA_CACHE},
		/* As perf 6.1 and 6.12 report it on Arm. */
		{OP(LOAD) | LEVEL(NA) | NUMBER(0xf) | REMOTE, COUNTS_READ, DATA_ELSEWHERE},
		{OP(LOAD) | LEVEL(REM_CCE1) | NUMBER(0xb) | REMOTE, COUNTS_READ, DATA_ELSEWHERE},
		{OP(STORE) | LEVEL(NA) | NUMBER(0xf), COUNTS_WRITE, DATA_UNKNOWN},
		{OP(LOAD) | LEVEL(L3) | LEVEL(MISS), COUNTS_READ, DATA_UNKNOWN},
		/* An access without further data. */
		{OP(LOAD) | LEVEL(NA) | NUMBER(0xf), COUNTS_READ, DATA_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct data_source source;

		assert_true(data_source_read(sources[i].value, &source));
		if (source.served != sources[i].served || source.type != sources[i].type)
			fail_msg("%zu: 0x%" PRIx64 " is type %d, served by %d", i, sources[i].value,
				 source.type, source.served);
		assert_int_equal(data_source_behind(&source),
				 source.served != DATA_UNKNOWN && source.served != DATA_CACHE);
	}
}

static void data_source_read_nothing_said(void **state)
{
	static const uint64_t values[] = {
		0,
		OP(NA) | LEVEL(NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) |
			PERF_MEM_S(TLB, NA),
		OP(NA) | LEVEL(NA) | NUMBER(0xf),
	};
	struct data_source source;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		assert_false(data_source_read(values[i], &source));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_source_read_what_served),
		cmocka_unit_test(data_source_read_nothing_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
