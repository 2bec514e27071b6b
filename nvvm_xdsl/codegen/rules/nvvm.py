"""Selection of the nvvm dialect's ops and of `llvm.nvvm.*` intrinsics.

Most are one instruction given by a table (`intrinsics/table.py`, `intrinsics/families.py`,
`nvvm_ops`); `emit_text` converts the notation to nvptx. Intrinsics that need several instructions,
or depend on the floating-point modes, have rules below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from xdsl.dialects.llvm import CallIntrinsicOp, FNegOp, LLVMPointerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.codegen import selector as selected
from nvvm_xdsl.codegen.intrinsics.families import family_instruction
from nvvm_xdsl.codegen.intrinsics.nvvm_ops import NVVM_OPS, op_instruction
from nvvm_xdsl.codegen.intrinsics.table import intrinsic_instructions
from nvvm_xdsl.codegen.rules.loads_stores import load_value
from nvvm_xdsl.codegen.selector import (
    EmitOperand,
    IntrinsicRule,
    ListAddress,
    Part,
    Selector,
    selects,
)
from nvvm_xdsl.codegen.shapes import FLOAT, VECTOR, Shape
from nvvm_xdsl.codegen.vector_elements import (
    define_f32_pairs,
    f32_pairs,
    join_halves,
    vector_elements,
)
from nvvm_xdsl.dialects.llvm.types import I16, address_space_of
from nvvm_xdsl.dialects.nvptx.flags import SIDE_EFFECTS
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.instruction_text import (
    Address,
    AddressList,
    Argument,
    Constant,
    Integer,
    Operand,
    Sink,
    Vector,
    parse_instruction_text,
)
from nvvm_xdsl.dialects.nvptx.operands import SINK, imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, B128, F32, F64, PRED, RegisterClass
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS, special_register
from nvvm_xdsl.dialects.nvvm import NVVM, op_class, tcgen05_ptx
from nvvm_xdsl.dialects.nvvm.inline_ptx import inline_assembly
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.dialects.nvvm.main_signatures import has_more_arguments
from nvvm_xdsl.dialects.nvvm.ops import (
    BarrierOp,
    ClusterLaunchControlQueryCancelOp,
    ElectSyncOp,
    InlinePtxOp,
)
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import STATE_SPACES, TENSOR, WARP_SIZE

PREFIX = "llvm.nvvm."

_STATE_SPACES = {space: f".{name}" if name else "" for space, name in STATE_SPACES.items()}

_IMMEDIATES_TAKEN = frozenset(
    "add mul fma div min max sad mul24 prmt dp4a dp2a bmsk szext shf fns mad sub shfl bar barrier "
    "nanosleep cp atom mapa fence st cvt".split()
)
"""Instructions whose scalar operands may be immediates."""

_NO_SYMBOLS = frozenset({"st.bulk"})
"""Instructions whose addresses must be registers in ptxas 13.0."""


@cache
def split_opcode(opcode: str) -> tuple[str, str]:
    """A PTX opcode as the mnemonic of an instruction row and its modifiers."""
    words = opcode.split(".")
    for length in range(len(words), 0, -1):
        mnemonic = ".".join(words[:length])
        if mnemonic in ROWS:
            return mnemonic, ".".join(words[length:])
    return words[0], ".".join(words[1:])


_PLACEHOLDER = re.compile(r"<(\w+)(?: (\d+))?>")


def _type_word(sel: Selector, kind: str, value: SSAValue) -> str:
    type_ = value.type
    if kind in ("space", "shared", "cta"):
        space = _STATE_SPACES[address_space_of(type_)] if isinstance(type_, LLVMPointerType) else ""
        return ".shared::cta" if kind == "cta" and space == ".shared" else space
    shape = sel.shape(value)
    if kind == "float":
        return f"{shape.element.ptx}x2" if shape.kind == VECTOR else shape.ptx
    return {"type": "b", "signed": "s", "unsigned": "u"}[kind] + str(_bits(shape))


def _bits(shape: Shape) -> int:
    return sum(p.width for p in shape.parts)


def _opcode(sel: Selector, op: Operation, text: str, args: Sequence[SSAValue]) -> str:
    if "<" not in text:
        return text

    def word(match: re.Match[str]) -> str:
        value = op.results[0] if match[2] is None else args[int(match[2])]
        return _type_word(sel, match[1], value)

    return _PLACEHOLDER.sub(word, text)


def packed_bytes(sel: Selector, value: SSAValue) -> Part:
    """A vector of four i8 or two i16 in one 32-bit register, the first element lowest."""
    lanes = [lane[0] for lane in vector_elements(sel, value)]
    if len(lanes) == 2:
        return join_halves(sel, lanes[0], lanes[1])
    low, high = join_halves(sel, lanes[0], lanes[1]), join_halves(sel, lanes[2], lanes[3])
    bytes_of_both = imm(0x6420)
    return sel.emit1("prmt", "b32", (low, high, bytes_of_both), B32)


def _scalar(sel: Selector, value: SSAValue, *, immediate: bool) -> Part:
    shape = sel.shape(value)
    if shape.kind == VECTOR and not shape.packed:
        return packed_bytes(sel, value)
    if shape.parts == (B64, B64):
        return sel.emit1("mov", "b128", (list(sel.regs(value)),), B128)
    register = shape.parts[0]
    if immediate and register is not PRED and not (shape.kind == FLOAT and register is B16):
        return sel.operand(value)
    return sel.reg(value)


def _registers(sel: Selector, value: SSAValue) -> tuple[SSAValue, ...]:
    return sel.regs(value)


def _register_address(sel: Selector, pointer: SSAValue) -> selected.Address:
    space = sel.module.pointer_space(pointer.type)
    return selected.Address(sel.reg(pointer), "", 0, space, pointer)


def _address(sel: Selector, pointer: SSAValue) -> EmitOperand:
    """The operand of an address. Addresses in tensor memory, which is not a state space of PTX, are
    32-bit registers."""
    if sel.module.pointer_space(pointer.type) != TENSOR:
        return sel.address(pointer)
    register = sel.reg(pointer)
    if register.type is B64:
        register = sel.emit1("cvt", "u32.u64", (register,), B32)
    return selected.Address(register, "", 0, TENSOR, pointer)


def _operand(
    sel: Selector, op: Operation, operand: Operand, args: Sequence[SSAValue], immediate: bool
) -> EmitOperand:
    if isinstance(operand, Argument):
        return _scalar(sel, args[operand.index], immediate=immediate)
    if isinstance(operand, Address):
        return _address(sel, args[operand.index])
    if isinstance(operand, Constant):
        value = sel.constant(args[operand.index])
        if value is None:
            raise sel.error(op, f"argument {operand.index} of {_name_of(op)} must be a constant")
        return imm(value)
    if isinstance(operand, Integer):
        return imm(operand.value)
    if isinstance(operand, Sink):
        return SINK
    if isinstance(operand, Vector):
        return [p for element in operand.elements for p in _elements(sel, op, element, args)]
    assert isinstance(operand, AddressList)
    listed: list[Part | Sequence[Part]] = []
    for element in operand.elements:
        inner = _elements(sel, op, element, args)
        listed.append(inner if isinstance(element, Vector) else inner[0])
    return ListAddress(*listed)


def _elements(
    sel: Selector, op: Operation, operand: Operand, args: Sequence[SSAValue]
) -> list[Part]:
    if isinstance(operand, Argument):
        return list(_registers(sel, args[operand.index]))
    if isinstance(operand, Vector):
        return [p for element in operand.elements for p in _elements(sel, op, element, args)]
    if isinstance(operand, Integer):
        return [imm(operand.value)]
    value = sel.constant(args[operand.index]) if isinstance(operand, Constant) else None
    if value is None:
        raise sel.error(op, f"an operand of {_name_of(op)} must be a constant")
    return [imm(value)]


def _name_of(op: Operation) -> str:
    return op.intrin.data if isinstance(op, CallIntrinsicOp) else op.name


def emit_text(sel: Selector, op: Operation, text: str, args: Sequence[SSAValue]) -> None:
    """Emits the instruction in `text` with `args` and defines the op's results.

    The first argument of an instruction that reads its results is that result.
    """
    parsed = parse_instruction_text(text)
    mnemonic, mods = split_opcode(_opcode(sel, op, parsed.opcode, args))
    # ptxas takes pairs of narrow floats and scales from registers only.
    pairs = mnemonic == "cvt" and any(arg.type == I16 for arg in args)
    immediate = mnemonic.split(".")[0] in _IMMEDIATES_TAKEN and not pairs
    operands = [_operand(sel, op, o, args, immediate) for o in parsed.operands]
    if mnemonic in _NO_SYMBOLS:
        operands = [
            _register_address(sel, args[o.index]) if isinstance(o, Address) else operand
            for o, operand in zip(parsed.operands, operands)
        ]
    guard = None if parsed.guard is None else sel.reg(args[parsed.guard])
    classes: tuple[RegisterClass, ...] = ()
    if op.results:
        classes = sel.shape(op.results[0]).parts
    row = ROWS.get(mnemonic)
    tied = sel.regs(args[0]) if row is not None and row.tied else ()
    results = sel.emit(mnemonic, mods, operands, classes, guard=guard, tied=tied)
    try:
        # The user provides the operands.
        sel.last_emitted().verify_()
    except VerifyException as error:
        raise sel.error(op, f"{_name_of(op)}: {error}") from None
    if op.results:
        sel.define(op.results[0], *results)


@cache
def base_name(name: str) -> str:
    """The intrinsic's name after `llvm.nvvm.`, without the type suffixes of overloading."""
    known = find_intrinsic(name)
    return (name if known is None else known.name).removeprefix(PREFIX)


