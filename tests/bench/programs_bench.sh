#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Programs of Debian, and of the tests, on the default machine of `smile run`, compared with their floor and with
# cachegrind: a table in Markdown on standard output.
#
# What lives here: the choice of programs, and the table. All rows of a program are measured in turn, ROUNDS times, and
# the median counts. A program that is not installed, or that fails natively, is left out, and named below the table.
#
# usage: B=build [ROUNDS=5] [PROGRAMS=PATTERN] tests/bench/programs_bench.sh: `make bench-tracing PARTS=programs`
set -eu
cd "$(dirname "$0")/../.."
B=$(realpath "${B:-build}")
ROUNDS=${ROUNDS:-5}
pattern=${PROGRAMS:-.}
scratch=$(mktemp -d "${RUN_SCRATCH:-${TMPDIR:-/tmp}}/smile-programs.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM
unset SMILE_MACHINE
export LC_ALL=C
# shellcheck source=tests/programs/input.sh
. tests/programs/input.sh
# shellcheck source=tests/programs/list.sh
. tests/programs/list.sh

# Programs whose work is done by processes that they start. cachegrind does not follow these processes, so it
# does not measure their work.
starts='^(python3, processes|gcc|g[+][+]|gfortran|make|bash)$'

# The programs of the list end within a tenth of a second; the programs here take longer.
larger() {
	cat <<END
xz, 3 MB|compress|xz -2 -T1 -k -c large
sqlite3, 20,000 rows|rows, an index, a query|sqlite3 :memory: ".read large.sql"
sort, 60,000 lines|with 4 threads|sort --parallel=4 large.lines
sor|512, 10 iterations|$B/workload/sor --size 512 --iterations 10
fft|262,144 points|$B/workload/fft --size 262144
radix|262,144 keys|$B/workload/radix --size 262144
gauss|256|$B/workload/gauss --size 256
water|128 molecules|$B/workload/water --size 128
mix|stencil, transposition, scattered updates|$B/tests/bench/mix 4
quarters|4 threads, each a quarter of the data|$B/tests/run/programs/quarters 0 8
END
}
for ((i = 0; i < 4; i++)); do cat "$input/text"; done >"$input/large"
for ((i = 0; i < 3; i++)); do sed "s/item/$i/" "$input/text"; done >"$input/large.lines"
sed 's/< 3000/< 20000/' "$input/rows.sql" >"$input/large.sql"

# The status with which a program ends well.
status_of() {
	case $1 in
	diff) echo 1 ;; # the files differ
	*) echo 0 ;;
	esac
}

# took ROW COMMAND...: append the command's cost to the file of the program's rows. It fails unless the command
# ends with $wanted.
took() {
	(cd "$scratch/place" && exec "$B/tests/bench/spend" -s "$wanted" "$scratch/took" "$@")
}

# works: check whether the program works without an emulator. Without numpy, python3 is installed,
# but its program fails.
works() {
	rm -rf "$scratch/place"
	cp -r "$input" "$scratch/place"
	took native "$@" 2>/dev/null
}

measure() {
	rm -f "$scratch/took"
	for ((round = 0; round < ROUNDS; round++)); do
		rm -rf "$scratch/place"
		cp -r "$input" "$scratch/place"
		took qemu qemu-x86_64 "$@" &&
			took tracer timeout 100 "$B/tests/tracer/tracer_dump" -n -p "$B/smile-preload.so" \
				"$B/smile-tracer.so" "$@" &&
			took run "$B/bin/smile" run -q -o "$scratch/place/run" -- "$@" &&
			took cachegrind valgrind --tool=cachegrind --cachegrind-out-file=/dev/null "$@" || return
	done
}

# medians: print the median of each row: NAME, WHAT, then elapsed seconds and processor seconds of
# each row.
medians() {
	printf '%s\t%s' "$1" "$2"
	for row in qemu tracer run cachegrind; do
		for column in 2 3; do
			printf '\t%s' "$(awk -F'\t' -v row=$row -v column=$column '$1 == row { print $column }' "$scratch/took" |
				sort -n | sed -n "$(((ROUNDS + 1) / 2))p")"
		done
	done
	echo
}

absent=''
failed=''
while IFS='|' read -r name what command; do
	[[ $name =~ $pattern && ! $name =~ $starts ]] || continue
	# shellcheck disable=SC2016
	eval "set -- $(sed 's/\$/\\$/g' <<<"$command")"
	wanted=$(status_of "$name")
	if path=$(command -v "$1") && works "$path" "${@:2}"; then
		echo "programs_bench: $name: $ROUNDS rounds" >&2
		if measure "$path" "${@:2}"; then
			medians "$name" "$what" >>"$scratch/medians"
		else
			failed="$failed${failed:+, }$name"
		fi
	else
		absent="$absent${absent:+, }$name"
	fi
done < <(programs; larger)

touch "$scratch/medians"
echo "| program | work | QEMU alone s | tracer, words dropped s | smile run s | cachegrind s | to QEMU | to cachegrind | CPU to cachegrind |"
echo "|---|---|---|---|---|---|---|---|---|"
awk -F'\t' '{
	printf "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f |\n", $1, $2, $3, $5, $7, $9, $7 / $3, $7 / $9, $8 / $10
	qemu += log($3 / $9); tracer += log($5 / $9); run += log($7 / $9); cpu += log($8 / $10); floor += log($7 / $3)
	above += $7 > $9
	if ($7 > $9 && $3 / $9 < 0.6) named = named (named ? ", " : "") $1
} END {
	if (!NR) exit
	printf "| geometric mean of %d | to cachegrind | %.2f | %.2f | %.2f | 1 | %.1f | %.2f | %.2f |\n\n", NR, exp(qemu / NR),
		exp(tracer / NR), exp(run / NR), exp(floor / NR), exp(run / NR), exp(cpu / NR)
	printf "Slower than cachegrind: %d", above
	printf named ? "; of these, with a QEMU alone below 0.6 of cachegrind: %s.\n" : ".\n", named
}' "$scratch/medians"
[ -z "$failed" ] || echo "Ended with another status than natively in one of the four, and left out: $failed."
[ -z "$absent" ] || echo "Not installed, or not working here, and left out: $absent."
