#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# smile cluster: two guests run sisci_pair, sisci_calls and sisci_removed from a shared directory,
# and then a script. Each error must have a message. If a guest is killed, the program in the other
# guest must receive an error. A signal must end the whole cluster. May use: smile, the products of
# `make cluster`.
set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=tests/guest/cluster_checks.sh
. tests/guest/cluster_checks.sh
exec </dev/null

mkdir "$work/share"

run 2 --guest "$work/share" -- true
says err 'make cluster'
run 2 --guest "$work/guest" -- /nonexistent
says err 'no program that can be run'
run 2 --guest "$work/guest"
says err 'no program'
run 2 --guest "$work/guest" --nodes 65 -- true
says err '64'
run 2 --guest "$work/guest" --latency fast -- true
says err "neither a number of nanoseconds nor a model"
run 2 --guest "$work/guest" --latency 1000001 -- true
says err 'from 0 to 1000000'
run 2 --guest "$work/guest" --latency cxl,local=3 -- true
says err "none of read=, write= and lock="
run 2 --guest "$work/guest" --network star -- true
says err '"star" is no topology: give a topology such as ring'
run 2 --guest "$work/guest" --network torus:2x2 -- true
says err 'torus:2x2 has 4 nodes, and --nodes says 2'
run 0 --help
says out '^  smile1998  *5000, 100, 5000$'
echo "ok what is wrong has a message"

# Check the program's output, with the node before each line; the exit status; and the balance of
# the recordings' counts.
for program in pair calls removed survivor; do
	cp "$B/tests/guest/sisci_$program" "$work/share/"
done
cat >"$work/share/script" <<'END'
/host/sisci_pair || exit 9
/host/sisci_calls || exit 8
/host/sisci_removed || exit 7
echo "argument '$1' on $SMILE_NODE of $SMILE_NODES"
[ "$USER_VARIABLE" = 'of the user' ] || exit 6
printf 'no newline' >&2
exit $((SMILE_NODE * 3))
END
export USER_VARIABLE='of the user'
run 3 --guest "$work/guest" --nodes 2 -o "$work/two" --share "$work/share" -- \
	sh /host/script "it's an argument"
for node in 0 1; do
	says out "^$node: ok ping-pong$"
	says out "^$node: ok end$"
	says out "^$node: ok calls$"
	says out "^$node: ok removed$"
	says out "^$node: argument 'it's an argument' on $node of 2$"
	says err "^$node: no newline"
	"$smile" report lost "$work/two-node$node.rec" >"$work/account" || fail "the account of node $node"
	! grep -q USER_VARIABLE "$work/two-node$node.rec" || fail "the user's environment is in a recording"
	# All accesses between the two nodes, in both directions.
	"$smile" report transfers --csv "$work/two-node$node.rec" >"$work/transfers"
	grep -q '^0,1,[1-9]' "$work/transfers" && grep -q '^1,0,[1-9]' "$work/transfers" ||
		fail "node $node has counted nothing: $(cat "$work/transfers")"
done
! grep -q 'GUEST RESULT' "$work/out" || fail "the init's line is passed on"
echo "ok two nodes: output, status, recordings"

