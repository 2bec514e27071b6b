"""Reader of the litmus format of NVlabs mixedproxy ("Mixed-Proxy Extensions", ISCA 2022).

    .global x;                              variables
    .surfref s virtually aliases x;         x through the proxy `surface`
    d0.b0.t0 {                              a thread with its device and block
      sust [s], 1;
      fence.proxy.surface;
      ld r0, [x] == 1;                      only executions in which 1 is loaded count
    }
    assert (r0 == 1) as name;               all executions; `permit`: at least one

The text before `$$` may be a template with `$0`, `$1` ...; each line after it has the values of one
test, separated by `|`. Tests are translated to herd's format. The condition of a test is the claim
of its command, so that it holds if the answer of the file is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from nvvm_xdsl.ir.diagnostics import DiagnosticError

_COMMENT = re.compile(r"//[^\n]*")
_DECLARATION = re.compile(
    r"\.(global|shared|texref|surfref)\s+(\w+)(?:\s+(physically|virtually)\s+aliases\s+(\w+))?\s*;"
)
_THREAD = re.compile(r"d(\d+)\.b(\d+)\.t\d+\s*\{([^}]*)\}")
_COMMAND = re.compile(r"(assert|permit)\s*\((.*?)\)\s*as\s+(\w+)\s*;", re.S)
_REQUIRED = re.compile(r"(.*?)\s*==\s*(\d+)$", re.S)
_WRITTEN = re.compile(r"^(?:ld|tld|suld|ldc|atom)[\w.]*\s+(r\d+)")
_PROXIES = {"texref": "texture", "surfref": "surface"}
_OPERATORS = {"&&": "/\\", "||": "\\/", "not": "~"}
_OPCODES = {"ldc": "cold", "fence.alias": "fence.proxy.alias"}


def herd_tests(text: str, filename: str) -> Iterator[str]:
    """The tests of a file in herd's format, one for each command and each line of a table.

    Raises DiagnosticError for text that is in no such format.
    """
    body, _, table = _COMMENT.sub("", text).partition("$$")
    rows = [line.split("|") for line in table.splitlines() if line.strip()]
    for row in rows or [[]]:
        fill = partial(_value, [cell.strip() for cell in row], filename)
        yield from _herd(re.sub(r"\$(\d+)", fill, body), filename)


def _value(values: list[str], filename: str, match: re.Match[str]) -> str:
    if int(match[1]) >= len(values):
        raise DiagnosticError(f"a line of the table has no value for '{match[0]}'", file=filename)
    return values[int(match[1])]


def _herd(text: str, filename: str) -> Iterator[str]:
    declared: list[str] = []
    for kind, name, _, target in _DECLARATION.findall(text):
        proxy = _PROXIES.get(kind, "generic")
        declared.append(f"{name} @ {proxy} aliases {target};" if target else f"{name} = 0;")
    places: list[str] = []
    columns: list[list[str]] = []
    required: list[str] = []
    owners: dict[str, str] = {}
    for device, block, body in _THREAD.findall(text):
        thread = f"P{len(places)}"
        places.append(f"{thread}@cta {block}, gpu {device}")
        columns.append([])
        for statement in filter(None, map(str.strip, body.split(";"))):
            limited = _REQUIRED.match(statement)
            code = limited[1] if limited else statement
            written = _WRITTEN.match(code)
            if written:
                owners[written[1]] = thread
            if limited and written:
                required.append(f"{thread}:{written[1]} == {limited[2]}")
            columns[-1].append(_instruction(code))
    rest = _COMMAND.sub("", _THREAD.sub("", _DECLARATION.sub("", text))).strip()
    if rest or not places:
        raise DiagnosticError(
            f"expected declarations, threads and commands of mixedproxy, not '{rest[:30]}'",
            file=filename,
        )
    height = max(map(len, columns))
    rows = [places] + [[c[at] if at < len(c) else "" for c in columns] for at in range(height)]
    lines = "\n".join(" | ".join(row) + " ;" for row in rows)
    for kind, claim, name in _COMMAND.findall(text):
        condition = _condition(claim, owners, filename)
        parts = " /\\ ".join([*required, f"({condition})"])
        if kind == "assert":
            parts = " \\/ ".join([*(f"~({part})" for part in required), f"({condition})"])
        quantifier = "forall" if kind == "assert" else "exists"
        yield f"PTX {name}\n{{ {' '.join(declared)} }}\n{lines}\n{quantifier} ({parts})\n"


def _instruction(code: str) -> str:
    opcode, _, operands = code.partition(" ")
    for name, other in _OPCODES.items():
        opcode = re.sub(rf"^{re.escape(name)}\b", other, opcode)
    return f"{opcode} {operands.strip()}".strip()


def _condition(claim: str, owners: dict[str, str], filename: str) -> str:
    """A claim in herd's syntax, with the threads of registers."""

    def named(match: re.Match[str]) -> str:
        if match[0] not in owners:
            raise DiagnosticError(f"no thread loads the register '{match[0]}'", file=filename)
        return f"{owners[match[0]]}:{match[0]}"

    text = re.sub(r"&&|\|\||\bnot\b", lambda m: _OPERATORS[m[0]], " ".join(claim.split()))
    return re.sub(r"\br\d+\b", named, text)
