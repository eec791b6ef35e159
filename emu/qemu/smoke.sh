#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Try the QEMU device without a guest.
#
#	emu/qemu/smoke.sh PLUGIN QTEST_SMOKE		the plug-in in the installed QEMU
#	QEMU=... emu/qemu/smoke.sh "" QTEST_SMOKE	a QEMU that contains the device
#
# Is the card on the bus with its BARs, does a capture reach the ring whole through every kind of
# character device, are foreign captures refused with a remedy, does the state survive a migration,
# and does the plug-in refuse a QEMU it was not built for? Takes seconds. Exit: 0 all is well, 1
# not.
set -eu

plugin=$1
smoke=$2
qemu=${QEMU:-qemu-system-x86_64}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
NODE=3
FRAMES=40000

run_qemu()
{
	timeout 60 $qemu -M q35 -accel tcg -m 32 -nodefaults -display none \
		${plugin:+-plugin file="$plugin"} "$@"
}

fail()
{
	echo "FAIL $*"
	[ ! -s "$tmp/log" ] || sed 's/^/    /' "$tmp/log"
	exit 1
}

# check NAME TEXT: the last output has TEXT.
check()
{
	grep -q -e "$2" "$tmp/log" || fail "$1: no \"$2\""
	echo "ok   $1"
}

"$smoke" make "$tmp/bios" "$tmp/capture"

printf 'info pci\ninfo mtree\nquit\n' |
	run_qemu -S -device smile-monitor -monitor stdio >"$tmp/log" 2>&1 || fail "start"
check "identity" 'PCI device 10b5:9060'
check "registers" 'BAR0: 32 bit memory .*0x00000ffe'
check "ring" 'BAR2: 32 bit memory .*0x00003ffe'

# Whole captures. The sender closes the socket before all is read.
transfer()
{
	name=$1
	options=$2
	shift 2
	timeout 60 "$smoke" run $FRAMES "$@" "$tmp/capture" -- $qemu -M q35 -accel tcg -m 32 \
		-nodefaults -display none -bios "$tmp/bios" -qtest stdio -qtest-log none \
		${plugin:+-plugin file="$plugin"} -chardev "$options,id=b" \
		-device smile-monitor,addr=4,node=$NODE,blink=b >"$tmp/log" 2>&1 || fail "$name"
	echo "ok   $name: $(cat "$tmp/log")"
}
transfer "capture from a file" pipe,path="$tmp/capture"
mkfifo "$tmp/fifo"
cat "$tmp/capture" >"$tmp/fifo" &
transfer "capture from a FIFO" pipe,path="$tmp/fifo"
transfer "capture to our socket" socket,path="$tmp/s1",server=on,wait=off connect "$tmp/s1"
transfer "capture from a socket" socket,path="$tmp/s2",server=off listen "$tmp/s2"

# Bad captures, one message each.
refuse()
{
	{ sleep 1; echo quit; } | run_qemu -bios "$tmp/bios" -chardev pipe,id=b,path="$tmp/bad" \
		-device smile-monitor,blink=b -monitor stdio >"$tmp/log" 2>&1 || fail "$1"
	check "$1" "$2"
}
printf '\n\r\r\n\034\0\0\0' >"$tmp/bad"
refuse "pcapng" 'editcap -F nsecpcap'
printf '\3757zXZ\0' >"$tmp/bad"
refuse "compressed" 'xz -dc'
echo 'neither one nor the other' >"$tmp/bad"
refuse "foreign" 'this is no capture'
{ head -c 20 "$tmp/capture"; printf '\1\0\0\0'; } >"$tmp/bad"
refuse "link type" 'link type is not 147'
head -c 30 "$tmp/capture" >"$tmp/bad"
refuse "cut off" 'the last 6 bytes, after 0 frames'
{ head -c 32 "$tmp/capture"; printf '\377\377\377\377\377\377\377\377'; } >"$tmp/bad"
refuse "damaged" 'a frame longer than 64 KiB'

for wrong in node=65536 pace=fast; do
	if run_qemu -S -device smile-monitor,$wrong >"$tmp/log" 2>&1; then
		fail "$wrong is accepted"
	fi
	check "$wrong" ': choose'
done

# Migration, with frames in the buffer.
{ sleep 1; printf 'stop\nmigrate "exec:cat > %s"\nquit\n' "$tmp/state"; } |
	run_qemu -bios "$tmp/bios" -chardev pipe,id=b,path="$tmp/capture" \
		-device smile-monitor,blink=b,node=$NODE -monitor stdio >"$tmp/log" 2>&1 ||
	fail "migration, out"
{ sleep 1; printf 'info status\nquit\n'; } |
	run_qemu -bios "$tmp/bios" -chardev null,id=b -device smile-monitor,blink=b,node=$NODE \
		-incoming "exec:cat $tmp/state" -monitor stdio >"$tmp/log" 2>&1 ||
	fail "migration, in"
check "migration" 'VM status: paused\|VM status: running'

if [ -n "$plugin" ]; then
	# The same plug-in, told in its own data that it was built for another QEMU.
	release=$($qemu --version | sed -n 's/.* version \([0-9.]*\).*/\1/p')
	sed "s/$release\\x00/$(echo "$release" | tr 0-9 9)\\x00/g" "$plugin" >"$tmp/other.so"
	if $qemu -M none -nodefaults -display none -S -plugin file="$tmp/other.so" \
		</dev/null >"$tmp/log" 2>&1; then
		fail "the plug-in accepts a QEMU it was not built for"
	fi
	check "guard" 'make qemu'
fi
