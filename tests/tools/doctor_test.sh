#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of smile doctor: the reason why the driver's module is not loaded, and the result for an invalid device file, on
# machines that consist of files (SMILE_DOCTOR_ROOT). Permissions and the results of a real driver are tested in
# the guest (tests/guest/admin_test.sh).
#
# usage: tests/tools/doctor_test.sh SMILE MKCAPTURE SCRATCH
set -u
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh" "$@"

release=6.1.0-7-test
export SMILE_DOCTOR_ROOT=$PWD/root

# A machine that runs $release and has nothing else.
machine() {
	rm -rf root
	mkdir -p root/{dev,proc/sys/kernel,sys/module/module/parameters,sys/kernel/security} \
		"root/lib/modules/$release"
	echo "$release" >root/proc/sys/kernel/osrelease
	echo N >root/sys/module/module/parameters/sig_enforce
	echo '[none] integrity confidentiality' >root/sys/kernel/security/lockdown
}

# module KERNEL BUILT-FOR [signed]: a file with the description of a module, at the place where DKMS installs it
module() {
	mkdir -p "root/lib/modules/$1/updates/dkms"
	{
		printf '\177ELF\2\1\1....license=GPL\0vermagic=%s SMP mod_unload modversions \0....' "$2"
		[ $# -lt 3 ] || printf '....~Module signature appended~\n'
	} >"root/lib/modules/$1/updates/dkms/smile_monitor.ko"
	echo 'updates/dkms/smile_monitor.ko:' >"root/lib/modules/$1/modules.dep"
}

# finding NAME CHECK STATE DETAIL FIX: the doctor's result of one check; the last two are patterns. The doctor
# looks for programs in $search, if that is set.
finding() {
	PATH=${search:-$PATH} "$smile" doctor --json >out 2>err
	found=$(gojq -r --arg check "$2" '.checks[] | select(.check == $check) |
		[.state, .detail, .fix] | join("\t")' out)
	if [[ $found =~ ^$3$'\t' ]] && grep -q -e "$4" <<<"$(cut -f 2 <<<"$found")" &&
		grep -q -e "$5" <<<"$(cut -f 3 <<<"$found")"; then
		ok "$1"
	else
		not_ok "$1" "wanted: $3, '$4', '$5'" "got: $found"
	fi
}

machine
finding "module: not installed" "driver module" missing "not installed for this kernel, $release" \
	"smile-monitor-dkms.*make install-kmod.*modprobe smile_monitor"
mkdir -p root/var/lib/dkms/smile-monitor
finding "module: DKMS without headers" "driver module" missing "not installed" \
	"linux-headers-$release.*dkms autoinstall"
mkdir -p "root/lib/modules/$release/build"
finding "module: DKMS with headers" "driver module" missing "not installed" "^sudo dkms autoinstall"

machine
module 6.1.0-6-test 6.1.0-6-test
finding "module: for another kernel" "driver module" missing \
	"installed for the kernel 6.1.0-6-test, and this is $release" "modprobe smile_monitor"

machine
module $release $release
finding "module: only to be loaded" "driver module" missing "^smile_monitor is not loaded$" \
	"^sudo modprobe smile_monitor$"
echo 'kernel/other.ko:' >root/lib/modules/$release/modules.dep
finding "module: no depmod" "driver module" missing "modprobe does not find it" "^sudo depmod"

machine
module $release 6.1.0-6-test
finding "module: its file is of another kernel" "driver module" missing \
	"smile_monitor.ko is built for the kernel 6.1.0-6-test, and this is $release" "rebuild"

for reason in "locked down" enforce; do
	machine
	module $release $release
	case $reason in
	locked*) echo 'none [integrity] confidentiality' >root/sys/kernel/security/lockdown ;;
	enforce) echo Y >root/sys/module/module/parameters/sig_enforce ;;
	esac
	finding "module: unsigned, $reason" "driver module" missing \
		"^/lib/modules/$release/updates/dkms/smile_monitor.ko is not signed, and .*$reason" \
		"sign-file sha256.*mokutil --import.*modprobe"
	module $release $release signed
	finding "module: signed, $reason" "driver module" missing "is not loaded" \
		"^sudo modprobe.*$reason.*Key was rejected.*mokutil --import"
done
machine
printf 'xz, and not an ELF file, of some length' >root/lib/modules/$release/smile_monitor.ko.xz
echo "/lib/modules/$release/smile_monitor.ko.xz:" >root/lib/modules/$release/modules.dep
finding "module: a compressed one reports nothing" "driver module" missing "is not loaded" \
	"^sudo modprobe smile_monitor$"

