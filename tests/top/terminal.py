# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A terminal for tests: a program in a pseudo terminal, and the contents of its screen.

What lives here: the functions of an xterm that ncurses uses, and keys. Python's own library only.
"""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "harness"))
import processes

PATIENCE_S = processes.LIMIT
COLORS = {str(n) for n in range(30, 38)}
SEQUENCE = re.compile(r"\x1b\[([?>]?)([0-9;]*)([@-~])")


class Terminal:
    """screen(): the rows as text. style(row, column): the SGR of this cell, sorted: "1;31"."""

    def __init__(self, arguments, rows=24, columns=80, **environment):
        self.resize_cells(rows, columns)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.pending = ""
        self.raw = ""
        self.status = None
        values = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        for name in ("COLUMNS", "LINES"):
            values.pop(name, None)
        values = {name: value for name, value in values.items() if value is not None}
        begin = processes.owned()
        self.child, self.fd = pty.fork()
        if self.child == 0:
            begin()
            self.size_set(0)
            os.execvpe(arguments[0], arguments, values)
        self.size_set(self.fd)

    def resize_cells(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[(" ", "")] * columns for _ in range(rows)]
        self.first, self.last_row = 0, rows - 1
        self.row = self.column = 0
        self.sgr = ""

    def size_set(self, fd):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", self.rows, self.columns, 0, 0))

    def resize(self, rows, columns):
        """Resize. The program redraws the whole screen after that."""
        self.resize_cells(rows, columns)
        self.size_set(self.fd)

    def screen(self):
        return ["".join(cell[0] for cell in row).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.screen())

    def style(self, row, column):
        return self.cells[row][column][1]

    def keys(self, text):
        os.write(self.fd, text.encode())

    def signal(self, number):
        os.kill(self.child, number)

    def wait(self, condition, what=""):
        """Wait until condition(self) is true of the screen. Return: whether it became true."""
        end = time.monotonic() + PATIENCE_S
        while not condition(self):
            if time.monotonic() > end or not self.take():
                return condition(self)
        return True

    def wait_text(self, text):
        return self.wait(lambda terminal: text in terminal.text())

    def take(self):
        """Process the program's output. Return: False at its end."""
        if not select.select([self.fd], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            return False
        text = self.decoder.decode(data)
        self.raw += text
        self.pending += text
        self.obey()
        return True

    def end(self):
        """Wait for the program's end. Return: its exit status; -N if signal N killed it."""
        end = time.monotonic() + PATIENCE_S
        while self.take():
            if time.monotonic() > end:
                os.kill(self.child, signal.SIGKILL)
        _, status = os.waitpid(self.child, 0)
        os.close(self.fd)
        self.status = os.waitstatus_to_exitcode(status)
        return self.status

    # ---- behaviour of an xterm ---------------------------------------------------------------

    def put(self, character):
        if self.column >= self.columns:
            self.column, self.row = 0, self.row + 1
        if self.row < self.rows:
            self.cells[self.row][self.column] = (character, self.sgr)
        self.column += 1
        self.last = character

    def erase(self, row, first, last):
        if row < self.rows:
            for column in range(max(first, 0), min(last, self.columns)):
                self.cells[row][column] = (" ", "")

    def render(self, values):
        on = set(self.sgr.split(";")) - {""}
        for value in values:
            if value == 0:
                on = set()
            elif value in (22, 24, 27, 39):
                on -= {22: {"1", "2"}, 24: {"4"}, 27: {"7"}}.get(value, COLORS)
            elif value in range(30, 38):
                on = on - COLORS | {str(value)}
            elif value in (1, 2, 4, 7):
                on.add(str(value))
        self.sgr = ";".join(sorted(on))

    def scroll(self, first, count, up):
        for _ in range(count):
            if up:
                del self.cells[first]
                self.cells.insert(self.last_row, [(" ", "")] * self.columns)
            else:
                del self.cells[self.last_row]
                self.cells.insert(first, [(" ", "")] * self.columns)

    def sequence(self, private, numbers, command):
        values = [int(n) if n else 0 for n in numbers.split(";")]
        count = max(values[0], 1)
        if private or command in "hltn":
            return
        # Only a character that is written after the last column continues in the next row.
        if command in "ABCDGZd":
            self.column = min(self.column, self.columns - 1)
        if command == "m":
            self.render(values)
        elif command in "Hf":
            self.row = count - 1
            self.column = max(values[1], 1) - 1 if len(values) > 1 else 0
        elif command == "r":
            self.first = count - 1
            self.last_row = values[1] - 1 if len(values) > 1 else self.rows - 1
            self.row = self.column = 0
        elif command in "STLM":
            self.scroll(self.first if command in "ST" else self.row, count, command in "SM")
        elif command == "A":
            self.row -= count
        elif command == "B":
            self.row += count
        elif command == "C":
            self.column += count
        elif command == "D":
            self.column -= count
        elif command == "G":
            self.column = count - 1
        elif command == "Z":
            self.column = max(self.column - 1, 0) // 8 * 8
        elif command == "d":
            self.row = count - 1
        elif command == "K":
            self.erase(self.row, 0 if values[0] else self.column,
                       self.column + 1 if values[0] == 1 else self.columns)
        elif command == "J":
            self.erase(self.row, self.column if values[0] == 0 else 0, self.columns)
            for row in range(self.row + 1 if values[0] == 0 else 0, self.rows):
                self.erase(row, 0, self.columns)
        elif command == "X":
            self.erase(self.row, self.column, self.column + count)
        elif command == "b":
            for _ in range(count):
                self.put(self.last)
        elif command in "P@":
            row = self.cells[self.row]
            blanks = [(" ", "")] * count
            if command == "P":
                row[self.column:] = (row[self.column + count:] + blanks)[:self.columns - self.column]
            else:
                row[self.column:] = (blanks + row[self.column:])[:self.columns - self.column]
        else:
            raise ValueError("unknown sequence " + command)

    def obey(self):
        at = 0
        text = self.pending
        while at < len(text):
            character = text[at]
            if character == "\x1b":
                found = SEQUENCE.match(text, at)
                if found:
                    self.sequence(*found.groups())
                    at = found.end()
                    continue
                short = re.match(r"\x1b(?:[()][0-9A-B]|[=>78cM])", text[at:])
                if not short:
                    break
                if short.group() == "\x1bM" and self.row == self.first:
                    self.scroll(self.first, 1, False)
                elif short.group() == "\x1bM":
                    self.row = max(self.row - 1, 0)
                at += short.end()
                continue
            if character == "\r":
                self.column = 0
            elif character == "\n":
                if self.row == self.last_row:
                    self.scroll(self.first, 1, True)
                else:
                    self.row = min(self.row + 1, self.rows - 1)
            elif character == "\t":
                self.column = min(self.column // 8 * 8 + 8, self.columns - 1)
            elif character == "\b":
                self.column = max(min(self.column, self.columns - 1) - 1, 0)
            elif character >= " ":
                self.put(character)
            at += 1
        self.pending = text[at:]


SHADES = {"1": "font-weight:bold", "2": "opacity:.6", "4": "text-decoration:underline",
          "7": "background:#ddd;color:#222", "31": "color:#f55", "32": "color:#5d5",
          "36": "color:#5dd"}


def html(terminal):
    """The screen as a web page, for a picture of it."""
    lines = []
    for row in terminal.cells:
        line = ""
        for character, sgr in row:
            style = ";".join(SHADES[n] for n in sgr.split(";") if n in SHADES)
            character = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(character, character)
            line += f'<span style="{style}">{character}</span>' if style else character
        lines.append(line)
    return ('<meta charset="utf-8"><pre style="font:14px/17px DejaVu Sans Mono;background:#222;'
            'color:#ddd;margin:0;padding:8px;display:inline-block">' + "\n".join(lines) + "</pre>")
