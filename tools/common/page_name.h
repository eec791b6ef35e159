/* SPDX-License-Identifier: MIT */
/*
 * Page names: the name of a page by its region and offset, for messages, tables and CSV.
 */
#ifndef TOOLS_COMMON_PAGE_NAME_H
#define TOOLS_COMMON_PAGE_NAME_H

#include <stdint.h>

struct Monitor;

/**
 * page_name_parse() - Find the page that a user has named by its region. "grid:127" is page 127 of
 * the region grid, counted from 0. "grid+0x7f000" is the page that contains the byte at this
 * offset; regions_page() writes this form.
 * @page: receives the page number
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int page_name_parse(struct Monitor *mon, const char *text, uint64_t *page);

/**
 * page_name_csv() - Print the page's name as the four cells REGIONS_CSV. If no known region
 * contains the page, the cells are empty.
 * @mon: the Monitor that has the regions; NULL: no regions are known
 */
void page_name_csv(struct Monitor *mon, uint64_t page);

#endif /* TOOLS_COMMON_PAGE_NAME_H */
