/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Runs of test programs, and queries about them: see check.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/tracer/check.h"
#include "tests/tracer/guest/guest.h"

struct reader check_reader;
const char *check_plugin, *check_preload, *check_guests;

static const uint8_t sizes[STREAM_OP_COUNT] = STREAM_OP_WORDS;

void check_run_of(const char *program, const char *name)
{
	char path[4096];
	char *argv[] = {path, (char *)name, NULL};

	snprintf(path, sizeof(path), "%s/%s", check_guests, program);
	check_reader.plugin = check_plugin;
	if (!check_reader.emulator)
		check_reader.emulator = "qemu-x86_64";
	assert_int_equal(reader_run(&check_reader, argv), 0);
}

void check_run(const char *name)
{
	check_run_of("accesses", name);
	assert_int_equal(check_reader.ready, STREAM_UNMARKED);
	assert_int_equal(check_reader.refused, 0);
}

int check_clean(void **state)
{
	reader_free(&check_reader);
	return 0;
}

unsigned int check_kind(uint64_t word)
{
	return word >> STREAM_KIND_SHIFT & STREAM_KIND;
}

unsigned int check_op(uint64_t word)
{
	return word >> STREAM_OP_SHIFT & STREAM_OP;
}

/* Return: the number of words from this word to the next record. */
size_t check_step(uint64_t word)
{
	if (check_kind(word) != STREAM_CONTROL)
		return 1;
	assert_in_range(check_op(word), 0, STREAM_OP_COUNT - 1);
	return sizes[check_op(word)];
}

unsigned int check_count(const struct reader_thread *t, unsigned int kind, unsigned int bytes,
			 uint64_t start, uint64_t end)
{
	unsigned int count = 0;
	uint64_t word, address;
	size_t i;

	for (i = 0; i < t->count; i += check_step(word)) {
		word = t->words[i];
		address = word & STREAM_ADDRESS;
		if (check_kind(word) == STREAM_CONTROL || address < start || address >= end)
			continue;
		if (kind != ANY && check_kind(word) != kind)
			continue;
		if (bytes != ANY && 1U << (word >> STREAM_SIZE_SHIFT & STREAM_SIZE) != bytes)
			continue;
		count++;
	}
	return count;
}

/* The number of accesses of all threads to a page of the arena. */
unsigned int check_page(unsigned int number, unsigned int kind, unsigned int bytes)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < check_reader.threads; i++)
		count += check_count(&check_reader.thread[i], kind, bytes, ARENA_AT(number, 0),
				     ARENA_AT(number + 1, 0));
	return count;
}

unsigned int check_arena(void)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = 0; i < check_reader.threads; i++)
		count += check_count(&check_reader.thread[i], ANY, ANY, ARENA,
				     ARENA_AT(ARENA_PAGES, 0));
	return count;
}

/* The @n-th record of a kind in a thread's words, or NULL. */
const uint64_t *check_record(const struct reader_thread *t, enum stream_op op, unsigned int n)
{
	size_t i;

	for (i = 0; i < t->count; i += check_step(t->words[i])) {
		if (check_kind(t->words[i]) == STREAM_CONTROL && check_op(t->words[i]) == op &&
		    !n--)
			return &t->words[i];
	}
	return NULL;
}

uint64_t check_value(const uint64_t *word)
{
	assert_non_null(word);
	return *word & STREAM_ADDRESS;
}

/* BEGIN must be first, END last, and no record may be torn. */
void check_whole(void)
{
	const struct reader_thread *t;
	unsigned int i;

	assert_true(check_reader.threads > 0);
	for (i = 0; i < check_reader.threads; i++) {
		t = &check_reader.thread[i];
		assert_true(t->complete);
		assert_true(t->count >= 4);
		assert_ptr_equal(check_record(t, STREAM_BEGIN, 0), &t->words[0]);
		assert_ptr_equal(check_record(t, STREAM_END, 0), &t->words[t->count - 1]);
		assert_null(check_record(t, STREAM_BEGIN, 1));
		assert_int_equal(check_value(&t->words[0]), t->pid);
	}
	assert_int_equal(check_reader.pids, 0);
}

void check_exit(int status)
{
	assert_true(WIFEXITED(check_reader.status));
	assert_int_equal(WEXITSTATUS(check_reader.status), status);
}

/* The last region that was entered for an address, among the removed or the present regions. */
const struct stream_region *check_region(uint64_t start, bool gone)
{
	unsigned int count = atomic_load(&check_reader.header->regions);
	const struct stream_region *region = reader_regions(&check_reader);
	const struct stream_region *last = NULL;
	unsigned int i;

	for (i = 0; i < count; i++, region++) {
		if (start >= region->start && start < region->end && !region->gone == !gone)
			last = region;
	}
	return last;
}
