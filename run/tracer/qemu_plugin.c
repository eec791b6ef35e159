/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of QEMU's plug-in interface. See qemu_plugin.h. This file may use no other file.
 *
 * After QEMU has loaded the tracer, it reads qemu_plugin_version, and refuses unknown versions. The
 * constructor runs before that. For this reason, the constructor sets this variable to a version
 * that the QEMU accepts.
 */
#include "run/tracer/qemu_plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION_FIRST;

/*
 * The function qemu_plugin_insn_data(). The type of this function depends on the version of QEMU.
 */
static void (*insn_data)(void);
static bool copies;

__attribute__((constructor)) static void version_claim(void)
{
	if (qemu_plugin_read_memory_vaddr)
		qemu_plugin_version = QEMU_PLUGIN_VERSION_MEMORY;
	else if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = QEMU_PLUGIN_VERSION_PER_VCPU;
}

void plugin_version_set(int version)
{
	insn_data = qemu_plugin_insn_data;
	copies = version >= QEMU_PLUGIN_VERSION_COPY;
}

const void *plugin_insn_bytes(const struct qemu_plugin_insn *insn, uint8_t data[PLUGIN_INSN_BYTES])
{
	typedef size_t (*copy_t)(const struct qemu_plugin_insn *insn, void *data, size_t bytes);
	typedef const void *(*point_t)(const struct qemu_plugin_insn *insn);

	if (!copies)
		return ((point_t)insn_data)(insn);
	((copy_t)insn_data)(insn, data, PLUGIN_INSN_BYTES);
	return data;
}
