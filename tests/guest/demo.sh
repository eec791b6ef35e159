#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The demonstration: SOR's traffic on a 4-node machine, through the card in QEMU, the driver and the
# library, to the answers. The traffic is made while it is consumed; nothing but the answers is kept.
# May use: the built tree, run.sh.
#
# Usage: [B=build] tests/guest/demo.sh [SMILE-SIM-OPTION...]
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
dir=$B/demo
mkdir -p "$dir"

rm -f "$dir/blink"
mkfifo "$dir/blink"
trap 'rm -f "$dir/blink"; kill "$sim" 2>/dev/null || :' EXIT

cat <<END

The machine: 4 nodes, pages of 4 KB spread round-robin (page p lies on node p mod 4).
The program: SOR on a 512 x 512 grid of floats (1 MB), 10 iterations, 128 rows a node.
The card sits in node 0 and sees what node 0 asks of others and others ask of node 0.
Booting a guest with the card; SOR runs while the card drains (half a minute) ...
END
"$B/bin/smile" sim sor --capture - --node 0 "$@" >"$dir/blink" 2>"$dir/sim.log" &
sim=$!
tests/guest/run.sh --name demo --feed "$dir/blink" --timeout 300 --memory 512 --quiet \
	tests/guest/demo_guest.sh
wait "$sim" || {
	cat "$dir/sim.log" >&2
	exit 1
}
echo
cat "$dir/sim.log"
