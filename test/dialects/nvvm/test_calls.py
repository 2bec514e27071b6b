"""Calls of NVVM intrinsics become ops: those of LLVM 22, of older releases, and of NVVM IR.

Older names become the same ops as in `opt-22` (`abs`, which LLVM expands to a comparison and a select,
becomes the equivalent intrinsic).
"""

from __future__ import annotations

import re
import subprocess

import pytest
from helpers.roundtrip import MLIR_OPT, MLIR_TRANSLATE, NO_MLIR, show
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import ConstantOp, FuncOp, LinkageAttr, ReturnOp
from xdsl.ir import Attribute, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.types import VOID, int_attr, string
from nvvm_xdsl.dialects.nvvm.calls import (
    CallError,
    build_call,
    canonical_intrinsic,
    intrinsics_with_ops,
)
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.ir import fast

SCALARS: dict[str, Attribute] = {
    "f16": types.F16,
    "bf16": types.BF16,
    "f32": types.F32,
    "f64": types.F64,
    "void": VOID,
}


def type_of(letters: str) -> Attribute:
    """Returns a type from `i32`, `p3`, `v2f16`, `{i32 i1}`."""
    if letters in SCALARS:
        return SCALARS[letters]
    if letters.startswith("{"):
        return types.struct([type_of(part) for part in letters[1:-1].split()])
    if m := re.fullmatch(r"i(\d+)", letters):
        return types.integer(int(m[1]))
    if m := re.fullmatch(r"p(\d*)", letters):
        return types.pointer(int(m[1] or 0))
    m = re.fullmatch(r"v(\d+)(\w+)", letters)
    assert m is not None, letters
    return types.vector(int(m[1]), type_of(m[2]))


class Caller:
    """Returns a function with one call; numbers among its arguments are constants."""

    def __init__(self, arguments: str) -> None:
        words = re.findall(r"-?\d+:\w+|\w+", arguments)
        self.block = fast.new_block([type_of(w) for w in words if ":" not in w])
        parameters = iter(self.block.args)
        self.arguments: list[SSAValue] = []
        for word in words:
            if ":" in word:
                value, letters = word.split(":")
                type_ = type_of(letters)
                attr = int_attr(int(value), type_)
                self.arguments.append(
                    self.insert(fast.create(ConstantOp, (), (type_,), {"value": attr}))
                )
            else:
                self.arguments.append(next(parameters))

    def insert(self, op: Operation) -> SSAValue:
        fast.append(self.block, op)
        return op.results[0]

    def call(self, name: str, output: str, **properties: Attribute) -> ModuleOp:
        """Returns the module with the call, verified."""
        type_ = type_of(output)
        made = build_call(f"llvm.nvvm.{name}", self.arguments, type_, self.insert, properties)
        if isinstance(made, Operation):
            fast.append(self.block, made)
            values = tuple(made.results)
        else:
            values = (made,)
        fast.append(self.block, fast.create(ReturnOp, values))
        func = fast.create(
            FuncOp,
            properties={
                "sym_name": string("f"),
                "function_type": types.function([a.type for a in self.block.args], type_),
                "linkage": LinkageAttr("external"),
            },
            regions=[Region(self.block)],
        )
        module = ModuleOp([func])
        module.verify()
        return module


def ops_for(name: str, arguments: str, output: str, **properties: Attribute) -> list[str]:
    """Returns the lines that a call becomes, without constants and the return."""
    text = show(Caller(arguments).call(name, output, **properties))
    lines = [line.strip() for line in text.splitlines()[2:-2]]
    return [line for line in lines if "llvm.return" not in line]


def only_op(name: str, arguments: str, output: str) -> str:
    (line,) = ops_for(name, arguments, output)
    return re.sub(r"%\w+ = ", "", line)


