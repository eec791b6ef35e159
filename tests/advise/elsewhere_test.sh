#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# smile run --place with a placement for other arguments, another build or another program: a message reports the
# difference. Structures that are found by name are placed, and scaled if their size differs; missing structures are
# named. Needs QEMU.
#
# usage: RUN_PROGRAMS=DIRECTORY tests/advise/elsewhere_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/run/run_checks.sh
. "$(dirname "$0")/../run/run_checks.sh"
needs qemu-x86_64 gcc
source=$OLDPWD/tests/run/programs/quarters.c
quarters=$RUN_PROGRAMS/quarters
# one_line: print err as one line, without its line breaks.
one_line() {
	tr -s '\n ' ' ' <err
}
# placed NAME PROGRAM...: run the program with the placement; out has the summary.
placed() {
	title=$1
	shift
	timeout -k 10 $limit "$smile" run -q --no-constants --place quarters.place -o placed --json sum.json -- "$@" \
		>out 2>err
	equal "$title" 0 $?
}
# homes NAME: print how many pages of a structure lie on each node.
homes() {
	"$smile" advise --json placed-node?.rec >out 2>/dev/null
	of "[.data[] | select(.name == \"$1\")] | \"\\(.[0].pages) \\(.[0].to_move)\""
}

timeout -k 10 $limit "$smile" run -q --no-constants -o quarters -- "$quarters" 0 1 >out 2>err
equal "a program is recorded" 0 $?
exits "its placement" 0 advise quarters-node?.rec -o quarters.place
says "the placement names the program, and its arguments" "^program .*/quarters 0%0a1$" quarters.place

placed "the same run" "$quarters" 0 1
equal "the same run: nothing is said" "" "$(cat err)"
same=$(gojq .cycles sum.json)
block=$("$smile" report structures --json placed-node?.rec 2>err | gojq -r '.structures[] |
	select(.kind == "heap" and .bytes > 100000) | .name')
# If only the recorded addresses were used, as in older versions, the policy would place most of the block.
placed "a block four times as large" "$quarters" 0 4
equal "a block four times as large: said" 1 "$(one_line | grep -c "recorded with the arguments '0 1', not '0 4'")"
equal "a block four times as large: scaled, by name" 1 \
	"$(one_line | grep -cF "scaled: $block block 0 (1048576 bytes instead of 262144)")"
equal "a block four times as large: as fast as it can be" true \
	"$(gojq --argjson c "$same" '.cycles < 3 * $c' sum.json)"
equal "a block four times as large: all pages but some at borders are right" "257 0" "$(homes "$block")"

gcc -O2 -g -DMOVED -o rebuilt-dir 2>err "$source" -lpthread
mkdir rebuilt && mv rebuilt-dir rebuilt/quarters
placed "another build" rebuilt/quarters 0 1
equal "another build: said" 1 "$(one_line | grep -c 'rebuilt/quarters is not the build that was recorded: 1 of its variables')"
equal "another build: what is not placed is named" 1 \
	"$(one_line | grep -cF "not placed: $block block 0 (another build)")"
equal "another build: the table is where it was advised" "65 0" "$(homes table)"

mkdir larger && gcc -O2 -g -DTABLE_PAGES=128 -o larger/quarters 2>err "$source" -lpthread
placed "a table twice as large" larger/quarters 0 1
equal "a table twice as large: scaled, by name" 1 "$(one_line | grep -c 'scaled: table (524288 bytes instead of 262144)')"
equal "a table twice as large: its pages are right" "129 0" "$(homes table)"

placed "another program" "$RUN_PROGRAMS/counts"
equal "another program: said" 1 "$(one_line | grep -c 'a placement of another program, quarters')"
equal "another program: nothing of it is placed" 1 "$(one_line | grep -c "not placed: .*table")"

# Pages whose nodes follow no rule cannot be scaled to another size.
awk '$1 == "region" && $3 == "block" { split($2, at, "+"); block = at[1] } { print }
	END { print "block", block > "block" }' quarters.place >none.place
python3 - "$(cut -d' ' -f2 block)" >>none.place <<'END'
import random, sys
page = int(sys.argv[1], 16) // 4096
random.seed(1)
for i in range(65):
	print(f"pages {page + i} node {random.randrange(4)}")
END
mv none.place quarters.place
placed "no rule" "$quarters" 0 4
equal "no rule: named, and not placed" 1 \
	"$(one_line | grep -cF "not placed: $block block 0 (1048576 bytes instead of 262144)")"

# A placement that has only addresses is used unchanged.
printf 'pages 67108870 node 3\n' >quarters.place
placed "addresses alone" "$quarters" 0 4
equal "addresses alone: nothing is said" "" "$(cat err)"
suite_end
