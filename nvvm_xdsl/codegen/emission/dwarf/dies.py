"""Debugging information entries and the sections that they are written to, in PTX's form.

PTX ISA 9.1, section 11.5: a section consists of rows of `.b8`, `.b32` and `.b64` with numbers,
labels and names of sections. Offsets must be known here, because references are offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from nvvm_xdsl.codegen.emission.dwarf.constants import At, Form, Tag

VERSION: Final = 2
"""The version of DWARF that cuda-gdb and ptxas expect."""

ADDRESS_BYTES: Final = 8
HEADER_BYTES: Final = 11
"""The header of a unit: its length, version, offset of the abbreviations, and address size."""

_BYTES_A_ROW: Final = 16

Piece: TypeAlias = "bytes | str"
"""Bytes, or a symbol for its address."""

Value: TypeAlias = "int | str | Die | Sequence[Piece]"


class Die:
    """A debugging information entry.

    Arguments:
        tag: the kind of the described entity.
    """

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.attributes: list[tuple[At, Form, Value]] = []
        self.children: list[Die] = []
        self.offset = 0

    def child(self, tag: Tag) -> Die:
        """A new child entry."""
        made = Die(tag)
        self.children.append(made)
        return made

    def text(self, at: At, value: str) -> None:
        """Adds a string."""
        self.attributes.append((at, Form.STRING, value.replace("\0", "")))

    def number(self, at: At, value: int) -> None:
        """Adds an unsigned number in the shortest form."""
        for form, size in ((Form.DATA1, 1), (Form.DATA2, 2), (Form.DATA4, 4)):
            if value < 1 << 8 * size:
                self.attributes.append((at, form, value))
                return
        self.attributes.append((at, Form.DATA8, value & (1 << 64) - 1))

    def signed(self, at: At, value: int) -> None:
        """Adds a number."""
        self.attributes.append((at, Form.SDATA, value))

    def flag(self, at: At) -> None:
        """Adds a flag."""
        self.attributes.append((at, Form.FLAG, 1))

    def reference(self, at: At, other: Die | None) -> None:
        """Adds a reference to another entry of the unit, if there is one."""
        if other is not None:
            self.attributes.append((at, Form.REF4, other))

    def label(self, at: At, name: str) -> None:
        """Adds an address."""
        self.attributes.append((at, Form.ADDR, name))

    def section(self, at: At, name: str) -> None:
        """Adds the offset of a section."""
        self.attributes.append((at, Form.DATA4, name))

    def expression(self, at: At, pieces: Sequence[Piece]) -> None:
        """Adds a location expression of at most 255 bytes; longer ones are omitted."""
        if size_of_block(pieces) < 256:
            self.attributes.append((at, Form.BLOCK1, tuple(pieces)))

    def walk(self) -> Iterator[Die]:
        """The entry and all its descendants."""
        yield self
        for child in self.children:
            yield from child.walk()


def uleb128(value: int) -> bytes:
    """An unsigned number in LEB128."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if not value:
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def sleb128(value: int) -> bytes:
    """A signed number in LEB128."""
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if value == (-1 if byte & 0x40 else 0):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def size_of_block(pieces: Sequence[Piece]) -> int:
    """The size of an expression in bytes."""
    return sum(ADDRESS_BYTES if isinstance(piece, str) else len(piece) for piece in pieces)


_FIXED_SIZES: Final = {
    Form.ADDR: ADDRESS_BYTES,
    Form.DATA1: 1,
    Form.DATA2: 2,
    Form.DATA4: 4,
    Form.DATA8: 8,
    Form.FLAG: 1,
    Form.REF4: 4,
}


def _size(form: Form, value: Value) -> int:
    fixed = _FIXED_SIZES.get(form)
    if fixed is not None:
        return fixed
    if form is Form.STRING:
        assert isinstance(value, str)
        return len(value.encode("utf-8", "surrogateescape")) + 1
    if form is Form.SDATA:
        assert isinstance(value, int)
        return len(sleb128(value))
    assert isinstance(value, Sequence)
    assert not isinstance(value, str)
    return 1 + size_of_block(value)


