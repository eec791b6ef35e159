/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plug-in of QEMU with an empty callback for each access to memory and for each block.
 *
 * What lives here: the plug-in. No tracer of all accesses in QEMU can cost less. The bench compares
 * its rows with this cost.
 */
#include "run/tracer/qemu_plugin.h"

static void memory(unsigned int vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
}

static void block(unsigned int vcpu, void *data)
{
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);

	qemu_plugin_register_vcpu_tb_exec_cb(tb, block, QEMU_PLUGIN_CB_NO_REGS, NULL);
	for (size_t i = 0; i < count; i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), memory,
						 QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
