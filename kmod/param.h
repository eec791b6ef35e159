/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Module parameters with limits.
 *
 * What lives here: a macro that the three drivers share. May use: the kernel.
 */
#ifndef KMOD_PARAM_H
#define KMOD_PARAM_H

#include <linux/moduleparam.h>

/* A module parameter that root can write at any time, within limits. */
#define SMILE_PARAM(_name, _min, _max)                                                             \
	static int _name##_set(const char *text, const struct kernel_param *parameter)             \
	{                                                                                          \
		return param_set_uint_minmax(text, parameter, _min, _max);                         \
	}                                                                                          \
	static const struct kernel_param_ops _name##_ops = {.set = _name##_set,                    \
							    .get = param_get_uint};                \
	module_param_cb(_name, &_name##_ops, &_name, 0644);                                        \
	__MODULE_PARM_TYPE(_name, "uint")

#endif /* KMOD_PARAM_H */
