#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# A capture into a trace database, beside plain SQLite inserts, tshark -T fields and reading the capture; and
# one packet of many: a table in Markdown on standard output.
#
# What lives here: which rows there are. A row is a whole process; processors' seconds are compared.
#
# usage: B=build tests/bench/trace_db_bench.sh CAPTURE
#        PACKETS=100000000: in the trace of which single packets are read, 50 bytes of disk each
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

took() {
	name=$1
	shift
	"$spend" "$scratch/took" "$name" "$@"
}

packets=$("$peer" read "$capture")
took "smile trace import" "$smile" trace import "$capture" -o "$scratch/run.db"
took "smile trace import --no-data" "$smile" trace import --no-data "$capture" -o "$scratch/bare.db"
took "SQLite, plain inserts of 11 columns" "$peer" insert "$capture" "$scratch/plain.db"
took "tshark -T fields, 11 fields" tshark -X "lua_script:$B/smile.lua" -r "$capture" -T fields \
	-e frame.number -e smile.type -e frame.time_epoch -e smile.target -e smile.source -e smile.command \
	-e smile.transaction_id -e smile.address -e smile.words -e smile.extended -e smile.request
took "reading the capture" "$peer" read "$capture"

echo "$packets packets, $(wc -c <"$capture") bytes; the database has $(wc -c <"$scratch/run.db"), without"
echo "payloads $(wc -c <"$scratch/bare.db")."
echo
awk -F'\t' -v packets="$packets" '
NR == 1 {
	print "| | CPU s | M packets per CPU s | MB of memory | CPU to the first |"
	print "|---|---|---|---|---|"
	first = $3
}
{ printf "| %s | %.2f | %.2f | %.0f | %.2f |\n", $1, $3, packets / $3 / 1e6, $4 / 1024, $3 / first }' "$scratch/took"
echo
rm "$scratch/bare.db" "$scratch/plain.db"
"$peer" enlarge "$scratch/run.db" "$PACKETS"
echo "One packet of $PACKETS by trace and number, all columns: $("$peer" find "$scratch/run.db" "$PACKETS")."
