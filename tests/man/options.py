#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""The pages of the command: each has the options of its help text and no others, all render without odd bytes, and
smile(1) names every command.

What lives here: a comparison of the options that getopt_long() accepts, that --help lists, and that the page describes
in its tags. A page may describe an option of another command in its text.

usage: options.py SMILE PAGES
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes
from test import check, skip, suite_end

SMILE, PAGES = sys.argv[1:3]
OPTION = re.compile(r"--[a-z][a-z-]*[a-z]")


def output(*words):
    result = processes.run([SMILE, *words], capture_output=True, stdin=subprocess.DEVNULL)
    return result.stdout.decode(), result.stderr.decode()


def help_options(words):
    """The options at the start of the help text's lines."""
    options = set()
    for line in output(*words, "--help")[0].split("\n"):
        if re.match(r" +(-\w, )?--[a-z]", line):
            options.update(OPTION.findall(re.split(r"(?<!,) {2,}", line.strip())[0]))
    return options


def refusal(words, option):
    """The message of getopt_long() about an option. The unknown option behind it prevents the
    command from being run."""
    return output(*words, f"{option}=", "--~")[1]


def unlisted(words, listed):
    """Options that getopt_long() accepts and the help text does not list."""
    missing = set()
    for letter in "abcdefghijklmnopqrstuvwxyz":
        message = refusal(words, f"--{letter}")
        if "ambiguous" in message:
            missing |= set(OPTION.findall(message.split("possibilities:")[1])) - listed
        elif f"unrecognized option '--{letter}=" not in message and \
                not any(option.startswith(f"--{letter}") for option in listed):
            missing.add(f"--{letter}...")
    return missing


def unknown(words, option):
    return f"unrecognized option '{option}=" in refusal(words, option)


def page_of(command):
    return os.path.join(PAGES, f"smile-{command}.1")


def page_options(path):
    """(all options that the page names, the options in tags). Tags are the line behind .TP or .TQ, and the
    arguments of .IP and .SS."""
    with open(path, encoding="utf-8") as file:
        lines = [line.replace("\\-", "-").replace("\\fR", "").replace("\\fP", "").replace("\\fB", "")
                 .replace("\\fI", "").rstrip("\n") for line in file]
    tags = [after for line, after in zip(lines, lines[1:]) if line in (".TP", ".TQ") or line.startswith(".TP ")]
    tags = [re.sub(r"[\"']", "", tag) for tag in tags if re.match(r"\.[BI]+ +\"?-", tag)]
    text = "\n".join(re.sub(r'"', "", line) for line in lines)
    return set(OPTION.findall(text)), {option for tag in tags for option in OPTION.findall(tag)}


def main():
    commands = re.findall(r"^  ([a-z]+) ", output("--help")[0].split("\ncommands:\n")[1].split("\n\n")[0], re.M)
    check("there are commands", len(commands) > 15, commands)
    with open(os.path.join(PAGES, "smile.1"), encoding="utf-8") as file:
        see_also = file.read().split(".SH SEE ALSO")[1]
    for command in commands:
        check(f"SEE ALSO of smile(1) has smile-{command}(1)", f".BR smile-{command} (1)" in see_also, see_also)
        verbs = [[command]]
        if command == "trace":
            text = output("trace", "--help")[0].split("\nverbs:\n")[1].split("\n\n")[0]
            verbs = [[command, verb] for verb in re.findall(r"^  ([a-z]+) ", text, re.M)]
        listed = set()
        for words in verbs:
            name, options = " ".join(words), help_options(words)
            listed |= options
            check(f"smile {name} --help lists options", "--help" in options, options)
            odd = sorted(unlisted(words, options))
            check(f"smile {name} --help lists all options that there are", not odd, odd)
            odd = [option for option in sorted(options - {"--help"}) if unknown(words, option)]
            check(f"smile {name} has the options that --help lists", not odd, odd)
        named, tagged = page_options(page_of(command))
        missing = listed - named - {"--help"}
        # The options that configure the card and the machine are described once: other pages may refer
        # to this description.
        for other, section in (("record", 1), ("run", 1), ("config", 7)):
            with open(page_of(command), encoding="utf-8") as file:
                if missing and f"smile-{other} ({section})" in file.read():
                    missing -= page_options(os.path.join(PAGES, f"smile-{other}.{section}"))[0]
        check(f"smile-{command}(1) has all options of --help, or names the page that has them", not missing,
              sorted(missing))
        check(f"smile-{command}(1) describes no option that is not there", not tagged - listed - {"--help"},
              sorted(tagged - listed))
    pages = [os.path.join(PAGES, name) for name in sorted(os.listdir(PAGES)) if re.search(r"\.[1-8]$", name)]
    for path in pages:
        with open(path, "rb") as file:
            odd = [(line, text) for line, text in enumerate(file.read().split(b"\n"), 1)
                   if re.search(rb"[^\t\x20-\x7e\x80-\xff]", text)]
        check(f"{os.path.basename(path)}: no control characters", not odd, odd)
    groff = processes.run(["sh", "-c", "command -v groff"], capture_output=True)
    if groff.returncode:
        skip("no groff: pages are not rendered")
        suite_end()
    shown = processes.run(["groff", "-t", "-man", "-Tutf8", "-P-cbou", *pages], capture_output=True)
    text = shown.stdout.decode("utf-8", errors="replace")
    odd = [line for line in text.split("\n") if re.search("[^\t\x20-\x7e\u00a0-\ufffc]", line)]
    check("the pages render without odd bytes", shown.returncode == 0 and len(text) > 100000 and not odd,
          (shown.stderr.decode(), odd[:5]))
    wide = [line for line in shown.stderr.decode().split("\n") if "wider than" in line or "break line" in line]
    check("the tables of the pages fit", not wide, wide[:5])
    suite_end()


main()
