#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The same frames must give the same records on every path, byte for byte: with smile replay in a
# process, and with the card in QEMU through the driver, by mmap and by read(). The guest boots
# once, with two cards for each case: one is read by mmap, the other by read().
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
rm -f "$dir"/*.rec "$dir"/*.raw "$dir"/cases

cases=0 cards='' chardevs=''
for case in "$@"; do
	node=${case%%:*} options=$(echo "${case#*: }" | tr -s '\t ' ' ')
	echo "$node $options" >>"$dir/cases"
	# shellcheck disable=SC2086
	"$smile" replay "$capture" --node "$node" $options -o "$dir/replay$cases.rec"
	"$smile" dump --raw "$dir/replay$cases.rec" >"$dir/replay$cases.raw"
	[ -s "$dir/replay$cases.raw" ]
	# A pipe chardev also opens its file for writing; it reads a regular file to its end.
	for link in $((2 * cases)) $((2 * cases + 1)); do
		cards="$cards --card blink=blink$link,node=$node"
		chardevs="$chardevs -chardev pipe,id=blink$link,path=$capture"
	done
	cases=$((cases + 1))
done

# shellcheck disable=SC2086
tests/guest/run.sh --name "$name" --memory 1024 --share "$dir" $cards tests/guest/paths_guest.sh -- $chardevs

status=0 case=0
while read -r node options; do
	for path in dev read; do
		"$smile" report lost "$dir/$path$case.rec" >/dev/null
		"$smile" dump --raw "$dir/$path$case.rec" >"$dir/$path$case.raw"
		if cmp "$dir/replay$case.raw" "$dir/$path$case.raw"; then
			echo "equal: [$options]: replay and $path:" \
				"$(($(wc -c <"$dir/replay$case.raw") / 16)) records"
		else
			echo "DIFFERENT: [$options]: replay and $path:"
			status=1
		fi
	done
	case=$((case + 1))
done <"$dir/cases"
[ $case -eq $cases ] || status=1
rm -f "$capture"
exit $status
