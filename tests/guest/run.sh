#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Boots the guest in QEMU, runs one script in it and checks the result. The script's output appears on
# stdout immediately, over a channel of its own; the kernel's console is written to a file. The run
# passes only if the guest reports success in its last line, the kernel has reported no error
# (splat.sh), and the shell has found each command of the script (tests/harness/unknown_commands.sh).
# May use: QEMU, the files that kernel.sh and initramfs.sh made, coreutils' timeout.
#
# Usage: [B=build] [GUEST=DIR] [GUEST_SLOW=N] [GUEST_LESS=N] [GUEST_THREADS=multi] [SMILE_KVM=probe] \
#	tests/guest/run.sh [OPTION]... SCRIPT [-- QEMU-OPTION...]
#
# GUEST is the kernel's directory, $B/guest if it is not given. The directory of a debug kernel holds a file
# "needs": slow=N, by which every time-out is multiplied (GUEST_SLOW overrides it), more_memory=MB,
# threads=multi, less=N, by which the driver's tests divide their repetitions (GUEST_LESS overrides it), and, for
# the kernel's command line, more_append=WORDS and console=WORDS.
#
# QEMU runs all processors in one thread, in turn. GUEST_THREADS=multi gives each processor its own thread. Then races
# of the driver can occur, and two races of QEMU 7.2, by which a guest may hang (see stuck()).
#
#	--timeout S		seconds until the guest is ended and has failed (900); a normal run
#				takes a twentieth of that
#	--memory M		MB (256)
#	--smp N			processors (2)
#	--one-thread		one thread, also with GUEST_THREADS=multi or if the kernel needs several
#	--share DIR		directory of the host that is mounted as /host (none)
#	--env NAME=VALUE	a variable for the script
#	--append WORDS		more words for the kernel's command line
#	--no-module		do not load smile_monitor; the script does it
#	--card PROPERTIES	an emulated card: "blink=blink0,node=0"; once per card
#	--feed FILE		a capture, or a pipe to which a capture is written, as chardev blink0,
#				and a card on it unless --card is given
#	--loop			/dev/virtio-ports/org.smile.blink, whose bytes arrive at chardev
#				blink0, and a card on it unless --card is given
#	--root-port ID		a slot of PCI Express, for --card bus=ID,id=...; once per slot
#	--monitor		QEMU's monitor as /dev/virtio-ports/org.smile.monitor; it accepts the
#				next command only after its prompt
#	--plugin FILE		the card's QEMU plug-in ($B/emu/qemu/smile-monitor.so)
#	--name NAME		the run's directory below $GUEST (the script's name)
#	--image FILE		the file system ($GUEST/initramfs)
#	--qemu BINARY		(qemu-system-x86_64)
#	--accel ACCELERATOR	as for QEMU's -accel, overrides SMILE_KVM
#	--quiet			nothing on stderr if the run passes
#
# run.sh and its guest end when the process that started run.sh ends, however that process ends.
#
# $GUEST/NAME holds console.log, result.log, qemu.log and the command. Relative paths in QEMU's
# own options start at the top of the tree. Exits 0 passed, 1 failed, 2 could not be run.

# Commas in lists are QEMU's.
# shellcheck disable=SC2054

set -uo pipefail

# GUEST_OWNER is set after the exec. The parent may have ended before setpriv took effect.
if [ -z "${GUEST_OWNER:-}" ]; then
	GUEST_OWNER=$PPID exec setpriv --pdeathsig TERM "$0" "$@"
fi
[ "$GUEST_OWNER" = "$PPID" ] || exit 2
unset GUEST_OWNER

top=$(cd "$(dirname "$0")/../.." && pwd)
B=${B:-build}
timeout_s=900 memory_mb=256 smp=2 qemu=qemu-system-x86_64
share='' feed='' loop='' plugin='' name='' image='' script='' accel='' quiet=''
threads=single one_thread='' monitor='' words='' cards=() ports=() environment=() extra=() module=yes

fail() {
	echo "guest: $*" >&2
	exit 2
}

# Paths in options are relative to the caller's directory, so resolve them before the script changes
# its directory.
path() {
	realpath -e -- "$1" 2>/dev/null || fail "$1 is not there"
}

