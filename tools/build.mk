# The one command. It uses the library's public API; jansson for JSON, ncurses for top; sim and run
# also run/session with the schedule and the machine.
TOOLS_SOURCES := $(wildcard tools/*.c tools/*/*.c)
# Libraries that it loads itself when it needs them: lib/source/pcap.c, serve/mhd.c, stat/pfm.c.
TOOLS_LOADED := libpcap.so.0.8 libmicrohttpd.so.12 libpfm.so.4
TOOLS_OBJECTS := $(TOOLS_SOURCES:%.c=$(B)/%.o)
TOOLS_LIBRARIES = $(B)/librun.a $(B)/libsample.a $(B)/liballocations.a $(ANALYSIS_INSIDE) $(B)/libsmile-monitor.a \
	$(B)/libschedule.a $(B)/libmachine.a $(B)/libcard.a $(TRACE_DB) $(B)/libring.a $(B)/libcable.a $(B)/libpcapng.a $(EXCHANGE) \
	$(ESTIMATE) $(SISCI_STATIC)

# Help texts: text files, which are compiled as C strings.
TOOLS_HELP := $(patsubst %.txt,$(B)/generated/%.h,$(wildcard tools/help/*.txt))

$(TOOLS_HELP): $(B)/generated/%.h: %.txt tools/help/text.awk $(wildcard tools/help/card*.txt tools/help/trace-conditions.txt tools/help/trace-distribution.txt)
	@mkdir -p $(@D)
	awk -v folder=$(<D) -f tools/help/text.awk $< >$@

$(TOOLS_OBJECTS): ALL_CPPFLAGS += -I$(B)/generated
$(TOOLS_OBJECTS): | $(TOOLS_HELP)

# The directory in which `smile run` finds the installed tracer. Written again only if LIBDIR has changed.
$(B)/tools/libdir: $(if $(BUILT),,libdir-changed)
	@mkdir -p $(@D)
	@echo '$(LIBDIR)' | cmp -s - $@ || echo '$(LIBDIR)' >$@

.PHONY: libdir-changed
libdir-changed:

$(B)/run/session/tracer.o: $(B)/tools/libdir
$(B)/run/session/tracer.o: ALL_CPPFLAGS += -DRUN_LIBDIR='"$(LIBDIR)"'

# The page of `smile view`: markup, style and scripts as one C source.
VIEW_PAGE := tools/view/html/index.html tools/view/html/style.css $(addprefix tools/view/html/,text.js samples.js data.js \
	place.js color.js state.js table.js chart.js rate.js overview.js transfer_time.js \
	network.js links.js transfer.js histogram.js zoom.js node_selection.js structure_window.js diagram.js heatmap.js \
	section.js page_analysis.js subject.js variable.js structure.js advice.js event_state.js live.js main.js)

$(B)/tools/view/html/bundled.c: tools/view/html/bundle.sh $(VIEW_PAGE)
	@mkdir -p $(@D)
	tools/view/html/bundle.sh $(VIEW_PAGE) >$@

$(B)/tools/view/html/bundled.o: $(B)/tools/view/html/bundled.c
	$(CC) $(ALL_CFLAGS) -c $< -o $@

TOOLS_OBJECTS += $(B)/tools/view/html/bundled.o

# The page of `smile serve DB`, with the same style.
PACKETS_PAGE := tools/serve/html/index.html $(B)/tools/serve/html/style.css $(addprefix tools/serve/html/,\
	list.js packet.js path.js main.js)

$(B)/tools/serve/html/style.css: tools/view/html/style.css tools/serve/html/packets.css
	@mkdir -p $(@D)
	cat $^ >$@

$(B)/tools/serve/html/bundled.c: tools/view/html/bundle.sh $(PACKETS_PAGE)
	@mkdir -p $(@D)
	NAME=packets_page tools/view/html/bundle.sh $(PACKETS_PAGE) >$@

$(B)/tools/serve/html/bundled.o: $(B)/tools/serve/html/bundled.c
	$(CC) $(ALL_CFLAGS) -c $< -o $@

TOOLS_OBJECTS += $(B)/tools/serve/html/bundled.o

.PHONY: tools
tools: $(B)/bin/smile
all: tools

$(B)/bin/smile: $(TOOLS_OBJECTS) $(TOOLS_LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) $(LIB_LIBS) -ljansson -lncursesw -ltinfo \
		$(TRACE_DB_LIBS) -lm -lpthread

# The program that `smile cluster` runs in its guests: it starts in a tenth of the time that smile takes.
$(B)/tools/cluster/guest/smile-node: $(B)/tools/cluster/guest/node.o
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS)

# All files that `smile run` and `smile sim` need to be run from the build tree.
.PHONY: sim
sim: tools tracer preload workloads

# Files that `smile run` loads into QEMU and into the program, and `smile place` into the program.
.PHONY: install-run
install: install-run
install-run: all
	install -d $(INSTALL_LIBDIR)/smile-monitor
	install -m 644 $(B)/smile-tracer.so $(B)/smile-preload.so $(PLACE) \
		$(INSTALL_LIBDIR)/smile-monitor
