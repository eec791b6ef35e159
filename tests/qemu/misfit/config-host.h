/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A configuration of QEMU with one wrong setting: its structures have other sizes than those of the
 * running QEMU. It is for a plug-in that must refuse to load. For tests/qemu/build.mk.
 */
#include_next <config-host.h>

#undef CONFIG_INT128
#undef CONFIG_INT128_TYPE
