# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# SMiLE Monitor. Two commands matter:
#
#	make demo	install what is missing, build all, run SOR's traffic through the card in QEMU
#	make check	the tests
#
# `make help` lists the other targets. Each room has a build.mk with its own files; this file holds the
# rules and variables that they share. Nothing is ever written outside $(B).

B := build
CC ?= gcc
CFLAGS ?= -O2 -g
# PREFIX is read from the command line, not from the environment, where perf, conda and others set it.
PREFIX := /usr/local
LIBDIR = $(PREFIX)/lib
VERSION := 0.1.0

# Warnings are for developers, since other compilers have other warnings. WERROR=1, which CI sets, makes them errors.
WERROR :=
WERROR_FLAG := $(if $(WERROR),-Werror)
WARNINGS := -Wall -Wextra -Wpedantic $(WERROR_FLAG) -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	-Wwrite-strings -Wfloat-conversion -Wno-unused-parameter
ALL_CPPFLAGS = -Iinclude -I. -D_GNU_SOURCE -DSMILE_VERSION='"$(VERSION)"' $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SANITIZE_FLAGS)
# Link options of a program, and of a shared library.
ALL_LDFLAGS = -Wl,--as-needed $(SANITIZE_FLAGS) $(SANITIZE_PROGRAM) $(LDFLAGS)
SHARED_LDFLAGS = -Wl,--as-needed $(SANITIZE_FLAGS) $(LDFLAGS)

# make SANITIZE=1 builds everything in user space with AddressSanitizer and UBSan, in a separate tree. Objects that
# cannot have a sanitizer are compiled once, in $(PLAIN), and linked in both trees. To save time, it compiles with -g1,
# and with -O0 where little code is executed: the tools, and all tests except the reference card; it links by gold. A
# program starts sooner at a fixed address, with the sanitizers' libraries linked in, and without the data of UBSan's
# messages, which is nine tenths of all data: undefined behavior is then an illegal instruction, whose line
# AddressSanitizer reports. `make SANITIZE=1 SANITIZE_TRAP=-fno-sanitize-recover=all` has the messages.
PLAIN := $(B)
ifdef SANITIZE
B := $(PLAIN)/sanitize
SANITIZE_FLAGS = $(if $(filter-out tests/reference/%,$(filter tests/% tools/%,$<)),-O0,-O1) -g1 \
	-fsanitize=address,undefined $(SANITIZE_TRAP) -fno-omit-frame-pointer
SANITIZE_TRAP := -fsanitize-undefined-trap-on-error
export ASAN_OPTIONS := handle_sigill=2
SANITIZE_PROGRAM := -no-pie -static-libasan -static-libubsan
LDFLAGS += $(if $(shell command -v ld.gold),-fuse-ld=gold)
export TEST_KIND := sanitize
endif

# The owner of the processes of tests, and the command that runs tests. The owner ends them with make, however make
# ends; "exec" is needed, since make passes a termination on to its own children only. With RUN=, a suite is built but
# not run; with BUILT=yes, no existing file is made, not even files that are otherwise always made again.
OWNER := build/tests/owner
RUN := exec $(OWNER) tests/harness/run.sh

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

.PHONY: all
all:

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# Objects of the programs and libraries that are linked here.
define archive
@rm -f $@
$(AR) rcs $@ $^
endef

# A static library that needs no other objects. Its internal names are made local, so that they do not conflict with
# names of a program; tests, which call internal functions, link archives of the same objects.
define static_library
@rm -f $@ $(@:.a=.o)
$(LD) -r -o $(@:.a=.o) $^
objcopy --localize-hidden $(@:.a=.o)
$(AR) rcs $@ $(@:.a=.o)
endef

