"""Functions, variables and their parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self, cast

from xdsl.dialects.builtin import ArrayAttr, BytesAttr, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, OpTraits, Region
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import (
    defined_name,
    int_property,
    integers_of,
    number_of,
    string_of,
    text_property,
)
from nvvm_xdsl.dialects.llvm.types import I8, I32, I64, UNIT, int_attr, string
from nvvm_xdsl.dialects.nvptx.forms import bits_of, is_type
from nvvm_xdsl.dialects.nvptx.instructions import MachineOp
from nvvm_xdsl.dialects.nvptx.interning import InternedAttr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition

ParamData = tuple[str, int, int, str, str, int]

UNSIZED: Final = -1
"""The number of elements of an array whose size each call states: the variable arguments of a function
(PTX ISA 9.1, section 11.7.2, ".func", unsized array parameters)."""

NOALIAS: Final = "nvptx.noalias"
"""Discardable attribute of a kernel: the indices of pointer parameters whose memory is accessed
only through them, `array<i32: ...>`."""


@irdl_attr_definition
class ParamAttr(InternedAttr[ParamData]):
    """A parameter: `#nvptx.param<b64, name = "f_param_0", ptr = global, ptr_align = 16>`.

    The data are the PTX type (`b32`, or `b8` for an array of bytes), the number of elements (0
    for a scalar, `UNSIZED` for `b8 x ?`), the alignment (0 for the type's own), the name, and for pointers of kernels
    the space and alignment of the memory that they point to.
    """

    name = "nvptx.param"

    @property
    def type_(self) -> str:
        """The PTX type of an element."""
        return self.data[0]

    @property
    def count(self) -> int:
        """The number of elements, 0 for a scalar, `UNSIZED` if calls state it."""
        return self.data[1]

    @property
    def align(self) -> int:
        """The alignment in bytes; 0 for the type's alignment."""
        return self.data[2]

    @property
    def param_name(self) -> str:
        """The parameter's name, empty in prototypes."""
        return self.data[3]

    @property
    def size(self) -> int:
        """The size in bytes; 0 if calls state it."""
        return bits_of(self.type_) // 8 * (max(self.count, 0) if self.count else 1)

    def declaration(self, name: str | None = None) -> str:
        """The declaration in PTX, with another name if one is given."""
        type_, count, align, own_name, space, pointee_align = self.data
        words = [".param"]
        if align:
            words.append(f".align {align}")
        words.append(f".{type_}")
        if space or pointee_align:
            words.append(".ptr")
            if space:
                words.append(f".{space}")
            words.append(f".align {pointee_align or 1}")
        extent = "[]" if count == UNSIZED else f"[{count}]" if count else ""
        words.append((own_name if name is None else name) + extent)
        return " ".join(words)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ParamData:
        parser.parse_punctuation("<")
        place = parser.pos
        type_ = parser.parse_identifier()
        if not is_type(type_):
            parser.raise_error(f"'{type_}' is not a PTX type", place, parser.pos)
        count = 0
        if parser.parse_optional_keyword("x") is not None:
            unsized = parser.parse_optional_punctuation("?") is not None
            count = (
                UNSIZED
                if unsized
                else parser.parse_integer(allow_boolean=False, allow_negative=False)
            )
        found: dict[str, Any] = {}
        while parser.parse_optional_punctuation(">") is None:
            parser.parse_punctuation(",")
            key = parser.parse_identifier()
            parser.parse_punctuation("=")
            if key in ("align", "ptr_align"):
                found[key] = parser.parse_integer(allow_boolean=False, allow_negative=False)
            elif key == "name":
                found[key] = parser.parse_str_literal()
            elif key == "ptr":
                found[key] = parser.parse_identifier()
            else:
                parser.raise_error(f"a parameter has no '{key}'")
        return (
            type_,
            count,
            found.get("align", 0),
            found.get("name", ""),
            found.get("ptr", ""),
            found.get("ptr_align", 0),
        )

    def print_parameter(self, printer: Printer) -> None:
        type_, count, align, name, space, pointee_align = self.data
        with printer.in_angle_brackets():
            extent = "?" if count == UNSIZED else count
            printer.print_string(type_ + (f" x {extent}" if count else ""))
            if align:
                printer.print_string(f", align = {align}")
            if name:
                printer.print_string(", name = ")
                printer.print_string_literal(name)
            if space:
                printer.print_string(f", ptr = {space}")
            if pointee_align:
                printer.print_string(f", ptr_align = {pointee_align}")


def param(
    type_: str,
    count: int = 0,
    align: int = 0,
    name: str = "",
    space: str = "",
    pointee_align: int = 0,
) -> ParamAttr:
    """A parameter; `count` elements if that is not 0, or `UNSIZED`."""
    return ParamAttr((type_, count, align, name, space, pointee_align))


PieceData = tuple[int, int, str]


@irdl_attr_definition
class PieceAttr(InternedAttr[PieceData]):
    """The location of an operand or result of a call: `#nvptx.piece<0, 8, "v2.b32">`.

    The parameter's index, the offset in bytes, and the type of the store or load; `v2.b32` covers
    two operands.
    """

    name = "nvptx.piece"

    @property
    def param(self) -> int:
        """The index of the parameter."""
        return self.data[0]

    @property
    def offset(self) -> int:
        """The offset in the parameter."""
        return self.data[1]

    @property
    def type_(self) -> str:
        """The modifiers of the load or store."""
        return self.data[2]

    @property
    def size(self) -> int:
        """The number of operands or results that it covers."""
        word = self.data[2].partition(".")[0]
        return int(word[1:]) if word[0] == "v" else 1

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> PieceData:
        with parser.in_angle_brackets():
            number = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(",")
            offset = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(",")
            return number, offset, parser.parse_str_literal()

    def print_parameter(self, printer: Printer) -> None:
        number, offset, type_ = self.data
        with printer.in_angle_brackets():
            printer.print_string(f"{number}, {offset}, ")
            printer.print_string_literal(type_)


def piece(number: int, offset: int, type_: str) -> PieceAttr:
    """A piece of parameter `number` at byte `offset`."""
    return PieceAttr((number, offset, type_))


RelocationData = tuple[int, str, int, bool, int]

ADDRESS_BYTES = 8
"""The size of an address, the maximum number of bytes of one in a variable."""


@irdl_attr_definition
class RelocationAttr(InternedAttr[RelocationData]):
    """A 64-bit address in a variable: `#nvptx.reloc<8, @table + 16, generic>`.

    The byte offset in the variable, the symbol, the addend, whether the address is generic, and the
    number of its low bytes in the variable: `#nvptx.reloc<8, low 4 @table>` has four.
    """

    name = "nvptx.reloc"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> RelocationData:
        with parser.in_angle_brackets():
            place = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(",")
            size = ADDRESS_BYTES
            if parser.parse_optional_keyword("low") is not None:
                size = parser.parse_integer(allow_boolean=False, allow_negative=False)
                if not 0 < size <= ADDRESS_BYTES:
                    parser.raise_error(f"an address has 1 to {ADDRESS_BYTES} bytes, not {size}")
            symbol = parser.parse_symbol_name().data
            addend = 0
            if parser.parse_optional_punctuation("+") is not None:
                addend = parser.parse_integer(allow_boolean=False)
            elif parser.parse_optional_punctuation("-") is not None:
                addend = -parser.parse_integer(allow_boolean=False)
            generic = parser.parse_optional_punctuation(",") is not None
            if generic:
                parser.parse_keyword("generic")
            return place, symbol, addend, generic, size

    def print_parameter(self, printer: Printer) -> None:
        place, symbol, addend, generic, size = self.data
        with printer.in_angle_brackets():
            printer.print_string(f"{place}, ")
            if size != ADDRESS_BYTES:
                printer.print_string(f"low {size} ")
            printer.print_symbol_name(symbol)
            if addend:
                printer.print_string(f" + {addend}" if addend > 0 else f" - {-addend}")
            if generic:
                printer.print_string(", generic")


def relocation(
    place: int, symbol: str, addend: int = 0, *, generic: bool = True, size: int = ADDRESS_BYTES
) -> RelocationAttr:
    """The low `size` bytes of the address of `symbol` plus `addend` at byte offset `place`."""
    return RelocationAttr((place, symbol, addend, generic, size))


class SymbolOp(Operation):
    """Base of ops at the top level of a module."""

    traits = OpTraits(lambda: (SymbolOpInterface(),))

    known_properties: frozenset[str] = frozenset()

    @property
    def symbol(self) -> str:
        """The name in PTX."""
        return defined_name(self)

    @property
    def linkage(self) -> str:
        """`visible`, `extern`, `weak`, `common`, or empty for a module-local name."""
        return string_of(self.properties.get("linkage")) or ""

    def checked_integer(self, name: str) -> int | None:
        """The value of an integer property; None if absent. Raises VerifyException."""
        found = self.properties.get(name)
        if found is None:
            return None
        if type(found) is not IntegerAttr:
            raise VerifyException(
                f"the property '{name}' of {self.name} is an integer, not {found}"
            )
        return number_of(found)

    def verify_(self) -> None:
        if not isinstance(self.properties.get("sym_name"), StringAttr):
            raise VerifyException(f"{self.name} needs a string property 'sym_name'")
        for name in self.properties:
            if name not in self.known_properties:
                raise VerifyException(f"{self.name} has no property '{name}'")
        if self.linkage not in _LINKAGES:
            raise VerifyException(f"{self.name} has unknown linkage '{self.linkage}'")

    def _print_properties(self, printer: Printer, shown: Sequence[str]) -> None:
        rest = {k: v for k, v in self.properties.items() if k not in shown}
        if rest:
            printer.print_string(" <")
            printer.print_attr_dict(rest)
            printer.print_string(">")
        if self.attributes:
            printer.print_op_attributes(self.attributes, print_keyword=True)


_LINKAGES: Final = frozenset({"", "visible", "extern", "weak", "common"})

DIRECTIVES: Final[tuple[str, ...]] = (
    "maxntid",
    "reqntid",
    "minnctapersm",
    "maxnreg",
    "explicitcluster",
    "reqnctapercluster",
    "maxclusterrank",
    "blocksareclusters",
    "noreturn",
    "abi_preserve",
    "abi_preserve_control",
)
"""Performance-tuning and cluster directives in the order in which they are printed."""


def _parse_properties(parser: Parser) -> dict[str, Attribute]:
    return dict(parser.parse_optional_properties_dict())


def _parse_attributes(parser: Parser) -> dict[str, Attribute]:
    attributes = parser.parse_optional_attr_dict_with_keyword()
    return {} if attributes is None else dict(attributes.data)


class WithSignature(Operation):
    """Base of ops with the parameters and the result of a function."""

    @property
    def params(self) -> tuple[ParamAttr, ...]:
        """The parameters."""
        found = self.properties.get("params")
        return cast("ArrayAttr[ParamAttr]", found).data if found is not None else ()

    @property
    def ret(self) -> ParamAttr | None:
        """The result; None for a function that returns nothing."""
        return cast("ParamAttr | None", self.properties.get("ret"))


class FuncOp(WithSignature, SymbolOp):
    """A function, or with `kernel` an entry point; without a body a declaration.

        nvptx.func kernel visible @scale(#nvptx.param<b64, name = "scale_param_0">) { ... }

    Parameters are read by `nvptx.ld param.b64 [@scale_param_0]`; a result is stored to
    `func_retval0`. Directives are properties: `maxntid`, `reqntid` and `reqnctapercluster` are
    `array<i32: ...>`; `minnctapersm`, `maxnreg`, `maxclusterrank`, `abi_preserve` and
    `abi_preserve_control` integers; `explicitcluster`, `blocksareclusters` and `noreturn` units.
    """

    name = "nvptx.func"
    traits = OpTraits(lambda: (SymbolOpInterface(), IsolatedFromAbove()))
    known_properties = frozenset({"sym_name", "linkage", "kernel", "params", "ret", *DIRECTIVES})

    @property
    def is_kernel(self) -> bool:
        """True if the function is an `.entry`."""
        return "kernel" in self.properties

    @property
    def body(self) -> Region:
        """The body; empty in a declaration."""
        return self.regions[0]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("kernel") is not None:
            properties["kernel"] = UNIT
        for word in ("visible", "extern", "weak"):
            if parser.parse_optional_keyword(word) is not None:
                properties["linkage"] = string(word)
                break
        properties["sym_name"] = parser.parse_symbol_name()
        params = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_attribute)
        if params:
            properties["params"] = ArrayAttr(params)
        if parser.parse_optional_punctuation("->") is not None:
            properties["ret"] = parser.parse_attribute()
        properties.update(_parse_properties(parser))
        attributes = _parse_attributes(parser)
        region = parser.parse_optional_region()
        return cls.create(
            properties=properties,
            attributes=attributes,
            regions=[Region() if region is None else region],
        )

    def print(self, printer: Printer) -> None:
        if self.is_kernel:
            printer.print_string(" kernel")
        if self.linkage:
            printer.print_string(f" {self.linkage}")
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol)
        with printer.in_parens():
            printer.print_list(self.params, printer.print_attribute)
        if self.ret is not None:
            printer.print_string(" -> ")
            printer.print_attribute(self.ret)
        self._print_properties(printer, ("kernel", "linkage", "sym_name", "params", "ret"))
        if self.body.first_block is not None:
            printer.print_string(" ")
            printer.print_region(self.body)

    def verify_(self) -> None:
        super().verify_()
        if len(self.regions) != 1:
            raise VerifyException(f"{self.name} has one region")
        params: Attribute = self.properties.get("params", ArrayAttr(()))
        ret = self.properties.get("ret")
        if not isinstance(params, ArrayAttr) or not all(
            isinstance(p, ParamAttr) for p in cast("ArrayAttr[Attribute]", params)
        ):
            raise VerifyException(f"parameters of {self.name} must be #nvptx.param")
        if ret is not None and not isinstance(ret, ParamAttr):
            raise VerifyException(f"the result of {self.name} must be #nvptx.param")
        if self.is_kernel and self.ret is not None:
            raise VerifyException("a kernel returns nothing")
        sized = self.params if self.is_kernel else self.params[:-1]
        if any(p.count == UNSIZED for p in sized):
            raise VerifyException("only the last parameter of a device function can lack a size")
        for number in integers_of(self.attributes.get(NOALIAS)):
            if not 0 <= number < len(self.params):
                raise VerifyException(
                    f"{NOALIAS} names parameter {number}, {self.symbol} has {len(self.params)}"
                )
        entry = self.body.first_block
        if entry is not None and entry.args:
            raise VerifyException(f"the entry block of {self.name} has no arguments")


