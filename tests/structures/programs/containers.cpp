/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Allocation by the containers of C++, by allocators of the program, and, with -DOWN, by an operator
 * new of the program. With -fopenmp, one block is allocated in a function that the compiler
 * outlines. A block must be named after the line that is marked with its name.
 */
#include <cstdlib>
#include <map>
#include <memory_resource>
#include <new>
#include <thread>
#include <vector>

static constexpr int COUNT = 4000;

#ifdef OWN
void *operator new(std::size_t bytes)
{
	void *block = std::malloc(bytes);

	if (!block)
		throw std::bad_alloc();
	return block;
}

void operator delete(void *block) noexcept
{
	std::free(block);
}

void operator delete(void *block, std::size_t) noexcept
{
	std::free(block);
}
#endif

struct resource : std::pmr::memory_resource {
	void *do_allocate(std::size_t bytes, std::size_t) override
	{
		return std::malloc(bytes);
	}
	void do_deallocate(void *block, std::size_t, std::size_t) override
	{
		std::free(block);
	}
	bool do_is_equal(const memory_resource &other) const noexcept override
	{
		return this == &other;
	}
};

template <class T> struct allocator {
	using value_type = T;
	T *allocate(std::size_t count)
	{
		return static_cast<T *>(std::malloc(count * sizeof(T)));
	}
	void deallocate(T *block, std::size_t)
	{
		std::free(block);
	}
	bool operator==(const allocator &) const
	{
		return true;
	}
	bool operator!=(const allocator &) const
	{
		return false;
	}
};

/* A container that the program defines. */
template <class T> struct buffer {
	T *items;
	explicit buffer(std::size_t count) : items(new T[count])
	{
	}
	~buffer()
	{
		delete[] items;
	}
};

/* This is not a container: it has two arrays, which must have different names. */
struct grid {
	long *now;
	long *then;
	grid()
	{
		now = new long[COUNT]; /* now */
		then = new long[COUNT]; /* then */
	}
	~grid()
	{
		delete[] now;
		delete[] then;
	}
};

/* A function whose name has long template arguments. */
template <class A, class B, class C> struct maker {
	static void fill()
	{
		volatile long *made = new long[COUNT]; /* made */

		for (int i = 0; i < COUNT; i++)
			made[i] = i;
	}
};

static resource own;

int main()
{
	std::vector<long> sized(COUNT); /* sized */
	std::vector<long> grown;
	grown.resize(COUNT); /* grown */
	std::pmr::vector<long> pmr(COUNT, &own); /* pmr */
	std::vector<long, allocator<long>> allocated(COUNT); /* allocated */
	std::map<int, long> map;
	for (int i = 0; i < COUNT; i++)
		map[i] = i; /* map */
	long *plain = new long[COUNT]; /* plain */
	buffer<long> one(COUNT); /* one */
	buffer<long> other(COUNT); /* other */
	grid first;
	grid second;
	std::thread thread([&] {
		for (int i = 0; i < COUNT; i++) {
			sized[i] = grown[i] = pmr[i] = allocated[i] = i;
			plain[i] = one.items[i] = other.items[i] = i;
			first.now[i] = first.then[i] = second.now[i] = second.then[i] = i;
		}
		for (auto &entry : map)
			entry.second++;
	});

	thread.join();
	maker<std::map<int, std::vector<long>>, std::vector<int>, allocator<long>>::fill();
#pragma omp parallel num_threads(2)
	{
		volatile long *inner = new long[COUNT]; /* inner */

		for (int i = 0; i < COUNT; i++)
			inner[i] = i;
	}
	delete[] plain;
	return 0;
}
