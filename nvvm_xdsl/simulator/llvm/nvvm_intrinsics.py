"""Semantics of intrinsics: `llvm.intr.*`, the nvvm dialect and `llvm.call_intrinsic`.

Most NVVM intrinsics represent one PTX instruction. `RULES` maps patterns of their names to
instructions (LLVM's User Guide for the NVPTX back end, NVVM IR Specification). Operands and results
are converted to and from PTX registers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.nvvm.main_signatures import has_more_arguments
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.llvm import (
    copy_intrinsics,
    intrinsics,
    matrix_intrinsics,
    texture_intrinsics,
)
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.ptx import effects, inline_asm
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    ListAddress,
    Operand,
    Register,
)
from nvvm_xdsl.simulator.ptx.special_registers import special_register

PREFIX = "llvm.nvvm."


# NVVM intrinsics to PTX

_FP = {"f": "f32", "d": "f64", "f16": "f16", "f16x2": "f16x2", "bf16": "bf16", "bf16x2": "bf16x2"}
_INT = {"i": "s32", "ui": "u32", "ll": "s64", "ull": "u64", "s": "s16", "us": "u16"}
_ROUND = r"(rn|rz|rm|rp)"
_MATRIX_SPACE = {"": "", "0": "", "3": ".shared"}
"""State spaces of `ldmatrix` and `stmatrix` by the address space in the suffix of a name."""
_SOURCE = {"f": "f32", "d": "f64", "i": "s32", "ui": "u32", "ll": "s64", "ull": "u64", "h": "f16"}

Rule = tuple[str, Callable[["re.Match[str]"], "tuple[str, Sequence[int | str]]"]]
"""A pattern for the name and its PTX: the opcode and the source of each operand."""


def _simple(
    template: str, *order: int | str
) -> Callable[[re.Match[str]], tuple[str, Sequence[int | str]]]:
    def build(match: re.Match[str]) -> tuple[str, Sequence[int | str]]:
        groups = [g or "" for g in match.groups()]
        return template.format(*groups), order

    return build


def _typed(
    template: str, table: dict[str, str], *order: int | str
) -> Callable[[re.Match[str]], tuple[str, Sequence[int | str]]]:
    """Like `_simple`, with the last group looked up in a table."""

    def build(match: re.Match[str]) -> tuple[str, Sequence[int | str]]:
        *groups, last = [g or "" for g in match.groups()]
        return template.format(*groups, table[last]), order

    return build


def _float_to_integer(match: re.Match[str]) -> tuple[str, Sequence[int | str]]:
    source, target, mode, ftz = match.groups()
    return f"cvt.{mode}i{ftz or ''}.{_SOURCE[target]}.{_SOURCE[source]}", (0,)


def _integer_to_float(match: re.Match[str]) -> tuple[str, Sequence[int | str]]:
    source, target, mode = match.groups()
    return f"cvt.{mode}.{_SOURCE[target]}.{_SOURCE[source]}", (0,)


RULES: tuple[Rule, ...] = (
    (rf"(add|mul|div)\.{_ROUND}(\.ftz)?(\.sat)?\.(f|d)", _typed("{0}.{1}{2}{3}.{4}", _FP, 0, 1)),
    (rf"fma\.{_ROUND}(\.ftz)?(\.sat|\.relu)?\.(f|d|f16|f16x2|bf16|bf16x2)", _typed("fma.{0}{1}{2}.{3}", _FP, 0, 1, 2)),
    (rf"(rcp|sqrt)\.{_ROUND}(\.ftz)?\.(f|d)", _typed("{0}.{1}{2}.{3}", _FP, 0)),
    (r"(rcp|sqrt|rsqrt|sin|cos|lg2|ex2)\.approx(\.ftz)?\.(f|d|f16|f16x2|bf16|bf16x2)", _typed("{0}.approx{1}.{2}", _FP, 0)),
    (r"(ex2)\.approx(\.ftz)?\.(f32|f16|v2f16|bf16|v2bf16)", _typed("{0}.approx{1}.{2}", {"f32": "f32", "f16": "f16", "v2f16": "f16x2", "bf16": "bf16", "v2bf16": "bf16x2"}, 0)),
    (r"(tanh)\.approx\.(f32|f|f16|f16x2|bf16|bf16x2)", _typed("{0}.approx.{1}", {**_FP, "f32": "f32"}, 0)),
    (r"div\.approx(\.ftz)?\.f", _simple("div.approx{0}.f32", 0, 1)),
    (r"div\.full(\.ftz)?", _simple("div.full{0}.f32", 0, 1)),
    (r"fabs(\.ftz)?\.(f32|f64|f16|v2f16|bf16|v2bf16)", _typed("abs{0}.{1}", {"f32": "f32", "f64": "f64", "f16": "f16", "v2f16": "f16x2", "bf16": "bf16", "v2bf16": "bf16x2"}, 0)),
    (r"neg\.(bf16|bf16x2)", _simple("neg.{0}", 0)),
    (r"ceil(\.ftz)?\.(f|d)", lambda m: (f"cvt.rpi{m[1] or ''}.{_FP[m[2]]}.{_FP[m[2]]}", (0,))),
    (r"floor(\.ftz)?\.(f|d)", lambda m: (f"cvt.rmi{m[1] or ''}.{_FP[m[2]]}.{_FP[m[2]]}", (0,))),
    (r"trunc(\.ftz)?\.(f|d)", lambda m: (f"cvt.rzi{m[1] or ''}.{_FP[m[2]]}.{_FP[m[2]]}", (0,))),
    (r"round(\.ftz)?\.(f|d)", lambda m: (f"cvt.rni{m[1] or ''}.{_FP[m[2]]}.{_FP[m[2]]}", (0,))),
    (r"saturate(\.ftz)?\.(f|d)", lambda m: (f"cvt.sat{m[1] or ''}.{_FP[m[2]]}.{_FP[m[2]]}", (0,))),
    (r"f(min|max)(\.ftz)?(\.nan)?(\.xorsign\.abs)?\.(f|d|f16|f16x2|bf16|bf16x2)", lambda m: _extreme_nan(m)),
    (r"mulhi\.(i|ui|ll|ull|s|us)", _typed("mul.hi.{0}", _INT, 0, 1)),
    (r"mul24\.(i|ui)", _typed("mul24.lo.{0}", _INT, 0, 1)),
    (r"sad\.(i|ui|ll|ull|s|us)", _typed("sad.{0}", _INT, 0, 1, 2)),
    (r"idp4a\.(s|u)\.(s|u)", _simple("dp4a.{0}32.{1}32", 0, 1, 2)),
    (r"bmsk\.(clamp|wrap)", _simple("bmsk.{0}.b32", 0, 1)),
    (r"(s|z)ext\.(clamp|wrap)", lambda m: (f"szext.{m[2]}.{'s' if m[1] == 's' else 'u'}32", (0, 1))),
    (r"fns", _simple("fns.b32", 0, 1, 2)),
    (r"prmt", _simple("prmt.b32", 0, 1, 2)),
    (r"prmt\.(b4e|f4e)", _simple("prmt.b32.{0}", 0, 1, 2)),
    (r"prmt\.(ecl|ecr|rc8|rc16)", _simple("prmt.b32.{0}", 0, "zero", 1)),
    (rf"d2f\.{_ROUND}(\.ftz)?", _simple("cvt.{0}{1}.f32.f64", 0)),
    (rf"(f|d)2(i|ui|ll|ull)\.{_ROUND}(\.ftz)?", _float_to_integer),
    (rf"(i|ui|ll|ull)2(f|d)\.{_ROUND}", _integer_to_float),
    (r"f2h\.rn(\.ftz)?", _simple("cvt.rn{0}.f16.f32", 0)),
    (r"bf2h\.rn(\.ftz)?", _simple("cvt.rn{0}.f16.bf16", 0)),
    (r"ff2(f16x2|bf16x2)\.(rn|rz)(\.relu)?(\.satfinite)?", _simple("cvt.{1}{2}{3}.{0}.f32", 0, 1)),
    (r"f2(f16|bf16)\.(rn|rz)(\.relu)?(\.satfinite)?", _simple("cvt.{1}{2}{3}.{0}.f32", 0)),
    (r"f2tf32\.(rn|rz|rna)(\.relu)?(\.satfinite)?", _simple("cvt.{0}{2}{1}.tf32.f32", 0)),
    (r"ff\.to\.(e4m3x2|e5m2x2|e2m3x2|e3m2x2)\.rn(\.relu)?(?:\.satfinite)?", _simple("cvt.rn.satfinite{1}.{0}.f32", 0, 1)),
    (r"(f16x2|bf16x2)\.to\.(e4m3x2|e5m2x2|e2m3x2|e3m2x2|e2m1x2)\.rn(\.relu)?\.satfinite", _simple("cvt.rn.satfinite{2}.{1}.{0}", 0)),
    (r"f16x2\.to\.(e4m3x2|e5m2x2)\.rn(\.relu)?", _simple("cvt.rn.satfinite{1}.{0}.f16x2", 0)),
    (r"(e4m3x2|e5m2x2|e2m3x2|e3m2x2)\.to\.f16x2\.rn(\.relu)?", _simple("cvt.rn{1}.f16x2.{0}", 0)),
    (r"ff\.to\.ue8m0x2\.(rp|rz)(\.satfinite)?", _simple("cvt.{0}{1}.ue8m0x2.f32", 0, 1)),
    (r"activemask", _simple("activemask.b32")),
    (r"barrier\.cta\.sync(\.aligned)?\.all", _simple("barrier.sync{0}", 0)),
    (r"barrier\.cta\.sync(\.aligned)?\.count", _simple("barrier.sync{0}", 0, 1)),
    (r"barrier\.cta\.arrive(\.aligned)?\.count", _simple("barrier.arrive{0}", 0, 1)),
    (r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.all", _simple("barrier.red.{0}{1}", 0, 1)),
    (r"barrier\.cta\.red\.(popc|and|or)(\.aligned)?\.count", _simple("barrier.red.{0}{1}", 0, 1, 2)),
    (r"barrier0", _simple("barrier.sync.aligned", "zero")),
    (r"barrier0\.(popc|and|or)", _simple("barrier.red.{0}.aligned", "zero", "nonzero 0")),
    (r"barrier\.n", _simple("barrier.sync.aligned", 0)),
    (r"barrier", _simple("barrier.sync.aligned", 0, 1)),
    (r"bar\.sync", _simple("barrier.sync.aligned", 0)),
    (r"barrier\.sync", _simple("barrier.sync", 0)),
    (r"barrier\.sync\.cnt", _simple("barrier.sync", 0, 1)),
    (r"bar\.warp\.sync", _simple("bar.warp.sync", 0)),
    (r"barrier\.cluster\.(arrive(?:\.relaxed)?|wait)(\.aligned)?", _simple("barrier.cluster.{0}{1}")),
    (r"shfl\.sync\.(bfly|down|idx|up)\.(?:i32|f32)p?", _simple("shfl.sync.{0}.b32", 1, 2, 3, 0)),
    (r"vote\.(all|any|uni)\.sync", _simple("vote.sync.{0}.pred", 1, 0)),
    (r"vote\.ballot\.sync", _simple("vote.sync.ballot.b32", 1, 0)),
    (r"match\.any\.sync\.i(32|64)", _simple("match.any.sync.b{0}", 1, 0)),
    (r"match\.all\.sync\.i(32|64)p?", _simple("match.all.sync.b{0}", 1, 0)),
    (r"redux\.sync\.(add|and|or|xor)", lambda m: (f"redux.sync.{m[1]}.{'s32' if m[1] == 'add' else 'b32'}", (0, 1))),
    (r"redux\.sync\.(min|max)", _simple("redux.sync.{0}.s32", 0, 1)),
    (r"redux\.sync\.u(min|max)", _simple("redux.sync.{0}.u32", 0, 1)),
    (r"redux\.sync\.f(min|max)(\.abs)?(\.NaN)?", _simple("redux.sync.{0}{1}{2}.f32", 0, 1)),
    (r"elect\.sync", _simple("elect.sync", 0)),
    (r"membar\.(cta|gl|sys)", _simple("membar.{0}")),
    (r"(fence\..*)", _simple("{0}")),
    (r"nanosleep", _simple("nanosleep.u32", 0)),
    (r"exit", _simple("exit")),
    (r"griddepcontrol\..*|setmaxnreg\..*|pm\.event.*", _simple("griddepcontrol.wait")),
    (r"prefetch.*|applypriority.*|discard.*", _simple("prefetch.L1")),
    (r"isspacep\.(const|global|local|shared|param)", _simple("isspacep.{0}", 0)),
    (r"isspacep\.shared\.cluster", _simple("isspacep.shared::cluster", 0)),
    (r"mapa(?:\.shared\.cluster)?", _simple("mapa.u64", 0, 1)),
    (r"getctarank(?:\.shared\.cluster)?", _simple("getctarank.u64", 0)),
    (r"cp\.async\.c[ag]\.shared\.global\.(4|8|16)", _simple("cp.async.ca.shared.global", "address 0", "address 1", "constant 0")),
    (r"cp\.async\.c[ag]\.shared\.global\.(4|8|16)\.s", _simple("cp.async.ca.shared.global", "address 0", "address 1", "constant 0", 2)),
    (r"cp\.async\.(?:commit|wait)\..*", _simple("cp.async.commit_group")),
    (r"mbarrier\.init(?:\.shared)?", _simple("mbarrier.init.b64", "address 0", 1)),
    (r"mbarrier\.inval(?:\.shared)?", _simple("mbarrier.inval.b64", "address 0")),
    (r"mbarrier\.(arrive(?:\.drop)?)(?:\.shared)?", lambda m: (f"mbarrier.{m[1].replace('.', '_')}.b64", ("address 0",))),
    (r"mbarrier\.(arrive(?:\.drop)?)\.noComplete(?:\.shared)?", lambda m: (f"mbarrier.{m[1].replace('.', '_')}.noComplete.b64", ("address 0", 1))),
    (r"mbarrier\.test\.wait(?:\.shared)?", _simple("mbarrier.test_wait.b64", "address 0", 1)),
    (r"mbarrier\.pending\.count", _simple("mbarrier.pending_count.b64", 0)),
    (r"ldu\.global\.[ifp]", _simple("ldu.global.<result>", "address 0")),
    (r"ldmatrix\.sync\.aligned\.m8n8\.(x1|x2|x4)(\.trans)?\.b16(?:\.p(0|3))?", _typed("ldmatrix.sync.aligned.m8n8.{0}{1}{2}.b16", _MATRIX_SPACE, "address 0")),
    (r"stmatrix\.sync\.aligned\.m8n8\.(x1|x2|x4)(\.trans)?\.b16(?:\.p(0|3))?", _typed("stmatrix.sync.aligned.m8n8.{0}{1}{2}.b16", _MATRIX_SPACE, "address 0", "rest")),
    (r"wgmma\.(fence|commit_group|wait_group)\.sync\.aligned", _simple("wgmma.{0}.sync.aligned")),
    *matrix_intrinsics.RULES,
    *copy_intrinsics.RULES,
    *texture_intrinsics.RULES,
)  # fmt: skip


def _extreme_nan(match: re.Match[str]) -> tuple[str, Sequence[int | str]]:
    name, ftz, nan, xorsign, type_ = match.groups()
    return (
        f"{name}{ftz or ''}{'.NaN' if nan else ''}{'.xorsign.abs' if xorsign else ''}.{_FP[type_]}",
        (0, 1),
    )


@cache
def ptx_of(name: str) -> tuple[str, Sequence[int | str]] | None:
    """The PTX instruction of an NVVM intrinsic and the sources of its operands."""
    short = name.removeprefix(PREFIX)
    for pattern, build in RULES:
        match = re.fullmatch(pattern, short)
        if match:
            try:
                return build(match)
            except KeyError:
                return None
    return None


def waits(name: str) -> bool:
    """Whether lanes may wait at a call of an intrinsic."""
    if not name.startswith(PREFIX):
        return False
    found = ptx_of(name)
    return found is not None and effects.waits(found[0])


# Registers


def register(semantics: LLVMSemantics, value: SSAValue, to: FunctionCompiler) -> Register:
    """A value as PTX registers hold it: a vector of narrow elements is one register."""
    return _packed(semantics.kinds(value), to.leaves(value), to)


def nonzero(number: Register) -> Register:
    """The predicate of a number that is not 0."""
    undefined = number.undefined and f"L.spread(1, {number.undefined})"
    return Register(f"({number.name} != 0)", undefined)


def registers_of_fields(
    semantics: LLVMSemantics, value: SSAValue, to: FunctionCompiler
) -> list[Register]:
    """The fields of a struct, each in the form of `register`."""
    leaves = iter(to.leaves(value))
    return [
        _packed(kinds, [next(leaves) for _ in kinds], to)
        for kinds in _fields(semantics, value.type)
    ]


def _packed(kinds: Sequence[ScalarType], leaves: Sequence[Leaf], to: FunctionCompiler) -> Register:
    if len(leaves) == 1:
        kind, leaf = kinds[0], leaves[0]
        name = leaf.name if kind.is_bool else to.assign(kind.to_bits(leaf.name))
        return Register(name, leaf.undefined)
    total = sum(k.bits for k in kinds)
    container = ScalarType(total).unsigned
    terms = [
        f"(L.fit({to.assign(k.to_bits(leaf.name))}, {total}) << {container}({i * k.bits}))"
        for i, (k, leaf) in enumerate(zip(kinds, leaves))
    ]
    shadows = [leaf.undefined for leaf in leaves if leaf.undefined]
    undefined = to.assign(f"L.spread({total}, {', '.join(shadows)})") if shadows else None
    return Register(to.assign(" | ".join(terms)), undefined)


def unpack(kinds: Sequence[ScalarType], leaf: Leaf, to: FunctionCompiler) -> list[Leaf]:
    """Splits a register into the scalars of a vector."""
    total = sum(k.bits for k in kinds)
    if len(kinds) == 1:
        (kind,) = kinds
        if kind.is_bool:
            return [leaf]
        raw = to.assign(f"L.fit({leaf.name}, {kind.bits})")
        return [Leaf(kind.from_bits(raw), leaf.undefined)]
    whole = to.assign(f"L.fit({leaf.name}, {total})")
    out: list[Leaf] = []
    at = 0
    for kind in kinds:
        raw = to.assign(f"L.fit({whole} >> {whole}.dtype.type({at}), {kind.bits})")
        shadow = f"L.spread({kind.bits}, {leaf.undefined})" if leaf.undefined else None
        out.append(Leaf(kind.from_bits(raw), shadow))
        at += kind.bits
    return out


def define(
    semantics: LLVMSemantics, op: Operation, results: Sequence[Leaf], to: FunctionCompiler
) -> None:
    """Sets an op's result from registers, one per field of a struct."""
    if not op.results:
        return
    type_ = op.results[0].type
    kinds = semantics.kinds(op.results[0])
    fields = _fields(semantics, type_)
    leaves: list[Leaf | str] = []
    if len(fields) == 1 or len(results) == 1:
        leaves += (
            unpack(kinds, results[0], to)
            if len(results) == 1
            else unpack(fields[0], results[0], to)
        )
    else:
        for field, leaf in zip(fields, results):
            leaves += unpack(field, leaf, to)
    to.define(op.results[0], leaves)


