# A program on the machine, with cards: a static library, for tools and tests. It needs libschedule.a,
# libmachine.a, the analysis and the library.
RUN_SOURCES := $(wildcard run/session/*.c)
# How regions are found again is the same as in a native process.
RUN_OBJECTS := $(RUN_SOURCES:%.c=$(B)/%.o) $(B)/run/place/match.o

$(B)/librun.a: $(RUN_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^
