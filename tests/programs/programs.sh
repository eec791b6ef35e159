#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Run third-party programs under `smile run`. The output and status of each program are compared with those of a native
# run, its counts with those of a second run, and its time with that of QEMU without a plug-in. The account of its
# accesses is checked.
#
#	[B=build] [PROGRAMS=PATTERN] tests/programs/programs.sh
#
# What lives here: the table of docs/programs.md, which is written to B/programs.md.
# Times are printed, but not checked. A program that is not installed is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
B=$(realpath "${B:-build}")
pattern=${PROGRAMS:-.}
smile=$B/bin/smile
scratch_make "$B/tests/programs"
table=$B/programs.md
limit=600
export LC_ALL=C
# The table shows the cost of tracing, so it uses the machine whose replay costs least.
export SMILE_MACHINE=smile1998
# shellcheck source=tests/programs/input.sh
. tests/programs/input.sh
# shellcheck source=tests/programs/list.sh
. tests/programs/list.sh

command -v gojq >/dev/null || { skip "no gojq: make deps"; suite_end; exit; }
qemu=$("$smile" doctor | sed -n 's/^ok *smile run *\([^ ]*\) .*/\1/p')
[ -n "$qemu" ] || { echo "$0: smile run does not work here: smile doctor says why" >&2; exit 2; }

# run NAME COMMAND...: run the command in a new copy of the input. Sets status and seconds, and writes the
# created files to NAME.made.
run() {
	local name=$1 begin end
	shift
	rm -rf "$scratch/place"
	cp -r "$input" "$scratch/place"
	begin=${EPOCHREALTIME/./}
	(cd "$scratch/place" && exec timeout -k 10 $limit "$@") >"$scratch/$name.out" 2>"$scratch/$name.err" </dev/null
	status=$?
	end=${EPOCHREALTIME/./}
	seconds=$(((end - begin + 500) / 1000))
	{
		cat "$scratch/$name.out"
		[ ! -e "$scratch/place/result" ] || cat "$scratch/place/result"
	} | sha256sum >"$scratch/$name.made"
	echo "status $status" >>"$scratch/$name.made"
}

dumps() {
	for file in "$scratch/place/$1"-node*.rec; do
		"$smile" dump "$file" || echo failed
	done | sha256sum
}

# measure NAME WHAT COMMAND...: write one row of the table, and run its checks.
measure() {
	local program=$1 what=$2 native_s emulated_s traced_s ratio=- right=yes repeats=no host account first
	shift 2
	run native "$@"
	native_s=$seconds
	run emulated "$qemu" "$(command -v "$1")" "${@:2}"
	emulated_s=$seconds
	# QEMU without smile run cannot start a script.
	cmp -s "$scratch/native.made" "$scratch/emulated.made" || emulated_s=
	run traced "$smile" run -q --json run.json -o rec -- "$@"
	traced_s=$seconds
	if ! gojq -e .account "$scratch/place/run.json" >/dev/null 2>"$scratch/error"; then
		not_ok "$program: is traced" "$(tail -n 5 "$scratch/traced.err")"
		echo "| $program | $what | not traced | | | | | | | | |" >>"$table"
		return
	fi
	cp "$scratch/place/run.json" "$scratch/first.json"
	first=$(dumps rec)
	cmp -s "$scratch/native.made" "$scratch/traced.made" || right=no
	equal "$program: output and status as natively" yes $right
	account=$(gojq -r '.account | .accesses == .counted + ([.left_out[].accesses // 0] | add)' "$scratch/first.json")
	equal "$program: accesses = counted + left out" true "$account"
	equal "$program: all is counted" true "$(gojq -r .complete "$scratch/first.json")"
	run again "$smile" run -q --json run.json -o rec -- "$@"
	[ "$first" != "$(dumps rec)" ] || repeats=yes
	host=$(gojq -r '[.host | to_entries[] | select(.value > 0) | .key] | join(", ")' "$scratch/first.json")
	! grep -q 'another run may' "$scratch/traced.err" || host="$host${host:+, }order"
	[ $repeats = yes ] || check "$program: the second run differs, and what it has from the host is named" test -n "$host"
	[ -z "$emulated_s" ] || ratio=$(awk "BEGIN { printf \"%.1f\", $traced_s / $emulated_s }")
	printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$program" "$what" "$right" \
		"$(gojq -r '.account.counted' "$scratch/first.json")" \
		"$(gojq -r '[.account.left_out[].accesses // 0] | add' "$scratch/first.json")" \
		"$repeats" "${host:--}" "$(ms "$native_s")" "$(ms "$emulated_s")" "$(ms "$traced_s")" "$ratio" >>"$table"
}
ms() {
	[ -n "$1" ] && awk "BEGIN { printf \"%.2f\", $1 / 1000 }" || echo -
}

{
	echo '| program | work | output right | counted | left out | repeats | from the host | native s | QEMU s | smile run s | to QEMU |'
	echo '|---|---|---|---|---|---|---|---|---|---|---|'
} >"$table"
while IFS='|' read -r name what command; do
	[[ $name =~ $pattern ]] || continue
	# shellcheck disable=SC2016
	eval "set -- $(sed 's/\$/\\$/g' <<<"$command")"
	if command -v "$1" >/dev/null; then
		measure "$name" "$what" "$@"
	else
		skip "$name is not installed: make deps-programs"
	fi
done < <(programs)
cat "$table"
suite_end