def _fields(semantics: LLVMSemantics, type_: Attribute) -> list[list[ScalarType]]:
    fields = getattr(type_, "types", None)
    if fields is None:
        return [semantics.types.kinds(type_)]
    return [semantics.types.kinds(f) for f in fields.data]


def _operands(
    semantics: LLVMSemantics,
    op: Operation,
    order: Sequence[int | str],
    match_text: str,
    to: FunctionCompiler,
) -> list[Operand]:
    values = fast.operands_of(op)
    out: list[Operand] = []
    for source in order:
        if isinstance(source, int):
            out.append(register(semantics, values[source], to))
        elif source == "rest":
            out.append(Group(tuple(register(semantics, v, to) for v in values[len(out) :])))
        elif source == "between":
            out.append(Group(tuple(register(semantics, v, to) for v in values[len(out) : -1])))
        elif source == "zero":
            out.append(Register(to.array(0, np.uint32)))
        elif source.startswith("nonzero"):
            out.append(nonzero(register(semantics, values[int(source.split()[1])], to)))
        elif source.startswith("address"):
            value = values[int(source.split()[1])]
            out.append(Address(to.leaf(value).name, 0, semantics.window(value)))
        elif source.startswith("group"):
            out.append(_group(semantics, values, source.split()[1:], to))
        elif source.startswith("list"):
            _, base, *rest = source.split()
            first = register(semantics, values[int(base)], to)
            out.append(ListAddress((first, _group(semantics, values, rest, to))))
        elif source.startswith("constant"):
            size = re.search(r"\.(4|8|16)(?:\.s)?$", match_text)
            assert size is not None
            out.append(Register(to.array(int(size[1]), np.uint32)))
    return out


