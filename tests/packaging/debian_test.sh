#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Debian's packages, made from a copy of the tree and of the built files in BUILD: their contents, and their
# dependencies on each other. Only files that depend on LIBDIR are compiled again, and nothing is installed. The
# unit tests test the programs.
#
# usage: tests/packaging/debian_test.sh BUILD
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$1
# shellcheck source=tests/packaging/packaging_checks.sh
. tests/packaging/packaging_checks.sh "$B/tests/packaging/debian"

version=$(sed -n 's/^VERSION := //p' Makefile)
arch=$(dpkg --print-architecture)
multiarch=$(dpkg-architecture -q DEB_HOST_MULTIARCH)
check "the changelog's version is ours" same "$version" "$(dpkg-parsechangelog -S Version)"

mkdir "$scratch/tree"
tar -c --exclude=./build --exclude=./.git . | tar -x -C "$scratch/tree"
mkdir "$scratch/tree/build"
tar -C "$B" -c --exclude=./tests --exclude=./sanitize --exclude=./qemu --exclude=./browser --exclude='./guest*' . |
	tar -x -C "$scratch/tree/build"
# Use dpkg's environment, not the machine's. Only the contents matter here, so the steps that take time are left
# out: the cleaning of the tree, compression, and packages of debug information.
build() {
	cd "$scratch/tree" && env -u B -u CFLAGS -u CPPFLAGS -u LDFLAGS DPKG_DEB_COMPRESSOR_TYPE=none \
		DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" \
		dpkg-buildpackage --no-pre-clean -b -us -uc
}
check "dpkg-buildpackage" build

# unpack PACKAGE ARCHITECTURE: unpack to $scratch/PACKAGE, and print a list of its files without
# /usr/share/doc
unpack() {
	dpkg-deb -x "$scratch/$1_${version}_$2.deb" "$scratch/$1" &&
		dpkg-deb -e "$scratch/$1_${version}_$2.deb" "$scratch/$1/DEBIAN"
}
files() {
	(cd "$scratch/$1" && find . ! -type d ! -path './DEBIAN/*' ! -path './usr/share/doc/*' |
		sed 's,^\./,,' | LC_ALL=C sort)
}
# man SECTIONS: print the installed paths of the man pages of these sections
man() {
	for page in docs/man/*.["$1"] docs/man/man["$1"]/*; do
		[ ! -f "$page" ] || echo "$page"
	done | sed -E 's,.*/([^/]*)\.([0-9])([a-z]*)$,usr/share/man/man\2/\1.\2\3.gz,'
}
# sorted LINE...: print the lines sorted, without empty lines
sorted() {
	printf '%s\n' "$@" | grep . | LC_ALL=C sort
}

check "smile-monitor" unpack smile-monitor "$arch"
check "smile-monitor: command, tracer, dissector, group, rule, man pages" same "$(sorted usr/bin/smile \
	"usr/lib/$multiarch/smile-monitor/build-qemu" \
	"usr/lib/$multiarch/smile-monitor/smile-place.so" \
	"usr/lib/$multiarch/smile-monitor/smile-preload.so" \
	"usr/lib/$multiarch/smile-monitor/smile-tracer.so" \
	"usr/lib/$multiarch/smile-monitor/source.sh" \
	"usr/lib/$multiarch/smile-monitor/workload/fft" \
	"usr/lib/$multiarch/smile-monitor/workload/gauss" \
	"usr/lib/$multiarch/smile-monitor/workload/radix" \
	"usr/lib/$multiarch/smile-monitor/workload/sor" \
	"usr/lib/$multiarch/smile-monitor/workload/water" \
	"usr/lib/$multiarch/wireshark/plugins/smile.lua" \
	usr/share/wireshark/profiles/SMiLE/colorfilters \
	usr/share/wireshark/profiles/SMiLE/preferences \
	usr/share/bash-completion/completions/smile usr/share/zsh/vendor-completions/_smile \
	usr/lib/sysusers.d/smile-monitor.conf usr/lib/udev/rules.d/70-smile-monitor.rules \
	"$(man 17)")" "$(files smile-monitor)"
check "smile-monitor: it makes its group when it is installed" \
	grep -q 'systemd-sysusers.*smile-monitor.conf' "$scratch/smile-monitor/DEBIAN/postinst"
check "smile-monitor: a purge removes the QEMU that was built" \
	grep -q 'rm -rf /var/lib/smile-monitor' "$scratch/smile-monitor/DEBIAN/postrm"
check "smile-monitor: the command is of this version" \
	same "smile $version (libsmile-monitor $version)" \
	"$("$scratch/smile-monitor/usr/bin/smile" --version)"

# names PACKAGE LIBRARY: check that the package depends on, or recommends, the package of a library with which no
# program is linked.
names() {
	local needed
	needed=$(dpkg-query -S "*/$2" | cut -d : -f 1 | sort -u) && [ -n "$needed" ] &&
		sed -n '/^\(Depends\|Recommends\):/p' "$scratch/$1/DEBIAN/control" | grep -qwF -- "$needed"
}
loaded=$(sed -n 's/^TOOLS_LOADED := //p' tools/build.mk)
# shellcheck disable=SC2086 # a list
check "what is loaded is what tools/build.mk lists" same "$(sorted $loaded)" "$(sed -n \
	's/^#define [A-Z]*_FILE "\(lib.*\.so\..*\)"$/\1/p' lib/*/*.c tools/*.c tools/*/*.c | LC_ALL=C sort)"
