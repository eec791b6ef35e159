/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Functions that the papers' programs share. May use workload.h. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "workload.h"
#include "smile/trace.h"

/* ---- options ------------------------------------------------------------------------------- */

_Noreturn void unusable(const struct options *options, const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fprintf(stderr, "%s: ", options->program->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_UNUSABLE);
}

static const struct parameter adapt = {"barriers from one move of pages to the next", 0, 0,
				       1000000};

static void parameter_help(const char *option, const struct parameter *parameter)
{
	if (parameter->means)
		printf("  --%-12s %s: %u to %u, normally %u\n", option, parameter->means,
		       parameter->min, parameter->max, parameter->standard);
}

static void help(const struct options *options)
{
	const struct parameter threads = {"threads", team_threads(options), 1, THREADS_MAX};
	const struct program *program = options->program;

	printf("usage: %s [OPTION...]\n%s\n\n", program->name, program->description);
	parameter_help("threads N", &threads);
	parameter_help("size N", &program->size);
	parameter_help("iterations N", &program->iterations);
	printf("  --%-12s %s\n", "layout L", "default: data lies where the machine puts it;");
	printf("  %-14s %s\n", "", "placed: thread t's data lies on node t");
	printf("  --%-12s %s\n", "phases P", "coarse: init, the program, check; fine: each step");
	if (program->has_rows)
		printf("  --%-12s %s\n", "rows R",
		       "block: equal blocks; cyclic: to the threads in rotation");
	if (team_adapts())
		parameter_help("adapt N", &adapt);
	printf("  --%-12s %s\n", "check C", "full: check the result; none: do not check it");
	puts("\nThe program checks its own result. Its exit status is 0 if the result is correct, "
	     "1 "
	     "if it is wrong, and 2 if the program could not run.");
}

static unsigned int number_parse(const struct options *options, const char *option,
				 const struct parameter *parameter, const char *text)
{
	char *end;
	unsigned long value;

	if (!parameter->means)
		unusable(options, "takes no --%s; see --help", option);
	errno = 0;
	value = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || value < parameter->min ||
	    value > parameter->max)
		unusable(options, "--%s %s: %s must be a number from %u to %u", option, text,
			 parameter->means, parameter->min, parameter->max);
	return (unsigned int)value;
}

/* Parse a text that must be one of two words. Return: whether it is the second one. */
static bool word_parse(const struct options *options, const char *option, const char *text,
		       const char *first, const char *second)
{
	if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
		unusable(options, "--%s %s: must be %s or %s", option, text, first, second);
	return strcmp(text, second) == 0;
}

