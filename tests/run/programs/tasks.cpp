/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Explicit tasks of OpenMP, of which only the sum of accesses is known, for the suite of `smile
 * run`. Each case checks the result of the tasks.
 *
 *	tree | depend | loop | group | before | now | copies | priority | many | regions | single
 */
#include <omp.h>

#include <cstring>

#include "known.h"

namespace
{
constexpr int THREADS = 4;
constexpr long WORDS = KNOWN_PAGE / sizeof(long);
constexpr int PAGES = 8;

alignas(KNOWN_PAGE) volatile long pages[PAGES][WORDS];

/* Tasks execute this on one page at the same time: the accesses matter, not the sums. */
void fill(int page, long words)
{
	for (long i = 0; i < words; i++)
		__atomic_store_n(&pages[page][i], __atomic_load_n(&pages[page][i], __ATOMIC_RELAXED) + 1,
				 __ATOMIC_RELAXED);
}

void known_pages(unsigned long times, long words)
{
	for (auto &page : pages)
		known(page, KNOWN_ALL, times * static_cast<unsigned long>(words),
		      times * static_cast<unsigned long>(words), 0);
}

/* Each thread executes @run. */
template <typename Run> void team(Run run)
{
#pragma omp parallel num_threads(THREADS)
	run();
}

/* One thread executes @run, and the other threads execute its tasks. */
template <typename Run> void one(Run run)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	run();
}

/* The leaves write: one write for each way to reach 1 or 0. */
long tree(int n)
{
	long left, right;

	if (n < 2) {
		fill(n, 10);
		return n;
	}
#pragma omp task shared(left)
	left = tree(n - 1);
#pragma omp task shared(right)
	right = tree(n - 2);
#pragma omp taskwait
	return left + right;
}

int run_tree()
{
	long result = 0;

	one([&] { result = tree(9); });
	/* 34 leaves of 1, 21 of 0. */
	known(pages[0], KNOWN_ALL, 210, 210, 0);
	known(pages[1], KNOWN_ALL, 340, 340, 0);
	return result != 34;
}

/* A wave through a square: each cell depends on the cells above it and to its left. */
int run_depend()
{
	constexpr int SIDE = 8;
	static long cell[SIDE + 1][SIDE + 1];
	omp_depend_t object;
	long set = 0, last = 0;

	for (int i = 0; i <= SIDE; i++)
		cell[i][0] = cell[0][i] = 1;
	one([&] {
		for (int i = 1; i <= SIDE; i++)
			for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
				{
					fill(i - 1, 20);
					cell[i][j] = cell[i - 1][j] + cell[i][j - 1];
				}
			}
#pragma omp depobj(object) depend(inout : cell[SIDE][SIDE])
#pragma omp task depend(depobj : object) depend(mutexinoutset : set)
		cell[SIDE][SIDE] *= 2;
#pragma omp task depend(mutexinoutset : set) shared(set)
		set++;
		/* Executed immediately, but after the tasks on which it depends. */
#pragma omp task depend(in : cell[SIDE][SIDE]) if (0) shared(last)
		last = cell[SIDE][SIDE];
#pragma omp task depend(out : set) shared(set)
		set++;
#pragma omp taskwait depend(in : set)
		last += set;
#pragma omp depobj(object) destroy
	});
	known_pages(SIDE, 20);
	return last != 2 * 12870 + 2;
}

int run_loop()
{
	unsigned long sum = 0;

	one([&] {
#pragma omp taskloop grainsize(30)
		for (long i = 0; i < WORDS; i++)
			pages[0][i] = i;
#pragma omp taskloop num_tasks(7)
		for (long i = WORDS - 1; i >= 0; i -= 2)
			pages[1][i] = i;
#pragma omp taskloop
		for (unsigned long i = 3; i < 100; i += 5)
			pages[2][i] = 1;
#pragma omp taskloop nogroup if (0)
		for (unsigned long i = 100; i > 3; i -= 7)
			pages[3][i] = 1;
#pragma omp taskloop num_tasks(1000)
		for (int i = 0; i < 5; i++)
			pages[4][i] = 1;
		/* A loop without iterations. */
#pragma omp taskloop
		for (int i = 5; i < 5; i++)
			pages[4][i] = 1;
	});
	known(pages[0], KNOWN_ALL, WORDS, WORDS, 0);
	known(pages[1], KNOWN_ALL, WORDS, WORDS / 2, 0);
	known(pages[2], KNOWN_ALL, WORDS, 20, 0);
	known(pages[3], KNOWN_ALL, WORDS, 14, 0);
	known(pages[4], KNOWN_ALL, WORDS, 5, 0);
	for (auto &page : pages)
		for (auto &word : page)
			sum += static_cast<unsigned long>(word);
	return sum != 511 * 512 / 2 + 256 * 256 + 20 + 14 + 5;
}

/* The end of a group waits for the tasks of its tasks. */
int run_group()
{
	long inside = 0, after = 0;

	one([&] {
#pragma omp taskgroup
		{
			for (int i = 0; i < PAGES; i++) {
#pragma omp task shared(inside)
				{
#pragma omp task shared(inside)
					{
						fill(i, 30);
#pragma omp atomic
						inside++;
					}
				}
			}
#pragma omp task if (0)
			{
#pragma omp taskgroup
				{
#pragma omp task shared(inside)
#pragma omp atomic
					inside++;
				}
			}
#pragma omp taskwait
		}
		after = inside;
	});
	known_pages(1, 30);
	return after != PAGES + 1;
}

