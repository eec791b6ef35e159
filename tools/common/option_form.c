// SPDX-License-Identifier: MIT
/*
 * Option forms: remember the options that were given, and find options that have no effect. See
 * tools/common/option_form.h.
 */
#include "tools/common/option_form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/text.h"
#include "tools/common/tool.h"

/* The largest number of options. No command has so many options. */
#define OPTIONS_MAX 64

static const struct option none[] = {{0}};
static const struct option *table = none;
static bool given[OPTIONS_MAX];

/*
 * Call getopt_long(), which writes a message about a wrong option to stderr. The option may contain
 * control characters, so the message is first written to memory.
 */
static int getopt_printable(int argc, char **argv, const char *letters,
			    const struct option *options)
{
	FILE *const terminal = stderr;
	size_t bytes = 0;
	char *text = NULL;
	FILE *message = open_memstream(&text, &bytes);
	int code;

	/* In the GNU C library, stderr is a variable. */
	if (message)
		stderr = message;
	code = getopt_long(argc, argv, letters, options, NULL);
	stderr = terminal;
	if (!message)
		return code;
	fclose(message);
	if (bytes) {
		text[bytes - 1] = '\0';
		fprintf(stderr, "%s\n", text_printable(text));
	}
	free(text);
	return code;
}

int option_next(int argc, char **argv, const char *letters, const struct option *options)
{
	int code = getopt_printable(argc, argv, letters, options);

	table = options;
	for (size_t i = 0; i < OPTIONS_MAX && options[i].name; i++)
		given[i] |= options[i].val == code;
	return code;
}

bool option_given(const char *name)
{
	for (size_t i = 0; i < OPTIONS_MAX && table[i].name; i++)
		if (!strcmp(table[i].name, name))
			return given[i];
	return false;
}

/* Check whether a word is in a list whose words are separated by blanks. */
static bool is_among(const char *word, const char *list)
{
	size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

static int form_check(const char *form, const char *names, bool idle)
{
	for (size_t i = 0; i < OPTIONS_MAX && table[i].name; i++)
		if (given[i] && is_among(table[i].name, names) == idle)
			return tool_usage("--%s has no effect with %s", table[i].name, form);
	return TOOL_OK;
}

int option_form_only(const char *form, const char *names)
{
	return form_check(form, names, false);
}

int option_form_idle(const char *form, const char *names)
{
	return form_check(form, names, true);
}

int option_forms_check(const struct option_form *forms)
{
	for (; forms->option; forms++) {
		const char *names = forms->only ? forms->only : forms->idle;
		char form[64];

		if (!option_given(forms->option))
			continue;
		snprintf(form, sizeof(form), "--%s", forms->option);
		if (form_check(form, names, !forms->only) != TOOL_OK)
			return TOOL_ERROR;
	}
	return TOOL_OK;
}
