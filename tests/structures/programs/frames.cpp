// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program whose data is on its stacks, in C++: an array of a method, which threads of std::thread
 * write, and an array of each thread. Lines: NAME ADDRESS.
 */
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace sim {

struct cell {
	double value;
	int tag;
};

static std::mutex lock;

struct model {
	void step(int count)
	{
		cell field[300];
		std::vector<std::thread> threads;

		for (int t = 0; t < count; t++)
			threads.emplace_back([&field, t] { fill(field, t); });
		for (auto &thread : threads)
			thread.join();
		std::printf("sim::model::step::field[7].value %p\n", (void *)&field[7].value);
		std::printf("sim::model::step::field[299].tag %p\n", (void *)&field[299].tag);
	}

	static __attribute__((noinline)) void fill(cell *field, int number)
	{
		volatile double mine[64];

		for (int i = 0; i < 300; i++) {
			std::lock_guard<std::mutex> guard(lock);

			field[i].value += number;
			mine[i % 64] = i;
		}
		if (number == 1)
			std::printf("thread 2::sim::model::fill::mine[3] %p\n", (void *)&mine[3]);
	}
};

} // namespace sim

int main()
{
	sim::model model;

	model.step(3);
}
