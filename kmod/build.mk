# SPDX-License-Identifier: GPL-2.0-only
#
# The driver: `make kmod` builds $(B)/kmod/smile_monitor.ko for the kernel whose headers are in KDIR,
# `make check-kmod` looks for every warning of the compiler and of sparse. Kbuild writes beside its
# sources, so it is given copies of them.
KDIR ?= /lib/modules/$(shell uname -r)/build

KMOD_FILES := Kbuild $(wildcard kmod/*.c kmod/*.h include/hw/*.h include/uapi/*.h)
KMOD_COPIES := $(KMOD_FILES:%=$(B)/kmod/%)
KMOD_CHECK_COPIES := $(KMOD_FILES:%=$(B)/kmod-check/%)
KMOD_MAKE = $(MAKE) --no-print-directory -C $(KDIR) SMILE_VERSION=$(VERSION)

$(KMOD_COPIES): $(B)/kmod/%: %
	@mkdir -p $(@D)
	@cp $< $@

$(KMOD_CHECK_COPIES): $(B)/kmod-check/%: %
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: kmod-headers
kmod-headers:
	@test -e $(KDIR)/Makefile || { \
		echo "kmod: no kernel headers in $(KDIR): install linux-headers, or give KDIR=" >&2; \
		exit 1; }

# The kernel's build system knows best what is out of date.
.PHONY: kmod
kmod: kmod-headers $(KMOD_COPIES)
	+$(KMOD_MAKE) M=$(abspath $(B)/kmod) modules

.PHONY: check-kmod
check-kmod: kmod-headers $(KMOD_CHECK_COPIES)
	@command -v sparse >/dev/null || { echo "check-kmod: install sparse" >&2; exit 1; }
	@find $(B)/kmod-check -name '*.o' -delete
	+$(KMOD_MAKE) M=$(abspath $(B)/kmod-check) W=1 C=2 CF=-D__CHECK_ENDIAN__ modules \
		>$(B)/kmod-check/log 2>&1 || { cat $(B)/kmod-check/log; exit 1; }
	@cat $(B)/kmod-check/log
	@! grep -iE 'warning|error' $(B)/kmod-check/log
