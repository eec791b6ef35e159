# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The tracer: a plug-in of qemu-x86_64. The tracer declares the functions of QEMU that it uses; the emulator that loads
# the tracer defines them. An emulator without a sanitizer cannot load a plug-in that was built with one.

TRACER := $(B)/smile-tracer.so
TRACER_OBJECTS := $(patsubst %.c,$(PLAIN)/tracer/%.o,$(wildcard run/tracer/*.c))

.PHONY: tracer
tracer: $(TRACER)
all: $(TRACER)

$(TRACER): $(TRACER_OBJECTS)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-z,now $(LDFLAGS) $^ -o $@

$(PLAIN)/tracer/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

-include $(TRACER_OBJECTS:.o=.d)
