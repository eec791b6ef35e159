/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that makes N rounds of work in compiled code, without calls of library functions.
 *
 * 	rounds N
 *
 * What lives here: arithmetic on vectors and numbers, recursion, tables of constants, structures
 * that are passed by value, bytes and bits. Every tool that counts accesses must get the same
 * number.
 */
#include <stdint.h>
#include <stdlib.h>

#define SIDE 12
#define ITEMS 64U

struct point {
	double at[3];
	int64_t weight;
	int16_t kind;
};

static double left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];
static uint32_t items[ITEMS];
static float floats[ITEMS];
static uint8_t bytes[ITEMS];
static const uint16_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
static __thread uint64_t local;
static volatile uint64_t result;

static void multiply(void)
{
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++) {
			product[i][j] = 0;
			for (int k = 0; k < SIDE; k++)
				product[i][j] += left[i][k] * right[k][j];
		}
}

static __attribute__((noinline)) uint64_t recurse(unsigned int depth, uint64_t value)
{
	uint64_t kept[4] = {value, depth, value ^ depth, 1};

	__asm__ volatile("" : : "r"(kept) : "memory");
	if (!depth)
		return kept[2];
	return kept[1] + recurse(depth - 1, value * primes[depth % 12]) + kept[3];
}

static __attribute__((noinline)) struct point moved(struct point point, double by)
{
	for (int i = 0; i < 3; i++)
		point.at[i] += by;
	point.weight += (int64_t)point.at[0];
	point.kind++;
	return point;
}

static __attribute__((noinline)) void sort(uint32_t *list, unsigned int count)
{
	for (unsigned int i = 1; i < count; i++) {
		uint32_t item = list[i];
		unsigned int at = i;

		for (; at && list[at - 1] > item; at--)
			list[at] = list[at - 1];
		list[at] = item;
	}
}

int main(int argc, char **argv)
{
	const long rounds = argc == 2 ? atol(argv[1]) : 0;
	struct point point = {{1, 2, 3}, 4, 5};
	uint64_t (*const volatile call)(unsigned int, uint64_t) = recurse;

	for (long round = 0; round < rounds; round++) {
		for (unsigned int i = 0; i < ITEMS; i++) {
			items[i] = (items[i] + i) * 2654435761U;
			floats[i] = floats[i] * 0.5F + (float)i;
			bytes[i] ^= (uint8_t)(items[i] >> 8);
			bytes[i] &= 0x7f;
		}
		for (int i = 0; i < SIDE; i++)
			for (int j = 0; j < SIDE; j++) {
				left[i][j] = i + j;
				right[i][j] = i - j;
			}
		multiply();
		sort(items, ITEMS);
		point = moved(point, product[1][2]);
		local += call(20, items[3]) + bytes[7];
		__atomic_fetch_add(&local, (uint64_t)floats[5], __ATOMIC_RELAXED);
		result += local + (uint64_t)point.weight;
	}
	return 0;
}
