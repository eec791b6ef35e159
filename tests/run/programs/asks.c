/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that queries the machine by every interface, and prints the results, one per line. Then
 * it places eight pages by system calls alone, accesses each page, and prints the number of the
 * first page.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096UL

static void file_line(const char *path)
{
	char line[256] = "";
	FILE *file = fopen(path, "r");

	if (!file || !fgets(line, sizeof(line), file))
		strcpy(line, "none\n");
	printf("%s: %s", path, line);
	if (file)
		fclose(file);
}

/* Print the number of entries whose names start with @name and a digit. */
static void entries(const char *path, const char *name)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	unsigned int count = 0;

	while (directory && (entry = readdir(directory)))
		count += !strncmp(entry->d_name, name, strlen(name)) &&
			 entry->d_name[strlen(name)] >= '0' && entry->d_name[strlen(name)] <= '9';
	printf("%s: %u\n", path, count);
	if (directory)
		closedir(directory);
}

static void lines_with(const char *path, const char *begin)
{
	FILE *file = fopen(path, "r");
	unsigned int count = 0;
	char line[8192];

	while (file && fgets(line, sizeof(line), file)) {
		count += !strncmp(line, begin, strlen(begin));
		if (!strncmp(line, begin, strlen(begin)) && strstr(begin, "list"))
			printf("%s", line);
	}
	printf("%s, %s: %u\n", path, begin, count);
	if (file)
		fclose(file);
}

static void check(long result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(1);
	}
}

int main(void)
{
	unsigned long mask[2] = {0}, one, two;
	unsigned int cpu = 99, node = 99;
	int mode = 99, to[2] = {1, 2}, status[2] = {-1, -1};
	cpu_set_t set;
	void *pages[2];
	char *at;

	printf("sysconf %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
	check(syscall(SYS_sched_getaffinity, 0, sizeof(set), &set), "sched_getaffinity");
	check(sched_getaffinity(0, sizeof(set), &set), "sched_getaffinity");
	printf("affinity %d\n", CPU_COUNT(&set));
	check(syscall(SYS_getcpu, &cpu, &node, NULL), "getcpu");
	printf("getcpu %u %u %d\n", cpu, node, sched_getcpu());
	check(syscall(SYS_get_mempolicy, &mode, mask, 128, NULL, MPOL_F_MEMS_ALLOWED),
	      "get_mempolicy");
	printf("nodes allowed %lx\n", mask[0]);
	file_line("/sys/devices/system/node/online");
	file_line("/sys/devices/system/node/node1/cpulist");
	file_line("/sys/devices/system/node/node1/distance");
	file_line("/sys/devices/system/cpu/online");
	entries("/sys/devices/system/node", "node");
	entries("/sys/devices/system/cpu", "cpu");
	lines_with("/proc/cpuinfo", "processor");
	lines_with("/proc/self/status", "Mems_allowed_list");
	lines_with("/proc/self/status", "Cpus_allowed_list");
	lines_with("/proc/self/status", "Pid");

	at = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	one = 1UL << 2;
	two = 1UL << 0 | 1UL << 2;
	check(syscall(SYS_mbind, at, 2 * PAGE, MPOL_BIND, &one, 65, 0), "mbind");
	check(syscall(SYS_mbind, at + 2 * PAGE, 4 * PAGE, MPOL_INTERLEAVE, &two, 65, 0), "mbind");
	for (unsigned int i = 0; i < 8; i++)
		__asm__ volatile("movq %%rax, (%0)" : : "r"(at + i * PAGE) : "memory");
	pages[0] = at + 6 * PAGE;
	pages[1] = at + 7 * PAGE;
	check(syscall(SYS_move_pages, 0, 2, pages, to, status, 0), "move_pages");
	printf("moved to %d %d\n", status[0], status[1]);
	check(syscall(SYS_get_mempolicy, &mode, NULL, 0, at, MPOL_F_NODE | MPOL_F_ADDR),
	      "get_mempolicy");
	printf("bound to %d\n", mode);
	one = 1UL << 3;
	printf("no such node: %ld\n", syscall(SYS_mbind, at, PAGE, MPOL_BIND, &one, 65, 0));
	for (unsigned int i = 0; i < 8; i++)
		__asm__ volatile("movq %%rax, (%0)" : : "r"(at + i * PAGE) : "memory");
	printf("page %lu\n", (unsigned long)((uintptr_t)at / PAGE));
	return 0;
}
