// SPDX-License-Identifier: MIT
/*
 * run/session: finds the program to run.
 *
 * What lives here: functions that find the program as a shell does, follow a script to its
 * interpreter, and check the ELF header before any process is started. If the program cannot be
 * traced, this file reports the program and the reason.
 */
#include "run/session/session_inside.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/elf_program.h>

#define HEAD_BYTES 256 /* the kernel reads this number of bytes of a script */
#define SCRIPTS_MAX 4 /* the interpreter of a script can itself be a script */

static int is_program(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

char *run_search(const char *name)
{
	const char *path = getenv("PATH");
	char *file;

	if (strchr(name, '/'))
		return strdup(name);
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*name) {
		size_t length = strcspn(path, ":");

		if (asprintf(&file, "%.*s%s%s", (int)length, path, length ? "/" : "./", name) < 0)
			return NULL;
		if (is_program(file))
			return file;
		free(file);
		if (!path[length])
			break;
		path += length + 1;
	}
	return NULL;
}

void run_program_free(struct run_program *program)
{
	free(program->file);
	if (program->argv)
		for (char **word = program->argv; *word; word++)
			free(*word);
	free(program->argv);
	*program = (struct run_program){0};
}

static int no_memory(void)
{
	run_message("no memory");
	return RUN_FAILED;
}

/* Replace the first argument by the @count words of @words, followed by @file. */
static int argv_replace(struct run_program *program, char *const *words, size_t count,
			const char *file)
{
	size_t old = 0, n = 0;
	char **argv;

	while (program->argv[old])
		old++;
	argv = calloc(count + old + 1, sizeof(*argv));
	if (!argv)
		return -1;
	for (size_t i = 0; i < count; i++)
		argv[n++] = strdup(words[i]);
	argv[n++] = strdup(file);
	for (size_t i = 1; i < old; i++)
		argv[n++] = program->argv[i];
	free(program->argv[0]);
	free(program->argv);
	program->argv = argv;
	for (size_t i = 0; i <= count; i++)
		if (!argv[i])
			return -1;
	return 0;
}

/* ---- scripts --------------------------------------------------------------------------------- */

/*
 * Replace a script by its interpreter. "#!/bin/sh -e" has the interpreter, and the rest of the line
 * as one argument. If the interpreter is env, the program that env would execute is used as the
 * interpreter, because it would not be traced as a program that env executes.
 */
static int script_follow(struct run_program *program, const char *script, char *head)
{
	char *interpreter = head + 2 + strspn(head + 2, " \t");
	char *argument, *file, *words[2];
	size_t count = 1;
	int result;

	interpreter[strcspn(interpreter, "\n")] = '\0';
	argument = interpreter + strcspn(interpreter, " \t");
	if (*argument) {
		*argument++ = '\0';
		argument += strspn(argument, " \t");
		for (char *end = argument + strlen(argument);
		     end > argument && strchr(" \t\r", end[-1]);)
			*--end = '\0';
	}
	if (!strcmp(basename(interpreter), "env") && *argument && !strpbrk(argument, " \t=-")) {
		interpreter = argument;
		argument += strlen(argument);
	}
	file = run_search(interpreter);
	if (!file || !is_program(file)) {
		run_message("%s is a script for '%s', which is missing or not a program", script,
			    interpreter);
		free(file);
		return RUN_NOT_FOUND;
	}
	run_message("%s is a script: its interpreter, %s, is traced", script, file);
	words[0] = interpreter;
	words[1] = argument;
	count += *argument != '\0';
	result = argv_replace(program, words, count, script);
	free(program->file);
	program->file = file;
	return result < 0 ? no_memory() : 0;
}

/* ---- ELF files ------------------------------------------------------------------------------- */

static const char *machine_name(unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{EM_386, "i386"},      {EM_ARM, "arm"},	    {EM_AARCH64, "aarch64"},
		{EM_RISCV, "riscv64"}, {EM_PPC64, "ppc64"}, {EM_S390, "s390x"},
		{EM_MIPS, "mips"},     {EM_PPC, "ppc"},	    {EM_SPARCV9, "sparc64"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].machine == machine)
			return names[i].name;
	return "another architecture";
}

/* Check that the tracer can follow the C library of the program. */
static int elf_check_loader(const char *file, int fd, const Elf64_Ehdr *header)
{
	char loader[PATH_MAX];

	if (!elf_program_loader(fd, header, loader)) {
		run_message("%s is a damaged program", file);
		return RUN_NOT_EXECUTABLE;
	}
	if (!*loader)
		return run_error(RUN_FAILED,
				 "%s is linked statically: accesses of the C library cannot be "
				 "distinguished from its own, and its locks and barriers cannot be "
				 "seen; link it dynamically (without -static); %s",
				 file, run_nothing);
	if (!strstr(loader, ELF_PROGRAM_LOADER))
		return run_error(RUN_FAILED,
				 "%s uses the dynamic linker %s: only programs that use glibc can "
				 "be traced; link it with glibc; %s",
				 file, loader, run_nothing);
	if (elf_program_sanitized(fd, header))
		return run_error(RUN_FAILED,
				 "%s was built with a sanitizer of addresses, threads, leaks or "
				 "memory, which needs more memory under QEMU than there is; build "
				 "it without -fsanitize; %s",
				 file, run_nothing);
	return 0;
}

