#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The cost of `smile run` and of its peers: tables in Markdown on standard output.
#
# What lives here: the programs, the rows of each table, and the method: all rows are measured in turn, ROUNDS times, and
# the median of each row counts. So other work of the host affects all rows, and the ratios are reliable even if single
# times are not. Processor time depends less on other work than elapsed time.
#
# usage: B=build tests/bench/run_bench.sh
#        The stages: QEMU without a plug-in; with an empty callback for each access; with the tracer, whose words are
#        dropped; with schedule and machine, which counts nothing (smile sim without -o); smile run, which counts and
#        records.
#        ROUNDS=5: the rounds, five times as many for the papers' sizes: their rows take tenths of a second, which other
#        work of the host affects most;
#        PARTS="paper large sor fft range small memory locks programs": the tables to print; the last one is of the
#        default machine;
#        RUN_SCRATCH: the folder in which a folder for the recordings, of some gigabytes, is made; OTHER: a smile of
#        another build to compare with
set -eu
B=${B:-build}
ROUNDS=${ROUNDS:-5}
PARTS=${PARTS:-paper large sor fft range small memory locks programs}
smile=$B/bin/smile
# Use the machine whose replay costs least, so that the tables show mainly the cost of the tracer.
export SMILE_MACHINE=smile1998
spend=$B/tests/bench/spend
dump=$B/tests/tracer/tracer_dump
mkdir -p "${RUN_SCRATCH:=$B/bench}"
scratch=$(mktemp -d "$(realpath "$RUN_SCRATCH")/run.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM

say() { echo "run_bench: $*" >&2; }

for tool in valgrind qemu-x86_64; do
	command -v $tool >/dev/null || {
		say "$tool is not there: make deps-bench installs it"
		exit 2
	}
done

# --- rows: each row is a function with the program and its arguments as parameters
# ----------------------------------------

took() {
	name=$1
	shift
	"$spend" "$scratch/took" "$name" "$@"
}

native() { took native "$@"; }
qemu() { took "QEMU alone" qemu-x86_64 "$@"; }
empty() { took "QEMU and an empty callback" qemu-x86_64 -plugin "$(realpath "$B/tests/bench/empty_callback.so")" "$@"; }
tracer() {
	took "QEMU and tracer, words dropped" "$dump" -n -p "$(realpath "$B/smile-preload.so")" \
		"$B/smile-tracer.so" "$@"
}

# Keep the recordings of the run for `pages` and `written`.
run() {
	rm -f "$scratch"/run-node*.rec
	took "smile run" "$smile" run -q -o "$scratch/run" -- "$@"
}
records() {
	rm -f "$scratch"/run-node*.rec
	took "smile run --records" "$smile" run -q --records -o "$scratch/run" -- "$@"
	rm -f "$scratch"/run-node*.rec
}
# Measure the schedule and the machine without cards.
machine() {
	workload=$(basename "$1")
	shift
	took "schedule and machine, nothing counted" "$smile" sim "$workload" -q "$@"
}
other() {
	rm -f "$scratch"/run-node*.rec
	took "smile run, other build" "$OTHER" run -q -o "$scratch/run" -- "$@"
}
range() {
	bytes=$1
	shift
	rm -f "$scratch"/run-node*.rec
	took "smile run --range $bytes" "$smile" run -q --range "$bytes" -o "$scratch/run" -- "$@"
}
pages() { took "smile report pages" "$smile" report pages "$scratch"/run-node*.rec; }
# Measure the least possible time to write a recording of this size. Delete the recording first,
# because memory may be short.
written() {
	bytes=$(cat "$scratch"/run-node*.rec | wc -c)
	rm -f "$scratch"/run-node*.rec
	took "as many bytes written" dd if=/dev/zero of="$scratch/zeros" bs=64K \
		count=$(((bytes + 65535) / 65536)) status=none
	rm -f "$scratch/zeros"
}
cachegrind() {
	took cachegrind valgrind --tool=cachegrind --cachegrind-out-file=/dev/null "$@"
}
lackey() { took "lackey --trace-mem=yes, to /dev/null" valgrind --tool=lackey --trace-mem=yes "$@"; }

# --- tables ----------------------------------------------------------------------------------------

# Medians of each row of `took`, and ratios to the rows native and cachegrind.
table() {
	sort -s -t"$(printf '\t')" -k1,1 "$scratch/took" | awk -F'\t' -v order="$(
		cut -f1 "$scratch/took" | awk '!seen[$0]++' | tr '\n' ';'
	)" '
	function median(values, count,    i, j, swap) {
		for (i = 2; i <= count; i++)
			for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
				swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
			}
		i = int((count + 1) / 2)
		return count % 2 ? values[i] : (values[i] + values[i + 1]) / 2
	}
	function settle(    i) {
		if (!count) return
		elapsed[row] = median(e, count); cpu[row] = median(c, count); rss[row] = r
		count = 0; r = 0
	}
	$1 != row { settle(); row = $1 }
	{ count++; e[count] = $2; c[count] = $3; if ($4 > r) r = $4 }
	function ratio(left, right) { return right ? sprintf("%.2f", left / right) : "" }
	END {
		settle()
		print "| | elapsed s | CPU s | MB | to native | to QEMU | to cachegrind | CPU to cachegrind |"
		print "|---|---|---|---|---|---|---|---|"
		rows = split(order, name, ";")
		for (i = 1; i < rows; i++)
			printf "| %s | %.3f | %.3f | %.0f | %s | %s | %s | %s |\n", name[i],
				elapsed[name[i]], cpu[name[i]], rss[name[i]] / 1024,
				ratio(elapsed[name[i]], elapsed["native"]),
				ratio(elapsed[name[i]], elapsed["QEMU alone"]),
				ratio(elapsed[name[i]], elapsed["cachegrind"]),
				ratio(cpu[name[i]], cpu["cachegrind"])
	}'
	echo
}

