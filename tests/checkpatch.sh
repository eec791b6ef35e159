#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver's sources under the kernel's own style check: checkpatch.pl --strict of the
# kernel source in $B/linux-source (tests/guest/debug_kernel.sh --source), and its kernel-doc of the
# headers for user space. May use: perl.
#
# Usage: [B=build] tests/checkpatch.sh [FILE...]; exits with 0 if there are no complaints or no
# kernel source, otherwise with 1

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
[ $# -gt 0 ] || set -- kmod/*.h kmod/*/*.c kmod/*/*.h include/uapi/*.h

# Checks in which this project differs from the kernel:
#
#	LINUX_VERSION_CODE, CONSTANT_COMPARISON
#		a driver outside of the kernel's tree supports several versions, which only
#		kmod/compat.h distinguishes; tests/style.sh checks this
#	OPEN_ENDED_LINE, PARENTHESIS_ALIGNMENT
#		clang-format breaks lines in this way, as the kernel's own .clang-format specifies; in
#		trace.h the macros of trace events are laid out as in the kernel
#	SPACING	clang-format checks it; checkpatch takes the dash of a name for a minus
#	MACRO_ARG_REUSE
#		SMILE_MINORS() and SMILE_PARAM() have a name as their argument
ignore=LINUX_VERSION_CODE,CONSTANT_COMPARISON,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT,SPACING
ignore=$ignore,MACRO_ARG_REUSE

status=0
for file in "$@"; do
	perl "$checkpatch" --no-tree --strict --terse --show-types --max-line-length=100 \
		--ignore="$ignore" --no-summary --quiet --file "$file" || status=1
done
if [ $status -eq 0 ]; then ok "checkpatch"; else not_ok "checkpatch"; fi

# Comments in the form of kernel-doc are complete. -none prints only errors.
found=$(perl "${checkpatch%/*}/kernel-doc" -none include/uapi/*.h include/hw/adapter_message.h 2>&1)
if [ -z "$found" ]; then ok "kernel-doc"; else not_ok "kernel-doc"; printf '%s\n' "$found"; fi
suite_end
