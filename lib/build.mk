# The shared library, which has a version script; the static library; and the pkg-config file.
LIB_OTHERS := $(addprefix lib/,$(addsuffix /%,marks trace-db analysis estimate exchange pcapng sisci gas))
LIB_SOURCES := $(filter-out $(LIB_OTHERS),$(wildcard lib/*/*.c))
LIB_OBJECTS := $(LIB_SOURCES:%.c=$(B)/%.o)
LIB_SONAME := libsmile-monitor.so.0
LIB_STATIC := $(B)/libsmile-monitor.a
LIB_SHARED := $(B)/$(LIB_SONAME)
LIB_LIBS := -lpci -ldw -lelf -liberty

# The static library also contains the card model. The unit tests link to LIB_INSIDE.
LIB_INSIDE := $(B)/libsmile-inside.a

$(LIB_INSIDE): $(LIB_OBJECTS) $(CARD_OBJECTS) $(INSTRUMENT_OBJECTS)
	$(archive)

$(LIB_STATIC): $(LIB_OBJECTS) $(CARD_OBJECTS) $(INSTRUMENT_OBJECTS)
	$(static_library)

$(LIB_SHARED): $(LIB_OBJECTS) $(CARD_OBJECTS) $(INSTRUMENT_OBJECTS) lib/libsmile-monitor.map
	$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(LIB_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/libsmile-monitor.map \
		-o $@ $(LIB_OBJECTS) $(CARD_OBJECTS) $(INSTRUMENT_OBJECTS) $(LIB_LIBS)
	ln -sf $(LIB_SONAME) $(B)/libsmile-monitor.so

.PHONY: lib
lib: $(LIB_STATIC) $(LIB_SHARED) $(B)/libsmile-monitor.pc
all: lib

# The man pages of section 3 (lib/man3.py). kernel-doc is in Debian's package linux-kbuild, which is unpacked with
# the guest's kernel. tests/man checks that the pages agree with the headers.
KERNEL_DOC ?= $(firstword $(shell ls -d $(GUEST)/*/usr/lib/linux-kbuild-*/scripts/kernel-doc 2>/dev/null))
.PHONY: man3
man3: | $(GUEST)/vmlinux
	@[ -n "$(KERNEL_DOC)" ] || { echo 'man3: no kernel-doc: set KERNEL_DOC' >&2; exit 1; }
	rm -f docs/man/man3/*
	lib/man3.py $(KERNEL_DOC) docs/man/man3
