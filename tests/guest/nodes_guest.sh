# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The guest's part of nodes_checks.sh. The tests source it from the shared directory. The working
# directory exists only in the guest.
set -u
export SMILE_LIBDIR=/host PATH="/host:$PATH"
cd /tmp || exit 1

fail() {
	echo "$*"
	exit 1
}

# awaits COMMAND...: repeat the command until it succeeds, for up to five minutes.
awaits() {
	tries=3000
	until "$@"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || fail "waited in vain: $*"
		usleep 100000
	done
}

# set_to FILE VALUE: write a setting of the kernel.
set_to() {
	echo "$2" >"$1" || fail "$1 cannot be set"
}

# counters NAME: save counters of the kernel. NAME.vmstat: the hint faults, and the pages that NUMA
# balancing has moved. NAME.allocated: for each node, a line with the number of pages that it has
# allocated: numa_hit plus numa_miss.
counters() {
	grep -e '^numa_hint_faults ' -e '^numa_pages_migrated ' /proc/vmstat >"/host/$1.vmstat"
	for node in /sys/devices/system/node/node[0-9]*; do
		awk '$1 == "numa_hit" || $1 == "numa_miss" { n += $2 } END { print n }' "$node/numastat"
	done >"/host/$1.allocated"
}
