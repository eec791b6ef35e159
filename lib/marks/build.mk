# libsmile-trace: the calls by which a program reports to `smile run`. Without `smile run`, they do nothing.
# This file has the rules for the shared library, the static library and the pkg-config file. The two
# libraries have different objects: the static library looks for the tracer, and the tracer replaces the
# shared library. Neither is built with a sanitizer, because other programs link to them.
TRACE_SONAME := libsmile-trace.so.0
TRACE_SHARED := $(B)/$(TRACE_SONAME)
TRACE_STATIC := $(B)/libsmile-trace.a

TRACE_CFLAGS = $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS))

$(B)/lib/marks/static.o: lib/marks/marks.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(TRACE_CFLAGS) -DSMILE_TRACE_STATIC -MMD -MP -c $< -o $@

$(B)/lib/marks/shared.o: lib/marks/marks.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CPPFLAGS) $(TRACE_CFLAGS) -MMD -MP -c $< -o $@

$(TRACE_STATIC): $(B)/lib/marks/static.o
	$(archive)

$(TRACE_SHARED): $(B)/lib/marks/shared.o lib/marks/libsmile-trace.map
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(TRACE_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/marks/libsmile-trace.map -o $@ $<
	ln -sf $(TRACE_SONAME) $(B)/libsmile-trace.so

-include $(B)/lib/marks/static.d $(B)/lib/marks/shared.d $(B)/lib/marks/marks.d

.PHONY: lib-trace install-trace
lib-trace: $(TRACE_STATIC) $(TRACE_SHARED) $(B)/libsmile-trace.pc
all: lib-trace

install: install-trace
install-trace: lib-trace
	$(call install_library,smile-trace,include/smile/trace.h,smile-monitor/smile)
	install -d $(INSTALL_PREFIX)/share/man/man3
	install -m 644 docs/man/smile_trace.3 $(INSTALL_PREFIX)/share/man/man3