def _group(
    semantics: LLVMSemantics, values: Sequence[SSAValue], where: Sequence[str], to: FunctionCompiler
) -> Group:
    first, count = (int(w) for w in where)
    return Group(tuple(register(semantics, v, to) for v in values[first : first + count]))


def run_ordered(
    semantics: LLVMSemantics,
    op: Operation,
    opcode: str,
    order: Sequence[int | str],
    to: FunctionCompiler,
) -> bool:
    """Like `run`, with the operands of the op selected by `order`."""
    return run(semantics, op, opcode, _operands(semantics, op, order, "", to), to)


def run_guarded(
    semantics: LLVMSemantics,
    op: Operation,
    opcode: str,
    order: Sequence[int | str],
    predicate: SSAValue,
    to: FunctionCompiler,
) -> bool:
    """Like `run_ordered`, for the lanes with a true predicate."""
    operands = _operands(semantics, op, order, "", to)
    guard = register(semantics, predicate, to).name
    olds: list[Leaf | None] = [None] * len(op.results)
    define(
        semantics,
        op,
        inline_asm.guarded(
            op, to, guard, False, lambda at: effects.emit(at, opcode, operands), olds, opcode
        ),
        to,
    )
    return True


def run(
    semantics: LLVMSemantics,
    op: Operation,
    opcode: str,
    operands: Sequence[Operand],
    to: FunctionCompiler,
) -> bool:
    """Generates the PTX instruction of an op; returns False if there is none."""
    at = Context(op, to)
    if effects.waits(opcode):
        wait = effects.wait(at, opcode, operands)
        to.wait(wait.condition)
        to.after_wait(lambda: define(semantics, op, wait.results(), to))
        return True
    results = effects.emit(at, opcode, operands)
    if results is None:
        return False
    if opcode == "exit":
        to.line("m = None; continue")
        return True
    define(semantics, op, results, to)
    return True


