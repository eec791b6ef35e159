// SPDX-License-Identifier: MIT
/*
 * smile doctor: check whether `smile place` and `smile sample` work on this machine. `smile place`
 * needs several nodes with memory, a kernel that does not move pages by itself, and the permission
 * to choose the node of memory. `smile sample` needs a source of samples.
 *
 * What lives here: the checks of nodes, kernel, permissions and sources of samples. To try
 * mbind(2), a check maps a page without accessing it. To find out whether perf is permitted, a
 * check opens events of perf for this process. May use: doctor.h, run/sample.
 */
#include "tools/doctor/doctor.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <place/plan.h>

#include "run/sample/host.h"
#include "run/sample/sample.h"
#include "run/session/session.h"

/* Count the numbers in a list such as "0-3,5". */
static unsigned list_count(const char *list)
{
	unsigned count = 0;
	char *end;

	while (*list >= '0' && *list <= '9') {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (last < first || last - first > 4096)
			break;
		count += (unsigned)(last - first + 1);
		list = *end == ',' ? end + 1 : end;
	}
	return count;
}

long doctor_mbind(void *memory, size_t bytes, int mode, const unsigned long *nodes, size_t bits)
{
	return syscall(SYS_mbind, memory, (unsigned long)bytes, (unsigned long)mode, nodes,
		       (unsigned long)bits, 0UL);
}

/* Try mbind(2). Return: 0; the errno of mbind(2). */
static int mbind_try(void)
{
	void *page = mmap(NULL, SMILE_PAGE_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int failed = 0;

	if (page == MAP_FAILED)
		return errno;
	if (doctor_mbind(page, SMILE_PAGE_BYTES, MPOL_LOCAL, NULL, 0))
		failed = errno;
	munmap(page, SMILE_PAGE_BYTES);
	return failed;
}

static void library_check(struct check *check)
{
	char *library = run_file_look(PLACE_LIBRARY);

	if (!library) {
		check->state = CHECK_OPTIONAL;
		doctor_fix(check, "only to place programs on this machine: " PLACE_LIBRARY
				  " is not there: sudo make install, or name its directory in "
				  "SMILE_LIBDIR");
	}
	free(library);
}

void doctor_nodes(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "smile place", CHECK_OK);
	char nodes[256], balancing[16];
	int failed = mbind_try();
	unsigned count;

	doctor_line(nodes, sizeof(nodes), "/sys/devices/system/node/has_memory");
	doctor_line(balancing, sizeof(balancing), "/proc/sys/kernel/numa_balancing");
	count = list_count(nodes);
	doctor_detail(check, "%u node%s with memory; automatic balancing %s; mbind %s", count,
		      count == 1 ? "" : "s",
		      !*balancing	  ? "not known"
		      : *balancing == '0' ? "off"
					  : "on",
		      failed ? strerror(failed) : "permitted");
	if (failed) {
		check->state = CHECK_OPTIONAL;
		doctor_fix(check, "only to place programs on this machine: a container needs "
				  "CAP_SYS_NICE, or a seccomp profile that allows mbind and "
				  "move_pages");
	} else if (count < 2) {
		check->state = CHECK_OPTIONAL;
		doctor_fix(check, "only to place programs on this machine: that needs two nodes "
				  "or more; `smile run --place` needs one");
	} else {
		library_check(check);
	}
}

void doctor_sample(struct doctor *doctor)
{
	struct check *check = doctor_check(doctor, "smile sample", CHECK_OK);
	const char *root = getenv(DOCTOR_ROOT);
	char memory_why[1024] = "", faults_why[1024] = "";
	bool memory, faults;

	if (root)
		setenv(SAMPLE_ROOT, root, 1);
	memory = sample_possible(SAMPLE_MEMORY, memory_why, sizeof(memory_why));
	faults = sample_possible(SAMPLE_FAULTS, faults_why, sizeof(faults_why));
	if (memory && faults)
		doctor_detail(check, "source memory: the processors' samples of accesses; source "
				     "faults: NUMA hint faults");
	else if (memory)
		doctor_detail(check,
			      "source memory: the processors' samples of accesses; not "
			      "faults: %s",
			      faults_why);
	else if (faults)
		doctor_detail(check, "source faults: NUMA hint faults; not memory: %s", memory_why);
	if (memory || faults)
		return;
	check->state = CHECK_OPTIONAL;
	doctor_detail(check, "no source of samples works here");
	if (strcmp(memory_why, faults_why))
		doctor_fix(check,
			   "only to sample programs on this machine: source faults: %s; "
			   "source memory: %s",
			   faults_why, memory_why);
	else
		doctor_fix(check, "only to sample programs on this machine: %s", faults_why);
}
