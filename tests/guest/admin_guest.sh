#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tasks of an administrator, in the guest: access for an ordinary user by the udev rule and by a
# group, a card in use, and a module that this kernel refuses. Each part compares the output of
# smile doctor. May use: busybox, smile, /host/root with udev (see admin_test.sh). The last part
# locks the kernel down until the guest ends.
set -eu
# shellcheck source=tests/guest/guest_checks.sh
. /smile/checks

device=/dev/smile_monitor0
devices=/sys/bus/pci/devices
driver=/sys/bus/pci/drivers/smile_monitor
module=/lib/modules/$(uname -r)/extra/smile_monitor.ko

# listens COMMAND...: run the command, and keep udev's error messages.
listens() {
	"$@" 2>"$output"
}

# While the daemon reads its rules, it closes connections. Repeat the request until it succeeds.
settle() {
	within "udev settles" listens udevadm settle
}

# fixed PATTERN: check that the output has a fix that matches PATTERN.
fixed() {
	grep -e '->' "$output" | grep -q -e "$1" || fail "no fix with '$1'"
}

# eve COMMAND: run the command as the user eve, with the groups that a login gives.
eve() {
	su eve -c "$*"
}

cards() {
	for card in "$driver"/0000:*; do
		echo "${card##*/}"
	done
}

# first_card ATTRIBUTE VALUE
first_card() {
	grep -qx "$2" "$devices/$(cards | head -n 1)"/smile_monitor/*/"$1"
}

part_root_only() {
	echo 'eve:x:1000:1000:eve:/tmp:/bin/sh' >>/etc/passwd
	echo 'eve:x:1000:' >>/etc/group
	[ "$(stat -c '%U:%G %a' $device)" = 'root:root 600' ] ||
		fail "$device is $(stat -c '%U:%G %a' $device) before any rule"
	expect 1 "missing *device file *$device: no permission" eve smile doctor
	fixed '70-smile-monitor.rules.*systemd-sysusers.*udevadm trigger'
	cp -r /host/root/. /
	expect 1 "missing *device file" eve smile doctor
	fixed 'there is no group smile.*systemd-sysusers'
	if [ -x /usr/bin/systemd-sysusers ]; then
		systemd-sysusers smile-monitor.conf
	else
		echo "sysusers is not on the host: the group by hand"
		awk '$1 == "g" { print $2 ":x:999:" }' /usr/lib/sysusers.d/smile-monitor.conf >>/etc/group
	fi
	grep -q '^smile:' /etc/group || fail "no group smile"
	expect 1 "missing *device file" eve smile doctor
	fixed 'the udev rule has not seen it yet.*udevadm trigger -s smile_monitor'
}

part_rule() {
	mkdir -p /run
	ln -sf udevadm /usr/bin/systemd-udevd
	# Check that udev accepts our rules. It reports the broken rule, so it would also report
	# errors in our rules.
	mkdir -p /etc/udev/rules.d
	echo 'SUBSYSTEM=="smile_monitor", NONSENSE="1"' >/etc/udev/rules.d/90-broken.rules
	udevadm test /sys/class/smile_monitor/smile_monitor0 >"$output" 2>&1 ||
		fail "udevadm test failed"
	complaint='^(/[^ ]*/)?(70-smile-monitor|90-broken).rules:[0-9]+ '
	grep -E "$complaint" "$output" | grep -q broken || fail "udev did not look at the rules"
	! grep -E "$complaint" "$output" | grep -v broken || fail "udev complains of our rule"
	grep -q '70-smile-monitor.rules:[0-9]* GROUP' "$output" || fail "our rule does not fit"
	rm /etc/udev/rules.d/90-broken.rules

	# udevadm test has applied the rule. Undo this.
	chown root:root $device
	chmod 600 $device
	systemd-udevd --daemon >"$output" 2>&1 || fail "no udevd"
	# Follow the advice of smile doctor. udevd becomes a daemon before it accepts requests.
	within "udevd listens" listens udevadm control --reload
	udevadm trigger -s smile_monitor
	settle
	for node in /dev/smile_monitor*; do
		[ "$(stat -c '%U:%G %a' "$node")" = 'root:smile 660' ] ||
			fail "$node is $(stat -c '%U:%G %a' "$node")"
	done
	echo "ok $device is root:smile 660"

	# As soon as the driver is bound to a card, the kernel may suspend the card.
	for card in $(cards); do
		[ "$(cat "$devices/$card/power/control")" = on ] ||
			fail "$card: power/control is not the kernel's own"
		echo "$card" >"$driver/unbind"
		echo "$card" >"$driver/bind"
		settle
		[ "$(cat "$devices/$card/power/control")" = auto ] ||
			fail "$card: power/control is $(cat "$devices/$card/power/control")"
	done
	[ "$(stat -c '%U:%G %a' $device)" = 'root:smile 660' ] || fail "not after a bind"
	echo "ok power/control is auto after a bind"
}

