# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# driver_test: the driver's tests, a program that goes into the guest. To be read before build.mk.
DRIVER_TEST := $(B)/tests/guest/driver_test
DRIVER_TEST_SOURCES := $(wildcard tests/guest/driver_*.c)

GUEST_BINARIES += $(DRIVER_TEST)

$(DRIVER_TEST): $(DRIVER_TEST_SOURCES:%.c=$(B)/%.o)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka -lpthread
