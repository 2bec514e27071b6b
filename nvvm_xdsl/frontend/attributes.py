"""Attributes of functions, parameters, calls and globals (LLVM Language Reference, "Parameter
Attributes", "Function Attributes"), and their MLIR equivalents.

Unknown attributes are ignored: LLVM adds some with every release, and they do not change the
meaning of a program.
"""

from __future__ import annotations

import re

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerType, StringAttr
from xdsl.dialects.llvm import FramePointerKind, FramePointerKindAttr, FuncOp, TargetFeaturesAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.effects import COLD, NODUPLICATE
from nvvm_xdsl.dialects.llvm.accessors import memory_effects_of
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr, UWTableKindAttr
from nvvm_xdsl.dialects.llvm.function_attributes import (
    DENORMAL_FP_MATH,
    DENORMAL_FP_MATH_F32,
    DENORMAL_MODES,
    has_function_attribute,
)
from nvvm_xdsl.dialects.llvm.setters import set_memory_effects
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, UNIT, dense_i32, int_attr, string
from nvvm_xdsl.dialects.nvvm.kernel import MAX_BOUND
from nvvm_xdsl.frontend.constant_expressions import ConstantExpressionReader
from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.types import is_first_class, is_integer

_GROUP = re.compile(r"\battributes\s+(#[0-9]+)(?=\s*=)", re.ASCII)
_WORD = re.compile(r"(?![fsu]0x[0-9a-fA-F])[a-zA-Z_][\w.]*", re.ASCII)

GRID_CONSTANT = "nvvm.grid_constant"

TYPE_ATTRIBUTES = frozenset({"byval", "byref", "sret", "elementtype", "inalloca", "preallocated"})
_INT_ATTRIBUTES = frozenset({"align", "dereferenceable", "dereferenceable_or_null", "alignstack"})
_MLIR_PARAMETER = frozenset(
    "align alignstack allocalign allocptr byref byval dereferenceable dereferenceable_or_null "
    "elementtype inalloca inreg nest noalias nofree nonnull noundef preallocated readnone "
    "readonly returned signext sret writeonly zeroext range nocapture".split()
)
"""Parameter attributes that MLIR has; it loses the others."""

_NOT_ATTRIBUTES = frozenset(
    "true false null none undef poison zeroinitializer splat blockaddress dso_local_equivalent "
    "no_cfi asm getelementptr bitcast addrspacecast ptrtoint ptrtoaddr inttoptr trunc zext sext "
    "fptrunc fpext fptoui fptosi uitofp sitofp add sub mul shl lshr ashr and or xor udiv sdiv "
    "urem srem fadd fsub fmul fdiv frem fneg icmp fcmp select extractelement insertelement "
    "shufflevector extractvalue insertvalue c void half bfloat float double x86_fp80 fp128 "
    "ppc_fp128 x86_mmx x86_amx ptr label metadata token target addrspace".split()
)
"""Words that start a type or a value: attributes end before them."""

_INTEGER_TYPE = re.compile(r"[ib][0-9]+", re.ASCII)

WORD_PROPERTIES = {
    "convergent": "convergent",
    "nounwind": "no_unwind",
    "willreturn": "will_return",
    "noinline": "no_inline",
    "alwaysinline": "always_inline",
    "inlinehint": "inline_hint",
    "optnone": "optimize_none",
}
"""Function attributes that MLIR has as properties."""

CALL_PROPERTIES = frozenset(
    {"convergent", "no_unwind", "will_return", "no_inline", "always_inline", "inline_hint"}
)

_INHERITED = ("convergent", "no_unwind")