while [ $# -gt 0 ]; do
	case $1 in
	--no-module) module=no ;;
	--one-thread) one_thread=yes ;;
	--loop) loop=yes ;;
	--monitor) monitor=yes ;;
	--quiet) quiet=yes ;;
	--)
		shift
		extra=("$@")
		break
		;;
	--*)
		[ $# -ge 2 ] || fail "$1 needs a value"
		case $1 in
		--timeout) timeout_s=$2 ;;
		--memory) memory_mb=$2 ;;
		--smp) smp=$2 ;;
		--qemu) qemu=$2 ;;
		--name) name=$2 ;;
		--accel) accel=$2 ;;
		--env) environment+=("$2") ;;
		--append) words="$words $2" ;;
		--card) cards+=("$2") ;;
		--root-port) ports+=("$2") ;;
		--share) share=$(path "$2") || exit 2 ;;
		--feed) feed=$(path "$2") || exit 2 ;;
		--plugin) plugin=$(path "$2") || exit 2 ;;
		--image) image=$(path "$2") || exit 2 ;;
		*) fail "unknown option $1; the head of $0 lists them" ;;
		esac
		shift
		;;
	*)
		[ -z "$script" ] || fail "one script only; QEMU's own options come after --"
		script=$(path "$1") || exit 2
		;;
	esac
	shift
done
[ -n "$script" ] || fail "usage: $0 [OPTION]... SCRIPT [-- QEMU-OPTION...]"
[ -z "$feed" ] || [ -z "$loop" ] || fail "--feed and --loop are both chardev blink0; choose one"

cd "$top" || exit 2
GUEST=${GUEST:-$B/guest}
image=${image:-$GUEST/initramfs}
name=${name:-$(basename "$script" .sh)}
run=$GUEST/$name
kernel=$GUEST/vmlinux
slow=1 less=1 more_memory=0 more_append='' console=console=ttyS0 slot=0
# shellcheck disable=SC1091
[ ! -e "$GUEST/needs" ] || . "$GUEST/needs"
timeout_s=$((timeout_s * ${GUEST_SLOW:-$slow}))
threads=${GUEST_THREADS:-$threads}
[ -z "$one_thread" ] || threads=single
case $threads in
single | multi) ;;
*) fail "GUEST_THREADS=$threads: choose single or multi" ;;
esac
memory_mb=$((memory_mb + more_memory))
environment+=("DRIVER_LESS=${GUEST_LESS:-$less}" "DRIVER_SLOW=${GUEST_SLOW:-$slow}")
command -v "$qemu" >/dev/null || fail "$qemu is missing; install the package qemu-system-x86"
[ -e "$kernel" ] || fail "there is no kernel in $GUEST; run make guest-kernel"
[ -e "$image" ] || fail "$image is not there; run make guest-image"

mkdir -p "$run"
exec 9>"$run/.lock"
flock -n 9 || fail "$name is being run already (give another --name)"
rm -f "$run"/{console,result,qemu}.log "$run"/{initrd,result,loop.sock,monitor.sock,command}

# The script, the files that it may source, and its variables are in a second archive after the
# image. The kernel unpacks both.
pack_script() {
	local stage=$run/stage variable
	rm -rf "$stage"
	mkdir -p "$stage/smile"
	install -m 755 "$script" "$stage/smile/run"
	install -m 644 tests/guest/guest_checks.sh "$stage/smile/checks"
	for variable in "${environment[@]}"; do
		printf '%s=%q\n' "${variable%%=*}" "${variable#*=}"
	done >"$stage/smile/environment"
	(cd "$stage" && printf 'smile/%s\n' run checks environment |
		cpio --quiet --create --format newc --owner 0:0) >"$run/script.cpio"
	rm -rf "$stage"
	cat "$image" "$run/script.cpio" >"$run/initrd"
	rm -f "$run/script.cpio"
}
pack_script || fail "cannot pack $script"

if [ -z "$accel" ]; then
	accel=tcg,thread=$threads
	[ "${SMILE_KVM:-}" = probe ] && B=$B tests/guest/kvm-probe.sh "$qemu" && accel=kvm
