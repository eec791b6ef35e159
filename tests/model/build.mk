# The model of the ring's protocol between card, driver and reader, for Spin.
.PHONY: check-model
check-model:
	CC="$(CC)" tests/model/model_test.sh $(B)
