#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of a release of Debian as a new user has it: a minimal system made by debootstrap, a clean clone in it,
# and the two commands.
#
#	[B=build] tests/release/release.sh RELEASE [PART...]
#
#	system		always: debootstrap --variant=minbase, git, make, gcc, a clone
#	demo		make demo: refused with a list if not root; then as root. And the commands of README: smile
#			run, smile doctor
#	again		after demo: make demo without a network, as another user
#	check		make check
#	packages	Debian's packages, built in the system: lintian; in another minimal system they are installed,
#			used, upgraded, removed, purged
#
# Without PART: demo, again, check, packages. Only committed files are tested, since the clone has no others. All files
# are below B/release/RELEASE: base is kept, and root is removed unless RELEASE_KEEP=yes; then enter.sh can enter
# it. Processes and mounts end with this script, however it ends.
#
# Needs root, debootstrap, and Debian's archive, or its mirror in DEBIAN_MIRROR. If one of them is missing,
# nothing is tested: the status is 2, or, with RELEASE_MAY_SKIP=yes, one check is skipped. Times and sizes are
# printed, but not checked.
set -u
cd "$(dirname "$0")/../.." || exit 2
release=${1:-}
[ -n "$release" ] || {
	echo "usage: $0 RELEASE [PART...], RELEASE a name as trixie" >&2
	exit 2
}
shift
parts=" ${*:-demo again check packages} "
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh

# lacks WHY: this host cannot make a minimal system.
lacks() {
	if [ "${RELEASE_MAY_SKIP:-}" = yes ]; then
		skip "$release was not tried: $1"
		suite_end
		exit 0
	fi
	echo "$0: $1" >&2
	exit 2
}

[ "$(id -u)" -eq 0 ] || lacks "a minimal system is made by root: sudo make check-release RELEASE=$release"
command -v debootstrap >/dev/null || lacks "no debootstrap: apt-get install debootstrap"
unshare --mount --propagation private --pid --ipc --fork --kill-child mount -t tmpfs tmpfs /mnt 2>/dev/null ||
	lacks "root may not mount here, as in a container"
B=${B:-build}
mkdir -p "$B/release/$release"
dir=$(realpath "$B/release/$release")
base=$dir/base root=$dir/root
scratch=$dir/log
exec 9>"$dir/lock"
flock -n 9 || lacks "another run has $dir"
rm -rf "$scratch" && mkdir "$scratch"

# Nothing is mounted below this directory except in enter.sh's own mount namespace.
remove() {
	rm -rf --one-file-system "$dir/base.new"
	[ "${RELEASE_KEEP:-}" = yes ] || rm -rf --one-file-system "$root"
}
trap remove EXIT
trap 'exit 1' INT TERM HUP

in_root() {
	tests/release/enter.sh "$root" "$@" 9>&- </dev/null
}
as_user() {
	user=$1
	shift
	tests/release/enter.sh -u "$user" "$root" "$@" 9>&- </dev/null
}
# Packages that apt has downloaded are not counted: they can be deleted.
megabytes() {
	du -sxm --exclude=var/cache/apt "$root" | cut -f 1
}