def nvvm_intrinsic(sel: Selector, op: Operation, name: str) -> None:
    """The rule for every `llvm.nvvm.*` intrinsic. Raises SelectionError for unknown ones."""
    short = base_name(name)
    special = _SPECIAL.get(short)
    if special is not None:
        special(sel, op, name)
        return
    if short.startswith(_SREG):
        _read_register(sel, op, short.removeprefix(_SREG))
        return
    args = operands_of(op)
    # A flag of LLVM's main branch selects a modifier that the table's instruction lacks.
    flagged = has_more_arguments(short, len(args))
    text = None if flagged else intrinsic_instructions().get(short)
    if text is None:
        try:
            text = family_instruction(short, len(args), lambda index: sel.constant(args[index]))
        except (AssertionError, KeyError, IndexError, ValueError):
            text = None
    if text is None:
        gone = _REMOVED.match(short)
        if gone is not None:
            raise sel.error(op, f"{name} needs a target before sm_70; use {gone[1]}.sync")
        raise sel.error(op, f"the intrinsic {name} is not supported by code generation")
    emit_text(sel, op, *_without_negation(text, args))


def _without_negation(text: str, args: Sequence[SSAValue]) -> tuple[str, Sequence[SSAValue]]:
    """The difference that equals a sum with a negated operand; other instructions unchanged."""
    if not text.startswith("add."):
        return text, args
    left, right, *others = args
    if isinstance(right.owner, FNegOp):
        return text.replace("add", "sub", 1), (left, *operands_of(right.owner), *others)
    if isinstance(left.owner, FNegOp):
        return text.replace("add", "sub", 1), (right, *operands_of(left.owner), *others)
    return text, args