machine
mkdir root/sys/module/smile_monitor
echo 1.2.3 >root/sys/module/smile_monitor/version
finding "module: loaded" "driver module" ok "^smile_monitor 1.2.3 is loaded$" "^$"

echo "not a device" >root/dev/smile_monitor0
finding "device: can be opened" "device file" ok "/dev/smile_monitor0 can be opened" "^$"
finding "device: a file that is none" "driver ABI" missing "does not answer" \
	"is that a device of smile_monitor"
finding "device: and nothing is said of its stream" "record stream" skipped "needs a driver" "^$"
exits "doctor: something is missing" 1 doctor
says "doctor: the fix is on a line of its own" '^ *-> is that a device of smile_monitor' out

finding "perf: no PMU" "perf stat" skipped "no smile_monitor in" "comes with"
mkdir -p root/sys/bus/event_source/devices/smile_monitor0
if [ "$(id -u)" = 0 ]; then
	finding "perf: allowed" "perf stat" ok "may count" "^$"
else
	finding "perf: not allowed" "perf stat" optional "need root or CAP_PERFMON" "setcap"
fi

search=$PWD/bin
export SMILE_LIBDIR=$PWD/lib
rm -rf bin lib
mkdir bin lib
# The doctor runs a QEMU to test whether it can trace. It also finds a QEMU in the user's cache.
export XDG_CACHE_HOME=$PWD/cache
built=/var/lib/smile-monitor/qemu-x86_64
if [ -x $built ]; then
	skip "run: no QEMU: there is $built"
else
	finding "run: no QEMU" "smile run" optional "no qemu-x86_64 in PATH" "apt-get install qemu-user.*build-qemu"
fi
# A script: its file does not show what it can do.
printf '#!/bin/sh\necho "qemu: unknown option" >&2\nexit 1\n' >bin/qemu-x86_64
chmod +x bin/qemu-x86_64
finding "run: no tracer" "smile run" optional "smile-tracer.so is not there" "SMILE_LIBDIR"
touch lib/smile-tracer.so
finding "run: no preload library" "smile run" optional "smile-preload.so is not there" "SMILE_LIBDIR"
touch lib/smile-preload.so
finding "run: a QEMU that traces nothing" "smile run" optional \
	"bin/qemu-x86_64 has not traced /bin/true: qemu: unknown option$" "smile run -o"
