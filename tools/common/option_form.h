/* SPDX-License-Identifier: MIT */
/*
 * Option forms: an option that has no effect in the used form of a command is an error.
 *
 * What lives here: the rule for all commands. A form of a command is selected by an option, such as
 * --fit of `smile stat`, or by an argument, such as a view of `smile report`.
 */
#ifndef TOOLS_COMMON_OPTION_FORM_H
#define TOOLS_COMMON_OPTION_FORM_H

#include <getopt.h>
#include <stdbool.h>

/**
 * option_next() - As getopt_long(); also remembers the given options for the functions below.
 */
int option_next(int argc, char **argv, const char *letters, const struct option *options);

/**
 * option_given() - Was the option of this long name given?
 */
bool option_given(const char *name);

/**
 * struct option_form - A form of a command that an option selects.
 * @option: long name of this option
 * @only: long names with blanks between them: all other options have no effect; or
 * @idle: long names of the options that have no effect
 */
struct option_form {
	const char *option;
	const char *only;
	const char *idle;
};

/**
 * option_forms_check() - Was an option given that has no effect in one of the forms?
 * @forms: all forms; a form without a name ends them
 *
 * Return: TOOL_OK; TOOL_ERROR after a message that names the option and the form.
 */
int option_forms_check(const struct option_form *forms);

/**
 * option_form_only() - Like option_forms_check(), for a form in which only these options have an
 * effect.
 * @form: name of the form in messages: "a state file", "the view heat"
 */
int option_form_only(const char *form, const char *names);

/**
 * option_form_idle() - Like option_form_only(), for a form in which these options have no effect.
 */
int option_form_idle(const char *form, const char *names);

#endif /* TOOLS_COMMON_OPTION_FORM_H */
