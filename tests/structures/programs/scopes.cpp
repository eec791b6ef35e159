// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A program of known layout, in C++: namespaces, members, templates, inheritance. See layout.c. */
#include <cstdio>
#include <pthread.h>
#include <vector>

#include "together.h"

namespace sim
{
struct Base {
	long id;
};

template <typename T> struct Cell : Base {
	T value[4];
};

Cell<double> cells[200];

namespace
{
int hidden[10];
}

class Grid
{
      public:
	static float weights[32];
	int *step()
	{
		static int count;

		count++;
		hidden[3]++;
		return &count;
	}
	double edge[2][3];
};

float Grid::weights[32];
Grid grid;
}

static std::vector<double> *numbers;

static void *work(void *)
{
	for (auto &cell : sim::cells)
		TOGETHER_ADD(cell.value[1], 1);
	for (auto &number : *numbers)
		TOGETHER_ADD(number, 1);
	return nullptr;
}

#define SAY(thing) printf("%s %p\n", #thing, (void *)&(thing))

int main()
{
	pthread_t threads[4];

	numbers = new std::vector<double>(3000); // vector
	for (auto &thread : threads)
		pthread_create(&thread, nullptr, work, nullptr);
	for (auto &thread : threads)
		pthread_join(thread, nullptr);
	SAY(sim::cells[42].value[3]);
	SAY(sim::cells[42].id);
	SAY(sim::Grid::weights[31]);
	SAY(sim::grid.edge[1][2]);
	printf("sim::Grid::step::count %p\n", (void *)sim::grid.step());
	printf("sim::(anonymous namespace)::hidden[3] %p\n", (void *)&sim::hidden[3]);
	return 0;
}
