#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver must build with the kernel's headers in DIRECTORY without a warning of the compiler or
# of sparse. make install-kmod must install the built module. May use: make check-kmod.
set -u
cd "$(dirname "$0")/../.." || exit 2
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
scratch_make "$1/module_check"
dir=$1
headers=$(realpath "$1/headers")
version=$(sed -n 's/^VERSION := //p' Makefile)
release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$headers/include/generated/utsrelease.h")

# kmod TARGET...: run make in the directory where the guest's module was built, with the same flags.
kmod() {
	KCFLAGS=-g0 make --no-print-directory KDIR="$headers" KMOD_DIR="$dir/kmod" CONFIG_DEBUG_INFO_BTF_MODULES= "$@"
}
check "no warning" kmod check-kmod

check "make install-kmod" kmod install-kmod KMOD_FLAGS=W=1 DESTDIR="$scratch"
# Some kernels compress installed modules.
installed=$(echo "$scratch/lib/modules/$release/updates"/smile_monitor.ko*)
equal "the module is in updates/, of this version, for this kernel" "$version $release" \
	"$(modinfo -F version "$installed") $(modinfo -F vermagic "$installed" | cut -d ' ' -f 1)"
equal "DESTDIR holds nothing but the modules" "lib/modules/$release/updates/smile_adapter.ko \
lib/modules/$release/updates/smile_monitor.ko lib/modules/$release/updates/smile_trace.ko" \
	"$(cd "$scratch" && find lib -type f | sed 's/\.[gx]z$//' | LC_ALL=C sort | xargs)"
suite_end
