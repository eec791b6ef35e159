# The model of the ring's protocol between card, driver and reader, for Spin.
.PHONY: check-model
check-model: | $(OWNER)
	@CC="$(CC)" $(RUN) "tests/model/model_test.sh $(B)"

CHECK_LONG += check-model
