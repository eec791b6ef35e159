/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Parts of the tracer that need no emulator: instructions, ranges, the table of pages.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/tracer/counted_pages.h"
#include "run/tracer/address_ranges.h"
#include "run/tracer/x86.h"

#define AT 0x400000ULL

struct sample {
	const char *name;
	uint8_t bytes;
	uint8_t code[15];
	enum x86_where where;
	bool atomic;
	bool pair;
	uint64_t target;
};

/* In the assembler's notation. */
static const struct sample samples[] = {
	{"mov (%rax),%rbx", 3, {0x48, 0x8b, 0x18}, X86_ANYWHERE, false, false, 0},
	{"mov 8(%rsp),%rax", 5, {0x48, 0x8b, 0x44, 0x24, 0x08}, X86_STACK, false, false, 0},
	{"mov 8(%r12),%rax", 5, {0x49, 0x8b, 0x44, 0x24, 0x08}, X86_ANYWHERE, false, false, 0},
	{"mov (%rsp,%rax),%rax", 4, {0x48, 0x8b, 0x04, 0x04}, X86_ANYWHERE, false, false, 0},
	{"mov (%rsp,%r12),%rax", 4, {0x4a, 0x8b, 0x04, 0x24}, X86_ANYWHERE, false, false, 0},
	{"mov %fs:(%rsp),%rax", 5, {0x64, 0x48, 0x8b, 0x04, 0x24}, X86_ANYWHERE, false, false, 0},
	{"mov 16(%rip),%eax", 6, {0x8b, 0x05, 0x10, 0, 0, 0}, X86_FIXED, false, false, AT + 22},
	{"movl $1,-16(%rip)",
	 10,
	 {0xc7, 0x05, 0xf0, 0xff, 0xff, 0xff, 1, 0, 0, 0},
	 X86_FIXED,
	 false,
	 false,
	 AT - 6},
	{"mulsd 16(%rip),%xmm0",
	 8,
	 {0xf2, 0x0f, 0x59, 0x05, 0x10, 0, 0, 0},
	 X86_FIXED,
	 false,
	 false,
	 AT + 24},
	{"vmovsd 16(%rip),%xmm0",
	 8,
	 {0xc5, 0xfb, 0x10, 0x05, 0x10, 0, 0, 0},
	 X86_FIXED,
	 false,
	 false,
	 AT + 24},
	{"vmovups 8(%rsp),%ymm0",
	 6,
	 {0xc5, 0xfc, 0x10, 0x44, 0x24, 0x08},
	 X86_STACK,
	 false,
	 false,
	 0},
	{"vmovups 8(%r12),%ymm0",
	 7,
	 {0xc4, 0xc1, 0x7c, 0x10, 0x44, 0x24, 0x08},
	 X86_ANYWHERE,
	 false,
	 false,
	 0},
	{"vpgatherdd %ymm1,(%rsp,%ymm4),%ymm0",
	 6,
	 {0xc4, 0xe2, 0x75, 0x90, 0x04, 0x24},
	 X86_ANYWHERE,
	 false,
	 false,
	 0},
	{"push %rax", 1, {0x50}, X86_STACK, false, false, 0},
	{"push (%rax)", 2, {0xff, 0x30}, X86_ANYWHERE, false, false, 0},
	{"push 8(%rsp)", 4, {0xff, 0x74, 0x24, 0x08}, X86_ANYWHERE, false, false, 0},
	{"call", 5, {0xe8, 0, 0, 0, 0}, X86_STACK, false, false, 0},
	{"ret", 1, {0xc3}, X86_STACK, false, false, 0},
	{"rep movsb", 2, {0xf3, 0xa4}, X86_ANYWHERE, false, false, 0},
	{"lock incq (%rax)", 4, {0xf0, 0x48, 0xff, 0x00}, X86_ANYWHERE, true, false, 0},
	{"lock incl 16(%rip)",
	 7,
	 {0xf0, 0xff, 0x05, 0x10, 0, 0, 0},
	 X86_FIXED,
	 true,
	 false,
	 AT + 23},
	{"xchg %rax,(%rbx)", 3, {0x48, 0x87, 0x03}, X86_ANYWHERE, true, false, 0},
	{"xchg %al,(%rbx)", 2, {0x86, 0x03}, X86_ANYWHERE, true, false, 0},
	{"xchg %rcx,%rbx", 3, {0x48, 0x87, 0xcb}, X86_NOWHERE, false, false, 0},
	{"xor %eax,%eax", 2, {0x31, 0xc0}, X86_NOWHERE, false, false, 0},
	{"div %rcx", 3, {0x48, 0xf7, 0xf1}, X86_NOWHERE, false, false, 0},
	{"fstp %st(1)", 2, {0xdd, 0xd9}, X86_NOWHERE, false, false, 0},
	{"mulss %xmm1,%xmm0", 4, {0xf3, 0x0f, 0x59, 0xc1}, X86_NOWHERE, false, false, 0},
	{"vmulss %xmm1,%xmm2,%xmm0", 4, {0xc5, 0xea, 0x59, 0xc1}, X86_NOWHERE, false, false, 0},
	{"vpshufb %ymm1,%ymm2,%ymm0",
	 5,
	 {0xc4, 0xe2, 0x6d, 0x00, 0xc1},
	 X86_NOWHERE,
	 false,
	 false,
	 0},
	{"pshufb %xmm1,%xmm0", 5, {0x66, 0x0f, 0x38, 0x00, 0xc1}, X86_NOWHERE, false, false, 0},
	{"maskmovdqu %xmm1,%xmm0", 4, {0x66, 0x0f, 0xf7, 0xc1}, X86_ANYWHERE, false, false, 0},
	{"vmaskmovdqu %xmm1,%xmm0", 4, {0xc5, 0xf9, 0xf7, 0xc1}, X86_ANYWHERE, false, false, 0},
	{"rep movsb", 2, {0xf3, 0xa4}, X86_ANYWHERE, false, false, 0},
	{"xlat", 1, {0xd7}, X86_ANYWHERE, false, false, 0},
	{"call *%rax", 2, {0xff, 0xd0}, X86_ANYWHERE, false, false, 0},
	{"xadd %eax,(%rbx)", 3, {0x0f, 0xc1, 0x03}, X86_ANYWHERE, false, false, 0},
	{"lock xadd %ax,(%rbx)", 5, {0xf0, 0x66, 0x0f, 0xc1, 0x03}, X86_ANYWHERE, true, false, 0},
	{"lock cmpxchg8b (%rbx)", 4, {0xf0, 0x0f, 0xc7, 0x0b}, X86_ANYWHERE, true, false, 0},
	{"lock cmpxchg16b (%rbx)", 5, {0xf0, 0x48, 0x0f, 0xc7, 0x0b}, X86_ANYWHERE, true, true, 0},
	{"a lone prefix", 1, {0xf0}, X86_ANYWHERE, true, false, 0},
};

