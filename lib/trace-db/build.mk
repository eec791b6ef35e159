# The trace database: linked into the command and into tests, with SQLite.
TRACE_DB := $(B)/libtrace-db.a
TRACE_DB_LIBS := -lsqlite3

$(TRACE_DB): $(patsubst %.c,$(B)/%.o,$(wildcard lib/trace-db/*.c))
	$(archive)
