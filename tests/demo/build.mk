# The demonstration's part without a card, and its page in a browser; the README's pictures are of it.
.PHONY: check-demo
check-demo: sim | $(OWNER)
	@$(RUN) "node tests/demo/demo_test.mjs $(B) $(B)/check-demo"

# The demonstration of a cluster: two minutes. Its test is guest-gas_programs_test.
.PHONY: cluster-demo
cluster-demo: cluster workloads
	B=$(B) tests/demo/cluster_demo.sh

# The README's pictures, drawn again.
.PHONY: pictures
pictures: sim deps-browser
	node tests/demo/demo_test.mjs $(B) $(B)/check-demo docs/pictures

CHECK_SUITES += check-demo
