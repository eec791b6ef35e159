// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of regions that are read from texts in the format of /proc/PID/maps, or from the text of
 * this program, whose variables must be found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sample/log.h>

#include "run/sample/memory_regions.h"

static int with_contents[4096] = {1};
static int without_contents[65536];

static void read_text(struct mapped *mapped, const char *text)
{
	FILE *file = fmemopen((char *)text, strlen(text), "r");

	assert_non_null(file);
	assert_int_equal(mapped_read(mapped, file), 0);
	fclose(file);
}

static const struct Monitor_region *region_at(const struct mapped *mapped, uint64_t address)
{
	for (size_t i = 0; i < mapped->count; i++)
		if (address >= mapped->list[i].start && address < mapped->list[i].end)
			return &mapped->list[i];
	return NULL;
}

static void is(const struct Monitor_region *region, uint64_t start, uint64_t end, uint32_t kind,
	       const char *name)
{
	assert_non_null(region);
	assert_int_equal(region->start, start);
	assert_int_equal(region->end, end);
	assert_int_equal(region->kind, kind);
	assert_string_equal(region->name, name);
}

static void mapped_read_kinds(void **state)
{
	struct mapped mapped = {0};

	read_text(&mapped, "10000-20000 rw-p 00000000 00:00 0            [heap]\n"
			   "30000-40000 rw-p 00000000 00:00 0 \n"
			   "40000-50000 rw-s 00001000 00:01 77      /not/there (deleted)\n"
			   "50000-60000 rw-s 00000000 00:01 78      /SYSV00000000 (deleted)\n"
			   "60000-61000 rw-p 00000000 00:00 0       [anon:a name]\n"
			   "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0   [stack]\n"
			   "7ffc00030000-7ffc00034000 r--p 00000000 00:00 0   [vvar]\n"
			   "no line\n"
			   "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n");
	assert_int_equal(mapped.count, 6);
	is(&mapped.list[0], 0x10000, 0x20000, MONITOR_REGION_HEAP, "");
	is(&mapped.list[1], 0x30000, 0x40000, MONITOR_REGION_PRIVATE, "");
	is(&mapped.list[2], 0x40000, 0x50000, MONITOR_REGION_SHARED, "/not/there (deleted)");
	is(&mapped.list[3], 0x50000, 0x60000, MONITOR_REGION_SHARED, "/SYSV00000000 (deleted)");
	is(&mapped.list[4], 0x60000, 0x61000, MONITOR_REGION_PRIVATE, "");
	is(&mapped.list[5], 0x7ffc00000000, 0x7ffc00021000, MONITOR_REGION_STACK, "");
	assert_true(mapped_have(&mapped, 0x10000));
	assert_true(mapped_have(&mapped, 0x1ffff));
	assert_false(mapped_have(&mapped, 0x20000));
	mapped_free(&mapped);
}

/* Shared anonymous memory has no name. It is no part of the file's data before it. */
static void mapped_read_shared_anonymous(void **state)
{
	struct mapped mapped = {0};

	read_text(&mapped, "10000-20000 rw-s 00000000 00:01 77      /dev/zero (deleted)\n"
			   "20000-30000 rw-s 00000000 00:01 78      /dev/zero (deleted)\n"
			   "30000-40000 rw-p 00000000 00:00 0 \n");
	read_text(&mapped, "10000-18000 rw-s 00000000 00:01 77      /dev/zero (deleted)\n");
	assert_int_equal(mapped.count, 3);
	is(&mapped.list[0], 0x10000, 0x20000, MONITOR_REGION_SHARED, "");
	is(&mapped.list[1], 0x20000, 0x30000, MONITOR_REGION_SHARED, "");
	is(&mapped.list[2], 0x30000, 0x40000, MONITOR_REGION_PRIVATE, "");
	mapped_free(&mapped);
}