part_permission() {
	expect 1 "it is for the group smile, and eve is not in this group" eve smile doctor
	fixed '^ *-> sudo usermod -aG smile eve, and log in again'
	expect 2 "$device" eve smile record -o /tmp/eve.rec
	grep -q -i 'permission\|sudo' "$output" || fail "record does not say that it may not"

	# This session starts before the user is added to the group.
	eve 'touch /tmp/began; while [ ! -e /tmp/go ]; do usleep 10000; done; smile doctor' \
		>/tmp/session 2>&1 &
	session=$!
	within "a session of eve's" test -e /tmp/began
	sed -i 's/^smile:.*/&eve/' /etc/group
	touch /tmp/go
	status=0
	wait $session || status=$?
	cp /tmp/session "$output"
	[ "$status" -eq 1 ] || fail "the old session's doctor: status $status"
	grep -q 'was not when this session began' "$output" || fail "not reported that the session is old"
	fixed 'log in again'
	echo "ok an old session is asked to log in again"

	expect 0 'nothing is missing' eve smile doctor
	expect 0 '' eve smile record -o /tmp/eve.rec -- echo recorded
	expect 0 'accepted' eve smile report lost /tmp/eve.rec
}

part_busy() {
	su eve -c 'exec smile record -o /tmp/busy.rec -- sleep 1000' >/tmp/busy 2>&1 &
	holder=$!
	within "smile record has the card" first_card owned 1
	expect 1 'missing *record stream *in use by another process: smile, process [0-9]' smile doctor
	fixed "sudo fuser -v $device"
	expect 1 'missing *record stream *in use by another process' eve smile doctor
	kill $holder
	within "smile record lets go of the card" first_card owned 0
	wait $holder || :
	expect 0 'ok *record stream *free' smile doctor
}

part_perf() {
	pmu=/sys/bus/event_source/devices/smile_monitor0
	[ -e $pmu ] || fail "this driver has no PMU"
	expect 0 "optional *perf stat *a card's events need root or CAP_PERFMON" eve smile doctor
	fixed 'cap_perfmon+ep'
	expect 0 'ok *perf stat *may count' smile doctor
	# To open an event programs the card. Without the privilege it is refused, even if perf
	# itself needs no privilege.
	echo -1 >/proc/sys/kernel/perf_event_paranoid
	expect 1 'not held: Permission denied' eve admin_hold "$(cat $pmu/type)" "$((16 << 44))"
	expect 0 'ok *record stream *free' smile doctor

	# The program keeps a counter of global event 0 until it ends.
	admin_hold "$(cat $pmu/type)" "$((16 << 44))" >/tmp/hold 2>&1 &
	holder=$!
	within "a counter is held" test -s /tmp/hold
	cp /tmp/hold "$output"
	grep -q '^held' "$output" || fail "no counter available"
	expect 1 'missing *record stream *in use by perf' smile doctor
	fixed 'pgrep -a perf'
	expect 2 '' smile record -o /tmp/none.rec
	kill $holder
	wait $holder || :
	within "the counter is let go of" first_card running 0
	expect 0 'ok *record stream *free' smile doctor
}

part_module() {
	rmmod smile_monitor
	expect 1 'missing *driver module *smile_monitor is not loaded$' smile doctor
	fixed '^ *-> sudo modprobe smile_monitor$'
	cp "$module" /tmp/module.ko
	release=$(uname -r)
	sed -i "s/vermagic=$release /vermagic=$(echo "$release" | tr 0-9 1-90) /" "$module"
	! cmp -s "$module" /tmp/module.ko || fail "the module's kernel was not changed"
	expect 1 "missing *driver module.*smile_monitor.ko is built for the kernel" smile doctor
	cp /tmp/module.ko "$module"
	mv "$module" /tmp/module.ko
	depmod
	expect 1 "missing *driver module.*not installed for this kernel, $release" smile doctor
	mv /tmp/module.ko "$module"
	depmod
}

# Lock the kernel, which cannot be unlocked. The kernel then refuses an unsigned module; smile
# doctor must name the reason before.
part_lockdown() {
	mount -t securityfs security /sys/kernel/security 2>/dev/null || :
	[ -w /sys/kernel/security/lockdown ] || {
		echo "this kernel cannot be locked down"
		return
	}
	echo integrity >/sys/kernel/security/lockdown
	! modprobe smile_monitor 2>"$output" || fail "a locked-down kernel took an unsigned module"
	expect 1 'missing *driver module.*is not signed, and this kernel is locked down' smile doctor
	fixed 'sign-file.*mokutil --import'
}

for part in root_only rule permission busy perf module lockdown; do
	echo "---- $part"
	"part_$part"
done