def emit_call(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """Generates an `llvm.call_intrinsic`; returns False if the intrinsic is unsupported."""
    name = intrinsic_name(op)
    short = name.removeprefix(PREFIX)
    if not name.startswith(PREFIX):
        return intrinsics.emit_call(semantics, op, name, to)
    special = sreg_of(short)
    if special is not None:
        define(semantics, op, [Leaf(special)], to)
        return True
    custom = _CUSTOM.get(re.sub(r"\.p\d+$", "", short))
    if custom is not None:
        custom(semantics, op, to)
        return True
    atomic = re.fullmatch(
        r"atomic\.(add|and|or|xor|exch|max|min|inc|dec|cas)\.gen\.([if])\.(cta|sys).*", short
    )
    if atomic:
        return _scoped_atomic(semantics, op, atomic[1], atomic[2], to)
    flagged = has_more_arguments(short, len(fast.operands_of(op)))
    found = (None if flagged else ptx_of(name)) or _with_flags(op, short, to)
    if found is None:
        return False
    opcode, order = found
    if order == ("texture",):
        registers = [register(semantics, v, to) for v in fast.operands_of(op)]
        return run(semantics, op, opcode, texture_intrinsics.operands(opcode, registers, short), to)
    if opcode.endswith("<result>"):
        bits = sum(k.bits for k in semantics.kinds(op.results[0]))
        opcode = opcode.replace("<result>", f"b{bits}")
    return run(semantics, op, opcode, _operands(semantics, op, order, short, to), to)


def _with_flags(
    op: Operation, short: str, to: FunctionCompiler
) -> tuple[str, Sequence[int | str]] | None:
    values = fast.operands_of(op)

    def constant(index: int) -> int:
        value = to.constants.get(to.leaf(values[index]).name)
        if value is None:
            raise to.unsupported(op, f"argument {index}, which must be a constant")
        return int(value[0])

    return copy_intrinsics.instruction(short, len(values), constant)


def _scoped_atomic(
    semantics: LLVMSemantics, op: Operation, name: str, letter: str, to: FunctionCompiler
) -> bool:
    pointer, *values = fast.operands_of(op)
    bits = semantics.kind(values[0]).bits
    type_ = f"f{bits}" if letter == "f" else f"{'s' if name in ('min', 'max') else 'u'}{bits}"
    address = Address(to.leaf(pointer).name, 0, semantics.window(pointer))
    return run(
        semantics,
        op,
        f"atom.{name}.{type_}",
        [address, *(register(semantics, v, to) for v in values)],
        to,
    )


def sreg_of(short: str) -> str | None:
    """The expression for `read.ptx.sreg.*`."""
    match = re.fullmatch(r"read\.ptx\.sreg\.(.*)", short)
    if not match:
        return None
    name = match[1]
    for group in ("cluster.ctaid", "cluster.nctaid"):
        if name.startswith(group):
            name = name.replace(".", "_", 1)
    name = re.sub(r"^(lanemask|globaltimer)\.", r"\1_", name)
    name = {"cluster.ctarank": "cluster_ctarank", "cluster.nctarank": "cluster_nctarank"}.get(
        name, name
    )
    name = {
        "aggr.smem.size": "aggr_smem_size",
        "dynamic.smem.size": "dynamic_smem_size",
        "total.smem.size": "total_smem_size",
    }.get(name, name)
    return special_register(name)


def _d2i(high: bool) -> Emit:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
        a = register(semantics, fast.operands_of(op)[0], to)
        shadow = f"L.spread(32, {a.undefined})" if a.undefined else None
        shift = f" >> u8({32})" if high else ""
        define(semantics, op, [Leaf(f"({a.name}{shift}).astype(u4)", shadow)], to)

    return emit


def _lohi(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    low, high = (register(semantics, v, to) for v in fast.operands_of(op))
    shadows = [r.undefined for r in (low, high) if r.undefined]
    shadow = f"L.spread(64, {', '.join(shadows)})" if shadows else None
    define(
        semantics,
        op,
        [Leaf(f"{low.name}.astype(u8) | ({high.name}.astype(u8) << u8(32))", shadow)],
        to,
    )


def _reinterpret(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    a = register(semantics, fast.operands_of(op)[0], to)
    define(semantics, op, [Leaf(a.name, a.undefined)], to)


def _handle(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    # The handle is the address of a variable; a metadata operand may precede it.
    a = register(semantics, fast.operands_of(op)[-1], to)
    define(semantics, op, [Leaf(a.name, a.undefined)], to)


_CUSTOM: dict[str, Emit] = {
    "d2i.hi": _d2i(True),
    "d2i.lo": _d2i(False),
    "lohi.i2d": _lohi,
    **{name: _handle for name in ("texsurf.handle", "texsurf.handle.internal")},
    **{
        name: _reinterpret
        for name in ("bitcast.f2i", "bitcast.i2f", "bitcast.d2ll", "bitcast.ll2d")
    },
}
