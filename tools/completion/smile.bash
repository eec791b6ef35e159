# SPDX-License-Identifier: MIT
# Completion of smile(1) for bash. Commands and options are read from `smile --help`, so that no second
# list of them is needed.

# _smile_words HEADING: the words under a heading of a help text, one per line.
_smile_words()
{
	sed -n "/^$1/,/^\$/s/^  \([a-z][a-z0-9-]*\)  .*/\1/p"
}

# _smile_options SMILE COMMAND [VERB]: the options of the command, one per line.
_smile_options()
{
	"$1" "$2" ${3:+"$3"} --help 2>/dev/null |
		grep -oE '^ +(-[a-zA-Z], )?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+'
}

# _smile_values SMILE COMMAND OPTION: the values of an option; nothing if its value is a file or a number.
_smile_values()
{
	case $3 in
	--color) echo always never auto ;;
	--typed-tags | --aligned) echo on off ;;
	--packets) echo requests responses all ;;
	--types) echo read write lock ;;
	--direction) echo in out foreign all ;;
	--tag-table) echo source faithful ;;
	--node-ids) echo wide narrow ;;
	--model) echo gauss-markov integrated auto ;;
	--threads) echo round-robin block: ;;
	--source) [ "$2" != sample ] || echo auto faults memory ;;
	--topology) echo ring ringlets: torus: ;;
	--place) "$1" "$2" --help 2>/dev/null | _smile_words policies ;;
	--latency) "$1" "$2" --help 2>/dev/null | _smile_words 'latency models' ;;
	--machine) "$1" "$2" --help 2>/dev/null | _smile_words 'machines' ;;
	esac
}

_smile()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local smile=${COMP_WORDS[0]} command=${COMP_WORDS[1]} verb=${COMP_WORDS[2]} words= option i

	COMPREPLY=()
	# "--place=block" is three words to bash.
	if [ "$previous" = = ]; then
		previous=${COMP_WORDS[COMP_CWORD - 2]}
	elif [ "$current" = = ]; then
		current=
	fi
	if [ "$COMP_CWORD" -eq 1 ]; then
		words="$("$smile" --help 2>/dev/null | _smile_words commands) --help --version"
	else
		# What follows "--" belongs to the program.
		for ((i = 2; i < COMP_CWORD; i++)); do
			[ "${COMP_WORDS[i]}" != -- ] || return 0
		done
		option=$previous
		words=$(_smile_values "$smile" "$command" "$option")
		case $words,$command,$current in
		,*,-*)
			[ "$command" = trace ] && [ "$COMP_CWORD" -gt 2 ] || verb=
			words=$(_smile_options "$smile" "$command" "$verb")
			;;
		,report,* | ,sim,* | ,trace,*) [ "$COMP_CWORD" -ne 2 ] ||
			words=$("$smile" "$command" --help 2>/dev/null |
				_smile_words '\(views\|workloads\|verbs\):') ;;
		esac
	fi
	# Words have no blanks.
	# shellcheck disable=SC2207
	[ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$current"))
}

# If nothing matches, complete file names.
complete -o bashdefault -o default -F _smile smile
