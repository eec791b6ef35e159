/* SPDX-License-Identifier: MIT */
/*
 * Page names: a page by region and offset, for messages, tables and CSV.
 */
#ifndef TOOLS_COMMON_PAGE_NAME_H
#define TOOLS_COMMON_PAGE_NAME_H

#include <stdint.h>

struct Monitor;

/**
 * page_name_parse() - Find the page that a user names by region: "grid:127" is its page 127,
 * counted from 0; "grid+0x7f000" is the page of the byte at this offset, as regions_page() writes
 * it.
 * @page: receives its number
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int page_name_parse(struct Monitor *mon, const char *text, uint64_t *page);

/**
 * page_name_csv() - Write the page's name as the four cells REGIONS_CSV; they are empty if the page
 * is in no known region.
 * @mon: NULL: no page is known
 */
void page_name_csv(struct Monitor *mon, uint64_t page);

#endif /* TOOLS_COMMON_PAGE_NAME_H */
