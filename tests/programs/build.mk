# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Programs of users under `smile run`: programs.sh; and the advice of `smile advise` on them, and on programs whose
# sources are fetched: advice.sh. Not part of `make check`, since both install programs.
#
#	make check-programs
#	make check-programs PROGRAMS='^(xz|sort)$$'
#	make check-programs-advice

# Packages besides those that make check installs, and those of every system.
PROGRAM_DEPS := m4 pigz lbzip2 bzip2 lz4 gawk mawk lua5.4 ruby jq perl python3-numpy imagemagick graphviz flac

.PHONY: check-programs check-programs-advice deps-programs
deps-programs:
	@DEPS="$(DEPS) $(PROGRAM_DEPS)" tests/deps.sh
check-programs check-programs-advice: export PROGRAMS := $(PROGRAMS)
check-programs: all workloads deps-programs | $(OWNER)
	@B=$(B) exec $(OWNER) -t 7200 tests/programs/programs.sh
check-programs-advice: export MACHINES := $(MACHINES)
check-programs-advice: all workloads deps-programs | $(OWNER)
	@B=$(B) exec $(OWNER) -t 14400 tests/programs/advice.sh
