#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The time from a recording to a finished report, compared with SQLite: tables in Markdown on standard output.
#
# What lives here: the rows of the tables, and the check that all rows have the same result. A row is a whole
# process, from the recording in the page cache to its last line of output. If the results differ, the bench fails.
# Processor time is compared: it depends less on other work of the host than elapsed time.
#
# usage: B=build tests/bench/report_bench.sh
#        RECORDS=100000000: the records of a recording; a random recording has a tenth of them, since SQLite
#        needs ten times as long for each; KINDS="program random"; VIEWS="pages top transfers";
#        PEERS="upsert virtual load"; PARTS="report view exact"; MEGABYTES=1024: the size of the data whose exact
#        counts are reported; a run needs six times as much memory; REPORT_SCRATCH: the folder of the recordings,
#        of 16 bytes a record, best in memory
set -eu
B=${B:-build}
RECORDS=${RECORDS:-100000000}
KINDS=${KINDS:-program random}
VIEWS=${VIEWS:-pages top transfers}
PEERS=${PEERS:-upsert virtual load}
PARTS=${PARTS:-report view exact}
MEGABYTES=${MEGABYTES:-1024}
smile=$B/bin/smile
spend=$B/tests/bench/spend
peer=$B/tests/bench/report_peer
mkdir -p "${REPORT_SCRATCH:=$B/bench}"
scratch=$(mktemp -d "$(realpath "$REPORT_SCRATCH")/report.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM

say() { echo "report_bench: $*" >&2; }

took() {
	name=$1
	shift
	"$spend" "$scratch/took" "$name" "$@"
}

# rows: print the rows of a document of `smile report VIEW --json`, as report_peer reads them.
rows() {
	case $1 in
	pages)
		gojq -r '.pages[] | . as $p | range(.accesses | length) as $n | select($p.accesses[$n] > 0) |
			"\($p.page) \($p.home) \($n) \($p.accesses[$n]) \($p.reads[$n]) \($p.writes[$n]) \($p.locks[$n])"'
		;;
	top)
		gojq -r '.pages[] | "\(.page) \(.home) 0 \(.accesses) \(.reads) \(.writes) \(.locks)"'
		;;
	transfers)
		gojq -r '.transactions | to_entries[] | .key as $from | .value | to_entries[] |
			select(.value > 0) | "0 \(.key) \($from) \(.value) 0 0 0"'
		;;
	esac
}

# same: check whether these rows are equal to the library's rows. The first call defines the
# expected rows.
same() {
	[ -n "$1" ] && [ "$1" = "$expected" ] || {
		say "$kind, $view: $2 has '$1', the library '$expected'"
		exit 1
	}
}

report() {
	view=$1
	rm -f "$scratch/took"
	say "$kind, $view: smile and SQLite by $PEERS"
	# For a million pages on 64 nodes, the table has hundreds of megabytes, and the document is
	# even larger. So compare the rows of the library instead, and then measure the table.
	[ "$kind $view" = "random pages" ] ||
		took "smile report $view" "$smile" report "$view" "$recording"
	took "library, rows alone" "$peer" library "$view" "$recording" "$scratch/rows"
	[ "$kind $view" != "random pages" ] ||
		took "smile report $view" "$smile" report "$view" "$recording"
	expected=$(cat "$scratch/rows")
	if [ "$kind $view" != "random pages" ]; then
		same "$("$smile" report "$view" --json "$recording" | rows "$view" | "$peer" lines)" smile
	fi
	for how in $PEERS; do
		rm -f "$scratch/rows"
		took "SQLite, $how" "$peer" "$how" "$view" "$recording" "$scratch/rows"
		same "$(head -n 1 "$scratch/rows")" "SQLite, $how"
		# The time of GROUP BY alone, without the time for loading the records.
		[ "$how" != load ] || sed -n 's/^query\t/SQLite, load: its GROUP BY alone\t/p' \
			"$scratch/rows" >>"$scratch/took"
	done
	echo "### $view, $kind: $expected"
	echo
	awk -F'\t' -v records="$records" '
	NR == 1 {
		print "| | elapsed s | CPU s | M records per CPU s | MB | CPU to the first |"
		print "|---|---|---|---|---|---|"
		first = $3
	}
	{
		printf "| %s | %.2f | %.2f | %.2f | %.0f | %.1f |\n", $1, $2, $3, records / $3 / 1e6,
			$4 / 1024, $3 / first
	}' "$scratch/took"
	echo
}

for part in $PARTS; do
	case $part in
	report)
		for kind in $KINDS; do
			recording=$scratch/$kind.rec records=$RECORDS
			[ "$kind" != random ] || records=$((RECORDS / 10))
			say "$kind: $records records"
			"$B/tests/bench/report_make" "$kind" "$records" "$recording"
			for view in $VIEWS; do
				report "$view"
			done
			rm -f "$recording"
		done
		;;
	view)
		say "smile view of a million pages on 64 nodes, in Chromium"
		"$B/tests/view/recordings" large "$scratch/large.rec"
		rm -f "$scratch/took"
		took "smile view" "$smile" view -o "$scratch/large.html" "$scratch/large.rec"
		node tests/bench/report_view.mjs "$B" "$scratch/large.html" >>"$scratch/took"
		echo "### smile view: a million pages, 64 nodes, 3 M records"
		echo
		awk -F'\t' '
		NR == 1 { print "| | elapsed s | CPU s | MB |"; print "|---|---|---|---|" }
		{ printf "| %s | %.2f | %s | %.0f |\n", $1, $2, $3, $4 / 1024 }' "$scratch/took"
		echo
		say "smile serve of as many, while they grow"
		echo "### smile serve, the live page: a million pages, 64 nodes, 3 M records"
		echo
		node tests/bench/report_live.mjs "$B" "$scratch"
		echo
		;;
	exact)
		say "exact counts of $MEGABYTES MB of data"
		rm -f "$scratch/took"
		"$smile" run -q --nodes 4 -o "$scratch/exact" -- "$B/tests/bench/moved_quarters" "$MEGABYTES"
		for command in "report structures" "report pages" view advise; do
			set -- "$scratch"/exact-node?.rec
			[ "$command" != view ] || set -- -o "$scratch/exact.html" "$@"
			# shellcheck disable=SC2086
			took "smile $command" "$smile" $command "$@"
		done
		rm -f "$scratch"/exact*
		echo "### exact counts of a program with $MEGABYTES MB of data, 4 nodes"
		echo
		awk -F'\t' '
		NR == 1 { print "| | elapsed s | CPU s | MB |"; print "|---|---|---|---|" }
		{ printf "| %s | %.2f | %s | %.0f |\n", $1, $2, $3, $4 / 1024 }' "$scratch/took"
		echo
		;;
	*)
		say "no part $part"
		exit 2
		;;
	esac
done
