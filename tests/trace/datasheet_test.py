#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""docs/trace.md, the headers and the model must have the same registers, reset values, access and fields.

usage: datasheet_test.py RESET_VALUES
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "harness"))
from processes import LIMIT  # noqa: E402
from test import check, equal, suite_end  # noqa: E402

sheet = pathlib.Path("docs/trace.md").read_text()
header = pathlib.Path("include/hw/smile_trace_regs.h").read_text()
uapi = pathlib.Path("include/uapi/smile_trace.h").read_text()
MEMORY = 24 << 20

defined = {name: int(value.rstrip("UL"), 0) for name, value in
           re.findall(r"^#define SMILE_TRACE_(\w+) (0x[0-9a-f]+U?L*|\d+U?)\b", header + uapi, re.M)}
registers = {name[4:]: value for name, value in defined.items() if name.startswith("REG_")}
rows = re.findall(r"^\| (0x[0-9a-f]{3}) \| (\w+) \| ([^|]*?) ?\| ([^|]*?) ?\| (.*?) ?\|$", sheet, re.M)
equal("the datasheet and the header have the same registers", dict(sorted(registers.items())),
      dict(sorted((name, int(offset, 16)) for offset, name, *_ in rows)))

model = {int(offset): (int(value), refused == "1") for offset, value, refused in
         (line.split() for line in subprocess.run(sys.argv[1:2], check=True, capture_output=True, text=True,
                                                  timeout=LIMIT).stdout.splitlines())}
listed = {}
for offset, name, access, reset, _ in rows:
    many = re.search(r"(\d+) of them, (\d+) bytes apart", access)
    value = MEMORY if name in ("MEMORY", "MEMORY_MAX") else int(reset or "0", 0)
    for i in range(int(many[1]) if many else 1):
        at = int(offset, 16) + i * (int(many[2]) if many else 0)
        listed[at] = (name, access, value)
        if "64 bits" in access:
            listed[at + 4] = (name, access, 0)
equal("the model has the reset values of the datasheet", {at: value for at, (_, _, value) in listed.items()},
      {at: model[at][0] for at in listed})
equal("what is not listed reads 0 and refuses writes", [], [at for at in model if at not in listed and
                                                            model[at] != (0, True)])
writable = {at for at, (_, access, _) in listed.items() if re.match("RW|CFG|RW1C", access) or "RW1C" in access}
silent = {defined["REG_CONSUME"]}  # 0 bytes can be consumed
equal("read-only registers refuse writes, and no others", sorted(set(listed) - writable - silent),
      sorted(at for at in listed if model[at][1]))

fields = {name: defined[name] for name in defined if re.match("STATUS_|CAPABILITY_|INT_|MODE_|COMMAND_", name)
          and not name.endswith("_ALL")}
bits = {}
for offset, name, _, _, contents in rows:
    prefix = {"INT_STATUS": "INT_"}.get(name, name + "_")
    if name == "COMMAND":
        bits |= {prefix + field: int(value) for field, value in re.findall(r"([A-Z]{3,}) (\d+)", contents)}
    elif name in ("CAPABILITY", "STATUS", "MODE", "INT_STATUS"):
        for field, high, low in re.findall(r"([A-Z_]{3,}) (\d+)(?:-(\d+))?", contents):
            low = int(low or high)
            bits[prefix + field] = (1 << int(high) + 1) - (1 << low)
equal("fields of registers", dict(sorted(fields.items())), dict(sorted(bits.items())))
entry = {name[6:]: int(value.rstrip("UL"), 0) for name, value in
         re.findall(r"^#define SMILE_TRACE_(ENTRY_\w+) (0x[0-9a-f]{16}ULL)", uapi, re.M)}
equal("fields of an entry", dict(sorted(entry.items())), dict(sorted(
    (field, (1 << int(high) + 1) - (1 << int(low or high))) for high, low, field in
    re.findall(r"^\| 1 \| (\d+)(?:-(\d+))? \| (\w+) \|", sheet, re.M))))
values = {name: defined[name] for name in ("IDLE", "ARMED", "TRIGGERED", "DONE", "NEXT", "BACK", "STORE", "STOP")}
equal("states and actions", values, {name: int(value) for name, value in re.findall(r"^\| ([A-Z]+) \| (\d) \|", sheet, re.M)})
check("the identity of the device", f"10b5 : {defined['PCI_SUBDEVICE']:04x}" in sheet)
suite_end()