SIMPLE = [
    ("read.ptx.sreg.tid.x", "", "i32", "nvvm.read.ptx.sreg.tid.x : i32"),
    ("read.ptx.sreg.clock64", "", "i64", "nvvm.read.ptx.sreg.clock64 : i64"),
    (
        "read.ptx.sreg.dynamic_smem_size",
        "",
        "i32",
        "nvvm.read.ptx.sreg.dynamic.smem.size : i32",
    ),
    ("barrier0", "", "void", "nvvm.barrier0"),
    ("barrier.n", "i32", "void", "nvvm.barrier id = %0"),
    ("bar.sync", "i32", "void", "nvvm.barrier id = %0"),
    ("barrier.cta.sync.aligned.all", "i32", "void", "nvvm.barrier id = %0"),
    ("barrier", "i32 i32", "void", "nvvm.barrier id = %0 number_of_threads = %1"),
    (
        "barrier.cta.arrive.aligned.count",
        "i32 i32",
        "void",
        "nvvm.barrier.arrive id = %0 number_of_threads = %1",
    ),
    (
        "barrier.sync",
        "i32",
        "void",
        'llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.all"(%0) : (i32) -> ()',
    ),
    (
        "barrier.sync.cnt",
        "i32 i32",
        "void",
        'llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.count"(%0, %1) : (i32, i32) -> ()',
    ),
    (
        "shfl.sync.bfly.i32",
        "i32 i32 i32 i32",
        "i32",
        "nvvm.shfl.sync bfly %0, %1, %2, %3 : i32 -> i32",
    ),
    (
        "shfl.sync.down.f32p",
        "i32 f32 i32 i32",
        "{f32 i1}",
        "nvvm.shfl.sync down %0, %1, %2, %3 {return_value_and_is_valid} : f32 -> "
        "!llvm.struct<(f32, i1)>",
    ),
    ("vote.ballot.sync", "i32 i1", "i32", "nvvm.vote.sync ballot %0, %1 -> i32"),
    ("vote.uni.sync", "i32 i1", "i1", "nvvm.vote.sync uni %0, %1 -> i1"),
    ("match.any.sync.i64", "i32 i64", "i32", "nvvm.match.sync any %0, %1 : i64 -> i32"),
    (
        "match.all.sync.i32",
        "i32 i32",
        "{i32 i1}",
        "nvvm.match.sync all %0, %1 : i32 -> !llvm.struct<(i32, i1)>",
    ),
    ("redux.sync.umin", "i32 i32", "i32", "nvvm.redux.sync umin %0, %1 : i32 -> i32"),
    (
        "redux.sync.fmax.abs.NaN",
        "f32 i32",
        "f32",
        "nvvm.redux.sync fmax %0, %1 {abs = true, nan = true} : f32 -> f32",
    ),
    ("prmt.f4e", "i32 i32 i32", "i32", "nvvm.prmt <f4e> %2, %0, %1 : i32"),
    ("membar.gl", "", "void", "nvvm.memory.barrier <gpu>"),
    ("brev32", "i32", "i32", "llvm.intr.bitreverse(%0) : (i32) -> i32"),
    ("clz.i", "i32", "i32", '"llvm.intr.ctlz"(%0) <{is_zero_poison = false}> : (i32) -> i32'),
    ("popc.i", "i32", "i32", "llvm.intr.ctpop(%0) : (i32) -> i32"),
    (
        "abs.ll",
        "i64",
        "i64",
        '"llvm.intr.abs"(%0) <{is_int_min_poison = false}> : (i64) -> i64',
    ),
    ("max.ui", "i32 i32", "i32", "llvm.intr.umax(%0, %1) : (i32, i32) -> i32"),
    ("min.ll", "i64 i64", "i64", "llvm.intr.smin(%0, %1) : (i64, i64) -> i64"),
    ("max.us", "i16 i16", "i16", "llvm.intr.umax(%0, %1) : (i16, i16) -> i16"),
    ("bitcast.d2ll", "f64", "i64", "llvm.bitcast %0 : f64 to i64"),
    ("rotate.b32", "i32 i32", "i32", "llvm.intr.fshl(%0, %0, %1) : (i32, i32, i32) -> i32"),
    (
        "ptr.gen.to.global.p1i8.p0i8",
        "p",
        "p1",
        "llvm.addrspacecast %0 : !llvm.ptr to !llvm.ptr<1>",
    ),
    (
        "ptr.shared.to.gen.p0.p3",
        "p3",
        "p",
        "llvm.addrspacecast %0 : !llvm.ptr<3> to !llvm.ptr",
    ),
    (
        "atomic.load.add.f32.p0f32",
        "p f32",
        "f32",
        "llvm.atomicrmw fadd %0, %1 monotonic {alignment = 4 : i64} : !llvm.ptr, f32",
    ),
    (
        "atomic.load.inc.32.p0i32",
        "p i32",
        "i32",
        "llvm.atomicrmw uinc_wrap %0, %1 monotonic {alignment = 4 : i64} : !llvm.ptr, i32",
    ),
    (
        "fabs.f",
        "f32",
        "f32",
        'llvm.call_intrinsic "llvm.nvvm.fabs.f32"(%0) : (f32) -> f32',
    ),
    (
        "ex2.approx.ftz.f",
        "f32",
        "f32",
        'llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"(%0) : (f32) -> f32',
    ),
    (
        "ldu.global.i.i32.p1i32",
        "p1 i32",
        "i32",
        'llvm.call_intrinsic "llvm.nvvm.ldu.global.i.i32.p1"(%0, %1) : (!llvm.ptr<1>, i32) -> i32',
    ),
    (
        "never.heard.of",
        "i32",
        "i32",
        'llvm.call_intrinsic "llvm.nvvm.never.heard.of"(%0) : (i32) -> i32',
    ),
]


