# SPDX-License-Identifier: MIT
#
# The writer of pcapng files: a static library, for tools and tests.
PCAPNG_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/pcapng/*.c) lib/base/output_stream.c)

$(B)/libpcapng.a: $(PCAPNG_OBJECTS)
	$(archive)