_REMOVED = re.compile(r"(shfl|vote)\.(?!sync)")


@cache
def is_pure_intrinsic(name: str) -> bool:
    """Returns True if a call may be omitted if its result is unused."""
    known = find_intrinsic(name)
    return known is not None and known.is_pure


_SREG = "read.ptx.sreg."


_UNDERSCORED = ("cluster.", "lanemask.", "globaltimer.", "aggr.", "dynamic.", "total.")
"""Prefixes of register names whose first dot is an underscore in PTX."""


@cache
def _register_name(name: str) -> str:
    """The special register's name in PTX from that in the intrinsic or op."""
    if name.startswith(_UNDERSCORED):
        name = name.replace(".", "_", 1)
    return name.replace("smem.size", "smem_size")


def _read_register(sel: Selector, op: Operation, name: str) -> None:
    result = op.results[0]
    register = _register_name(name)
    if register == "warpsize":
        sel.define(result, imm(WARP_SIZE))
        return
    if register.endswith(".w"):
        # The fourth component of every vector register reads as zero: PTX ISA 10.
        sel.define(result, imm(0))
        return
    found = sel.in_block_of_use(("sreg", register))
    if found is None:
        if register not in SPECIAL_REGISTERS:
            raise sel.error(op, f"there is no special register %{register}")
        read = special_register(register)
        read.location = sel.location
        sel.append(read)
        found = read.results[0]
        if not read.flags_here() & SIDE_EFFECTS:
            sel.remember(("sreg", register), found)
    if sel.shape(result).parts[0] is B32 and found.type is B64:
        found = sel.emit1("cvt", "u32.u64", (found,), B32)
    sel.define(result, found)


