#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of the card as a QEMU device, without a guest.
#
#	tests/qemu/smoke.sh DEVICE_TEST PLUGIN MISFIT	the plug-in in the installed QEMU
#	QEMU=... tests/qemu/smoke.sh DEVICE_TEST	a QEMU that contains the device
#
# Runs the cases of device_test.c, and tests the user's command line: the card is on the bus with its
# BARs, foreign captures and senseless properties are refused with a remedy, and the plug-in refuses a
# QEMU that it was not built for. MISFIT is a plug-in that was built for other structures of QEMU.
# Exit: 0 passed, 1 failed, 2 cannot be run.
set -u

[ $# -eq 1 ] || [ $# -eq 3 ] || {
	echo "usage: $0 DEVICE_TEST [PLUGIN MISFIT]" >&2
	exit 2
}
device_test=$1 plugin=${2:-} misfit=${3:-}
qemu=${QEMU:-qemu-system-x86_64}
# shellcheck source=tests/harness/test.sh
. "$(dirname "$0")/../harness/test.sh"
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
log=$tmp/log
limit=700 # seconds, for what hangs; more than a case of device_test gives itself

# begin COMMAND...: the command ends when this script ends, and after at most $limit seconds. Sets $pid.
begin() {
	{
		setpriv --pdeathsig KILL timeout --foreground -k 10 $limit \
			setpriv --pdeathsig KILL "$@" <&4 &
	} 4<&0
	pid=$!
}

# limited COMMAND...: the same, and waits for the command. A signal to this script ends the wait.
limited() {
	begin "$@"
	wait $pid
}

command -v "$qemu" >/dev/null || {
	echo "$0: no $qemu: apt-get install qemu-system-x86" >&2
	exit 2
}

# fails NAME WHY: reports a failed check, with the last output.
fails() {
	not_ok "$1: $2" "$(cat "$log" 2>/dev/null)"
}

# says NAME TEXT: the last output must contain TEXT.
says() {
	if grep -q -e "$2" "$log"; then
		ok "$1"
	else
		fails "$1" "no line has \"$2\""
	fi
}

# Firmware that halts: cli; hlt; and a jump back to hlt.
{
	head -c 65520 /dev/zero
	printf '\372\364\353\375\0\0\0\0\0\0\0\0\0\0\0\0'
} >"$tmp/bios"

# run_qemu limited|begin OPTION...
run_qemu() {
	how=$1
	shift
	$how "$qemu" -M q35 -accel tcg -m 32 -nodefaults -display none -bios "$tmp/bios" \
		${plugin:+-plugin file="$plugin"} "$@" >"$log" 2>&1
}

# ---- on the bus ----

printf 'info pci\ninfo mtree\nquit\n' | run_qemu limited -S -device smile-monitor -monitor stdio
says "the card is on the bus" 'PCI device 10b5:9060'
# QEMU 10 prints no size for regions that the guest has not mapped; device_test maps both.
sed -n '/PCI device 10b5:9060/,/id "/p' "$log" >"$tmp/card" && mv "$tmp/card" "$log"
says "the registers are BAR 0" 'BAR0: 32 bit memory .*\(0x00000ffe\|not mapped\)'
says "the ring is BAR 2" 'BAR2: 32 bit memory .*\(0x00003ffe\|not mapped\)'

# ---- invalid captures ----

# The FIFO of the monitor is also open for writing, so that it has no end; "quit" is sent after QEMU's message.
mkfifo "$tmp/monitor"
exec 3<>"$tmp/monitor"