static void decode_samples_are_understood(void **state)
{
	const struct sample *s;
	struct x86_insn insn;
	size_t i;

	for (i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		s = &samples[i];
		insn = x86_decode(s->code, s->bytes, AT);
		if (insn.where != s->where || insn.atomic != s->atomic || insn.pair != s->pair ||
		    insn.target != s->target)
			fail_msg("%s: where %d atomic %d pair %d target %#lx", s->name, insn.where,
				 insn.atomic, insn.pair, (unsigned long)insn.target);
	}
}

/* Which atomic instructions return the old value to the program, and which of them add. */
static void decode_tells_atomics_that_return_a_value(void **state)
{
	static const struct {
		uint8_t bytes, code[5];
		bool returns, adds;
	} cases[] = {
		{5, {0xf0, 0x66, 0x0f, 0xc1, 0x03}, true, true}, /* lock xadd %ax,(%rbx) */
		{4, {0xf0, 0x0f, 0xc0, 0x03}, true, true}, /* lock xadd %al,(%rbx) */
		{4, {0xf0, 0x0f, 0xb1, 0x0b}, true, false}, /* lock cmpxchg %ecx,(%rbx) */
		{2, {0x86, 0x03}, true, false}, /* xchg %al,(%rbx) */
		{4, {0xf0, 0x48, 0xff, 0x00}, false, false}, /* lock incq (%rax) */
		{3, {0x0f, 0xc1, 0x03}, false, false}, /* xadd %eax,(%rbx) */
		{5, {0xf0, 0x48, 0x0f, 0xc7, 0x0b}, false, false}, /* lock cmpxchg16b (%rbx) */
		{3, {0x48, 0x87, 0xcb}, false, false}, /* xchg %rcx,%rbx */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct x86_insn insn = x86_decode(cases[i].code, cases[i].bytes, AT);

		if (insn.returns != cases[i].returns || insn.adds != cases[i].adds)
			fail_msg("case %zu: returns %d adds %d", i, insn.returns, insn.adds);
	}
}

