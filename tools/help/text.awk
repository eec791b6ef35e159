# SPDX-License-Identifier: MIT
# A help text as C strings, one a line of it: a line "@NAME@" stands for the text NAME.txt beside it.
function emit(line) { gsub(/\\/, "\\\\", line); gsub(/"/, "\\\"", line); print "\"" line "\\n\"," }
function include(name) { while ((getline line < (folder "/" name ".txt")) > 0) emit(line) }
/^@[a-z-]+@$/ { include(substr($0, 2, length($0) - 2)); next }
{ emit($0) }
