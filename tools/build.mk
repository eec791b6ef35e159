# The one command. It uses the library's public API; jansson for JSON; sim also the machine.
TOOLS_SOURCES := $(wildcard tools/*.c)
TOOLS_OBJECTS := $(TOOLS_SOURCES:%.c=$(B)/%.o)
TOOLS_LIBRARIES = $(B)/libsmile-monitor.a $(B)/libworkload.a $(B)/libmachine.a $(B)/libcard.a

.PHONY: tools
tools: $(B)/bin/smile
all: tools

$(B)/bin/smile: $(TOOLS_OBJECTS) $(TOOLS_LIBRARIES)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $^ -o $@ $(ALL_LDFLAGS) -lpcap -lpci -ljansson -lm
