#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The papers' figures and tables: this project's versions, as text, JSON and SVG, for docs/papers.md.
#
# What lives here: one function for each figure or table. Each function names its requirements: the FFT capture
# (PAPERS_FFT), or `smile run` with the programs of run/workload. If one is missing, the figure or table is left out with
# a message.
#
# usage: tests/bench/papers.sh SMILE WORKLOADS OUT
#        WORKLOADS: directory of sor, fft, radix, gauss, water
set -eu
smile=$(realpath "$1") workloads=$2 out=$3
fft_capture=${PAPERS_FFT:-../shared/captures/fft16k-node0.pcap.xz}
mkdir -p "$out"
out=$(realpath "$out")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM
# Tables are written to files: not limited to a terminal's width, no colours.
export NO_COLOR=1
export SMILE_MACHINE=smile1998
: >"$out/summary.txt"

say() { echo "papers: $*" >&2; }

# beside WHAT THEIRS OURS: add a line with the number of the papers and ours to the summary.
beside() { printf '%-62s %14s %14s\n' "$1" "$2" "$3" >>"$out/summary.txt"; }

# number FORMAT JQ FILE
# shellcheck disable=SC2059
number() { printf "$1" "$(gojq -r "$2" "$3")"; }

# point FORMAT COUNTERS RANGE JQ FILE: print a number of a sweep's document for one configuration.
point() {
	number "$1" ".points[] | select(.counters == $2 and .range_bytes == $3) | $4" "$5"
}

# --- 1998, figures 4 to 7 ---------------------------------------------------------------------------

# swept NAME SECONDS OPTIONS FILES...: write the table and the picture of a sweep, with the untyped
# tags of the papers' card. The document is in the scratch directory.
swept() {
	name=$1 seconds=$2
	shift 2
	"$smile" sweep --typed-tags off --seconds "$seconds" --plot "$out/$name.svg" "$@" \
		>"$out/$name.txt"
	"$smile" sweep --typed-tags off --seconds "$seconds" --json "$@" >"$scratch/$name.json"
}

# The same sweep for each page of node 0 with at least 5000 accesses; print the least and the most
# flushed KB.
fft_pages() {
	"$smile" report pages --json "$scratch/fft.rec" |
		gojq '.pages[] | select(.home == 0 and (.accesses | add) >= 5000) | .page' |
		while read -r page; do
			"$smile" sweep --page "$page" --typed-tags off --counters 16 --range 4 --json \
				"$scratch/fft.pcap" | gojq '.points[0].bytes / 1000'
		done | gojq -sr '"\(min * 10 | round / 10) to \(max * 10 | round / 10)"'
}

