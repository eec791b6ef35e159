# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The guest: a Debian kernel, a small file system, QEMU. `make guest-image` makes all that run.sh
# needs but the card's plug-in; `make check-guest` runs tests/guest/*_test.sh.

# Programs that go into the guest's /usr/bin. Rooms read before this one may have added theirs.
GUEST_BINARIES += $(B)/bin/smile
GUEST_KERNEL := $(B)/guest/vmlinux
GUEST_KDIR := $(B)/guest/headers
GUEST_MODULE := $(B)/kmod/smile_monitor.ko
GUEST_IMAGE := $(B)/guest/initramfs
# All tests, or those named: make check-guest GUEST_TESTS=tests/guest/module_test.sh
GUEST_TESTS ?= $(sort $(wildcard tests/guest/*_test.sh))

# Once fetched, the kernel stays: an archive that moves on breaks no build. `make guest-kernel`
# looks for a newer one.
$(GUEST_KERNEL):
	B=$(B) tests/guest/kernel.sh

.PHONY: guest-kernel
guest-kernel:
	B=$(B) tests/guest/kernel.sh

# Kbuild decides whether the module is out of date.
.PHONY: guest-module
guest-module: | $(GUEST_KERNEL)
	+@$(MAKE) --no-print-directory kmod KDIR=$(abspath $(GUEST_KDIR)) >$(B)/guest/module.log 2>&1 || \
		{ cat $(B)/guest/module.log >&2; exit 1; }

$(GUEST_MODULE): guest-module ;

$(GUEST_IMAGE): $(GUEST_BINARIES) $(GUEST_MODULE) tests/guest/init tests/guest/initramfs.sh \
		| $(GUEST_KERNEL)
	B=$(B) tests/guest/initramfs.sh --output $@ --module $(GUEST_MODULE) $(GUEST_BINARIES)

.PHONY: guest-image
guest-image: $(GUEST_IMAGE)

.PHONY: check-guest
check-guest: $(GUEST_IMAGE) $(B)/emu/qemu/smile-monitor.so
	B=$(B) tests/guest/tests.sh $(GUEST_TESTS)
