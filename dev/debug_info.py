"""What a debugger finds in a compilation's output: the variables that the DWARF of a cubin describes.

pyelftools reads it, which is among the packages for developers.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from nvvm_xdsl.driver.cuda import HEADERS
from nvvm_xdsl.driver.toolkit import find_ptxas

CLANG_FLAGS = (
    f"-isystem{HEADERS} "
    "-x cuda --target=x86_64-linux-gnu --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib "
    "-std=c++17 -Wno-unknown-cuda-version -S -emit-llvm -g -fdebug-compilation-dir=. -O2 "
    "-Xclang -disable-llvm-passes -Xclang -debug-info-kind=standalone"
).split()
"""How clang makes LLVM assembly with debug information of an example."""

PLACES = {2: "register", 4: "const", 5: "global", 6: "local", 7: "param", 8: "shared"}
"""State spaces by address class."""


@dataclass(frozen=True, order=True)
class Variable:
    """A variable that DWARF describes.

    Arguments:
        function: the function around it, `caller/inlined` where it was inlined; empty for none.
        name: of the variable.
        type_: its type, as C has it.
        place: the state space of its location, `register`, `value` for a constant, or empty. Of one that moves
            all of these, in the order of the code, with commas.
        is_parameter: whether it is a function's parameter.
    """

    function: str
    name: str
    type_: str
    place: str
    is_parameter: bool


class AssemblyError(Exception):
    """ptxas refused the text."""


def debug_assembly(ptx: str, arch: str, *flags: str) -> bytes:
    """The object that `ptxas -g -c` makes. Raises AssemblyError, with ptxas's message."""
    ptxas = find_ptxas()
    if ptxas is None:
        raise AssemblyError("ptxas was not found")
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "a.ptx"), Path(folder, "a.cubin")
        source.write_text(ptx)
        command = [str(ptxas), "-c", f"-arch={arch}", *(flags or ("-g",))]
        done = subprocess.run(
            [*command, str(source), "-o", str(output)], capture_output=True, text=True
        )
        if done.returncode or "not found" in done.stderr:
            raise AssemblyError(done.stderr.replace(folder + "/", ""))
        return output.read_bytes()


def clang(source: Path, output: Path, folder: Path) -> None:
    """Has clang 22 make LLVM assembly of CUDA, in which nothing is optimized and all is described.

    Arguments:
        source: relative to the folder, which is where clang runs.
    """
    compiler = shutil.which("clang-22") or "clang"
    command = [compiler, *CLANG_FLAGS, str(source), "-o", str(output)]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)


_VARIABLE = re.compile(r"!DILocalVariable\(name: \"(\w+)\".*?scope: (!\d+)")


def declared_variables(text: str) -> list[tuple[str, str]]:
    """The names and scopes of the local variables that a module's metadata declares."""
    return [(match[1], match[2]) for match in _VARIABLE.finditer(text)]


_NO_CODE = re.compile(r"\s*(\.loc|\.file|\.version|\.target)\b|\$L__(tmp|func_)|\s*$")


def code_lines(ptx: str) -> list[str]:
    """The lines of PTX that are code: all except debug information and its version directive."""
    code, _, _ = ptx.partition("\t.section")
    return [line for line in code.splitlines() if not _NO_CODE.match(line)]


_RELOCATION_BYTES = {1: 4, 2: 8}
"""`R_CUDA_32` and `R_CUDA_64`, by their numbers, and how much they change."""


def dwarf_of(cubin: bytes) -> Any:
    """The DWARF of an object, pyelftools' `DWARFInfo`, as if each section were loaded at address 0."""
    from elftools.elf.elffile import ELFFile  # pyright: ignore[reportMissingTypeStubs]

    file: Any = ELFFile(BytesIO(_relocated(cubin, ELFFile(BytesIO(cubin)))))
    return file.get_dwarf_info(relocate_dwarf_sections=False)


def _relocated(cubin: bytes, file: Any) -> bytes:
    """The object with the addends of relocations of debug information in their places.

    pyelftools relocates for no GPU. Addresses that are in place already (`SHT_REL`) stay.
    """
    data = bytearray(cubin)
    for section in file.iter_sections():
        if section["sh_type"] != "SHT_RELA" or not section.name.startswith(".rela.debug_"):
            continue
        base = file.get_section(section["sh_info"])["sh_offset"]
        for relocation in section.iter_relocations():
            size = _RELOCATION_BYTES.get(relocation["r_info_type"])
            if size is not None:
                at = base + relocation["r_offset"]
                data[at : at + size] = relocation["r_addend"].to_bytes(size, "little")
    return bytes(data)


def variables(cubin: bytes) -> list[Variable]:
    """The variables and parameters, sorted."""
    found: list[Variable] = []
    for unit in dwarf_of(cubin).iter_CUs():
        _collect(unit.get_top_DIE(), "", found)
    return sorted(found)


