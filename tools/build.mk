# The one command. It uses the library's public API; jansson for JSON; sim and run also the machine,
# run the schedule.
TOOLS_SOURCES := $(wildcard tools/*.c)
TOOLS_OBJECTS := $(TOOLS_SOURCES:%.c=$(B)/%.o)
TOOLS_LIBRARIES = $(B)/libsmile-monitor.a $(B)/libworkload.a $(B)/libschedule.a $(B)/libmachine.a \
	$(B)/libcard.a

# Where `smile run` finds the tracer once it is installed. Written anew only if LIBDIR has changed.
$(B)/tools/libdir: libdir-told
	@mkdir -p $(@D)
	@echo '$(LIBDIR)' | cmp -s - $@ || echo '$(LIBDIR)' >$@

.PHONY: libdir-told
libdir-told:

$(B)/tools/run_tracer.o: $(B)/tools/libdir
$(B)/tools/run_tracer.o: ALL_CPPFLAGS += -DTOOLS_LIBDIR='"$(LIBDIR)"'

.PHONY: tools
tools: $(B)/bin/smile
all: tools

$(B)/bin/smile: $(TOOLS_OBJECTS) $(TOOLS_LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) -lpcap -lpci -ljansson -lm

# What `smile run` brings into QEMU and into the program.
.PHONY: install-run
install: install-run
install-run: all
	install -d $(INSTALL_LIBDIR)/smile-monitor
	install -m 644 $(B)/smile-tracer.so $(B)/smile-preload.so $(INSTALL_LIBDIR)/smile-monitor
