# The conformance suite: one program, run once for each source that this machine has. The guest runs
# the same program on dev: and read:, so it is linked with the static library. A second program tests
# the suite's own checks.
CONFORMANCE_HELPER_SOURCE := tests/conformance/helper_test.c
CONFORMANCE_MAIN_SOURCES := tests/conformance/conformance.c \
	$(wildcard tests/conformance/*_cases.c)
CONFORMANCE_SHARED_SOURCES := $(filter-out $(CONFORMANCE_HELPER_SOURCE) \
	$(CONFORMANCE_MAIN_SOURCES),$(wildcard tests/conformance/*.c))
CONFORMANCE_SHARED_OBJECTS := $(CONFORMANCE_SHARED_SOURCES:%.c=$(B)/%.o)
CONFORMANCE := $(B)/tests/conformance/conformance
CONFORMANCE_HELPER := $(B)/tests/conformance/helper_test
GUEST_BINARIES += $(CONFORMANCE)

$(CONFORMANCE): $(CONFORMANCE_MAIN_SOURCES:%.c=$(B)/%.o)
$(CONFORMANCE_HELPER): $(CONFORMANCE_HELPER_SOURCE:%.c=$(B)/%.o) $(B)/tests/harness/failing.o
$(CONFORMANCE) $(CONFORMANCE_HELPER): $(CONFORMANCE_SHARED_OBJECTS) $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB_STATIC) $(LIB_LIBS) -lcmocka -lm

.PHONY: check-conformance
check-conformance: $(CONFORMANCE) $(CONFORMANCE_HELPER) | $(OWNER)
	@$(RUN) $(CONFORMANCE_HELPER) "$(CONFORMANCE) emu:" "$(CONFORMANCE) file:"

CHECK_QUICK += check-conformance
CHECK_SANITIZE += check-conformance