@pytest.mark.parametrize(
    ("name", "arguments", "output", "expected"), SIMPLE, ids=[row[0] for row in SIMPLE]
)
def test_one_op(name: str, arguments: str, output: str, expected: str):
    assert only_op(name, arguments, output) == expected


def test_barrier_0_by_number():
    assert ops_for("barrier.cta.sync.aligned.all", "0:i32", "void") == [
        "%0 = llvm.mlir.constant(0 : i32) : i32",
        "nvvm.barrier0",
    ]


def test_count_of_leading_zeros_of_64_bits():
    assert ops_for("clz.ll", "i64", "i32") == [
        '%1 = "llvm.intr.ctlz"(%0) <{is_zero_poison = false}> : (i64) -> i64',
        "%2 = llvm.trunc %1 : i64 to i32",
    ]


def test_half_to_float():
    assert ops_for("h2f", "i16", "f32") == [
        "%1 = llvm.bitcast %0 : i16 to f16",
        "%2 = llvm.fpext %1 : f16 to f32",
    ]


def test_rotation_of_64_bits():
    assert ops_for("rotate.right.b64", "i64 i32", "i64") == [
        "%2 = llvm.zext %1 : i32 to i64",
        "%3 = llvm.intr.fshr(%0, %0, %2) : (i64, i64, i64) -> i64",
    ]


def test_constant_load_through_a_generic_pointer():
    assert ops_for("ldg.global.f.f32.p0", "p 4:i32", "f32")[1:] == [
        "%2 = llvm.addrspacecast %0 : !llvm.ptr to !llvm.ptr<1>",
        "%3 = llvm.load %2 invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32",
    ]


def test_reducing_barrier():
    assert ops_for("barrier0.and", "i32", "i32") == [
        "%1 = llvm.mlir.constant(0 : i32) : i32",
        '%2 = llvm.icmp "ne" %0, %1 : i32',
        '%3 = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.and.aligned.all"(%1, %2) : '
        "(i32, i1) -> i1",
        "%4 = llvm.zext %3 : i1 to i32",
    ]


