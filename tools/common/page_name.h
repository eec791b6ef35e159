/* SPDX-License-Identifier: MIT */
/*
 * Page names: a page by region and offset, for messages, tables and CSV.
 */
#ifndef TOOLS_COMMON_PAGE_NAME_H
#define TOOLS_COMMON_PAGE_NAME_H

#include <stdint.h>

struct Monitor;

/**
 * page_name_parse() - The page that a user names by region: "grid:127", page 127 of it counted from
 * 0, or "grid+0x7f000", the page of the byte at this offset, as regions_page() writes it.
 * @page: receives its number
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int page_name_parse(struct Monitor *mon, const char *text, uint64_t *page);

/**
 * page_name_csv() - The same as the four cells REGIONS_CSV; empty if nothing is known of the page.
 * @mon: NULL: no page is known
 */
void page_name_csv(struct Monitor *mon, uint64_t page);

#endif /* TOOLS_COMMON_PAGE_NAME_H */
