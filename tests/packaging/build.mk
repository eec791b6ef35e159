# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The files for administrators and packagers: the driver by DKMS, its data in modinfo, and Debian's
# packages. They are built against the guest's kernel, below $(B); nothing is installed on this machine.
.PHONY: check-packaging check-packaging-debian check-packaging-dkms
check-packaging: check-packaging-debian check-packaging-dkms

check-packaging-debian: all | $(OWNER)
	@$(RUN) "tests/packaging/debian_test.sh $(B)"

check-packaging-dkms: | $(GUEST_KERNEL) $(OWNER)
	@$(RUN) "tests/packaging/dkms_test.sh $(B) $(GUEST_KDIR)"

CHECK_LONG += check-packaging
