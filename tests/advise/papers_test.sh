#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile advise on the papers' programs, in small sizes: for pages that the default policy has placed, it finds
# the layout of the programs' authors, and the run with this layout is as fast as predicted. Needs QEMU.
#
# usage: WORKLOADS=DIRECTORY tests/advise/papers_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
needs qemu-x86_64
TMPDIR=$(pwd)
export TMPDIR

# The papers' programs have only shared data: constants are not counted.
# paper PROGRAM SIZE REGIONS LEAST MOST: advice on PROGRAM. REGIONS are placed as by --layout placed. The measured run
# time divided by the predicted run time is between LEAST and MOST.
paper() {
	program=$1 size=$2 regions=$3 least=$4 most=$5
	timeout -k 10 300 "$smile" run -q --no-constants -o "$program" -- "$WORKLOADS/$program" --size "$size" >log 2>err
	equal "$program is recorded" 0 $?
	timeout -k 10 300 "$smile" run -q --no-constants -o "$program-placed" --json placed.json -- \
		"$WORKLOADS/$program" --size "$size" --layout placed >log 2>err
	equal "$program with its own layout is recorded" 0 $?
	json "$program: advice, verified" 0 smile.advise/1 advise --json --verify --phase "$program" \
		-o "$program.place" "$program"-node?.rec
	cp out advice.json
	equal "$program: its result is right" 0 "$(of .verified.exit_status)"
	equal "$program: accesses cost what was predicted, to the cycle" true \
		"$(of '.verified | .access_cycles > 0 and .access_cycles == .predicted_access_cycles')"
	equal "$program: measured by predicted run time is within $least to $most" true \
		"$(of "(.verified.cycles / .time.predicted_cycles) | . >= $least and . <= $most")"
	equal "$program: it is several times as fast" true \
		"$(of '.time.cycles > 4 * .verified.cycles')"
	equal "$program: as fast as with its own layout" true \
		"$(gojq -s --arg p "$program" '(.[0].verified.cycles /
			(.[1].phases[] | select(.name == $p) | .cycles)) | . > 0.9 and . < 1.02' \
			advice.json placed.json)"
	timeout -k 10 300 "$smile" run -q --no-constants -o "$program-advised" --place "$program.place" -- \
		"$WORKLOADS/$program" --size "$size" >log 2>err
	equal "$program runs with its placement file" 0 $?
	# The best node of a page does not depend on the node on which the page lies.
	"$smile" advise --json --phase "$program" "$program"-placed-node?.rec >out 2>err
	for region in $regions; do
		equal "$program: $region is to be split in blocks, one a node" "blocks 0 1 2 3" "$(gojq -r \
			--arg r "$region" '.data[] | select(.name == $r) |
			"\(.layout) \([.parts[].node] | join(" "))"' advice.json)"
		equal "$program: $region lies as with its own layout" "true true" "$(of "[.runs[] |
			select(.region.name == \"$region\")] | \"\(length >= 4) \(
			map(.to_move) | add == 0)\"")"
		equal "$program: $region is spread over all nodes" "0 1 2 3" "$(gojq -r --arg r "$region" \
			'[.runs[] | select(.region.name == $r) | .node] | unique | join(" ")' \
			advice.json)"
	done
	"$smile" advise --json --phase "$program" "$program"-advised-node?.rec >out 2>err
	equal "$program: with the placement file there is nothing more to move" 0 "$(of .to_move)"
}

# The same with `smile sim`: the command that the advice prints repeats the run, and does not change the files of the
# first run.
timeout -k 10 300 "$smile" sim -q --size 64 sor --capture cap --json sum.json -o sim --place node:0 >log 2>err
equal "a simulation is recorded" 0 $?
json "a simulation: advice" 0 smile.advise/1 advise --json --phase sor -o sim.place sim-node?.rec
exits "a simulation: advice as text" 0 advise --phase sor -o sim.place sim-node?.rec
command=$(tr -s '\n ' ' ' <out | sed -n 's/.*run it: \(smile sim .*\)$/\1/p' | sed 's/ *$//')
equal "a simulation: its command" "smile sim sor --place sim.place -o placed --size=64 --place=node:0" \
	"$command"
first=$(cat cap-node?.pcap sum.json sim-node?.rec | sha256sum)
PATH=$(dirname "$smile"):$PATH timeout -k 10 300 sh -c "$command" >log 2>err
equal "a simulation: its command works" 0 $?
equal "a simulation: what the first run wrote stays" "$first" "$(cat cap-node?.pcap sum.json sim-node?.rec |
	sha256sum)"
json "a simulation: where pages lie is the advice" 0 smile.advise/1 advise --json --phase sor placed-node?.rec
equal "a simulation: there is nothing more to move" 0 "$(of .to_move)"

# With the caches and latencies of the papers' machine: caches serve a part of the reads that become
# remote.
timeout -k 10 300 "$smile" sim -q gauss --size 128 --cache 32K,64,4 --latency sci2006 -o cached >log 2>err
equal "gauss with caches is recorded" 0 $?
json "gauss with caches: advice, verified" 0 smile.advise/1 advise --json --verify --phase gauss cached-node?.rec
equal "gauss with caches: within 5 % of the predicted run time, and several times as fast" "true true null" \
	"$(of '"\(.verified.cycles / .time.predicted_cycles | . > 0.95 and . < 1.05) \(
	.time.cycles > 4 * .verified.cycles) \(.verified.difference)"')"

paper sor 128 grid 0.95 1.05
paper gauss 128 matrix 0.9 1.3
paper water 64 "molecules workspace" 0.9 1.3
suite_end