def _register_reading_ops() -> None:
    prefix = "nvvm.read.ptx.sreg."

    def rule(sel: Selector, op: Operation) -> None:
        _read_register(sel, op, op.name.removeprefix(prefix))

    for cls in NVVM.operations:
        if cls.name.startswith(prefix):
            selects(cls, pure=not cls.name.endswith(("clock", "clock64", "globaltimer")))(rule)


_register_reading_ops()


_SPECIAL: dict[str, IntrinsicRule] = {}


def special_intrinsic(*names: str) -> Callable[[IntrinsicRule], IntrinsicRule]:
    """Registers the rule of intrinsics with several instructions, by their names after
    `llvm.nvvm.`."""

    def register(rule: IntrinsicRule) -> IntrinsicRule:
        for name in names:
            _SPECIAL[name] = rule
        return rule

    return register


@special_intrinsic("d2i.lo", "d2i.hi")
def _half_of_double(sel: Selector, op: Operation, name: str) -> None:
    low, high = sel.emit("mov", "b64", (sel.reg(operands_of(op)[0]),), (B32, B32))
    sel.define(op.results[0], high if name.endswith("hi") else low)


@special_intrinsic("lohi.i2d")
def _double_of_halves(sel: Selector, op: Operation, name: str) -> None:
    low, high = operands_of(op)
    sel.define(op.results[0], sel.emit1("mov", "b64", ([sel.reg(low), sel.reg(high)],), F64))


@special_intrinsic("ldu.global.i", "ldu.global.f", "ldu.global.p")
def _uniform_load(sel: Selector, op: Operation, name: str) -> None:
    """`ldu`, for bytes and vectors, too."""
    pointer, alignment = operands_of(op)
    result = op.results[0]
    address = sel.memory_address(pointer)
    stated = sel.constant(alignment) or 1
    parts = load_value(sel, address, sel.shape(result), stated, "global", mnemonic="ldu")
    sel.define(result, *parts)


@special_intrinsic("fadd", "fadd.ftz", "fmul", "fmul.ftz")
def _rounded(sel: Selector, op: Operation, name: str) -> None:
    """Arithmetic with a stated rounding mode; a pair of f32 takes one instruction."""
    args = operands_of(op)
    try:
        text = family_instruction(base_name(name), len(args), lambda i: sel.constant(args[i]))
    except (IndexError, ValueError):
        text = None
    if text is None:
        raise sel.error(op, f"{name} needs a constant rounding mode")
    text, args = _without_negation(text, args)
    if sel.shape(op.results[0]).parts != (F32, F32):
        emit_text(sel, op, text, args)
        return
    mnemonic, _, mods = text.partition(".<")[0].partition(".")
    pairs = zip(*(f32_pairs(sel, sel.parts(value)) for value in args[:2]))
    results = [sel.emit1(mnemonic, f"{mods}.f32x2", pair, B64) for pair in pairs]
    define_f32_pairs(sel, op.results[0], tuple(results))


@special_intrinsic("sqrt.f")
def _sqrt_by_mode(sel: Selector, op: Operation, name: str) -> None:
    mods = ("rn" if sel.prec_sqrt else "approx") + (".ftz" if sel.ftz else "") + ".f32"
    args = operands_of(op)
    emit_text(sel, op, f"sqrt.{mods} $0", args)


@special_intrinsic("internal.addrspace.wrap")
def _wrap(sel: Selector, op: Operation, name: str) -> None:
    sel.define(op.results[0], *sel.parts(operands_of(op)[0]))


@special_intrinsic("texsurf.handle.internal", "texsurf.handle")
def _texture_handle(sel: Selector, op: Operation, name: str) -> None:
    sel.define(op.results[0], sel.reg(operands_of(op)[-1]))


@special_intrinsic("compiler.error")
def _compiler_error(sel: Selector, op: Operation, name: str) -> None:
    raise sel.error(op, "the program reports an error: a call of llvm.nvvm.compiler.error remains")


@special_intrinsic("compiler.warn")
def _compiler_warning(sel: Selector, op: Operation, name: str) -> None:
    """Emits nothing."""


@special_intrinsic("is_explicit_cluster")
def _explicit_cluster(sel: Selector, op: Operation, name: str) -> None:
    _read_register(sel, op, "is_explicit_cluster")


