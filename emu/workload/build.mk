# The workloads: a static library on top of libmachine.a, for tools and tests.
WORKLOAD_SOURCES := $(wildcard emu/workload/*.c)
WORKLOAD_OBJECTS := $(WORKLOAD_SOURCES:%.c=$(B)/%.o)

$(B)/libworkload.a: $(WORKLOAD_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^