/* All bytes of an instruction are present, or the last ones are missing. */
static void decode_sees_what_is_cut(void **state)
{
	static const struct {
		uint8_t bytes, code[12];
	} others[] = {
		{9, {0x64, 0x48, 0x8b, 0x14, 0x25, 0xf8, 0x02}}, /* mov %fs:0x2f8,%rdx */
		{10, {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}}, /* movabs $...,%rax */
		{7, {0xf6, 0x80, 1, 2, 3, 4, 5}}, /* testb $5,0x4030201(%rax) */
		{6, {0xf6, 0x90, 1, 2, 3, 4}}, /* notb 0x4030201(%rax) */
		{6, {0x0f, 0x84, 1, 2, 3, 4}}, /* je */
		{7, {0x66, 0xc7, 0x44, 0x24, 1, 2, 3}}, /* movw $...,1(%rsp): 7 bytes */
		{6, {0x66, 0x0f, 0x3a, 0x0f, 0xc1, 4}}, /* palignr $4,%xmm1,%xmm0 */
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *s = &samples[i];

		if (x86_is_cut(s->code, s->bytes) && s->bytes > 1)
			fail_msg("%s: is cut", s->name);
		for (uint8_t bytes = 0; bytes < s->bytes; bytes++)
			if (!x86_is_cut(s->code, bytes))
				fail_msg("%s: is not cut behind %u bytes", s->name, bytes);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		uint8_t whole = others[i].bytes;

		for (uint8_t bytes = 0; bytes <= whole; bytes++)
			if (x86_is_cut(others[i].code, bytes) != (bytes < whole))
				fail_msg("%zu: behind %u bytes", i, bytes);
	}
}

/*
 * The number of accesses of excluded instructions, wherever they are; 0 if only QEMU can count
 * them.
 */
static void decode_knows_the_number_of_accesses(void **state)
{
	static const struct {
		uint8_t bytes, code[9];
		enum x86_where where;
		unsigned int accesses;
	} cases[] = {
		{1, {0x50}, X86_STACK, 1}, /* push %rax */
		{1, {0xc9}, X86_STACK, 1}, /* leave */
		{4, {0x01, 0x44, 0x24, 8}, X86_STACK, 2}, /* add %eax,8(%rsp) */
		{4, {0x39, 0x44, 0x24, 8}, X86_STACK, 1}, /* cmp %eax,8(%rsp) */
		{5, {0x83, 0x44, 0x24, 8, 1}, X86_STACK, 2}, /* addl $1,8(%rsp) */
		{5, {0x83, 0x7c, 0x24, 8, 1}, X86_STACK, 1}, /* cmpl $1,8(%rsp) */
		{4, {0xf7, 0x54, 0x24, 8}, X86_STACK, 2}, /* notl 8(%rsp) */
		{4, {0x0f, 0x29, 0x04, 0x24}, X86_STACK, 2}, /* movaps %xmm0,(%rsp) */
		{5, {0xf2, 0x0f, 0x58, 0x04, 0x24}, X86_STACK, 1}, /* addsd (%rsp),%xmm0 */
		{5, {0xc5, 0xfc, 0x29, 0x04, 0x24}, X86_STACK, 4}, /* vmovaps %ymm0,(%rsp) */
		/* vfmadd231sd (%rsp),%xmm0,%xmm1, and vfmadd231pd */
		{6, {0xc4, 0xe2, 0xf9, 0xb9, 0x0c, 0x24}, X86_STACK, 1},
		{6, {0xc4, 0xe2, 0xf9, 0xb8, 0x0c, 0x24}, X86_STACK, 0},
		{5, {0xf3, 0x0f, 0xe6, 0x04, 0x24}, X86_STACK, 1}, /* cvtdq2pd (%rsp),%xmm0 */
		{5, {0xc5, 0xfd, 0xf1, 0x04, 0x24}, X86_STACK, 2}, /* vpsllw (%rsp),%ymm0,%ymm0 */
		{3, {0xdb, 0x2c, 0x24}, X86_STACK, 0}, /* fldt (%rsp) */
		{5, {0xf0, 0x48, 0xff, 0x04, 0x24}, X86_STACK, 0}, /* lock incq (%rsp) */
		{6, {0xff, 0x25, 1, 0, 0, 0}, X86_FIXED, 1}, /* jmp *1(%rip) */
		{9, {0x64, 0x48, 0x8b, 0x04, 0x25, 0x28}, X86_CONTROL, 1}, /* mov %fs:40,%rax */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct x86_insn insn = x86_decode(cases[i].code, cases[i].bytes, AT);

		if (insn.where != cases[i].where || insn.accesses != cases[i].accesses)
			fail_msg("case %zu: where %d accesses %u", i, insn.where, insn.accesses);
	}
}

