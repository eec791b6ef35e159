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
# Not from the environment, where other programs leave a PREFIX (perf, conda): from the command line.
PREFIX := /usr/local
LIBDIR = $(PREFIX)/lib
VERSION := 0.1.0

# Warnings are for developers: another compiler has others. WERROR=1 makes errors of them, as CI does.
WERROR :=
WERROR_FLAG := $(if $(WERROR),-Werror)
WARNINGS := -Wall -Wextra -Wpedantic $(WERROR_FLAG) -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
	-Wwrite-strings -Wfloat-conversion -Wno-unused-parameter
ALL_CPPFLAGS = -Iinclude -I. -D_GNU_SOURCE -DSMILE_VERSION='"$(VERSION)"' $(CPPFLAGS)
ALL_CFLAGS = -std=c11 -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SANITIZE_FLAGS)
# Of a program, and of a shared library.
ALL_LDFLAGS = -Wl,--as-needed $(SANITIZE_FLAGS) $(SANITIZE_PROGRAM) $(LDFLAGS)
SHARED_LDFLAGS = -Wl,--as-needed $(SANITIZE_FLAGS) $(LDFLAGS)

# make SANITIZE=1: everything in user space under AddressSanitizer and UBSan, in a tree of its own. What cannot have
# a sanitizer is compiled once, in $(PLAIN), and linked in both trees. For the time that it takes to compile, with
# -g1; with -O0 what executes little: the tools, and all tests but the reference card; and linked by gold. A program
# starts sooner at a fixed address, with the sanitizers' own libraries in it, and without the data of UBSan's
# messages, which is nine tenths of all data: undefined behavior is an illegal instruction, of which
# AddressSanitizer reports the line. `make SANITIZE=1 SANITIZE_TRAP=-fno-sanitize-recover=all` has the messages.
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

# What owns the processes of tests, and what runs tests. The owner ends them with make, whatever ends make;
# "exec", since a make that is terminated passes that on to its own children only. With RUN=: a suite is
# built and not run; with BUILT=yes nothing is made that is there, even if it is always made anew otherwise.
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

# Objects for what is linked here.
define archive
@rm -f $@
$(AR) rcs $@ $^
endef

# A static library that is complete in itself. Its inner names are made local, so that they meet no others in a
# program; tests, which call them, link archives of the same objects.
define static_library
@rm -f $@ $(@:.a=.o)
$(LD) -r -o $(@:.a=.o) $^
objcopy --localize-hidden $(@:.a=.o)
$(AR) rcs $@ $(@:.a=.o)
endef

# Made anew each time: they depend on PREFIX and LIBDIR, which make does not see change.
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
#	CHECK_LONG	the same, for those that take half a minute or more: they begin first
#	CHECK_QUICK	make check-quick
#	CHECK_SANITIZE	make check-sanitize, a part of make check: under the sanitizers. docs/design/tests.md has
#			which suites run in make check without them, too
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

# ---- what a fresh machine lacks --------------------------------------------------------------------

# Debian packages; PACKAGE@COMMAND only if no such command is there. Everything but apt-get runs without
# root. The demo's own come first: it installs nothing else.
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

# And for `make qemu`, which builds a whole QEMU, and for `make fuzz`, which needs libFuzzer.
QEMU_DEPS := meson ninja-build flex bison libfdt-dev libpixman-1-dev zlib1g-dev
FUZZ_DEPS := clang libclang-rt-dev

# And for `make man3`, which makes docs/man/man3 from the headers' comments with the guest kernel's kernel-doc.
MAN_DEPS := perl

# And for `make bench`: the peers of `smile run`, `smile report` and `smile ring`.
BENCH_DEPS := valgrind libns3-dev

# And for `make check-debug-kernel`, which builds kernels.
DEBUG_KERNEL_DEPS := flex bison perl

# And from npm the tests' playwright-core, by tests/browser.
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

