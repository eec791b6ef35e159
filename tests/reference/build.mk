# The card is compared with a second implementation of its datasheet, and properties that hold for all
# operations are checked. tests/reference/X_test.c is one cmocka program; the other .c files here are shared.
REFERENCE_SOURCES := $(wildcard tests/reference/*_test.c)
REFERENCE_SHARED := $(filter-out $(REFERENCE_SOURCES),$(wildcard tests/reference/*.c))
REFERENCE_OBJECTS := $(REFERENCE_SHARED:%.c=$(B)/%.o)
REFERENCE_TESTS := $(REFERENCE_SOURCES:%.c=$(B)/%)

$(REFERENCE_TESTS): $(B)/%: $(B)/%.o $(REFERENCE_OBJECTS) $(B)/libcard.a
	$(CC) $(ALL_LDFLAGS) -o $@ $^ -lcmocka

.PHONY: check-reference
check-reference: $(REFERENCE_TESTS) | $(OWNER)
	@$(RUN) $(REFERENCE_TESTS)

CHECK_LONG += check-reference
CHECK_SANITIZE += check-reference
