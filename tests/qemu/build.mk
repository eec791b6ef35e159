# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the card as a QEMU device, without a guest: `make check-qemu` takes seconds. A QEMU that
# contains the device instead of loading it: make check-qemu QEMU=build/qemu-reference/qemu-system-x86_64

QEMU_TEST := $(B)/tests/qemu/device_test
QEMU_TEST_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard tests/qemu/*.c))

$(QEMU_TEST): $(QEMU_TEST_OBJECTS) $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^

# The same plug-in with other assumptions about QEMU's structures.
QEMU_MISFIT := $(B)/tests/qemu/misfit.so
QEMU_MISFIT_OBJECTS := $(B)/tests/qemu/misfit/plugin.o \
	$(filter-out %/plugin.o,$(QEMU_PLUGIN_OBJECTS))

$(B)/tests/qemu/misfit/plugin.o: emu/qemu/plugin.c tests/qemu/misfit/config-host.h $(QEMU_STAMP)
	@mkdir -p $(@D)
	$(CC) -Itests/qemu/misfit $(QEMU_CPPFLAGS) $(QEMU_CFLAGS) -MMD -MP -c $< -o $@

$(QEMU_MISFIT): $(QEMU_MISFIT_OBJECTS)
	$(CC) -shared -Wl,-z,now $(LDFLAGS) $^ -o $@

# Not under the sanitizers: QEMU cannot load a sanitized plug-in, and the card's own tests run under them.
.PHONY: check-qemu
ifdef QEMU
check-qemu: $(QEMU_TEST) | $(OWNER)
	@$(RUN) "tests/qemu/smoke.sh $(QEMU_TEST)"
else
check-qemu: $(QEMU_TEST) $(QEMU_PLUGIN) $(QEMU_MISFIT) | $(OWNER)
	@$(RUN) "tests/qemu/smoke.sh $(QEMU_TEST) $(QEMU_PLUGIN) $(QEMU_MISFIT)"
endif

CHECK_LONG += check-qemu
