"""The strings of PTX directives (PTX ISA 9.1, sections 4.1 and 11.5.3).

ptxas accepts only ASCII characters, so other bytes are written as octal escapes, as cicc and LLVM
write them.
"""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(rb"\\(?:([0-3][0-7]{2})|(.))", re.DOTALL)


def quoted(text: str) -> str:
    """Returns a text in double quotes, with escapes."""
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    if text.isascii():
        return f'"{text}"'
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join([chr(byte) if byte < 0x80 else f"\\{byte:03o}" for byte in data]) + '"'


def unquoted(body: str) -> str:
    """Returns the text of a string, given the characters between its quotes."""
    if "\\" not in body:
        return body
    data = _ESCAPE.sub(
        lambda m: bytes([int(m[1], 8)]) if m[1] else m[2], body.encode("utf-8", "surrogateescape")
    )
    return data.decode("utf-8", "surrogateescape")
