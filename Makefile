# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# SMiLE Monitor. Two commands matter:
#
#	make demo	install what is missing, build all, run SOR's traffic through the card in QEMU
#	make check	the tests
#
# `make help` lists the rest. Each room has a build.mk with its own files; this one holds what they
# share. Nothing is ever written outside $(B).

B := build
CC ?= gcc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
VERSION := 0.1.0

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	-Wwrite-strings -Wno-unused-parameter
ALL_CPPFLAGS = -Iinclude -I. -D_GNU_SOURCE -DSMILE_VERSION='"$(VERSION)"' $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(SANITIZE_FLAGS) $(CFLAGS)
ALL_LDFLAGS = $(SANITIZE_FLAGS) $(LDFLAGS)

# make SANITIZE=1: everything in user space under AddressSanitizer and UBSan, in a tree of its own.
ifdef SANITIZE
B := build/sanitize
SANITIZE_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
endif

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

.PHONY: all
all:

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

include $(wildcard emu/card/build.mk emu/machine/build.mk emu/workload/build.mk emu/qemu/build.mk)
include $(wildcard lib/build.mk tools/build.mk kmod/build.mk)
include $(wildcard tests/unit/build.mk tests/conformance/build.mk tests/tools/build.mk)
include $(wildcard tests/qemu/build.mk tests/guest/driver.mk) $(wildcard tests/guest/build.mk)
include $(wildcard tests/reference/build.mk tests/fuzz/build.mk tests/model/build.mk)
include $(wildcard tests/bench/build.mk)

-include $(wildcard $(B)/lib/*.d $(B)/tools/*.d $(B)/emu/*/*.d $(B)/tests/*.d \
	$(B)/tests/*/*.d)

# ---- what a fresh machine lacks --------------------------------------------------------------------

# Debian packages, and what each is for. Everything but apt-get runs without root.
DEPS := \
	libc6-dev pkg-config libpcap-dev libpci-dev libjansson-dev libcmocka-dev \
	clang-format sparse jq \
	qemu-system-x86 seabios busybox-static kmod cpio xz-utils socat \
	dpkg-dev python3 libglib2.0-dev libelf-dev bc \
	spin

# And for `make qemu`, which builds a whole QEMU, and for `make fuzz`, which needs libFuzzer.
QEMU_DEPS := meson ninja-build flex bison libfdt-dev libpixman-1-dev zlib1g-dev
FUZZ_DEPS := clang libclang-rt-14-dev

.PHONY: deps deps-qemu deps-fuzz
deps:
	@DEPS="$(DEPS)" tests/deps.sh

deps-qemu:
	@DEPS="$(DEPS) $(QEMU_DEPS)" tests/deps.sh

deps-fuzz:
	@DEPS="$(DEPS) $(FUZZ_DEPS)" tests/deps.sh

# ---- the two commands ------------------------------------------------------------------------------

.PHONY: demo
demo: deps
	+@$(MAKE) --no-print-directory demo-run

.PHONY: demo-run
demo-run: guest-image qemu-plugin
	B=$(B) tests/guest/demo.sh

.PHONY: check check-all
check: deps
	@mkdir -p $(B) && rm -f $(B)/tally
	+@SMILE_TALLY=$(abspath $(B)/tally) $(MAKE) --no-print-directory -k check-all; \
		status=$$?; tests/total.sh $(B)/tally $$status

check-all: check-style check-unit check-reference check-model check-tools check-install \
	check-conformance check-sanitize check-module check-qemu check-guest

# The programs that drive the card in QEMU live for one case each and free nothing: no leak check.
.PHONY: check-sanitize
check-sanitize:
	+@$(MAKE) --no-print-directory SANITIZE=1 check-unit check-reference check-fuzz \
		check-tools check-conformance
	+@ASAN_OPTIONS=detect_leaks=0 $(MAKE) --no-print-directory SANITIZE=1 check-qemu

# The driver without a warning, against the guest's headers.
.PHONY: check-module
check-module: | $(GUEST_KERNEL)
	+@$(MAKE) --no-print-directory check-kmod KDIR=$(abspath $(GUEST_KDIR))
	@[ -z "$$SMILE_TALLY" ] || echo 1 0 0 >> "$$SMILE_TALLY"

.PHONY: check-style
check-style:
	tests/style.sh

.PHONY: format
format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

# ---- installation ----------------------------------------------------------------------------------

INSTALL_PREFIX = $(DESTDIR)$(PREFIX)

.PHONY: install
install: all
	install -d $(INSTALL_PREFIX)/bin $(INSTALL_PREFIX)/lib/pkgconfig \
		$(INSTALL_PREFIX)/include/smile-monitor/smile \
		$(INSTALL_PREFIX)/include/smile-monitor/uapi $(INSTALL_PREFIX)/share/man/man1 \
		$(INSTALL_PREFIX)/share/man/man7
	install $(B)/bin/smile $(INSTALL_PREFIX)/bin
	install -m 644 $(LIB_SHARED) $(LIB_STATIC) $(INSTALL_PREFIX)/lib
	ln -sf $(LIB_SONAME) $(INSTALL_PREFIX)/lib/libsmile-monitor.so
	install -m 644 $(B)/libsmile-monitor.pc $(INSTALL_PREFIX)/lib/pkgconfig
	install -m 644 include/smile/monitor.h $(INSTALL_PREFIX)/include/smile-monitor/smile
	install -m 644 include/uapi/smile_monitor.h $(INSTALL_PREFIX)/include/smile-monitor/uapi
	install -m 644 docs/man/*.1 $(INSTALL_PREFIX)/share/man/man1
	install -m 644 docs/man/*.7 $(INSTALL_PREFIX)/share/man/man7

.PHONY: help
help:
	@echo 'make demo       install what is missing, build, run SOR through the card in QEMU'
	@echo 'make check      the tests'
	@echo 'make            library and tool, in $(B)/'
	@echo 'make kmod       the driver, for the kernel whose headers are in KDIR='
	@echo 'make qemu-plugin   the card as a plug-in of the installed QEMU 7.2'
	@echo 'make qemu       a QEMU of its own with the card in its tree (five minutes)'
	@echo 'make bench      speed: tables of ratios'
	@echo 'make fuzz       libFuzzer on the card and on the parsers, FUZZ_SECONDS=600 each'
	@echo 'make check-unit check-reference check-model check-fuzz check-tools check-conformance'
	@echo '     check-sanitize check-kmod check-qemu check-guest   parts of make check'
	@echo 'make format     clang-format on every source'
	@echo 'make install    DESTDIR= and PREFIX= as usual; the driver is not installed by this'
	@echo 'make deps       the Debian packages: $(DEPS)'

.PHONY: clean
clean:
	rm -rf build
