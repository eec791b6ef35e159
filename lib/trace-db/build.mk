# The trace database. The command and the tests link to it, and to SQLite.
TRACE_DB := $(B)/libtrace-db.a
TRACE_DB_LIBS := -lsqlite3

$(TRACE_DB): $(patsubst %.c,$(B)/%.o,$(wildcard lib/trace-db/*.c))
	$(archive)
