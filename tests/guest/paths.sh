#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The same traffic gives the same records on every path: smile replay in this process, the card in
# QEMU through the driver by mmap, and by read(), byte for byte. For each case one boot with two
# cards: one is read by mmap, the other by read().
#
# Usage: [B=build] [GUEST=DIR] tests/guest/paths.sh CAPTURE "NODE: OPTIONS"...
# OPTIONS are those of smile replay; CAPTURE is a regular file, removed at the end. Its name is the run's.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
smile=$B/bin/smile
capture=$1
shift
name=paths-$(basename "$capture" .pcap)
dir=$GUEST/$name/share
mkdir -p "$dir"
rm -f "$dir"/*.rec "$dir"/*.raw

status=0
for case in "$@"; do
	node=${case%%:*} options=$(echo "${case#*: }" | tr -s '\t ' ' ')
	# shellcheck disable=SC2086
	"$smile" replay "$capture" --node "$node" $options -o "$dir/replay.rec"
	"$smile" dump --raw "$dir/replay.rec" >"$dir/replay.raw"
	[ -s "$dir/replay.raw" ]

	# A pipe chardev opens its file for writing, too, and reads a regular one to its end.
	tests/guest/run.sh --name "$name" --memory 1024 --share "$dir" \
		--env NODE="$node" --env OPTIONS="$options" \
		--card "blink=blink0,node=$node" --card "blink=blink1,node=$node" \
		tests/guest/paths_guest.sh -- \
		-chardev "pipe,id=blink0,path=$capture" \
		-chardev "pipe,id=blink1,path=$capture"
	for path in dev read; do
		"$smile" report lost "$dir/$path.rec" >/dev/null
		"$smile" dump --raw "$dir/$path.rec" >"$dir/$path.raw"
		if cmp "$dir/replay.raw" "$dir/$path.raw"; then
			echo "equal: [$options]: replay and $path:" \
				"$(($(wc -c <"$dir/replay.raw") / 16)) records"
		else
			echo "DIFFERENT: [$options]: replay and $path:"
			status=1
		fi
	done
done
rm -f "$capture"
exit $status
