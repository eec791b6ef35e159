#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The output of smile advise is true: it reports statuses, input and caches of the recorded run, uses distinct
# names, and gives no advice where no change would help. Needs QEMU.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/advise/words_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
needs qemu-x86_64
TMPDIR=$(pwd)
export TMPDIR
quarters=$RUN_PROGRAMS/quarters
# one_line: print out as one line, without its line breaks.
one_line() {
	tr -s '\n ' ' ' <out
}

# --- a program that always ends with an error: the same error in the verified run is no failure
ran "a program that ends with 1" 1 -q -o one -- "$quarters" 1 1
json "its advice, verified: no finding" 0 smile.advise/1 advise --json --verify one-node?.rec
equal "its status, and that it is faster" "1 false true" \
	"$(of '.verified | "\(.exit_status) \(.ended_early) \(.faster)"')"
exits "the same, as text" 0 advise --verify one-node?.rec
equal "nothing is wrong" 0 "$(grep -c -e 'result is wrong' -e 'not verified' out)"
exits "another status is a finding" 1 advise --verify one-node?.rec -- "$quarters" 3 1
equal "both are reported" 1 \
	"$(one_line | grep -c 'ended with status 3, in the recorded run with 1: .* result is wrong')"
exits "so is none" 1 advise --verify one-node?.rec -- "$quarters" 0 1

# --- a run that needs its standard input
printf '1\n2\n3\n' >"in put"
timeout -k 10 $limit "$smile" run -q -o input -- "$quarters" 0 1 in <"in put" >out 2>err
equal "a program that reads is recorded" 0 $?
json "its advice, verified" 0 smile.advise/1 advise --json --verify -o input.place input-node?.rec
equal "it had the same input" true "$(of '.verified | .access_cycles == .predicted_access_cycles')"
exits "as text" 0 advise -o input.place input-node?.rec
says "the command has it" "^run it: .*/quarters 0 1 in < '.*/in put'$" out
says "what costs next to nothing has one row" "^[0-9]* more, below 0.1% each  " out
command=$(sed -n 's/^run it:  //p' out)
exits "its variables" 0 report structures --json input-node?.rec
variables=$(gojq '.structures | length' out)
exits "its variables, as text" 0 report structures input-node?.rec
equal "those with next to nothing have one line" "$variables" "$(one_line | sed -n \
	's/.* \([0-9]*\) more, below 0.1% each: see .* legend: \([0-9]*\) variables .*/\1 \2/p' | awk '{ print $1 + $2 }')"
exits "its variables, chosen" 0 report structures --min-accesses 1 input-node?.rec
equal "all that were chosen have rows" 0 "$(grep -c 'more, below' out)"
PATH=$(dirname "$smile"):$PATH timeout -k 10 $limit sh -c "$command --quiet" >out 2>err
equal "and can be run" 0 $?
mv "in put" other
exits "an input that is gone" 2 advise --verify input-node?.rec
says "is named" "standard input, .*/in put, cannot be read again" err
timeout -k 10 $limit sh -c 'cat other | "$@"' sh "$smile" run -q -o piped -- "$quarters" 0 1 in >out 2>err
exits "an input that was a pipe" 0 advise -o piped.place piped-node?.rec
says "is reported" "standard input was a pipe" out

# --- with caches, the predicted and the measured sums are equal
ran "with caches" 0 -q --cache 1M -o cached -- "$quarters" 0 1
json "their advice, verified" 0 smile.advise/1 advise --json --verify cached-node?.rec
equal "cycles are as many as predicted, within 10 %, and so is the time" "true true" "$(of '"\(.verified.access_cycles /
	.verified.predicted_access_cycles | . > 0.9 and . < 1.1) \(.verified.cycles / .time.predicted_cycles |
	. > 0.9 and . < 1.1)"')"
# Constants are only read, so a node does the same work even if the caches serve other accesses than before.
ran "with caches that are too small" 0 -q --cache 4K,64,1 -o small -- "$quarters" 0 1
exits "their advice, verified" 0 advise --verify small-node?.rec
equal "no other work is reported" 0 "$(one_line | grep -c -e 'other work' -e 'same work ran')"

# --- with caches in front of all memory, the accesses that they serve do not depend on the
# placement of pages
for machine in server2 server4; do
	ran "on $machine" 0 -q --machine $machine --place round-robin --caches l1=1K/64/2,llc=8K/64/8 -o today -- \
		"$quarters" 0 1
	json "its advice on $machine, verified" 0 smile.advise/1 advise --json --verify today-node?.rec
	equal "on $machine, cycles are as many as predicted, within 2 %, and so is the time" "true true" \
		"$(of '"\(.verified.access_cycles / .verified.predicted_access_cycles | . > 0.98 and . < 1.02
		) \(.verified.cycles / .time.predicted_cycles | . > 0.98 and . < 1.02)"' | tr -d '\n\t')"
done

# --- transactions of a node with its own memory also cost time, but reports count only transactions
# between nodes
ran "transactions" 0 -q --machine server2 --caches l1=1K/64/2,llc=8K/64/8 -o both --json both.json -- "$quarters" 0 1
json "advice on them" 0 smile.advise/1 advise --json both-node?.rec
equal "counts those with the own memory, too" "$(gojq '.transactions | .local + .remote' both.json)" "$(of .transactions)"
json "a report of them" 0 smile.structures/1 report structures --json both-node?.rec
equal "counts those between nodes" "$(gojq .transactions.remote both.json)" "$(of '.transactions | .accesses + .straddling')"
exits "the advice as text" 0 advise both-node?.rec
says "says which it has" "^DATA .* ALL TRANSACTIONS " out
equal "and what they are" 1 "$(one_line | grep -c 'all transactions: lines fetched .* own memory and of others')"
exits "the report as text" 0 report structures both-node?.rec
says "says which it has" "^NAME .* REMOTE TRANSACTIONS " out
equal "and what is not among them" 1 "$(one_line | grep -c 'with its own memory is not included; smile advise counts it')"

