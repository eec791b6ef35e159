# libsmile-analysis: what follows from a Monitor's counts. It uses the public API and jansson. Shared,
# static, and its pkg-config file. The command links ANALYSIS_INSIDE, for the parts that are not public.
ANALYSIS_SOURCES := $(wildcard lib/analysis/*.c lib/analysis/*/*.c)
ANALYSIS_OBJECTS := $(ANALYSIS_SOURCES:%.c=$(B)/%.o)
ANALYSIS_INSIDE := $(B)/libanalysis-inside.a

$(ANALYSIS_INSIDE): $(ANALYSIS_OBJECTS)
	@rm -f $@
	$(AR) rcs $@ $^
