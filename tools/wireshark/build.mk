# The dissector for Wireshark and tshark: the tables of include/hw in front of the code. Debian's Wireshark
# looks in /usr/lib/TRIPLET/wireshark/plugins, so with another LIBDIR it must be named (docs/guide.md).
DISSECTOR := $(B)/smile.lua
WIRESHARK := tools/wireshark

$(B)/$(WIRESHARK)/lua/tables: $(B)/$(WIRESHARK)/lua/tables.o
	$(CC) $(ALL_CFLAGS) $< -o $@ $(ALL_LDFLAGS)

$(DISSECTOR): $(B)/$(WIRESHARK)/lua/tables $(WIRESHARK)/lua/dissector.lua $(WIRESHARK)/lua/cable.lua
	$(B)/$(WIRESHARK)/lua/tables >$@
	cat $(WIRESHARK)/lua/dissector.lua $(WIRESHARK)/lua/cable.lua >>$@

.PHONY: dissector install-dissector
dissector: $(DISSECTOR)
all: dissector

install: install-dissector
install-dissector: dissector
	install -d $(INSTALL_LIBDIR)/wireshark/plugins \
		$(INSTALL_PREFIX)/share/wireshark/profiles/SMiLE
	install -m 644 $(DISSECTOR) $(INSTALL_LIBDIR)/wireshark/plugins
	install -m 644 $(WIRESHARK)/profile/* $(INSTALL_PREFIX)/share/wireshark/profiles/SMiLE
