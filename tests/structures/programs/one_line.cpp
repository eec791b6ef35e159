/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Blocks that one line of the source allocates: several calls are several structures, and one call
 * is one structure, however often it was made or a compiler copied it. callers_test.sh has the
 * sizes.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#define COUNT 20000L

static inline void *get(size_t bytes)
{
	void *block = malloc(bytes);

	if (!block)
		abort();
	return block;
}

struct Mesh {
	std::vector<long> x, y;
	void resize() { x.resize(COUNT); y.resize(2 * COUNT); }
};

int main()
{
	long *a = (long *)get(3 * COUNT), *b = (long *)get(4 * COUNT);
	long *rows[8], sum = 0;
	Mesh mesh;

	mesh.resize();
	for (auto &row : rows)
		row = (long *)get(5 * COUNT);
	for (long i = 0; i < 1000; i++) {
		mesh.x[i] = a[i] = i;
		mesh.y[i] = b[i] = 2 * i;
		sum += rows[i % 8][i] = i;
	}
	printf("%ld\n", sum + mesh.x[7] + mesh.y[9]);
}
