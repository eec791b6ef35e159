# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Names that shell scripts call, and that are neither a function of the script nor a command.

usage: python3 tests/harness/shell_calls.py FILE...

What lives here: the words in command position of each script, and the functions of the script and of the files that
it sources, which "# shellcheck source=PATH" names. Prints "FILE:LINE: NAME" for each unknown name, and exits with 1 if
there is one. Names that a script computes, and commands behind others (timeout, check NAME), are not checked. May use
only Python's standard library.
"""
import pathlib
import re
import shutil
import subprocess
import sys

# Commands begin and end at these characters.
OPERATORS = " \t\n;&|()<>"
# A command also begins behind these words.
OPENING = {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "time"}
CLOSING = {"fi", "done", "esac", "}"}
# Commands of a guest, and commands that a suite calls only if it has found them.
COMMANDS = set("""
    adapter_alone adapter_fuzz adapter_peer admin_hold as_nobody conformance driver_test guest_bench node page_nodes perf
    script smile systemd-udevd trace_device trace_reset usleep
""".split())
SOURCE = re.compile(r"^[ \t]*# shellcheck source=(\S+)", re.MULTILINE)
FUNCTION = re.compile(r"([\w-]+)[ \t]*\([ \t]*\)")
ASSIGNMENT = re.compile(r"\w+(\[[^]]*\])?\+?=")


class Script:
    """The text of a script; calls: its calls as (line, name); functions: the functions that it defines."""

    def __init__(self, text):
        self.text = text + "\n"
        self.calls = []
        self.functions = set()
        self.sources = SOURCE.findall(text)
        self._documents = []
        self._commands(0)

    def _call(self, at, name):
        self.calls.append((self.text.count("\n", 0, at) + 1, name))

    # Each of the following methods receives the position at which an element begins, and returns
    # the position behind it.

    def _quoted(self, at):
        """From the position behind the opening quotation mark."""
        at += 1
        while self.text[at] != '"':
            at = self._character(at)
        return at + 1

    def _character(self, at):
        """A character, or an expansion of the shell."""
        text = self.text
        if text[at] == "\\":
            return at + 2
        if text[at] == "`":
            return text.index("`", at + 1) + 1
        if text.startswith("$((", at):
            return self._arithmetic(at + 1)
        if text.startswith("$(", at):
            return self._commands(at + 2)
        if text.startswith("${", at):
            at += 2
            while text[at] != "}":
                at = self._quoted(at) if text[at] == '"' else self._character(at)
        return at + 1

    def _arithmetic(self, at):
        depth = 0
        while True:
            if self.text.startswith("$(", at):
                at = self._character(at)
                continue
            depth += (self.text[at] == "(") - (self.text[at] == ")")
            at += 1
            if not depth:
                return at

    def _word(self, at):
        text, begin = self.text, at
        while text[at] not in OPERATORS:
            if text[at] == "'":
                at = text.index("'", at + 1) + 1
            elif text.startswith("$'", at):
                at = re.compile(r"(?:[^'\\]|\\.)*'", re.DOTALL).match(text, at + 2).end()
            elif text[at] == '"':
                at = self._quoted(at)
            else:
                at = self._character(at)
            if text[at] == "(" and ASSIGNMENT.fullmatch(text, begin, at):
                at = self._commands(at + 1, elements=True)
        return at

    def _documents_end(self, at):
        """The here-documents of the commands on the line that has ended."""
        for end, tabs, literal in self._documents:
            line = None
            while line != end and at < len(self.text):
                begin, at = at, self.text.index("\n", at) + 1
                line = self.text[begin:at - 1]
                line = line.lstrip("\t") if tabs else line
                inside = begin
                while not literal and line != end and inside < at - 1:
                    inside = self._character(inside)
        self._documents = []
        return at

    def _redirection(self, at):
        text = self.text
        if text[at:at + 2] in ("<(", ">("):
            return self._commands(at + 2)
        document = text.startswith("<<", at) and not text.startswith("<<<", at)
        begin = at
        while text[at] in "<>&|" or document and text[at] == "-":
            at += 1
        while text[at] in " \t":
            at += 1
        if text[at:at + 2] in ("<(", ">("):
            return self._commands(at + 2)
        end = self._word(at)
        if document:
            word = text[at:end]
            self._documents.append((re.sub(r"['\"\\]", "", word), text[begin + 2] == "-", word[0] in "'\"\\"))
        return end

    def _commands(self, at, elements=False):
        """Commands, or the elements of an array, up to a closing parenthesis or the end of the text."""
        text = self.text
        # first: is a command expected, or another word? inside: which of for, case, function and [[ contains the next
        # word? patterns: for each open case, is a pattern expected?
        first, inside, patterns = not elements, "", []
        while at < len(text):
            character = text[at]
            if character in " \t":
                at += 1
            elif text.startswith("\\\n", at):
                at += 2
            elif character == "#":
                at = text.index("\n", at)
            elif character in "()|" and patterns and patterns[-1]:
                patterns[-1], first = character != ")", True
                at += 1
            elif character == ")":
                return at + 1
            elif text.startswith("((", at):
                at, first, inside = self._arithmetic(at), False, ""
            elif character in "<>" or text.startswith("&>", at):
                at = self._redirection(at)
            elif text.startswith(";;", at):
                at += 2
                patterns[-1] = True
            elif character == "(":
                at, first = self._commands(at + 1), False
            elif character in "\n;&|":
                at = self._documents_end(at + 1) if character == "\n" else at + 1
                first, inside = not elements, "" if inside == "for" else inside
            else:
                begin, at = at, self._word(at)
                if re.fullmatch(r"\d+|\{\w+\}", text[begin:at]) and text[at] in "<>":
                    continue
                at, first, inside = self._take(begin, at, first, inside, patterns)
        return at

    def _take(self, begin, at, first, inside, patterns):
        """Handles the word between @begin and @at. Return: the position at which to continue, first and
        inside, as in _commands()."""
        word = self.text[begin:at]
        if patterns and patterns[-1]:
            if word == "esac":
                patterns.pop()
            return at, False, inside
        if inside:
            if inside == "case" and word == "in":
                patterns.append(True)
            if inside == "function":
                self.functions.add(word)
            ended = inside in ("case", "function") and word != "(" and (inside == "function" or word == "in")
            ended = ended or inside == "[[" and word == "]]"
            return at, inside == "function", "" if ended else inside
        if not first:
            return at, False, ""
        function = FUNCTION.match(self.text, begin)
        if function and function.end(1) == at:
            self.functions.add(word)
            return function.end(), True, ""
        if ASSIGNMENT.match(word) or word in OPENING:
            return at, True, ""
        if word == "esac":
            patterns.pop()
        if word in CLOSING:
            return at, False, ""
        if word in ("for", "select"):
            return at, False, "for"
        if word in ("case", "[[", "function"):
            return at, False, word
        self._call(begin, word)
        return at, False, ""


def sourced(path, scripts, found=None):
    """The script, and all files that it sources."""
    found = [] if found is None else found
    if path in scripts and path not in found:
        found.append(path)
        for source in scripts[path].sources:
            sourced(source, scripts, found)
    return found


def main(paths):
    """Return: the exit status."""
    scripts = {path: Script(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths}
    builtins = subprocess.run(["bash", "-c", "compgen -b"], check=True, capture_output=True, text=True).stdout.split()
    libraries = {source for script in scripts.values() for source in script.sources}
    unknown = set()
    # The scripts that source a library may define the functions that it calls.
    for path in scripts.keys() - libraries:
        known = COMMANDS.union(builtins, *(scripts[one].functions for one in sourced(path, scripts)))
        unknown |= {f"{one}:{line}: {name}" for one in sourced(path, scripts) for line, name in scripts[one].calls
                    if re.fullmatch(r"[\w.+-]+", name) and name not in known and not shutil.which(name)}
    if not any(script.calls for script in scripts.values()):
        unknown.add("shell_calls.py finds no calls")
    print("".join(f"{line}\n" for line in sorted(unknown)), end="")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