# Always made again: they depend on PREFIX and LIBDIR, whose changes make does not notice.
vpath %.pc.in lib $(wildcard lib/*)
$(B)/%.pc: %.pc.in $(if $(BUILT),,always)
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@
.PHONY: always

# The guest: tests/guest/build.mk.
GUEST ?= $(B)/guest
CLUSTER_IMAGE := $(GUEST)/cluster-image

# Suites: each room of tests/ adds its own to these lists in its build.mk.
#
#	CHECK_SUITES	make check
#	CHECK_LONG	make check, for suites that take half a minute or more: they begin first
#	CHECK_QUICK	make check-quick
#	CHECK_SANITIZE	make check-sanitize, a part of make check: with the sanitizers. docs/design/tests.md lists
#			the suites that make check also runs without them
CHECK_SUITES := check-style
CHECK_LONG := check-sanitize
CHECK_QUICK := check-style
CHECK_SANITIZE :=
# The suites $(1), the long ones first.
long_first = $(filter $(1),$(CHECK_LONG)) $(filter-out $(CHECK_LONG),$(1))

include $(wildcard emu/card/build.mk emu/trace/build.mk emu/cable/build.mk emu/ring/build.mk emu/adapter/build.mk \
	emu/machine/build.mk)
include $(wildcard emu/qemu/build.mk $(patsubst %,run/%/build.mk,schedule allocations session sample))
include $(wildcard lib/build.mk lib/analysis/build.mk lib/estimate/build.mk lib/marks/build.mk lib/trace-db/build.mk)
include $(wildcard lib/exchange/build.mk lib/pcapng/build.mk lib/python/build.mk lib/sisci/build.mk lib/gas/build.mk)
include $(wildcard run/tracer/build.mk run/preload/build.mk run/place/build.mk run/workload/build.mk)
include $(wildcard tools/build.mk tools/wireshark/build.mk kmod/build.mk)
include $(sort $(wildcard tests/*/build.mk))

-include $(wildcard $(B)/lib/*/*.d $(B)/lib/*/*/*.d $(B)/tools/*.d $(B)/tools/*/*.d $(B)/emu/*/*.d $(B)/run/*/*.d \
	$(B)/tests/*.d $(B)/tests/*/*.d)

# ---- dependencies ----------------------------------------------------------------------------------

# Debian packages; PACKAGE@COMMAND is installed only if the command does not exist. Everything except apt-get runs
# without root. The packages of the demo are first: it installs no others.
DEMO_DEPS := \
	libc6-dev pkg-config libpcap-dev libpci-dev libdw-dev libiberty-dev libjansson-dev libmicrohttpd-dev \
	libncurses-dev libnuma-dev libpfm4-dev libsqlite3-dev \
	qemu-system-x86 seabios busybox-static kmod cpio xz-utils zstd socat \
	dpkg-dev python3 libglib2.0-dev libelf-dev bc $(QEMU_USER_DEPS)
DEPS := $(DEMO_DEPS) \
	libcmocka-dev liblapacke-dev libopenblas-dev \
	clang-format sparse gojq tshark \
	spin tcc linux-perf gnuplot-nox \
	dkms pahole build-essential debhelper dh-dkms udev \
	sqlite3 \
	chromium-headless-shell fonts-dejavu-core nodejs@node npm@npm \
	bash zsh procps \
	g++ gfortran

# Packages for `make qemu`, which builds a whole QEMU, and for `make fuzz`, which needs libFuzzer.
QEMU_DEPS := meson ninja-build flex bison libfdt-dev libpixman-1-dev zlib1g-dev
FUZZ_DEPS := clang libclang-rt-dev

# Packages for `make man3`, which makes docs/man/man3 from comments of headers with the guest kernel's kernel-doc.
MAN_DEPS := perl

# Packages for `make bench`: the peers of `smile run`, `smile report` and `smile ring`.
BENCH_DEPS := valgrind libns3-dev

# Packages for `make check-debug-kernel`, which builds kernels.
DEBUG_KERNEL_DEPS := flex bison perl

# tests/browser gets the tests' playwright-core from npm.
.PHONY: deps deps-demo deps-debian deps-qemu deps-fuzz deps-bench deps-debug-kernel deps-man
deps: deps-debian
	+@$(MAKE) --no-print-directory deps-browser

deps-demo:
	@DEPS="$(DEMO_DEPS)" tests/deps.sh

deps-debian:
	@DEPS="$(DEPS)" tests/deps.sh

deps-qemu:
	@DEPS="$(DEPS) $(QEMU_DEPS)" tests/deps.sh