PASSTHROUGH = frozenset(
    "cold disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable jumptable "
    "minsize mustprogress naked nobuiltin nocallback nocf_check noduplicate nofree "
    "noimplicitfloat nomerge nonlazybind noprofile norecurse noredzone noreturn "
    "nosanitize_bounds nosanitize_coverage nosync null_pointer_is_valid optforfuzzing optsize "
    "presplitcoroutine returns_twice safestack sanitize_address sanitize_hwaddress "
    "sanitize_memory sanitize_thread shadowcallstack skipprofile speculatable "
    "speculative_load_hardening ssp sspreq sspstrong strictfp".split()
)
_FLAG_WORDS = (
    frozenset(WORD_PROPERTIES)
    | PASSTHROUGH
    | {
        "readnone",
        "readonly",
        "writeonly",
        "argmemonly",
        "inaccessiblememonly",
        "inaccessiblemem_or_argmemonly",
        "builtin",
        "uwtable",
        "noalias",
    }
)
_ARGUMENT_WORDS = frozenset(
    {"memory", "allockind", "allocsize", "vscale_range", "alignstack", "denormal_fpenv"}
)

STRING_PROPERTIES = {
    "target-cpu": "target_cpu",
    "tune-cpu": "tune_cpu",
    "denormal-fp-math": "denormal_fp_math",
    "denormal-fp-math-f32": "denormal_fp_math_f32",
    "fp-contract": "fp_contract",
    "instrument-function-entry": "instrument_function_entry",
    "instrument-function-exit": "instrument_function_exit",
    "prefer-vector-width": "prefer_vector_width",
    "reciprocal-estimates": "reciprocal_estimates",
}
BOOL_PROPERTIES = {
    "no-infs-fp-math": "no_infs_fp_math",
    "no-nans-fp-math": "no_nans_fp_math",
    "no-signed-zeros-fp-math": "no_signed_zeros_fp_math",
}
KERNEL_LISTS = {
    "nvvm.maxntid": "nvvm.maxntid",
    "nvvm.reqntid": "nvvm.reqntid",
    "nvvm.cluster_dim": "nvvm.cluster_dim",
}
KERNEL_INTS = {
    "nvvm.minctasm": "nvvm.minctasm",
    "nvvm.maxnreg": "nvvm.maxnreg",
    "nvvm.maxclusterrank": "nvvm.cluster_max_blocks",
}

MEMORY_FIELDS = ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1")
MEMORY_LOCATIONS = {
    "argmem": "argMem",
    "inaccessiblemem": "inaccessibleMem",
    "errnomem": "errnoMem",
    "target_mem0": "targetMem0",
    "target_mem1": "targetMem1",
}
_MEMORY_ACCESS = {"none": 0, "read": 1, "write": 2, "readwrite": 3}
_ACCESS_NAMES = ("none", "read", "write", "readwrite")

Memory = tuple[int, int, int, int, int, int]
ALL_MEMORY: Memory = (3, 3, 3, 3, 3, 3)


class FunctionAttributes:
    """The attributes of a function or call."""

    __slots__ = ("alignment", "alignstack", "memory", "strings", "unwind", "words")

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.strings: dict[str, str | None] = {}
        self.memory: Memory = ALL_MEMORY
        self.unwind = ""
        self.alignstack = 0
        self.alignment = 0

    def merge(self, other: FunctionAttributes) -> None:
        """Adds the attributes of a group."""
        self.words |= other.words
        self.strings.update(other.strings)
        self.restrict(other.memory)
        self.unwind = other.unwind or self.unwind
        self.alignstack = other.alignstack or self.alignstack
        self.alignment = other.alignment or self.alignment

    def restrict(self, memory: Memory) -> None:
        """Intersects the memory effects with `memory`."""
        a, b = self.memory, memory
        self.memory = (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3], a[4] & b[4], a[5] & b[5])

    def effective_memory(self) -> Memory:
        """The memory effects, including those of LLVM 15's keywords."""
        words = self.words
        memory = self.memory
        limit = 3
        if "readnone" in words:
            limit = 0
        if "readonly" in words:
            limit &= 1
        if "writeonly" in words:
            limit &= 2
        places = (1, 1, 1, 1, 1, 1)
        if "argmemonly" in words:
            places = (0, 1, 0, 0, 0, 0)
        elif "inaccessiblememonly" in words:
            places = (0, 0, 1, 0, 0, 0)
        elif "inaccessiblemem_or_argmemonly" in words:
            places = (0, 1, 1, 0, 0, 0)
        m = [access & limit if place else 0 for access, place in zip(memory, places)]
        return (m[0], m[1], m[2], m[3], m[4], m[5])


