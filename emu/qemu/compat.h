/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The differences between the versions of QEMU for which the devices are compiled: 7.2 to 11.
 *
 * What lives here: all code that depends on the version of QEMU, and no other code. The other files
 * are written for the latest version, or use a name that this file defines. For a header that has
 * moved, the code tests __has_include; for a declaration that has changed, the code tests the
 * version. A file must include "qemu/osdep.h" before this header.
 */
#ifndef EMU_QEMU_COMPAT_H
#define EMU_QEMU_COMPAT_H

#define SMILE_QEMU_IS(major, minor)                                                                \
	(QEMU_VERSION_MAJOR > (major) ||                                                           \
	 (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR >= (minor)))

/* QEMU 8.0 has moved the declarations for devices out of hw/pci/pci.h. */
#if __has_include("hw/pci/pci_device.h")
#include "hw/pci/pci_device.h"
#else
#include "hw/pci/pci.h"
#endif

/* QEMU 10.0 has renamed sysemu/ to system/. */
#if __has_include("system/runstate.h")
#include "system/runstate.h"
#include "system/system.h"
#include "system/tcg.h"
#else
#include "sysemu/runstate.h"
#include "sysemu/sysemu.h"
#include "sysemu/tcg.h"
#endif

/* QEMU 11.0 has moved this header to hw/core/. */
#if __has_include("hw/core/qdev-properties.h")
#include "hw/core/qdev-properties.h"
#include "hw/core/qdev-properties-system.h"
#else
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#endif

/* QEMU 11.0 has moved this header from qemu/ to plugins/. Only plugin.c needs it. */
#if __has_include("plugins/qemu-plugin.h")
#define SMILE_QEMU_PLUGIN_H "plugins/qemu-plugin.h"
#else
#define SMILE_QEMU_PLUGIN_H "qemu/qemu-plugin.h"
#endif

#include "migration/blocker.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"

/* QEMU 10.2 has renamed this type. */
#if SMILE_QEMU_IS(10, 2)
typedef CharFrontend SmileChardev;
#else
typedef CharBackend SmileChardev;
#endif

/* QEMU 9.0 has renamed QEMU's global lock. */
#if !SMILE_QEMU_IS(9, 0)
#define bql_lock qemu_mutex_lock_iothread
#define bql_unlock qemu_mutex_unlock_iothread
#endif

/*
 * The type of a property, and the end of a list of properties. From QEMU 10.0 on, the array of
 * properties must be constant, and QEMU gets the number of properties from the array.
 */
#if SMILE_QEMU_IS(10, 0)
typedef const Property SmileProperty;
#define SMILE_PROPERTIES_END
#else
typedef Property SmileProperty;
#define SMILE_PROPERTIES_END DEFINE_PROP_END_OF_LIST()
#endif

/* The type to which the second argument of TypeInfo.class_init points. */
#if SMILE_QEMU_IS(10, 1)
typedef const void SmileClassData;
#else
typedef void SmileClassData;
#endif

/* Set the function that resets only the device. */
static inline void smile_class_reset(DeviceClass *klass, void (*reset)(DeviceState *dev))
{
#if SMILE_QEMU_IS(9, 2)
	device_class_set_legacy_reset(klass, reset);
#else
	klass->reset = reset;
#endif
}

/*
 * Add a migration blocker. If the call fails, or when the blocker is removed later, *@blocker is
 * freed and becomes NULL.
 */
static inline bool smile_blocker_add(Error **blocker, Error **errp)
{
#if SMILE_QEMU_IS(8, 2)
	return migrate_add_blocker(blocker, errp) == 0;
#else
	if (migrate_add_blocker(*blocker, errp) == 0)
		return true;
	error_free(*blocker);
	*blocker = NULL;
	return false;
#endif
}

static inline void smile_blocker_remove(Error **blocker)
{
#if SMILE_QEMU_IS(8, 2)
	migrate_del_blocker(blocker);
#else
	migrate_del_blocker(*blocker);
	error_free(*blocker);
	*blocker = NULL;
#endif
}

#endif /* EMU_QEMU_COMPAT_H */
