#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench of emu/ring and of ns-3, which simulate the same requests on the same ring: simulated
# symbols of links, and packets on links, per second of processor time. In each of three rounds both
# run once; the best round counts. Without ns-3, only emu/ring is measured.
#
# usage: [B=build] [ROUNDS=3] tests/bench/ring_bench.sh
set -eu
B=${B:-build}
rounds=${ROUNDS:-3}
mkdir -p "$B/bench"
requests=$B/bench/ring-requests

# The pkg-config files of ns-3 name directories that do not exist.
ns3=
if command -v g++ >/dev/null && echo '#include <ns3/point-to-point-module.h>' | g++ -std=c++17 -x c++ -E - >/dev/null 2>&1; then
	ns3=$B/tests/bench/ring_ns3
	g++ -std=c++17 -O2 -Wall -o "$ns3" tests/bench/ring_ns3.cc -lns3-core -lns3-network -lns3-point-to-point
fi

# ring NODES TOPOLOGY CLOCKS SLOWER: measure a row of the table.
ring() {
	: >"$B/bench/ring-rows"
	round=0
	while [ "$round" -lt "$rounds" ]; do
		round=$((round + 1))
		echo "ring $("$B/tests/bench/ring_bench" "$1" "$2" "$3" "$4" "$requests")" >>"$B/bench/ring-rows"
		[ -z "$ns3" ] || [ "$2" != ring ] || echo "ns3 $("$ns3" "$1" "$requests")" >>"$B/bench/ring-rows"
	done
	awk -v nodes="$1" -v topology="$2" '
		$1 == "ring" && (!best || $3 < best) { best = $3 }
		$1 == "ring" { symbols = $2; packets = $4; ended = $5; clocks = $6; load = $7 }
		$1 == "ns3" && (!peer || $2 < peer) { peer = $2 }
		$1 == "ns3" { if ($3 < 0.99 * packets || $3 > 1.01 * packets) differs = 1; store = $5 }
		END {
			printf "| %d | %s | %.0f %% | %d | %.0f | %.2f ", nodes, topology, 100 * load, packets,
				symbols / best / 1e6, packets / best / 1e6
			if (peer)
				printf "| %.2f | %.2f | %.0f | %.0f |%s\n", packets / peer / 1e6, peer / best, clocks, store,
					differs ? " other packets" : ""
			else
				printf "| - | - | %.0f | - |\n", clocks
		}' "$B/bench/ring-rows"
}

[ -n "$ns3" ] || echo "ns-3 is not installed (libns3-dev): emu/ring alone"
echo "| nodes | network | busiest link | packets on links | million symbols/s | million packets/s | ns-3 | emu/ring to ns-3 \
| clocks a transaction | ns-3 |"
echo "|---|---|---|---|---|---|---|---|---|---|"
ring 4 ring 2000000 1
ring 8 ring 2000000 1
ring 16 ring 2000000 2
ring 32 ring 2000000 4
ring 64 ring 2000000 8
ring 64 ring 2000000 64
ring 96 ringlets:5 1000000 10