_memory_attributes: dict[Memory, Attribute] = {}


def memory_attribute(memory: Memory) -> Attribute:
    """`#llvm.memory_effects<...>`."""
    found = _memory_attributes.get(memory)
    if found is None:
        fields = {name: _ACCESS_NAMES[access] for name, access in zip(MEMORY_FIELDS, memory)}
        found = _memory_attributes[memory] = MemoryEffectsAttr.of(**fields)
    return found


def inherit_from_callee(call: Operation, callee: FuncOp) -> None:
    """Adds attributes of the called function to a direct call."""
    for name in _INHERITED:
        if name in callee.properties:
            call.properties[name] = UNIT
    theirs = memory_effects_of(callee)
    if theirs is not None:
        own = memory_effects_of(call)
        both = theirs if own is None else memory_attribute(_both(own, theirs))
        set_memory_effects(call, both)
    if has_function_attribute(callee, NODUPLICATE):
        call.attributes[NODUPLICATE] = UNIT


def discardable_attributes(attributes: FunctionAttributes | None) -> dict[str, Attribute]:
    """The attributes of a call or inline assembly for which MLIR has no property."""
    if attributes is None:
        return {}
    return {word: UNIT for word in (NODUPLICATE, COLD) if word in attributes.words}


def _both(a: Attribute, b: Attribute) -> Memory:
    m = [_access(a, name) & _access(b, name) for name in MEMORY_FIELDS]
    return (m[0], m[1], m[2], m[3], m[4], m[5])


def _access(effects: Attribute, name: str) -> int:
    assert isinstance(effects, MemoryEffectsAttr)
    value = effects.field(name)
    assert isinstance(value, StringAttr)
    return _MEMORY_ACCESS[value.data]


_dictionaries: dict[tuple[tuple[str, int], ...], DictionaryAttr] = {}
_kept: list[Attribute] = []
EMPTY_DICTIONARY = DictionaryAttr({})


def dictionary(entries: dict[str, Attribute]) -> DictionaryAttr:
    """A dictionary attribute, its keys sorted, one object for equal ones."""
    if not entries:
        return EMPTY_DICTIONARY
    names = sorted(entries)
    key = tuple([(name, id(entries[name])) for name in names])
    found = _dictionaries.get(key)
    if found is None:
        found = _dictionaries[key] = DictionaryAttr({name: entries[name] for name in names})
        _kept.append(found)
    return found


def argument_attributes(all_: list[DictionaryAttr]) -> ArrayAttr[DictionaryAttr] | None:
    """`arg_attrs` of a function or call; None when there are none."""
    for attributes in all_:
        if attributes is not EMPTY_DICTIONARY:
            return ArrayAttr(all_)
    return None


def call_properties(attributes: FunctionAttributes) -> dict[str, Attribute]:
    """The properties of a call for its attributes."""
    properties: dict[str, Attribute] = {}
    for word in attributes.words:
        name = WORD_PROPERTIES.get(word)
        if name in CALL_PROPERTIES:
            properties[name] = UNIT
    memory = attributes.effective_memory()
    if memory != ALL_MEMORY:
        properties["memory_effects"] = memory_attribute(memory)
    return properties


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        part = part.strip()
        if not part.isdecimal() or len(part) > 10:
            return []
        found.append(int(part))
    return found


def kernel_attributes(strings: dict[str, str | None]) -> dict[str, Attribute]:
    """Removes the launch bounds from a function's string attributes; returns them as discardable
    attributes.

    Raises ParseError for an invalid bound.
    """
    found: dict[str, Attribute] = {}
    for name in [name for name in strings if name.startswith("nvvm.")]:
        numbers = _numbers(strings[name] or "")
        if max(numbers, default=0) > MAX_BOUND:
            raise ParseError(f'"{name}" of {max(numbers)}: at most {MAX_BOUND}')
        if name in KERNEL_LISTS and numbers:
            found[KERNEL_LISTS[name]] = dense_i32(numbers)
        elif name in KERNEL_INTS and len(numbers) == 1:
            found[KERNEL_INTS[name]] = int_attr(numbers[0], I32)
        elif name == "nvvm.blocksareclusters":
            found[name] = UNIT
        else:
            continue
        del strings[name]
    return found


