# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Programs that users have, under `smile run`: programs.sh. Not part of `make check`: it installs them.
#
#	make check-programs
#	make check-programs PROGRAMS='^(xz|sort)$$'

# Besides what make check installs, and what every system has.
PROGRAM_DEPS := pigz lbzip2 bzip2 lz4 gawk mawk lua5.4 ruby jq perl python3-numpy imagemagick graphviz flac

.PHONY: check-programs deps-programs
deps-programs:
	@DEPS="$(DEPS) $(PROGRAM_DEPS)" tests/deps.sh
check-programs: export PROGRAMS := $(PROGRAMS)
check-programs: all workloads deps-programs | $(OWNER)
	@B=$(B) exec $(OWNER) -t 7200 tests/programs/programs.sh
