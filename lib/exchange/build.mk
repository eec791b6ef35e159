# SPDX-License-Identifier: MIT
#
# The exchange of readings between nodes, and the members of a cluster. The command and the tests link to it.
EXCHANGE := $(B)/libexchange.a

$(EXCHANGE): $(patsubst %.c,$(B)/%.o,$(wildcard lib/exchange/*.c))
	$(archive)