for library in $loaded; do
	check "smile-monitor: it names the package of $library" names smile-monitor "$library"
done

check "libsmile-monitor0" unpack libsmile-monitor0 "$arch"
check "libsmile-monitor0: the library" \
	same "usr/lib/$multiarch/libsmile-monitor.so.0" "$(files libsmile-monitor0)"
check "libsmile-monitor0: it names the package of libpcap" names libsmile-monitor0 libpcap.so.0.8
check "libsmile-analysis0" unpack libsmile-analysis0 "$arch"
check "libsmile-analysis0: the library" \
	same "usr/lib/$multiarch/libsmile-analysis.so.0" "$(files libsmile-analysis0)"
check "libsmile-estimate0" unpack libsmile-estimate0 "$arch"
check "libsmile-estimate0: the library" \
	same "usr/lib/$multiarch/libsmile-estimate.so.0" "$(files libsmile-estimate0)"
check "libsmile-trace0" unpack libsmile-trace0 "$arch"
check "libsmile-trace0: the library" \
	same "usr/lib/$multiarch/libsmile-trace.so.0" "$(files libsmile-trace0)"
check "libsisci0" unpack libsisci0 "$arch"
check "libsisci0: the library" same "usr/lib/$multiarch/libsisci.so.0" "$(files libsisci0)"
check "libsmile-gas0" unpack libsmile-gas0 "$arch"
check "libsmile-gas0: the library" same "usr/lib/$multiarch/libsmile-gas.so.0" "$(files libsmile-gas0)"
check "libsmile-monitor-dev" unpack libsmile-monitor-dev "$arch"
check "libsmile-monitor-dev: headers, static libraries, pkg-config, man pages" same "$(sorted \
	$(cd include && printf 'usr/include/smile-monitor/%s ' smile/monitor/*.h) \
	$(cd include && printf 'usr/include/smile-monitor/%s ' smile/estimate.h smile/estimate/*.h) \
	"usr/lib/$multiarch/libsmile-estimate.a" "usr/lib/$multiarch/libsmile-estimate.so" \
	"usr/lib/$multiarch/pkgconfig/libsmile-estimate.pc" \
	usr/include/smile-monitor/smile/monitor.h usr/include/smile-monitor/uapi/smile_monitor.h \
	usr/include/smile-monitor/uapi/smile_trace.h usr/include/smile-monitor/uapi/smile_adapter.h \
	$(cd include && printf 'usr/include/%s ' sisci/*.h) \
	"usr/lib/$multiarch/libsisci.a" "usr/lib/$multiarch/libsisci.so" \
	usr/include/smile-monitor/smile/gas.h \
	"usr/lib/$multiarch/libsmile-gas.a" "usr/lib/$multiarch/libsmile-gas.so" \
	"usr/lib/$multiarch/pkgconfig/libsmile-gas.pc" \
	"usr/lib/$multiarch/pkgconfig/sisci.pc" \
	"usr/lib/$multiarch/libsmile-monitor.a" "usr/lib/$multiarch/libsmile-monitor.so" \
	usr/include/smile-monitor/smile/trace.h "$(man 3)" \
	usr/include/smile-monitor/smile/advise.h \
	"usr/lib/$multiarch/libsmile-analysis.a" "usr/lib/$multiarch/libsmile-analysis.so" \
	"usr/lib/$multiarch/pkgconfig/libsmile-analysis.pc" \
	"usr/lib/$multiarch/libsmile-trace.a" "usr/lib/$multiarch/libsmile-trace.so" \
	"usr/lib/$multiarch/pkgconfig/libsmile-trace.pc" \
	"usr/lib/$multiarch/pkgconfig/libsmile-monitor.pc")" "$(files libsmile-monitor-dev)"
check "libsmile-monitor-dev: pkg-config knows where" same "/usr/lib/$multiarch" \
	"$(PKG_CONFIG_PATH=$scratch/libsmile-monitor-dev/usr/lib/$multiarch/pkgconfig \
		pkg-config --variable=libdir libsmile-monitor)"

check "python3-smile-monitor" unpack python3-smile-monitor all
check "python3-smile-monitor: the package" \
	same "usr/lib/python3/dist-packages/smile_monitor/__init__.py" "$(files python3-smile-monitor)"

check "smile-monitor-dkms" unpack smile-monitor-dkms all
check "make install-dkms" make --no-print-directory install-dkms DESTDIR="$scratch/sources"
check "smile-monitor-dkms: the sources of make install-dkms" diff -r \
	"$scratch/sources/usr/src" "$scratch/smile-monitor-dkms/usr/src"
check "smile-monitor-dkms: and the man page of the driver" same "$(man 4)" \
	"$(files smile-monitor-dkms | grep -v '^usr/src/')"
check "smile-monitor-dkms: DKMS builds it when it is installed" \
	grep -q "DKMS_NAME=smile-monitor" "$scratch/smile-monitor-dkms/DEBIAN/postinst"
check "smile-monitor-dkms: and forgets it when it is removed" \
	grep -q 'dkms remove' "$scratch/smile-monitor-dkms/DEBIAN/prerm"
if command -v lintian >/dev/null; then
	check "lintian" lintian --allow-root --fail-on error,warning --suppress-tags \
		uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball,initial-upload-closes-no-bugs \
		"$scratch/smile-monitor_${version}_$arch.changes"
else
	skip "lintian is not installed"
fi

packaging_end