def func(
    name: str,
    params: Sequence[ParamAttr] = (),
    ret: ParamAttr | None = None,
    body: Region | None = None,
    *,
    kernel: bool = False,
    linkage: str = "",
    directives: Mapping[str, Attribute] | None = None,
    location: Any = fast.UNKNOWN_LOC,
) -> FuncOp:
    """A new, detached function."""
    properties: dict[str, Attribute] = {"sym_name": string(name)}
    if kernel:
        properties["kernel"] = UNIT
    if linkage:
        properties["linkage"] = string(linkage)
    if params:
        properties["params"] = ArrayAttr(params)
    if ret is not None:
        properties["ret"] = ret
    properties.update(directives or {})
    region = Region() if body is None else body
    return fast.create(FuncOp, (), (), properties, (), None, location, (region,))


MAX_ALIGNMENT: Final = 1 << 23
"""Maximum alignment of a variable in bytes, as in NVVM's verifier for allocas."""


class GlobalOp(SymbolOp):
    """A variable of the module.

        nvptx.global visible @table "const" "b32" x 4 <{align = 4 : i32, init = array<i8: ...>}>

    Properties: `space` (`global`, `shared`, `const`), `type` (the PTX type of an element),
    `count` (absent for a scalar, 0 for an array of unknown size), `align`, `init` (the bytes,
    `array<i8: ...>`; absent for zero), `relocs` (#nvptx.reloc, sorted by place), `managed`, and
    `kind` (`texref`, `samplerref`, `surfref`) in place of a type.
    """

    name = "nvptx.global"
    known_properties = frozenset(
        {
            "sym_name",
            "linkage",
            "space",
            "type",
            "count",
            "align",
            "init",
            "relocs",
            "managed",
            "kind",
        }
    )

    @property
    def space(self) -> str:
        """The state space."""
        return text_property(self, "space")

    @property
    def element_type(self) -> str:
        """The PTX type of an element."""
        return text_property(self, "type")

    @property
    def count(self) -> int | None:
        """The number of elements, None for a scalar, 0 for an array of unknown size."""
        return self.checked_integer("count")

    @property
    def size(self) -> int:
        """The size in bytes, 0 for an array of unknown size."""
        return bits_of(self.element_type) // 8 * (1 if self.count is None else self.count)

    @property
    def init(self) -> bytes | None:
        """The initial bytes, None for zero."""
        found = self.properties.get("init")
        return None if found is None else cast("DenseArrayBase[Any]", found).data.data

    @property
    def relocations(self) -> tuple[RelocationAttr, ...]:
        """The addresses among the initial bytes."""
        found = self.properties.get("relocs")
        return cast("ArrayAttr[RelocationAttr]", found).data if found is not None else ()

    @property
    def splits_addresses(self) -> bool:
        """True if PTX can only express the addresses byte by byte, with masks.

        Others are elements of 64 bits.
        """
        places = [place for relocation in self.relocations for place in relocation.data[::4]]
        if not places:
            return False
        places.append(0 if bits_of(self.element_type) == 64 else len(self.init or b""))
        return any(place % ADDRESS_BYTES for place in places)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        for word in ("visible", "extern", "weak", "common"):
            if parser.parse_optional_keyword(word) is not None:
                properties["linkage"] = string(word)
                break
        properties["sym_name"] = parser.parse_symbol_name()
        properties["space"] = string(parser.parse_str_literal())
        properties["type"] = string(parser.parse_str_literal())
        if parser.parse_optional_keyword("x") is not None:
            count = parser.parse_integer(allow_boolean=False, allow_negative=False)
            properties["count"] = int_attr(count, I64)
        properties.update(_parse_properties(parser))
        return cls.create(properties=properties, attributes=_parse_attributes(parser))

    def print(self, printer: Printer) -> None:
        if self.linkage:
            printer.print_string(f" {self.linkage}")
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol)
        printer.print_string(" ")
        printer.print_string_literal(self.space)
        printer.print_string(" ")
        printer.print_string_literal(self.element_type)
        if self.count is not None:
            printer.print_string(f" x {self.count}")
        self._print_properties(printer, ("linkage", "sym_name", "space", "type", "count"))

    def verify_(self) -> None:
        super().verify_()
        for name in ("space", "type"):
            if not isinstance(self.properties.get(name), StringAttr):
                raise VerifyException(f"{self.name} needs a string property '{name}'")
        if self.space not in ("global", "shared", "const"):
            raise VerifyException(f"{self.name} cannot be in space '{self.space}'")
        if self.count is not None and self.count < 0:
            raise VerifyException(f"@{self.symbol} has {self.count} elements")
        align = self.checked_integer("align")
        if align is not None and not is_alignment(align):
            raise VerifyException(f"@{self.symbol} has a wrong alignment")
        init = self.init
        if init is not None:
            if self.space == "shared":
                raise VerifyException("shared memory has no initial value")
            if len(init) != self.size:
                raise VerifyException(
                    f"@{self.symbol} is {self.size} bytes large, its initial value {len(init)}"
                )
        for place, symbol, _, _, size in (relocation.data for relocation in self.relocations):
            if place + size > len(init or b""):
                raise VerifyException(
                    f"the address of @{symbol} is not within the initial value of @{self.symbol}"
                )


