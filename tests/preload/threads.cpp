/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A C++ program: std::thread and related classes, operator new, and an exception thrown by it.
 */
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "tests/preload/named.h"

static std::mutex mutex;
static std::condition_variable condition;
static bool flag;

struct alignas(64) wide {
	char bytes[192];
};

static void threads()
{
	std::unique_lock<std::mutex> lock(mutex);
	std::thread thread([] {
		std::lock_guard<std::mutex> inside(mutex);
		flag = true;
		condition.notify_one();
	});

	condition.wait(lock, [] { return flag; });
	lock.unlock();
	thread.join();
	puts("joined");
}

static void heap()
{
	int *volatile one = new int(7);
	char *volatile many = new char[1000];
	wide *volatile aligned = new wide;
	char *volatile quiet = new (std::nothrow) char[500];

	delete one;
	delete[] many;
	delete aligned;
	delete[] quiet;
	try {
		volatile size_t huge = 1UL << 60;
		many = new char[huge];
	} catch (const std::bad_alloc &) {
		puts("bad_alloc");
	}
	one = new int(8);
	delete one;
}

extern "C" const char __executable_start[], etext[];

int main(int argc, char **argv)
{
	named(&mutex, "mutex");
	named(__executable_start, "code");
	named(etext, "code_end");
	if (argc == 2 && !strcmp(argv[1], "threads"))
		threads();
	else if (argc == 2 && !strcmp(argv[1], "heap"))
		heap();
	else
		return 2;
	return 0;
}
