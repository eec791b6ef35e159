#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Print the lines of a log in which a shell reports that it cannot find a command or a function. A suite continues
# after such a line, and its other checks may pass.
#
# What lives here: the messages of dash, bash and busybox. tests/harness/run.sh and tests/guest/run.sh call it. Messages
# that a suite writes to a file are not in its log, and are not found.
#
# usage: tests/harness/unknown_commands.sh LOG; exits 0 if there is such a line, 1 if there is none
exec grep -aE '^[^ :]+: (line )?[0-9]+: [^ :]+: (command )?not found.?$' "$1"