deps-fuzz:
	@DEPS="$(DEPS) $(FUZZ_DEPS)" tests/deps.sh

deps-bench:
	@DEPS="$(DEPS) $(BENCH_DEPS)" tests/deps.sh
	+@$(MAKE) --no-print-directory deps-browser

deps-man:
	@DEPS="$(DEPS) $(MAN_DEPS)" tests/deps.sh

deps-debug-kernel:
	@DEPS="$(DEPS) $(DEBUG_KERNEL_DEPS)" tests/deps.sh

# ---- the two commands ------------------------------------------------------------------------------

# Runs on all processors, unless -j is given.
.PHONY: demo
demo: deps-demo
	+@case " $$MAKEFLAGS" in *" -j"* | *--jobserver*) jobs= ;; *) jobs=-j$$(nproc) ;; esac; \
		$(MAKE) --no-print-directory $$jobs demo-run

.PHONY: demo-run
demo-run: $(CLUSTER_IMAGE) qemu-plugin qemu-user sim
	B=$(B) tests/guest/demo.sh
	B=$(B) tests/demo/demo.sh

# Everything is built first, then the suites run on all processors; the longest begin first, so that no processor waits
# for the last. tests/harness/run.sh owns the programs' processes.
.PHONY: check check-all
check: export SMILE_TALLY = $(abspath $(B)/tally)
check: deps qemu-user $(OWNER)
	+@$(OWNER) tests/harness/check.sh $(MAKE) check-all

check-all: $(CHECK_LONG) $(CHECK_SUITES)

# Suites to run between two edits: no guest, no browser, no file that is built twice. The limit is 90 seconds after the
# build, which two processors keep with 120 s of processor time; other suites run only in `make check`.
.PHONY: check-quick check-quick-all
check-quick: export SMILE_TALLY = $(abspath $(B)/tally-quick)
check-quick: $(OWNER)
	+@$(OWNER) tests/harness/check.sh $(MAKE) check-quick-all

check-quick-all: $(call long_first,$(CHECK_QUICK))

# Files that both trees use are made before.
.PHONY: check-sanitize
check-sanitize: $(QEMU_STAMP) $(QEMU_PLUGIN_OBJECTS) $(TRACER_OBJECTS) $(PRELOAD_OBJECTS) | $(OWNER)
	+@$(MAKE) --no-print-directory SANITIZE=1 $(call long_first,$(CHECK_SANITIZE))

.PHONY: check-style
check-style: | $(OWNER)
	@$(RUN) tests/style.sh
	@$(RUN) tests/tour.sh

.PHONY: format
format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

# ---- installation ----------------------------------------------------------------------------------

INSTALL_PREFIX = $(DESTDIR)$(PREFIX)
INSTALL_LIBDIR = $(DESTDIR)$(LIBDIR)
# lib$(1), its headers $(2) in include/$(3), and its pkg-config file $(4), or lib$(1).pc.
define install_library
install -d $(INSTALL_PREFIX)/include/$(3) $(INSTALL_LIBDIR)/pkgconfig
install -m 644 $(2) $(INSTALL_PREFIX)/include/$(3)
install -m 644 $(B)/lib$(1).so.0 $(B)/lib$(1).a $(INSTALL_LIBDIR)
ln -sf lib$(1).so.0 $(INSTALL_LIBDIR)/lib$(1).so
install -m 644 $(B)/$(or $(4),lib$(1).pc) $(INSTALL_LIBDIR)/pkgconfig
endef

