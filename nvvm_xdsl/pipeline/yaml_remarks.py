"""Remarks as the YAML that LLVM's opt-viewer reads (LLVM, "Remarks", YAML remarks)."""

from __future__ import annotations

import json
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


def _scalar(text: str) -> str:
    if text and all(c.isalnum() or c in "_-./@$" for c in text) and not text[0].isdigit():
        return text
    if "\n" in text or '"' in text or "\\" in text:
        return json.dumps(text)
    return "'" + text.replace("'", "''") + "'"


def write_remarks(path: str, remarks: Iterable[Remark]) -> None:
    """Writes the remarks to a file, replacing it."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(map(remark_yaml, remarks))
