# The replay of a traced program: a static library, for tools and tests; it needs libmachine.a.
SCHEDULE_SOURCES := $(wildcard run/schedule/*.c)
SCHEDULE_OBJECTS := $(SCHEDULE_SOURCES:%.c=$(B)/%.o)

$(B)/libschedule.a: $(SCHEDULE_OBJECTS)
	$(archive)