def lines(cubin: bytes, *, with_units: bool = True) -> dict[str, set[int]]:
    """The lines of each source file, by its name, that code comes from.

    Arguments:
        with_units: the object describes more than lines.
    """
    found: dict[str, set[int]] = {}
    dwarf = dwarf_of(cubin)
    program: Any
    if with_units:
        program = dwarf.line_program_for_CU(next(iter(dwarf.iter_CUs())))
    else:
        from elftools.dwarf.structs import DWARFStructs  # pyright: ignore[reportMissingTypeStubs]

        structs: Any = DWARFStructs(
            little_endian=True, dwarf_format=32, address_size=8, dwarf_version=2
        )
        program = dwarf._parse_line_program_at_offset(0, structs)
    files = program["file_entry"]
    for entry in program.get_entries():
        state = entry.state
        if state is not None and not state.end_sequence and 0 < state.file <= len(files):
            name = files[state.file - 1].name.decode()
            found.setdefault(Path(name).name, set()).add(state.line)
    return found


def _collect(die: Any, function: str, found: list[Variable]) -> None:
    tag = die.tag
    if tag == "DW_TAG_subprogram" and "DW_AT_inline" not in die.attributes:
        function = _name(die)
    elif tag == "DW_TAG_inlined_subroutine":
        function += "/" + _name(die)
    if tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
        type_ = _type(_referred(die, "DW_AT_type"))
        parameter = tag == "DW_TAG_formal_parameter"
        place = "value" if "DW_AT_const_value" in die.attributes else _place(die)
        found.append(Variable(function, _name(die), type_, place, parameter))
    if tag == "DW_TAG_subroutine_type" or (
        tag == "DW_TAG_subprogram" and "DW_AT_inline" in die.attributes
    ):
        return
    for child in die.iter_children():
        _collect(child, function, found)


def _referred(die: Any, attribute: str) -> Any:
    """The entry that an attribute refers to, an abstract one asked too; None where there is none."""
    while attribute not in die.attributes:
        for other in ("DW_AT_abstract_origin", "DW_AT_specification"):
            if other in die.attributes:
                die = die.get_DIE_from_attribute(other)
                break
        else:
            return None
    return die.get_DIE_from_attribute(attribute)


def _name(die: Any) -> str:
    while die is not None and "DW_AT_name" not in die.attributes:
        for other in ("DW_AT_abstract_origin", "DW_AT_specification"):
            if other in die.attributes:
                die = die.get_DIE_from_attribute(other)
                break
        else:
            return ""
    return "" if die is None else die.attributes["DW_AT_name"].value.decode()


@dataclass(frozen=True)
class Stretch:
    """A stretch of code in which a variable that moves is somewhere.

    Arguments:
        begin, end: its addresses, from the start of the function's section.
        expression: the location expression, as DWARF has it.
    """

    begin: int
    end: int
    expression: bytes


def stretches(die: Any) -> list[Stretch]:
    """The location list of a variable's entry; empty where it has none."""
    stated = die.attributes.get("DW_AT_location")
    if stated is None or stated.form != _LIST:
        return []
    entries = die.dwarfinfo.location_lists().get_location_list_at_offset(stated.value, die)
    return [Stretch(e.begin_offset, e.end_offset, bytes(e.loc_expr)) for e in entries]


_LIST = "DW_FORM_data4"
"""The form of a place in `.debug_loc`."""

_REGX = 0x90
_STACK_VALUE = 0x9F


def _place(die: Any) -> str:
    location = die.attributes.get("DW_AT_location")
    if location is None or location.value == []:
        return ""
    stated = die.attributes.get("DW_AT_address_class")
    memory = PLACES.get(stated.value, "?") if stated is not None else "?"
    if location.form != _LIST:
        return "value" if location.value[-1] == _STACK_VALUE else memory
    # ptxas makes nothing of labels where no code is left: a list may be empty.
    moving = stretches(die)
    kinds = [_kind(stretch.expression, memory) for stretch in moving]
    return ", ".join(dict.fromkeys(kinds))


def _kind(expression: bytes, memory: str) -> str:
    if expression[-1] == _STACK_VALUE:
        return "value"
    return "register" if expression[0] == _REGX else memory


_PREFIXES = {"DW_TAG_const_type": "const", "DW_TAG_volatile_type": "volatile"}
_SUFFIXES = {"DW_TAG_pointer_type": " *", "DW_TAG_reference_type": " &"}


def _type(die: Any) -> str:
    if die is None:
        return "void"
    inner = _referred(die, "DW_AT_type")
    if die.tag in _PREFIXES:
        return f"{_PREFIXES[die.tag]} {_type(inner)}"
    if die.tag in _SUFFIXES:
        return _type(inner) + _SUFFIXES[die.tag]
    if die.tag == "DW_TAG_array_type":
        sizes = [child.attributes for child in die.iter_children()]
        counts = [
            a["DW_AT_count"].value
            if "DW_AT_count" in a
            else a["DW_AT_upper_bound"].value + 1
            if "DW_AT_upper_bound" in a
            else ""
            for a in sizes
        ]
        return _type(inner) + "".join(f"[{count}]" for count in counts)
    if die.tag == "DW_TAG_subroutine_type":
        return f"{_type(inner)} ()"
    return _name(die)