/* Memory that the kernel does not scan. The report uses the text with the most such memory. */
static void mapped_read_unscanned(void **state)
{
	struct mapped mapped = {0};

	read_text(&mapped,
		  "10000-20000 rw-p 00000000 00:00 0            [heap]\n"
		  "20000-30000 rw-s 00000000 00:01 77      /a/file\n"
		  "30000-40000 rw-p 00000000 00:01 77      /dev/shm/private\n"
		  "40000-50000 r--s 00000000 00:01 77      /dev/shm/only read\n"
		  "50000-60000 rw-s 00000000 00:01 77      /memfd:" SAMPLE_LOG_FILE " (deleted)\n"
		  "70000-80000 rw-s 00000000 00:01 78      /memfd:" PLAN_FILE " (deleted)\n");
	assert_int_equal(mapped.unscanned_bytes, 0);
	read_text(&mapped, "10000-11000 rw-s 00000000 00:01 78      /SYSV00000000 (deleted)\n"
			   "20000-22000 rw-s 00000000 00:01 79      /memfd:x (deleted)\n"
			   "30000-34000 rw-s 00000000 00:01 80      /dev/shm/x\n"
			   "40000-48000 rw-s 00000000 00:01 81      /dev/zero (deleted)\n"
			   "50000-60000 rw-p 00000000 00:01 82      /anon_hugepage (deleted)\n"
			   "60000-80000 rw-p 00000000 00:01 83      /dev/hugepages/x\n");
	assert_int_equal(mapped.unscanned_bytes, 0x3f000);
	read_text(&mapped, "10000-11000 rw-s 00000000 00:01 78      /SYSV00000000 (deleted)\n"
			   "1f000-22000 rw-s 00000000 00:01 79      /memfd:x (deleted)\n");
	assert_int_equal(mapped.unscanned_bytes, 0x3f000);
	/*
	 * A range that has grown is one range, and ranges do not overlap. Ranges with samples were
	 * scanned.
	 */
	assert_int_equal(mapped.unscanned_count, 6);
	assert_int_equal(mapped_unsampled(&mapped), 0x3f000);
	mapped_sampled(&mapped, 0x1f000);
	mapped_sampled(&mapped, 0x6ffff);
	mapped_sampled(&mapped, 0x38000);
	assert_int_equal(mapped_unsampled(&mapped), 0x1d000);
	mapped_free(&mapped);
}

/* A part has a policy now, and is scanned. The rest is not scanned, and must be reported. */
static void mapped_read_unscanned_in_part(void **state)
{
	struct mapped mapped = {0};

	read_text(&mapped, "10000-20000 rw-s 00000000 00:01 78      /SYSV00000000 (deleted)\n"
			   "30000-40000 rw-s 00000000 00:01 79      /dev/zero (deleted)\n");
	read_text(&mapped, "10000-14000 rw-s 00000000 00:01 78      /SYSV00000000 (deleted)\n"
			   "14000-18000 rw-s 00004000 00:01 78      /SYSV00000000 (deleted)\n"
			   "18000-20000 rw-s 00008000 00:01 78      /SYSV00000000 (deleted)\n"
			   "34000-40000 rw-s 00004000 00:01 79      /dev/zero (deleted)\n");
	assert_int_equal(mapped.unscanned_bytes, 0x20000);
	/* A part of the second mapping is unmapped. */
	assert_int_equal(mapped.unscanned_count, 5);
	assert_int_equal(mapped_unsampled(&mapped), 0x20000);
	mapped_sampled(&mapped, 0x14000);
	assert_int_equal(mapped_unsampled(&mapped), 0x1c000);
	mapped_sampled(&mapped, 0x3f000);
	assert_int_equal(mapped_unsampled(&mapped), 0x10000);
	mapped_free(&mapped);
}

/*
 * Memory that is in several texts is one region. Adjacent memory with another use is another
 * region.
 */
static void mapped_read_growth_is_one_region(void **state)
{
	struct mapped mapped = {0};

	read_text(&mapped, "10000-20000 rw-p 00000000 00:00 0            [heap]\n"
			   "30000-40000 rw-p 00000000 00:00 0 \n");
	read_text(&mapped, "10000-28000 rw-p 00000000 00:00 0            [heap]\n"
			   "2f000-40000 rw-p 00000000 00:00 0 \n"
			   "40000-50000 rw-s 00000000 00:01 77      /not/there\n");
	read_text(&mapped, "50000-60000 rw-s 00010000 00:01 77      /not/there\n");
	assert_int_equal(mapped.count, 4);
	is(&mapped.list[0], 0x10000, 0x28000, MONITOR_REGION_HEAP, "");
	is(&mapped.list[1], 0x2f000, 0x40000, MONITOR_REGION_PRIVATE, "");
	is(&mapped.list[2], 0x40000, 0x50000, MONITOR_REGION_SHARED, "/not/there");
	is(&mapped.list[3], 0x50000, 0x60000, MONITOR_REGION_SHARED, "/not/there");
	mapped_free(&mapped);
}