# On all processors, unless it is said on how many.
.PHONY: demo
demo: deps-demo
	+@case " $$MAKEFLAGS" in *" -j"* | *--jobserver*) jobs= ;; *) jobs=-j$$(nproc) ;; esac; \
		$(MAKE) --no-print-directory $$jobs demo-run

.PHONY: demo-run
demo-run: $(CLUSTER_IMAGE) qemu-plugin qemu-user sim
	B=$(B) tests/guest/demo.sh
	B=$(B) tests/demo/demo.sh

# Everything is built first, then the suites run on all processors; the longest begin first, so that no
# processor waits for the last. tests/harness/run.sh has the programs' processes.
.PHONY: check check-all
check: export SMILE_TALLY = $(abspath $(B)/tally)
check: deps qemu-user $(OWNER)
	+@$(OWNER) tests/harness/check.sh $(MAKE) check-all

check-all: $(CHECK_LONG) $(CHECK_SUITES)

# Between two edits: no guest, no browser, nothing that is built twice. The limit is 90 seconds, once
# built, which two processors keep with 120 s of processor time; other suites run in `make check` only.
.PHONY: check-quick check-quick-all
check-quick: export SMILE_TALLY = $(abspath $(B)/tally-quick)
check-quick: $(OWNER)
	+@$(OWNER) tests/harness/check.sh $(MAKE) check-quick-all

check-quick-all: $(call long_first,$(CHECK_QUICK))

# What both trees use is made before.
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
	@echo 'make cluster-demo   SOR on four guests, which moves its pages by what their cards count'
	@echo 'make check      the tests, on all processors'
	@echo 'make check-quick   those that find most in 90 seconds, between two edits'
	@echo 'make            library and tool, in $(B)/'
	@echo 'make kmod       the driver, for the kernel whose headers are in KDIR='
	@echo 'make qemu-plugin   the card as a plug-in of the installed QEMU (7.2 or later); of one that was built from'
	@echo '                other sources: QEMU_SOURCE=DIRECTORY'
	@echo 'make qemu-user  a qemu-x86_64 that `smile run` can use, if the installed one has no plug-ins'
	@echo 'make qemu       a QEMU of its own with the card in its tree (five minutes)'
	@echo 'make bench      speed: tables of ratios'
	@echo 'make papers     the figures and tables of docs/papers.md, into $(B)/papers'
	@echo 'make fuzz       libFuzzer on the card and on the parsers, FUZZ_SECONDS=600 each'
	@echo 'make check-NAME   one suite of make check:'
	@echo '$(sort $(CHECK_LONG) $(CHECK_SUITES) $(CHECK_SANITIZE))' | fold -s -w 76 | sed 's/^/     /'
	@echo 'make check-model-long   the models at larger sizes: minutes, and 8 GB of memory'
	@echo 'make check-mutual-long   nodes that access each other while cards count: half an hour'
	@echo 'make check-races   the programs that tests run, under ThreadSanitizer'
	@echo 'make check-debug-kernel   the guest tests on kernels with KASAN, lockdep, KCSAN'
	@echo 'make check-programs   programs of Debian under smile run: what docs/programs.md shows'
	@echo 'make check-programs-advice   what smile advise says of programs of others: the same page'
	@echo 'make check-release   both commands in a minimal system: RELEASE=bookworm, trixie, sid (root)'
	@echo 'make format     clang-format on every source'
	@echo 'make man3       docs/man/man3 from the comments of the public headers'
	@echo 'make install    DESTDIR=, PREFIX= and LIBDIR= as usual; all but the driver. DIS=/opt/DIS: links to libsisci there'
	@echo 'make install-kmod   the driver, for the kernel whose headers are in KDIR='
	@echo 'make install-dkms   its sources, for DKMS to build it for every kernel'
	@echo 'make deps       playwright-core, and the Debian packages: $(DEPS)'

.PHONY: clean
clean:
	rm -rf build
