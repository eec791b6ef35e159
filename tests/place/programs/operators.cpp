// SPDX-License-Identifier: GPL-2.0 OR MIT
// Memory from C++'s operators new, which standard containers use, accessed by two threads.
#include <cstdio>
#include <new>
#include <thread>
#include <vector>

static void fill(std::vector<double> &values, double *plain, double value)
{
	for (auto &item : values)
		item += value;
	for (int i = 0; i < 4096; i++)
		plain[i] += value;
}

int main()
{
	std::vector<double> values(16384);
	double *plain = new (std::nothrow) double[4096]();

	if (!plain)
		return 1;
	std::thread other(fill, std::ref(values), plain, 1.0);
	other.join();
	try {
		volatile std::size_t bytes = 1UL << 60;
		char *volatile never = new char[bytes];
		(void)never;
	} catch (const std::bad_alloc &) {
		std::puts("no memory, as expected");
	}
	std::printf("%g\n", values[1] + plain[1]);
	delete[] plain;
	return 0;
}
