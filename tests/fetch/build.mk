# The downloads of a build, with a broken network. The test uses no real network.
.PHONY: check-fetch
check-fetch: $(QEMU_STAMP) $(GUEST)/vmlinux | $(OWNER)
	@B=$(B) QEMU_CACHE=$(QEMU_CACHE) $(RUN) "tests/fetch/fetch_test.sh $(MAKE) $(B)/tests/fetch-scratch"

CHECK_SUITES += check-fetch
