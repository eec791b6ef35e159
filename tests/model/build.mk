# The models of the ring's protocol between card, driver and reader, of the link between adapters, and of SCI's
# ring, for Spin.
.PHONY: check-model
check-model: | $(OWNER)
	@CC="$(CC)" $(RUN) "tests/model/model_test.sh $(B)"

# Three and four nodes, within limits of memory and time; not part of make check.
.PHONY: check-model-long
check-model-long: | $(OWNER)
	@CC="$(CC)" $(RUN) "tests/model/model_test.sh $(B) long"

CHECK_LONG += check-model
