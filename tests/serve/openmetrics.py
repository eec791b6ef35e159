# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A strict reader of OpenMetrics text 1.0.0: whatever the specification does not allow is an error.

What lives here: parse(), which follows the ABNF and the rules of the specification, for the types that
the tests need. Python's standard library only.
"""
import re

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?Inf|NaN")
TYPES = {"counter": ("_total", "_created"), "gauge": ("",), "info": ("_info",), "stateset": ("",)}
ESCAPES = {"n": "\n", '"': '"', "\\": "\\"}


class Wrong(Exception):
    """The error, and its position."""


def need(is_so, line, what):
    if not is_so:
        raise Wrong(f"{what}: {line!r}")


def unescape(text, line):
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\":
            need(at + 1 < len(text) and text[at + 1] in ESCAPES, line, "escape")
            out.append(ESCAPES[text[at + 1]])
            at += 2
            continue
        need(text[at] not in '"\n', line, "a character to be escaped")
        out.append(text[at])
        at += 1
    return "".join(out)


def labels_of(text, at, line):
    """Parse from "{" on. Returns (labels, position after the labels)."""
    labels = {}
    at += 1
    while text[at] != "}":
        name = LABEL.match(text, at)
        need(name, line, "name of a label")
        at = name.end()
        need(text[at:at + 2] == '="', line, "label")
        begin = at = at + 2
        while at < len(text) and text[at] != '"':
            at += 2 if text[at] == "\\" else 1
        need(at < len(text), line, "end of a label's value")
        need(name.group() not in labels, line, "a label twice")
        labels[name.group()] = unescape(text[begin:at], line)
        at += 1
        need(at < len(text) and text[at] in ",}", line, "behind a label")
        if text[at] == ",":
            at += 1
            need(text[at] != "}", line, "a comma at the end")
    return labels, at + 1


def sample_of(line):
    name = NAME.match(line)
    need(name, line, "name")
    at, labels = name.end(), {}
    if line[at:at + 1] == "{":
        labels, at = labels_of(line, at, line)
    need(line[at:at + 1] == " ", line, "one space before the value")
    value = NUMBER.fullmatch(line, at + 1)
    need(value, line, "value")
    return name.group(), labels, float(value.group())


class Family:
    def __init__(self, name):
        self.name, self.type, self.unit, self.help, self.samples = name, None, None, None, []


def check_sample(family, name, labels, value, line):
    suffix = name[len(family.name):]
    need(suffix in TYPES[family.type], line, f"a {family.type} has no such sample")
    if family.type in ("counter", "info"):
        need(value >= 0, line, "negative")
    if family.type == "info":
        need(value == 1, line, "an info is 1")
    if family.type == "stateset":
        need(value in (0, 1), line, "a state is 0 or 1")
        need(family.name in labels, line, "a state's own label")
    key = (name, tuple(sorted(labels.items())))
    need(key not in [s[:2] for s in family.samples[-1:]] and key not in family.seen, line, "a series twice")
    family.seen.add(key)
    family.samples.append((name, labels, value))


def parse(text):
    """Parse a whole exposition. Returns {name: Family}."""
    need(text.endswith("# EOF\n"), text[-20:], "no # EOF at the end")
    families, family = {}, None
    for line in text[:-len("# EOF\n")].split("\n")[:-1]:
        if line.startswith("#"):
            kind, name, rest = re.fullmatch(r"# (TYPE|UNIT|HELP) (\S+) (.*)", line).groups()
            need(NAME.fullmatch(name), line, "name of a family")
            if family is None or family.name != name:
                need(name not in families, line, "a family in two places")
                family = families[name] = Family(name)
                family.seen = set()
            need(not family.samples, line, "metadata behind a sample")
            key = kind.lower()
            need(getattr(family, key) is None, line, "metadata twice")
            if kind == "TYPE":
                need(rest in TYPES, line, "type")
            if kind == "UNIT":
                need(name.endswith("_" + rest), line, "a unit that is not the name's end")
            if kind == "HELP":
                rest = unescape(rest, line)
            setattr(family, key, rest)
            continue
        name, labels, value = sample_of(line)
        need(family is not None and family.type and name.startswith(family.name), line,
             "a sample without its family's type")
        check_sample(family, name, labels, value, line)
    clash = {f.name + s for f in families.values() for s in TYPES[f.type]}
    need(len(clash) == sum(len(TYPES[f.type]) for f in families.values()), "", "names that clash")
    return families


def refuses(text):
    try:
        parse(text)
    except (Wrong, AttributeError, IndexError):
        return True
    return False


def self_check():
    """A parser that accepts any text would find no error, so these texts must be refused."""
    good = '# TYPE a counter\n# HELP a x\na_total{b="c\\n\\"\\\\"} 1\n# EOF\n'
    assert not refuses(good)
    bad = ["", good + "\n", good.replace("_total", ""), good.replace("# EOF\n", ""),
           good.replace(" 1\n", "  1\n"), good.replace('b="c', 'b="\\x'), good.replace(" 1\n", " one\n"),
           good.replace("# TYPE a counter\n", ""), good.replace('b="', 'b"'),
           '# TYPE a counter\na_total 1\na_total 2\n# EOF\n', "# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n",
           "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\na 2\n# EOF\n",
           "# TYPE a counter\na_total -1\n# EOF\n", "# TYPE a info\na_info 2\n# EOF\n"]
    return [text for text in bad if not refuses(text)]
