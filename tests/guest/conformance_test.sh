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

for source in dev:0 read:0 pci:; do
	name=conformance-${source%:*} module=
	[ $source != pci: ] || module=--no-module
	# shellcheck disable=SC2086
	tests/guest/run.sh --name "$name" $module --loop \
		--env SOURCE="$source" tests/guest/conformance_guest.sh
	# A suite that ran nothing has not passed.
	grep -Eq '^\[  PASSED  \] [1-9][0-9]* test' \
		"$GUEST/$name/result.log"
done
grep -q "^pci: all is well" "$GUEST/conformance-pci/result.log"
