"""Remarks as the YAML that LLVM's opt-viewer reads (LLVM, "Remarks", YAML remarks)."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable

from nvvm_xdsl.ir.remarks import Remark


def remark_yaml(remark: Remark) -> str:
    """One YAML document."""
    lines = [
        f"--- !{remark.kind}",
        f"Pass:            {_scalar(remark.pass_name)}",
        f"Name:            {_scalar(remark.name)}",
    ]
    if remark.file is not None:
        lines.append(
            f"DebugLoc:        {{ File: {_scalar(remark.file)}, Line: {remark.line}, "
            f"Column: {remark.column} }}"
        )
    lines.append(f"Function:        {_scalar(remark.function)}")
    if remark.arguments:
        lines.append("Args:")
        lines.extend(f"  - {key + ':':16} {_scalar(text)}" for key, text in remark.arguments)
    lines.append("...")
    return "\n".join(lines) + "\n"


_PLAIN = re.compile(r"[A-Za-z_$][\w$./-]*", re.ASCII)
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
"""Plain scalars that YAML parsers do not parse as strings."""


def _scalar(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def write_remarks(path: str, remarks: Iterable[Remark]) -> None:
    """Writes the remarks to a file, replacing it; `-` is standard output."""
    if path == "-":
        sys.stdout.writelines(map(remark_yaml, remarks))
        return
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(map(remark_yaml, remarks))