fi

# Emulated page tables of five levels are slow. KVM has been seen to refuse "max".
cpu=max,la57=off
[ "$accel" = kvm ] && cpu=qemu64

# Omit devices that neither the kernel nor the test needs: each of them takes time.
options=(-M q35,vmport=off,smm=off -accel "$accel" -cpu "$cpu" -m "$memory_mb"
	-smp "$smp" -nodefaults -no-user-config -no-reboot -display none -monitor none
	-chardev "file,id=console,path=$run/console.log" -serial chardev:console
	-device virtio-serial-pci,ioeventfd=off,romfile=
	-chardev "file,id=result,path=$run/result")

# Warnings are printed on the console from the start, all other messages when the script runs. A panic ends the
# guest immediately. The value of the delay loop is given, because its measurement takes long and fails on a busy
# host; the clock is measured by QEMU's HPET. Self-tests at boot are disabled. Also disabled are parts that take a
# fifth of the boot and that no test needs: IPv6, TCP's cubic, probes of functions, certificates, entropy from
# jitter, and the early read of the kernel's types for BPF, which the first user reads.
append="$console loglevel=5 printk.devkmsg=on oops=panic panic=-1 nokaslr mitigations=off"
append="$append no_timer_check lpj=10000000 random.trust_cpu=on cryptomgr.notests"
append="$append initcall_blacklist=crypto_kdf108_init,cubictcp_register,init_kprobe_trace,bpf_rstat_kfunc_init"
append="$append,bpf_key_sig_kfuncs_init,kfunc_init,bpf_prog_test_run_init,bpf_tcp_ca_kfunc_init"
append="$append,load_system_certificate_list,jent_mod_init"
append="$append ipv6.disable=1"
# On a busy host a guest may measure its clock wrongly, and then seems to stand still for seconds. This is
# no stall of the driver, so the kernel's time limits for stalls are as long as possible.
append="$append rcupdate.rcu_cpu_stall_timeout=300 watchdog_thresh=60"
append="$append rdinit=/init smile.module=$module $more_append$words"
# While the kernel finds its devices, QEMU's memory map changes all the time: with a thread for each
# processor, a timer of another processor may then be lost (see stuck()), and the boot hangs. init enables
# the other processors.
[ "$accel" != tcg,thread=multi ] || append="$append maxcpus=1 noreplace-smp"

if [ -n "$share" ]; then
	append="$append smile.share=yes"
	options+=(-fsdev "local,id=host,path=$share,security_model=none,multidevs=remap"
		-device virtio-9p-pci,fsdev=host,mount_tag=host)
fi
if [ -n "$loop" ]; then
	options+=(-chardev "socket,id=loop,path=$run/loop.sock,server=on,wait=off"
		-device virtserialport,chardev=loop,name=org.smile.blink
		-chardev "socket,id=blink0,path=$run/loop.sock")
fi
if [ -n "$monitor" ]; then
	options+=(-chardev "socket,id=far,path=$run/monitor.sock,server=on,wait=off"
		-device virtserialport,chardev=far,name=org.smile.monitor
		-chardev "socket,id=near,path=$run/monitor.sock" -mon chardev=near)
fi
for port in "${ports[@]}"; do
	slot=$((slot + 1))
	options+=(-device "pcie-root-port,id=$port,chassis=$slot,slot=$slot")