def function_properties(attributes: FunctionAttributes) -> dict[str, Attribute]:
    """The properties of `llvm.func` for the attributes of a function, as in MLIR's importer."""
    properties: dict[str, Attribute] = {}
    passthrough: list[Attribute] = []
    for word in sorted(attributes.words):
        name = WORD_PROPERTIES.get(word)
        if name is not None:
            properties[name] = UNIT
        elif word in PASSTHROUGH:
            passthrough.append(string(word))
    if attributes.alignstack:
        passthrough.append(_pair("alignstack", str(attributes.alignstack)))
    for key in sorted(attributes.strings):
        _string_property(key, attributes.strings[key], properties, passthrough)
    memory = attributes.effective_memory()
    if memory != ALL_MEMORY:
        properties["memory_effects"] = memory_attribute(memory)
    if attributes.alignment:
        properties["alignment"] = int_attr(attributes.alignment, I64)
    if attributes.unwind:
        properties["uwtable_kind"] = UWTableKindAttr(string(attributes.unwind))
    if passthrough:
        properties["passthrough"] = ArrayAttr(passthrough)
    return properties


def _pair(key: str, value: str) -> Attribute:
    return ArrayAttr([string(key), string(value)])


def _string_property(
    key: str, value: str | None, properties: dict[str, Attribute], passthrough: list[Attribute]
) -> None:
    if key == "target-features":
        words = [word for word in (value or "").split(",") if word[:1] in ("+", "-")]
        if words:
            features = [string(word) for word in words]
            properties["target_features"] = TargetFeaturesAttr(ArrayAttr(features))
    elif key == "frame-pointer" and value in _FRAME_POINTERS:
        properties["frame_pointer"] = _FRAME_POINTERS[value]
    elif key in BOOL_PROPERTIES:
        properties[BOOL_PROPERTIES[key]] = int_attr(int(value == "true"), I1)
    elif key in STRING_PROPERTIES and value is not None:
        properties[STRING_PROPERTIES[key]] = string(value)
    else:
        passthrough.append(string(key) if not value else _pair(key, value))


_FRAME_POINTERS: dict[str | None, Attribute] = {
    kind.value: FramePointerKindAttr(kind) for kind in FramePointerKind
}


