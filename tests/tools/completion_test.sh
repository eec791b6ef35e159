#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
# Tests of completion for bash and zsh: the words that are offered for a command line.
#
# usage: tests/tools/completion_test.sh SMILE MKCAPTURE SCRATCH
set -u
source=$PWD/tools/completion
# shellcheck source=tests/tools/command_checks.sh
. "$(dirname "$0")/command_checks.sh"

# offered WORD...: the words that bash offers for the last word, in one line.
offered() {
	# shellcheck disable=SC2016
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _smile
		echo "${COMPREPLY[*]}"' bash "$source/smile.bash" "$smile" "$@"
}

equal "bash: commands" "record replay report" "$(offered re)"
equal "bash: options of a command" "--place" "$(offered run --pl)"
equal "bash: options behind a file" "--verify" "$(offered advise a.rec --ver)"
equal "bash: policies" "first-touch" "$(offered run --place f)"
equal "bash: policies behind an equals sign" "single" "$(offered run --place = si)"
equal "bash: latency models" "smile1998 sci2006 numa2 cxl server2 server4 cxl-memory" "$(offered run --latency '')"
equal "bash: latency models of the cluster" "cxl cxl-memory" "$(offered cluster --latency c)"
equal "bash: topologies" "ring ringlets:" "$(offered ring --topology ri)"
equal "bash: machines" "server2 server4" "$(offered run --machine server)"
equal "bash: values of --color" "always auto" "$(offered report pages --color a)"
equal "bash: views" "heat" "$(offered report h)"
equal "bash: workloads" "sor" "$(offered sim so)"
equal "bash: verbs" "latency" "$(offered trace la)"
equal "bash: options of a verb" "--malformed" "$(offered trace list --mal)"
equal "bash: nothing behind --" "" "$(offered run -- --pl)"
equal "bash: files otherwise" "" "$(offered report pages '')"
for command in $("$smile" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	offers=$(offered "$command" --hel)
	equal "bash: $command --help" "--help" "$offers"
done

# zsh calls its completion only in its editor. Functions that replace those of the editor print the offered words.
if command -v zsh >/dev/null; then
	# shellcheck disable=SC2016
	zsh -fc '
		_describe() { print -rl -- ${(P)4} }
		_call_program() { shift; "$@" }
		_files() { echo files }
		words=('"'$smile'"' re) CURRENT=2 service='"'$smile'"' PREFIX=re
		source '"'$source/_smile'"' >commands
		words=('"'$smile'"' run --pl) CURRENT=3 PREFIX=--pl
		source '"'$source/_smile'"' >options
		words=('"'$smile'"' report pages "") CURRENT=4 PREFIX=
		source '"'$source/_smile'"' >files'
	says "zsh: commands" "^record:record what a card counts, while a command runs$" commands
	says "zsh: options" "^--place:the node of each page" options
	equal "zsh: files otherwise" "files" "$(cat files)"
else
	skip "zsh is not installed" 3
fi

suite_end
