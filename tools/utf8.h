/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: names as the system has them, any bytes, for documents that hold characters only.
 */
#ifndef TOOLS_UTF8_H
#define TOOLS_UTF8_H

/**
 * utf8_copy() - A copy of @text in which each byte that is part of no character is U+FFFD, the
 * replacement character.
 *
 * Return: memory for the caller to free; NULL without memory.
 */
char *utf8_copy(const char *text);

#endif /* TOOLS_UTF8_H */
