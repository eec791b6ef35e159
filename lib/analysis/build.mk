# libsmile-analysis: analyses of a Monitor's counts. It uses the public API and jansson. This file has the
# rules for the shared library, the static library and the pkg-config file. The command and the unit tests
# link to ANALYSIS_INSIDE, because they call functions that smile/advise.h does not declare. The formula for
# the network is in emu/ring.
ANALYSIS_SOURCES := $(wildcard lib/analysis/*.c lib/analysis/*/*.c)
ANALYSIS_OBJECTS := $(ANALYSIS_SOURCES:%.c=$(B)/%.o)
ANALYSIS_RING := $(B)/libring.a $(B)/libcable.a
ANALYSIS_SONAME := libsmile-analysis.so.0
ANALYSIS_INSIDE := $(B)/libanalysis-inside.a
ANALYSIS_STATIC := $(B)/libsmile-analysis.a
ANALYSIS_SHARED := $(B)/$(ANALYSIS_SONAME)

$(ANALYSIS_INSIDE): $(ANALYSIS_OBJECTS)
	$(archive)

$(ANALYSIS_STATIC): $(ANALYSIS_OBJECTS) $(ANALYSIS_RING)
	$(static_library)

$(ANALYSIS_SHARED): $(ANALYSIS_OBJECTS) $(ANALYSIS_RING) $(LIB_SHARED) lib/analysis/libsmile-analysis.map
	$(CC) -shared $(SHARED_LDFLAGS) -Wl,-soname,$(ANALYSIS_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/analysis/libsmile-analysis.map \
		-o $@ $(ANALYSIS_OBJECTS) $(ANALYSIS_RING) $(LIB_SHARED) -ljansson -lm
	ln -sf $(ANALYSIS_SONAME) $(B)/libsmile-analysis.so

.PHONY: lib-analysis install-analysis
lib-analysis: $(ANALYSIS_STATIC) $(ANALYSIS_SHARED) $(B)/libsmile-analysis.pc
all: lib-analysis

install: install-analysis
install-analysis: lib-analysis
	$(call install_library,smile-analysis,include/smile/advise.h,smile-monitor/smile)
