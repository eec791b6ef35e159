# The NUMA machine: a static library, for run/schedule, tools and tests.
MACHINE_SOURCES := $(wildcard emu/machine/*.c)
MACHINE_OBJECTS := $(MACHINE_SOURCES:%.c=$(B)/%.o)

$(B)/libmachine.a: $(MACHINE_OBJECTS)
	$(archive)
