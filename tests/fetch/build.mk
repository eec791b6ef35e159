# What a build takes from outside, with a network that is broken: none is used here.
.PHONY: check-fetch
check-fetch: $(QEMU_STAMP) $(GUEST)/vmlinux | $(OWNER)
	@B=$(B) QEMU_CACHE=$(QEMU_CACHE) $(RUN) "tests/fetch/fetch_test.sh $(MAKE) $(B)/tests/fetch-scratch"

CHECK_SUITES += check-fetch