fft_of_splash() {
	if [ ! -f "$fft_capture" ]; then
		say "no capture of SPLASH's FFT ($fft_capture; PAPERS_FFT names another): left out"
		return
	fi
	say "figures 4 and 6: SPLASH's FFT, 16K points, page 40"
	case $fft_capture in
	*.xz) xz -dc "$fft_capture" >"$scratch/fft.pcap" ;;
	*) cp "$fft_capture" "$scratch/fft.pcap" ;;
	esac
	"$smile" replay "$scratch/fft.pcap" --range 64 --aligned on -o "$scratch/fft.rec" 2>/dev/null
	"$smile" report page --page 40 --section-bytes 64 "$scratch/fft.rec" >"$out/fft-page40.txt"
	swept fft-page40-sweep 0.127 --page 40 "$scratch/fft.pcap"
	"$smile" sweep --node 0 --typed-tags off "$scratch/fft.pcap" >"$out/fft-node0-sweep.txt"
	"$smile" sweep --node 0 --typed-tags off --json "$scratch/fft.pcap" \
		>"$scratch/node.json"
	sweep=$scratch/fft-page40-sweep.json
	beside "figure 6: KB flushed, 16 counters, one word" 84 \
		"$(point %.1f 16 4 '.bytes / 1000' "$sweep")"
	beside "figure 6: the same with 32 counters" "about 84" \
		"$(point %.1f 32 4 '.bytes / 1000' "$sweep")"
	beside "KB/s over 0.127 s, 16 counters, one word" 661 \
		"$(point %.0f 16 4 '.bytes_per_second / 1000' "$sweep")"
	beside "KB/s over 0.127 s, 16 counters, 8 bytes" 280 \
		"$(point %.0f 16 8 '.bytes_per_second / 1000' "$sweep")"
	beside "KB/s over 0.127 s, 16 counters, 16 bytes" 280 \
		"$(point %.0f 16 16 '.bytes_per_second / 1000' "$sweep")"
	beside "KB/s over 0.127 s, trace writing (1 counter)" 1060 \
		"$(point %.0f 1 4 '.bytes_per_second / 1000' "$sweep")"
	beside "share of an I/O bus of 80 MB/s, 16 counters, one word, %" 0.8 \
		"$(point %.2f 16 4 '.bytes_per_second / 80e6 * 100' "$sweep")"
	beside "run time of the FFT, s" 0.127 "$(number %.3f .seconds "$scratch/node.json")"
	beside "KB flushed on other pages of node 0: least and most" "-" "$(fft_pages)"
	beside "share of the bus, all accesses of node 0, own run time, %" "-" \
		"$(point %.1f 16 4 '.bytes_per_second / 80e6 * 100' "$scratch/node.json")"
	beside "the same with ranges of 16 bytes, %" "-" \
		"$(point %.1f 16 16 '.bytes_per_second / 80e6 * 100' "$scratch/node.json")"
	beside "the same with ranges of 64 bytes, %" "-" \
		"$(point %.1f 16 64 '.bytes_per_second / 80e6 * 100' "$scratch/node.json")"
}

# --- 2002, the SOR walk-through ---------------------------------------------------------------------

sor_walk() {
	say "the SOR walk-through: 512 x 512, 10 iterations, 4 nodes"
	"$smile" sim sor --nodes 1 --json "$scratch/sor-1.json" >/dev/null
	# Page numbers of 16 bits, as in the papers' card: the grid starts at page 0.
	"$smile" sim sor --node-ids narrow --direction in --range 64 --aligned on -o "$scratch/sor" \
		--json "$scratch/sor-4.json" | grep -v '^recorded: ' >"$out/sor-run.txt"
	beside "SOR on 4 nodes, transparent: speed-up against 1" 0.0174 "$(gojq -nr \
		--slurpfile one "$scratch/sor-1.json" --slurpfile four "$scratch/sor-4.json" \
		'$one[0].part.time_ns / $four[0].part.time_ns * 10000 | round / 10000')"
	"$smile" report transfers "$scratch"/sor-node?.rec >"$out/sor-transfers.txt"
	"$smile" report pages --bands "$scratch"/sor-node?.rec >"$out/sor-bands.txt"
	"$smile" report page --page 0 --section-bytes 64 "$scratch"/sor-node?.rec >"$out/sor-page0.txt"
	"$smile" report page --page 127 --section-bytes 256 "$scratch"/sor-node?.rec \
		>"$out/sor-page127.txt"
	beside "SOR, first node: pages that it alone accesses" "up to 64" "$(bands_free)"
	beside "SOR, first node: pages of the second thread alone" "68 to 124" \
		"$(sed -n 's/^home 0: pages \([0-9]*\)-\([0-9]*\) .*: nodes 1$/\1 to \2/p' \
			"$out/sor-bands.txt")"
	beside "SOR, page 0: remote accesses by" "all nodes" \
		"$(sed -n 's/^home 0: page 0 .*: nodes \(.*\)$/nodes \1/p' "$out/sor-bands.txt")"
}

# The pages of home 0 from page 0 to the first page that another node accesses.
bands_free() {
	sed -n 's/^home 0: pages\{0,1\} \([1-9][0-9]*\).*/\1/p' "$out/sor-bands.txt" |
		sort -n | { read -r first; echo "4 to $((first - 4))"; }
}

# --- real programs under smile run ------------------------------------------------------------------

# traced NAME LAYOUT THREADS PROGRAM [OPTIONS...]: run the program with smile run, and write the
# summary to NAME.json in the scratch directory. Only this function uses the options of `smile run`.
traced() {
	name=$1 layout=$2 threads=$3 program=$4
	shift 4
	"$smile" run --nodes "$threads" --place round-robin --json "$scratch/$name.json" \
		-o "$scratch/$name" "$@" \
		-- "$workloads/$program" --threads "$threads" --layout "$layout" >&2
}

