# The library that samples a program on this machine: a static library, for tools and tests. It needs the analysis and
# the library.
SAMPLE_SOURCES := $(wildcard run/sample/*.c)
SAMPLE_OBJECTS := $(SAMPLE_SOURCES:%.c=$(B)/%.o)

$(B)/libsample.a: $(SAMPLE_OBJECTS)
	$(archive)
