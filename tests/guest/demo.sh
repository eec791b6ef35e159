#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The demonstration: the traffic of SOR on a 4-node machine passes through one card for each node,
# in QEMU, and through the driver and the library. The results are reports. The traffic is consumed
# while it is generated, so only the reports are kept. May use: the built tree, run.sh, socat.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
dir=$B/demo
nodes="0 1 2 3"
mkdir -p "$dir"
rm -f "$dir"/*

pids=
# shellcheck disable=SC2086 # a list
trap '[ -z "$pids" ] || kill $pids 2>/dev/null || :; rm -f "$dir"/*.pcap "$dir"/*.sock' EXIT

cat <<END

The machine: 4 nodes, pages of 4 KB spread round-robin (page p lies on node p mod 4).
The program: SOR on a 512 x 512 grid of floats (1 MB), 10 iterations, 128 rows a node, a thread a
node, traced as it runs.
The cards: one in each node; it sees what its node asks of others, and others ask of its node.
Booting a guest with the cards; SOR runs as fast as they drain (half a minute) ...
END

# smile sim writes a capture for each node, here to pipes. A socket tells QEMU that a capture has
# ended.
set --
for node in $nodes; do
	mkfifo "$dir/sor-node$node.pcap"
	set -- "$@" -chardev "socket,id=blink$node,path=$dir/blink$node.sock,server=on,wait=off"
	setpriv --pdeathsig KILL socat -u -b 65536 "OPEN:$dir/sor-node$node.pcap" \
		"UNIX-CONNECT:$dir/blink$node.sock,retry=3000,interval=0.1" &
	pids="$pids $!"
done
setpriv --pdeathsig TERM "$B/bin/smile" sim sor --phases fine --capture "$dir/sor" >"$dir/sim.log" 2>&1 &
sim=$!
pids="$pids $sim"

tests/guest/run.sh --name demo --image "$B/guest/cluster-image" --memory 512 --quiet --card blink=blink0,node=0 \
	--card blink=blink1,node=1 --card blink=blink2,node=2 --card blink=blink3,node=3 \
	tests/guest/demo_guest.sh -- "$@"
wait "$sim" || {
	cat "$dir/sim.log" >&2
	exit 1
}
printf '\n\nOn the host, meanwhile: $ smile sim sor --phases fine\n'
cat "$dir/sim.log"
