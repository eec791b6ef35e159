#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The cost of `smile sample`, with names of heap blocks, for a program that allocates about a million blocks a second:
# the program's processor time with and without `smile sample`, by turns, and the medians of the differences; and the
# cost of the sampling itself. On a machine with one node the bench uses a copy of /sys that describes two nodes: the log
# of the heap is the same.
#
# environment: B; ROUNDS (default 15)
set -eu
cd "$(dirname "$0")/../.."
out=$(realpath "$B")/bench/sample
smile=$(realpath "$B/bin/smile")
allocates=$(realpath "$B/tests/bench/allocates")
rm -rf "$out"
mkdir -p "$out/sys/devices/system/node/node0" "$out/sys/devices/system/node/node1" "$out/sys/devices/system/cpu" \
	"$out/proc/sys/kernel"
cd "$out"
echo 0-1 >sys/devices/system/node/online
cat /sys/devices/system/cpu/online >sys/devices/system/node/node0/cpulist
: >sys/devices/system/node/node1/cpulist
cat /sys/devices/system/cpu/online >sys/devices/system/cpu/online
echo 1 >proc/sys/kernel/numa_balancing
export SMILE_SAMPLE_ROOT="$out" SMILE_LIBDIR="${smile%/bin/smile}"

# compare BYTES BLOCKS WORK
compare() {
	: >pairs
	for _ in $(seq "${ROUNDS:-15}"); do
		alone=$("$allocates" "$@" | cut -d ' ' -f 1)
		sampled=$("$smile" sample -q --source faults -o x --json x.json -- "$allocates" "$@" 2>notes)
		echo "$alone $sampled $(gojq -r '"\(.own_ns / .elapsed_ns * 100) \(.log.blocks) \(.log.blocks_skipped)"' x.json)" >>pairs
	done
	awk -v bytes="$1" '{ more[NR] = ($2 / $1 - 1) * 100; rate[NR] = $3; own[NR] = $4; logged = $5; left = $6 }
		function median(of, n,    i, j, at) {
			for (i = 1; i <= n; i++)
				for (j = i + 1; j <= n; j++)
					if (of[j] < of[i]) { at = of[i]; of[i] = of[j]; of[j] = at }
			return of[int((n + 1) / 2)]
		}
		END {
			printf "blocks of %d bytes: %.2f million a second; ", bytes, median(rate, NR) / 1e6
			# median() sorts them.
			printf "the program takes %+.1f %% (median of %d pairs; ", median(more, NR), NR
			printf "quartiles %+.1f and %+.1f); ", more[int((NR + 3) / 4)], more[int((3 * NR + 1) / 4)]
			printf "sampling %.1f %% of the elapsed time; %d blocks logged, %d counted\n",
				median(own, NR), logged, left
		}' pairs
}
echo "Load average at the begin: $(cat /proc/loadavg)"
compare 40 1000000 1050
compare 5000 1000000 1050
