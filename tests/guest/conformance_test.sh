#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Run the conformance suite in the guest: by pci: without the module, and by dev: and read:, each
# with both rings. Each of the three has its own card, because a capture stream can begin only once.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
dir=$GUEST/conformance
mkdir -p "$dir"

suites=3 module=--no-module
# Without the driver, a debug kernel has nothing to check.
if [ -e "$GUEST/needs" ]; then
	suites=2 module=
	echo "skipped: not on a debug kernel: the card without the driver"
fi
set --
for card in 1 2; do
	set -- "$@" -chardev "socket,id=loop$card,path=$dir/loop$card.sock,server=on,wait=off" \
		-device "virtserialport,chardev=loop$card,name=org.smile.blink$card" \
		-chardev "socket,id=blink$card,path=$dir/loop$card.sock"
done
# shellcheck disable=SC2086
tests/guest/run.sh --name conformance $module --env SUITES=$suites --loop --card blink=blink0,node=0 \
	--card blink=blink1,node=0 --card blink=blink2,node=0 tests/guest/conformance_guest.sh -- "$@"
# A suite that has run no test has not passed.
[ "$(grep -cE '^\[  PASSED  \] [1-9][0-9]* test' "$dir/result.log")" = $suites ]
[ $suites = 2 ] || grep -q "^pci: all is well" "$dir/result.log"
