"""The data of a cubin: symbols, constant banks, variables, and attributes of kernels in `.nv.info`.

The attributes of `.nv.info` are as nvdisasm prints them (`EIATTR_...`); an entry is a format, an
attribute and a value: four bytes in all, or with format 4 a length and that many bytes.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from nvvm_xdsl.ir.diagnostics import DiagnosticError

_PARAM_CBANK: Final = 0x0A
_FRAME_SIZE: Final = 0x11
_MIN_STACK_SIZE: Final = 0x12
_UNKNOWN_SIZE: Final = 0xFFFFFFFF
"""The stack of recursive functions in files of ptxas 13.5."""

_KPARAM_INFO: Final = 0x17
_REGISTER_COUNT: Final = 0x2F
_SIZED: Final = 4
"""The format of an attribute with a length."""

_TEXT: Final = ".text."


@dataclass
class Function:
    """A section of code according to the ELF file.

    Attributes:
        params: offset and size of each parameter, from `param_base` in constant bank 0.
        frame: bytes of stack that a thread needs.
        shared: bytes of static shared memory.
        registers: 32-bit registers of a thread.
    """

    name: str
    entry: bool = False
    params: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    param_base: int = 0
    frame: int = 0
    shared: int = 0
    registers: int = 0
    relocations: list[Relocation] = field(default_factory=list["Relocation"])


@dataclass(frozen=True)
class Relocation:
    """A position in a section that contains the address of a symbol."""

    offset: int
    kind: int
    symbol: str
    addend: int


@dataclass
class Data:
    """A section of data; `content` is None if it is all zero."""

    name: str
    size: int
    alignment: int
    content: bytes | None
    relocations: list[Relocation] = field(default_factory=list[Relocation])


@dataclass(frozen=True)
class Symbol:
    """An object in a data section, or a function in a code section."""

    name: str
    section: str
    offset: int
    size: int


@dataclass
class Cubin:
    """The contents of an ELF file besides its instructions.

    Attributes:
        arch: `sm_90` is 90.
    """

    arch: int
    functions: dict[str, Function]
    data: list[Data]
    symbols: list[Symbol]


def read_cubin(content: bytes) -> Cubin:
    """The data of a cubin. Raises DiagnosticError if pyelftools is missing or the file is not a
    cubin."""
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError:
        raise DiagnosticError(
            "reading machine code needs pyelftools: install nvvm-xdsl[machine]"
        ) from None
    # pyelftools states no types.
    try:
        elf = cast(Any, ELFFile)(io.BytesIO(content))
    except cast(Any, ELFError) as error:
        raise DiagnosticError(f"the file is not a cubin: {error}") from None
    sections = list(elf.iter_sections())
    names = [s.name for s in sections]
    table = elf.get_section_by_name(".symtab")
    symbols = [] if table is None else list(table.iter_symbols())
    found = Cubin(elf["e_flags"] >> 8 & 0xFF, {}, [], [])
    for name in names:
        if name.startswith(_TEXT):
            function = name.removeprefix(_TEXT)
            # Only kernels have a constant bank 0.
            entry = f".nv.constant0.{function}" in names
            found.functions[function] = Function(function, entry)
    for symbol in symbols:
        _read_symbol(symbol, names, found)
    for section in sections:
        _read_section(section, [s.name for s in symbols], found)
    by_section = {d.name: d.relocations for d in found.data}
    by_section |= {_TEXT + f.name: f.relocations for f in found.functions.values()}
    for section in sections:
        if section["sh_type"] in ("SHT_REL", "SHT_RELA"):
            into = by_section.get(names[section["sh_info"]])
            if into is not None:
                into += _relocations(section, symbols)
    return found


def _read_symbol(symbol: Any, sections: list[str], found: Cubin) -> None:
    where = symbol["st_shndx"]
    kind = symbol["st_info"]["type"]
    if not isinstance(where, int) or kind not in ("STT_OBJECT", "STT_FUNC"):
        return
    section = sections[where]
    function = found.functions.get(symbol.name)
    if kind == "STT_FUNC" and function is not None and section == _TEXT + symbol.name:
        return
    found.symbols.append(Symbol(symbol.name, section, symbol["st_value"], symbol["st_size"]))


def _read_section(section: Any, symbols: list[str], found: Cubin) -> None:
    name: str = section.name
    if name == ".nv.info":
        for attribute, value in _attributes(section.data()):
            if attribute in (_FRAME_SIZE, _MIN_STACK_SIZE, _REGISTER_COUNT):
                number, size = struct.unpack("<II", value)
                function = found.functions.get(symbols[number])
                if function is None:
                    continue
                if attribute == _REGISTER_COUNT:
                    function.registers = size
                elif size != _UNKNOWN_SIZE:
                    function.frame = max(function.frame, size)
    elif name.startswith(".nv.info."):
        function = found.functions.get(name.removeprefix(".nv.info."))
        if function is not None:
            _read_parameters(section.data(), function)
    elif name.startswith(".nv.shared.") and not name.startswith(".nv.shared.reserved"):
        function = found.functions.get(name.removeprefix(".nv.shared."))
        if function is not None:
            function.shared = section["sh_size"]
    elif name.startswith((".nv.constant", ".nv.global")) and not name.startswith(".nv.constant0"):
        empty = section["sh_type"] == "SHT_NOBITS"
        content = None if empty else section.data()
        found.data.append(Data(name, section["sh_size"], section["sh_addralign"], content))


def _read_parameters(content: bytes, function: Function) -> None:
    params: dict[int, tuple[int, int]] = {}
    for attribute, value in _attributes(content):
        if attribute == _KPARAM_INFO:
            _, ordinal, offset, flags = struct.unpack("<IHHI", value)
            params[ordinal] = offset, flags >> 18
        elif attribute == _PARAM_CBANK:
            _, function.param_base, _ = struct.unpack("<IHH", value)
    function.params = [params[i] for i in sorted(params)]


def _attributes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The attributes of a `.nv.info` section and their values."""
    at = 0
    while at + 4 <= len(content):
        form, attribute, value = struct.unpack_from("<BBH", content, at)
        at += 4
        if form == _SIZED:
            yield attribute, content[at : at + value]
            at += value
        else:
            yield attribute, content[at - 2 : at]


def _relocations(section: Any, symbols: list[Any]) -> list[Relocation]:
    return [
        Relocation(
            r["r_offset"],
            r["r_info_type"],
            symbols[r["r_info_sym"]].name,
            r["r_addend"] if "r_addend" in r.entry else 0,
        )
        for r in section.iter_relocations()
    ]