def global_variable(
    name: str,
    space: str,
    type_: str,
    count: int | None = None,
    *,
    align: int = 0,
    linkage: str = "",
    init: bytes | None = None,
    relocations: Sequence[RelocationAttr] = (),
    managed: bool = False,
    kind: str = "",
) -> GlobalOp:
    """A new, detached variable; see `GlobalOp` for the arguments."""
    properties: dict[str, Attribute] = {
        "sym_name": string(name),
        "space": string(space),
        "type": string(type_),
    }
    if linkage:
        properties["linkage"] = string(linkage)
    if count is not None:
        properties["count"] = int_attr(count, I64)
    if align:
        properties["align"] = int_attr(align, I32)
    if init is not None:
        properties["init"] = DenseArrayBase(I8, BytesAttr(init))
    if relocations:
        properties["relocs"] = ArrayAttr(relocations)
    if managed:
        properties["managed"] = UNIT
    if kind:
        properties["kind"] = string(kind)
    return fast.create(GlobalOp, (), (), properties)


class LocalOp(MachineOp):
    """An array of bytes in the thread's local memory: `nvptx.local @depot 16 align 8`.

    Placed in the entry block. `nvptx.mov b64 @depot` is its address in the local space.
    """

    name = "nvptx.local"
    traits = OpTraits(lambda: ())

    @property
    def symbol(self) -> str:
        """The name."""
        return defined_name(self)

    @property
    def size(self) -> int:
        """The size in bytes."""
        return int_property(self, "size")

    @property
    def align(self) -> int:
        """The alignment in bytes."""
        return int_property(self, "align")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        name = parser.parse_symbol_name()
        size = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_keyword("align")
        align = parser.parse_integer(allow_boolean=False, allow_negative=False)
        return cls.create(
            properties={
                "sym_name": name,
                "size": int_attr(size, I64),
                "align": int_attr(align, I32),
            }
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.symbol)
        printer.print_string(f" {self.size} align {self.align}")

    def verify_(self) -> None:
        if self.properties.keys() != {"sym_name", "size", "align"}:
            raise VerifyException(f"{self.name} has the properties sym_name, size and align")
        for name in ("size", "align"):
            number = self.properties[name]
            if not isinstance(number, IntegerAttr):
                raise VerifyException(f"'{name}' is an integer, not {number}")
        if self.size <= 0 or not is_alignment(self.align):
            raise VerifyException(f"@{self.symbol} has a wrong size or alignment")


def is_alignment(number: int) -> bool:
    """Returns True if a variable may be aligned to a number of bytes."""
    return 0 < number <= MAX_ALIGNMENT and not number & (number - 1)


def local_variable(name: str, size: int, align: int) -> LocalOp:
    """A new, detached `nvptx.local`."""
    return fast.create(
        LocalOp,
        (),
        (),
        {"sym_name": string(name), "size": int_attr(size, I64), "align": int_attr(align, I32)},
    )