static void avx512_is_known_by_its_prefix(void **state)
{
	static const struct {
		uint8_t bytes, code[7];
		bool is;
	} cases[] = {
		{6, {0x62, 0xf1, 0x7c, 0x48, 0x10, 0xc0}, true}, /* vmovups %zmm0,%zmm0 */
		{7,
		 {0x64, 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x00},
		 true}, /* vmovups %fs:(%rax),%zmm0 */
		{1, {0x62}, true}, /* as much as QEMU has read */
		{4, {0xc5, 0xfc, 0x10, 0x00}, false}, /* vmovups (%rax),%ymm0 */
		{2, {0x0f, 0x62}, false},
		{0, {0x62}, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (x86_is_avx512(cases[i].code, cases[i].bytes) != cases[i].is)
			fail_msg("case %zu", i);
}

static void what_an_instruction_asks(void **state)
{
	static const struct {
		uint8_t bytes, code[4];
		enum x86_asks asks;
	} cases[] = {
		{2, {0x0f, 0x31}, X86_ASKS_TIME}, /* rdtsc */
		{3, {0x0f, 0x01, 0xf9}, X86_ASKS_TIME}, /* rdtscp */
		{3, {0x0f, 0xc7, 0xf0}, X86_ASKS_RANDOM}, /* rdrand %eax */
		{4, {0x48, 0x0f, 0xc7, 0xf8}, X86_ASKS_RANDOM}, /* rdseed %rax */
		{2, {0xf3, 0x90}, X86_ASKS_NOTHING}, /* pause */
		{1, {0x90}, X86_ASKS_NOTHING}, /* nop */
		{2, {0x49, 0x90}, X86_ASKS_NOTHING}, /* xchg %r8,%rax */
		{3, {0x0f, 0xc7, 0x0f}, X86_ASKS_NOTHING}, /* cmpxchg8b (%rdi) */
		{3, {0x0f, 0x01, 0xd0}, X86_ASKS_NOTHING}, /* xgetbv */
		{2, {0x31, 0xc0}, X86_ASKS_NOTHING}, /* xor %eax,%eax */
		{1, {0x0f}, X86_ASKS_NOTHING}, /* as much as QEMU has read */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (x86_asks(cases[i].code, cases[i].bytes) != cases[i].asks)
			fail_msg("case %zu", i);
}

static void a_jump_on_a_condition_chooses(void **state)
{
	static const struct {
		uint8_t bytes, code[6];
		bool chooses;
	} cases[] = {
		{2, {0x74, 0xf4}, true}, /* je */
		{3, {0xf2, 0x75, 0x10}, true}, /* bnd jne */
		{2, {0xe2, 0xfe}, true}, /* loop */
		{6, {0x0f, 0x85, 0xfa, 0xfe, 0xff, 0xff}, true}, /* jne */
		{1, {0xc3}, true}, /* ret */
		{2, {0xf3, 0xc3}, true}, /* rep ret */
		{2, {0xeb, 0xfe}, false}, /* jmp */
		{5, {0xe8, 0xfb, 0xff, 0xff, 0xff}, false}, /* call */
		{3, {0x0f, 0x95, 0xc0}, false}, /* setne %al */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (x86_chooses(cases[i].code, cases[i].bytes) != cases[i].chooses)
			fail_msg("case %zu", i);
}

static void ranges_find_what_was_added(void **state)
{
	static struct address_ranges list;
	uint64_t number = 7;

	assert_false(address_ranges_find(&list, 100, NULL));
	assert_int_equal(address_ranges_add(&list, 100, 200, 1), 0);
	assert_int_equal(address_ranges_add(&list, 300, 400, 2), 0);
	assert_true(address_ranges_find(&list, 100, &number));
	assert_int_equal(number, 1);
	assert_true(address_ranges_find(&list, 399, &number));
	assert_int_equal(number, 2);
	assert_false(address_ranges_find(&list, 200, &number));
	assert_int_equal(number, 2);
	address_ranges_cut(&list, 150, 350);
	assert_true(address_ranges_find(&list, 149, NULL));
	assert_false(address_ranges_find(&list, 150, NULL));
	assert_false(address_ranges_find(&list, 349, NULL));
	assert_true(address_ranges_find(&list, 350, &number));
	assert_int_equal(number, 2);
	assert_true(address_ranges_find(&list, 399, NULL));
}

static void ranges_keep_what_is_beside_a_cut(void **state)
{
	static struct address_ranges list;
	uint64_t number = 0;

	assert_int_equal(address_ranges_add(&list, 100, 200, 5), 0);
	address_ranges_cut(&list, 120, 140);
	assert_true(address_ranges_find(&list, 119, NULL));
	assert_false(address_ranges_find(&list, 120, NULL));
	assert_false(address_ranges_find(&list, 139, NULL));
	assert_true(address_ranges_find(&list, 140, &number));
	assert_int_equal(number, 5);
	assert_true(address_ranges_find(&list, 199, NULL));
	address_ranges_cut(&list, 0, 1000);
	assert_false(address_ranges_find(&list, 100, NULL));
	assert_false(address_ranges_find(&list, 199, NULL));
}

static void ranges_fill_and_are_used_again(void **state)
{
	static struct address_ranges list;
	unsigned int i;

	for (i = 0; i < ADDRESS_RANGES_MAX; i++)
		assert_int_equal(address_ranges_add(&list, i * 10, i * 10 + 5, i), 0);
	assert_int_equal(address_ranges_add(&list, 1, 2, 0), -ENOSPC);
	address_ranges_cut(&list, 50, 60);
	assert_int_equal(address_ranges_add(&list, 1 << 20, (1 << 20) + 1, 0), 0);
	assert_true(address_ranges_find(&list, 1 << 20, NULL));
	assert_false(address_ranges_find(&list, 50, NULL));
}

static void pages_are_set_one_by_one(void **state)
{
	uint64_t start = 0x123456000ULL;
	uint64_t page;

	assert_int_equal(pages_init(), 0);
	assert_false(pages_counted(start));
	assert_false(pages_counted(0));
	assert_false(pages_counted(PAGES_LIMIT - 1));
	pages_set(start + 5, start + 20 * PAGE_BYTES + 1, PAGES_COUNTED);
	for (page = 0; page <= 20; page++)
		assert_true(pages_counted(start + page * PAGE_BYTES));
	assert_false(pages_counted(start - 1));
	assert_false(pages_counted(start + 21 * PAGE_BYTES));
	pages_set(start + 3 * PAGE_BYTES, start + 15 * PAGE_BYTES, PAGES_UNKNOWN);
	for (page = 0; page <= 20; page++)
		assert_int_equal(pages_counted(start + page * PAGE_BYTES), page < 3 || page >= 15);
	pages_set(PAGES_LIMIT - PAGE_BYTES, PAGES_LIMIT, PAGES_COUNTED);
	assert_true(pages_counted(PAGES_LIMIT - 1));
	/* Pages beyond the table are not stored. */
	pages_set(PAGES_LIMIT - PAGE_BYTES, PAGES_LIMIT + PAGE_BYTES, PAGES_UNKNOWN);
	assert_true(pages_counted(PAGES_LIMIT - 1));
}

static void pages_that_count_become_aliases_and_others_do_not(void **state)
{
	uint64_t start = 0x7ff000ULL;

	assert_int_equal(pages_init(), 0);
	pages_set(start, start + 2 * PAGE_BYTES, PAGES_COUNTED);
	pages_alias(start + PAGE_BYTES, start + 3 * PAGE_BYTES);
	assert_int_equal(pages_state(start), PAGES_COUNTED);
	assert_int_equal(pages_state(start + PAGE_BYTES), PAGES_ALIASED);
	assert_int_equal(pages_state(start + 2 * PAGE_BYTES), PAGES_UNKNOWN);
	assert_true(pages_counted(start + PAGE_BYTES));
	pages_set(start, start + 2 * PAGE_BYTES, PAGES_UNKNOWN);
	assert_false(pages_counted(start + PAGE_BYTES));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decode_samples_are_understood),
		cmocka_unit_test(decode_tells_atomics_that_return_a_value),
		cmocka_unit_test(decode_sees_what_is_cut),
		cmocka_unit_test(decode_knows_the_number_of_accesses),
		cmocka_unit_test(ranges_find_what_was_added),
		cmocka_unit_test(avx512_is_known_by_its_prefix),
		cmocka_unit_test(what_an_instruction_asks),
		cmocka_unit_test(a_jump_on_a_condition_chooses),
		cmocka_unit_test(ranges_keep_what_is_beside_a_cut),
		cmocka_unit_test(ranges_fill_and_are_used_again),
		cmocka_unit_test(pages_are_set_one_by_one),
		cmocka_unit_test(pages_that_count_become_aliases_and_others_do_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
