#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Does the runner fail when it must? Boots one guest for each way to fail, and one that is well. May
# use: run.sh, an image from initramfs.sh (any will do; our module is not needed).
#
# Usage: [B=build] [GUEST=DIR] tests/guest/runner_test.sh; exits 0 if the runner judges rightly

set -u

cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
GUEST=${GUEST:-$B/guest}
work=$GUEST/runner
mkdir -p "$work"
failures=0

# try NAME, STATUS expected, PATTERN that the output must hold, SCRIPT's text; options follow.
try() {
	name=$1 expected=$2 pattern=$3
	printf '#!/bin/sh\n%s\n' "$4" >"$work/$name.script"
	shift 4
	B=$B tests/guest/run.sh --name "runner/$name" --no-module "$@" \
		"$work/$name.script" >"$work/$name.output" 2>&1
	status=$?
	if [ "$status" -ne "$expected" ]; then
		echo "    $name: status $status instead of $expected, see $work/$name.output"
		failures=$((failures + 1))
	elif ! grep -q -e "$pattern" "$work/$name.output"; then
		echo "    $name: no '$pattern' in $work/$name.output"
		failures=$((failures + 1))
	else
		echo "    $name: as it must be"
	fi
}

mkdir -p "$work/share"
echo shared >"$work/share/in"
rm -f "$work/share/out"
# shellcheck disable=SC2016 # for the guest to expand
try good 0 'guest: runner/good: passed' \
	'set -e; [ "$WORD" = "two words" ]; cat /host/in; echo back >/host/out; echo fine' \
	--share "$work/share" --env 'WORD=two words'
[ "$(cat "$work/share/out" 2>/dev/null)" = back ] || {
	echo "    good: the guest's file did not come back through the share"
	failures=$((failures + 1))
}
try exits 1 'GUEST RESULT failed 3' 'exit 3'
try warns 1 'WARNING: CPU: 0 PID: 1 at runner' \
	'echo "<4>WARNING: CPU: 0 PID: 1 at runner" >/dev/kmsg; exit 0'
# A data race, said by the kernel: one that is not in our module is not ours.
for whose in '' ' [smile_monitor]'; do
	printf '==========\nBUG: KCSAN: data-race in one / another\n\n other+0x1/0x2%s\n==========\n' \
		"$whose" >"$work/share/race${whose:+-ours}"
done
# shellcheck disable=SC2016 # for the guest to expand
says='while read -r line; do echo "<3>$line" >/dev/kmsg; done </host/race'
try races 1 'BUG: KCSAN: data-race' "$says-ours" --share "$work/share"
try others 0 'guest: runner/others: passed' "$says" --share "$work/share"
# Nor are the two locks that hot-plug takes in either order, as long as we have no part in them.
for whose in '' ' [smile_monitor]'; do
	cat >"$work/share/locks${whose:+-ours}" <<-END
		WARNING: possible circular locking dependency detected
		irq/24-pciehp/1 is trying to acquire lock:
		1234 (&ctrl->reset_lock){.+.+}-{3:3}, at: pciehp_check_presence+0x1/0x2
		1235 (pci_rescan_remove_lock){+.+.}-{3:3}, at: pciehp_unconfigure_device+0x1/0x2
		Call Trace:
		<TASK>
		other+0x1/0x2$whose
		</TASK>
	END
done
says='while read -r line; do echo "<3> $line" >/dev/kmsg; done </host/locks'
try circle 1 'possible circular locking' "$says-ours" --share "$work/share"
try slots 0 'guest: runner/slots: passed' "$says" --share "$work/share"
try panics 1 'Kernel panic' 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger'
try hangs 1 'no end after [0-9]* seconds' 'echo begun; sleep 1000' --timeout 8
try claims 1 'not the guest, claims' 'echo GUEST RESULT ok; poweroff -f; sleep 10'
try broken 1 'QEMU ended with status' 'exit 0' --accel nonsense

# What only a debug kernel finds, it must find: it has modules that do wrong.
modules=$(echo "$GUEST"/modules/lib/modules/*)
wrong() {
	file=$(cd "$modules" && find . -name "$3.ko")
	[ -n "$file" ] || return 0
	try "$1" 1 "$2" "insmod /host/$file; rmmod $3; dmesg | grep -m 1 -e '$2'; exit 0" \
		--share "$modules"
}
wrong leaks 'unreferenced object' kmemleak-test
wrong overruns 'BUG: KASAN: ' kasan_test_module
[ "$failures" -eq 0 ]
