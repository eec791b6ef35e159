/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: the plug-in that loads it into a QEMU that was built without it.
 *
 *	qemu-system-x86_64 -plugin file=smile-monitor.so -device smile-monitor,...
 *
 * What lives here: the function that QEMU calls for a plug-in, before it reads its -device options;
 * and the guard, which is a check before the device is loaded. A device shares structures with
 * QEMU, and no linker checks that both sides agree on them. The guard compares the version of QEMU
 * and the sizes of all types that the device uses, and refuses to load the device if they differ.
 * The plug-in requests no instrumentation, so it does not slow QEMU down.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-control.h"
#include "chardev/char-socket.h"
#include "hw/core/cpu.h"

#include "emu/qemu/compat.h"
#include "emu/qemu/smile_adapter.h"
#include "smile-qemu.h"
#include SMILE_QEMU_PLUGIN_H

#define NAME "smile-monitor.so"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/*
 * Remove the suffix of a rebuild: "Debian 1:7.2+dfsg-7+deb12u18+b3" has the sources of
 * 1:7.2+dfsg-7+deb12u18. A QEMU that was not built as a package has no package in its version, or
 * has git's name of its version, such as "v9.2.0".
 */
static bool guard_package(const char *package)
{
	const char *at = strstr(package, SMILE_QEMU_PACKAGE);

	if (!*SMILE_QEMU_PACKAGE)
		return !*package || *package == 'v';
	if (!at)
		return false;
	at += strlen(SMILE_QEMU_PACKAGE);
	return !*at || g_str_has_prefix(at, "+b");
}

static bool guard_version(void)
{
	VersionInfo *version = qmp_query_version(&error_abort);
	g_autofree char *release =
		g_strdup_printf("%" PRId64 ".%" PRId64 ".%" PRId64, version->qemu->major,
				version->qemu->minor, version->qemu->micro);
	bool fits = !strcmp(release, SMILE_QEMU_RELEASE) && guard_package(version->package);

	if (!fits) {
		error_report(NAME ": built for QEMU " SMILE_QEMU_RELEASE " (" SMILE_QEMU_PACKAGE
				  "), but this one is %s (%s)",
			     release, version->package);
	}
	qapi_free_VersionInfo(version);
	return fits;
}

/*
 * Get the size of an object of a type. Return: the size; 0 if it is not known. QEMU 10.0 no longer
 * has a function for this. The structure to which ObjectClass.type points begins with a name and
 * two sizes. A type with a unique size (PROBE_BYTES) shows whether this is still true.
 */
#define PROBE_BYTES 0x5131U

struct type_head {
	const char *name;
	size_t class_bytes;
	size_t instance_bytes;
};

static const struct type_head *type_head(const char *name)
{
	ObjectClass *klass = object_class_by_name(name);

	return klass ? (const struct type_head *)klass->type : NULL;
}

static size_t type_bytes(const char *name)
{
	static const TypeInfo probe = {
		.name = "smile-probe",
		.parent = TYPE_OBJECT,
		.instance_size = PROBE_BYTES,
	};
	const struct type_head *head;

	if (!object_class_by_name(probe.name))
		type_register_static(&probe);
	head = type_head(probe.name);
	if (!head || head->instance_bytes != PROBE_BYTES)
		return 0;
	head = type_head(name);
	return head ? head->instance_bytes : 0;
}

static bool guard_sizes(void)
{
	static const struct {
		const char *type;
		size_t bytes;
	} known[] = {
		{TYPE_DEVICE, sizeof(DeviceState)},	      {TYPE_PCI_DEVICE, sizeof(PCIDevice)},
		{TYPE_MEMORY_REGION, sizeof(MemoryRegion)},   {TYPE_CHARDEV, sizeof(Chardev)},
		{TYPE_CHARDEV_SOCKET, sizeof(SocketChardev)}, {TYPE_CPU, sizeof(CPUState)},
	};
	bool fits = true;
	size_t i, bytes;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		bytes = type_bytes(known[i].type);
		if (bytes == known[i].bytes)
			continue;
		error_report(NAME ": built for a %s of %zu bytes, but in this QEMU it has %zu",
			     known[i].type, known[i].bytes, bytes);
		fits = false;
	}
	return fits;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv)
{
	if (!info->system_emulation) {
		error_report(NAME ": a PCI card needs a machine: use qemu-system-x86_64");
		return -1;
	}
	if (!guard_version() || !guard_sizes()) {
		error_printf("Build it again for the installed QEMU: make qemu-plugin\n"
			     "If that does not help, build a QEMU that contains the card: make "
			     "qemu\n");
		return -1;
	}
	smile_monitor_register();
	smile_trace_register();
	smile_adapter_register();
	return 0;
}