done
# A chardev of QEMU 7.2 cannot open a file for reading, but can read standard input.
[ -z "$feed" ] || options+=(-chardev stdio,id=blink0,signal=off)
[ -z "$feed$loop" ] || [ ${#cards[@]} -gt 0 ] || cards=(blink=blink0,node=0)
if [ ${#cards[@]} -gt 0 ]; then
	plugin=${plugin:-$B/emu/qemu/smile-monitor.so}
	# A QEMU with the card built in needs no plug-in.
	if ! "$qemu" -device help 2>/dev/null | grep -q '"smile-monitor"'; then
		[ -e "$plugin" ] || fail "$plugin is not there; run make qemu-plugin"
		options+=(-plugin "file=$plugin")
	fi
	for card in "${cards[@]}"; do
		options+=(-device "smile-monitor,$card")
	done
fi

command=("$qemu" "${options[@]}" -kernel "$kernel" -initrd "$run/initrd" -append "$append"
	"${extra[@]}"
	# This is the last port. If it exists, all other ports exist, too.
	-device virtserialport,chardev=result,name=org.smile.result)
printf '%q ' "${command[@]}" >"$run/command"
echo "<${feed:-/dev/null}" >>"$run/command"

# Use a named pipe, so that output appears immediately. The reader starts first, so that QEMU does
# not wait.
mkfifo "$run/result" || exit 2
# shellcheck disable=SC2016 # for that shell to expand
setpriv --pdeathsig KILL sh -c 'exec tee "$1" <"$0"' "$run/result" "$run/result.log" &
reader=$!
vm=''
# QEMU has five seconds to end by itself, see below.
clean_up() {
	trap '' INT TERM HUP
	[ -z "$vm" ] || kill "$vm" 2>/dev/null
	kill "$reader" 2>/dev/null
	wait
	rm -f "$run"/{result,initrd,loop.sock,monitor.sock}
}
trap clean_up EXIT
trap 'exit 2' INT TERM HUP

start=$(date +%s%N)
# The feed may be a pipe whose writer is late: the time limit starts here.
# shellcheck disable=SC2016 # for that shell to expand
setpriv --pdeathsig KILL timeout --foreground --kill-after=5 "$timeout_s" \
	setpriv --pdeathsig KILL sh -c 'exec "$@" <"$0"' "${feed:-/dev/null}" "${command[@]}" \
	>"$run/qemu.log" 2>&1 &
vm=$!
wait "$vm"
status=$?
vm=''
elapsed=$((($(date +%s%N) - start) / 100000000))
elapsed=${elapsed%?}.${elapsed: -1}

# If QEMU ended before it opened the pipe, this ends the reader.
: <>"$run/result"
[ -s "$run/console.log" ] || kill "$reader" 2>/dev/null
wait "$reader" 2>/dev/null
touch "$run/result.log" "$run/console.log"

verdict=0
problem() {
	verdict=1
	echo "guest: $name: $*" >&2
}

if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
	problem "no end after $timeout_s seconds; the last that it said was" \
		"'$(tail -n 1 "$run/result.log" | tr -d '\r')'"
elif [ "$status" -ne 0 ]; then
	problem "QEMU ended with status $status:"
	tail -n 20 "$run/qemu.log" >&2
fi
# With a thread for each processor, QEMU 7.2 may pass a processor the new memory map before it has
# discarded the old one. A write to a register in between reaches another register, so a timer may not be
# set. Then the processor sleeps until another processor wakes it. A processor may also continue to
# execute code that another processor has changed meanwhile: if it has executed the breakpoint by which
# the kernel patches itself, it executes the breakpoint without end. QEMU may also crash.
stuck() {
	[ "$status" -ne 0 ] ||
		grep -a -q 'kthread timer wakeup didn.t happen' "$run/console.log"
}
[ "$threads" = single ] || ! stuck ||
	problem "stuck, with a thread for each processor, in which QEMU 7.2 has races of its own:" \
		"does it pass with GUEST_THREADS=single?"

last=$(tail -n 1 "$run/result.log" | tr -d '\r')
case $last in
"GUEST RESULT ok")
	grep -a -q 'init: result ok' "$run/console.log" ||
		problem "the script, not the guest, claims that all is well"
	;;
"GUEST RESULT "*) problem "${last#GUEST RESULT }" ;;
*)
	problem "the guest did not report its result; the console ends with"
	tail -n 15 "$run/console.log" | tr -d '\r' | sed 's/^/    /' >&2
	;;
esac
tests/guest/splat.sh "$run/console.log" >&2 || problem "the kernel complained"
! tests/harness/unknown_commands.sh "$run/result.log" >&2 || problem "the script has called an unknown command"

[ -n "$quiet" ] && [ "$verdict" -eq 0 ] ||
	echo "guest: $name: $([ "$verdict" -eq 0 ] && echo passed || echo failed)" \
		"after $elapsed s, logs in $run" >&2
exit "$verdict"
