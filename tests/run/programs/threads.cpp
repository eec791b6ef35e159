/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * C++ threads with known accesses, for the suite of `smile run`: a mutex, a condition, an atomic, a
 * vector, and objects that are created and deleted.
 */
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "known.h"

namespace
{
constexpr unsigned THREADS = 4;
constexpr unsigned ROUNDS = 20;
constexpr size_t WORDS = KNOWN_PAGE / sizeof(long);

struct alignas(KNOWN_PAGE) page {
	volatile long word[WORDS];
};
struct alignas(KNOWN_PAGE) {
	std::atomic<long> sum;
	char fill[KNOWN_PAGE - sizeof(long)];
	page counter;
} data;
std::mutex mutex;
std::condition_variable condition;
bool go;

void work(unsigned thread, std::vector<page> &pages)
{
	{
		std::unique_lock<std::mutex> lock(mutex);
		condition.wait(lock, [] { return go; });
	}
	for (unsigned i = 0; i < ROUNDS; i++) {
		std::lock_guard<std::mutex> lock(mutex);
		data.counter.word[0] = data.counter.word[0] + 1;
	}
	for (unsigned i = 0; i < ROUNDS; i++)
		data.sum += thread;
	for (unsigned i = 0; i < 50; i++)
		pages[thread].word[i] = i;
	for (unsigned i = 0; i < ROUNDS; i++)
		std::make_unique<std::vector<long>>(100)->at(i) = i;
}
} // namespace

int main()
{
	std::vector<page> pages(THREADS);
	std::vector<std::thread> threads;

	for (unsigned t = 1; t < THREADS; t++)
		threads.emplace_back(work, t, std::ref(pages));
	{
		std::lock_guard<std::mutex> lock(mutex);
		go = true;
	}
	condition.notify_all();
	work(0, pages);
	for (auto &thread : threads)
		thread.join();
	if (data.counter.word[0] != THREADS * ROUNDS || data.sum.load() != 6 * ROUNDS)
		return 1;
	for (unsigned t = 0; t < THREADS; t++) {
		known(&data.counter, (int)t, ROUNDS + (t == 0), ROUNDS, 0);
		known(&data.sum, (int)t, t == 0, 0, ROUNDS);
		if (t > 0)
			known(&pages[t], (int)t, 0, 50, 0);
	}
	return 0;
}