def query_cancel(sel: Selector, op: Operation, query: str) -> None:
    """Extracts a field, `is_canceled` or a coordinate `x`, from the response to a request."""
    low, high = sel.regs(operands_of(op)[0])
    response = sel.emit1("mov", "b128", ([low, high],), B128)
    if query == "is_canceled":
        opcode, register = "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128", PRED
    else:
        opcode = f"clusterlaunchcontrol.query_cancel.get_first_ctaid::{query}.b32.b128"
        register = B32
    mnemonic, mods = split_opcode(opcode)
    sel.define(op.results[0], sel.emit1(mnemonic, mods, (response,), register))


@special_intrinsic(
    "clusterlaunchcontrol.query_cancel.is_canceled",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.x",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.y",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid.z",
)
def _query_cancel(sel: Selector, op: Operation, name: str) -> None:
    query_cancel(sel, op, name.rpartition(".")[2])


@selects(ClusterLaunchControlQueryCancelOp)
def _query_cancel_op(sel: Selector, op: Operation) -> None:
    """A predicate, or a coordinate of the cluster's first block."""
    query = str(op.properties["query_type"].data.value)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    query_cancel(sel, op, query.removeprefix("get_first_cta_id_"))


@selects(InlinePtxOp)
def _inline_ptx(sel: Selector, op: Operation) -> None:
    """The reader of MLIR converts inline assembly, so it does not occur here."""
    assert isinstance(op, InlinePtxOp)
    reason = "the reader of MLIR converts it to inline assembly"
    try:
        inline_assembly(op)
    except ValueError as error:
        reason = str(error)
    raise sel.error(op, f"{op.name}: {reason}")


def _nvvm_op(sel: Selector, op: Operation) -> None:
    text = op_instruction(op)
    if text is None:
        raise sel.error(op, f"this form of {op.name} is not supported by code generation")
    emit_text(sel, op, text, operands_of(op))


def _register_nvvm_ops() -> None:
    for name in NVVM_OPS:
        selects(op_class(name))(_nvvm_op)


_register_nvvm_ops()


@selects(BarrierOp, replaces=True)
def _barrier(sel: Selector, op: Operation) -> None:
    """A barrier, with a reduction of a predicate given as an integer if it has one."""
    if not op.results:
        _nvvm_op(sel, op)
        return
    args = list(operands_of(op))
    predicate = sel.emit1("setp", "ne.b32", (sel.reg(args.pop()), imm(0)), PRED)
    operands: list[EmitOperand] = [sel.operand(a) for a in args] or [imm(0)]
    kind = str(op.properties["reductionOp"].data.value)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    counts = kind == "popc"
    opcode = f"bar.red.{kind}.{'u32' if counts else 'pred'}"
    mnemonic, mods = split_opcode(opcode)
    result = sel.emit1(mnemonic, mods, (*operands, predicate), B32 if counts else PRED)
    if not counts:
        result = sel.emit1("selp", "b32", (imm(1), imm(0), result), B32)
    sel.define(op.results[0], result)


@selects(ElectSyncOp)
def _elect(sel: Selector, op: Operation) -> None:
    args = operands_of(op)
    mask: Part = sel.operand(args[0]) if args else imm(0xFFFFFFFF)
    mnemonic, mods = split_opcode("elect.sync")
    _, elected = sel.emit(mnemonic, mods, (mask,), (B32, PRED))
    sel.define(op.results[0], elected)


@selects(op_class(tcgen05_ptx.DESCRIPTOR))
def _matrix_descriptor(sel: Selector, op: Operation) -> None:
    """The operands of `mma_smem_desc`, truncated to their fields and concatenated."""
    found: Part = imm(tcgen05_ptx.DESCRIPTOR_FIXED)
    for (low, width), value in zip(tcgen05_ptx.DESCRIPTOR_FIELDS, operands_of(op)):
        register = sel.reg(value)
        if register.type is PRED:
            field = sel.emit1("selp", "b64", (imm(1), imm(0), register), B64)
        else:
            bits = 16 if register.type is B16 else 32
            wide = sel.emit1("cvt", f"u64.u{bits}", (register,), B64)
            field = sel.emit1("and", "b64", (wide, imm((1 << width) - 1)), B64)
        if low:
            field = sel.emit1("shl", "b64", (field, imm(low)), B64)
        found = sel.emit1("or", "b64", (field, found), B64)
    sel.define(op.results[0], found)