# simulated NAME PROGRAM OPTIONS: run the parallel part by `smile sim`, which gives each node its own copy of
# constants, as on the nodes of a cluster. The summary is in NAME.json.
simulated() {
	name=$1 program=$2
	shift 2
	"$smile" sim "$@" --check none -q --json "$scratch/$name.json" "$program" >"$scratch/log" 2>&1 ||
		{ say "$name: failed"; cat "$scratch/log"; exit 1; }
}

# table_row PROGRAM THEIRS...: write a program's rows of table 1.
table_row() {
	program=$1
	shift
	say "table 1: $program"
	simulated "$program-one" "$program" --nodes 1
	simulated "$program-transparent" "$program"
	simulated "$program-placed" "$program" --layout placed
	one=$(gojq '.part.time_ns / 1e9' "$scratch/$program-one.json")
	for kind in one transparent placed; do
		time=$(gojq '.part.time_ns / 1e9' "$scratch/$program-$kind.json")
		printf '%-8s %-12s %12.4f %10s   %10s %9s\n' "$program" "$kind" "$time" \
			"$(echo "$one $time" | awk '{ printf "%.4f", $1 / $2 }')" "$1" "$2" \
			>>"$out/table1.txt"
		shift 2
	done
	variant "$program" migrating --place migrate
	for kind in one transparent placed migrating; do
		case $kind in
		one) variant "$program" "$kind, cache" --nodes 1 $cache ;;
		transparent) variant "$program" "$kind, cache" $cache ;;
		placed) variant "$program" "$kind, cache" --layout placed $cache ;;
		migrating) variant "$program" "$kind, cache" --place migrate $cache ;;
		esac
	done
}

# The second-level cache of a Xeon with 450 MHz.
cache="--cache 512K,64,4"

# variant PROGRAM WHAT OPTIONS...: write a row that is not in the papers.
variant() {
	program=$1 what=$2
	shift 2
	simulated variant "$program" "$@"
	gojq -r --arg p "$program" --arg w "$what" '[$p, $w, .part.time_ns / 1e9, .part.speed_up] | @tsv' \
		"$scratch/variant.json" | awk -F'\t' '{ printf "%-8s %-19s %5.4f %10.4f\n", $1, $2, $3, $4 }' \
		>>"$out/table1-variants.txt"
}

table_1() {
	printf '%-8s %-12s %12s %10s   %10s %9s\n' program placement "ours, s" speed-up \
		"theirs, s" speed-up >"$out/table1.txt"
	: >"$out/table1-variants.txt"
	table_row sor 1.36 1 78.16 0.0174 0.43 3.16
	table_row gauss 4.83 1 44.95 0.1075 2.11 2.289
	table_row water 15.83 1 116.12 0.14 5.20 3.04
}

# figure PROGRAM SECONDS: figures 4 and 6, or 5 and 7, by the program of this project. Node 0 creates
# and checks the data, so that only accesses of the parallel part arrive from other nodes at its own
# pages.
figure() {
	say "figures 4 to 7: $1 under smile run"
	traced "$1" default 4 "$1" --capture "$scratch/$1"
	swept "$1-own-sweep" "$2" "$scratch/$1-node0.pcap"
	"$smile" replay "$scratch/$1-node0.pcap" --range 64 --aligned on --direction in \
		-o "$scratch/$1.rec" 2>/dev/null
	"$smile" report page --page "$(gojq .page "$scratch/$1-own-sweep.json")" --section-bytes 64 \
		"$scratch/$1.rec" >"$out/$1-own-page.txt"
}