def test_bfloat_that_was_an_integer():
    assert ops_for("fma.rn.bf16", "i16 i16 i16", "i16") == [
        "%3 = llvm.bitcast %0 : i16 to bf16",
        "%4 = llvm.bitcast %1 : i16 to bf16",
        "%5 = llvm.bitcast %2 : i16 to bf16",
        '%6 = llvm.call_intrinsic "llvm.nvvm.fma.rn.bf16"(%3, %4, %5) : (bf16, bf16, bf16) -> bf16',
        "%7 = llvm.bitcast %6 : bf16 to i16",
    ]


@pytest.mark.parametrize(
    ("old", "name", "integer", "number"),
    [
        ("abs.bf16", "fabs.bf16", "i16", "bf16"),
        ("abs.bf16x2", "fabs.v2bf16", "i32", "vector<2xbf16>"),
    ],
)
def test_absolute_bfloat_that_was_an_integer(old: str, name: str, integer: str, number: str):
    assert ops_for(old, integer, integer) == [
        f"%1 = llvm.bitcast %0 : {integer} to {number}",
        f'%2 = llvm.call_intrinsic "llvm.nvvm.{name}"(%1) : ({number}) -> {number}',
        f"%3 = llvm.bitcast %2 : {number} to {integer}",
    ]


def test_cluster_pointer_that_was_shared():
    assert ops_for("mapa.shared.cluster", "p3 i32", "p3") == [
        "%2 = nvvm.mapa %0, %1 : !llvm.ptr<3> -> !llvm.ptr<7>",
        "%3 = llvm.addrspacecast %2 : !llvm.ptr<7> to !llvm.ptr<3>",
    ]


@pytest.mark.parametrize(("mode", "kind"), list(enumerate(["idx", "up", "down", "bfly"])))
def test_shuffle_with_its_mode(mode: int, kind: str):
    lines = ops_for("shfl.sync.i32", f"i32 {mode}:i32 i32 i32 i32", "{i32 i1}")
    assert lines[-1].startswith(f"%5 = nvvm.shfl.sync {kind} %0, %1, %2, %3 ")


@pytest.mark.parametrize(
    ("mode", "kind", "field"), [(0, "all", 1), (1, "any", 1), (2, "uni", 1), (3, "ballot", 0)]
)
def test_vote_with_its_mode(mode: int, kind: str, field: int):
    lines = ops_for("vote.sync", f"i32 {mode}:i32 i1", "{i32 i1}")
    assert lines[-3].startswith(f"%3 = nvvm.vote.sync {kind} %0, %1 -> ")
    assert lines[-1] == f"%5 = llvm.insertvalue %3, %4[{field}] : !llvm.struct<(i32, i1)>"


def test_range_of_a_special_register():
    (line,) = ops_for("read.ptx.sreg.tid.x", "", "i32", range=ConstantRangeAttr.get(32, 0, 64))
    assert line == "%0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32"


def test_range_of_another_call():
    (line,) = ops_for("fns", "i32 i32 i32", "i32", range=ConstantRangeAttr.get(32, 0, 64))
    assert line.endswith("-> (i32 {llvm.range = #llvm.constant_range<i32, 0, 64>})")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("shfl.sync.i32", "i32 i32 i32 i32 i32", "argument 2 of .* must be a constant"),
        ("shfl.sync.i32", "i32 9:i32 i32 i32 i32", "has no mode 9"),
        ("shfl.sync.i32", "i32 i32", "takes 5 arguments, not 2"),
        ("cp.async.wait.group", "i32", "argument 1 of .* must be a constant"),
        ("fma.rn.f", "f32 f32", "takes 3 arguments, not 2"),
        ("vote.any.sync", "i32 i1 i1", "takes 2 arguments, not 3"),
    ],
)
def test_invalid_calls(name: str, arguments: str, message: str):
    with pytest.raises(CallError, match=message):
        ops_for(name, arguments, "void")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llvm.nvvm.fabs.d", "llvm.nvvm.fabs.f64"),
        ("llvm.nvvm.ldu.global.f.f32.p1f32", "llvm.nvvm.ldu.global.f.f32.p1"),
        ("llvm.nvvm.ldu.global.f.f32.p1", "llvm.nvvm.ldu.global.f.f32.p1"),
        ("llvm.nvvm.fma.rn.f", "llvm.nvvm.fma.rn.f"),
        ("llvm.nvvm.abs.bf16x2", "llvm.nvvm.fabs.v2bf16"),
        ("llvm.memcpy.p0i8.p0i8.i64", "llvm.memcpy.p0i8.p0i8.i64"),
    ],
)
def test_canonical_names(name: str, expected: str):
    assert canonical_intrinsic(name) == expected


