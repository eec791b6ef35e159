#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Builds a debug kernel for the guest from the source of Debian's package linux-source. The
# configuration is the smallest one that boots the guest (debug_kernel.config), with the checks of
# one kind (debug_kernel_KIND.config). Nothing is installed and no root is needed. $GUEST contains
# the same files as after kernel.sh: vmlinuz, vmlinux, modules, headers. All are links to kernel/,
# the directory of the build. The file `needs` lists the resources that run.sh must give to this
# kernel. The source is in $B/linux-source. The kernel is built again only if the source's version,
# the compiler or the configuration has changed; this takes some ten minutes on two processors. May
# use: apt (its configured archives), dpkg-deb, xz, and the packages of `make deps-debug-kernel`.
#
# Usage: [B=build] [GUEST=DIR] tests/guest/debug_kernel.sh KIND	build it, if need be
# 	 [B=build] tests/guest/debug_kernel.sh --source		only fetch the source
# KIND is kasan or kcsan; GUEST is $B/guest-KIND if it is not given.

set -euo pipefail

cd "$(dirname "$0")/../.."
B=${B:-build}
kind=${1:-}

say() {
	printf 'debug kernel: %s\n' "$*" >&2
}

fail() {
	say "$*"
	exit 1
}

[ $# -eq 1 ] || fail "usage: $0 kasan|kcsan|--source"
[ "$kind" = --source ] || [ -e "tests/guest/debug_kernel_$kind.config" ] ||
	fail "there is no kind $kind; give kasan or kcsan"
PATH=$PATH:/usr/sbin:/sbin
for tool in apt-get:apt apt-cache:apt dpkg-deb:dpkg depmod:kmod flock:util-linux xz:xz-utils; do
	command -v "${tool%%:*}" >/dev/null ||
		fail "${tool%%:*} is missing; install the package ${tool##*:}"
done

mkdir -p "$B/linux-source"
sources=$(cd "$B/linux-source" && pwd)
# Two scripts that run at the same time must not unpack to the same directory.
exec 9>"$sources/.lock"
flock 9

apt_options=(-q -o "Dir::Cache=$sources/apt/cache" -o Debug::NoLocking=true)
[ "$(id -u)" -ne 0 ] || apt_options+=(-o APT::Sandbox::User=root)

show() {
	apt-cache "${apt_options[@]}" show --no-all-versions "$1" 2>/dev/null || :
}

# Sets package and release, the name of the unpacked source's directory.
resolve() {
	local version
	package=$(show linux-source | sed -n 's/^Depends: //p' |
		grep -o -m 1 '^linux-source-[0-9.]*') || return 1
	version=$(show "$package" | sed -n 's/^Version: //p')
	[ -n "$version" ] || return 1
	release=${package}_$(echo "$version" | tr ':' '_')
}

update_lists() {
	say "fetching the archive's package lists"
	mkdir -p "$sources/apt/lists/partial"
	apt_options+=(-o "Dir::State::Lists=$sources/apt/lists")
	if ! apt-get "${apt_options[@]}" update >"$sources/update.log" 2>&1; then
		say "apt-get update failed, see $sources/update.log"
		return 1
	fi
	resolve || {
		say "the archives of this machine's apt have no linux-source; add Debian's main" \
			"archive to its sources"
		return 1
	}
}

download() {
	[ ! -d "$sources/$release" ] || return 0
	say "fetching $release (about 140 MB, 1.5 GB unpacked)"
	rm -rf "$sources/download"
	mkdir -p "$sources/download"
	(cd "$sources/download" && apt-get "${apt_options[@]}" download "$package" 9>&-) \
		>"$sources/download.log" 2>&1 || {
		say "the download failed, see $sources/download.log"
		return 1
	}
}

unpack() {
	[ ! -d "$sources/$release" ] || return 0
	rm -rf "$sources/unpacking"
	mkdir -p "$sources/unpacking"
	dpkg-deb --fsys-tarfile "$sources"/download/*.deb |
		tar -x -O "./usr/src/$package.tar.xz" | xz -dc | tar -x -C "$sources/unpacking"
	mv "$sources/unpacking/$package" "$sources/$release"
	rm -rf "$sources/download" "$sources/unpacking"
	for old in "$sources"/linux-source-*; do
		[ "$old" = "$sources/$release" ] || rm -rf "$old"
	done
}

# An old list may name packages that the archive has removed. If nothing can be fetched, use the
# source that was fetched earlier.
mkdir -p "$sources/apt/cache/archives/partial"
if { resolve || update_lists; } && { download || { update_lists && download; }; }; then
	unpack
	ln -sfn "$release" "$sources/current"
else
	[ -d "$sources/current" ] || exit 1
	release=$(readlink "$sources/current")
	say "going on with $release, fetched before"
fi
if [ "$kind" = --source ]; then
	exit 0
fi
source=$sources/$release

for tool in gcc:gcc make:make flex:flex bison:bison bc:bc perl:perl cpio:cpio; do
	command -v "${tool%%:*}" >/dev/null ||
		fail "${tool%%:*} is missing; install the package ${tool##*:}"
done
[ -e /usr/include/libelf.h ] || [ -e /usr/include/gelf.h ] ||
	fail "libelf.h is missing; install the package libelf-dev"

GUEST=${GUEST:-$B/guest-$kind}
mkdir -p "$GUEST/kernel"
guest=$(cd "$GUEST" && pwd)
kernel=$guest/kernel
# In a kernel with KCSAN, only code that is built later is checked: our driver, with all its inlined
# code. By the strict rules, the kernel's own accesses race all the time. If they were checked, the
# tests would take hours, and KCSAN can check only a few accesses at a time.
unwatched=''
if [ "$kind" = kcsan ]; then
	unwatched=KCSAN_SANITIZE=n
	# KCSAN must still know the barriers in these files. For example, an access before
	# mutex_unlock() cannot be reordered after it. The makefiles of the scheduler and of mm do
	# this for their files.
	for object in mutex percpu-rwsem qrwlock qspinlock rwsem semaphore spinlock srcutree sync tree \
		update chip handle manage workqueue softirq timer kthread; do
		unwatched="$unwatched KCSAN_INSTRUMENT_BARRIERS_$object.o=y"
	done
fi
# Variables and options of the calling make must not reach the kernel's make.
kernel_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES make --no-print-directory -C "$source" \
		O="$kernel" ARCH=x86_64 LC_ALL=C $unwatched "$@" 9>&-
}

# Linux 6.1 with PROVE_RCU sometimes hangs at boot: if a thread of RCU runs before the self-tests, it sleeps
# with a mutex for which the self-tests wait. Linux 6.6 releases the mutex while it sleeps; this patch does
# the same.
mend() {
	local file=$source/kernel/rcu/tasks.h function='/^static void rcu_tasks_one_gp(/,/^}/'
	[ "$(sed -n "$function p" "$file" | grep -c 'mutex_unlock(&rtp->tasks_gp_mutex)')" -eq 1 ] || return 0
	sed -i "$function {
		/RTGS_WAIT_CBS/i mutex_unlock(&rtp->tasks_gp_mutex);
		/TASK_IDLE);/a mutex_lock(&rtp->tasks_gp_mutex);
	}" "$file"
}

# Configure the kernel. Fail if a line of the configuration is missing in the result, because a
# kernel without its checks finds nothing.
configure() {
	local line name value wrong=''
	kernel_make -s KCONFIG_ALLCONFIG="$kernel/fragment" allnoconfig >"$guest/build.log" 2>&1 ||
		fail "no configuration, see $guest/build.log"
	while read -r line; do
		name=${line%%=*} value=${line#*=}
		if [ "$value" = n ]; then
			! grep -q "^$name=" "$kernel/.config" || wrong="$wrong $name"
		else
			grep -q -x -F -e "$line" "$kernel/.config" || wrong="$wrong $name"
		fi
	done < <(grep '^CONFIG_' "$kernel/fragment")
	[ -z "$wrong" ] || fail "this source or compiler cannot do:$wrong"
}

cat tests/guest/debug_kernel.config "tests/guest/debug_kernel_$kind.config" >"$kernel/fragment"
stamp=$(
	echo "$release"
	gcc --version | head -n 1
	echo "$unwatched"
	declare -f mend
	grep '^[^#]' "$kernel/fragment"
)
# Print the resources that run.sh must give to this kernel, as measured with driver_test.sh under
# emulation. Each processor has its own thread, because the kernel is used to find races.
needs() {
	echo slow=5
	echo less=5
	echo more_memory=512
	echo threads=multi
	# The serial console takes a lock that, by the rules of PROVE_RAW_LOCK_NESTING, must not be taken
	# while a raw lock is held. The kernel itself prints while it holds a raw lock, and so breaks this
	# rule. The early console takes no lock.
	early='earlyprintk=serial,ttyS0,115200,keep console=ttynull'
	[ "$kind" != kasan ] || echo "console='$early'"
	# By default, KCSAN watches one access in 4000, for 80 us, which is too rare to find
	# anything here.
	[ "$kind" != kcsan ] ||
		echo "more_append='kcsan.skip_watch=50 kcsan.udelay_task=200'"
}

if [ "$(cat "$guest/built" 2>/dev/null)" != "$stamp" ]; then
	say "building $release with $kind in $GUEST (ten minutes or more)"
	rm -f "$guest/built"
	mend
	configure
	kernel_make -j "$(nproc)" bzImage modules >>"$guest/build.log" 2>&1 ||
		fail "the build failed, see $guest/build.log"
	version=$(kernel_make -s kernelrelease)
	rm -rf "$guest/modules"
	kernel_make -s INSTALL_MOD_PATH="$guest/modules" modules_install \
		>>"$guest/build.log" 2>&1 ||
		fail "the modules cannot be installed, see $guest/build.log"
	rm -f "$guest/modules/lib/modules/$version"/{build,source}
	ln -sfn kernel "$guest/headers"
	# The start-up code of vmlinux, before the first page tables, is instrumented although it
	# cannot be checked. So the kernel boots only as a bzImage.
	ln -sfn kernel/arch/x86/boot/bzImage "$guest/vmlinuz"
	ln -sfn vmlinuz "$guest/vmlinux"
	printf '%s\n' "$stamp" >"$guest/built"
fi
needs >"$guest/needs"
say "$(kernel_make -s kernelrelease) with $kind is in $GUEST"
