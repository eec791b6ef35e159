# The models of the ring's protocol between card, driver and reader, and of the link between adapters,
# for Spin.
.PHONY: check-model
check-model: | $(OWNER)
	@CC="$(CC)" $(RUN) "tests/model/model_test.sh $(B)"

CHECK_LONG += check-model
