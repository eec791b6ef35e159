#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The conformance suite in the guest, over dev: and over read:, each with both rings, and over pci:,
# without the module. Each run has a
# boot of its own, since a capture stream begins once.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}

sources='dev:0 read:0 pci:'
# Without the driver, a debug kernel finds nothing.
if [ -e "$GUEST/needs" ]; then
	sources='dev:0 read:0'
	echo "skipped: not on a debug kernel: the card without the driver"
fi
for source in $sources; do
	name=conformance-${source%:*} module=
	[ $source != pci: ] || module=--no-module
	# shellcheck disable=SC2086
	tests/guest/run.sh --name "$name" $module --loop \
		--env SOURCE="$source" tests/guest/conformance_guest.sh
	# A suite that ran nothing has not passed.
	grep -Eq '^\[  PASSED  \] [1-9][0-9]* test' \
		"$GUEST/$name/result.log"
done
[ "${sources% pci:}" = "$sources" ] || grep -q "^pci: all is well" "$GUEST/conformance-pci/result.log"
