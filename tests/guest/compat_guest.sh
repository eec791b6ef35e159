#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Call the driver from a 64-bit process and from a 32-bit process. The results must be the same. May
# use: busybox; /host/compat64 and /host/compat32, which compat_test.sh has made.
set -eu

for bits in 64 32; do
	cp /host/compat$bits /tmp/
	status=0
	/tmp/compat$bits >/tmp/answers$bits || status=$?
	[ $status -eq 0 ] || {
		echo "compat$bits: status $status; a status of 126 or 127 with 32 bits: this kernel" \
			"runs no such programs (CONFIG_IA32_EMULATION)"
		sed 's/^/    /' /tmp/answers$bits
		exit 1
	}
	lines=$(wc -l </tmp/answers$bits)
	[ "$lines" -gt 100 ] || { echo "compat$bits: $lines answers only"; exit 1; }
	echo "ok compat$bits: $lines answers as they must be"
done
cmp /tmp/answers64 /tmp/answers32 || {
	diff /tmp/answers64 /tmp/answers32 || exit 1
}
echo "ok 32 bits are answered as 64 bits are"
