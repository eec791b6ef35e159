#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# In the guest, with four nodes: programs are sampled until most of their pages have enough samples.
# smile advise makes placements from the samples. Without balancing, the programs then run with
# these placements, or with all pages on node 0. The host checks the files in the shared directory.
# shellcheck source=tests/guest/nodes_guest.sh
. /host/nodes_guest.sh

# pages_known NAME REGION: print the number of pages of the region with at least 12 samples.
pages_known() {
	smile report pages --csv "/host/$1"-node?.rec | awk -F , -v "region=$2" '$9 == region { n[$1] += $4 }
		END { for (page in n) known += n[page] >= 12; print known + 0 }'
}

# sampled NAME REGION PAGES COUNT [OPTION...] -- COMMAND...: sample the command until PAGES pages of
# the region have enough samples. The last argument of the command is the number of faults or
# iterations. It is COUNT at first, and is increased, because on a busy host the sampler runs
# rarely.
sampled() {
	name=$1
	region=$2
	least=$3
	count=$4
	most=$((64 * count))
	shift 4
	while :; do
		counters "$name.before"
		smile sample --bind -o "/host/$name" --overhead 20 --json "/host/$name.json" "$@" $count \
			>"$name.out" 2>"$name.err" || fail "$name: $(cat "$name.out" "$name.err")"
		counters "$name.after"
		[ "$(pages_known "$name" "$region")" -lt "$least" ] || break
		[ $count -lt $most ] || fail "$name: $least pages do not get samples"
		count=$((2 * count))
	done
	cp "$name.out" "$name.err" /host
}

# advised NAME: make the placement of the run, and a second placement that has all pages on node 0.
advised() {
	smile advise -o "/host/$1.place" --json "/host/$1"-node?.rec >"/host/$1.advice.json" || fail "$1: no advice"
	# The threads are bound in the same way. All pages are on node 0, as if main() had first
	# touched them.
	sed '/^pages/s/ node [0-9]*/ node 0/' "/host/$1.place" >"$1.zero.place"
	cp "/host/$1.place" "$1.placed.place"
}

# stands NAME COMMAND...: run the command with all pages on node 0, and with the placement. In both
# runs, save the kernel's list of its memory.
stands() {
	name=$1
	shift
	for how in zero placed; do
		rm -f input
		mkfifo input
		: >"$name.$how.out"
		smile place --json "/host/$name.$how.json" "$name.$how.place" -- "$@" <input >"$name.$how.out" \
			2>"/host/$name.$how.err" &
		placing=$!
		exec 4>input
		awaits grep -q '^stands' "$name.$how.out"
		cp "$name.$how.out" /host
		cat "/proc/$(pidof "$1")/numa_maps" >"/host/$name.$how.numa_maps"
		echo >&4
		exec 4>&-
		wait $placing || fail "$name: $how: status $?: $(cat "/host/$name.$how.err")"
	done
}

# grid_stands: do the same for sor, and end sor when all 257 pages of its grid exist.
grid_maps() {
	sed -n 's,^\([0-9a-f]* .*file=/dev/zero.*\),\1,p' "/proc/$program/numa_maps" >grid.maps
}
grid_is_there() {
	program=$(pidof sor) && grid_maps &&
		[ "$(sed 's/ N[0-9]*=/\n+/g' grid.maps | sed -n 's/^+\([0-9]*\).*/\1/p' |
			awk '{ n += $1 } END { print n + 0 }')" -eq 257 ]
}
grid_stands() {
	for how in zero placed; do
		smile place sor.$how.place -- /host/workload/sor $sor 1000000 >/dev/null 2>"/host/sor.$how.err" &
		placing=$!
		awaits grid_is_there
		cat "/proc/$program/numa_maps" >"/host/sor.$how.numa_maps"
		echo "array $((0x$(head -n 1 grid.maps | cut -d ' ' -f 1))) $((256 * 4096))" >"/host/sor.$how.out"
		kill -KILL "$program"
		# The program was killed, so ignore its exit status.
		wait $placing || :
	done
}

sor='--size=512 --check none --iterations'
balancing=/sys/kernel/debug/sched/numa_balancing
set_to /sys/kernel/mm/transparent_hugepage/enabled never
set_to $balancing/scan_period_min_ms 200
set_to $balancing/scan_period_max_ms 200

set_to /proc/sys/kernel/numa_balancing 1
for kind in shared roles phases; do
	# Of the 768 pages, fewer than one in twenty of the first array may be missing.
	sampled $kind /host/patterns 760 16384 -- patterns $kind
	advised $kind
done
# The grid has 257 pages. Some contain data of two threads.
sampled sor grid 255 128 -- /host/workload/sor $sor
advised sor

# Sample a second time, with all pages on node 0, and with the placement. The kernel scans the
# pages, but does not move them.
for kind in shared roles phases; do
	for how in zero placed; do
		smile sample --bind --place "$kind.$how.place" -o "/host/$kind.$how" --overhead 20 \
			--json "/host/$kind.$how.sample.json" -- patterns $kind 16384 >"/host/$kind.$how.out" \
			2>"/host/$kind.$how.sample.err" || fail "$kind: $how: $(cat "/host/$kind.$how.sample.err")"
	done
done
iterations=$count
for how in zero placed; do
	sampled sor.$how grid 248 "$iterations" --place sor.$how.place -- /host/workload/sor $sor
done

set_to /proc/sys/kernel/numa_balancing 0
for kind in shared roles phases; do
	cp "/host/$kind.zero.out" "/host/$kind.zero.sampled.out"
	cp "/host/$kind.placed.out" "/host/$kind.placed.sampled.out"
	stands $kind patterns $kind
done
grid_stands