def signature(intrinsic: Intrinsic) -> tuple[str, str]:
    """Returns arguments and result of a call; immediates are some valid number."""
    number = 40 if "setmaxnreg" in intrinsic.name else 128 if "tensormap" in intrinsic.name else 1
    arguments = " ".join(
        f"{number}:{letters}" if i in intrinsic.immediates else letters
        for i, letters in enumerate(intrinsic.arguments)
    )
    results = intrinsic.results
    if len(results) > 1:
        return arguments, "{" + " ".join(results) + "}"
    return arguments, results[0] if results else "void"


def calls_of_all() -> list[tuple[str, ModuleOp]]:
    found: list[tuple[str, ModuleOp]] = []
    for name in sorted(intrinsics_with_ops()):
        intrinsic = find_intrinsic(name)
        assert intrinsic is not None
        arguments, output = signature(intrinsic)
        module = Caller(arguments).call(name.removeprefix("llvm.nvvm."), output)
        found.append((name, module))
    return found


def test_every_intrinsic_with_an_op_becomes_it():
    calls = calls_of_all()
    assert len(calls) > 230
    for name, module in calls:
        assert "nvvm." in show(module).replace("call_intrinsic", ""), name
        assert "llvm.call_intrinsic" not in show(module), name


SAME_UNDER_ANOTHER_NAME = {
    "llvm.nvvm.mbarrier.arrive.drop.shared": "mbarrier.arrive.drop.scope.cta.space.cta",
    "llvm.nvvm.mbarrier.test.wait.shared": "mbarrier.test.wait.scope.cta.space.cta",
    "llvm.nvvm.barrier.cta.arrive.aligned.count": 'asm sideeffect "bar.arrive $0, $1;"',
}
"""Ops that MLIR lowers to another spelling of the same PTX instruction."""


@pytest.mark.skipif(MLIR_OPT is None or MLIR_TRANSLATE is None, reason=NO_MLIR)
def test_mlir_lowers_each_op_to_its_intrinsic():
    assert MLIR_OPT is not None
    assert MLIR_TRANSLATE is not None
    texts: list[str] = []
    names: list[str] = []
    for name, module in calls_of_all():
        (func,) = module.body.block.ops
        func.properties["sym_name"] = string(f"f{len(names)}")
        names.append(name)
        texts.append(show(module).split("\n", 1)[1].rsplit("}", 1)[0])
    lowered = subprocess.run(
        [MLIR_OPT, "--convert-nvvm-to-llvm", "-"],
        input="\n".join(texts),
        capture_output=True,
        text=True,
    )
    assert lowered.returncode == 0, lowered.stderr
    translated = subprocess.run(
        [MLIR_TRANSLATE, "--mlir-to-llvmir", "-"],
        input=lowered.stdout,
        capture_output=True,
        text=True,
    )
    assert translated.returncode == 0, translated.stderr
    bodies = dict(
        re.findall(r"^define [^\n]*@f(\d+)\([^\n]*\{\n(.*?)^\}", translated.stdout, re.M | re.S)
    )
    for index, name in enumerate(names):
        wanted = SAME_UNDER_ANOTHER_NAME.get(name, f"@{name}")
        assert re.search(re.escape(wanted) + r"[(.,]", bodies[str(index)]), (
            name,
            bodies[str(index)],
        )
