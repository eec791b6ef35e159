#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The deep trace instrument, through QEMU and the driver: it keeps the same packets of a capture as an
# instrument in a process on the host, and the card on the same B-Link has the same counts as without an
# instrument. May use: run.sh, python3.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/trace_test.sh [RUN.SH-OPTION...]
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
smile=$B/bin/smile
dir=$GUEST/trace/share
trigger='type=lock count=400'
filter='source=1/2'

rm -rf "$dir"
mkdir -p "$dir"
python3 - "$dir/capture.pcap" <<'PYTHON'
import sys
sys.path.insert(0, "tests/trace")
from pcapng import random_frames, write_pcap
write_pcap(sys.argv[1], random_frames(5, 6000))
PYTHON
"$smile" replay "$dir/capture.pcap" -o "$dir/replay.rec" 2>/dev/null
"$smile" trace record "$dir/capture.pcap" --trigger "$trigger" --filter "$filter" --memory 64k --json \
	-o "$dir/here.pcapng" >"$dir/here.json"

"$smile" trace record "$dir/capture.pcap" --json -o "$dir/all.pcapng" >"$dir/all.json"
cp "$dir/capture.pcap" "$dir/feed.pcap"
tests/guest/run.sh --name trace --share "$dir" --env "TRIGGER=$trigger" --env "FILTER=$filter" \
	--card id=card0,blink=blink0,node=0 "$@" tests/guest/trace_guest.sh -- \
	-chardev "pipe,id=blink0,path=$dir/feed.pcap" \
	-chardev "socket,id=far,path=$dir/line.sock,server=on,wait=off" \
	-chardev "socket,id=near,path=$dir/line.sock" \
	-device smile-trace,monitor=card0,memory=1048576,line=a,trigger=near \
	-device smile-trace,monitor=card0,memory=1048576,line=a \
	-device smile-trace,monitor=card0,memory=1048576 \
	-device smile-trace,monitor=card0,memory=1048576,trigger=far \
	-device smile-trace,monitor=card0,memory=1048576
rm -f "$dir/feed.pcap" "$dir/line.sock"

python3 - "$dir" <<'PYTHON'
import json, sys
sys.path.insert(0, "tests/trace")
from pcapng import read_pcapng
folder = sys.argv[1]
keys = ["trigger", "seen", "stored", "filtered", "outside", "overwritten", "missed", "cut"]


def account(name):
    source = json.load(open(f"{folder}/{name}.json"))["sources"][0]
    return [source[key] for key in keys]


def packets(name):
    return [(packet.time_ns, packet.length, packet.data, packet.options.get(1)) for packet in
            read_pcapng(f"{folder}/{name}.pcapng").packets]


assert len(packets("here")) > 100 and account("here")[0]["by"] == "packet"
assert account("dev0") == account("here"), (account("dev0"), account("here"))
assert packets("dev0") == packets("here")
print("ok the trace of the device is that of the process:", len(packets("here")), "packets")
assert account("dev4") == account("all"), (account("dev4"), account("all"))
assert packets("dev4") == packets("all")
print("ok without trigger, all packets:", len(packets("all")))
for name in "dev1", "dev3":
    trigger = account(name)[0]
    assert trigger["by"] == "line" and trigger["time_ns"] == account("here")[0]["time_ns"], trigger
    assert len(packets(name)) > 100
print("ok both lines trigger at the same time")
PYTHON
[ "$("$smile" dump "$dir/card.rec" | tee "$dir/card.json" | wc -l)" -gt 100 ]
"$smile" dump "$dir/replay.rec" | cmp - "$dir/card.json"
echo "ok the card counts as without instruments"
