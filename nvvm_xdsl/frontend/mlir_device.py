"""Extracts the device code from MLIR text with host code in any dialect.

The output of `mlir-opt` is one module for host and device. The device code is in `gpu.module`s, or
after `gpu-module-to-binary` (the end of `gpu-lower-to-nvvm-pipeline`) in the strings of a
`gpu.binary`: bitcode with `cubin-format=llvm`, PTX with `isa`. Host code may contain any op,
including ops that cannot be parsed here, and is not needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(rf"//[^\n]*|{_STRING}|\bgpu\.(?:module|binary)\b|\battributes\b|[{{}}\[\]]")
_ALIAS = re.compile(r"(?m)^[#!][\w$.-]+\s*=[^\n]*$")
_OBJECT = re.compile(
    rf"#gpu\.object<(#nvvm\.target(?:<(?:[^\"<>]|{_STRING})*>)?)\s*,([^\"]*)({_STRING})", re.DOTALL
)
_KIND = re.compile(r"\b(offload|assembly|bin|fatbin)\s*=\s*\Z")
_ESCAPE = re.compile(rb'\\([0-9A-Fa-f]{2}|[nt"\\])')
_ESCAPED = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}
_CLOSING = {"{": "}", "[": "]"}


class DeviceObject(NamedTuple):
    """The contents of a `gpu.binary`.

    Arguments:
        target: the text of its `#nvvm.target`.
        kind: `offload` for bitcode, `assembly` for PTX, else machine code.
    """

    target: str
    kind: str
    data: bytes


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    """The kind (`module` or `binary`) and the range in the text of each such op."""
    tokens = _TOKEN.finditer(text)
    for token in tokens:
        if not token[0].startswith("gpu."):
            continue
        kind = token[0].removeprefix("gpu.")
        of_attributes = False
        for opening in tokens:
            if opening[0] == "attributes":
                of_attributes = True
            elif opening[0] in _CLOSING:
                end = _closing(tokens)
                if (opening[0] == "[") == (kind == "binary") and not of_attributes:
                    yield kind, token.start(), end
                    break
                of_attributes = False


def _closing(tokens: Iterator[re.Match[str]]) -> int:
    """The offset at which the last read bracket is closed."""
    depth = 1
    end = 0
    for token in tokens:
        depth += (token[0] in "{[") - (token[0] in "}]") if len(token[0]) == 1 else 0
        end = token.end()
        if not depth:
            break
    return end


def device_text(text: str) -> str | None:
    """The text with everything except `gpu.module`s and aliases replaced by spaces, which preserves
    locations; None without a `gpu.module`."""
    spans = [(start, end) for kind, start, end in _spans(text) if kind == "module"]
    if not spans:
        return None
    spans += [match.span() for match in _ALIAS.finditer(text)]
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start < done:
            continue
        parts.append(re.sub(r"[^\n]", " ", text[done:start]))
        parts.append(text[start:end])
        done = end
    parts.append(re.sub(r"[^\n]", " ", text[done:]))
    return "".join(parts)


def device_objects(text: str) -> list[DeviceObject]:
    """The objects in the `gpu.binary` ops of the text."""
    found: list[DeviceObject] = []
    for kind, start, end in _spans(text):
        if kind == "binary":
            for match in _OBJECT.finditer(text, start, end):
                word = _KIND.search(match[2])
                found.append(
                    DeviceObject(
                        match[1], word[1] if word else "fatbin", _unescaped(match[3][1:-1])
                    )
                )
    return found


def _unescaped(text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1]) or bytes.fromhex(m[1].decode()), data)