# Check the distances of nodes: a script that replaces QEMU records the adapters' options, and
# starts QEMU. Nodes 0 and 1 are on a ringlet of 3 nodes including its port. Request and response
# take 12 clocks around the ringlet. They have 8 and 14 symbols, so that 7 and 13 symbols follow the
# first symbol. Serving each of them takes 8 clocks. The sum is 48 clocks of 2.999 ns. To node 2,
# they pass three ringlets, which take 28 clocks; the sum is 136 clocks. A lock's request has 16
# symbols. tests/unit/adapter/window_test.c tests how adapters use these latencies.
qemu=$(command -v qemu-system-x86_64)
mkdir "$work/bin"
cat >"$work/bin/qemu-system-x86_64" <<END
#!/bin/sh
echo "\$*" | grep -o 'node=[0-9]*,monitor=[^ ]*' >>"$work/told"
exec "$qemu" "\$@"
END
chmod +x "$work/bin/qemu-system-x86_64"
PATH=$work/bin:$PATH run 0 --guest "$work/guest" --nodes 3 --network ringlets:2 -- true
PATH=$work/bin:$PATH run 0 --guest "$work/guest" --nodes 3 --network ringlets:2 --latency 1000 -- true
sort "$work/told" | grep -o '^node=[0-9]*\|read-ns.*' | paste -d ' ' - - >"$work/out"
cat >"$work/wanted" <<'END'
node=0 read-ns=0,write-ns=0,lock-ns=0,far-ns=0:143:407,far-lock-ns=0:167:479
node=0 read-ns=1000,write-ns=1000,lock-ns=1000,far-ns=0:0:264,far-lock-ns=0:0:312
node=1 read-ns=0,write-ns=0,lock-ns=0,far-ns=143:0:407,far-lock-ns=167:0:479
node=1 read-ns=1000,write-ns=1000,lock-ns=1000,far-ns=0:0:264,far-lock-ns=0:0:312
node=2 read-ns=0,write-ns=0,lock-ns=0,far-ns=407:407:0,far-lock-ns=479:479:0
node=2 read-ns=1000,write-ns=1000,lock-ns=1000,far-ns=264:264:0,far-lock-ns=312:312:0
END
cmp -s "$work/out" "$work/wanted" || fail "the adapters are told other distances"
run 2 --guest "$work/guest" --adapter far-ns=1:x -- true
says err 'far-ns: up to 64 numbers'
echo "ok distances of a network"

# Start a shell that reads standard input. The exit status must be that of the shell.
status=0
# shellcheck disable=SC2016
printf 'echo shell $SMILE_NODE of $SMILE_NODES\nexit 3\n' |
	timeout -k 5 300 "$smile" cluster --guest "$work/guest" --nodes 1 --shell >"$work/out" 2>"$work/err" || status=$?
[ "$status" = 3 ] || fail "status $status of the shell"
says out '^0: shell 0 of 1$'
echo "ok a shell"

# await TEXT: wait until node 0 prints TEXT.
await() {
	local tries=0
	until grep -q "^0: $1\$" "$work/out"; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || fail "node 0 does not say '$1'"
		sleep 0.1
	done
}

# Check that the adapter has the requested size (its window is resource 2, its memory is resource
# 4), and that the card is in the requested slot. Kill node 1 while node 0 loads from it: the
# program on node 0 must receive an error, and continue.
"$smile" cluster --guest "$work/guest" --nodes 2 --adapter window=256M,memory=128M,incoming=64 \
	--card pace=realtime,addr=0x1e --share "$work/share" \
	-- sh -c 'echo "card $(readlink /sys/class/smile_monitor/smile_monitor0/device)"
		for file in /sys/bus/pci/devices/*/; do
			[ "$(cat $file/device)" != 0x0658 ] || set -- $(sed -n "3p; 5p" $file/resource)
		done
		echo "window $(($2 - $1 + 1)) memory $(($5 - $4 + 1))"
		exec /host/sisci_survivor' >"$work/out" 2>"$work/err" </dev/null &
pid=$!
await begun
says out '^0: window 268435456 memory 134217728$'
says out '^0: card .*0000:00:1e\.0$'
echo "ok the adapter's sizes, and the card's properties"
killed=$(pgrep -f "fabric=$work/smile-cluster-[^,]*,node=1,") || fail "node 1 has no QEMU"
begin=$(date +%s%3N)
kill -KILL "$killed"
await 'ok error'
echo "ok a killed node: $(($(date +%s%3N) - begin)) ms until the other's program knows"

# Ctrl-C ends the whole cluster, and leaves no process.
kill -INT "$pid"
status=0
wait "$pid" || status=$?
pid=''
[ "$status" = 130 ] || fail "status $status after SIGINT"
[ -z "$(ls -d "$work"/smile-cluster-* 2>/dev/null)" ] || fail "a directory is left"
! pgrep -f "$work/smile-cluster-" >/dev/null || fail "a guest is left"
echo "ok a signal ends all guests"
