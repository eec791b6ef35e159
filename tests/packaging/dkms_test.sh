#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver as DKMS installs it for an administrator, in trees of our own; and modinfo agrees with the
# documents. Nothing outside BUILD is written: with root's rights DKMS would create keys in /var/lib, so the
# test gives it other keys. tests/guest/module_check.sh tests make install-kmod.
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
# If the kernel is beside the headers, as in Debian 13, a module's types are generated from debug
# information.
flags=-g0
if [ -e "$kdir/vmlinux" ]; then
	flags=
	command -v pahole >/dev/null || {
		echo "the headers in $kdir want pahole for a module's types: install the package pahole"
		exit 1
	}
fi
sources=$scratch/usr/src/smile-monitor-$version
module=$scratch/tree/smile-monitor/$version/$release/x86_64/module/smile_monitor.ko

# ---- DKMS
check "make install-dkms" make --no-print-directory install-dkms DESTDIR="$scratch"
check "the version is filled in" grep -x "PACKAGE_VERSION=\"$version\"" "$sources/dkms.conf"
mkdir -p "$scratch"/{tree,modules}
dkms_build() {
	KCFLAGS=$flags sign_file=$kdir/scripts/sign-file mok_signing_key=$scratch/mok.key \
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
check "its sources are left as they were" test ! -e "$sources/smile_monitor.o" -a ! -e "$sources/kmod/card/main.o"
old_kernel() {
	! dkms build -m smile-monitor -v "$version" -k 5.10.0-1-amd64 -a x86_64 --no-depmod \
		--kernelsourcedir "$kdir" --dkmstree "$scratch/tree" \
		--sourcetree "$scratch/usr/src" --installtree "$scratch/modules" \
		>"$scratch/old" 2>&1
	grep BUILD_EXCLUSIVE "$scratch/old"
}
check "DKMS leaves older kernels alone" old_kernel
# The adapter's driver would map more than the requested memory.
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
# The kernel is accepted or refused only by the release's name. Debian's names, upstream's, and a
# release candidate's.
exclusive=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"$/\1/p' kmod/dkms.conf)
for name in 6.1.0-56-amd64 6.1.170 6.5.0 6.9.7-1-default 6.12.117+deb13-amd64 6.19.2 7.0.0 7.2.13+deb14-amd64 7.2-amd64; do
	check "dkms.conf takes $name" grep -qE "$exclusive" <<<"$name"
done
for name in 5.10.0-1-amd64 6.0.9 6.2.0 6.3.1-1-amd64 6.4.16 6.20.0 7.3-amd64 7.10.1 7.20.3 8.0.0 61.1.0; do
	check "dkms.conf refuses $name" test -z "$(grep -E "$exclusive" <<<"$name")"
done
# says VERSION SUBLEVEL CLEANUP PATTERN FLAG...: check the message of compat.h for a kernel of this
# version, with or without <linux/cleanup.h>.
says() {
	kernel=$scratch/kernel-$1.$2-$3
	mkdir -p "$kernel/linux"
	printf '#define LINUX_VERSION_CODE %d\n#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))\n' \
		$((($1 << 16) + ($2 << 8))) >"$kernel/linux/version.h"
	[ "$3" = no ] || : >"$kernel/linux/cleanup.h"
	gcc -E -nostdinc -I "$kernel" "${@:5}" kmod/compat.h 2>&1 | grep -e "$4"
}
check "compat.h refuses 6.0 in words" says 6 0 yes 'error.*need Linux 6.1, or 6.5 to 7.2: this kernel is older'
for sublevel in 1 2 4; do
	check "compat.h refuses 6.$sublevel without cleanup.h in words" says 6 $sublevel no \
		'error.*need Linux 6.1 with stable updates, or 6.5 to 7.2'
done
check "compat.h refuses 7.3 in words" says 7 3 yes 'error.*support Linux up to 7.2.*SMILE_ANY_KERNEL'
none() {
	! says "$1" "$2" yes 'error.*SMiLE drivers' "${@:3}"
}
check "compat.h takes 7.3 if it is told to" none 7 3 -DSMILE_ANY_KERNEL
for known in "6 1" "6 5" "6 12" "7 2"; do
	# shellcheck disable=SC2086
	check "compat.h takes ${known/ /.}" none $known
done

# ---- modinfo
field() {
	modinfo -F "$1" "$module"
}
check "vermagic is the kernel's" same "$release" "$(field vermagic | cut -d ' ' -f 1)"
check "version" same "$version" "$(field version)"
check "licence" same GPL "$(field license)"
check "description" same "$(sed -n 's/^MODULE_DESCRIPTION("\(.*\)");/\1/p' kmod/card/main.c)" \
	"$(field description)"
check "author" test -n "$(field author)"
check "srcversion" grep -x '[0-9A-F]\{23\}' <<<"$(field srcversion)"
# The alias has the vendor, the device and both numbers of the subsystem, so that udev loads the
# module for no other device.
check "alias" grep -x 'pci:v[0-9A-F]\{8\}d[0-9A-F]\{8\}sv[0-9A-F]\{8\}sd[0-9A-F]\{8\}bc\*sc\*i\*' \
	<<<"$(field alias)"
if command -v openssl >/dev/null && [ -x "$kdir/scripts/sign-file" ]; then
	check "DKMS has signed it" test -n "$(field signer)"
else
	skip "DKMS signs: no openssl"
fi

# Compare "name type default" from modinfo with the man page, and the names with docs/ABI.
parameters=$(field parm | sed -n 's/^\([a-z_]*\):.*(default \([0-9]*\).*) (\([a-z]*\))$/\1 \3 \2/p' |
	sort)
check "each parameter has a type and a default" \
	same "$(field parm | wc -l)" "$(wc -l <<<"$parameters")"
check "the man page has the same" same "$parameters" "$(sed -n \
	's/^\.BI \([a-z_]*\)= N " (\([a-z]*\), default \([0-9]*\))"$/\1 \2 \3/p' \
	docs/man/smile_monitor.4 | sort)"
check "docs/ABI has the same" same "$(cut -d ' ' -f 1 <<<"$parameters")" "$(sed -n \
	's,^What:.*/sys/module/smile_monitor/parameters/,,p' docs/ABI/sysfs-module-smile_monitor | sort)"
# The same for the instrument's driver.
parameters=$(modinfo -F parm "${module%/*}/smile_trace.ko" |
	sed -n 's/^\([a-z_]*\):.*(default \([0-9]*\).*) (\([a-z]*\))$/\1 \3 \2/p')
check "smile_trace(4) has its parameter" same "$parameters" "$(sed -n \
	's/^\.BI \([a-z_]*\)= N " (\([a-z]*\), default \([0-9]*\))"$/\1 \2 \3/p' docs/man/smile_trace.4)"
check "docs/ABI has it" same "${parameters%% *}" "$(sed -n \
	's,^What:.*/sys/module/smile_trace/parameters/,,p' docs/ABI/sysfs-module-smile_trace)"
# docs/ABI and the man page describe exactly the attributes of sysfs.c.
attributes=$(grep -o '&dev_attr_[a-z_]*\.attr' kmod/card/sysfs.c | sed 's/&dev_attr_//; s/\.attr//' | sort)
check "docs/ABI has each attribute" same "$attributes" "$(sed -n \
	's,^What:.*/sys/class/smile_monitor/smile_monitor<N>/,,p' docs/ABI/sysfs-class-smile_monitor |
	sort)"
check "the man page has each attribute" same "$attributes" "$(sed -n \
	'/^\.SH SYSFS/,/^\.SH UEVENTS/s/^\.BR \([a-z_]*\) .*/\1/p' docs/man/smile_monitor.4 | sort -u)"
check "the man page has each ioctl" same "$(grep -o '^#define SMILE_IOC_[A-Z_]* _IO' \
	include/uapi/smile_monitor.h | grep -o 'SMILE_IOC_[A-Z_]*[A-Z]' | sort)" \
	"$(grep -o '^SMILE_IOC_[A-Z_]*' docs/man/smile_monitor.4 | sort)"

packaging_end
