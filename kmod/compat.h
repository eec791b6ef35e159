/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What changed in the kernel since 6.1, hidden behind names of our own.
 *
 * What lives here: every condition on the kernel's version. May use: kernel headers only.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#include <linux/mm.h>
#include <linux/version.h>

/* The mapping holds 64-bit indices that are loaded and stored whole. */
#ifndef CONFIG_64BIT
#error "smile_monitor needs a 64-bit kernel: the ring's indices are 64 bits wide"
#endif

/* The static counters are perf's, too. */
#ifndef CONFIG_PERF_EVENTS
#error "smile_monitor needs a kernel with perf: set CONFIG_PERF_EVENTS"
#endif

/* 6.3 made vm_flags constant but for its accessors. */
static inline void smile_compat_vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
					     unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

#endif /* KMOD_COMPAT_H */
