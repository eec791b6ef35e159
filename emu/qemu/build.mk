# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The card in QEMU, as a plug-in for the installed QEMU (qemu-plugin) or in a QEMU that contains it (qemu); and the QEMU
# of `smile run` (qemu-user). Files that are fetched or generated for a version of QEMU are in build/qemu/VERSION.

QEMU_CACHE := build/qemu
# make qemu-plugin QEMU_SOURCE=DIRECTORY: builds the plug-in for a QEMU that you have built from DIRECTORY.
ifdef QEMU_SOURCE
QEMU_VERSION := built-$(or $(shell cat $(QEMU_SOURCE)/VERSION),none)
QEMU_PACKAGE := $(QEMU_VERSION:built-%=%), from $(QEMU_SOURCE)
QEMU_PLUGIN := $(B)/$(QEMU_VERSION)/emu/qemu/smile-monitor.so
QEMU_OBJECTS := $(PLAIN)/plugin/$(QEMU_VERSION)
else
QEMU_PACKAGE := $(shell dpkg-query -W -f '$${source:Version}' qemu-system-x86 2>/dev/null)
QEMU_VERSION := $(lastword $(subst :, ,$(QEMU_PACKAGE)))
QEMU_PLUGIN := $(B)/emu/qemu/smile-monitor.so
QEMU_OBJECTS := $(PLAIN)/plugin
endif
QEMU_DIR := $(QEMU_CACHE)/$(or $(QEMU_VERSION),none)
QEMU_STAMP := $(QEMU_DIR)/headers.stamp

QEMU_PLUGIN_SOURCES := $(addprefix emu/qemu/,smile_monitor.c smile_trace.c slot.c pace.c feed.c vmstate.c \
	state_check.c smile_adapter.c fabric.c plugin.c)
QEMU_PLUGIN_PLAIN := emu/qemu/pcap_stream.c $(wildcard emu/card/*.c emu/trace/*.c emu/adapter/*.c)
QEMU_PLUGIN_OBJECTS := $(QEMU_PLUGIN_SOURCES:%.c=$(QEMU_OBJECTS)/%.o) $(QEMU_PLUGIN_PLAIN:%.c=$(PLAIN)/%.o)

# QEMU's source has later headers of Linux than the system. QEMU's headers require GNU C and wrapping arithmetic, and do
# not pass this project's warnings. A QEMU that was built without a sanitizer cannot load a plug-in that was built with
# one.
QEMU_CPPFLAGS = -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DSMILE_QEMU_PLUGIN -I$(QEMU_DIR)/include \
	-I$(QEMU_DIR)/include/qapi -isystem $(QEMU_DIR)/source/include -isystem $(QEMU_DIR)/source \
	-idirafter $(QEMU_DIR)/source/linux-headers -Iinclude -I. $(shell pkg-config --cflags glib-2.0)
QEMU_CFLAGS = -std=gnu11 -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-common -fwrapv \
	-Wall $(WERROR_FLAG) $(CFLAGS)

.PHONY: qemu-plugin qemu qemu-user
qemu-plugin: $(QEMU_PLUGIN)
	@echo "$(QEMU_PLUGIN): for QEMU $(QEMU_PACKAGE)"

# The QEMU with which `smile run` runs programs. On Debian 12, this is the packaged one. Later packages are linked
# statically and do not load plug-ins, so a QEMU is built from the same source, once for all trees (build-user.sh). The
# script is installed beside the tracer, as a command that `smile doctor` names.
QEMU_USER_DEPS := $(shell . /etc/os-release && [ "$$VERSION_ID" = 12 ] && echo qemu-user || \
	echo meson ninja-build python3-venv)
QEMU_BUILD := $(B)/build-qemu

$(QEMU_BUILD): emu/qemu/build-user.sh
	@mkdir -p $(@D)
	@ln -sf $(abspath $<) $@

all: $(QEMU_BUILD)

# If a QEMU was built, its directory is the first in PATH, because tests call QEMU by name.
QEMU_USER := $(abspath $(PLAIN)/qemu-user)
export PATH := $(QEMU_USER):$(PATH)

qemu-user: $(QEMU_BUILD)
	@qemu-x86_64 -h 2>/dev/null | grep -q -e '-plugin ' || { mkdir -p $(QEMU_USER) && \
		built=$$($(QEMU_BUILD) $(QEMU_CACHE)) && ln -sfn "$$built" $(QEMU_USER)/qemu-x86_64; }

install: install-qemu-build
.PHONY: install-qemu-build
install-qemu-build:
	install -d $(INSTALL_LIBDIR)/smile-monitor
	install emu/qemu/build-user.sh $(INSTALL_LIBDIR)/smile-monitor/build-qemu
	install emu/qemu/source.sh $(INSTALL_LIBDIR)/smile-monitor

qemu: deps-qemu
	emu/qemu/build-reference.sh $(QEMU_CACHE)

$(QEMU_STAMP): emu/qemu/headers.sh emu/qemu/source.sh
	emu/qemu/headers.sh $(QEMU_CACHE) $(QEMU_SOURCE) >/dev/null
	@touch $@

$(QEMU_PLUGIN): $(QEMU_PLUGIN_OBJECTS)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-z,now $(LDFLAGS) $^ -o $@

$(patsubst %.c,$(QEMU_OBJECTS)/%.o,$(QEMU_PLUGIN_SOURCES)): $(QEMU_OBJECTS)/%.o: %.c $(QEMU_STAMP)
	@mkdir -p $(@D)
	$(CC) $(QEMU_CPPFLAGS) $(QEMU_CFLAGS) -MMD -MP -c $< -o $@

# These objects are always built in the tree without a sanitizer, where the library and the tools also use them.
$(QEMU_PLUGIN_PLAIN:%.c=$(PLAIN)/%.o): $(PLAIN)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

-include $(QEMU_PLUGIN_OBJECTS:.o=.d)
