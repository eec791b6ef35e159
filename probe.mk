probe:
	@PROBE=yes \ "/inside"