class Rows:
    """The rows of a section."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._bytes: list[int] = []

    def bytes(self, data: bytes) -> None:
        """Adds bytes."""
        self._bytes += data

    def word(self, value: int | str, bits: int = 32) -> None:
        """Adds a number, label or section name."""
        self.flush()
        self.lines.append(f".b{bits} {value}")

    def flush(self) -> None:
        """Ends the current row of bytes."""
        for at in range(0, len(self._bytes), _BYTES_A_ROW):
            row = ",".join(map(str, self._bytes[at : at + _BYTES_A_ROW]))
            self.lines.append(f".b8 {row}")
        self._bytes.clear()

    def section(self, name: str) -> str:
        """The section with this name, as a directive."""
        self.flush()
        return f".section\t{name}\n\t{{\n" + "\n".join(self.lines) + "\n\t}"


Shape: TypeAlias = "tuple[Tag, bool, tuple[tuple[At, Form], ...]]"


class Sections:
    """The sections of units: `.debug_abbrev` and `.debug_info`."""

    def __init__(self) -> None:
        self._abbreviations: dict[Shape, int] = {}
        self._info = Rows()

    def unit(self, root: Die) -> None:
        """Writes a unit, given its `DW_TAG_compile_unit`."""
        end = self._place(root, HEADER_BYTES)
        info = self._info
        info.word(end - 4)
        info.bytes(VERSION.to_bytes(2, "little"))
        info.word(".debug_abbrev")
        info.bytes(bytes([ADDRESS_BYTES]))
        self._write(root)

    def _code(self, die: Die) -> int:
        shape = (die.tag, bool(die.children), tuple([(at, form) for at, form, _ in die.attributes]))
        return self._abbreviations.setdefault(shape, len(self._abbreviations) + 1)

    def _place(self, die: Die, at: int) -> int:
        """Assigns offsets to an entry and its children; returns the end."""
        die.offset = at
        at += len(uleb128(self._code(die)))
        at += sum(_size(form, value) for _, form, value in die.attributes)
        for child in die.children:
            at = self._place(child, at)
        return at + bool(die.children)

    def _write(self, die: Die) -> None:
        info = self._info
        info.bytes(uleb128(self._code(die)))
        for _, form, value in die.attributes:
            self._write_value(form, value)
        for child in die.children:
            self._write(child)
        if die.children:
            info.bytes(b"\0")

    def _write_value(self, form: Form, value: Value) -> None:
        info = self._info
        if isinstance(value, Die):
            info.word(value.offset)
        elif form is Form.STRING:
            assert isinstance(value, str)
            info.bytes(value.encode("utf-8", "surrogateescape") + b"\0")
        elif isinstance(value, str):
            info.word(value, 64 if form is Form.ADDR else 32)
        elif form is Form.SDATA:
            assert isinstance(value, int)
            info.bytes(sleb128(value))
        elif isinstance(value, int):
            info.bytes(value.to_bytes(_FIXED_SIZES[form], "little"))
        else:
            info.bytes(bytes([size_of_block(value)]))
            for piece in value:
                if isinstance(piece, str):
                    info.word(piece, 64)
                else:
                    info.bytes(piece)

    def directives(self) -> list[str]:
        """The sections."""
        abbreviations = Rows()
        for (tag, has_children, attributes), code in self._abbreviations.items():
            abbreviations.bytes(uleb128(code) + uleb128(tag) + bytes([has_children]))
            for at, form in attributes:
                abbreviations.bytes(uleb128(at) + uleb128(form))
            abbreviations.bytes(b"\0\0")
            abbreviations.flush()
        abbreviations.bytes(b"\0")
        return [abbreviations.section(".debug_abbrev"), self._info.section(".debug_info")]
