#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Test of a 32-bit program on the 64-bit kernel. compat_probe.c is compiled for 32 and 64 bits
# without a C library, and compat_guest.sh compares both. The compiler checks the sizes and offsets
# in compat_layout.h. May use: gcc, the kernel's user API headers, run.sh.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/compat_test.sh
set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
GUEST=${GUEST:-$B/guest}
dir=$GUEST/compat/share
rm -rf "$dir"
mkdir -p "$dir"

for bits in 64 32; do
	# The headers below asm/ are the same for 32 and 64 bits, but only the 64-bit compiler
	# searches their directory.
	gcc -m$bits -std=gnu11 -Wall -Wextra -Werror -O2 -ffreestanding \
		-fno-stack-protector -fno-pie -fno-asynchronous-unwind-tables -nostdlib -static \
		-no-pie -Wl,--build-id=none -I. -Iinclude \
		-isystem "/usr/include/$(gcc -print-multiarch)" \
		tests/guest/compat_probe.c -o "$dir/compat$bits"
	# The fifth byte of an ELF file is its class.
	[ "$(od -An -t u1 -j 4 -N 1 "$dir/compat$bits" | tr -d ' ')" -eq $((bits / 32)) ]
done

fabric=$(mktemp -d)
trap 'rm -rf "$fabric"' EXIT
tests/guest/run.sh --name compat --share "$dir" --card node=3 tests/guest/compat_guest.sh -- \
	-device "smile-adapter,fabric=$fabric,node=0"
