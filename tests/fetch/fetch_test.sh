#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# The downloads of a build when no archive can be reached: QEMU's source, a kernel, playwright-core. Existing
# files are used; a missing file is an error with a message, and no partial file is left that could be
# mistaken for a complete file.
#
# usage: B=DIRECTORY QEMU_CACHE=DIRECTORY tests/fetch/fetch_test.sh MAKE SCRATCH
set -u
make=$1 build=$(realpath "$B") cache=$(realpath "$QEMU_CACHE")
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh
scratch_make "$2"

# No process listens on this port.
cat >"$scratch/apt.conf" <<'END'
Acquire::http::Proxy "http://127.0.0.1:9";
Acquire::https::Proxy "http://127.0.0.1:9";
Acquire::Retries "0";
END
export APT_CONFIG="$scratch/apt.conf"
export npm_config_registry=http://127.0.0.1:9 npm_config_fetch_retries=0 npm_config_cache="$scratch/npm"

# refused NAME PATTERN COMMAND...: check that the command fails, with a message that matches
# PATTERN.
refused() {
	title=$1 pattern=$2
	shift 2
	"$@" >"$scratch/out" 2>&1 </dev/null
	status=$?
	if [ $status -ne 0 ] && grep -q -e "$pattern" "$scratch/out"; then
		ok "$title"
	else
		not_ok "$title" "status $status, wanted another than 0, and '$pattern' in:" "$(cat "$scratch/out")"
	fi
}

refused "QEMU's source: refused" "is the archive reachable" emu/qemu/source.sh "$scratch/qemu" any
equal "QEMU's source: none is left" "" "$(find "$scratch/qemu" -mindepth 2 -maxdepth 2 -name source)"
check "QEMU's source that is there: used" emu/qemu/source.sh "$cache"
check "its headers: used" emu/qemu/headers.sh "$cache"

# A QEMU that is not from a package needs its source directory, but no archive.
refused "another QEMU's source that is none" "is no source of QEMU" emu/qemu/headers.sh "$scratch/qemu" "$scratch"
source=$(find "$cache" -mindepth 2 -maxdepth 2 -name source ! -path '*/built-*' | head -n 1)
equal "another QEMU's source: its headers" "$scratch/qemu/built-$(cat "$source/VERSION")" \
	"$(emu/qemu/headers.sh "$scratch/qemu" "$source")"
check "another QEMU's source: of no package" \
	grep -q 'SMILE_QEMU_PACKAGE ""' "$scratch/qemu/built-$(cat "$source/VERSION")/include/smile-qemu.h"

refused "a kernel: refused" "cannot be reached, see" env GUEST="$scratch/guest" tests/guest/kernel.sh
equal "a kernel: none is left" "" "$(find "$scratch/guest" -maxdepth 1 \( -name 'kernel-*' -o -name vmlinux \))"
check "a kernel that is there: used" env GUEST="$build/guest" tests/guest/kernel.sh

if command -v npm >/dev/null; then
	refused "playwright-core: refused" "is there a network" "$make" --no-print-directory B="$scratch/b" deps-browser
	equal "playwright-core: none is left" "" \
		"$(find "$scratch/b/browser" -path '*/playwright-core/package.json')"
	if [ -e "$build/browser/node_modules/playwright-core/package.json" ]; then
		check "playwright-core that is there: used" "$make" --no-print-directory B="$build" deps-browser
	else
		skip "playwright-core that is there: make deps brings it"
	fi
else
	skip "playwright-core: no npm" 3
fi
suite_end
