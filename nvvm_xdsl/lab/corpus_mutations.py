"""Mutated functions of existing modules, with launches of them, for differential testing.

A function of a file, with the symbols that it references, is changed at random: another operand,
constant, operation, predicate or flag, a moved, duplicated or deleted op, a duplicated block, other
integer widths, `volatile` and `noalias`. The verifier must accept the result. A kernel is launched
as it is; any other function gets a kernel that calls it and stores its result. LLVM's
`alive-mutate` does the same for a prover; here the simulator detects inputs with undefined
behaviour, which are omitted.

Assumptions that a change may violate and the simulator does not check are removed first: metadata,
attributes of parameters and functions, and fast-math flags.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    FCmpOp,
    FuncOp,
    ICmpOp,
    LLVMPointerType,
    LLVMVoidType,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    ShlOp,
    SRemOp,
    StoreOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import defined_name, function_type_of, integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.setters import set_predicate
from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, I32, int_attr, pointer_space
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.lab.mutations import collect
from nvvm_xdsl.simulator import Limits, SimulationError, prepare
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

KERNEL: Final = "__mutated"
"""The kernel that calls a function."""

MOST_CHANGES: Final = 4
ATTEMPTS: Final = 40
"""Maximum number of attempted changes of a function; the verifier rejects some."""

INPUTS: Final = 10
STEPS: Final = 20_000
WORDS: Final = 512
"""Number of 32-bit words of an array argument."""

WIDEST: Final = 128
"""Functions with wider integers are omitted: their division is not supported."""

_BINARY: Final = (AddOp, SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp, UDivOp, SDivOp, URemOp, SRemOp)  # fmt: skip
_WRAPPING: Final = (AddOp, SubOp, MulOp, ShlOp, TruncOp)
_EXACT: Final = (UDivOp, SDivOp, LShrOp, AShrOp)
_FLAG_NAMES: Final[dict[type[Operation], str]] = {
    OrOp: "isDisjoint",
    ZExtOp: "nonNeg",
    **dict.fromkeys(_EXACT, "isExact"),
}
_WIDTHS: Final = (1, 3, 7, 8, 16, 17, 24, 31, 32, 33, 48, 63, 64, 128)

_METADATA: Final = re.compile(r",? ![\w.]+ !\d+|, !(?:DI\w+|dbg)\([^)]*\)")
_PROMISES: Final = re.compile(
    r"(?<![%@\w.\"])(?:(?:dereferenceable|dereferenceable_or_null|range|memory|captures|nofpclass|initializes)"
    r"\((?:[^()]|\([^()]*\))*\)|(?:noundef|nonnull|readonly|readnone|writeonly|nocapture|noalias|returned|"
    r"nofree|willreturn|mustprogress|nosync|norecurse|speculatable|dead_on_unwind|writable|"
    r"fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|inbounds|nusw))(?![\w.(=\"]) ?"
)
_UNREPEATABLE: Final = re.compile(r"clock|globaltimer|smid|warpid|gridid")
"""Registers whose values depend on time or on the placement of a thread."""

_PARAMETER_ALIGNMENT: Final = re.compile(r"(?<=ptr) align \d+")


@cache
def pieces_of(paths: Sequence[str]) -> Sequence[str]:
    """The functions of files, and of all files below folders, each as a module."""
    found = (_without_promises(text) for text in collect(map(Path, paths)).ll)
    return tuple(
        text
        for text in found
        if not _UNREPEATABLE.search(text)
        and all(int(width) <= WIDEST for width in re.findall(r"(?<![%@\w.])i(\d+)\b", text))
    )


def _without_promises(text: str) -> str:
    text = _PROMISES.sub("", _METADATA.sub("", text))
    lines = [
        _PARAMETER_ALIGNMENT.sub("", line) if line.startswith(("define", "declare")) else line
        for line in text.split("\n")
        if "@llvm.assume" not in line and "@llvm.dbg" not in line and not line.startswith("target ")
    ]
    return "\n".join(lines)


def _with_other_width(text: str, chance: random.Random) -> str:
    """The text with all integers of one width changed to another width."""
    widths = sorted(set(re.findall(r"(?<![%@\w.])i(\d+)\b", text)))
    if not widths or "llvm.nvvm" in text:
        return text
    old, new = chance.choice(widths), chance.choice(_WIDTHS)
    return re.sub(rf"(?<![%@\w])i{old}\b", f"i{new}", text)


def _with_noalias(text: str, chance: random.Random) -> str:
    """The text with `noalias` on some parameters; each gets separate memory."""

    def mark(line: str) -> str:
        marked = re.sub(
            r"(ptr(?: addrspace\(1\))?)(?= (?:%|#)|[,)])",
            lambda m: f"{m[1]} noalias" if chance.random() < 0.5 else m[1],
            line,
        )
        return marked if "ptx_kernel" in line else line

    return "\n".join(mark(x) if x.startswith("define") else x for x in text.split("\n"))


def mutant(paths: Sequence[str], seed: int) -> ModuleOp | None:
    """The module of a seed; None if its function cannot be read, changed or called."""
    pieces = pieces_of(paths)
    if not pieces:
        raise DiagnosticError("no functions to mutate")
    chance = random.Random(seed)
    text = chance.choice(pieces)
    if chance.random() < 0.15:
        text = _with_other_width(text, chance)
    if chance.random() < 0.15:
        text = _with_noalias(text, chance)
    try:
        module = read_ll(text, f"<seed {seed}>")
    except DiagnosticError:
        return None
    functions = [op for op in module.ops if isinstance(op, FuncOp) and not is_declaration(op)]
    if not functions or not _is_valid(module):
        return None
    changes = chance.randrange(1, MOST_CHANGES + 1)
    for _ in range(ATTEMPTS):
        copy = fast.clone(module)
        changed = [op for op in copy.ops if isinstance(op, FuncOp) and not is_declaration(op)]
        if _Change(changed[-1], chance).make() and _is_valid(copy):
            module = copy
            changes -= 1
            if not changes:
                return _callable(module)
    return None


def _is_valid(module: ModuleOp) -> bool:
    try:
        verify_ops(module)
        verify_module(module, links=True)
    except Exception:
        return False
    return True


class _Change:
    """One random change of a function; it may produce invalid IR."""

    def __init__(self, func: FuncOp, chance: random.Random) -> None:
        self.func = func
        self.chance = chance
        self.blocks = list(fast.blocks_of(func.body))
        self.ops = [op for block in self.blocks for op in fast.ops_of(block)]

    def make(self) -> bool:
        """Applies the change; returns whether it is applicable to the function."""
        kinds: list[Callable[[], bool]] = [
            self._operand, self._operand, self._swap, self._drop, self._constant, self._constant,
            self._flag, self._predicate, self._operation, self._move, self._duplicate,
            self._duplicate_block, self._volatile,
        ]  # fmt: skip
        return self.chance.choice(kinds)()

    def _pick(self, wanted: Callable[[Operation], bool]) -> Operation | None:
        found = [op for op in self.ops if wanted(op)]
        return self.chance.choice(found) if found else None

    def _value(self, type_: Attribute, user: Operation) -> SSAValue | None:
        """Another value of a type: a constant, or a value that may dominate the user."""
        values: list[SSAValue] = [
            result for op in self.ops for result in op.results if result.type == type_
        ]
        values += [arg for block in self.blocks for arg in block.args if arg.type == type_]
        near = [v for v in values if v.owner is user.parent or _is_before(v.owner, user)]
        if integer_width(type_) and (not values or self.chance.random() < 0.3):
            return Constants(self.func).integer(self._number(integer_width(type_)), type_)
        chosen = near if near and self.chance.random() < 0.7 else values
        return self.chance.choice(chosen) if chosen else None

    def _number(self, width: int) -> int:
        numbers = (0, 1, -1, 2, 3, 7, 8, 15, 16, 31, 32, 255, width - 1, width, 1 << (width - 1))
        number = self.chance.choice(
            (*numbers, (1 << (width - 1)) - 1, 1 << self.chance.randrange(width), self.chance.getrandbits(width))
        )  # fmt: skip
        number &= (1 << width) - 1
        return number - (1 << width) if number >> (width - 1) else number

    def _operand(self) -> bool:
        op = self._pick(lambda op: bool(op.operands))
        if op is None:
            return False
        operands = fast.operands_of(op)
        index = self.chance.randrange(len(operands))
        value = self._value(operands[index].type, op)
        if value is None or value is operands[index]:
            return False
        fast.set_operand(op, index, value)
        return True

    def _swap(self) -> bool:
        op = self._pick(lambda op: len(op.operands) > 1)
        if op is None:
            return False
        one, other = self.chance.sample(range(len(op.operands)), 2)
        values = list(fast.operands_of(op))
        if values[one] is values[other] or values[one].type != values[other].type:
            return False
        values[one], values[other] = values[other], values[one]
        fast.set_operands(op, values)
        return True

    def _drop(self) -> bool:
        op = self._pick(lambda op: not op.successors and op.name != "llvm.return")
        if op is None:
            return False
        for result in op.results:
            value = self._value(result.type, op)
            if value is None or value is result:
                return False
            fast.replace_all_uses(result, value)
        fast.erase(op)
        return True

    def _constant(self) -> bool:
        op = self._pick(
            lambda op: any(constant_integer(value) is not None for value in fast.operands_of(op))
        )
        if op is None:
            return False
        places = [n for n, v in enumerate(fast.operands_of(op)) if constant_integer(v) is not None]
        index = self.chance.choice(places)
        value = fast.operands_of(op)[index]
        old = constant_integer(value)
        if old is None or not integer_width(value.type):
            return False
        width = integer_width(value.type)
        near = old + self.chance.choice((-1, 1))
        number = near if self.chance.random() < 0.5 else self._number(width)
        number &= (1 << width) - 1
        number -= (number >> (width - 1)) << width
        fast.set_operand(op, index, Constants(self.func).integer(number, value.type))
        return True

    def _flag(self) -> bool:
        op = self._pick(lambda op: type(op) in _WRAPPING or type(op) in _FLAG_NAMES)
        if op is None:
            return False
        name = _FLAG_NAMES.get(type(op))
        if name is None:
            set_overflow_flags(op, self.chance.randrange(4))
        elif op.properties.pop(name, None) is None:
            op.properties[name] = UnitAttr()
        return True

    def _predicate(self) -> bool:
        op = self._pick(lambda op: type(op) in (ICmpOp, FCmpOp))
        if op is None:
            return False
        count = 10 if type(op) is ICmpOp else 16
        set_predicate(op, self.chance.randrange(count))
        return True

    def _operation(self) -> bool:
        op = self._pick(lambda op: type(op) in _BINARY)
        if op is None:
            return False
        cls = self.chance.choice(_BINARY)
        properties: dict[str, Attribute] = {}
        if cls in _WRAPPING:
            properties["overflowFlags"] = int_attr(0, I32)
        new = fast.create(cls, fast.operands_of(op), (op.results[0].type,), properties)
        fast.insert_before(new, op)
        fast.replace_op(op, new.results)
        return True

    def _move(self) -> bool:
        op = self._pick(lambda op: not op.successors and op.name != "llvm.return")
        if op is None or op.parent is None:
            return False
        others = [other for other in fast.ops_of(op.parent) if other is not op]
        if not others:
            return False
        fast.move_before(op, self.chance.choice(others))
        return True

    def _duplicate(self) -> bool:
        op = self._pick(lambda op: bool(op.results) and not op.regions)
        if op is None:
            return False
        copy = fast.copy_op(op, {})
        fast.insert_after(copy, op)
        for user, index in list(fast.uses_of(op.results[0])):
            if user is not copy and self.chance.random() < 0.5:
                fast.set_operand(user, index, copy.results[0])
        return True

    def _duplicate_block(self) -> bool:
        """Redirects one edge into a block to a copy of it. Its values must not be used
        elsewhere."""
        block = self.chance.choice(self.blocks)
        edges = list(fast.edges_to(block))
        used_elsewhere = any(
            user.parent is not block
            for op in fast.ops_of(block)
            for result in op.results
            for user in fast.users_of(result)
        )
        arguments_escape = any(
            user.parent is not block for arg in block.args for user in fast.users_of(arg)
        )
        if not edges or used_elsewhere or arguments_escape or block is self.blocks[0]:
            return False
        copy = fast.new_block([arg.type for arg in block.args])
        mapping: dict[SSAValue, SSAValue] = dict(zip(block.args, copy.args))
        for op in fast.ops_of(block):
            if op.regions:
                return False
            made = fast.copy_op(op, mapping)
            mapping.update(zip(op.results, made.results))
            fast.append(copy, made)
        fast.insert_block_after(copy, block)
        terminator, number = self.chance.choice(edges)
        targets = list(fast.successors_of(terminator))
        targets[number] = copy
        fast.set_successors(terminator, targets)
        return True

    def _volatile(self) -> bool:
        op = self._pick(lambda op: type(op) in (LoadOp, StoreOp))
        if op is None:
            return False
        if op.properties.pop("volatile_", None) is None:
            op.properties["volatile_"] = UnitAttr()
        return True


def _is_before(owner: Operation | Block, user: Operation) -> bool:
    return (
        isinstance(owner, Operation)
        and owner.parent is user.parent
        and fast.comes_before(owner, user)
    )


# Launches


def _callable(module: ModuleOp) -> ModuleOp | None:
    """The module with a kernel that calls its last function; None if that cannot be called."""
    func = [op for op in module.ops if isinstance(op, FuncOp) and not is_declaration(op)][-1]
    type_ = function_type_of(func)
    inputs = list(type_.inputs.data)
    if type_.is_variadic or not all(_is_supported(t) for t in inputs) or _shows_addresses(func):
        return None
    if is_kernel(func):
        return module
    try:
        text = write_ll(module)
        head = re.search(
            rf"^define .*?@{re.escape(defined_name(func))}\((.*)\)", text, re.MULTILINE
        )
        if head is None or "byval" in head[1] or "sret" in head[1]:
            return None
        output = _spelled(type_.output)
        parameters = [f"{_spelled(t)} %a{n}" for n, t in enumerate(inputs)]
        call = f"call {output} @{defined_name(func)}({', '.join(parameters)})"
        lines = [f"define ptx_kernel void @{KERNEL}({', '.join(['ptr %out', *parameters])}) {{"]
        if isinstance(type_.output, LLVMVoidType):
            lines.append(f"  {call}")
        else:
            lines += [f"  %r = {call}", f"  store {output} %r, ptr %out"]
        wrapped = read_ll("\n".join([text, *lines, "  ret void", "}"]) + "\n")
    except DiagnosticError:
        return None
    return wrapped if _is_valid(wrapped) else None


def _shows_addresses(func: FuncOp) -> bool:
    """Whether results may depend on the addresses of variables, which optimization changes."""
    return isinstance(function_type_of(func).output, LLVMPointerType) or any(
        op.name == "llvm.ptrtoint"
        or (
            type(op) in (ICmpOp, StoreOp)
            and isinstance(fast.operands_of(op)[0].type, LLVMPointerType)
        )
        for block in fast.blocks_of(func.body)
        for op in fast.ops_of(block)
    )


def _is_supported(type_: Attribute) -> bool:
    if isinstance(type_, LLVMPointerType):
        return pointer_space(type_) in (GENERIC, GLOBAL)
    return bool(integer_width(type_)) or type_ in FLOAT_TYPES


def _spelled(type_: Attribute) -> str:
    if isinstance(type_, LLVMPointerType):
        space = pointer_space(type_)
        return f"ptr addrspace({space})" if space else "ptr"
    if isinstance(type_, LLVMVoidType):
        return "void"
    name = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}
    text = str(type_)
    for short, long in name.items():
        text = re.sub(rf"\b{short}\b", long, text)
    if text.startswith("vector<"):
        text = "<" + text.removeprefix("vector<").replace("x", " x ", 1)
    return text


def launches_of(module: ModuleOp, seed: int, checks: Sequence[str]) -> list[Launch]:
    """Launches of the last kernel with defined behaviour; the seed determines their inputs."""
    kernels = [op for op in module.ops if isinstance(op, FuncOp) and is_kernel(op)]
    if not kernels:
        return []
    kernel = kernels[-1]
    rng = np.random.default_rng(seed)
    try:
        program = prepare(module, checks)
    except SimulationError:
        return []
    found: list[Launch] = []
    is_wrapped = defined_name(kernel) == KERNEL
    for number in range(INPUTS):
        args = tuple(
            _argument(value, rng, zeros=is_wrapped and n == 0, small=not is_wrapped)
            for n, value in enumerate(kernel.body.blocks[0].args)
        )
        block = 1 if is_wrapped else (1, 4, 33)[number % 3]
        launch = Launch(defined_name(kernel), 1 + number % 2 * (not is_wrapped), block, args)
        try:
            run(program, launch, checks, Limits(steps=STEPS))
        except SimulationError:
            continue
        found.append(launch)
    return found


def _argument(value: SSAValue, rng: np.random.Generator, *, zeros: bool, small: bool) -> Any:
    type_ = value.type
    if isinstance(type_, LLVMPointerType):
        accessed = _accessed(value)
        scalar = (
            str(accessed).partition("x")[2].rstrip(">")
            if "vector" in str(accessed)
            else str(accessed)
        )
        dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16}.get(scalar, np.int32)
        count = WORDS * 4 // np.dtype(dtype).itemsize
        if zeros:
            return np.zeros(count // 8, dtype)
        if dtype is np.int32:
            return rng.integers(-8, 40, count).astype(np.int32)
        return (rng.integers(-64, 64, count) / 4).astype(dtype)
    width = integer_width(type_)
    if width:
        edges = (0, 1, 2, 3, 5, 8, 16, 31, 32, 40)
        if not small:
            top = 1 << (width - 1)
            edges += (-1, -2, top, top - 1, top + 1, width, width - 1, int(rng.integers(1 << 62)))
        return edges[int(rng.integers(len(edges)))] & ((1 << width) - 1)
    floats = (
        0.0,
        -0.0,
        1.0,
        1.5,
        -2.25,
        3.0,
        1e10,
        float("inf"),
        float("nan"),
        float(rng.normal()),
    )
    return floats[int(rng.integers(len(floats)))]


def _accessed(value: SSAValue) -> Attribute | None:
    """The type of an access through a pointer."""
    pending = [value]
    for at in pending:
        for user, index in fast.uses_of(at):
            if type(user) is LoadOp:
                return user.results[0].type
            if type(user) is StoreOp and index == 1:
                return fast.operands_of(user)[0].type
            if len(pending) < 20 and index == 0:
                pending += [r for r in user.results if isinstance(r.type, LLVMPointerType)]
    return None