.PHONY: install
install: all install-admin
	install -d $(INSTALL_PREFIX)/bin $(INSTALL_PREFIX)/include/smile-monitor/uapi $(INSTALL_PREFIX)/share/man/man1 \
		$(INSTALL_PREFIX)/share/man/man3 $(INSTALL_PREFIX)/share/man/man4 \
		$(INSTALL_PREFIX)/share/man/man7
	install $(B)/bin/smile $(INSTALL_PREFIX)/bin
	$(call install_library,smile-monitor,include/smile/monitor.h,smile-monitor/smile)
	install -d $(INSTALL_PREFIX)/include/smile-monitor/smile/monitor
	install -m 644 include/smile/monitor/*.h $(INSTALL_PREFIX)/include/smile-monitor/smile/monitor
	install -m 644 include/uapi/smile_monitor.h include/uapi/smile_trace.h $(INSTALL_PREFIX)/include/smile-monitor/uapi
	install -d $(INSTALL_PREFIX)/share/bash-completion/completions \
		$(INSTALL_PREFIX)/share/zsh/vendor-completions
	install -m 644 tools/completion/smile.bash $(INSTALL_PREFIX)/share/bash-completion/completions/smile
	install -m 644 tools/completion/_smile $(INSTALL_PREFIX)/share/zsh/vendor-completions
	install -m 644 docs/man/*.1 $(INSTALL_PREFIX)/share/man/man1
	install -m 644 docs/man/man3/* $(INSTALL_PREFIX)/share/man/man3
	install -m 644 docs/man/*.4 $(INSTALL_PREFIX)/share/man/man4
	install -m 644 docs/man/*.7 $(INSTALL_PREFIX)/share/man/man7

# The group that may use a card. udev and sysusers look below /usr/lib and /usr/local/lib, whatever LIBDIR is.
.PHONY: install-admin
install-admin:
	install -d $(INSTALL_PREFIX)/lib/udev/rules.d $(INSTALL_PREFIX)/lib/sysusers.d
	install -m 644 kmod/70-smile-monitor.rules $(INSTALL_PREFIX)/lib/udev/rules.d
	install -m 644 kmod/smile-monitor-sysusers.conf \
		$(INSTALL_PREFIX)/lib/sysusers.d/smile-monitor.conf

.PHONY: help
help:
	@echo 'make demo       install what is missing, build, run SOR through the card in QEMU'
	@echo 'make cluster-demo   SOR on four guests, which moves its pages by the counts of their cards'
	@echo 'make check      the tests, on all processors'
	@echo 'make check-quick   the tests that find most in 90 seconds, between two edits'
	@echo 'make            library and tool, in $(B)/'
	@echo 'make kmod       the driver, for the kernel whose headers are in KDIR='
	@echo 'make qemu-plugin   the card as a plug-in of the installed QEMU (7.2 or later); of a QEMU that was built'
	@echo '                from other sources: QEMU_SOURCE=DIRECTORY'
	@echo 'make qemu-user  a qemu-x86_64 that `smile run` can use, if the installed one has no plug-ins'
	@echo 'make qemu       a separate QEMU with the card in its tree (five minutes)'
	@echo 'make bench      speed: tables of ratios'
	@echo 'make papers     the figures and tables of docs/papers.md, into $(B)/papers'
	@echo 'make fuzz       libFuzzer on the card, the parsers and the replay, FUZZ_SECONDS=600 each'
	@echo 'make check-NAME   one suite of make check:'
	@echo '$(sort $(CHECK_LONG) $(CHECK_SUITES) $(CHECK_SANITIZE))' | fold -s -w 76 | sed 's/^/     /'
	@echo 'make check-model-long   the models at larger sizes: minutes, and 8 GB of memory'
	@echo 'make check-mutual-long   nodes that access each other while cards count: half an hour'
	@echo 'make check-races   the programs that tests run, under ThreadSanitizer'
	@echo 'make check-debug-kernel   the guest tests on kernels with KASAN, lockdep, KCSAN'
	@echo 'make check-programs   programs of Debian under smile run: the results in docs/programs.md'
	@echo 'make check-programs-advice   advice of smile advise on other programs: the results in docs/programs.md'
	@echo 'make check-release   both commands in a minimal system: RELEASE=bookworm, trixie, sid (root)'
	@echo 'make format     clang-format on every source'
	@echo 'make man3       docs/man/man3 from the comments of the public headers'
	@echo 'make install    DESTDIR=, PREFIX= and LIBDIR= as usual; all but the driver. DIS=/opt/DIS: links to libsisci there'
	@echo 'make install-kmod   the driver, for the kernel whose headers are in KDIR='
	@echo 'make install-dkms   the sources of the driver, which DKMS builds for every kernel'
	@echo 'make deps       playwright-core, and the Debian packages: $(DEPS)'

.PHONY: clean
clean:
	rm -rf build
