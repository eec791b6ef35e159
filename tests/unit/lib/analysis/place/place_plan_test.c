// SPDX-License-Identifier: MIT
/*
 * Tests of lib/analysis/place: a placement file is read into a request, and the request is
 * converted into a plan.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <smile/monitor.h>

#include "lib/analysis/place/place_plan.h"
#include "lib/analysis/place/place_request.h"

#define PAGE_BYTES 4096U

struct fixture {
	char file[64];
	struct place_request request;
	struct place_plan plan;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	int fd;

	assert_non_null(fixture);
	strcpy(fixture->file, "/tmp/smile-place-XXXXXX");
	fd = mkstemp(fixture->file);
	assert_true(fd >= 0);
	close(fd);
	fixture->plan.fd = -1;
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	place_plan_free(&fixture->plan);
	place_request_free(&fixture->request);
	unlink(fixture->file);
	free(fixture);
	return 0;
}

static int request_read(struct fixture *fixture, const char *text)
{
	FILE *out = fopen(fixture->file, "we");

	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
	return place_request_read(&fixture->request, fixture->file);
}

/* Pages 16 to 19 are the data of a program; pages 32 to 35 are a mapping. */
#define REGIONS                                                                                    \
	"object /bin/program 0123\n"                                                               \
	"region 0x10000+16384 data /bin/program 0x4000\n"                                          \
	"region 0x20000+16384 mapping 2 private /tmp/file\n"

static void request_has_regions_and_the_node_of_each_page(void **state)
{
	struct fixture *fixture = *state;
	struct place_request *request = &fixture->request;
	const struct page_range *range;

	assert_int_equal(request_read(fixture, REGIONS "pages 16-17 node 1\n"
						       "pages 17 node 3\n"),
			 0);
	assert_int_equal(request->region_count, 2);
	assert_int_equal(request->object_count, 1);
	assert_string_equal(request->objects[0].path, "/bin/program");
	assert_string_equal(request->objects[0].build, "0123");
	assert_int_equal(request->regions[0].object, 0);
	assert_int_equal(request->regions[0].line.link, 0x4000);
	assert_int_equal(request->regions[1].object, PLAN_NO_OBJECT);
	assert_string_equal(request->regions[1].path, "/tmp/file");
	range = page_ranges_find(&request->placed, 16);
	assert_non_null(range);
	assert_int_equal(range->value, 1);
	range = page_ranges_find(&request->placed, 17);
	assert_non_null(range);
	assert_int_equal(range->value, 3);
	assert_null(page_ranges_find(&request->placed, 18));
	assert_int_equal(page_ranges_find(&request->owners, 35)->value, 1);
}

static void request_read_refuses_a_file_without_pages_or_regions(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(request_read(fixture, REGIONS), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "places no page"));
	place_request_free(&fixture->request);
	assert_int_equal(request_read(fixture, "pages 16 node 1\n"), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "only by their addresses"));
}

static void request_read_refuses_more_regions_than_the_library_keeps(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(request_read(fixture, "pages 16 node 1\n"
					       "region 0x10000+4096 named 1000001 matrix\n"),
			 -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "line 2"));
}

static const struct plan_run *runs_of(const struct place_plan *plan, unsigned region)
{
	const struct plan_run *runs =
		(const struct plan_run *)((const char *)plan->header + plan->header->runs_at);

	return runs + place_plan_regions(plan)[region].first_run;
}

static void plan_has_the_runs_of_each_region(void **state)
{
	struct fixture *fixture = *state;
	struct place_nodes nodes = {.node = {0, 1}, .count = 2};
	const struct plan_region *regions;
	const struct plan_run *runs;

	/* Page 36 is in no region, and this machine has no node 5. */
	assert_int_equal(request_read(fixture, REGIONS "pages 16-17 node 1\n"
						       "pages 19 node 5\n"
						       "pages 34-36 node 0\n"),
			 0);
	assert_int_equal(place_plan_make(&fixture->plan, &fixture->request, &nodes, 2), 0);
	regions = place_plan_regions(&fixture->plan);
	assert_int_equal(fixture->plan.header->regions, 2);
	assert_int_equal(fixture->plan.header->runs, 3);
	assert_int_equal(fixture->plan.header->nodes, 2);
	assert_int_equal(fixture->plan.unnamed, 1);
	assert_int_equal(regions[0].pages, 3);
	assert_int_equal(regions[0].runs, 2);
	runs = runs_of(&fixture->plan, 0);
	assert_true(runs[0].first == 16 && runs[0].last == 17 && runs[0].node == 1);
	assert_false(runs[0].refused);
	assert_true(runs[1].first == 19 && runs[1].last == 19 && runs[1].refused);
	assert_int_equal(regions[1].kind, PLAN_PRIVATE);
	assert_int_equal(regions[1].nth, 2);
	assert_int_equal(regions[1].pages, 2);
	runs = runs_of(&fixture->plan, 1);
	assert_true(runs[0].first == 34 && runs[0].last == 35 && !runs[0].refused);
}

static void plan_has_the_orders_of_locks_in_global_data(void **state)
{
	struct fixture *fixture = *state;
	struct place_nodes nodes = {.node = {0}, .count = 1};
	const struct plan_order *order;
	const uint32_t *threads;

	/* The first lock is in a mapping. It has no fixed address in an object file. */
	assert_int_equal(request_read(fixture, REGIONS "pages 16 node 0\n"
						       "order 0x20010 threads 1,2\n"
						       "order 0x10020 threads 3,0,1\n"),
			 0);
	assert_int_equal(place_plan_make(&fixture->plan, &fixture->request, &nodes, 0), 0);
	assert_int_equal(fixture->plan.lost_lock_count, 1);
	assert_int_equal(fixture->plan.lost_locks[0], 0x20010);
	assert_int_equal(fixture->plan.header->orders, 1);
	order = (const struct plan_order *)((const char *)fixture->plan.header +
					    fixture->plan.header->orders_at);
	threads = (const uint32_t *)((const char *)fixture->plan.header +
				     fixture->plan.header->threads_at) +
		  order->first;
	assert_int_equal(order->link, 0x4020);
	assert_int_equal(order->count, 3);
	assert_true(threads[0] == 3 && threads[1] == 0 && threads[2] == 1);
}

