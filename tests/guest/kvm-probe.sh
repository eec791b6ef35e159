#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests whether KVM works on this machine. Even if /dev/kvm exists, a guest can hang, so the script
# boots a guest with a time limit. The result is valid until this machine reboots. May use: run.sh.

set -u

cd "$(dirname "$0")/../.." || exit 1
B=${B:-build}
GUEST=${GUEST:-$B/guest}
qemu=${1:-qemu-system-x86_64}
answer=$GUEST/kvm-probe.answer

[ -r /dev/kvm ] && [ -w /dev/kvm ] || exit 1
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)
# Two runs at the same time share one probe.
mkdir -p "$GUEST/kvm-probe"
exec 8>"$GUEST/kvm-probe/.probing"
flock 8
if [ "$(sed -n 1p "$answer" 2>/dev/null)" = "$boot $qemu" ]; then
	[ "$(sed -n 2p "$answer")" = works ]
	exit
fi

printf '#!/bin/sh\nexit 0\n' >"$GUEST/kvm-probe/script"
export B GUEST
if SMILE_KVM='' tests/guest/run.sh --quiet --accel kvm --smp 1 --timeout 20 --no-module \
	--name kvm-probe --qemu "$qemu" "$GUEST/kvm-probe/script" >/dev/null 2>&1; then
	verdict=works
else
	verdict=fails
fi
printf '%s\n%s\n' "$boot $qemu" "$verdict" >"$answer"
echo "guest: KVM $verdict here" >&2
[ "$verdict" = works ]