# step NAME COMMAND...: the command must succeed; its log stays in $scratch/NAME.
step() {
	local name=$1 log=$scratch/${1//[^a-z0-9]/-} begin=$SECONDS before
	shift
	before=$(megabytes)
	if "$@" >"$log" 2>&1; then
		ok "$release: $name"
	else
		not_ok "$release: $name: $log" "$(tail -n 40 "$log")"
	fi
	echo "# $release: $name: $((SECONDS - begin)) s, $(($(megabytes) - before)) MB more on the disk"
}

# ---- the system

make_base() {
	[ ! -d "$base" ] || return 0
	rm -rf --one-file-system "$dir/base.new"
	unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
		debootstrap --variant=minbase "$release" "$dir/base.new" "$mirror" 9>&- || return
	mv "$dir/base.new" "$base"
}

# online: succeeds if the archive answers the minimal system.
online() {
	in_root apt-get -q -o APT::Update::Error-Mode=any update >"$scratch/online" 2>&1
}

# fresh: makes a new system from the base and updates it.
fresh() {
	rm -rf --one-file-system "$root"
	# The system is removed later, so its files need not be synchronized to the disk.
	# A mirror may be older than the validity of its lists (a week for sid); their signature is checked.
	cp -a --reflink=auto "$base" "$root" && cp /etc/resolv.conf "$root/etc/resolv.conf" &&
		echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" &&
		echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/mirror" &&
		in_root apt-get -q update && in_root apt-get -q -y dist-upgrade && in_root useradd -m -s /bin/sh first &&
		in_root useradd -m -s /bin/sh second
}
# Also installs the certificates that this host trusts besides Debian's, such as those of a proxy.
install_first() {
	in_root apt-get -q -y install --no-install-recommends ca-certificates git make gcc &&
		find /usr/local/share/ca-certificates -name '*.crt' -exec \
			cp -t "$root/usr/local/share/ca-certificates" {} + && in_root update-ca-certificates
}
# clone HOME USER
clone() {
	git clone -q --no-hardlinks . "$root$1/smile" && in_root chown -R "$2:" "$1/smile"
}

# broke_off: succeeds if a step has failed because a download failed.
broke_off() {
	grep -qrE 'Failed to fetch|Unable to fetch|Could not (resolve|connect)|Hash Sum mismatch|Couldn.t download|Temporary failure' \
		"$scratch"
}

# goes_on: returns if no check has failed; otherwise ends, without an error if the archive is not available.
goes_on() {
	[ "$failed" -gt 0 ] || return
	if [ "${RELEASE_MAY_SKIP:-}" = yes ] && { broke_off || ! online; }; then
		failed=0
		lacks "Debian's archive cannot be reached: $scratch"
	fi
	suite_end
	exit 1
}

mkdir -p "$root"
step "minimal system" make_base
goes_on
step "up to date" fresh
step "git, make, gcc" install_first
step "a clean clone" clone /root root
goes_on

# ---- the demo

demo_refused() {
	as_user first sh -c 'cd smile && make demo' && return 1
	return 0
}
demo_says() {
	# The pages of SOR, the report, and the address of the report.
	grep -q 'home 0: pages 64-124 (16 pages): nodes 1' "$1" && grep -q 'report.html' "$1"
}
own_program() {
	in_root sh -euc '
		mkdir -p own
		cd own
		echo "#include <stdlib.h>
int main(void) { char *p = calloc(1, 1 << 20); for (int i = 0; i < 1 << 20; i += 64) p[i] = 1; return p[64] - 1; }" >own.c
		gcc -g -O1 own.c -o own
		../smile/build/bin/smile run --nodes 4 -o own -- ./own
		../smile/build/bin/smile report structures own-node*.rec
		../smile/build/bin/smile advise own-node*.rec -o placement
		../smile/build/bin/smile view own-node*.rec -o report.html
		test -s report.html'
}
doctor_says() {
	in_root sh -c 'cd smile && build/bin/smile doctor'
	in_root sh -c 'cd smile && build/bin/smile doctor' | grep -q "^ok  *$1  "
}
without_network() {
	tests/release/enter.sh -n "$root" sh -c 'cd smile && make demo' 9>&- </dev/null
}

if [[ $parts == *" demo "* ]]; then
	step "a clone of a user" clone /home/first first
	step "make demo without root" demo_refused
	equal "$release: make demo without root: one message with the packages" 1 \
		"$(grep -c 'as root, run: apt-get install' "$scratch/make-demo-without-root")"
	step "make demo" in_root sh -c 'cd smile && make demo'
	goes_on
	check "$release: make demo: the answers" demo_says "$scratch/make-demo"
	step "smile run on a program" own_program
	step "smile doctor: smile run" doctor_says "smile run"
	step "smile doctor: card in QEMU" doctor_says "card in QEMU"
fi
if [[ $parts == *" again "* ]]; then
	step "make demo once more without a network" without_network
	step "make demo of another user" as_user first sh -c 'cd smile && make demo'
fi

# ---- the tests

if [[ $parts == *" check "* ]]; then
	step "make check" in_root sh -c 'cd smile && make check'
	tail -n 3 "$scratch/make-check"
fi

# ---- the packages

build_packages() {
	in_root sh -euc '
		apt-get -q -y install --no-install-recommends build-essential dpkg-dev lintian
		rm -rf package && mkdir package && git clone -q smile package/smile-monitor && cd package/smile-monitor
		apt-get -q -y build-dep --no-install-recommends .
		dpkg-buildpackage -us -uc -b'
}
lintian_says() {
	in_root sh -c 'cd package && lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs *.changes'
}
packages_carry() {
	rm -rf "$dir/packages" && cp -a "$root/root/package" "$dir/packages"
}
packages_install() {
	mkdir "$root/packages" && cp "$dir"/packages/*.deb "$root/packages" &&
		in_root sh -euc 'apt-get -q -y install --no-install-recommends /packages/libsmile-monitor0_*.deb \
			/packages/libsmile-trace0_*.deb /packages/libsmile-analysis0_*.deb /packages/smile-monitor_*.deb'
}
# The driver: DKMS compiles it for a kernel whose headers are installed.
packages_driver() {
	in_root sh -euc '
		apt-get -q -y install --no-install-recommends linux-headers-amd64 /packages/smile-monitor-dkms_*.deb
		kernel=$(basename "$(dirname "$(echo /lib/modules/*-amd64/build)")")
		find "/lib/modules/$kernel" -name "smile_monitor.ko*" | grep . || dkms autoinstall -k "$kernel"
		modinfo -k "$kernel" smile_monitor smile_adapter smile_trace'
}
# As the user of a package: after the remedies that smile doctor names, smile run works.
packages_use() {
	in_root sh -euc '
		if ! smile doctor | grep "^ok *smile run"; then
			apt-get -q -y install --no-install-recommends qemu-user
			smile doctor | grep "^ok *smile run" || {
				remedy=$(smile doctor | sed -n "s/.*takes two minutes: //p")
				apt-get -q -y install --no-install-recommends gcc libc6-dev meson ninja-build \
					pkg-config python3 python3-venv dpkg-dev libglib2.0-dev
				$remedy
			}
		fi
		smile doctor | grep "^ok *smile run"
		smile run --nodes 2 -o /tmp/true -- /bin/true
		smile sim sor --iterations 1 -o /tmp/sor
		smile report pages /tmp/sor-node*.rec | head -n 5'
}
packages_upgrade() {
	in_root sh -euc 'for package in /packages/smile-monitor_*.deb; do
		dpkg-deb -R "$package" /packages/newer
		sed -i "s/^Version: .*/&+1/" /packages/newer/DEBIAN/control
		dpkg-deb -b /packages/newer /packages/newer.deb
	done
	apt-get -q -y install --no-install-recommends /packages/newer.deb
	smile --version'
}
packages_purge() {
	in_root sh -euc 'apt-get -q -y purge smile-monitor smile-monitor-dkms "libsmile-*"
		rm -rf /packages
		! find /etc /usr /var/lib -iname "*smile*" ! -path "/var/lib/dpkg/*" ! -path "/var/lib/apt/*" | grep .'
}

if [[ $parts == *" packages "* ]]; then
	step "packages are built" build_packages
	goes_on
	step "lintian is silent" lintian_says
	packages_carry
	step "another minimal system" fresh
	step "packages are installed" packages_install
	step "packages are used" packages_use
	step "packages' driver is compiled" packages_driver
	step "packages are upgraded" packages_upgrade
	step "packages are removed" in_root apt-get -q -y remove smile-monitor
	step "packages are purged" packages_purge
fi

suite_end
