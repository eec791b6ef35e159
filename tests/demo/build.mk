# The demonstration's part without a card, and its page in a browser; the README's pictures are of it.
.PHONY: check-demo
check-demo: sim
	python3 tests/demo/demo_test.py $(B) $(B)/check-demo

# What the README shows, drawn anew.
.PHONY: pictures
pictures: sim
	python3 tests/demo/demo_test.py $(B) $(B)/check-demo docs/pictures
