/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions since 6.1, hidden behind functions and macros of these
 * drivers.
 *
 * What lives here: every condition on the kernel's version. Kbuild includes this file before each
 * source file. If a kernel is not supported, the build therefore fails with one clear message,
 * whichever file is compiled first. May use: only kernel headers.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#include <linux/version.h>

/*
 * dkms.conf names the same range of versions. Linux 6.1 has <linux/cleanup.h> only with its stable
 * updates.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "the SMiLE drivers need Linux 6.1, or 6.5 to 7.2: this kernel is older"
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(7, 3, 0) && !defined(SMILE_ANY_KERNEL)
#error "the SMiLE drivers support Linux up to 7.2: update them, or try KCFLAGS=-DSMILE_ANY_KERNEL"
#endif

/* sparse does not support __has_include. */
#ifndef __CHECKER__
#if !__has_include(<linux/cleanup.h>)
#error "the SMiLE drivers need Linux 6.1 with stable updates, or 6.5 to 7.2: no <linux/cleanup.h>"
#endif
#endif

#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/poll.h>
#include <linux/workqueue.h>

/* The mapped pages contain 64-bit indices, which must be loaded and stored in one access. */
#ifndef CONFIG_64BIT
#error "smile_monitor needs a 64-bit kernel: the ring's indices are 64 bits wide"
#endif

/* perf also uses the static counters. */
#ifndef CONFIG_PERF_EVENTS
#error "smile_monitor needs a kernel with perf: set CONFIG_PERF_EVENTS"
#endif

/* Since Linux 6.3, vm_flags is constant and only accessors can change it. */
static inline void smile_compat_vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
					     unsigned long clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
#endif
}

/* Linux 6.17 renamed this workqueue; the old name will be removed. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define smile_compat_unbound_wq system_dfl_wq
#else
#define smile_compat_unbound_wq system_unbound_wq
#endif

/*
 * Get the multiplexing timer that a PMU has for a CPU. Linux 6.2 moved the timer to another
 * structure, and Linux 6.15 put it behind a pointer.
 */
static inline struct hrtimer *smile_compat_pmu_timer(struct pmu *pmu, int cpu)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	return &(*per_cpu_ptr(pmu->cpu_pmu_context, cpu))->hrtimer;
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	return &per_cpu_ptr(pmu->cpu_pmu_context, cpu)->hrtimer;
#else
	return &per_cpu_ptr(pmu->pmu_cpu_context, cpu)->hrtimer;
#endif
}

/*
 * Check whether the caller of poll() sleeps if no event is ready. Linux 7.2 has no
 * poll_does_not_wait(), but still has the member that poll_does_not_wait() read.
 */
static inline bool smile_compat_poll_sleeps(const poll_table *wait)
{
	return wait && wait->_qproc;
}

#endif /* KMOD_COMPAT_H */
