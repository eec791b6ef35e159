# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The adapter model: a static library for tests. emu/qemu compiles the sources itself.
ADAPTER_SOURCES := $(wildcard emu/adapter/*.c)
ADAPTER_OBJECTS := $(ADAPTER_SOURCES:%.c=$(B)/%.o)

$(B)/libadapter.a: $(ADAPTER_OBJECTS)
	$(archive)
