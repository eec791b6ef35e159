# SPDX-License-Identifier: GPL-2.0-only
#
# The drivers. `make kmod` builds $(B)/kmod/smile_*.ko for the kernel whose headers are in KDIR. `make check-kmod` also
# builds them, and fails if the compiler or sparse warns. Kbuild writes its output beside the sources, so it gets copies
# of them. `make install-kmod` installs the modules for that one kernel. `make install-dkms` installs the sources, from
# which DKMS builds the modules for each kernel.
KDIR ?= /lib/modules/$(shell uname -r)/build
# The directory in which the modules are built. Each kernel that the tests use has a separate directory.
KMOD_DIR ?= $(B)/kmod
# Options for the kernel's build system. If they change, everything is compiled again.
KMOD_FLAGS ?=

KMOD_FILES := Kbuild $(wildcard kmod/*.c kmod/*.h kmod/*/*.c kmod/*/*.h include/hw/*.h include/uapi/*.h)
KMOD_COPIES := $(KMOD_FILES:%=$(KMOD_DIR)/%)
KMOD_MAKE = $(MAKE) --no-print-directory -C $(KDIR) SMILE_VERSION=$(VERSION)

$(KMOD_COPIES): $(KMOD_DIR)/%: %
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: kmod-headers
kmod-headers:
	@test -e $(KDIR)/Makefile || { \
		echo "kmod: no kernel headers in $(KDIR): install linux-headers, or give KDIR=" >&2; \
		exit 1; }

# The kernel's build system decides which files are out of date.
.PHONY: kmod
kmod: kmod-headers $(KMOD_COPIES)
	+$(KMOD_MAKE) M=$(abspath $(KMOD_DIR)) $(KMOD_FLAGS) modules

# If there was a warning, remove the object files, so that the next call finds the warning again.
KMOD_CHECK_FLAGS := W=1 C=1 CF=-D__CHECK_ENDIAN__
.PHONY: check-kmod
check-kmod: kmod-headers $(KMOD_COPIES)
	@command -v sparse >/dev/null || { echo "check-kmod: install sparse" >&2; exit 1; }
	+@$(KMOD_MAKE) M=$(abspath $(KMOD_DIR)) $(KMOD_CHECK_FLAGS) modules >$(KMOD_DIR)/log 2>&1; \
		status=$$?; cat $(KMOD_DIR)/log; \
		[ $$status = 0 ] && ! grep -q -iE 'warning|error' $(KMOD_DIR)/log || \
		{ find $(KMOD_DIR) -name '*.o' -delete; exit 1; }

# The kernel release in the modules. Do not use `make kernelrelease`: with Debian's headers it prints another release.
KMOD_RELEASE = $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h)

# With DESTDIR, do not run depmod: the packager updates the modules' dependencies, and those of this machine stay
# unchanged.
.PHONY: install-kmod
install-kmod: kmod
	+$(KMOD_MAKE) M=$(abspath $(KMOD_DIR)) $(KMOD_FLAGS) INSTALL_MOD_PATH=$(abspath $(DESTDIR)) \
		INSTALL_MOD_DIR=updates DEPMOD=true modules_install
	[ -n "$(DESTDIR)" ] || PATH=$$PATH:/usr/sbin:/sbin depmod $(KMOD_RELEASE)

DKMS_DIR = $(DESTDIR)/usr/src/smile-monitor-$(VERSION)

.PHONY: install-dkms
install-dkms:
	for file in $(KMOD_FILES) $(wildcard LICENSES/*); do \
		install -D -m 644 $$file $(DKMS_DIR)/$$file || exit 1; done
	sed 's/#MODULE_VERSION#/$(VERSION)/' kmod/dkms.conf >$(DKMS_DIR)/dkms.conf