# Figures 5 and 7 for the kind of page that the paper describes, whose accesses are linear: the page
# of keys of node 0 that has the most accesses.
radix_keys() {
	say "figures 5 and 7: RADIX, a page of keys"
	keys=$("$smile" report pages --json "$scratch"/radix-node?.rec | gojq '[.pages[] |
		select(.home == 0 and (.region.name == "keys" or .region.name == "sorted"))] |
		max_by(.accesses | add) | .page')
	swept radix-keys-sweep 1.142 --page "$keys" "$scratch/radix-node0.pcap"
	"$smile" report page --page "$keys" --section-bytes 64 "$scratch/radix.rec" >"$out/radix-keys-page.txt"
	for counters in 16 32; do
		beside "figure 7: KB flushed, a page of keys, $counters counters, one word" 60 \
			"$(point %.1f $counters 4 '.bytes / 1000' "$scratch/radix-keys-sweep.json")"
	done
}

# 2002, figures 7 and 8: RADIX with a working set of 256 KB, which 64K keys of 4 bytes are. The parallel
# part's recordings: transfers, pages, a page of keys by section and over the phases.
radix_256() {
	say "2002, figures 7 and 8: RADIX, 256 KB"
	"$smile" sim radix --check none -q -o "$scratch/radix256" --range 64 --aligned on >"$scratch/log" 2>&1 ||
		{ say "RADIX of 256 KB failed"; cat "$scratch/log"; exit 1; }
	"$smile" report transfers "$scratch"/radix256-node?.rec >"$out/radix256-transfers.txt"
	"$smile" report pages --hot 1% "$scratch"/radix256-node?.rec >"$out/radix256-pages.txt"
	page=$("$smile" report pages --json "$scratch"/radix256-node?.rec | gojq '[.pages[] |
		select(.region.name == "sorted")] | max_by(.accesses | add) | .page')
	"$smile" report page --page "$page" --section-bytes 256 "$scratch"/radix256-node?.rec \
		>"$out/radix256-page.txt"
	"$smile" report phases --page "$page" "$scratch"/radix256-node?.rec >"$out/radix256-phases.txt"
	beside "RADIX, 256 KB: pages with accesses from other nodes" "-" \
		"$("$smile" report pages --json "$scratch"/radix256-node?.rec | gojq '.pages | length')"
	beside "RADIX, 256 KB: bottlenecks among 12 pairs (above twice the mean)" "-" \
		"$("$smile" report transfers --json "$scratch"/radix256-node?.rec | gojq '.bottlenecks | length')"
}

