#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver's sources under the kernel's own style check: checkpatch.pl --strict of the
# kernel source in $B/linux-source (tests/guest/debug_kernel.sh --source), and its kernel-doc of the
# headers for user space. May use: perl.
#
# Usage: [B=build] tests/checkpatch.sh [FILE...]; exits 0 clean, or if there is no source, 1 not

set -u

cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
checkpatch=$B/linux-source/current/scripts/checkpatch.pl

if [ ! -e "$checkpatch" ]; then
	skip "no kernel source in $B/linux-source: run tests/guest/debug_kernel.sh --source"
	suite_end
	exit
fi
[ $# -gt 0 ] || set -- kmod/*.c kmod/*.h kmod/*/*.c kmod/*/*.h include/uapi/*.h

# Where the house differs:
#
#	LINUX_VERSION_CODE, CONSTANT_COMPARISON
#		a driver outside of the tree is for several versions; they are distinguished in
#		kmod/compat.h alone, which tests/style.sh sees to
#	OPEN_ENDED_LINE, PARENTHESIS_ALIGNMENT
#		clang-format breaks lines so, as the tree's own .clang-format has it do; in trace.h the
#		macros of trace events are laid out as in the tree's
#	SPACING	clang-format sees to it, but where a name's dash is taken for a minus
#	MACRO_ARG_REUSE
#		SMILE_MINORS() and SMILE_PARAM() are given a name
ignore=LINUX_VERSION_CODE,CONSTANT_COMPARISON,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT,SPACING
ignore=$ignore,MACRO_ARG_REUSE

status=0
for file in "$@"; do
	perl "$checkpatch" --no-tree --strict --terse --show-types --max-line-length=100 \
		--ignore="$ignore" --no-summary --quiet --file "$file" || status=1
done
if [ $status -eq 0 ]; then ok "checkpatch"; else not_ok "checkpatch"; fi

# What is described in the kernel's form is described whole. -none only prints what is wrong.
found=$(perl "${checkpatch%/*}/kernel-doc" -none include/uapi/*.h include/hw/adapter_message.h 2>&1)
if [ -z "$found" ]; then ok "kernel-doc"; else not_ok "kernel-doc"; printf '%s\n' "$found"; fi
suite_end
