# The demonstration's part without a card, and its page in a browser; the README's pictures are of it.
.PHONY: check-demo
check-demo: sim | $(OWNER)
	@$(RUN) "node tests/demo/demo_test.mjs $(B) $(B)/check-demo"

# What the README shows, drawn anew.
.PHONY: pictures
pictures: sim deps-browser
	node tests/demo/demo_test.mjs $(B) $(B)/check-demo docs/pictures

CHECK_SUITES += check-demo
