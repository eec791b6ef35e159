#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The import of a capture into a trace database, compared with plain SQLite inserts, tshark -T fields and reading the
# capture; the search for one packet of many; and the page of packets in a browser: tables in Markdown on standard
# output.
#
# What lives here: the rows of the tables. A row is a whole process; processor time is compared.
#
# usage: B=build tests/bench/trace_db_bench.sh CAPTURE
#        PACKETS=100000000: the packets of the trace from which single packets are read, 50 bytes of disk each
set -eu
B=${B:-build}
PACKETS=${PACKETS:-100000000}
capture=$1
smile=$B/bin/smile spend=$B/tests/bench/spend peer=$B/tests/bench/trace_db_peer
scratch=$B/bench/trace-db
mkdir -p "$scratch"
scratch=$(realpath "$scratch")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' INT TERM

# took NAME PACKETS COMMAND...
took() {
	name="$1	$2"
	shift 2
	"$spend" "$scratch/took" "$name" "$@"
}

packets=$("$peer" read "$capture")
part=$((packets < 50000 ? packets : 50000))
took "smile trace import" "$packets" "$smile" trace import "$capture" -o "$scratch/run.db"
took "smile trace import --no-data" "$packets" "$smile" trace import --no-data "$capture" -o "$scratch/bare.db"
took "SQLite, plain inserts of 11 columns" "$packets" "$peer" insert "$capture" "$scratch/plain.db"
# A million packets take more than a minute; a part of them is sufficient to show the rate.
took "tshark -T fields, 11 fields" "$part" tshark -c "$part" -X "lua_script:$B/smile.lua" -r "$capture" -T fields \
	-e frame.number -e smile.type -e frame.time_epoch -e smile.target -e smile.source -e smile.command \
	-e smile.transaction_id -e smile.address -e smile.words -e smile.extended -e smile.request
took "reading the capture" "$packets" "$peer" read "$capture"

echo "$packets packets, $(wc -c <"$capture") bytes; the database has $(wc -c <"$scratch/run.db"), without"
echo "payloads $(wc -c <"$scratch/bare.db")."
echo
awk -F'\t' '
NR == 1 {
	print "| | packets | CPU s | M packets per CPU s | MB of memory | CPU per packet to the first |"
	print "|---|---|---|---|---|---|"
	first = $4 / $2
}
{ printf "| %s | %d | %.2f | %.3f | %.0f | %.2f |\n", $1, $2, $4, $2 / $4 / 1e6, $5 / 1024, $4 / $2 / first }' "$scratch/took"
echo
rm "$scratch/bare.db" "$scratch/plain.db"
page() {
	node tests/bench/packets_bench.mjs "$B" "$scratch/run.db" >>"$scratch/page" || echo "The page is not measured."
}

page
"$peer" enlarge "$scratch/run.db" "$PACKETS"
echo "One packet of $PACKETS by trace and number, all columns: $("$peer" find "$scratch/run.db" "$PACKETS")."
page
echo
echo "The page of smile serve, ms: 200 random places until the rows are drawn; a drag over the trace, 300 steps."
echo
echo "| packets | a place, median | 99 % | a frame of the drag, median | 99 % | longest | rows after its end |"
echo "|---|---|---|---|---|---|---|"
cat "$scratch/page"
