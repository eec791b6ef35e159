/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What changed in the kernel since 6.1, hidden behind names of our own.
 *
 * What lives here: every condition on the kernel's version. May use: kernel headers only.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#include <linux/err.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/perf_event.h>
#include <linux/version.h>

/* The mapping holds 64-bit indices that are loaded and stored whole. */
#ifndef CONFIG_64BIT
#error "smile_monitor needs a 64-bit kernel: the ring's indices are 64 bits wide"
#endif

/* The static counters are perf's, too. */
#ifndef CONFIG_PERF_EVENTS
#error "smile_monitor needs a kernel with perf: set CONFIG_PERF_EVENTS"
#endif

/* 6.8 gave the legacy interrupt its PCI name. */
#ifndef PCI_IRQ_INTX
#define PCI_IRQ_INTX PCI_IRQ_LEGACY
#endif

/* 6.3 made vm_flags constant but for its accessors. */
static inline void smile_compat_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, flags);
#else
	vma->vm_flags &= ~flags;
#endif
}

static inline void smile_compat_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_set(vma, flags);
#else
	vma->vm_flags |= flags;
#endif
}

/* 6.12 deprecates the table of mapped BARs for a function that maps one and says why it failed. */
static inline void __iomem *smile_compat_iomap(struct pci_dev *pdev, int bar, const char *name)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	return pcim_iomap_region(pdev, bar, name);
#else
	int ret = pcim_iomap_regions(pdev, BIT(bar), name);

	return ret ? IOMEM_ERR_PTR(ret) : pcim_iomap_table(pdev)[bar];
#endif
}

/* Fields that later kernels gave an event: 6.3 config3, 6.19 config4. Return: what is in them. */
static inline u64 smile_compat_config3(const struct perf_event_attr *attr)
{
	u64 bits = 0;

#ifdef PERF_ATTR_SIZE_VER8
	bits |= attr->config3;
#endif
#ifdef PERF_ATTR_SIZE_VER9
	bits |= attr->config4;
#endif
	return bits;
}

#endif /* KMOD_COMPAT_H */
