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

WARNINGS := -Wall -Wextra -Werror -Wmissing-prototypes -Wstrict-prototypes -Wshadow \
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
include $(wildcard tests/unit/build.mk tests/conformance/build.mk tests/guest/build.mk)
include $(wildcard tests/bench/build.mk)

-include $(wildcard $(B)/lib/*.d $(B)/tools/*.d $(B)/emu/*/*.d $(B)/tests/*/*.d)

.PHONY: clean
clean:
	rm -rf build
