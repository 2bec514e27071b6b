"""Side effects of ops."""

from __future__ import annotations

import pytest
from helpers.roundtrip import FILES, parse, snippets
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.effects import (
    ALLOCATES,
    ARGUMENTS_ONLY,
    CONVERGENT,
    EVERYTHING,
    MAY_NOT_RETURN,
    READS,
    STATE,
    UNSPECULATABLE,
    WRITES,
    effects,
    effects_table,
    inline_assembly_is_convergent,
    inline_assembly_may_end_thread,
    is_pure,
    is_removable,
)
from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvvm import NVVM

ARGUMENTS = (
    "%p: !llvm.ptr, %p1: !llvm.ptr<1>, %p3: !llvm.ptr<3>, %i: i32, %j: i32, %l: i64, %c: i1, "
    "%f: f32, %b: i8, %v: vector<2xf16>"
)


def op_of(text: str) -> Operation:
    prefix = "" if text.startswith(("llvm.store", "llvm.fence", "nvvm.", '"')) else "%r = "
    if text.startswith("!"):
        prefix, text = "", text[1:]
    function = f"llvm.func @g(i32) -> i32\nllvm.func @f({ARGUMENTS}) {{\n{prefix}{text}\n"
    module = parse(function + "llvm.return\n}")
    return module.body.block.last_op.body.block.first_op


MEMORY_EFFECTS = (
    "#llvm.memory_effects<other = {0}, argMem = {1}, inaccessibleMem = {2}, errnoMem = none, "
    "targetMem0 = none, targetMem1 = none>"
)

ROWS = [
    ("llvm.add %i, %j : i32", 0),
    ("llvm.fdiv %f, %f : f32", 0),
    ("llvm.udiv %i, %j : i32", UNSPECULATABLE),
    ("llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8", 0),
    ("llvm.mlir.constant(1 : i32) : i32", 0),
    ("llvm.alloca %i x i32 : (i32) -> !llvm.ptr", ALLOCATES | STATE),
    ("llvm.load %p : !llvm.ptr -> i32", READS | ARGUMENTS_ONLY | UNSPECULATABLE),
    ("llvm.load volatile %p : !llvm.ptr -> i32", READS | WRITES | STATE | UNSPECULATABLE),
    (
        "llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32",
        READS | WRITES | STATE | UNSPECULATABLE,
    ),
    ("llvm.store %i, %p : i32, !llvm.ptr", WRITES | ARGUMENTS_ONLY | UNSPECULATABLE),
    ("llvm.store volatile %i, %p : i32, !llvm.ptr", READS | WRITES | STATE | UNSPECULATABLE),
    (
        "llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i32",
        READS | WRITES | ARGUMENTS_ONLY | UNSPECULATABLE,
    ),
    (
        "llvm.cmpxchg %p, %i, %j seq_cst monotonic : !llvm.ptr, i32",
        READS | WRITES | STATE | UNSPECULATABLE,
    ),
    (
        "llvm.cmpxchg %p, %i, %j monotonic acquire : !llvm.ptr, i32",
        READS | WRITES | STATE | UNSPECULATABLE,
    ),
    ("llvm.fence seq_cst", READS | WRITES | STATE | UNSPECULATABLE),
    (
        '"llvm.intr.memset"(%p, %b, %l) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()',
        WRITES | ARGUMENTS_ONLY | UNSPECULATABLE,
    ),
    ("llvm.call @g(%i) : (i32) -> i32", EVERYTHING),
    (
        "llvm.call @g(%i) {no_unwind, will_return, memory_effects = "
        + MEMORY_EFFECTS.format("none", "none", "none")
        + "} : (i32) -> i32",
        CONVERGENT | UNSPECULATABLE,
    ),
    (
        "llvm.call @g(%i) {will_return, memory_effects = "
        + MEMORY_EFFECTS.format("none", "read", "none")
        + "} : (i32) -> i32",
        READS | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE,
    ),
    ('llvm.call_intrinsic "llvm.nvvm.fma.rn.f"(%f, %f, %f) : (f32, f32, f32) -> f32', 0),
    (
        'llvm.call_intrinsic "llvm.nvvm.ldu.global.i.i32.p1"(%p1, %i) : (!llvm.ptr<1>, i32) -> i32',
        READS | ARGUMENTS_ONLY | UNSPECULATABLE,
    ),
    ('llvm.call_intrinsic "llvm.nvvm.unknown"(%i) : (i32) -> i32', EVERYTHING),
    (
        'llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %i : (i32) -> i32',
        0,
    ),
    (
        'llvm.inline_asm "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r" %i : (i32) -> i32',
        CONVERGENT | UNSPECULATABLE,
    ),
    (
        'llvm.inline_asm has_side_effects "st.b32 [$1], $0;", "=r,l,~{memory}" %l : (i64) -> i32',
        READS | WRITES | STATE | UNSPECULATABLE,
    ),
    ("nvvm.barrier0", READS | WRITES | CONVERGENT | STATE | UNSPECULATABLE),
    (
        "!%r = nvvm.shfl.sync bfly %i, %j, %i, %j : i32 -> i32",
        CONVERGENT | STATE | UNSPECULATABLE,
    ),
    ("!%r = nvvm.read.ptx.sreg.tid.x : i32", 0),
    ("!%r = nvvm.read.ptx.sreg.clock : i32", STATE),
    ("!%r = nvvm.prmt <default> %i, %j, %i : i32", 0),
    ("nvvm.memory.barrier <cta>", READS | WRITES | STATE | UNSPECULATABLE),
    ("nvvm.exit", EVERYTHING & ~CONVERGENT),
    (
        "!%r = nvvm.ldmatrix %p3 {num = 1 : i32, layout = #nvvm.mma_layout<row>, "
        "shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, "
        "eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32",
        READS | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE,
    ),
]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0][:48] for row in ROWS])
def test_flags(text: str, expected: int):
    assert effects(op_of(text)) == expected


