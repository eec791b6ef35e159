/* SPDX-License-Identifier: MIT */
/*
 * Program names: the names that a program gives to its memory, for its recording.
 *
 * What lives here: the file into which the program writes these names. The environment variable
 * SMILE_NAMES contains the path of the file; docs/recording.md describes its format. May use: the
 * public API.
 */
#ifndef TOOLS_COMMON_PROGRAM_NAMES_H
#define TOOLS_COMMON_PROGRAM_NAMES_H

struct Monitor;

/**
 * program_names_begin() - Create the file, and let @mon read it. Call this function before the
 * program and the card start.
 *
 * Return: the file, to be passed to program_names_end(); -1 if there is no file. The recording then
 *         contains only the card's addresses.
 */
int program_names_begin(struct Monitor *mon);

/**
 * program_names_end() - After the card was drained, add the last names to the recording, and close
 * the file of names.
 *
 * Lines that cannot be parsed are reported, but they do not make the recording fail.
 */
void program_names_end(int file, struct Monitor *mon);

#endif /* TOOLS_COMMON_PROGRAM_NAMES_H */
