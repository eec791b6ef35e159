/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU plug-in: declares the part of QEMU's plug-in interface that the tracer uses.
 *
 * What lives here: declarations, and the differences between versions of the interface. The
 * declarations were written for this project, because Debian ships no header for them. QEMU 4.2 to
 * 8.x have version 1, QEMU 9.0 has version 2, QEMU 9.1 has version 3, and QEMU 9.2 to 10.0 have
 * version 4; later versions of QEMU accept version 4. One tracer works with all versions:
 * qemu_plugin.c detects which QEMU has loaded it. QEMU defines all functions; the weak functions
 * exist only in some versions. This file may use only types.
 */
#ifndef RUN_TRACER_QEMU_PLUGIN_H
#define RUN_TRACER_QEMU_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_VERSION_FIRST 1
/*
 * From this version on, QEMU refuses plug-ins of version 1, although nothing that the tracer uses
 * has changed.
 */
#define QEMU_PLUGIN_VERSION_PER_VCPU 2
/* from this version on, QEMU copies the bytes of an instruction */
#define QEMU_PLUGIN_VERSION_COPY 3
#define QEMU_PLUGIN_VERSION_MEMORY 4
#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* Data about the emulator, which QEMU passes to qemu_plugin_install(). */
typedef struct qemu_info_t {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus;
		int max_vcpus;
	} system;
} qemu_info_t;

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
};

enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W = 2,
	QEMU_PLUGIN_MEM_RW = 3,
};

typedef void (*qemu_plugin_udata_cb_t)(qemu_plugin_id_t id, void *data);
typedef void (*qemu_plugin_vcpu_simple_cb_t)(qemu_plugin_id_t id, unsigned int vcpu);
typedef void (*qemu_plugin_vcpu_udata_cb_t)(unsigned int vcpu, void *data);
typedef void (*qemu_plugin_vcpu_tb_trans_cb_t)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_vcpu_mem_cb_t)(unsigned int vcpu, qemu_plugin_meminfo_t info,
					  uint64_t address, void *data);
typedef void (*qemu_plugin_vcpu_syscall_cb_t)(qemu_plugin_id_t id, unsigned int vcpu,
					      int64_t number, uint64_t a1, uint64_t a2, uint64_t a3,
					      uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
					      uint64_t a8);
typedef void (*qemu_plugin_vcpu_syscall_ret_cb_t)(qemu_plugin_id_t id, unsigned int vcpu,
						  int64_t number, int64_t result);

/* The tracer defines these. */
extern QEMU_PLUGIN_EXPORT int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

/* The emulator defines these. */
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_vcpu_udata_cb_t cb,
					  enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_vcpu_udata_cb_t cb,
					    enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_cb_t cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id,
					      qemu_plugin_vcpu_syscall_ret_cb_t cb);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_simple_cb_t cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t cb, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

/*
 * The tracer detects the version by the existence of these functions. The first exists from version
 * 2 on, the second from version 4 on.
 */
void *qemu_plugin_scoreboard_new(size_t bytes) __attribute__((weak));
bool qemu_plugin_read_memory_vaddr(uint64_t address, void *data, size_t bytes)
	__attribute__((weak));

/*
 * The type of this function depends on the version. Up to version 2, the type is "const void
 * *(insn)": the function returns a pointer to the instruction's bytes. From version 3 on, the type
 * is "size_t (insn, data, bytes)": the function copies the bytes. Only plugin_insn_bytes() may call
 * this function.
 */
void qemu_plugin_insn_data(void) __attribute__((weak));

/*
 * Set the version of the interface. Call this function before the first call of
 * plugin_insn_bytes().
 */
void plugin_version_set(int version);

/*
 * Get the first bytes of an instruction, at most PLUGIN_INSN_BYTES. The function may copy these
 * bytes to @data.
 */
#define PLUGIN_INSN_BYTES 16
const void *plugin_insn_bytes(const struct qemu_plugin_insn *insn, uint8_t data[PLUGIN_INSN_BYTES]);

#endif /* RUN_TRACER_QEMU_PLUGIN_H */
