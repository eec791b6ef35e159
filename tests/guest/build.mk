# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The guest: a Debian kernel, a small file system, QEMU. `make guest-image` makes all files that run.sh
# needs except the card's plug-in; `make check-guest` runs tests/guest/*_test.sh.
#
# GUEST is the kernel's directory, which also holds the files that are built for it and run on it:
#
#	$(B)/guest		the kernel of this Debian release
#	$(B)/guest-6.12		Linux 6.12, or any other number: from Debian's archives
#	$(B)/guest-kasan	and guest-kcsan: debug kernels, built here (debug_kernel.sh)
GUEST_KIND := $(patsubst guest-%,%,$(notdir $(GUEST)))
ifeq ($(GUEST_KIND),guest)
GUEST_FETCH := tests/guest/kernel.sh
else ifneq ($(filter kasan kcsan,$(GUEST_KIND)),)
GUEST_FETCH := tests/guest/debug_kernel.sh $(GUEST_KIND)
else
GUEST_FETCH := tests/guest/kernel.sh --release $(GUEST_KIND)
endif

include tests/guest/driver.mk

# Programs that go into the guest's /usr/bin. Rooms read before this one may have added theirs.
GUEST_BINARIES += $(B)/bin/smile
# No test in a guest uses the event names of smile stat. smile-place.so needs libnuma, which tests bring themselves.
GUEST_LOADED := $(filter-out libpfm%,$(TOOLS_LOADED)) libnuma.so.1
GUEST_KERNEL := $(GUEST)/vmlinux
GUEST_KDIR := $(GUEST)/headers
GUEST_MODULE := $(GUEST)/kmod/smile_monitor.ko
# The other modules are built with this one.
GUEST_MODULES := $(GUEST_MODULE) $(GUEST)/kmod/smile_adapter.ko $(GUEST)/kmod/smile_trace.ko
GUEST_IMAGE := $(GUEST)/initramfs
# All tests, the longest first, or only some: make check-guest GUEST_TESTS=tests/guest/perf_test.sh
GUEST_LONGEST := $(patsubst %,tests/guest/%_test.sh,driver gas_programs hotplug driver_iommu lifetime runner perf)
GUEST_TESTS ?= $(GUEST_LONGEST) $(filter-out $(GUEST_LONGEST),$(sort $(wildcard tests/guest/*_test.sh)))
GUEST_RUN = $(if $(filter tests/harness/run.sh,$(RUN)),exec $(OWNER) tests/guest/tests.sh,$(RUN))

# Once fetched, the kernel is kept, so that changes of the archive break no build. `make guest-kernel`
# looks for a newer kernel.
$(GUEST_KERNEL):
	B=$(B) GUEST=$(GUEST) $(GUEST_FETCH)

.PHONY: guest-kernel
guest-kernel:
	B=$(B) GUEST=$(GUEST) $(GUEST_FETCH)

# Kbuild decides whether the module is out of date. Headers of a kernel with BTF ask for its vmlinux
# to link a module against, which no package holds; and no guest reads debug information, without which a module
# compiles in five sixths of the time. For check-module warnings are looked for in the same build;
# a module with a warning is built again without, so that its guests run.
GUEST_KMOD = KCFLAGS=-g0 $(MAKE) --no-print-directory KDIR=$(abspath $(GUEST_KDIR)) KMOD_DIR=$(GUEST)/kmod \
	CONFIG_DEBUG_INFO_BTF_MODULES=
.PHONY: guest-module
guest-module: | $(GUEST_KERNEL)
	+@{ $(if $(GUEST_CHECKED),$(GUEST_KMOD) check-kmod ||) $(GUEST_KMOD) kmod; } >$(GUEST)/module.log 2>&1 || \
		{ cat $(GUEST)/module.log >&2; exit 1; }
check-all check-guest check-module check-module-guest: \
	GUEST_CHECKED := $(if $(filter kasan kcsan,$(GUEST_KIND)),,yes)

$(GUEST_MODULES): $(if $(BUILT),,guest-module) ;

# A kernel that was fetched again may have other modules, even if it is the same release.
$(GUEST_IMAGE): $(GUEST_BINARIES) $(GUEST_MODULES) tests/guest/init tests/guest/initramfs.sh $(GUEST_KERNEL)
	B=$(B) GUEST=$(GUEST) tests/guest/initramfs.sh --output $@ $(GUEST_MODULES:%=--module %) \
		$(GUEST_LOADED:%=--library %) $(GUEST_BINARIES)

.PHONY: guest-image
guest-image: $(GUEST_IMAGE)

# The image that `smile cluster` boots, without the tests' programs. A thread that is cancelled loads libgcc_s.
CLUSTER_PROGRAMS := $(B)/bin/smile $(B)/tools/cluster/guest/smile-node
CLUSTER_LOADED := $(TOOLS_LOADED) libgcc_s.so.1

$(CLUSTER_IMAGE): $(CLUSTER_PROGRAMS) $(GUEST_MODULES) tests/guest/init tests/guest/initramfs.sh $(GUEST_KERNEL)
	B=$(B) GUEST=$(GUEST) tests/guest/initramfs.sh --output $@ $(GUEST_MODULES:%=--module %) \
		$(CLUSTER_LOADED:%=--library %) --locale C.utf8 $(CLUSTER_PROGRAMS)

CLUSTER_DIR = $(INSTALL_PREFIX)/share/smile-monitor/guest

.PHONY: cluster install-cluster
cluster: $(B)/bin/smile lib-sisci $(CLUSTER_IMAGE) qemu-plugin
install-cluster: cluster
	install -d $(CLUSTER_DIR)
	install -m 644 $(GUEST_KERNEL) $(CLUSTER_IMAGE) $(QEMU_PLUGIN) $(CLUSTER_DIR)

# Each test is a target, so that two run at once.
GUEST_TARGETS := $(GUEST_TESTS:tests/guest/%.sh=guest-%)

.PHONY: check-guest $(GUEST_TARGETS)
check-guest: $(GUEST_TARGETS)

$(GUEST_TARGETS): guest-%: $(GUEST_IMAGE) $(B)/emu/qemu/smile-monitor.so sim place place-programs \
		| $(OWNER)
	@B=$(B) GUEST=$(GUEST) $(GUEST_RUN) tests/guest/$*.sh

guest-sample_test guest-sample_kinds_test guest-sample_children_test guest-sample_loop_test: sample-programs
guest-cluster_test: $(CLUSTER_IMAGE) $(addprefix $(B)/tests/guest/,sisci_calls sisci_removed sisci_survivor)
guest-cluster_command_test: $(CLUSTER_IMAGE) $(B)/libsmile-monitor.so.0 \
	$(addprefix $(B)/tests/guest/,sisci_failed sisci_survivor)
guest-tour_test: $(CLUSTER_IMAGE) all
guest-sisci_test: $(CLUSTER_IMAGE) $(B)/tests/guest/sisci_nodes
guest-cluster_changes_test: $(CLUSTER_IMAGE) $(B)/tests/guest/sisci_changes lib-sisci
guest-gas_test: $(CLUSTER_IMAGE) $(addprefix $(B)/tests/guest/,gas_nodes gas_seen)
guest-gas_names_test: $(CLUSTER_IMAGE) $(B)/tests/guest/gas_nodes lib-gas lib-sisci
guest-cluster_ethernet_test: $(CLUSTER_IMAGE) lib-gas lib-sisci
guest-cluster_trace_test: $(CLUSTER_IMAGE) $(B)/tests/guest/gas_nodes
guest-stat_cluster_test: $(CLUSTER_IMAGE) $(B)/tests/guest/stat_load
guest-gas_programs_test: $(CLUSTER_IMAGE) $(WORKLOAD_NODES)
guest-mutual_test: $(CLUSTER_IMAGE) $(B)/tests/guest/sisci_mutual $(B)/tests/guest/sisci_self

# Minutes for each number of nodes; not part of make check.
.PHONY: check-mutual-long
check-mutual-long: export MUTUAL_ROUNDS ?= 2000
check-mutual-long: guest-mutual_test

# ---- other kernels -------------------------------------------------------------------------------

# Later releases than the kernel of this Debian: the module must build for them and work on them. Debian 13 has 6.12
# itself.
GUEST_RELEASES := $(if $(filter 12,$(shell . /etc/os-release && echo $$VERSION_ID)),6.12)

# Tests that can fail on another release, and the ring in host memory without an IOMMU, which driver_test.sh otherwise
# omits; all other tests do not depend on the release. No test is repeated as often as on this release's kernel.
.PHONY: $(GUEST_RELEASES:%=check-guest-%)
# Files that the inner make and this one would build at the same time are built before.
$(GUEST_RELEASES:%=check-guest-%): check-guest-%: $(GUEST_BINARIES) $(B)/emu/qemu/smile-monitor.so sim \
		| $(OWNER)
	+@DRIVER_PARTS="default host" GUEST_LESS=5 $(MAKE) --no-print-directory check-guest check-module-guest \
		GUEST=$(B)/guest-$* GUEST_TESTS=tests/guest/driver_test.sh

# The driver without a warning, against the headers of this Debian release's kernel, and as the kernel's
# style check wants it; check-guest-RELEASE has the same for its kernel.
.PHONY: check-module
check-module: check-module-guest check-checkpatch

.PHONY: check-module-guest
check-module-guest: $(GUEST_MODULE) | $(OWNER)
	@$(RUN) "tests/guest/module_check.sh $(GUEST)"

.PHONY: check-checkpatch
check-checkpatch: | $(OWNER)
	@B=$(B) $(RUN) tests/checkpatch.sh

# Kernels that find faults which no test can find: they are built here, are slow, and are not part of make check.
# check.sh builds both, then runs as many of their guests at the same time as `make check`, and prints the closing
# lines.
GUEST_DEBUG_KINDS := kasan kcsan
DEBUG_SUITES := $(GUEST_DEBUG_KINDS:%=check-debug-%) check-checkpatch

.PHONY: check-debug-kernel check-debug-kernel-all $(GUEST_DEBUG_KINDS:%=check-debug-%)
check-debug-kernel: export SMILE_TALLY = $(abspath $(B)/tally-debug)
check-debug-kernel: deps-debug-kernel $(OWNER)
	+@$(OWNER) tests/harness/check.sh $(MAKE) check-debug-kernel-all

check-debug-kernel-all: $(DEBUG_SUITES)

# Files that both would build are built before. Each kernel is always checked, since its configuration may have
# changed.
$(GUEST_DEBUG_KINDS:%=check-debug-%): check-debug-%: $(GUEST_BINARIES) $(B)/emu/qemu/smile-monitor.so sim \
		place place-programs | $(OWNER)
	+@$(if $(BUILT),,$(MAKE) --no-print-directory guest-kernel GUEST=$(B)/guest-$* &&) \
		$(MAKE) --no-print-directory check-guest GUEST=$(B)/guest-$*

CHECK_LONG += check-guest $(GUEST_RELEASES:%=check-guest-%)
CHECK_SUITES += check-module
