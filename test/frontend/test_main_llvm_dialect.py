"""The llvm dialect of MLIR's main branch: its assembly equals that of MLIR 22 after reading."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import launch

ARGUMENTS = "%p: !llvm.ptr, %i: i32, %x: f32, %v: vector<4xf32>, %l: i64, %c: i1"

TBAA = """#root = #llvm.tbaa_root<id = "root">
#type = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #type, access_type = #type, offset = 0>
"""

OPS = [
    # in the assembly of main, in that of MLIR 22
    ("%r = llvm.load %p <alignment = 4> : !llvm.ptr -> i32", "%r = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32"),
    ("%r = llvm.load volatile %p invariant <alignment = 4, nontemporal, tbaa = [#tag]> : !llvm.ptr -> i32",
     "%r = llvm.load volatile %p invariant {alignment = 4 : i64, nontemporal, tbaa = [#tag]} : !llvm.ptr -> i32"),
    ("%r = llvm.load %p noundef range<i32, 0, 8> <alignment = 4> : !llvm.ptr -> i32",
     "%r = llvm.load %p {alignment = 4 : i64, llvm.range = #llvm.constant_range<i32, 0, 8>} : !llvm.ptr -> i32"),
    ('llvm.store %i, %p atomic syncscope("device") release <alignment = 4> : i32, !llvm.ptr',
     'llvm.store %i, %p atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr'),
    ("%r = llvm.atomicrmw fadd %p, %x monotonic <alignment = 4> : !llvm.ptr, f32",
     "%r = llvm.atomicrmw fadd %p, %x monotonic {alignment = 4 : i64} : !llvm.ptr, f32"),
    ("%r = llvm.cmpxchg weak %p, %i, %i acq_rel monotonic <alignment = 4> : !llvm.ptr, i32",
     "%r = llvm.cmpxchg weak %p, %i, %i acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr, i32"),
    ("%r = llvm.fadd %x, %x fastmath<fast> : f32", "%r = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<fast>} : f32"),
    ("%r = llvm.fneg %v fastmath<nsz> : vector<4xf32>", "%r = llvm.fneg %v {fastmathFlags = #llvm.fastmath<nsz>} : vector<4xf32>"),
    ('%r = llvm.fcmp "olt" %x, %x fastmath<nnan, ninf> : f32',
     '%r = llvm.fcmp "olt" %x, %x {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32'),
    ("%r = llvm.select %c, %x, %x fastmath<nnan> : i1, f32",
     "%r = llvm.select %c, %x, %x {fastmathFlags = #llvm.fastmath<nnan>} : i1, f32"),
    ("%r = llvm.intr.fma(%x, %x, %x) fastmath<contract> : (f32, f32, f32) -> f32",
     "%r = llvm.intr.fma(%x, %x, %x) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32"),
    ('llvm.inline_asm has_side_effects convergent asm_dialect = att "bar.sync 0;", "" : () -> ()',
     'llvm.inline_asm has_side_effects asm_dialect = att {llvm.convergent} "bar.sync 0;", "" : () -> ()'),
    ("llvm.br ^next loop_annotation = #llvm.loop_annotation<id = distinct[0]<>, mustProgress = true>\n^next:",
     "llvm.br ^next {loop_annotation = #llvm.loop_annotation<mustProgress = true>}\n^next:"),
    ("llvm.cond_br %c weights([3, 4]), ^next, ^next loop_annotation = #llvm.loop_annotation<mustProgress = true>\n^next:",
     "llvm.cond_br %c weights([3, 4]), ^next, ^next {loop_annotation = #llvm.loop_annotation<mustProgress = true>}\n^next:"),
    ("llvm.switch %i : i32, ^next [ 1: ^next ] weights([3, 4])\n^next:",
     "llvm.switch %i : i32, ^next [ 1: ^next ] {branch_weights = array<i32: 3, 4>}\n^next:"),
    ("%r = llvm.ptrtoaddr %p : !llvm.ptr to i64", "%r = llvm.ptrtoint %p : !llvm.ptr to i64"),
    ("llvm.intr.fake.use %i, %x : i32, f32", ""),
    ("%r = llvm.intr.minimumnum(%x, %x) fastmath<nnan> : (f32, f32) -> f32",
     '%r = llvm.call_intrinsic "llvm.minimumnum.f32"(%x, %x) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32'),
    ("%r = llvm.intr.maximumnum(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>",
     '%r = llvm.call_intrinsic "llvm.maximumnum.v4f32"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>'),
    ("%r = llvm.intr.arithmetic.fence(%x) : (f32) -> f32", '%r = llvm.call_intrinsic "llvm.arithmetic.fence.f32"(%x) : (f32) -> f32'),
    ("%r = llvm.intr.umulh(%l, %l) : (i64, i64) -> i64", '%r = llvm.call_intrinsic "llvm.nvvm.mulhi.ull"(%l, %l) : (i64, i64) -> i64'),
]  # fmt: skip


def module_of(op: str, attributes: str = "") -> str:
    return f"{TBAA}llvm.func @f({ARGUMENTS}){attributes} {{\n  {op}\n  llvm.return\n}}\n"


def printed(text: str) -> str:
    module = parse(text, format="mlir")
    verify(module)
    return str(module).replace("%0", "%r")


@pytest.mark.parametrize(("main", "earlier"), OPS, ids=[main.split("(")[0][:40] for main, _ in OPS])
def test_ops(main: str, earlier: str):
    assert printed(module_of(main)) == printed(module_of(earlier))


@pytest.mark.parametrize(
    ("main", "earlier"),
    [
        ("denormal_fpenv = #llvm.denormal_fpenv<default_output_mode = preservesign, default_input_mode = ieee,"
         " float_output_mode = positivezero, float_input_mode = dynamic>",
         'denormal_fp_math = "preserve-sign,ieee", denormal_fp_math_f32 = "positive-zero,dynamic"'),
        ("function_entry_count = #llvm.function_entry_count<entry_count = 5>", "function_entry_count = 5 : i64"),
    ],
    ids=["modes", "count"],
)  # fmt: skip
def test_function_attributes(main: str, earlier: str):
    found, wanted = (printed(module_of("", f" attributes {{{text}}}")) for text in (main, earlier))
    assert found == wanted


@pytest.mark.parametrize(
    "added",
    [
        'di_derived_type<tag = DW_TAG_member, name = "a", file = #file, line = 7, scope = #file, flags = BitField|Public>',
        'di_composite_type<tag = DW_TAG_enumeration_type, name = "a", identifier = "x">',
    ],
)
def test_fields_that_main_added_are_not_kept(added: str):
    text = f'#file = #llvm.di_file<"a" in "b">\nllvm.func @f() attributes {{note = #llvm.{added}}} {{ llvm.return }}'
    module = str(parse(text, format="mlir"))
    assert 'name = "a"' in module
    assert not any(word in module for word in ("line", "scope", "flags", "identifier"))


def test_a_model_of_thread_local_variables():
    main = "llvm.mlir.global external thread_local(localexec) @t(0 : i32) : i32"
    assert printed(main) == printed(main.replace("(localexec)", ""))


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("%r = llvm.load %p <alignments = 4> : !llvm.ptr -> i32", "llvm.load has no such property"),
        ("%r = llvm.add %i, %i fastmath<fast> : i32", "[Ee]xpected"),
    ],
)
def test_errors(op: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        parse(module_of(op), format="mlir")


def test_reductions():
    text = """
    llvm.func @k(%p: !llvm.ptr, %o: !llvm.ptr) attributes {nvvm.kernel} {
      %v = llvm.load %p <alignment = 16> : !llvm.ptr -> vector<4xf32>
      %a = llvm.intr.vector.reduce.fmaximumnum(%v) : (vector<4xf32>) -> f32
      %b = llvm.intr.vector.reduce.fminimumnum(%v) : (vector<4xf32>) -> f32
      %s = llvm.fsub %a, %b : f32
      llvm.store %s, %o <alignment = 4> : f32, !llvm.ptr
      llvm.return
    }"""
    data = np.array([3.0, np.nan, -1.0, 2.0], np.float32)
    out = np.zeros(1, np.float32)
    launch(parse(text, format="mlir"), "k", 1, 1, [data, out])
    assert out[0] == 4.0
