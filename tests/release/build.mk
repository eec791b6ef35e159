# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Tests of both commands in a minimal system of another release, as root: release.sh. Not part of `make check`.
#
#	make check-release RELEASE=trixie
#	make check-release RELEASE=bookworm RELEASE_PARTS=demo
RELEASE := trixie
RELEASE_PARTS := demo again check packages

.PHONY: check-release
check-release: export RELEASE_MAY_SKIP := $(RELEASE_MAY_SKIP)
check-release: | $(OWNER)
	@[ "$$(id -u)" -ne 0 ] || DEPS="debootstrap debian-archive-keyring" tests/deps.sh || [ -n "$$RELEASE_MAY_SKIP" ]
	@B=$(B) exec $(OWNER) -t 10800 tests/release/release.sh $(RELEASE) $(RELEASE_PARTS)
