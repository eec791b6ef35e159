#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests that the runner fails when it must. Boots a guest without an error, a guest whose script
# fails, and a guest that panics. Checks that need only the host use a program that prints the
# output of a guest. May use: run.sh, any image of initramfs.sh (our module is not needed).

set -u

cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
GUEST=${GUEST:-$B/guest}
work=$GUEST/runner
mkdir -p "$work"
failures=0

# try NAME STATUS PATTERN SCRIPT [OPTION]...: run a guest with SCRIPT, the text of a script; check
# the exit status, and that the output matches PATTERN.
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

# judged_as NAME STATUS PATTERN CONSOLE RESULT [OPTION]...: like try, but with a program that
# replaces QEMU. The program writes the texts CONSOLE and RESULT to the console and to the result's
# port. If RESULT has no result line, it then sleeps.
cat >"$work/no-qemu" <<-'END'
	#!/bin/sh
	for word; do
		case $word in
		file,id=console,path=*) console=${word##*path=} ;;
		file,id=result,path=*) result=${word##*path=} ;;
		esac
	done
	printf '%s\n' "$NO_QEMU_CONSOLE" >"$console"
	printf '%s\n' "$NO_QEMU_RESULT" >"$result"
	case $NO_QEMU_RESULT in "GUEST RESULT "*) ;; *) exec sleep 1000 ;; esac
END
chmod +x "$work/no-qemu"
judged_as() {
	export NO_QEMU_CONSOLE="$4" NO_QEMU_RESULT="$5"
	name=$1 status=$2 pattern=$3
	shift 5
	try "$name" "$status" "$pattern" : --qemu "$work/no-qemu" "$@"
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
# run.sh's messages about other ends of a guest do not depend on the kernel. Each of these cases
# boots a guest.
if [ -e "$GUEST/needs" ]; then
	echo "skipped 3: on a debug kernel: guests that fail, panic or do not begin"
else
	try exits 1 'GUEST RESULT failed 3' 'exit 3'
	try panics 1 'Kernel panic' 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger'
	try broken 1 'QEMU ended with status' 'exit 0' --accel nonsense
fi
judged_as well 0 'guest: runner/well: passed' '[    4.2] init: result ok' 'GUEST RESULT ok'
judged_as hangs 1 "no end after [0-9]* seconds; the last that it said was 'begun'" '' begun --timeout 20
judged_as claims 1 'not the guest, claims' '[    4.2] reboot: Power down' 'GUEST RESULT ok'
judged_as warns 1 'WARNING: CPU: 0 PID: 1 at runner' '[    4.1] WARNING: CPU: 0 PID: 1 at runner
[    4.2] init: result ok' 'GUEST RESULT ok'

# judged NAME STATUS PATTERN: check that splat.sh ends with this status for the console log
# NAME.log, and that its output matches PATTERN.
judged() {
	tests/guest/splat.sh "$work/$1.log" >"$work/$1.output" 2>&1
	status=$?
	if [ "$status" -ne "$2" ] || { [ -n "$3" ] && ! grep -q -e "$3" "$work/$1.output"; }; then
		echo "    $1: status $status instead of $2, or no '$3', see $work/$1.output"
		failures=$((failures + 1))
	else
		echo "    $1: as it must be"
	fi
}

# A data race or a circular lock dependency in which no function of our modules takes part is an
# error of the kernel itself.
for whose in '' smile_monitor smile_adapter; do
	frame=other+0x1/0x2${whose:+ [$whose]}
	printf '==========\nBUG: KCSAN: data-race in one / another\n\n %s\n==========\n' "$frame" \
		>"$work/race-${whose:-other}.log"
	cat >"$work/circle-${whose:-other}.log" <<-END
		WARNING: possible circular locking dependency detected
		irq/24-pciehp/1 is trying to acquire lock:
		1234 (&ctrl->reset_lock){.+.+}-{3:3}, at: pciehp_check_presence+0x1/0x2
		1235 (pci_rescan_remove_lock){+.+.}-{3:3}, at: pciehp_unconfigure_device+0x1/0x2
		Call Trace:
		<TASK>
		$frame
		</TASK>
	END
done
judged race-other 0 ''
judged race-smile_monitor 1 'BUG: KCSAN: data-race'
judged race-smile_adapter 1 'BUG: KCSAN: data-race'
judged circle-other 0 ''
judged circle-smile_monitor 1 'possible circular locking'
judged circle-smile_adapter 1 'possible circular locking'

# A debug kernel must detect errors that other kernels do not detect. It has modules with such
# errors.
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
