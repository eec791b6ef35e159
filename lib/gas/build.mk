# SPDX-License-Identifier: MIT
#
# libsmile-gas: a global address space over libsisci. Shared, static, and its pkg-config file.
GAS_SONAME := libsmile-gas.so.0
GAS_SHARED := $(B)/$(GAS_SONAME)
GAS_STATIC := $(B)/libsmile-gas.a
GAS_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/gas/*.c))

$(GAS_OBJECTS): ALL_CPPFLAGS += -Iinclude/sisci

$(GAS_STATIC): $(GAS_OBJECTS)
	@rm -f $@ $(@:.a=.o)
	$(LD) -r -o $(@:.a=.o) $^
	objcopy --localize-hidden $(@:.a=.o)
	$(AR) rcs $@ $(@:.a=.o)

$(GAS_SHARED): $(GAS_OBJECTS) lib/gas/libsmile-gas.map $(SISCI_SHARED)
	$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(GAS_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/gas/libsmile-gas.map -o $@ $(GAS_OBJECTS) -L$(B) -lsisci
	ln -sf $(GAS_SONAME) $(B)/libsmile-gas.so

# Made anew each time, as libsmile-monitor.pc is.
.PHONY: $(if $(BUILT),,$(B)/libsmile-gas.pc)
$(B)/libsmile-gas.pc:
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		lib/gas/libsmile-gas.pc.in > $@

-include $(GAS_OBJECTS:.o=.d)

.PHONY: lib-gas install-gas
lib-gas: $(GAS_SHARED) $(GAS_STATIC) $(B)/libsmile-gas.pc
all: lib-gas

install: install-gas
install-gas: lib-gas
	install -d $(INSTALL_PREFIX)/include/smile-monitor/smile $(INSTALL_LIBDIR)/pkgconfig
	install -m 644 include/smile/gas.h $(INSTALL_PREFIX)/include/smile-monitor/smile
	install -m 644 $(GAS_SHARED) $(GAS_STATIC) $(INSTALL_LIBDIR)
	ln -sf $(GAS_SONAME) $(INSTALL_LIBDIR)/libsmile-gas.so
	install -m 644 $(B)/libsmile-gas.pc $(INSTALL_LIBDIR)/pkgconfig