/* The build id of this program is not 0123, but the program has a variable with this name. */
int place_plan_test_variable[PAGE_BYTES];

static void builds_check_finds_variables_of_another_build_by_name(void **state)
{
	struct fixture *fixture = *state;
	struct place_request *request = &fixture->request;
	char text[2048], path[512];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	assert_true(length > 0);
	path[length] = '\0';
	snprintf(text, sizeof(text),
		 "pages 16 node 0\n"
		 "object %s 0123\n"
		 "region 0x10000+16384 variable %s 0x10 place_plan_test_variable\n"
		 "region 0x20000+4096 variable %s 0x20 place_plan_test_other\n",
		 path, path, path);
	assert_int_equal(request_read(fixture, text), 0);
	assert_int_equal(place_builds_check(request, path), 0);
	assert_true(request->objects[0].program && request->objects[0].changed);
	assert_int_equal(request->objects[0].found, 1);
	assert_int_equal(request->objects[0].lost, 1);
	assert_false(request->regions[0].lost);
	assert_true(request->regions[0].line.link != 0x10);
	assert_true(request->regions[1].lost);
}

static void builds_check_leaves_an_unchanged_object_alone(void **state)
{
	struct fixture *fixture = *state;

	/* If a program file cannot be read, assume that it is the recorded file. */
	assert_int_equal(request_read(fixture, REGIONS "pages 16 node 1\n"), 0);
	assert_int_equal(place_builds_check(&fixture->request, "/nonexistent/program"), 0);
	assert_true(fixture->request.objects[0].program);
	assert_false(fixture->request.objects[0].changed);
	assert_false(fixture->request.regions[0].lost);
	assert_int_equal(fixture->request.regions[0].line.link, 0x4000);
}

/*
 * Compare a command of at most four words with the recorded command. @text: 256 bytes. Return:
 * whether they differ.
 */
static int differs(const struct place_request *request, const char *const *words, char *text)
{
	char *command[5] = {NULL};

	for (size_t i = 0; i < 4 && words[i]; i++)
		command[i] = (char *)words[i];
	return place_request_differs(request, command, text, 256);
}

static void differences_of_program_and_arguments_are_found(void **state)
{
	const char *const same[] = {"../bin/sor", "--size", "1 2", NULL};
	const char *const fewer[] = {"sor", "--size", NULL};
	const char *const more[] = {"sor", "--size", "1 2", "3"};
	const char *const other[] = {"fft", "--size", "1 2", NULL};
	struct fixture *fixture = *state;
	struct place_request *request = &fixture->request;
	char text[256];

	assert_int_equal(
		request_read(fixture, "program ./sor --size%0a1%202\n" REGIONS "pages 16 node 1\n"),
		0);
	assert_false(differs(request, same, text));
	assert_true(differs(request, fewer, text));
	assert_string_equal(text, "it was recorded with the arguments '--size 1 2', not '--size'");
	assert_true(differs(request, more, text));
	assert_true(differs(request, other, text));
	assert_string_equal(text, "it is a placement of another program, sor");
	place_request_free(request);
	/* If the file names no command line, any command matches. */
	assert_int_equal(request_read(fixture, REGIONS "pages 16 node 1\n"), 0);
	assert_false(differs(request, other, text));
}

/* Compute the scale of a region. @nodes: one character for the node of each page. */
static struct plan_region scaled(const char *nodes)
{
	struct plan_region region = {.start = 0x10000, .bytes = 4096 * strlen(nodes)};
	struct plan_run runs[64];

	for (; nodes[region.runs]; region.runs++)
		runs[region.runs] = (struct plan_run){.first = 16 + region.runs,
						      .last = 16 + region.runs,
						      .node = (uint32_t)(nodes[region.runs] - '0')};
	place_scale_find(&region, runs);
	return region;
}

static void scale_is_found_in_the_runs(void **state)
{
	assert_int_equal(scaled("0000").scale, PLAN_SCALE_SHARE);
	assert_int_equal(scaled("00001111").scale, PLAN_SCALE_SHARE);
	/* The ranges of pages of two nodes may differ by some pages at their borders. */
	assert_int_equal(scaled("0000101111122222").scale, PLAN_SCALE_SHARE);
	assert_int_equal(scaled("0123012301230123").scale, PLAN_SCALE_TURN);
	assert_int_equal(scaled("0123012301230123").turn, 4);
	assert_int_equal(scaled("00110011001100110011").scale, PLAN_SCALE_TURN);
	assert_int_equal(scaled("00110011001100110011").turn, 4);
	assert_int_equal(scaled("0132102313020132031").scale, PLAN_SCALE_NONE);
	assert_int_equal(scaled("").scale, PLAN_SCALE_NONE);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(request_has_regions_and_the_node_of_each_page),
		TEST(request_read_refuses_a_file_without_pages_or_regions),
		TEST(request_read_refuses_more_regions_than_the_library_keeps),
		TEST(plan_has_the_runs_of_each_region),
		TEST(plan_has_the_orders_of_locks_in_global_data),
		TEST(builds_check_finds_variables_of_another_build_by_name),
		TEST(builds_check_leaves_an_unchanged_object_alone),
		TEST(differences_of_program_and_arguments_are_found),
		TEST(scale_is_found_in_the_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