class AttributeReader(ConstantExpressionReader):
    """Reads attributes at the current token."""

    groups: dict[str, FunctionAttributes]
    _group_offsets: dict[str, list[int]]
    _simple: dict[tuple[str, ...], DictionaryAttr]

    def __init__(self, text: str, filename: str) -> None:
        super().__init__(text, filename)
        self.groups = {}
        self._group_offsets = {}
        if "attributes" in text:
            for match in _GROUP.finditer(text):
                self._group_offsets.setdefault(match[1], []).append(match.end())
        self._simple = {}

    def skip_parentheses(self) -> None:
        """Skips `( ... )` with any contents."""
        self.expect("(")
        depth = 1
        while depth:
            self.fill()
            token = self.tokens[self.pos]
            if token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
            elif token == "":
                self.fail_expected("')'")
            self.pos += 1

    def parameter_attributes(self, pointee: Attribute | None) -> DictionaryAttr:
        """The attributes of a parameter, an argument or a result; as MLIR's dictionary."""
        tokens = self.tokens
        start = self.pos
        token = tokens[start]
        if token[:1] in "%,)@" and token:
            return EMPTY_DICTIONARY
        entries: dict[str, Attribute] = {}
        simple = True
        while True:
            if token in _SIMPLE_PARAMETER:
                entries[f"llvm.{token}"] = UNIT
                self.pos += 1
            elif self._is_attribute(token):
                simple = False
                self._parameter_attribute(token, entries, pointee)
            elif token[:1] == '"':
                simple = False
                key, _ = self._string_attribute()
                if key == GRID_CONSTANT:
                    entries[key] = UNIT
            else:
                break
            if len(tokens) - self.pos < 8:
                self.fill()
            token = tokens[self.pos]
        if not simple:
            if "llvm.byval" not in entries:
                entries.pop(GRID_CONSTANT, None)
            return dictionary(entries)
        key = tuple(tokens[start : self.pos])
        found = self._simple.get(key)
        if found is None:
            found = self._simple[key] = dictionary(entries)
        return found

    @staticmethod
    def _is_attribute(token: str) -> bool:
        return (
            _WORD.fullmatch(token) is not None
            and token not in _NOT_ATTRIBUTES
            and _INTEGER_TYPE.fullmatch(token) is None
        )

    def _parameter_attribute(
        self, token: str, entries: dict[str, Attribute], pointee: Attribute | None
    ) -> None:
        self.pos += 1
        name = f"llvm.{token}"
        following = self.tokens[self.pos]
        if token in TYPE_ATTRIBUTES:
            type_ = pointee
            if following == "(":
                self.pos += 1
                place = self.pos
                type_ = self.type_()
                if not is_first_class(type_):
                    self.fail(f"{token} needs the type of a value", place)
                self.expect(")")
            if type_ is None:
                if token in ("inalloca", "preallocated"):
                    return
                self.fail(f"{token} needs a type", self.pos - 1)
            entries[name] = type_
        elif token in _INT_ATTRIBUTES:
            entries[name] = int_attr(self._int_argument(token), I64)
        elif token == "range":
            entries[name] = self._range()
        elif token == "captures":
            self.expect("(")
            if self.tokens[self.pos] == "none" and self.tokens[self.pos + 1] == ")":
                entries["llvm.nocapture"] = UNIT
            self.pos -= 1
            self.skip_parentheses()
        elif following == "(":
            self.skip_parentheses()

    def _int_argument(self, token: str) -> int:
        parenthesized = self.accept("(")
        place = self.pos
        value = self.number()
        if value <= 0 or value >= 1 << 63:
            self.fail(f"invalid value of {token}", place)
        if token in ("align", "alignstack"):
            self.check_alignment(value, place)
        if parenthesized:
            self.expect(")")
        return value

    def check_alignment(self, value: int, place: int) -> None:
        """Fails unless the value is an alignment."""
        if value <= 0 or value & (value - 1) or value > 1 << 32:
            self.fail("an alignment must be a power of two, at most 2^32", place)

    def _range(self) -> Attribute:
        self.expect("(")
        place = self.pos
        type_ = self.type_()
        if not is_integer(type_):
            self.fail(f"range needs an integer type, not {self.spell(type_)}", place)
        low = self.constant(type_)
        self.expect(",")
        high = self.constant(type_)
        self.expect(")")
        if low.kind != "int" or high.kind != "int":
            self.fail("the bounds of a range must be integers", place)
        return range_attribute(type_, low.payload, high.payload)

    def _string_attribute(self) -> tuple[str, str | None]:
        key = self.string()
        if self.accept("="):
            return key, self.string()
        return key, None

    def function_attributes(self, *, group: bool = False) -> FunctionAttributes | None:
        """The attributes after a function's or a call's parameters; None if there are none.

        With `group`, the attributes between the braces of an attribute group.
        """
        tokens = self.tokens
        found: FunctionAttributes | None = None
        while True:
            token = tokens[self.pos]
            first = token[:1]
            if first == "#" and not group:
                if not token[1:].isdecimal():
                    break
                self.pos += 1
                attributes = self.groups.get(token)
                if attributes is None:
                    attributes = self._read_group(token)
                if found is None and tokens[self.pos][:1] in "\n{,[!":
                    return attributes
                found = self._own(found)
                found.merge(attributes)
            elif token in _FLAG_WORDS:
                self.pos += 1
                found = self._own(found)
                found.words.add(token)
                if token == "uwtable":
                    found.unwind = "sync" if tokens[self.pos + 1] == "sync" else "async"
                if tokens[self.pos] == "(":
                    self.skip_parentheses()
            elif first == '"':
                found = self._own(found)
                key, value = self._string_attribute()
                found.strings[key] = value
            elif token in _ARGUMENT_WORDS:
                found = self._own(found)
                self._argument_word(token, found)
            elif group and token == "align":
                self.pos += 1
                self.expect("=")
                found = self._own(found)
                found.alignment = self.number()
            elif group and token != "}" and _WORD.fullmatch(token):
                self.pos += 1
                if tokens[self.pos] == "(":
                    self.skip_parentheses()
                elif self.accept("="):
                    self.pos += 1
            else:
                break
            self.fill()
        return found

    def _read_group(self, token: str) -> FunctionAttributes:
        # As in LLVM, an undefined group is empty.
        offsets = self._group_offsets.get(token, ())
        # Groups are at the end of a module: each is read on first use.
        found = FunctionAttributes()
        for offset in offsets:
            state = self.open_window(offset)
            found.merge(self._group_body())
            self.close_window(state)
        self.groups[token] = found
        return found

    @staticmethod
    def _own(found: FunctionAttributes | None) -> FunctionAttributes:
        return FunctionAttributes() if found is None else found

    def _argument_word(self, token: str, found: FunctionAttributes) -> None:
        self.pos += 1
        if token == "memory":
            found.restrict(self._memory())
        elif token == "alignstack":
            if self.accept("="):
                found.alignstack = self.number()
            else:
                found.alignstack = self._int_argument(token)
        elif token == "denormal_fpenv":
            found.strings |= self._denormal_modes()
        elif self.tokens[self.pos] == "(":
            self.skip_parentheses()

    def _memory(self) -> Memory:
        self.expect("(")
        default = 0
        places: dict[str, int] = {}
        while not self.accept(")"):
            token = self.tokens[self.pos]
            if token in _MEMORY_ACCESS:
                default = _MEMORY_ACCESS[token]
                self.pos += 1
            elif token.endswith(":"):
                self.pos += 1
                access = _MEMORY_ACCESS.get(self.tokens[self.pos])
                if access is None:
                    self.fail_expected("none, read, write or readwrite")
                self.pos += 1
                place = MEMORY_LOCATIONS.get(token[:-1])
                if place is not None:
                    places[place] = access
            else:
                self.fail_expected("a memory location or access")
            if not self.accept(",") and self.tokens[self.pos] != ")":
                self.fail_expected("')'")
        m = [places.get(name, default) for name in MEMORY_FIELDS]
        return (m[0], m[1], m[2], m[3], m[4], m[5])

    def _denormal_modes(self) -> dict[str, str]:
        """`(preservesign|ieee, float: dynamic)` of LLVM's main branch as the string attributes of LLVM 22.

        The modes are those of results and operands; one mode is for both.
        """
        self.expect("(")
        found: dict[str, str] = {}
        while not self.accept(")"):
            key = DENORMAL_FP_MATH_F32 if self.accept("float:") else DENORMAL_FP_MATH
            found[key] = self._denormal_mode()
            if self.accept("|"):
                found[key] += f",{self._denormal_mode()}"
            if not self.accept(",") and self.tokens[self.pos] != ")":
                self.fail_expected("')'")
        return found

    def _denormal_mode(self) -> str:
        mode = DENORMAL_MODES.get(self.tokens[self.pos])
        if mode is None:
            self.fail_expected("ieee, preservesign, positivezero or dynamic")
        self.pos += 1
        return mode

    def attribute_group(self) -> None:
        """`attributes #0 = { ... }` at the top of a module."""
        token = self.next_token()
        if token[:1] != "#" or not token[1:].isdecimal():
            self.pos -= 1
            self.fail_expected("an attribute group number")
        self._group_body()

    def _group_body(self) -> FunctionAttributes:
        self.expect("=")
        self.expect("{")
        found = self.function_attributes(group=True) or FunctionAttributes()
        self.expect("}")
        return found


_SIMPLE_PARAMETER = _MLIR_PARAMETER - TYPE_ATTRIBUTES - _INT_ATTRIBUTES - {"range"}

_ranges: dict[tuple[int, int, int], Attribute] = {}


def range_attribute(type_: IntegerType, low: int, high: int) -> Attribute:
    """`#llvm.constant_range<type, low, high>`, bounds wrapped to the signed range."""
    width = type_.width.data
    key = (width, low, high)
    found = _ranges.get(key)
    if found is None:
        found = _ranges[key] = ConstantRangeAttr.get(width, low, high)
    return found
