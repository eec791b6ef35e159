# The estimator: processes, filters, fits. It uses libm alone, and is a part of the command and of the
# tests. Its loops are for vector instructions, which -O2 does not make of them.
ESTIMATE_OBJECTS := $(patsubst %.c,$(B)/%.o,$(wildcard lib/estimate/*.c))
ESTIMATE := $(B)/libestimate.a

$(ESTIMATE_OBJECTS): ALL_CFLAGS += -O3 -fno-math-errno -fno-trapping-math

$(ESTIMATE): $(ESTIMATE_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^

.PHONY: estimate
estimate: $(ESTIMATE)
all: estimate
