#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Checks the driver's sources with the kernel's own style check: checkpatch.pl --strict of the kernel source in
# $B/linux-source (tests/guest/debug_kernel.sh --source), and its kernel-doc for the headers for user space. May use:
# perl.
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

# Exceptions of this project:
#
#	LINUX_VERSION_CODE, CONSTANT_COMPARISON
#		a driver outside of the kernel tree supports several versions; only kmod/compat.h
#		distinguishes them, which tests/style.sh checks
#	OPEN_ENDED_LINE, PARENTHESIS_ALIGNMENT
#		clang-format breaks lines in this way, as the kernel's own .clang-format requires; in
#		trace.h the macros of trace events have the layout of the kernel's
#	SPACING	clang-format checks it; checkpatch.pl takes the dash of a name for a minus
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

# Comments in the kernel's form must be complete. -none prints only the errors.
found=$(perl "${checkpatch%/*}/kernel-doc" -none include/uapi/*.h include/hw/adapter_message.h 2>&1)
if [ -z "$found" ]; then ok "kernel-doc"; else not_ok "kernel-doc"; printf '%s\n' "$found"; fi
suite_end
