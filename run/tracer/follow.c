/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs that the traced program executes. See follow.h. This file may use the channel, the
 * process, files, and execve(2).
 *
 * What lives here: finding the program as the kernel does, where a script is passed to its
 * interpreter; and making the command line of the QEMU that replaces this one. This command line is
 * made from the command line of this QEMU and from the program's environment. The stream's file is
 * opened again through the reader's descriptor, because the program has no descriptor for the file.
 */
#include "run/tracer/follow.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/elf_program.h>
#include <run/surroundings.h>

#include "run/tracer/channel.h"
#include "run/tracer/process.h"

/* the kernel reads this number of bytes of a script to find its interpreter */
#define HEAD_BYTES 256
#define SCRIPTS_MAX 4 /* the interpreter of a script can itself be a script */
#define OWN_BYTES 65536U
#define OWN_WORDS 64U
/*
 * Number of additional words for which QEMU's command line has space, including the words that
 * scripts add.
 */
#define ROOM 32U

/* The command line of this QEMU, up to the program. */
static struct {
	char qemu[PATH_MAX];
	char text[OWN_BYTES];
	const char *words[OWN_WORDS];
	size_t count;
	const char *file; /* path of the program */
	const char *cpu;
} own;

/**
 * struct target - The program to execute.
 * @file: path of the ELF file
 * @heads: the first bytes of each script
 * @names: the path of each script
 * @argv: the arguments, from @first on; the last element is NULL
 * @first: index of the first argument; the entries before this index are free
 */
struct target {
	char file[PATH_MAX];
	char heads[SCRIPTS_MAX][HEAD_BYTES + 1];
	char names[SCRIPTS_MAX][PATH_MAX];
	const char **argv;
	size_t first;
};

static size_t count_of(const char *const *list)
{
	size_t count = 0;

	while (list && list[count])
		count++;
	return count;
}