/* The address at which the loader has loaded the program. */
static int own_bias(struct dl_phdr_info *info, size_t size, void *opaque)
{
	*(uint64_t *)opaque = info->dlpi_addr;
	return 1;
}

static void mapped_read_own_variables_are_global(void **state)
{
	const uint64_t variables[] = {(uintptr_t)with_contents, (uintptr_t)(with_contents + 4095),
				      (uintptr_t)without_contents,
				      (uintptr_t)(without_contents + 65535)};
	const struct Monitor_region *region;
	struct mapped mapped = {0};
	char own[PATH_MAX] = "";
	uint64_t bias = 0;
	FILE *maps = fopen("/proc/self/maps", "r");

	assert_non_null(maps);
	assert_int_equal(mapped_read(&mapped, maps), 0);
	fclose(maps);
	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	dl_iterate_phdr(own_bias, &bias);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		region = region_at(&mapped, variables[i]);
		assert_non_null(region);
		assert_int_equal(region->kind, MONITOR_REGION_GLOBAL);
		assert_string_equal(region->name, own);
		assert_int_equal(region->bias, bias);
	}
	region = region_at(&mapped, (uintptr_t)mapped_read_own_variables_are_global);
	assert_non_null(region);
	assert_int_equal(region->kind, MONITOR_REGION_CODE);
	assert_int_equal(region->bias, bias);
	mapped_free(&mapped);
}

/*
 * While the program runs, its file is replaced. Now the kernel's text says that the file is
 * deleted.
 */
static void mapped_read_deleted_is_what_it_was(void **state)
{
	char own[PATH_MAX] = "", line[PATH_MAX + 128];
	struct mapped mapped = {.root = ""};
	FILE *maps = fopen("/proc/self/maps", "r"), *later = tmpfile();
	size_t count, lines = 0;

	assert_non_null(maps);
	assert_non_null(later);
	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	assert_int_equal(mapped_read(&mapped, maps), 0);
	count = mapped.count;
	rewind(maps);
	while (fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = '\0';
		/* Skip memory that this test has mapped later. */
		if (strstr(line, "[heap]") || !mapped_have(&mapped, strtoull(line, NULL, 16)))
			continue;
		lines += strstr(line, own) != NULL;
		fprintf(later, strstr(line, own) ? "%s (deleted)\n" : "%s\n", line);
	}
	rewind(later);
	assert_true(lines > 2);
	assert_int_equal(mapped_read(&mapped, later), 0);
	assert_int_equal(mapped.count, count);
	assert_true(mapped.build_count > 0);
	fclose(maps);
	fclose(later);
	mapped_free(&mapped);
}

/* A forked process has the regions of its parent. To read the same text adds nothing. */
static void mapped_fork_knows_what_the_parent_had(void **state)
{
	struct mapped parent = {.root = ""}, child;
	static char text[1 << 20];
	FILE *maps = fopen("/proc/self/maps", "re");

	assert_non_null(maps);
	text[fread(text, 1, sizeof(text) - 1, maps)] = '\0';
	fclose(maps);
	read_text(&parent, text);
	assert_in_range(parent.count, 4, 10000);
	assert_int_equal(mapped_fork(&child, &parent), 0);
	assert_int_equal(child.build_count, parent.build_count);
	child.root = "";
	read_text(&child, text);
	assert_int_equal(child.count, parent.count);
	assert_int_equal(child.build_count, parent.build_count);
	for (size_t i = 0; i < child.count; i++) {
		is(&child.list[i], parent.list[i].start, parent.list[i].end, parent.list[i].kind,
		   parent.list[i].name);
		assert_int_equal(child.list[i].bias, parent.list[i].bias);
	}
	/* The file is mapped at another address now. */
	read_text(&child, "10000-11000 r--p 00000000 00:01 78      /proc/self/exe\n");
	assert_int_equal(child.count, parent.count + 1);
	mapped_free(&parent);
	mapped_free(&child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mapped_read_kinds),
		cmocka_unit_test(mapped_read_shared_anonymous),
		cmocka_unit_test(mapped_read_unscanned),
		cmocka_unit_test(mapped_read_unscanned_in_part),
		cmocka_unit_test(mapped_read_growth_is_one_region),
		cmocka_unit_test(mapped_read_own_variables_are_global),
		cmocka_unit_test(mapped_read_deleted_is_what_it_was),
		cmocka_unit_test(mapped_fork_knows_what_the_parent_had),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
