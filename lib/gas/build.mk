# SPDX-License-Identifier: MIT
#
# libsmile-gas: a global address space over libsisci. This file has the rules for the shared library, the static library
# and the pkg-config file. The unit tests link to GAS_INSIDE.
GAS_SONAME := libsmile-gas.so.0
GAS_SHARED := $(B)/$(GAS_SONAME)
GAS_STATIC := $(B)/libsmile-gas.a
GAS_INSIDE := $(B)/libgas-inside.a
GAS_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/gas/*.c))

$(GAS_OBJECTS): ALL_CPPFLAGS += -Iinclude/sisci

$(GAS_STATIC): $(GAS_OBJECTS)
	$(static_library)

$(GAS_INSIDE): $(GAS_OBJECTS)
	$(archive)

$(GAS_SHARED): $(GAS_OBJECTS) lib/gas/libsmile-gas.map $(SISCI_SHARED)
	$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(GAS_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/gas/libsmile-gas.map -o $@ $(GAS_OBJECTS) -L$(B) -lsisci
	ln -sf $(GAS_SONAME) $(B)/libsmile-gas.so

-include $(GAS_OBJECTS:.o=.d)

.PHONY: lib-gas install-gas
lib-gas: $(GAS_SHARED) $(GAS_STATIC) $(B)/libsmile-gas.pc
all: lib-gas

install: install-gas
install-gas: lib-gas
	$(call install_library,smile-gas,include/smile/gas.h,smile-monitor/smile)
