/* SPDX-License-Identifier: MIT */
/*
 * Config: what is possible.
 */
#ifndef LIB_CONFIG_H
#define LIB_CONFIG_H

#include <smile/monitor.h>

/* Return: 0, or -EINVAL with a message that names the value and its limits. */
int smile_config_check(const struct smile_config *config, uint32_t entries_max);

#endif /* LIB_CONFIG_H */