# refuses NAME TEXT: QEMU refuses the capture "bad" with TEXT, and runs until the command "quit".
refuses() {
	run_qemu begin -chardev pipe,id=b,path="$tmp/bad" -device smile-monitor,id=card,blink=b \
		-monitor stdio <"$tmp/monitor"
	tries=0
	until grep -q -e 'card: ' "$log" 2>/dev/null || [ $tries -ge 8000 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	echo quit >&3
	if wait $pid; then
		says "$1" "$2"
	else
		fails "$1" "QEMU ended with an error"
	fi
	rm -f "$log"
}

pcap_header='M<\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0'
printf '\n\r\r\n\034\0\0\0' >"$tmp/bad"
refuses "pcapng is refused" 'editcap -F nsecpcap'
printf '\3757zXZ\0' >"$tmp/bad"
refuses "a compressed capture is refused" 'xz -dc'
echo 'neither one nor the other' >"$tmp/bad"
refuses "a foreign file is refused" 'this is not a capture'
printf "$pcap_header"'\1\0\0\0' >"$tmp/bad"
refuses "another link type is refused" 'link type is not 147'
printf "$pcap_header"'\223\0\0\0\1\2\3\4\5\6' >"$tmp/bad"
refuses "a cut-off capture is reported" 'the last 6 bytes, after 0 frames'
printf "$pcap_header"'\223\0\0\0\0\0\0\0\0\0\0\0\377\377\377\377\377\377\377\377' >"$tmp/bad"
refuses "a damaged capture is reported" 'a frame longer than 64 KiB'
exec 3>&-

# ---- properties ----

for wrong in node=65536 pace=fast; do
	if run_qemu limited -S -device smile-monitor,$wrong </dev/null; then
		fails "$wrong is refused" "it is accepted"
	else
		says "$wrong is refused" ': choose'
	fi
done
if run_qemu limited -S -chardev null,id=b -device smile-monitor,blink=b -device smile-monitor,blink=b \
	</dev/null; then
	fails "two cards on one chardev are refused" "they are accepted"
else
	says "two cards on one chardev are refused" 'blink'
fi

# ---- properties of the adapter ----

# adapter_refuses OPTION TEXT
adapter_refuses() {
	if run_qemu limited -S -device smile-adapter,"$1" </dev/null; then
		fails "adapter with $1 is refused" "it is accepted"
	else
		says "adapter with $1 is refused" "$2"
	fi
}
adapter_refuses node=64 'choose one from 0 to 63'
adapter_refuses window=3M 'not a power of two from 4K to 4G'
adapter_refuses memory=8G 'not a power of two from 4K to 4G'
adapter_refuses memory=5000 'not a power of two from 4K to 4G'
adapter_refuses incoming=1 'not a power of two from 2 to 65536'
adapter_refuses fabric="$tmp/none" 'node 0 cannot join the fabric'
mkdir "$tmp/fabric"
if run_qemu limited -S -device smile-adapter,fabric="$tmp/fabric",node=5 \
	-device smile-adapter,fabric="$tmp/fabric",node=5 </dev/null; then
	fails "a second node of one id is refused" "it is accepted"
else
	says "a second node of one id is refused" 'node 5 is in the fabric .* already'
fi

# ---- cases ----

names=$("$device_test" list) && [ -n "$names" ] || not_ok "the cases are listed"
for name in $names; do
	mkdir "$tmp/$name"
	if limited "$device_test" "$name" "$tmp/$name" "$qemu" "$plugin" >"$log" 2>&1; then
		ok "$name"
	else
		fails "$name" "status $?"
	fi
	rm -rf "${tmp:?}/$name"
done

# ---- the guard ----

# guarded NAME PLUGIN TEXT: PLUGIN refuses to load, with TEXT and both remedies.
guarded() {
	if limited "$qemu" -M none -nodefaults -display none -S -plugin file="$2" \
		</dev/null >"$log" 2>&1; then
		fails "$1" "it loads"
	elif grep -q 'make qemu-plugin' "$log" && grep -q 'make qemu$' "$log"; then
		says "$1" "$3"
	else
		fails "$1" "it names no remedy"
	fi
}

# The plug-in with one of its own constants changed. Strings end with a zero byte.
forge() {
	sed "s/$1\\x00/$2\\x00/g" "$plugin" >"$tmp/forged.so"
	if cmp -s "$plugin" "$tmp/forged.so"; then
		echo "$0: \"$1\" is not in $plugin" >&2
	fi
}

if [ -n "$plugin" ]; then
	release=$("$qemu" --version | sed -n 's/.* version \([0-9.]*\).*/\1/p')
	forge "$release" "$(echo "$release" | tr 0-9 9)"
	guarded "the guard reports another release" "$tmp/forged.so" "but this one is $release"
	package=$(dpkg-query -W -f '${source:Version}' qemu-system-x86)
	forge "$package" "$(echo "$package" | tr 0-9 9)"
	guarded "the guard reports another package" "$tmp/forged.so" "but this one is $release"
	guarded "the guard reports other structures" "$misfit" \
		'built for a pci-device of [0-9]* bytes, but in this QEMU it has [0-9]*'
else
	skip "the guard: $qemu contains the device" 3
fi

suite_end && [ "$passed" -gt 0 ]
