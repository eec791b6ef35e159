#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""Make the man pages of section 3 from the public headers: man3.py KERNEL-DOC OUTPUT, at the top of the tree.

The kernel's scripts/kernel-doc reads the comments. This program names the sections as in man-pages(7), and adds
prototypes, examples, and links to the pages in docs/man that describe several functions. The last paragraph of a
function's comment has the following lines, in this order, as far as they apply: "Context:" (threads), "Return:",
"Errors:" and "Source:".
"""
import pathlib, re, subprocess, sys

SAME_EVERYWHERE = {
    "mon": "Monitor, from Monitor_open()", "capacity": "length of the array, in elements",
    "advise": "advice, from Monitor_advise_new()", "options": "options, from Monitor_advise_options_new()",
    "run": "run of pages, from Monitor_advise_run_at()", "role": "role, from Monitor_advise_role_at()",
    "data": "pages of a variable, from Monitor_advise_data_at()", "capture": "capture, opened or created",
    "instrument": "instrument, from Monitor_instrument_open()",
    "cluster": "cluster, from Estimate_cluster_new()",
    "gas": "space, from Gas_open()", "filter": "filter, from Estimate_filter_new()", "state": "state, from Estimate_state_new()",
    "-ENOMEM": "out of memory", "-EINVAL": "an argument is out of range", "-EIO": "it cannot be written"}
ONE_THREAD = "only one thread at a time may use the same struct %s."
COMMENTED = re.compile(r"/\*\*\n(?: \*[^/].*\n| \*\n)+ \*/\n((?:struct|enum) \w+ \{\n(?:\t.*\n|\n)*\};|[^;{]*;)")
# The headers of libsmile-analysis, -estimate and -gas; all other headers are those of libsmile-monitor.
LIBRARIES = {"advise": ("libsmile-analysis", "advise"), "estimate": ("libsmile-estimate", "estimate"),
    "gas": ("libsmile-gas", "gas")}
MESSAGES = {"estimate": None, "gas": "Gas_error_message"}  # all other libraries have Monitor_error_message()
PAPERS = [paper for name in ("monitor", "estimate") for paper in re.findall(r'\[(\d{4}.?)\] ("[^"]+")',
    pathlib.Path(f"include/smile/{name}.h").read_text().replace("\n *", ""))]

def roff(text):
    """Convert the text of a comment, in which kernel-doc has set the fonts, to roff."""
    text = re.sub(r"(?<![\w\\])-(?=[\w\\-])", r"\\-", text.strip())
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fP", re.sub(r"\b((?:Monitor|Estimate|Gas)_\w+)\(\)", r"\\fB\1\\fP", text))
    text = re.sub(r"(\\fB(?:Monitor|Estimate|Gas|smile)_\w+\\fP)(?!\()", r"\1(3)", text)
    return re.sub(r"\n\s*\n", "\n.PP\n", re.sub(r'(?m)^(?=".*\S  )', ".br\n", text))

def sentence(text):
    return text[:1].upper() + text[1:]

def code(text):
    return re.sub(r"(?m)^(?=[.'])", r"\\&", text.expandtabs().replace("\\", r"\e").replace("-", r"\-")).rstrip()

def errors(text):
    items = re.split(r"; (?:and )?(?=-E|as )", " ".join(text.split()).rstrip("."))
    for item in items:
        name, why = re.match(r"((?:(?:, | or )?-E\w+)*):? ?(.*)", item).groups()
        if not name:
            why = re.sub("^as (for )?", ("Other" if len(items) > 1 else "The") + " errors are those of ", why)
        why = roff(why or SAME_EVERYWHERE[name])
        yield f".TP\n.B {roff(name)}\n{why}." if name else f".PP\n{sentence(why)}."

def page(text, prototype, header, own, names, example):
    """Make the sections of a page from the output of kernel-doc for a comment."""
    part = {k.title(): v for k, v in re.findall(r'^\.SH "?(\w+)"?\n(.*?)(?=^\.SH|\Z)', text, re.S | re.M)}
    purpose = re.search(r" \\- (.*)", part["Name"])[1]
    for title in "Source", "Errors":
        part["Return"], _, part[title] = part.get("Return", "").partition(title + ":")
    returned = roff(part["Return"]) or "none."
    for key, paper in PAPERS:
        part["Source"] = part["Source"].replace(f"[{key}]", f"{paper} ({key[:4]}),")
    items = re.findall(r'^\.IP "(.*?)" 12\n(.*?)(?=^\.IP|\Z)', part.get("Members", part.get("Constants", part.get("Arguments"))), re.S | re.M)
    items = [(i, SAME_EVERYWHERE[i] if "-- undescribed" in t else t) for i, t in items if i != "void"]
    owner = re.search(r"\bstruct (Monitor\w*) \*+(mon|first|capture|instrument)\b", prototype) or \
        re.search(r"\bstruct (Estimate_\w+|Gas) \*+(out|filter|state|cluster|gas)\b", prototype)
    library, include = LIBRARIES.get(header.stem, LIBRARIES.get(header.parent.name, ("libsmile-monitor", "monitor")))
    messages = MESSAGES.get(include, "Monitor_error_message")
    see = {(n, s) for n, s in names if (n, s) != own and (s == "3" or n in prototype)}
    see |= {("smile_monitor", "4")} if "struct smile_" in prototype else set()
    sections = {
        "NAME": f"{own[0]} \\- {re.sub(r'.f[BIP]', '', purpose).rstrip('.')}",
        "LIBRARY": f".B {library}\n.RB ( \\-l{library[3:]} ,\n.IR \"pkg\\-config {library}\" )",
        "SYNOPSIS": f".nf\n.B #include <smile/{include}.h>\n.PP\n.ft B\n{code(prototype)}\n.ft R\n.fi",
        "DESCRIPTION": roff(purpose + "\n\n" + part.get("Description", "")),
        "MEMBERS" if "Members" in part else "CONSTANTS" if "Constants" in part else "PARAMETERS": "\n".join(f".TP\n.I {i}\n{roff(t)}" for i, t in items)}
    if not re.match(r"(struct|enum) \w+ \{", prototype):
        sections |= {
            "RETURN VALUE": f"On success: {returned}\nOn failure: a negative errno value." if part["Errors"] else sentence(returned),
            "ERRORS": part["Errors"] and "On failure, the outputs are unchanged" + (
                      f", and\n.BR {messages} (3)\nreturns the cause.\n" if messages else ".\n") + "\n".join(errors(part["Errors"])),
            "THREAD SAFETY": sentence(roff(part.get("Context") or ONE_THREAD % owner[1])),
            "SOURCE": sentence(roff(part["Source"])),
            "EXAMPLE": f"{roff(example[0])}\n.PP\n.EX\n{code(example[1])}\n.EE"}
    sections["SEE ALSO"] = ",\n".join(f".BR {n} ({s})" for n, s in sorted(see))
    return "".join(f".SH {title}\n{text}\n" for title, text in sections.items() if text)

def main(kernel_doc, output):
    smile = pathlib.Path("include/smile")
    for header in [*smile.glob("monitor/*.h"), smile / "advise.h", smile / "gas.h", *smile.glob("estimate/*.h")]:
        made = subprocess.run([kernel_doc, "-man", header], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        pages = list(zip(re.split(r"^\.TH .*\n", made, flags=re.M)[1:], COMMENTED.findall(header.read_text())))
        names = [(re.search(r"(\w+) \\-", text)[1], "3type" if re.match(r"(struct|enum) \w+ \{|typedef", prototype) else "3")
                 for text, prototype in pages]
        example = re.match(r"/\* SPDX[^\n]*\n/\* (.*?) \*/\n(.*)", pathlib.Path(f"docs/examples/{header.stem}.c").read_text(), re.S)
        example = example[1].replace("\n * ", "\n"), example[2]
        for (name, section), (text, prototype) in zip(names, pages):
            assert name in prototype, f"{header}: the comment of {name}() is not that of {prototype}"
            (output / f"{name}.{section}").write_text(
                f'.\\" SPDX-License-Identifier: MIT\n.\\" Made from {header}: edit that, and run make man3.\n.nr HY 0\n'
                f'.TH {name.upper()} {section} "" "SMiLE Monitor" "Library Functions Manual"\n.ad l\n'
                + page(text, prototype, header, (name, section), names, example))
    for source in pathlib.Path("docs/man").glob("*.3"):  # each written by hand, for several functions
        names = re.search(r"^\.SH NAME\n(.*?)\s\\-", source.read_text(), re.M | re.S)[1]
        for name in re.findall(r"\w+", names):
            (output / f"{name}.3").write_text(f".so man3/{source.name}\n")

main(sys.argv[1], pathlib.Path(sys.argv[2]))