/*
 * Check that an ELF file can be traced. Return: 0; RUN_FAILED if the program could run, but cannot
 * be traced; the status of a shell if no machine can execute the file.
 */
static int elf_check(const char *file, int fd, const Elf64_Ehdr *header, size_t bytes)
{
	if (bytes > EI_DATA && header->e_ident[EI_CLASS] == ELFCLASS32) {
		run_message("%s is a 32-bit program: only x86-64 programs can be traced; build it "
			    "for that (gcc -m64); %s",
			    file, run_nothing);
		return RUN_FAILED;
	}
	if (bytes < sizeof(*header) || header->e_ident[EI_CLASS] != ELFCLASS64) {
		run_message("%s is a damaged program", file);
		return RUN_NOT_EXECUTABLE;
	}
	if (header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_X86_64) {
		run_message("%s is a program for %s: only x86-64 programs can be traced; build it "
			    "for that; %s",
			    file,
			    header->e_ident[EI_DATA] == ELFDATA2LSB
				    ? machine_name(header->e_machine)
				    : "a big-endian machine",
			    run_nothing);
		return RUN_FAILED;
	}
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN) {
		run_message("%s is not a program but an object file, or a core dump", file);
		return RUN_NOT_EXECUTABLE;
	}
	return elf_check_loader(file, fd, header);
}

/* ---- any file -------------------------------------------------------------------------------- */

/*
 * Read the file of the program. If the file is a script, read the file of its interpreter. Return:
 * 0, with *@script set for a script; otherwise one of enum run_status.
 */
static int file_look(struct run_program *program, int *script)
{
	char head[HEAD_BYTES + 1];
	struct stat status;
	Elf64_Ehdr header;
	ssize_t bytes;
	int fd = open(program->file, O_RDONLY | O_CLOEXEC), result;

	*script = 0;
	if (fd < 0 || fstat(fd, &status) || (bytes = read(fd, head, HEAD_BYTES)) < 0) {
		int error = errno;

		run_message("%s: %s", program->file, strerror(error));
		if (fd >= 0)
			close(fd);
		return error == ENOENT || error == ENOTDIR ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE;
	}
	head[bytes] = '\0';
	if (bytes >= 2 && !memcmp(head, "#!", 2)) {
		char *name = strdup(program->file);

		*script = 1;
		result = name ? script_follow(program, name, head) : no_memory();
		free(name);
	} else if (bytes >= SELFMAG && !memcmp(head, ELFMAG, SELFMAG)) {
		memset(&header, 0, sizeof(header));
		memcpy(&header, head,
		       (size_t)bytes < sizeof(header) ? (size_t)bytes : sizeof(header));
		result = elf_check(program->file, fd, &header, (size_t)bytes);
	} else {
		run_message("%s is neither an ELF program nor a script that begins with #!",
			    program->file);
		result = RUN_NOT_EXECUTABLE;
	}
	close(fd);
	return result;
}

/* Report errors that open(2) would not report: the file is a directory, or is not executable. */
static int file_check(const char *file)
{
	struct stat status;

	if (stat(file, &status)) {
		int error = errno;

		run_message("%s: %s", file, strerror(error));
		return error == ENOENT || error == ENOTDIR ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE;
	}
	if (S_ISDIR(status.st_mode)) {
		run_message("%s is a directory, not a program", file);
		return RUN_NOT_EXECUTABLE;
	}
	if (!S_ISREG(status.st_mode) || access(file, X_OK)) {
		run_message("%s is not executable: chmod +x makes it so", file);
		return RUN_NOT_EXECUTABLE;
	}
	return 0;
}

int run_program_find(struct run_program *program, char **command)
{
	size_t count = 0;
	int result, script;

	while (command[count])
		count++;
	*program = (struct run_program){0};
	program->argv = calloc(count + 1, sizeof(*program->argv));
	if (!program->argv)
		return no_memory();
	for (size_t i = 0; i < count; i++) {
		program->argv[i] = strdup(command[i]);
		if (!program->argv[i])
			return no_memory();
	}
	program->file = run_search(command[0]);
	if (!program->file) {
		run_message("%s: there is no such program in PATH", command[0]);
		return RUN_NOT_FOUND;
	}
	for (int scripts = 0; scripts <= SCRIPTS_MAX; scripts++) {
		result = file_check(program->file);
		if (!result)
			result = file_look(program, &script);
		if (result || !script)
			return result;
	}
	run_message("%s: too many scripts, each with a script as its interpreter", command[0]);
	return RUN_NOT_EXECUTABLE;
}