# The recordings' command line is turned into an unknown field (docs/recording.md), which readers
# ignore.
python3 - today-node?.rec <<'END'
import struct, sys

for path in sys.argv[1:]:
    data = bytearray(open(path, "rb").read())
    at = 32
    while (field := struct.unpack_from("<II", data, at))[0] not in (0, 4):
        at += 8 + (field[1] + 7) // 8 * 8
    struct.pack_into("<I", data, at, 99 if field[0] else 0)
    open(path, "wb").write(data)
END
exits "without a recorded command line" 0 advise --verify -o today.place today-node?.rec -- "$quarters" 0 1
says "caches that were set by hand are kept" \
	"^run it: .* --machine=server4 --nodes=4 --caches=l1=1024/64/2/1,llc=8192/64/8/14 -- " out

# --- constants of a file have one copy for all programs: they are not moved, and no line of the
# placement names them
json "constants" 0 smile.advise/1 advise --json -o one.place one-node?.rec
equal "are advised to stay" "3 0" "$(of '.data[] | select(.name == "weights") | "\(.pages) \(.to_move)"')"
first=$(of '.data[] | select(.name == "weights") | .start / 4096 | floor')
equal "no page of them is in the file" 0 "$(grep -v file one.place | awk -v page="$first" '$1 == "pages" {
	split($2, at, "-"); last = at[2] ? at[2] : at[1]
	if (at[1] <= page + 1 && last >= page) found++ } END { print found + 0 }')"

# --- the author of a program can copy its constants, but not a library's constants, even if their
# lines are known
ran "constants of a library" 0 -q --machine smile1998 -o constants -- "$RUN_PROGRAMS/constants" "$RUN_PROGRAMS/weights.so"
json "their advice" 0 smile.advise/1 advise --json constants-node?.rec
equal "the program's own are to be copied" "true true" "$(of '.data[] | select(.name == "own_weights") |
	"\(.copies_gain_cycles > 0) \(.action | test("a copy"))"')"
equal "the library's are not, and are not moved" "0 0 null" "$(of '.data[] | select(.name == "library_weights") |
	"\(.copies_gain_cycles) \(.to_move) \(.action)"')"
equal "how much time they take is said" true "$(of '.notes |
	any(test("^[1-9][0-9]+% of the cycles of accesses are to constants of files, most to (own|library)_weights, which"))')"
"$smile" report structures --json constants-node?.rec >out 2>err
equal "although their line is known" "weights.c true" "$(of '.structures[] | select(.name == "library_weights") |
	"\(.file | split("/")[-1]) \(.line > 0)"')"

# --- parts of a block that the program's own allocator returns have no names, and a message says
# why
ran "an allocator of the program's own" 0 -q --machine smile1998 --place first-touch -o arena -- "$RUN_PROGRAMS/arena"
json "its advice" 0 smile.advise/1 advise --json arena-node?.rec
equal "the block is named, and what to do" true "$(of '.notes | any(test("^arena.c:[0-9]+ .main. is one block of 16,777,216 " +
	"bytes, of which 27[0-9],[0-9]+ were used .*allocate the parts with smile_alloc"))')"
json "the advice for blocks that are used" 0 smile.advise/1 advise --json one-node?.rec
equal "has no such note" false "$(of '.notes | any(test("own allocator"))')"

# --- a file with several names is shown by the name by which it was run
ln -s "$quarters" linked
ran "by a symbolic link" 0 -q -o linked -- ./linked 0 1
"$smile" report structures --json linked-node?.rec >out 2>err
equal "its variables are of the link" "$PWD/linked" "$(of '.structures[] | select(.name == "table") | .object')"
exits "its placement" 0 advise -o linked.place linked-node?.rec
says "names the link" "^region .* variable $PWD/linked .* table$" linked.place

# --- names of rows are unique, and the width of a table is limited
long=$(printf '%0150d' 0)
cp "$quarters" "$long"
ran "a long name" 0 -q -o long -- "./$long" 0 1
for view in "report structures" advise; do
	# shellcheck disable=SC2086
	exits "a long name: smile $view" 0 $view long-node?.rec
	equal "a long name: lines are no longer than 250 bytes, smile $view" "" \
		"$(grep '  ' out | awk 'length($0) > 250')"
	# shellcheck disable=SC2086
	exits "names: smile $view" 0 $view one-node?.rec
	equal "names: each row has its own, smile $view" "" \
		"$(sed -n '/^\(NAME\|DATA\) /,/^$/p' out | sed 's/  .*//' | sort | uniq -d)"
done

# --- nothing to do is one line
ran "as advised" 1 -q --no-constants --place one.place -o placed -- "$quarters" 1 1
exits "nothing more to do" 0 advise placed-node?.rec
equal "is said in one line" 1 "$(grep -c '^nothing to do: ' out)"
equal "without tables" "0 0" "$(grep -c ^DATA out) $(grep -c ^REGION out)"
exits "and verified" 0 advise --verify placed-node?.rec
equal "no page moved: nothing got slower" 0 "$(grep -c 'got slower' out)"
# --- no text for structures below a thousandth of the cost
exits "what matters little" 0 advise one-node?.rec
equal "has none" "1 1 0" "$(grep -c '^table: ' out) $(grep -c '^weights: ' out) $(
	grep -c '^quarters.c:[0-9]* (work): ' out)"
suite_end