run_programs() {
	if ! "$smile" run --help >/dev/null 2>&1 || [ ! -x "$workloads/fft" ]; then
		say "no smile run, or no programs in $workloads: figures 5 and 7, table 1 left out"
		return
	fi
	figure fft 0.127
	figure radix 1.142
	beside "figure 7: KB flushed, RADIX, 16 counters, one word" 60 \
		"$(point %.1f 16 4 '.bytes / 1000' "$scratch/radix-own-sweep.json")"
	radix_keys
	radix_256
	rm -f "$scratch"/*.pcap
	[ -n "${PAPERS_PARTS:-}" ] || table_1
}

# --- 2006, the estimator --------------------------------------------------------------------------

here=$(realpath "$(dirname "$0")")

# there_and_back NAME PARAMETERS: simulate samples of the processes, and fit processes to the
# samples: 10 sets of 3000 samples at 40 ms.
there_and_back() {
	"$smile" stat --simulate "$2" >"$scratch/samples.csv"
	"$smile" stat --fit "$scratch/samples.csv" >"$scratch/fitted.csv" 2>"$scratch/notes"
	awk -F, 'NR == FNR { if (FNR > 1) { sigma[$1] = $2; beta[$1] = $3; mean[$1] = $4 }; next }
		FNR == 1 { printf "%-28s %22s %22s %22s  %s\n", "event", "sigma: theirs, ours",
			"beta: theirs, ours", "mean: theirs, ours", "beta, 95 %"; next }
		{ printf "%-28s %11.4g %10.4g %11.4g %10.4g %11.4g %10.4g  %.4g to %s\n", $1, sigma[$1], $2,
			beta[$1], $3, mean[$1], $4, $8, ($9 == "" ? "-" : sprintf("%.4g", $9)) }' \
		"$2" "$scratch/fitted.csv" >"$out/$1.txt"
	awk -F, 'NR == FNR { if (FNR > 1) { sigma[$1] = $2; beta[$1] = $3; mean[$1] = $4 }; next }
		FNR > 1 { n++; s += $6 <= sigma[$1] && sigma[$1] <= $7; m += $10 <= mean[$1] && mean[$1] <= $11
			b += $8 <= beta[$1] && (beta[$1] <= $9 || $9 == "") }
		END { printf "%d of %d sigma, %d beta, %d mean\n", s, n, b, m }' \
		"$2" "$scratch/fitted.csv" >"$scratch/inside"
	beside "$1: values within 95 % confidence" "-" "$(cat "$scratch/inside")"
}

estimator() {
	say "2006: tables 5.1 and B.1 from simulated processes"
	there_and_back table-5.1 "$here/events_2006.csv"
	head -n 3 "$here/events_2006.csv" >"$scratch/two.csv"
	"$smile" stat --simulate "$scratch/two.csv" | "$smile" stat --fit - --plot "$out/fit.svg" >/dev/null
	table_b1=${PAPERS_EVENTS:-../shared/thesis_table_b1.csv}
	if [ -f "$table_b1" ]; then
		# The events that have data: symbol and processor, sigma, beta, mean.
		"$here/events_2006.py" \
			"$table_b1" | awk -F, '!seen[$1]++' >"$scratch/b1.csv"
		there_and_back table-B.1 "$scratch/b1.csv"
	else
		say "no table B.1 ($table_b1; PAPERS_EVENTS names another): left out"
	fi
	if [ -f "$table_b1" ]; then
		say "2006: figures 5.20 to 5.25: two processors of each event"
		processors
	fi
	say "2006: figures 5.26 and 5.27: the variance of an event that is read in each third interval"
	printf 'event,sigma,beta,mean,r\nDATA_MEM_REFS,5.26e6,38.8,6.19e6,2.76676e9\n' >"$scratch/one.csv"
	awk 'BEGIN { print "interval,dt_s,event,value"
		for (k = 0; k < 60; k++) print k ",0.02," (k % 3 ? "," : "DATA_MEM_REFS,6e6") }' \
		>"$scratch/third.csv"
	"$smile" stat --filter "$scratch/third.csv" --parameters "$scratch/one.csv" --model integrated \
		>"$out/variance-each-third.csv"
	bench=$(dirname "$(dirname "$smile")")/tests/bench/estimate_bench
	if [ -x "$bench" ]; then
		say "2006: figures 5.28 to 6.12: the time of a step"
		"$bench" >"$out/filter-time.csv" 2>/dev/null
		gnuplot -e "set terminal svg size 900,480 dynamic enhanced font 'DejaVu Sans,12' background '#ffffff';
			set datafile separator ','; set logscale xy; set format y '10^{%T}'; set xlabel 'counters';
			set ylabel 'time of a step, s'; set key left top; set grid lc rgb '#dddddd';
			set output '$out/filter-time.svg';
			plot '< grep integrated,blocks $out/filter-time.csv' using 3:4 with linespoints title 'blocks',
			'< grep integrated,dense $out/filter-time.csv' using 3:4 with linespoints title 'whole matrices',
			0.0002 with lines dt 2 lc rgb '#000000' title '1 % of 20 ms'" ||
			say "no gnuplot: filter-time.svg left out"
		beside "counters within 1 % of 20 ms, whole matrices" "6 to 8" "$(most_within dense)"
		beside "the same, blocks" "about 100 to >> 120" "$(most_within blocks)"
	fi
}

# Figures 5.20 to 5.25: the events of table B.1, divided into three parts by the first processor's beta, with the
# values of both processors.
processors() {
	awk -F, 'NR == FNR { if (FNR > 1) { beta[$1] = $3; sigma[$1] = $2 }; next }
		FNR > 1 && $1 ~ / cpu 1$/ {
			other = $1; sub(/1$/, "2", other)
			if (other in beta) print beta[$1], beta[other], sigma[$1], sigma[other]
		}' "$scratch/b1.csv" "$scratch/b1.csv" | sort -g | awk '{ print NR, $0 }' >"$scratch/processors"
	third=$((($(wc -l <"$scratch/processors") + 2) / 3))
	{
		echo "set terminal svg size 1000,900 dynamic font 'DejaVu Sans,11' background '#ffffff'
			set output '$out/figures-5.20-5.25.svg'; set border 3 lc rgb '#444444'; set tics nomirror
			set grid ytics lc rgb '#dddddd'; set key top left; set multiplot layout 3,2"
		for part in 0 1 2; do
			echo "set xrange [$((part * third)) : $(((part + 1) * third + 1))]; set xlabel 'event, by beta'
				set ylabel 'beta, 1/s'; unset logscale
				plot '$scratch/processors' using 1:2 with points pt 7 ps 0.5 lc rgb '#0072b2' title 'CPU 1', \\
				'' using 1:3 with points pt 6 ps 0.6 lc rgb '#d55e00' title 'CPU 2', \\
				'' using 1:2:(0):(\$3 - \$2) with vectors nohead lc rgb '#999999' notitle
				set ylabel 'sigma'; set logscale y; set format y '10^{%T}'
				plot '$scratch/processors' using 1:4 with points pt 7 ps 0.5 lc rgb '#0072b2' title 'CPU 1', \\
				'' using 1:5 with points pt 6 ps 0.6 lc rgb '#d55e00' title 'CPU 2', \\
				'' using 1:4:(0):(\$5 - \$4) with vectors nohead lc rgb '#999999' notitle
				set format y '%g'"
		done
	} | gnuplot || say "no gnuplot: figures-5.20-5.25.svg left out"
	beside "figures 5.20 to 5.25: events of both processors" 90 "$(wc -l <"$scratch/processors")"
	beside "the same: betas of the two within 10 %" "-" \
		"$(awk '{ d = $3 / $2 - 1; n += d < 0.1 && d > -0.1 } END { print n }' "$scratch/processors")"
}

# Figure 2.4: the lengths of intervals of 40 ms, measured by the clock between two readings.
sample_time() {
	if ! "$smile" stat -e page-faults -I 40 -o "$scratch/lengths.csv" -- sleep 20 >/dev/null 2>&1; then
		say "perf_event_open is not permitted here: figure 2.4 left out"
		return
	fi
	say "2006, figure 2.4: the length of an interval of 40 ms"
	# The last interval is incomplete.
	awk -F, 'FNR > 1 { print 1000 * $2 }' "$scratch/lengths.csv" | sed '$d' >"$scratch/lengths"
	gnuplot -e "set terminal svg size 700,380 dynamic font 'DejaVu Sans,12' background '#ffffff';
		set border 3 lc rgb '#444444'; set tics nomirror; set grid ytics lc rgb '#dddddd'; set key off;
		set xlabel 'length of an interval, ms'; set ylabel 'intervals'; set logscale y; set yrange [0.5:];
		width = 0.05; set boxwidth width; set output '$out/figure-2.4.svg';
		plot '$scratch/lengths' using (width * floor(\$1 / width) + width / 2):(1) smooth frequency with boxes
		fs solid 0.6 noborder lc rgb '#0072b2'" || say "no gnuplot: figure-2.4.svg left out"
	awk '{ n++; sum += $1; square += $1 * $1 } END { mean = sum / n
		printf "%d intervals: mean %.3f ms, standard deviation %.3f ms, %.2f %%\n", n, mean,
			sqrt(square / n - mean * mean), 100 * sqrt(square / n - mean * mean) / mean }' "$scratch/lengths" \
		>"$out/figure-2.4.txt"
	beside "figure 2.4: standard deviation of an interval of 40 ms, %" 0.28 \
		"$(sed 's/.* \(.*\) %/\1/' "$out/figure-2.4.txt")"
}

# Chapter 8, from a run of cluster_state.sh.
chapter_8() {
	run=${PAPERS_CLUSTER:-}
	if [ ! -f "$run/view3.csv" ]; then
		say "no run on a cluster (PAPERS_CLUSTER names one, make papers-cluster makes it): chapter 8 left out"
		return
	fi
	say "2006: figures 8.2 to 8.6: the state of four nodes that run SOR"
	"$here/cluster_state.py" "$run" "$out" >"$scratch/chapter-8.csv"
	while IFS=, read -r what ours; do
		beside "$what" "-" "$ours"
	done <"$scratch/chapter-8.csv"
}

# Figures 5.1, 5.2, 5.6 to 5.19 and B.1 to B.90: ten sets of an event on two nodes, and of the process that was fitted to
# the first one. There are many, so they have a folder of their own.
appendix_b() {
	if ! command -v qemu-x86_64 >/dev/null; then
		say "no smile sim: figures B.1 to B.90 left out"
		return
	fi
	say "2006: figures B.1 to B.90: sets of samples, their autocorrelation, their Gaussian"
	"$smile" sim fft --capture "$scratch/b" --check none -q >/dev/null 2>&1
	for node in 0 1; do
		"$smile" stat --slices "$scratch/b-node$node.pcap" -I 0.2 >"$scratch/slices"
		# Of the events that this node causes, the one with the most accesses.
		event=$(awk -F, -v from="^$node>" '$3 ~ from { sum[$3] += $4; if (sum[$3] > sum[most]) most = $3 }
			END { print most }' "$scratch/slices")
		awk -F, -v OFS=, -v node="$node" -v event="$event" '$3 != event { next }
			NR == FNR { n++; next }
			{ print 1 + int(k++ * 10 / n), $2, "node " node ": " $3, $4 }' "$scratch/slices" "$scratch/slices"
	done | sed '1i set,dt_s,event,value' >"$scratch/sets.csv"
	rm -f "$scratch"/b-node?.pcap
	"$smile" stat --fit "$scratch/sets.csv" 2>/dev/null | sed -n '1p; s/^node 0/simulated: &/p' >"$scratch/process.csv"
	"$smile" stat --simulate "$scratch/process.csv" --samples 300 -I 0.2 | tail -n +2 >>"$scratch/sets.csv"
	rm -rf "$out/appendix-B"
	if ! "$smile" stat --fit "$scratch/sets.csv" --figures "$out/appendix-B" >"$out/appendix-B.csv" 2>"$scratch/notes"; then
		say "figures B.1 to B.90 left out: $(cat "$scratch/notes")"
		return
	fi
	beside "figures B.1 to B.90: pictures of a set" 90 "$(find "$out/appendix-B" -name '*-set*.svg' | wc -l)"
}

# The picture of docs/state.md: ten events of the FFT, of which four are read at a time. One event
# is drawn with its true counts.
state_picture() {
	command -v qemu-x86_64 >/dev/null || return 0
	say "the state of an event of the FFT, with its band and the truth"
	"$smile" sim fft --capture "$scratch/state" --node 0 --check none -q >/dev/null 2>&1
	"$smile" stat --slices "$scratch/state-node0.pcap" -I 1 --events 10 >"$scratch/truth.csv"
	awk -F, 'NR == 1 { next } !($3 in number) { number[$3] = events + 0; name[events++] = $3 }
		{ value[number[$3], count[$3]++] = $4 }
		END { print "interval,dt_s,event,value"; srand(1)
			for (t = 0; t < count[name[0]]; t++) {
				if (t % 3 == 0) for (i = 0; i < events; i++) order[i] = i
				if (t % 3 == 0) for (i = events - 1; i > 0; i--) {
					j = int(rand() * (i + 1)); k = order[i]; order[i] = order[j]; order[j] = k }
				for (k = 0; k < 4; k++) { i = order[(t % 3 * 4 + k) % events]
					print t ",0.001," name[i] "," value[i, t] } } }' \
		"$scratch/truth.csv" >"$scratch/readings.csv"
	"$smile" stat --readings "$scratch/readings.csv" -o "$scratch/state.csv" >"$out/state.txt"
	awk -F, '$3 == "1>0:read" { t = n++; print t / 1000, $4 }' "$scratch/truth.csv" >"$scratch/truth"
	awk -F, '$3 == "1>0:read" { b = 1.96 * $6; t = n++
		print t / 1000, $5, ($5 > b ? $5 - b : 0), $5 + b, ($4 == "" ? "NaN" : $4) }' \
		"$scratch/state.csv" >"$scratch/state"
	gnuplot -e "set terminal svg size 1000,380 dynamic font 'DejaVu Sans,12' background '#ffffff';
		set border 3 lc rgb '#444444'; set tics nomirror; set grid ytics lc rgb '#dddddd';
		set xlabel 'simulated time, s'; set ylabel 'reads an interval of 1 ms'; set xrange [0.2:0.34];
		set key outside below; set output '$out/state.svg';
		plot '$scratch/state' using 1:3:4 with filledcurves fc rgb '#56b4e9' fs transparent solid 0.45
		title '95 % band', '' using 1:2 with lines lc rgb '#0072b2' lw 1.5 title 'estimate',
		'$scratch/truth' using 1:2 with lines lc rgb '#d55e00' dt 2 title 'truth',
		'$scratch/state' using 1:5 with points pt 7 ps 0.5 lc rgb '#000000' title 'reading'" ||
		say "no gnuplot: state.svg left out"
}

# The thesis's figures 4.17 to 4.19: the times between a node's requests, and the throughput that the ring model
# predicts from these times, compared with the default load and with the truth.
ring_loads() {
	if ! "$smile" run --help >/dev/null 2>&1 || [ ! -x "$workloads/fft" ]; then
		say "no smile run, or no programs in $workloads: figures 4.17 to 4.19 left out"
		return
	fi
	say "2006, figures 4.17 to 4.19: default, fitted and replayed load of the ring"
	: >"$out/ring-loads.txt"
	for program in "fft --size 4096" "radix --size 65536" "sor --size 128 --iterations 4"; do
		name=${program%% *}
		# shellcheck disable=SC2086
		"$smile" sim $program --check none -q -o "$scratch/ring" --capture "$scratch/ring-$name" >"$scratch/log" 2>&1 ||
			{ say "$program failed"; cat "$scratch/log"; exit 1; }
		echo "smile ring --nodes 4 --compare, of smile sim $program" >>"$out/ring-loads.txt"
		"$smile" ring --nodes 4 --compare "$scratch/ring-$name"-node?.pcap | sed '/^legend/,$d' >>"$out/ring-loads.txt"
		"$smile" ring --nodes 4 --compare --json "$scratch/ring-$name"-node?.pcap >"$scratch/compared.json"
		for load in replayed fitted default; do
			beside "figure 4.19: $name, $load load, throughput to the trace's" "-" "$(number '%+.1f %%' \
				".loads[] | select(.load == \"$load\") | .difference_percent" "$scratch/compared.json")"
		done
	done
	"$smile" trace import --node 0 "$scratch/ring-fft-node0.pcap" -o "$scratch/ring.db" >/dev/null 2>&1
	"$smile" trace interarrival "$scratch/ring.db" --source 0 --type request --distribution "$scratch/between.csv" \
		>/dev/null
	gnuplot -e "set terminal svg size 1000,380 dynamic font 'DejaVu Sans,12' background '#ffffff';
		set datafile separator ','; set logscale x; set grid lc rgb '#dddddd'; set key off;
		set xlabel 'from one request of node 0 to the next, ns'; set output '$out/ring-interarrival.svg';
		set multiplot layout 1,2; set ylabel 'requests'; set logscale y; set yrange [0.5:];
		plot '$scratch/between.csv' skip 1 using 1:2 with impulses lc rgb '#0072b2';
		unset logscale y; set yrange [0:1]; set ylabel 'share that comes no later';
		plot '$scratch/between.csv' skip 1 using 1:3 with steps lc rgb '#0072b2' lw 1.5" ||
		say "no gnuplot: ring-interarrival.svg left out"
	rm -f "$scratch"/ring*
}

# most_within FORM: print the largest tried size that is within the budget.
most_within() {
	awk -F, -v form="$1" '$1 == "integrated" && $2 == form && $4 < 0.0002 { n = $3 } END { print n }' \
		"$out/filter-time.csv"
}

printf '%-62s %14s %14s\n' "what" "the paper" "ours" >"$out/summary.txt"
# PAPERS_PARTS selects some of these parts. The default is without table 1, which takes longest.
for part in ${PAPERS_PARTS:-fft_of_splash sor_walk estimator sample_time appendix_b chapter_8 state_picture ring_loads run_programs}; do
	$part
done
say "done: $out"
cat "$out/summary.txt"
