# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# What the tests of `smile cluster` share: to be sourced at the top of the tree. It sets B, GUEST and work, a folder
# that the test removes, and ends the test on a debug kernel.
B=${B:-build}
GUEST=${GUEST:-$B/guest}
[ ! -e "$GUEST/needs" ] || { echo "not on a debug kernel: adapter_test.sh has the driver"; exit 77; }
work=$(mktemp -d)
export TMPDIR=$work

fail() {
	echo "not ok $*"
	sed 's/^/    out: /' "$work/out" 2>/dev/null || :
	sed 's/^/    err: /' "$work/err" 2>/dev/null || :
	exit 1
}

# Kernel, image and plug-in as --guest expects them, in $work/guest.
guest_link() {
	mkdir "$work/guest"
	for file in "$GUEST/vmlinux" "$GUEST/cluster-image" "$B/emu/qemu/smile-monitor.so"; do
		ln -s "$(realpath "$file")" "$work/guest/${file##*/}"
	done
}
