# libsmile-estimate: processes, filters, fits, the state of a program's events and of a cluster. It uses only libm.
# This file has the rules for the shared library, the static library and the pkg-config file. The command and the tests
# link to ESTIMATE, because they call functions that the public headers do not declare. The loops are written for vector
# instructions, which -O2 does not generate.
ESTIMATE_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/estimate/*.c))
ESTIMATE_SONAME := libsmile-estimate.so.0
ESTIMATE := $(B)/libestimate-inside.a
ESTIMATE_STATIC := $(B)/libsmile-estimate.a
ESTIMATE_SHARED := $(B)/$(ESTIMATE_SONAME)

$(ESTIMATE_OBJECTS): ALL_CFLAGS += -O3 -fno-math-errno -fno-trapping-math

$(ESTIMATE): $(ESTIMATE_OBJECTS)
	$(archive)

$(ESTIMATE_STATIC): $(ESTIMATE_OBJECTS)
	$(static_library)

$(ESTIMATE_SHARED): $(ESTIMATE_OBJECTS) lib/estimate/libsmile-estimate.map
	$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(ESTIMATE_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/estimate/libsmile-estimate.map -o $@ $(ESTIMATE_OBJECTS) -lm
	ln -sf $(ESTIMATE_SONAME) $(B)/libsmile-estimate.so

.PHONY: lib-estimate install-estimate
lib-estimate: $(ESTIMATE) $(ESTIMATE_STATIC) $(ESTIMATE_SHARED) $(B)/libsmile-estimate.pc
all: lib-estimate

install: install-estimate
install-estimate: lib-estimate
	$(call install_library,smile-estimate,include/smile/estimate/*.h,smile-monitor/smile/estimate)
	install -m 644 include/smile/estimate.h $(INSTALL_PREFIX)/include/smile-monitor/smile
