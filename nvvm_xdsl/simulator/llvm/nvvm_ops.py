"""Semantics of the nvvm dialect's ops, by their PTX instructions."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import int_property, number_of, segment_sizes
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.llvm import intrinsics, nvvm_copies, tcgen05_calls
from nvvm_xdsl.simulator.llvm.nvvm_intrinsics import (
    define,
    emit_call,
    nonzero,
    register,
    registers_of_fields,
    run,
    sreg_of,
)
from nvvm_xdsl.simulator.llvm.semantics import EmitOp, LLVMSemantics
from nvvm_xdsl.simulator.ptx import effects, inline_asm
from nvvm_xdsl.simulator.ptx.source_operands import Address, Context, Group, Operand, Register

WAITING_OPS = frozenset(
    "nvvm.barrier nvvm.barrier0 nvvm.bar.warp.sync nvvm.shfl.sync nvvm.vote.sync "
    "nvvm.match.sync nvvm.redux.sync nvvm.elect.sync nvvm.cluster.wait nvvm.mma.sync "
    "nvvm.wmma.load nvvm.wmma.mma nvvm.wmma.store nvvm.ldmatrix nvvm.stmatrix "
    "nvvm.mbarrier.test.wait nvvm.mbarrier.try_wait "
    "nvvm.mbarrier.try_wait.parity nvvm.wgmma.mma_async".split()
)


def keyword(op: Operation, name: str) -> str:
    """The keyword that an enum property prints; "" if it is absent."""
    match = re.search(r"([\w.]+)\s*>\s*$", str(op.properties.get(name)))
    return match[1] if match else ""


def _shape_of(op: Operation) -> list[int]:
    """The sizes m, n and k of a matrix op."""
    return [int(n) for n in re.findall(r"=\s*(\d+)", str(op.properties["shape"]))]


def _nvvm_barrier(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    counts = segment_sizes(op) or (1, 1, 0)
    rest = iter(operands)
    number, threads, predicate = (next(rest) if int(c) else None for c in counts)
    arguments: list[Operand] = [number or Register(to.array(0, np.uint32))]
    if threads is not None:
        arguments.append(threads)
    if predicate is None:
        return run(semantics, op, "barrier.sync.aligned", arguments, to)
    kind = keyword(op, "reductionOp")
    arguments.append(nonzero(predicate))
    return run(semantics, op, f"barrier.red.{kind}.aligned", arguments, to)


def _nvvm_arrive(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    if len(operands) == 1:
        operands.insert(0, Register(to.array(0, np.uint32)))
    return run(semantics, op, "barrier.arrive.aligned", operands, to)


def _nvvm_shfl(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    members, value, offset, clamp = (register(semantics, v, to) for v in fast.operands_of(op))
    return run(
        semantics, op, f"shfl.sync.{keyword(op, 'kind')}.b32", [value, offset, clamp, members], to
    )


def _nvvm_vote(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    members, predicate = (register(semantics, v, to) for v in fast.operands_of(op))
    kind = keyword(op, "kind")
    return run(
        semantics,
        op,
        f"vote.sync.{kind}.{'b32' if kind == 'ballot' else 'pred'}",
        [predicate, members],
        to,
    )


def _nvvm_match(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    members, value = fast.operands_of(op)
    bits = semantics.kind(value).bits
    opcode = f"match.{keyword(op, 'kind')}.sync.b{bits}"
    return run(
        semantics,
        op,
        opcode,
        [register(semantics, value, to), register(semantics, members, to)],
        to,
    )


def _nvvm_redux(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    value, members = (register(semantics, v, to) for v in fast.operands_of(op))
    kind = keyword(op, "kind")
    type_ = "u32" if kind[0] == "u" else "f32" if kind[0] == "f" else "s32"
    name = kind.lstrip("uf") if kind in ("umin", "umax", "fmin", "fmax") else kind
    mods = "".join(f".{m}" for m, key in (("abs", "abs"), ("NaN", "nan")) if int_property(op, key))
    return run(semantics, op, f"redux.sync.{name}{mods}.{type_}", [value, members], to)


def _nvvm_elect(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    members = operands[0] if operands else Register(to.array(0xFFFFFFFF, np.uint32))
    wait = effects.wait(Context(op, to), "elect.sync", [members])
    to.wait(wait.condition)
    to.after_wait(lambda: define(semantics, op, [wait.results()[1]], to))
    return True


def _nvvm_prmt(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    mode = keyword(op, "mode")
    low, selector = operands[0], operands[-1]
    high = operands[1] if len(operands) > 2 else Register(to.array(0, np.uint32))
    suffix = "" if mode == "default" else f".{mode}"
    return run(semantics, op, f"prmt.b32{suffix}", [low, high, selector], to)


def _nvvm_dot(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    types = ["s32" if keyword(op, k) == "signed" else "u32" for k in ("a_type", "b_type")]
    if op.name.endswith("4way"):
        return run(semantics, op, f"dp4a.{types[0]}.{types[1]}", operands, to)
    half = "hi" if int_property(op, "b_hi") else "lo"
    return run(semantics, op, f"dp2a.{half}.{types[0]}.{types[1]}", operands, to)


def _fixed(opcode: str) -> Callable[[LLVMSemantics, Operation, FunctionCompiler], bool]:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        return run(
            semantics, op, opcode, [register(semantics, v, to) for v in fast.operands_of(op)], to
        )

    return emit


def _stated(template: str) -> Callable[[LLVMSemantics, Operation, FunctionCompiler], bool]:
    """An instruction without operands; the properties of the op replace their names in braces."""
    names = re.findall(r"{(\w+)}", template)

    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        opcode = template.format(**{name: keyword(op, name) for name in names})
        return run(semantics, op, opcode, [], to)

    return emit


def _copy_async(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    target, source, *count = fast.operands_of(op)
    size = int_property(op, "size")
    operands: list[Operand] = [
        Address(to.leaf(target).name, 0, semantics.window(target)),
        Address(to.leaf(source).name, 0, semantics.window(source)),
        Register(to.array(size, np.uint32)),
        *(register(semantics, c, to) for c in count),
    ]
    return run(semantics, op, "cp.async.ca.shared.global", operands, to)


def _rounding(op: Operation) -> str:
    return keyword(op, "rnd") or "rn"


def _convert_modifiers(op: Operation) -> str:
    saturates = keyword(op, "sat") == "satfinite"
    relu = ".relu" if int_property(op, "relu") else ""
    return f"{relu}{'.satfinite' if saturates else ''}"


_SMALL_FORMATS = (
    ("f8E4M3", "e4m3x2"), ("f8E5M2", "e5m2x2"), ("f8E8M0", "ue8m0x2"), ("f6E2M3", "e2m3x2"), ("f6E3M2", "e3m2x2"),
    ("f4E2M1", "e2m1x2"),
)  # fmt: skip


def _small_format(op: Operation) -> str:
    text = str(op.properties.get("dstTy") or op.properties.get("srcType"))
    return next((ptx for mlir, ptx in _SMALL_FORMATS if mlir in text), "")


def _convert_pair(target: str) -> EmitOp:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        if len(fast.operands_of(op)) != 2:
            return False
        operands = [register(semantics, v, to) for v in fast.operands_of(op)]
        opcode = f"cvt.{_rounding(op)}{_convert_modifiers(op)}.{target}.f32"
        return run(semantics, op, opcode, operands, to)

    return emit


def _convert_to_small(source: str) -> EmitOp:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        target = _small_format(op)
        mode = "rn" if target != "ue8m0x2" else _rounding(op)
        relu = ".relu" if int_property(op, "relu") else ""
        operands = [register(semantics, v, to) for v in fast.operands_of(op)]
        return bool(target) and run(
            semantics, op, f"cvt.{mode}.satfinite{relu}.{target}.{source}", operands, to
        )

    return emit


def _convert_from_small(target: str) -> EmitOp:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        source = _small_format(op)
        relu = ".relu" if int_property(op, "relu") else ""
        operands = [register(semantics, v, to) for v in fast.operands_of(op)]
        return bool(source) and run(semantics, op, f"cvt.rn{relu}.{target}.{source}", operands, to)

    return emit


def _to_tf32(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    operands = [register(semantics, v, to) for v in fast.operands_of(op)]
    return run(semantics, op, f"cvt.{_rounding(op)}{_convert_modifiers(op)}.tf32.f32", operands, to)


def _matrix_copy(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    pointer, *values = fast.operands_of(op)
    name = op.name.removeprefix("nvvm.")
    count = len(values) or int_property(op, "num")
    turned = ".trans" if keyword(op, "layout") == "col" else ""
    operands: list[Operand] = [Address(to.leaf(pointer).name, 0, semantics.window(pointer))]
    if values:
        operands.append(Group(tuple(register(semantics, v, to) for v in values)))
    return run(semantics, op, f"{name}.sync.aligned.m8n8.x{count}{turned}.b16", operands, to)


def _mma_sync(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    sizes = [int(n) for n in segment_sizes(op)]
    values = [register(semantics, v, to) for v in fast.operands_of(op)]
    numbers = _shape_of(op)
    a = keyword(op, "multiplicandAPtxType") or "f16"
    b = keyword(op, "multiplicandBPtxType") or a
    kinds = semantics.kinds(fast.operands_of(op)[-1])
    total = "s32" if not kinds[0].fmt else "f16" if len(kinds) > 1 else kinds[0].fmt
    groups: list[Operand] = []
    at = 0
    for size in sizes:
        groups.append(Group(tuple(values[at : at + size])))
        at += size
    tail = ".satfinite" if keyword(op, "intOverflowBehavior") == "satfinite" else ""
    shape = "m{}n{}k{}".format(*numbers)
    return run(
        semantics, op, f"mma.sync.aligned.{shape}.row.col{tail}.{total}.{a}.{b}.{total}", groups, to
    )


def _wmma(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """Generates a `wmma` op through the intrinsic that it represents."""
    numbers = [number_of(op.properties[x]) for x in "mnk"]
    shape = "m{}n{}k{}".format(*numbers)
    action = op.name.removeprefix("nvvm.wmma.")
    values = fast.operands_of(op)
    if action == "mma":
        a, b, kind, total = (
            keyword(op, name) for name in ("layoutA", "layoutB", "eltypeA", "eltypeB")
        )
        kinds = f"{total}.{total}" if kind == "f16" else f"{total}.{kind}.{kind}.{total}"
        registers = Group(tuple(register(semantics, v, to) for v in values))
        return run(semantics, op, f"wmma.mma.sync.aligned.{a}.{b}.{shape}.{kinds}", [registers], to)
    layout, kind = keyword(op, "layout"), keyword(op, "eltype")
    fragment = keyword(op, "frag") if action == "load" else "d"
    operands: list[Operand] = [Address(to.leaf(values[0]).name, 0, semantics.window(values[0]))]
    if action == "store":
        operands.append(Group(tuple(register(semantics, v, to) for v in values[1:-1])))
    operands.append(register(semantics, values[-1], to))
    opcode = f"wmma.{action}.{fragment}.sync.aligned.{layout}.{shape}.{kind}"
    return run(semantics, op, opcode, operands, to)


def _wgmma(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """MLIR's `nvvm.wgmma.mma_async`: a K-major A has the layout `row`, a K-major B the layout
    `col`."""
    inouts, a, b = fast.operands_of(op)
    numbers = _shape_of(op)
    types = [keyword(op, f"type{m}") for m in "DAB"]
    tail = ".satfinite" if keyword(op, "satfinite") == "satfinite" else ""
    shape = "m{}n{}k{}".format(*numbers)
    opcode = f"wgmma.mma_async.sync.aligned.{shape}{tail}.{'.'.join(types)}"
    operands: list[Operand] = [
        Group(tuple(registers_of_fields(semantics, inouts, to))),
        register(semantics, a, to),
        register(semantics, b, to),
        Register(to.array(keyword(op, "scaleD") == "one", bool)),
    ]

    def immediate(value: int) -> Register:
        return Register(to.array(value & 0xFFFFFFFF, np.uint32))

    if types[0] != "s32":
        signs = (keyword(op, f"scale{m}") for m in "AB")
        operands += [immediate(-1 if s == "neg" else 1) for s in signs]
    if types[1] in ("f16", "bf16"):
        layouts = (keyword(op, "layoutA"), keyword(op, "layoutB"))
        operands += [immediate(int(layouts[0] == "col")), immediate(int(layouts[1] == "row"))]
    return run(semantics, op, opcode, operands, to)


NVVM: dict[str, EmitOp] = {
    "nvvm.cp.async.shared.global": _copy_async,
    "nvvm.convert.f32x2.to.f16x2": _convert_pair("f16x2"),
    "nvvm.convert.f32x2.to.bf16x2": _convert_pair("bf16x2"),
    "nvvm.convert.f32x2.to.f8x2": _convert_to_small("f32"),
    "nvvm.convert.f32x2.to.f6x2": _convert_to_small("f32"),
    "nvvm.convert.f32x2.to.f4x2": _convert_to_small("f32"),
    "nvvm.convert.f16x2.to.f8x2": _convert_to_small("f16x2"),
    "nvvm.convert.bf16x2.to.f8x2": _convert_to_small("bf16x2"),
    "nvvm.convert.f8x2.to.f16x2": _convert_from_small("f16x2"),
    "nvvm.convert.f8x2.to.bf16x2": _convert_from_small("bf16x2"),
    "nvvm.convert.f6x2.to.f16x2": _convert_from_small("f16x2"),
    "nvvm.convert.f4x2.to.f16x2": _convert_from_small("f16x2"),
    "nvvm.convert.float.to.tf32": _to_tf32,
    "nvvm.ldmatrix": _matrix_copy,
    "nvvm.stmatrix": _matrix_copy,
    "nvvm.mma.sync": _mma_sync,
    "nvvm.wmma.load": _wmma,
    "nvvm.wmma.mma": _wmma,
    "nvvm.wmma.store": _wmma,
    "nvvm.wgmma.fence.aligned": _fixed("wgmma.fence.sync.aligned"),
    "nvvm.wgmma.commit.group.sync.aligned": _fixed("wgmma.commit_group.sync.aligned"),
    "nvvm.wgmma.wait.group.sync.aligned": _fixed("wgmma.wait_group.sync.aligned"),
    "nvvm.wgmma.mma_async": _wgmma,
    "nvvm.pmevent": lambda semantics, op, to: True,
    "nvvm.fence.proxy.acquire": lambda semantics, op, to: True,
    "nvvm.fence.proxy.release": lambda semantics, op, to: True,
    "nvvm.fence.proxy.sync_restrict": _fixed("fence.proxy.async"),
    "nvvm.fence.sync_restrict": _stated("fence.{order}.cluster"),
    "nvvm.barrier": _nvvm_barrier,
    "nvvm.barrier0": lambda semantics, op, to: run(
        semantics, op, "barrier.sync.aligned", [Register(to.array(0, np.uint32))], to
    ),
    "nvvm.barrier.arrive": _nvvm_arrive,
    "nvvm.bar.warp.sync": _fixed("bar.warp.sync"),
    "nvvm.shfl.sync": _nvvm_shfl,
    "nvvm.vote.sync": _nvvm_vote,
    "nvvm.match.sync": _nvvm_match,
    "nvvm.redux.sync": _nvvm_redux,
    "nvvm.elect.sync": _nvvm_elect,
    "nvvm.prmt": _nvvm_prmt,
    "nvvm.dot.accumulate.4way": _nvvm_dot,
    "nvvm.dot.accumulate.2way": _nvvm_dot,
    "nvvm.rcp.approx.ftz.f": _fixed("rcp.approx.ftz.f32"),
    "nvvm.exit": _fixed("exit"),
    "nvvm.breakpoint": _fixed("brkpt"),
    "nvvm.nanosleep": _fixed("nanosleep.u32"),
    "nvvm.memory.barrier": _stated("membar.{scope}"),
    "nvvm.fence.sc.cluster": _fixed("fence.sc.cluster"),
    "nvvm.fence.mbarrier.init": _fixed("fence.mbarrier_init.release.cluster"),
    "nvvm.fence.proxy": _stated("fence.proxy.{kind}"),
    "nvvm.cluster.arrive": _fixed("barrier.cluster.arrive"),
    "nvvm.cluster.arrive.relaxed": _fixed("barrier.cluster.arrive.relaxed"),
    "nvvm.cluster.wait": _fixed("barrier.cluster.wait"),
    "nvvm.mapa": _fixed("mapa.u64"),
    "nvvm.griddepcontrol": _fixed("griddepcontrol.wait"),
    "nvvm.setmaxregister": _fixed("setmaxnreg"),
    "nvvm.prefetch": _fixed("prefetch.L1"),
    **nvvm_copies.OPS,
    "nvvm.cp.async.commit.group": _fixed("cp.async.commit_group"),
    "nvvm.cp.async.wait.group": _fixed("cp.async.wait_group"),
}


def _inline_asm(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    inputs: list[Leaf] = []
    for value in fast.operands_of(op):
        r = register(semantics, value, to)
        inputs.append(Leaf(r.name, r.undefined))
    inline_asm.emit(op, inputs, to, lambda results: define(semantics, op, results, to))
    return True


def emit_op(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """Generates an op of the nvvm dialect; returns False if it is unsupported."""
    name = op.name
    if tcgen05_calls.is_tcgen05(op):
        return tcgen05_calls.emit(semantics, op, to)
    if name == "llvm.call_intrinsic":
        return emit_call(semantics, op, to)
    if name == "llvm.inline_asm":
        return _inline_asm(semantics, op, to)
    if name.startswith("nvvm.read.ptx.sreg."):
        special = sreg_of(name.removeprefix("nvvm."))
        if special is None:
            return False
        define(semantics, op, [Leaf(special)], to)
        return True
    if name.startswith("nvvm."):
        emit = NVVM.get(name)
        return emit is not None and emit(semantics, op, to)
    if name.startswith("llvm.intr."):
        return intrinsics.emit_op(semantics, op, to)
    return False
