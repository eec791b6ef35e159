#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Changes while guests of smile cluster run. A program that was built for another libsisci must get
# a message that names the program and the version. sisci_changes.c sets the time of day back during
# a wait, and creates a segment with a smaller size while another node maps the old one; the cards
# must count exactly, and the adapter must count the failed accesses. smile stat --cluster must
# continue when a node's time of day is set back and forward. adapter_peer.c has drivers of
# different versions. May use: smile, the products of `make cluster`, cc.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
export SMILE_GUEST=$work/guest
exec </dev/null

# ---- another libsisci ----

# other NAME OPTION...: compile a program with a call that libsisci does not have, and link it to a
# library of this name.
other() {
	local name=$1
	shift
	mkdir -p "$work/other"
	echo 'void SCIInitialize(void) {} void SCIOther(void) {}' |
		cc -x c - -shared -fPIC -Wl,-soname,"$name" -o "$work/other/$name" "$@"
	echo 'void SCIOther(void); int main(void) { SCIOther(); return 0; }' |
		cc -O1 -x c - -x none "$work/other/$name" -o "$work/program"
}
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(realpath "$B")
other libsisci.so.77
run 2 -n 1 -- "$work/program"
grep -q 'program needs libsisci.so.77, which this machine lacks' "$work/err" || fail "another libsisci.so.N"
echo 'SISCI_77 { global: *; };' >"$work/map"
other libsisci.so.0 -Wl,--version-script="$work/map"
run 2 -n 1 -- "$work/program"
grep -q "program is built for another release of a library: .*libsisci.so.0: version .SISCI_77' not found" "$work/err" ||
	fail "another version of libsisci.so.0"
other libsisci.so.0
run 127 -n 1 -- "$work/program"
grep -q '^0: .*program: undefined symbol: SCIOther' "$work/err" || fail "a call that libsisci has not"
echo "ok a program for another libsisci is named"

# ---- time of day, and a smaller segment ----

run 1 -n 2 -o "$work/changes" -- "$B/tests/guest/sisci_changes"
for node in 0 1; do
	for part in wait end; do
		grep -q "^$node: ok $part\$" "$work/out" || fail "node $node does not say '$part'"
	done
	"$smile" report lost --csv "$work/changes-node$node.rec" >"$work/account" || fail "the account of node $node"
	for line in exact_counts,1 events_lost,0 "accesses_failed,$((16 * node))"; do
		grep -q "^value,$line," "$work/account" || fail "node $node: no $line: $(cat "$work/account")"
	done
done
grep -q '^1: failed 16$' "$work/out" || fail "node 1 does not say what has failed"
echo "ok the time of day is set, and a segment comes back smaller"

# ---- smile stat --cluster ----

mkdir "$work/share"
printf '%s\n' event,sigma,beta,mean,r context-switches,50,2,100,0 page-faults,40,2,100,0 >"$work/share/p.csv"
cat >"$work/share/jump" <<'END'
smile stat --cluster -a -e context-switches,page-faults -I 100 --parameters /host/p.csv --live --json -- \
	sh -c 'until [ -e /host/finish0 ] && [ -e /host/finish1 ]; do sleep 0.1; done' >/host/view$SMILE_NODE &
until [ -e /host/view$SMILE_NODE ]; do sleep 0.1; done
# Wait until the other node was present in this number of further intervals.
more() {
	count=$(grep -c "\"node\":$((1 - SMILE_NODE)),\"state\":\"here\"" /host/view$SMILE_NODE)
	until [ "$(grep -c "\"node\":$((1 - SMILE_NODE)),\"state\":\"here\"" /host/view$SMILE_NODE)" -gt $((count + 20)) ]
	do
		kill -0 $! || exit 1
		sleep 0.1
	done
}
more
[ $SMILE_NODE = 0 ] || date -s '2001-01-01 00:00:00'
touch /host/set$SMILE_NODE
until [ -e /host/set0 ] && [ -e /host/set1 ]; do sleep 0.1; done
more
[ $SMILE_NODE = 0 ] || date -s '2031-01-01 00:00:00'
more
touch /host/finish$SMILE_NODE
wait $!
END
run 0 -n 2 --share "$work/share" --kill-on-bad-exit -- sh /host/jump
# A late view may omit an interval, but must not show an interval twice.
for node in 0 1; do
	sed -n 's/^[^[]*"interval":\([0-9]*\),.*/\1/p' "$work/share/view$node" |
		awk '$1 <= last { bad++ } { last = $1 } END { exit bad > 0 || NR < 60 }' ||
		fail "intervals of node $node: $(head -c 400 "$work/share/view$node")"
done
echo "ok smile stat --cluster while the time of day is set"