rounds=$ROUNDS

# compare "ROWS" PROGRAM ARGUMENTS...
compare() {
	rows=$1 program=$B/workload/$2
	shift 2
	rm -f "$scratch/took"
	say "$(basename "$program") $*: $rounds rounds of $rows"
	echo "### \`$(basename "$program") $*\`"
	echo
	round=0
	while [ $round -lt "$rounds" ]; do
		for row in $rows; do
			case $row in
			range*) range "${row#range}" "$program" "$@" ;;
			*) $row "$program" "$@" ;;
			esac
		done
		round=$((round + 1))
	done
	table
}

all="native qemu empty tracer machine ${OTHER:+other }run pages written records cachegrind"
stages="native qemu empty tracer machine ${OTHER:+other }run cachegrind"
for part in $PARTS; do
	case $part in
	sor) compare "$all" sor --size 1024 --iterations 10 --check none ;;
	large)
		compare "$stages" sor --size 1024 --iterations 20 --check none
		compare "$stages" fft --size 1048576 --check none
		compare "$stages" radix --size 4194304 --check none
		compare "$stages" gauss --size 512 --check none
		;;
	fft) compare "$all" fft --size 262144 --check none ;;
	paper)
		rounds=$((5 * ROUNDS))
		compare "$all" sor --size 512 --iterations 10 --check none
		compare "$all" fft --size 16384 --check none
		rounds=$ROUNDS
		;;
	range)
		compare "native cachegrind run range16 range64 range4096" sor --size 1024 \
			--iterations 10 --check none
		compare "native cachegrind run range16 range64 range4096" fft --size 262144 \
			--check none
		;;
	locks)
		compare "qemu ${OTHER:+other }run" ../tests/run/programs/waits lock 100000
		compare "qemu ${OTHER:+other }run" ../tests/run/programs/waits semaphore 10000
		compare "qemu ${OTHER:+other }run" ../tests/run/programs/waits locks 5000
		compare "qemu ${OTHER:+other }run" ../tests/run/programs/waits futex 2000
		compare "qemu ${OTHER:+other }run" ../tests/run/programs/waits mutex 1000
		;;
	small) compare "$all lackey" sor --size 128 --iterations 2 --check none ;;
	memory)
		compare "native run cachegrind" sor --size 256 --iterations 10 --check none
		compare "native run cachegrind" sor --size 256 --iterations 100 --check none
		;;
	programs) B=$B ROUNDS=$rounds RUN_SCRATCH=$scratch "$(dirname "$0")/programs_bench.sh" ;;
	*)
		say "no part $part"
		exit 2
		;;
	esac
done
