# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The guest's part of nodes_checks.sh, sourced from the share. The working directory exists only in the guest.
set -u
export SMILE_LIBDIR=/host PATH="/host:$PATH"
cd /tmp || exit 1

fail() {
	echo "$*"
	exit 1
}

# awaits COMMAND...: it succeeds, within five minutes.
awaits() {
	tries=3000
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "waited in vain: $*"
		usleep 100000
	done
}

# set_to FILE VALUE: of the kernel.
set_to() {
	echo "$2" >"$1" || fail "$1 cannot be set"
}

# counters NAME: the kernel's, of the machine. NAME.vmstat: its hint faults, and the pages that it has moved when it
# balances; NAME.allocated: a line for each node, the pages that it has given, which are numa_hit and numa_miss.
counters() {
	grep -e '^numa_hint_faults ' -e '^numa_pages_migrated ' /proc/vmstat >"/host/$1.vmstat"
	for node in /sys/devices/system/node/node[0-9]*; do
		awk '$1 == "numa_hit" || $1 == "numa_miss" { n += $2 } END { print n }' "$node/numastat"
	done >"/host/$1.allocated"
}
