/* SPDX-License-Identifier: MIT */
/*
 * Config: default values and limits.
 */
#ifndef LIB_SOURCE_CONFIG_H
#define LIB_SOURCE_CONFIG_H

#include <smile/monitor.h>

/* Return: 0, or -EINVAL with a message that names the value and its limits. */
int smile_config_check(const struct smile_config *config, uint32_t entries_max);

/*
 * Check whether this card supports the configuration. Return: 0, or -EOPNOTSUPP with a message that
 * names the unsupported part.
 */
int smile_config_support(const struct smile_config *config, const struct smile_info *info);

/*
 * Check whether the times are long enough for the driver. Return: 0, or -EINVAL with a message that
 * names a time.
 */
int smile_config_periods(const struct smile_config *config);

#endif /* LIB_SOURCE_CONFIG_H */
