# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The deep trace instrument: a static library, for lib and tests. emu/qemu compiles the sources itself.
INSTRUMENT_SOURCES := $(wildcard emu/trace/*.c)
INSTRUMENT_OBJECTS := $(INSTRUMENT_SOURCES:%.c=$(B)/%.o)

$(B)/libinstrument.a: $(INSTRUMENT_OBJECTS)
	$(archive)
