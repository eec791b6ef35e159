#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile cluster --trace and --capture: one trigger starts the instruments of all nodes. A database
# must follow packets from node to node, with the requested latency. A program must have the same
# input and exit status as without a trace. If a signal ends the cluster, the traces must be
# complete. May use: smile, the products of `make cluster`.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh

# refused WORDS OPTION...: check that the command line is refused with a message that contains
# WORDS.
refused() {
	local words=$1 status=0
	shift
	"$smile" cluster --guest "$work/guest" "$@" -- true >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ "$status" = 2 ] || fail "status $status of $*"
	grep -qF -- "$words" "$work/err" || fail "no '$words' of $*"
}

refused 'give -o, too' --capture
refused 'give -o, too' --trace 'type=lock then=stop'
refused '--trace: ' -o "$work/x" --trace 'type=lick'
refused '--trace-filter: ' -o "$work/x" --capture --trace-filter 'sauce=1'
refused 'give --trace LEVEL, or --capture' -o "$work/x" --trace-filter 'source=1'
refused 'give --trace LEVEL, or --capture' -o "$work/x" --trace-memory 4
refused 'give one of them' -o "$work/x" --capture --trace any
refused '--trace-position needs a trigger' -o "$work/x" --capture --trace-position 10
echo "ok options that are refused"

# Node 2 receives no lock of node 1 on node 0: the trigger line triggers it. Node 0 receives the lock, perhaps after
# the trigger line. The trace memory is larger than the whole traffic.
timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 3 --latency smile1998 -o "$work/lock" \
	--trace 'source=1,target=0,type=lock then=stop' --trace-memory 8 --trace-filter 'type=request or type=response' -- \
	"$B/tests/guest/gas_nodes" locks >"$work/out" 2>"$work/err" </dev/null || fail "status $? of --trace"
for by in '0: .*trigger ([a-z]*)' '1: .*trigger (packet)' '2: .*trigger (line)'; do
	grep -q "^$by at packet" "$work/err" || fail "no '$by'"
done
[ "$(grep -c ' 0 outside, 0 overwritten, 0 missed$' "$work/err")" = 3 ] || fail "packets are missing"
"$smile" trace import "$work"/lock-node?.pcapng -o "$work/lock.db" 2>>"$work/err" >"$work/out" || fail "import"
packet=$("$smile" trace list "$work/lock.db" --trace 2 --source 1 --command locksb --limit 1 --json |
	sed 's/.*"packet":\([0-9]*\),.*/\1/')
# Request and response, on the B-Links of nodes 0 and 1; at the node that issued the request, there
# are 5 us between them. Node 0 may have to give other packets their time stamps first, which can
# take long on a busy host.
"$smile" trace transaction "$work/lock.db" 2 "$packet" --window 1000000000 >"$work/out" || fail "transaction"
awk '$5 == "locksb" { request[$1]++; time[$1] = $3 }
	$5 == "response16" { response[$1]++; if ($1 == 2) latency = $3 - time[2] }
	END { exit !(request[1] == 1 && request[2] == 1 && response[1] == 1 && response[2] == 1 && latency == 5000) }' \
	"$work/out" || fail "the transaction"
"$smile" trace latency "$work/lock.db" >"$work/out" || fail "latency"
grep -q 'most 5000 ns' "$work/out" || fail "another latency"
echo "ok a transaction from node to node, and one trigger for all"

# The trace must change neither input, output nor exit status of the program. All packets must be
# kept.
status=0
echo "some words" | timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 2 -o "$work/all" --capture -- \
	sh -c 'read -r text; echo "read: $text"; exit $((SMILE_NODE + 3))' >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 4 ] || fail "status $status, not 4"
grep -qx '0: read: some words' "$work/out" || fail "no input"
grep -qx '1: read: ' "$work/out" || fail "input on node 1"
[ "$(grep -c 'packets seen' "$work/err")" = 2 ] || fail "no account of the traces"
for node in 0 1; do
	"$smile" report lost "$work/all-node$node.rec" >"$work/out" || fail "the recording of node $node"
	[ -s "$work/all-node$node.pcapng" ] || fail "no trace of node $node"
done
echo "ok a program keeps its input and its status"

# A signal ends the program. The packets that were stored must be written to the trace.
mkfifo "$work/output"
"$smile" cluster --guest "$work/guest" --nodes 2 -o "$work/ended" --trace 'type=lock then=stop' -- \
	sh -c 'echo begun; exec sleep 1000' >"$work/output" 2>"$work/err" </dev/null &
cluster=$!
exec 3<"$work/output"
read -r line <&3 && read -r line <&3 || fail "the programs have not begun"
kill -TERM "$cluster"
status=0
wait "$cluster" || status=$?
exec 3<&-
[ "$status" = 143 ] || fail "status $status, not 143"
[ "$(grep -c 'the trigger has not occurred' "$work/err")" = 2 ] || fail "no word of the trigger"
for node in 0 1; do
	"$smile" trace import "$work/ended-node$node.pcapng" -o "$work/ended$node.db" >"$work/out" 2>>"$work/err" ||
		fail "the trace of node $node"
done
echo "ok a cluster that is ended leaves whole traces"
