# libsmile-trace: what a program may report `smile run`, and what that does without it. Shared, static,
# and its pkg-config file. Objects of their own: the static one looks for the tracer, the shared one
# is replaced by it. No sanitizer: they go into programs of others.
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
	@rm -f $@
	$(AR) rcs $@ $^

$(TRACE_SHARED): $(B)/lib/marks/shared.o lib/marks/libsmile-trace.map
	$(CC) -shared $(LDFLAGS) -Wl,-soname,$(TRACE_SONAME) -Wl,-z,defs \
		-Wl,--version-script=lib/marks/libsmile-trace.map -o $@ $<
	ln -sf $(TRACE_SONAME) $(B)/libsmile-trace.so

# Made anew each time, as libsmile-monitor.pc is.
.PHONY: $(if $(BUILT),,$(B)/libsmile-trace.pc)
$(B)/libsmile-trace.pc:
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		lib/marks/libsmile-trace.pc.in > $@

-include $(B)/lib/marks/static.d $(B)/lib/marks/shared.d $(B)/lib/marks/marks.d

.PHONY: lib-trace install-trace
lib-trace: $(TRACE_STATIC) $(TRACE_SHARED) $(B)/libsmile-trace.pc
all: lib-trace

install: install-trace
install-trace: lib-trace
	install -d $(INSTALL_PREFIX)/include/smile-monitor/smile $(INSTALL_LIBDIR)/pkgconfig \
		$(INSTALL_PREFIX)/share/man/man3
	install -m 644 include/smile/trace.h $(INSTALL_PREFIX)/include/smile-monitor/smile
	install -m 644 $(TRACE_SHARED) $(TRACE_STATIC) $(INSTALL_LIBDIR)
	ln -sf $(TRACE_SONAME) $(INSTALL_LIBDIR)/libsmile-trace.so
	install -m 644 $(B)/libsmile-trace.pc $(INSTALL_LIBDIR)/pkgconfig
	install -m 644 docs/man/smile_trace.3 $(INSTALL_PREFIX)/share/man/man3