def test_every_class_has_an_entry():
    table = effects_table()
    assert set(table) == {*LLVM.operations, *NVVM.operations}


def test_unknown_ops_have_all_effects():
    assert effects(UnregisteredOp.with_name("x.y").create()) == EVERYTHING


def test_ops_with_unknown_effects():
    unknown = {cls.name for cls, flags in effects_table().items() if flags == EVERYTHING}
    assert unknown == {
        "llvm.func",
        "llvm.mlir.global",
        "llvm.mlir.alias",
        "llvm.mlir.ifunc",
        "llvm.mlir.global_ctors",
        "llvm.mlir.global_dtors",
        "llvm.comdat",
        "llvm.comdat_selector",
        "llvm.linker_options",
        "llvm.module_flags",
        "llvm.invoke",
    }


def test_every_op_of_the_snippets_has_flags():
    for path in FILES:
        for text in snippets(path):
            for op in parse(text).walk():
                assert 0 <= effects(op) < 256


def test_pure_and_removable():
    add, load = op_of("llvm.add %i, %j : i32"), op_of("llvm.load %p : !llvm.ptr -> i32")
    assert is_pure(add)
    assert is_removable(add)
    assert not is_pure(load)
    assert is_removable(load)
    assert is_pure(op_of("llvm.sdiv %i, %j : i32"))
    assert is_removable(op_of("llvm.alloca %i x i32 : (i32) -> !llvm.ptr"))
    assert not is_removable(op_of("nvvm.barrier0"))
    assert not is_removable(op_of("llvm.store %i, %p : i32, !llvm.ptr"))
    module = parse("llvm.func @f() {\nllvm.return\n}")
    assert not is_removable(module.body.block.first_op.body.block.first_op)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bar.sync 0;", True),
        ("{ .reg .pred p; vote.sync.all.pred p, q, -1; }", True),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ...", True),
        (
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;",
            True,
        ),
        ("{ call (r), f, (s); }", True),
        ("@p bra LABEL;", False),
        ("ld.global.b32 $0, [$1];", False),
        ("// crossbar", False),
        ("mbarrier.init.shared.b64 [$0], $1;", False),
    ],
)
def test_convergent_assembly(text: str, expected: bool):
    assert inline_assembly_is_convergent(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exit;", True),
        ("{\n  .reg .pred p;\n  setp.eq.u32 p, $0, 0;\n  @p exit;\n}", True),
        ("@!%p1 trap;", True),
        ("mov.u32 $0, 1; ret.uni ;", True),
        ("$$done: exit;", True),
        ("bra exit;", False),
        ("mov.u32 $0, %ret;", False),
        ("{ .reg .b32 trap; mov.b32 trap, $0; }", False),
        ("nanosleep.u32 10;", False),
    ],
)
def test_assembly_that_ends_the_thread(text: str, expected: bool):
    assert inline_assembly_may_end_thread(text) is expected
    written = text.replace("\n", "\\0A")
    assembly = op_of(f'!llvm.inline_asm has_side_effects "{written}", "" : () -> ()')
    assert bool(effects(assembly) & MAY_NOT_RETURN) is expected
