/* SPDX-License-Identifier: MIT */
/*
 * Option forms: refuse an option that has no effect in the form of the command that the user has
 * selected.
 *
 * What lives here: the check for all commands. A form of a command is selected by an option, such
 * as --fit of `smile stat`, or by an argument, such as the view of `smile report`.
 */
#ifndef TOOLS_COMMON_OPTION_FORM_H
#define TOOLS_COMMON_OPTION_FORM_H

#include <getopt.h>
#include <stdbool.h>

/**
 * option_next() - Call getopt_long(), and remember each given option for the functions below.
 */
int option_next(int argc, char **argv, const char *letters, const struct option *options);

/**
 * option_given() - Check whether the option with this long name was given.
 */
bool option_given(const char *name);

/**
 * struct option_form - A form of a command, which an option selects.
 * @option: long name of the option that selects the form
 * @only: long names of the options that have an effect, separated by blanks; all other options have
 *        no effect; NULL: use @idle instead
 * @idle: long names, separated by blanks, of the options that have no effect; used if @only is NULL
 */
struct option_form {
	const char *option;
	const char *only;
	const char *idle;
};

/**
 * option_forms_check() - Check that each given option has an effect in all selected forms.
 * @forms: all forms; an entry without a name follows the last form
 *
 * Return: TOOL_OK; TOOL_ERROR after a message that names the option and the form.
 */
int option_forms_check(const struct option_form *forms);

/**
 * option_form_only() - Like option_forms_check(), for one form in which only the options in @names
 * have an effect.
 * @form: name of the form in messages: "a state file", "the view heat"
 */
int option_form_only(const char *form, const char *names);

/**
 * option_form_idle() - Like option_form_only(), for a form in which the options in @names have no
 * effect.
 */
int option_form_idle(const char *form, const char *names);

#endif /* TOOLS_COMMON_OPTION_FORM_H */
