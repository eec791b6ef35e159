// SPDX-License-Identifier: MIT
/* run/sample: keeps the names of the program's threads. See threads.h. */
#include "run/sample/threads.h"

#include <stdio.h>
#include <string.h>

uint32_t threads_sampled(struct threads *threads, uint32_t tid)
{
	struct thread *thread = hash_table_find(&threads->table, tid + 1ULL, sizeof(*thread));

	if (!thread && threads->table.used + 1 >= THREADS_MAX)
		return 0;
	if (!thread) {
		thread = hash_table_add(&threads->table, tid + 1ULL, sizeof(*thread));
		if (!thread)
			return 0;
		thread->number = (uint32_t)threads->table.used;
	}
	thread->look = 1;
	return thread->number;
}

static void name_set(struct thread *thread, const char *name)
{
	snprintf(thread->name, sizeof(thread->name), "%.15s", name);
}

void threads_named(struct threads *threads, uint32_t tid, const char *name)
{
	struct thread *thread = hash_table_find(&threads->table, tid + 1ULL, sizeof(*thread));

	if (thread)
		name_set(thread, name);
}

void threads_look(struct threads *threads, pid_t pid)
{
	char path[64], name[THREADS_NAME_BYTES + 1];
	struct thread *thread;
	size_t position = 0;

	while ((thread = hash_table_next(&threads->table, &position, sizeof(*thread)))) {
		FILE *file;

		if (!thread->look)
			continue;
		thread->look = 0;
		snprintf(path, sizeof(path), "/proc/%d/task/%llu/comm", (int)pid,
			 (unsigned long long)(thread->key - 1));
		file = fopen(path, "re");
		if (file && fgets(name, sizeof(name), file)) {
			name[strcspn(name, "\n")] = '\0';
			name_set(thread, name);
		}
		if (file)
			fclose(file);
	}
}

void threads_group(char *name)
{
	size_t length = strlen(name);

	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	if (!name[length])
		return;
	while (length && strchr("-_.:#/ ", name[length - 1]))
		length--;
	/* If the name consists only of digits, it stays unchanged. */
	if (length)
		name[length] = '\0';
}

void threads_free(struct threads *threads)
{
	hash_table_free(&threads->table);
}
