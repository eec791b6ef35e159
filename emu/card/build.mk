# The card model: a static library, for lib, emu/machine and tests. emu/qemu compiles the sources
# itself.
CARD_SOURCES := $(wildcard emu/card/*.c)
CARD_OBJECTS := $(CARD_SOURCES:%.c=$(B)/%.o)

$(B)/libcard.a: $(CARD_OBJECTS)
	$(archive)
