#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Bench of accesses to another node's memory, with two guests of `smile cluster`. They are compared
# with accesses to memory that both guests map directly: an ivshmem device in each guest, with one
# file. The device is not part of the product: a wrapper script around QEMU adds it. May use: smile,
# the products of `make cluster`.
#
# usage: [B=build] tests/bench/fabric_bench.sh
set -eu
B=${B:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
qemu=$(command -v qemu-system-x86_64)
mkdir -p "$work/bin" "$B/bench"
cat >"$work/bin/qemu-system-x86_64" <<END
#!/bin/sh
exec "$qemu" "\$@" -object memory-backend-file,id=both,share=on,size=1M,mem-path=$work/both \\
	-device ivshmem-plain,memdev=both
END
chmod +x "$work/bin/qemu-system-x86_64"
PATH=$work/bin:$PATH "$B/bin/smile" cluster --nodes 2 -o "$B/bench/fabric" -- "$B/tests/bench/fabric_bench"
