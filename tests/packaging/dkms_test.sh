#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver as an administrator gets it from DKMS, in trees of our own; and what modinfo and the documents
# say of it, which must agree. Nothing outside BUILD is written: with root's rights DKMS would make keys in
# /var/lib, so it is given others. tests/guest/module_check.sh has make install-kmod.
#
# usage: tests/packaging/dkms_test.sh BUILD KDIR
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$1
kdir=$(realpath "$2") || exit 2
# shellcheck source=tests/packaging/packaging_checks.sh
. tests/packaging/packaging_checks.sh "$B/tests/packaging/dkms"

release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
[ -n "$release" ] || exit 2
version=$(sed -n 's/^VERSION := //p' Makefile)
if [ -e "$kdir/vmlinux" ] && ! command -v pahole >/dev/null; then
	echo "the headers in $kdir want pahole for a module's types: install the package pahole"
	exit 1
fi
sources=$scratch/usr/src/smile-monitor-$version
module=$scratch/tree/smile-monitor/$version/$release/x86_64/module/smile_monitor.ko

# ---- DKMS
check "make install-dkms" make --no-print-directory install-dkms DESTDIR="$scratch"
check "the version is filled in" grep -x "PACKAGE_VERSION=\"$version\"" "$sources/dkms.conf"
mkdir -p "$scratch"/{tree,modules}
dkms_build() {
	KCFLAGS=-g0 sign_file=$kdir/scripts/sign-file mok_signing_key=$scratch/mok.key \
		mok_certificate=$scratch/mok.pub \
		dkms build -m smile-monitor -v "$version" -k "$release" -a x86_64 --no-depmod \
		--kernelsourcedir "$kdir" --dkmstree "$scratch/tree" \
		--sourcetree "$scratch/usr/src" --installtree "$scratch/modules" || {
		cat "$scratch/tree/smile-monitor/$version/build/make.log"
		return 1
	}
}
check "dkms build for $release" dkms_build
check "DKMS has the module" test -s "$module"
check "its sources are left as they were" test ! -e "$sources/smile_monitor.o" -a ! -e "$sources/kmod/main.o"
old_kernel() {
	! dkms build -m smile-monitor -v "$version" -k 5.10.0-1-amd64 -a x86_64 --no-depmod \
		--kernelsourcedir "$kdir" --dkmstree "$scratch/tree" \
		--sourcetree "$scratch/usr/src" --installtree "$scratch/modules" \
		>"$scratch/old" 2>&1
	grep BUILD_EXCLUSIVE "$scratch/old"
}
check "DKMS leaves older kernels alone" old_kernel
# The adapter's driver would map more than was asked for.
large_pages() {
	mkdir "$scratch/large"
	{ cat "$kdir/.config" && echo CONFIG_ARM64_16K_PAGES=y; } >"$scratch/large/.config"
	! dkms build -m smile-monitor -v "$version" -k "$release-16k" -a x86_64 --no-depmod \
		--kernelsourcedir "$scratch/large" --dkmstree "$scratch/tree" \
		--sourcetree "$scratch/usr/src" --installtree "$scratch/modules" \
		>"$scratch/large/log" 2>&1
	grep BUILD_EXCLUSIVE "$scratch/large/log"
}
check "DKMS leaves kernels with large pages alone" large_pages

# ---- modinfo
field() {
	modinfo -F "$1" "$module"
}
check "vermagic is the kernel's" same "$release" "$(field vermagic | cut -d ' ' -f 1)"
check "version" same "$version" "$(field version)"
check "licence" same GPL "$(field license)"
check "description" same "$(sed -n 's/^MODULE_DESCRIPTION("\(.*\)");/\1/p' kmod/main.c)" \
	"$(field description)"
check "author" test -n "$(field author)"
check "srcversion" grep -x '[0-9A-F]\{23\}' <<<"$(field srcversion)"
# The vendor, the device and both of its subsystem's numbers, so that udev loads it for no other.
check "alias" grep -x 'pci:v[0-9A-F]\{8\}d[0-9A-F]\{8\}sv[0-9A-F]\{8\}sd[0-9A-F]\{8\}bc\*sc\*i\*' \
	<<<"$(field alias)"
if command -v openssl >/dev/null && [ -x "$kdir/scripts/sign-file" ]; then
	check "DKMS has signed it" test -n "$(field signer)"
else
	skip "DKMS signs: no openssl"
fi

# name type default, from modinfo, and from the man page; and names from docs/ABI.
parameters=$(field parm | sed -n 's/^\([a-z_]*\):.*(default \([0-9]*\).*) (\([a-z]*\))$/\1 \3 \2/p' |
	sort)
check "each parameter has a type and a default" \
	same "$(field parm | wc -l)" "$(wc -l <<<"$parameters")"
check "the man page has the same" same "$parameters" "$(sed -n \
	's/^\.BI \([a-z_]*\)= N " (\([a-z]*\), default \([0-9]*\))"$/\1 \2 \3/p' \
	docs/man/smile_monitor.4 | sort)"
check "docs/ABI has the same" same "$(cut -d ' ' -f 1 <<<"$parameters")" "$(sed -n \
	's,^What:.*/sys/module/smile_monitor/parameters/,,p' docs/ABI/sysfs-module-smile_monitor | sort)"
# What sysfs.c shows is in docs/ABI and in the man page, and nothing else.
attributes=$(grep -o '&dev_attr_[a-z_]*\.attr' kmod/sysfs.c | sed 's/&dev_attr_//; s/\.attr//' | sort)
check "docs/ABI has each attribute" same "$attributes" "$(sed -n \
	's,^What:.*/sys/class/smile_monitor/smile_monitor<N>/,,p' docs/ABI/sysfs-class-smile_monitor |
	sort)"
check "the man page has each attribute" same "$attributes" "$(sed -n \
	'/^\.SH SYSFS/,/^\.SH UEVENTS/s/^\.BR \([a-z_]*\) .*/\1/p' docs/man/smile_monitor.4 | sort)"
check "the man page has each ioctl" same "$(grep -o '^#define SMILE_IOC_[A-Z_]* _IO' \
	include/uapi/smile_monitor.h | grep -o 'SMILE_IOC_[A-Z_]*[A-Z]' | sort)" \
	"$(grep -o '^SMILE_IOC_[A-Z_]*' docs/man/smile_monitor.4 | sort)"

packaging_end
