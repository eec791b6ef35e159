# SPDX-License-Identifier: MIT
#
# libsisci: the SISCI API over the adapter's driver. This file has the rules for the shared library, the static
# library and the pkg-config file. Each call has two further names, under which the original libraries export it.
SISCI_SONAME := libsisci.so.0
SISCI_SHARED := $(B)/$(SISCI_SONAME)
SISCI_STATIC := $(B)/libsisci.a
SISCI_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/sisci/*.c))
SISCI_CALL_NAMES := $(shell awk -F', ' '/^CALL.*, SCI/ { print $$2 }' include/sisci/sisci_api.h)
SISCI_ALIASES := $(foreach name,$(SISCI_CALL_NAMES),-Wl,--defsym=_SISCI_PUBLIC_FUNC_ST_$(name)=$(name) \
	-Wl,--defsym=_SISCI_PUBLIC_FUNC_MT_$(name)=$(name))

$(SISCI_STATIC): $(SISCI_OBJECTS)
	$(archive)

$(SISCI_SHARED): $(SISCI_OBJECTS) lib/sisci/libsisci.map
	@$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(SISCI_SONAME) -Wl,-z,defs $(SISCI_ALIASES) \
		-Wl,--version-script=lib/sisci/libsisci.map -o $@ $(SISCI_OBJECTS) -lpthread
	ln -sf $(SISCI_SONAME) $(B)/libsisci.so

-include $(SISCI_OBJECTS:.o=.d)

.PHONY: lib-sisci install-sisci
lib-sisci: $(SISCI_SHARED) $(SISCI_STATIC) $(B)/sisci.pc
all: lib-sisci

install: install-sisci
install-sisci: lib-sisci
	$(call install_library,sisci,include/sisci/*.h,sisci,sisci.pc)
	install -d $(INSTALL_PREFIX)/include/smile-monitor/uapi
	install -m 644 include/uapi/smile_adapter.h $(INSTALL_PREFIX)/include/smile-monitor/uapi
	install -d $(INSTALL_PREFIX)/share/man/man3
	install -m 644 docs/man/sisci_*.3 $(INSTALL_PREFIX)/share/man/man3

# make install DIS=DIR: also install links to both libraries in the directories in which build systems for
# Dolphin's adapters search for them, for example DIS=/opt/DIS.
ifdef DIS
.PHONY: install-dis
install: install-dis
install-dis: install-sisci
	install -d $(addprefix $(DESTDIR)$(DIS)/,include lib lib64)
	ln -sf $(addprefix $(PREFIX)/,$(wildcard include/sisci/*.h)) $(DESTDIR)$(DIS)/include
	ln -sf $(addprefix $(LIBDIR)/,libsisci.so $(SISCI_SONAME)) $(DESTDIR)$(DIS)/lib
	ln -sf $(addprefix $(LIBDIR)/,libsisci.so $(SISCI_SONAME)) $(DESTDIR)$(DIS)/lib64
endif