/* In each thread, a task in a group depends on a task that is older than the group. */
int run_before()
{
	long sum = 0;

	team([&] {
		long x = 0;

#pragma omp task depend(out : x) shared(x)
		x = 1;
#pragma omp taskgroup
		{
#pragma omp task depend(in : x) shared(x, sum)
#pragma omp atomic
			sum += x;
		}
		/*
		 * Two tasks are executed immediately, one after the other; their children are not
		 * siblings.
		 */
		for (int i = 0; i < 2; i++) {
#pragma omp task if (0) shared(x)
			{
#pragma omp task depend(inout : x) shared(x)
				fill(omp_get_thread_num(), 1);
			}
		}
	});
	fill(7, 10);
	known(pages[7], KNOWN_ALL, 10, 10, 0);
	return sum != THREADS;
}

/* Tasks that are executed immediately, and the tasks that they create. */
int run_now()
{
	int wrong = 0;

	one([&] {
		bool done = false;
		int who = omp_get_thread_num();

#pragma omp task if (0) shared(done)
		{
			done = omp_get_thread_num() == who && !omp_in_final();
#pragma omp task
			fill(0, 40);
		}
		wrong += !done;
		done = false;
#pragma omp task final(1) shared(done, wrong)
		{
#pragma omp task shared(done)
			done = omp_in_final();
#pragma omp atomic
			wrong += !done;
			fill(1, 40);
		}
#pragma omp taskwait
		wrong += !done;
	});
	known(pages[0], KNOWN_ALL, 40, 40, 0);
	known(pages[1], KNOWN_ALL, 40, 40, 0);
	return wrong;
}

/* An object with a copy constructor that also creates a task. */
struct copied {
	long value;
	explicit copied(long value_) : value(value_) {}
	copied(const copied &other) : value(other.value + 1)
	{
#pragma omp task
		fill(7, 1);
	}
};

int run_copies()
{
	long sum = 0;

	one([&] {
		struct {
			long words[200];
		} large = {};

		large.words[199] = 5;
		for (int i = 0; i < PAGES - 1; i++) {
			copied one(10 * i);

#pragma omp task firstprivate(one, large) shared(sum)
			{
				fill(i, 5);
#pragma omp atomic
				sum += one.value + large.words[199];
			}
			large.words[199] = 0;
		}
#pragma omp taskwait
	});
	known(pages[7], KNOWN_ALL, PAGES - 1, PAGES - 1, 0);
	return sum != 210 + 7 + 5;
}

/* Only one thread executes the tasks, in the order of their priorities. */
int run_priority()
{
	static int order[6];
	int count = 0;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp master
		{
			for (int i = 0; i < 6; i++) {
#pragma omp task priority(i % 3) shared(count)
#pragma omp critical
				order[count++] = i;
			}
		}
	}
	fill(0, 10);
	known(pages[0], KNOWN_ALL, 10, 10, 0);
	return count != 6 || order[0] + order[5] == 0;
}

/* More tasks than are stored; each thread creates its own, and tasks create tasks. */
int run_many()
{
	long done = 0;

	team([&] {
		for (int i = 0; i < 100; i++) {
#pragma omp task shared(done)
			{
				fill(i % PAGES, 3);
#pragma omp task shared(done)
#pragma omp atomic
				done++;
			}
		}
#pragma omp barrier
		for (int i = 0; i < 20; i++) {
#pragma omp task
			fill(i % 4, 1);
		}
	});
	for (int i = 0; i < PAGES; i++) {
		unsigned long times = 4 * (i < 4 ? 13 * 3 + 5 : 12 * 3);

		known(pages[i], KNOWN_ALL, times, times, 0);
	}
	return done != 400;
}

/*
 * Regions in tasks, one after another: if two allocate at the same time, addresses differ between
 * runs.
 */
int run_regions()
{
	omp_set_max_active_levels(2);
	for (int round = 0; round < 3; round++)
		one([&] {
			for (int i = 0; i < 2; i++) {
#pragma omp task
#pragma omp parallel num_threads(2)
				{
#pragma omp single
					for (int j = 0; j < 4; j++) {
#pragma omp task
						fill(4 * i + j, 10);
					}
				}
#pragma omp taskwait
			}
		});
	known_pages(3, 10);
	return 0;
}

/* Tasks compute a value that one thread passes to the others. */
int run_single()
{
	long total = 0;

	team([&] {
		long value = 0;

#pragma omp single copyprivate(value)
		{
			for (int i = 0; i < PAGES; i++) {
#pragma omp task
				fill(i, 10);
			}
			value = 3;
		}
#pragma omp atomic
		total += value + pages[7][9];
	});
	known(pages[0], KNOWN_ALL, 10, 10, 0);
	return total != THREADS * 4;
}
} // namespace

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)();
	} ways[] = {
		{"tree", run_tree},		{"depend", run_depend},	    {"loop", run_loop},
		{"group", run_group}, {"before", run_before},		{"now", run_now},	    {"copies", run_copies},
		{"priority", run_priority},	{"many", run_many},	    {"regions", run_regions},
		{"single", run_single},
	};

	for (auto &way : ways)
		if (argc > 1 && !strcmp(argv[1], way.name))
			return way.run();
	return 2;
}
