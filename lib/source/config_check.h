/* SPDX-License-Identifier: MIT */
/* Config check: checks the values of a configuration. */
#ifndef LIB_SOURCE_CONFIG_CHECK_H
#define LIB_SOURCE_CONFIG_CHECK_H

#include <smile/monitor.h>

/*
 * Check that all values are within their limits. Return: 0; -EINVAL with a message that names the
 * value and its limits.
 */
int smile_config_check(const struct smile_config *config, uint32_t entries_max);

/*
 * Check whether the card with the properties @info supports the configuration. Return: 0;
 * -EOPNOTSUPP with a message that names the unsupported part.
 */
int smile_config_support(const struct smile_config *config, const struct smile_info *info);

/*
 * Check that the periods in the configuration are not too short for the driver. Return: 0; -EINVAL
 * with a message that names the period.
 */
int smile_config_periods(const struct smile_config *config);

#endif /* LIB_SOURCE_CONFIG_CHECK_H */
