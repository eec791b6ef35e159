#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# `smile stat`'s estimates against the truth, which the emulated machine counts: the papers' programs and one program
# that is hard to estimate, 10 and 60 events on 4 and 16 counters, slices of 1 ms of simulated time.
#
# environment: B; STATE_PROGRAMS: some of sor fft radix water gauss hard
set -eu
smile=$B/bin/smile out=$B/bench/state
export SMILE_MACHINE=smile1998
mkdir -p "$out"

# A step of the filter for each event separately; the time of each method beside the budget of 1 %
# of 20 ms.
echo "A step of the plain filter, all counters read: of the budget of 0.2 ms"
"$B/tests/bench/estimate_bench" 2>"$out/log" | awk -F, '
	NR > 1 && ($3 == 120 || $3 == 30000) {
		printf "%-12s %-6s %6d counters %10.4f ms %8.3f of the budget\n", $1, $2, $3, 1000 * $4, $4 / 0.0002
	}'
echo
"$B/tests/bench/cluster_bench"
echo
"$B/tests/bench/exchange_bench"
echo
"$B/tests/bench/cluster_share"
echo

echo "Estimates against the truth. inter: rms error of unread intervals by that of sample and hold;
total: mean error of totals in percent, then the 99th percentile, the worst, and by linear scaling's;
bound: what the fitted process lets expect at best; in68, in95: unread intervals within the bands;
tot95: totals within theirs; lik: logarithm of the likelihood a reading. TAM,
DIRA and MLR use the reading after an interval, too. Both joint rows read the same as the others. integrated, gauss-markov
and the last row have parameters from the truth: what an earlier run of the program would give."
"$B/tests/bench/state_bench" --header
for program in ${STATE_PROGRAMS:-sor fft radix water gauss hard}; do
	capture=$out/$program
	case $program in
	sor) "$smile" sim sor --size 128 --iterations 20 --capture "$capture" --node 0 --check none -q ;;
	fft | radix) "$smile" sim "$program" --capture "$capture" --node 0 --check none -q ;;
	water | gauss) "$smile" sim "$program" --size 128 --capture "$capture" --node 0 --check none -q ;;
	hard) "$smile" run --nodes 4 --place round-robin --capture "$capture" \
		-o "$capture" -q -- "$B/tests/bench/state_hard" ;;
	esac >/dev/null 2>"$out/log" || { cat "$out/log" >&2; exit 2; }
	"$smile" stat --slices "$capture-node0.pcap" -I 1 --events 60 >"$out/$program.csv"
	rm -f "$capture"-node?.pcap "$capture"-node?.rec
	"$B/tests/bench/state_bench" "$program" "$out/$program.csv" 10 4 5
	"$B/tests/bench/state_bench" "$program" "$out/$program.csv" 60 4 1
	"$B/tests/bench/state_bench" "$program" "$out/$program.csv" 60 16 1
done
