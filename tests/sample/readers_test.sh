#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests every reader of recordings, on recordings of samples of both sources: see readers.py.
#
# usage: PROGRAMS=DIRECTORY tests/sample/readers_test.sh SMILE SCRATCH
set -eu
here=$(realpath "$(dirname "$0")")
smile=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2"
address() {
	nm "$PROGRAMS/two_arrays" | awk -v name="$1" '$3 == name { print name "=" $1 }'
}
"$PROGRAMS/mksampled" faults
python3 "$here/perf_data.py" intel intel.data "$PROGRAMS/two_arrays" "$(address left)" "$(address right)"
"$smile" sample -q --import intel.data -o memory 2>notes
exec python3 "$here/readers.py" "$smile" faults-node0.rec faults-node1.rec -- memory-node0.rec memory-node1.rec