void follow_init(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd < 0 ? -1 : read(fd, own.text, sizeof(own.text) - 1);
	ssize_t length = readlink("/proc/self/exe", own.qemu, sizeof(own.qemu) - 1);
	const char *word = own.text;

	if (fd >= 0)
		close(fd);
	own.qemu[length < 0 ? 0 : length] = '\0';
	own.cpu = getenv("QEMU_CPU");
	for (; word < own.text + bytes && own.count < OWN_WORDS; word += strlen(word) + 1) {
		if (!strcmp(word, "-0")) {
			word += strlen(word) + 1;
			own.file = word + strlen(word) + 1;
			return;
		}
		own.words[own.count++] = word;
	}
	/* This QEMU was not started by `smile run`, so programs cannot be followed. */
	own.count = 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

/*
 * Get the path of a file. For the program's own file, /proc would give the path of QEMU. If the
 * path names a descriptor, get the path of its file, because the descriptor may be closed before
 * the file is executed.
 */
static bool file_name(char *file, const char *path)
{
	char proc[64];
	ssize_t length;

	snprintf(proc, sizeof(proc), "/proc/%d/exe", (int)getpid());
	if (!strcmp(path, "/proc/self/exe") || !strcmp(path, "/proc/thread-self/exe") ||
	    !strcmp(path, proc))
		path = own.file;
	if (!strncmp(path, "/proc/self/fd/", 14) || !strncmp(path, "/dev/fd/", 8)) {
		length = readlink(path, file, PATH_MAX - 1);
		file[length < 0 ? 0 : length] = '\0';
		return *file == '/' && !access(file, X_OK);
	}
	if (strlen(path) >= PATH_MAX)
		return false;
	memmove(file, path, strlen(path) + 1);
	return true;
}

/*
 * Replace a script by its interpreter. The new arguments are the interpreter, the rest of the line
 * "#!/bin/sh -e" as one argument, and the script.
 */
static bool script_follow(struct target *target, unsigned int depth)
{
	char *interpreter = target->heads[depth] + 2, *argument;
	size_t length;

	interpreter += strspn(interpreter, " \t");
	interpreter[strcspn(interpreter, "\n")] = '\0';
	argument = interpreter + strcspn(interpreter, " \t");
	if (*argument) {
		*argument++ = '\0';
		argument += strspn(argument, " \t");
		for (length = strlen(argument); length && strchr(" \t\r", argument[length - 1]);)
			argument[--length] = '\0';
	}
	memcpy(target->names[depth], target->file, sizeof(target->file));
	target->argv[target->first] = target->names[depth];
	if (*argument)
		target->argv[--target->first] = argument;
	target->argv[--target->first] = interpreter;
	return file_name(target->file, interpreter);
}

/*
 * Check whether the file is an x86-64 program that uses glibc's loader, and was not built with a
 * sanitizer.
 */
static bool elf_traces(int fd, const char *head, size_t bytes)
{
	char loader[PATH_MAX];
	Elf64_Ehdr header;

	if (bytes < sizeof(header))
		return false;
	memcpy(&header, head, sizeof(header));
	if (memcmp(head, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_machine != EM_X86_64)
		return false;
	return elf_program_loader(fd, &header, loader) && strstr(loader, ELF_PROGRAM_LOADER) &&
	       !elf_program_sanitized(fd, &header);
}

/*
 * Find the program, following scripts to their interpreters. Return: true if the program can be
 * traced.
 */
static bool file_find(struct target *target)
{
	unsigned int depth;
	struct stat status;
	ssize_t bytes;
	bool traces;
	char *head;
	int fd;

	for (depth = 0; depth < SCRIPTS_MAX; depth++) {
		head = target->heads[depth];
		if (access(target->file, X_OK) < 0)
			return false;
		fd = open(target->file, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return false;
		bytes = fstat(fd, &status) < 0 || !S_ISREG(status.st_mode)
				? -1
				: read(fd, head, HEAD_BYTES);
		if (bytes < 2 || memcmp(head, "#!", 2)) {
			/* QEMU cannot give a program the rights of a set-user-ID file. */
			traces = bytes > 0 && !(status.st_mode & (S_ISUID | S_ISGID)) &&
				 elf_traces(fd, head, (size_t)bytes);
			close(fd);
			return traces;
		}
		close(fd);
		if (!script_follow(target, depth))
			return false;
	}
	return false;
}

/* ---- the command line ------------------------------------------------------------------------ */

static bool is_set(const char *const *environment, const char *variable)
{
	size_t length = strcspn(variable, "=");

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, variable, length) && (*environment)[length] == '=')
			return true;
	return false;
}

static const char *value_of(const char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

/**
 * struct command - The arguments of execve(2).
 * @words: command line of QEMU
 * @count: number of words
 * @environment: environment of QEMU
 * @variables: number of variables in @environment
 * @bytes: number of bytes that the program's environment occupies on its stack
 * @failed: memory was missing for a word
 */
struct command {
	const char **words;
	size_t count;
	const char **environment;
	size_t variables;
	size_t bytes;
	bool failed;
};

__attribute__((format(printf, 2, 3))) static const char *text(struct command *command,
							      const char *format, ...)
{
	va_list arguments;
	char *made;

	va_start(arguments, format);
	if (vasprintf(&made, format, arguments) < 0) {
		command->failed = true;
		made = NULL;
	}
	va_end(arguments);
	return made;
}

static void word_add(struct command *command, const char *word)
{
	command->words[command->count++] = word;
}

/* Add an environment variable that QEMU passes to the program, but does not use itself. */
static void variable_add(struct command *command, const char *variable)
{
	word_add(command, "-E");
	word_add(command, variable);
	if (variable)
		command->bytes += surroundings_variable_bytes(variable);
}

/*
 * Add the tracer with the options of this tracer, except for the options that depend on the
 * program.
 */
static void plugin_add(struct command *command, const struct thread *thread, int fd,
		       uint32_t program)
{
	const char *plugin = own.words[2];

	word_add(command, own.words[0]);
	word_add(command, "-plugin");
	word_add(command,
		 text(command, "%.*s,fd=%d,program=%u,channel=%u,turns=%u%s%s%s%s",
		      (int)strcspn(plugin, ","), plugin, fd, program, channel_index(thread),
		      thread->turns, process.stacks ? ",stacks=on" : "",
		      process.constants ? "" : ",constants=off", process.libc ? ",libc=on" : "",
		      process.work ? ",work=all" : ""));
}

/*
 * Add the setting of LD_PRELOAD for the program: the preload library from the command line of this
 * QEMU, followed by the program's own libraries.
 */
static void preload_add(struct command *command, const char *word, const char *const *environment)
{
	const char *preloaded = value_of(environment, "LD_PRELOAD");
	size_t length = strcspn(word, ":");

	if (preloaded && *preloaded && !strchr(preloaded, ','))
		variable_add(command, text(command, "%.*s:%s", (int)length, word, preloaded));
	else
		variable_add(command, text(command, "%.*s", (int)length, word));
}

/*
 * Set G_SLICE for the program, because QEMU itself uses another value. See slices_hide() in
 * run/session.
 */
static void slices_add(struct command *command, const char *const *environment)
{
	const char *slices = value_of(environment, "G_SLICE");
	char *made, *at;

	if (!slices) {
		word_add(command, "-U");
		word_add(command, "G_SLICE");
		return;
	}
	made = (char *)text(command, "G_SLICE=%s", slices);
	for (at = made; at && *at; at++)
		if (*at == ',')
			*at = ':';
	variable_add(command, made);
}

static void options_add(struct command *command, const char *const *environment)
{
	bool cpu = false;
	size_t i;

	for (i = 3; i + 1 < own.count; i += 2) {
		const char *option = own.words[i], *word = own.words[i + 1];

		if (!strcmp(option, "-E") && !strncmp(word, "LD_PRELOAD=", 11)) {
			preload_add(command, word, environment);
		} else if (!strcmp(option, "-E") && strncmp(word, "G_SLICE=", 8)) {
			if (!is_set(environment, word))
				variable_add(command, word);
		} else if (!strcmp(option, "-s") || !strcmp(option, "-L") ||
			   !strcmp(option, "-cpu")) {
			cpu |= option[1] == 'c';
			word_add(command, option);
			word_add(command, word);
		}
	}
	if (own.cpu && !cpu && !is_set(environment, "QEMU_CPU")) {
		word_add(command, "-cpu");
		word_add(command, own.cpu);
	}
	slices_add(command, environment);
}

static void program_add(struct command *command, const struct target *target)
{
	const char *const *word = target->argv + target->first;

	word_add(command, "-0");
	word_add(command, *word ? *word : "");
	word_add(command, target->file);
	for (word += *word != NULL; *word; word++)
		word_add(command, *word);
	word_add(command, NULL);
}

static void environment_add(struct command *command, const char *file,
			    const char *const *environment)
{
	size_t padding;

	for (; environment && *environment; environment++) {
		if (!strncmp(*environment, SURROUNDINGS_TRACED "=",
			     strlen(SURROUNDINGS_TRACED) + 1))
			continue;
		command->environment[command->variables++] = *environment;
		if (strncmp(*environment, "LD_PRELOAD=", 11) &&
		    strncmp(*environment, "G_SLICE=", 8))
			command->bytes += surroundings_variable_bytes(*environment);
	}
	padding = surroundings_padding(file, command->bytes);
	command->environment[command->variables++] = "G_SLICE=always-malloc";
	command->environment[command->variables++] =
		text(command, SURROUNDINGS_TRACED "=1%0*d", (int)padding, 0);
	command->environment[command->variables] = NULL;
}

static bool command_make(struct command *command, const struct target *target,
			 const struct thread *thread, const char *const *environment, int fd,
			 uint32_t program)
{
	size_t words = own.count + count_of(target->argv + target->first) + ROOM;

	*command = (struct command){0};
	command->words = calloc(words, sizeof(*command->words));
	command->environment = calloc(count_of(environment) + 3, sizeof(*command->environment));
	if (!command->words || !command->environment)
		return false;
	plugin_add(command, thread, fd, program);
	options_add(command, environment);
	program_add(command, target);
	environment_add(command, target->file, environment);
	return !command->failed;
}

/* ---- execve ---------------------------------------------------------------------------------- */

/* Open the stream's file, so that the next program inherits it. Return: the descriptor; -errno. */
static int stream_open(void)
{
	char path[64];
	int fd, high;

	snprintf(path, sizeof(path), "/proc/%u/fd/%u", stream->reader, stream->file);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	high = fcntl(fd, F_DUPFD, SURROUNDINGS_FD_MIN);
	if (high < 0)
		high = fcntl(fd, F_DUPFD, 3);
	close(fd);
	return high < 0 ? -errno : high;
}

/* Get the number of the next program. Return: the number; 0 if there are too many programs. */
static uint32_t program_number(void)
{
	uint32_t number = process.next;

	if (number)
		return number;
	number = process_number();
	return number ? STREAM_PROCESSES + number : 0;
}

static void execute(struct thread *thread, const struct target *target,
		    const char *const *environment)
{
	struct command command;
	uint32_t program;
	int fd = stream_open();

	if (fd < 0)
		return;
	program = program_number();
	if (program && command_make(&command, target, thread, environment, fd, program)) {
		process_hands_over(thread, target->file, program);
		execve(own.qemu, (char **)command.words, (char **)command.environment);
	}
	/*
	 * After an error, the memory of the command line is not freed. The caller then reports that
	 * the program is not traced.
	 */
	close(fd);
}

void follow_execute_file(struct thread *thread, const char *path, const uint64_t *args)
{
	const char *const *argv = (const char *const *)(uintptr_t)args[0];
	const char *const *environment = (const char *const *)(uintptr_t)args[1];
	size_t count, room = 2 * SCRIPTS_MAX + 1;
	struct target *target;

	if (!own.count || !own.file || !*own.qemu || !thread->channel)
		return;
	/* If the address is invalid, the kernel reports this in the system call. */
	if (access(path, F_OK) < 0)
		return;
	count = count_of(argv);
	target = calloc(1, sizeof(*target));
	if (target)
		target->argv = calloc(room + count + 2, sizeof(*target->argv));
	if (target && target->argv) {
		target->first = room;
		memcpy(target->argv + room, argv ? argv : target->argv,
		       count * sizeof(*target->argv));
		if (file_name(target->file, path) && file_find(target))
			execute(thread, target, environment);
	}
	if (target)
		free(target->argv);
	free(target);
}

void follow_execute(struct thread *thread, const uint64_t *args)
{
	follow_execute_file(thread, (const char *)(uintptr_t)args[0], &args[1]);
}
