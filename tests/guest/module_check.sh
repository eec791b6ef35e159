#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The driver builds against the kernel's headers in DIRECTORY without a warning of the compiler or of
# sparse. May use: make check-kmod.
#
# Usage: tests/guest/module_check.sh DIRECTORY; DIRECTORY as kernel.sh makes it
set -u
cd "$(dirname "$0")/../.." || exit 2
# shellcheck source=tests/harness/test.sh
. tests/harness/test.sh

if make --no-print-directory check-kmod KDIR="$(realpath "$1/headers")" \
	KMOD_CHECK_DIR="$1/kmod-check" CONFIG_DEBUG_INFO_BTF_MODULES=; then
	ok "no warning"
else
	not_ok "no warning"
fi
suite_end
