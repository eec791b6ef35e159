/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A configuration of QEMU with one wrong setting, so that its structures have other sizes than
 * those of the QEMU that runs: for a plug-in that must refuse to load. For tests/qemu/build.mk.
 */
#include_next <config-host.h>

#undef CONFIG_INT128
#undef CONFIG_INT128_TYPE