equal "run: the trial leaves nothing" "" "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'smile-doctor.*' -newer bin/qemu-x86_64)"
printf '#!/bin/sh\n: >tried\nexec /bin/sleep 1000\n' >bin/qemu-x86_64
mkdir trials
TMPDIR=$(pwd)/trials setpriv --pdeathsig KILL env PATH="${search:-$PATH}" "$smile" doctor >out 2>err &
doctor=$!
tries=0
until [ -e tried ] || [ $tries -gt 1000 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
kill $doctor
wait $doctor 2>/dev/null
equal "run: an interrupted trial: status, message, and what is left" "2 smile doctor: interrupted" \
	"$? $(cat err)$(ls trials)"
if [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1 && [ ! -x $built ]; then
	cp /bin/busybox bin/qemu-x86_64
	finding "run: a QEMU that is linked statically" "smile run" optional "loads no plug-ins" "build-qemu"
else
	skip "run: a QEMU that is linked statically"
fi
search=
unset SMILE_LIBDIR XDG_CACHE_HOME
finding "run: a program is traced" "smile run" ok "qemu-x86_64 has traced /bin/true$" "^$"

# ---- the card in QEMU
search=$PWD/bin
finding "card in QEMU: no QEMU" "card in QEMU" optional "no qemu-system-x86_64 in PATH" "apt install qemu-system-x86"
printf '#!/bin/sh\necho "smile-monitor.so: built for another" >&2\nexit 1\n' >bin/qemu-system-x86_64
chmod +x bin/qemu-system-x86_64
export SMILE_LIBDIR=$PWD/lib
finding "card in QEMU: no plug-in" "card in QEMU" optional "no plug-in smile-monitor.so" "make qemu-plugin"
mkdir -p lib/emu/qemu
touch lib/emu/qemu/smile-monitor.so
finding "card in QEMU: a plug-in that is refused" "card in QEMU" optional "^smile-monitor.so: built for another$" \
	"make qemu-plugin"
printf '#!/bin/sh\necho "libglib-2.0.so.0: cannot open" >&2\nexit 127\n' >bin/qemu-system-x86_64
finding "card in QEMU: a QEMU that does not start" "card in QEMU" optional "^libglib-2.0.so.0: cannot open$" \
	"QEMU itself does not start"
printf '#!/bin/sh\nread -r line\n[ "$line" = quit ]\n' >bin/qemu-system-x86_64
finding "card in QEMU: it is there" "card in QEMU" ok "has a card by .*/smile-monitor.so$" "^$"
search=
unset SMILE_LIBDIR

# ---- the processors' counters
machine
finding "counters: no perf events" "perf counters" optional "the kernel has no perf events" "CONFIG_PERF_EVENTS"
mkdir -p root/proc/sys/kernel
echo 0 >root/proc/sys/kernel/perf_event_paranoid
finding "counters: a virtual machine" "perf counters" optional "no counters of the processors" \
	"software events .task-clock, page-faults, context-switches. work"
mkdir -p root/sys/bus/event_source/devices/cpu
echo 4 >root/sys/bus/event_source/devices/cpu/type
finding "counters: of the processors" "perf counters" ok "the processors have counters (cpu)" '^$'

# ---- the machine's own nodes
machine
mkdir -p root/sys/devices/system/node
echo 0-2,5 >root/sys/devices/system/node/has_memory
echo 1 >root/proc/sys/kernel/numa_balancing
finding "place: nodes and balancing" "smile place" "(ok|optional)" \
	"^4 nodes with memory; automatic balancing on; mbind" ""
echo 0 >root/sys/devices/system/node/has_memory
echo 0 >root/proc/sys/kernel/numa_balancing
finding "place: one node" "smile place" optional "^1 node with memory; automatic balancing off" \
	"to place programs on this machine"

# ---- samples on this machine
sample_machine() {
	machine
	mkdir -p root/sys/devices/system/node/node{0,1} root/proc/sys/kernel
	echo 0-1 >root/sys/devices/system/node/online
	echo 0 >root/sys/devices/system/node/node0/cpulist
	echo 1 >root/sys/devices/system/node/node1/cpulist
	echo "$1" >root/proc/sys/kernel/numa_balancing
}
sample_machine 0
finding "sample: balancing is off" "smile sample" optional "no source" "sysctl kernel.numa_balancing=1"
rm root/proc/sys/kernel/numa_balancing
finding "sample: a kernel without balancing" "smile sample" optional "no source" "does not balance"
echo 0 >root/sys/devices/system/node/online
finding "sample: one node" "smile sample" optional "no source" "one node"
sample_machine 1
# This machine determines whether perf is permitted.
finding "sample: two nodes" "smile sample" "(ok|optional)" "source" ""
# The name of a memory access event stands for page faults here, an event that every machine has.
devices=root/sys/bus/event_source/devices
mkdir -p $devices/cpu/{events,format}
echo 1 >$devices/cpu/type
echo config:0-7 >$devices/cpu/format/event
echo event=0x02 >$devices/cpu/events/mem-loads
finding "sample: the processors sample accesses" "smile sample" "(ok|optional)" "source" ""
if [ "$(gojq -r '.checks[] | select(.check == "smile sample") | .state' out)" = ok ]; then
	says "sample: both sources" "source memory: the processors' samples.*; source faults: NUMA hint faults" out
	sample_machine 0
	mkdir -p $devices/cpu/{events,format}
	echo 1 >$devices/cpu/type
	echo config:0-7 >$devices/cpu/format/event
	echo event=0x02 >$devices/cpu/events/mem-loads
	finding "sample: source memory alone" "smile sample" ok "source memory.*not faults: .*numa_balancing=1" ""
	rm -r $devices
	sample_machine 1
	finding "sample: source faults alone" "smile sample" ok \
		"source faults: NUMA hint faults; not memory: .*neither cpu/events/mem-loads nor ibs_op" ""
fi
sample_machine 0
rm -rf $devices
finding "sample: neither source" "smile sample" optional "no source" \
	"source faults: .*numa_balancing=1.*source memory: .*mem-loads"

# ---- the machine as a file: its nodes, the distances of nodes that cannot be measured, its caches
machine
mkdir -p root/sys/devices/system/node/node{0,1} root/sys/devices/system/cpu/cpu0/cache/index{0,1,2}
echo 0-1 >root/sys/devices/system/node/has_memory
echo 10 25 >root/sys/devices/system/node/node0/distance
echo 25 10 >root/sys/devices/system/node/node1/distance
# None of the nodes has a processor that this process may use: nothing is measured.
: >root/sys/devices/system/node/node0/cpulist
: >root/sys/devices/system/node/node1/cpulist
# cache INDEX LEVEL TYPE SIZE WAYS SHARED
cache() {
	local folder=root/sys/devices/system/cpu/cpu0/cache/index$1
	echo "$2" >"$folder/level"
	echo "$3" >"$folder/type"
	echo "$4" >"$folder/size"
	echo "$5" >"$folder/ways_of_associativity"
	echo 64 >"$folder/coherency_line_size"
	echo "$6" >"$folder/shared_cpu_list"
}
cache 0 1 Data 48K 12 0
cache 1 1 Instruction 32K 8 0
cache 2 3 Unified 39M 11 0-7
mkdir root/sys/devices/system/cpu/cpu0/cpufreq
echo 2400000 >root/sys/devices/system/cpu/cpu0/cpufreq/base_frequency
exits "machine: is written" 0 doctor --machine machine.json
says "machine: what could not be measured is said" "not all latencies could be measured" err
equal "machine: nodes, clock, latencies by distance" '2 2400 "first-touch" [[80,200],[200,80]]' \
	"$(gojq -c '.nodes, .mhz, .placement, .latency_ns' machine.json | tr '\n' ' ' | sed 's/ $//')"
equal "machine: caches, whole sets of them" 'l1 49152 12 false llc 40893952 11 true' \
	"$(gojq -r '.caches[] | "\(.level) \(.bytes) \(.ways) \(.shared)"' machine.json | tr '\n' ' ' | sed 's/ $//')"
exits "latency: nothing can be measured" 0 doctor --latency latency.json
says "latency: nothing can be measured: it is said" "Nothing can be compared" out
equal "latency: the file is that of --machine" "" "$(diff machine.json latency.json)"
exits "latency: JSON" 0 doctor --latency --json
equal "latency: JSON: what is not known is null" '["smile.latency/1",2,true,[[null,null],[null,null]]]' \
	"$(gojq -c '[.schema, .nodes, .equal, .ns]' out)"
# A processor that this process may use.
sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status \
	>root/sys/devices/system/node/node0/cpulist
echo 0 >root/sys/devices/system/node/has_memory
exits "latency: one node" 0 doctor --latency
says "latency: one node: it is said" "one node: there is no other memory" out
says "latency: one node: the median and its band" '^node 0  *[0-9]* \[[0-9]*-[0-9]*\]' out
unset SMILE_DOCTOR_ROOT
exits "machine: this one is measured" 0 doctor --machine
equal "machine: it has latencies, and no other node is nearer" true \
	"$(gojq '.latency_ns as $ns | [range(.nodes) as $n | $ns[$n][] >= $ns[$n][$n] and $ns[$n][$n] > 0] | all' out)"
equal "machine: smile run reads it" 0 "$(
	cp out this.json
	"$smile" run -q --machine this.json -o of -- /bin/true >run.out 2>&1
	echo $?
)"
nodes=$(gojq .nodes this.json)
equal "latency: smile run takes it, of a machine of its own" "0 $(gojq -r .name this.json)" "$(
	"$smile" run -q --machine smile1998 --nodes "$nodes" --latency this.json --json of.json -o of -- /bin/true >run.out 2>&1
	echo "$? $(gojq -r .latency.model of.json)"
)"
exits "latency: of fewer nodes than the machine has" 2 run --nodes $((nodes + 1)) --latency this.json -- /bin/true
says "latency: of fewer nodes than the machine has: the remedy" "latencies of $nodes nodes.*--nodes $nodes" err
equal "latency: smile advise takes it" "$(gojq -r .name this.json)" \
	"$("$smile" advise --latency this.json --json of-node*.rec 2>/dev/null | gojq -r .latency.model)"
exits "latency: neither a model nor a file" 2 advise --latency absent.json of-node0.rec
says "latency: neither a model nor a file: the remedy" "neither a file nor a model.*smile doctor --latency FILE" err
exits "latency: no machine file" 2 advise --latency out of-node0.rec
exits "latency: and the machine" 2 doctor --latency --machine
exits "latency: one file" 2 doctor --latency a b
exits "machine: one file" 2 doctor --machine a b
exits "machine: it is JSON anyway" 2 doctor --machine --json

suite_end
