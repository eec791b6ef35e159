# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The ring of SCI: a static library, for tools and tests.
RING_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard emu/ring/*.c))

$(B)/libring.a: $(RING_OBJECTS)
	$(archive)
