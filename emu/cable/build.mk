# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Packets of the SCI cable: a static library, for tests, and for the adapter and the ring.
CABLE_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard emu/cable/*.c))

$(B)/libcable.a: $(CABLE_OBJECTS)
	$(archive)