void options_parse(const struct program *program, int argc, char **argv, struct options *options)
{
	static const struct option known[] = {
		{"threads", required_argument, NULL, 't'},
		{"size", required_argument, NULL, 's'},
		{"iterations", required_argument, NULL, 'i'},
		{"layout", required_argument, NULL, 'l'},
		{"phases", required_argument, NULL, 'p'},
		{"rows", required_argument, NULL, 'r'},
		{"check", required_argument, NULL, 'c'},
		{"adapt", required_argument, NULL, 'a'},
		{"help", no_argument, NULL, 'h'},
#ifdef WORKLOAD_FAULT
		{"fault", no_argument, NULL, 'f'},
#endif
		{NULL, 0, NULL, 0},
	};
	const struct parameter threads = {"threads", 0, 1, THREADS_MAX};
	int letter;

	*options = (struct options){
		.program = program,
		.size = program->size.standard,
		.iterations = program->iterations.standard,
	};
	options->threads = team_threads(options);
	argv[0] = (char *)program->name;
	while ((letter = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (letter) {
		case 't':
			options->threads = number_parse(options, "threads", &threads, optarg);
			break;
		case 's':
			options->size = number_parse(options, "size", &program->size, optarg);
			break;
		case 'i':
			options->iterations =
				number_parse(options, "iterations", &program->iterations, optarg);
			break;
		case 'l':
			options->placed =
				word_parse(options, "layout", optarg, "default", "placed");
			break;
		case 'p':
			options->fine = word_parse(options, "phases", optarg, "coarse", "fine");
			break;
		case 'r':
			if (!program->has_rows)
				unusable(options, "takes no --rows; see --help");
			options->cyclic = word_parse(options, "rows", optarg, "block", "cyclic");
			break;
		case 'a':
			if (!team_adapts())
				unusable(options,
					 "takes no --adapt: the program for the nodes of a "
					 "cluster does");
			options->adapt = number_parse(options, "adapt", &adapt, optarg);
			break;
		case 'c':
			options->unchecked = word_parse(options, "check", optarg, "full", "none");
			break;
		case 'f':
			options->fault = true;
			break;
		case 'h':
			help(options);
			exit(EXIT_CORRECT);
		default:
			exit(EXIT_UNUSABLE); /* getopt_long() has already printed the reason. */
		}
	}
	if (optind < argc)
		unusable(options, "%s is not an option: the program takes only options; see --help",
			 argv[optind]);
	smile_phase("init");
}

/* ---- memory -------------------------------------------------------------------------------- */

void shared_fetch(void *private, const void *shared, size_t bytes)
{
	typedef uint64_t __attribute__((may_alias)) word8;
	typedef uint32_t __attribute__((may_alias)) word4;
	const unsigned char *from = shared;
	unsigned char *to = private;
	size_t done = 0;

	for (; done + 8 <= bytes; done += 8) {
		uint64_t word = *(const volatile word8 *)(from + done);

		memcpy(to + done, &word, sizeof(word));
	}
	if (done < bytes) {
		uint32_t word = *(const volatile word4 *)(from + done);

		memcpy(to + done, &word, sizeof(word));
	}
}

void *private_alloc(const struct options *options, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (memory == MAP_FAILED)
		unusable(options, "no memory, %zu bytes: %s; try a smaller --size", bytes,
			 strerror(errno));
	return memory;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/*
 * Mix the bits of @index in two rounds of shifting and multiplying. Each round is a bijection of
 * the 64-bit numbers.
 */
uint64_t random_bits(uint64_t index)
{
	uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15ULL;

	bits = (bits ^ bits >> 31) * 0xd6e8feb86659fd93ULL;
	bits = (bits ^ bits >> 29) * 0xa0761d6478bd642fULL;
	return bits ^ bits >> 32;
}

double random_real(uint64_t index)
{
	return (double)(random_bits(index) >> 11) * 0x1p-52 - 1.0;
}

uint64_t checksum(const void *data, size_t bytes)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	for (size_t at = 0; at + 4 <= bytes; at += 4) {
		uint32_t word;

		memcpy(&word, (const unsigned char *)data + at, sizeof(word));
		for (unsigned int shift = 0; shift < 32; shift += 8)
			sum = (sum ^ (word >> shift & 0xff)) * 0x100000001b3ULL;
	}
	return sum;
}

/* ---- output -------------------------------------------------------------------------------- */

void report_start(const struct options *options, const char *items)
{
	if (!team_first())
		return;
	printf("%s: %u %s", options->program->name, options->size, items);
	if (options->program->iterations.means)
		printf(", %u iterations", options->iterations);
	printf(", %u threads, layout %s\n", options->threads,
	       options->placed ? "placed" : "default");
	fflush(stdout);
}

/*
 * Flush the output. Return: @status if all output could be written; if it could not, the function
 * ends the program.
 */
static int report_flush(const struct options *options, int status)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		unusable(options, "cannot write the result: %s", strerror(errno));
	return status;
}

int report_check(const struct team *team)
{
	if (!team->options->unchecked)
		return team->check(team);
	printf("%s: not checked\n", team->options->program->name);
	return report_flush(team->options, EXIT_CORRECT);
}

int report_end(const struct options *options, uint64_t sum, bool correct)
{
	printf("%s: checksum %016llx\n", options->program->name, (unsigned long long)sum);
	printf("%s: %s\n", options->program->name, correct ? "correct" : "WRONG");
	return report_flush(options, correct ? EXIT_CORRECT : EXIT_WRONG);
}
