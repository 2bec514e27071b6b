"""No pass copies a call with `noduplicate`. Each kernel has a pass that copies the call without it."""

from __future__ import annotations

import pytest
from helpers.programs import parse_module
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import NODUPLICATE, is_noduplicate
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.types import UNIT
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.ipo.function_attrs import FunctionAttrs
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

CALL = "llvm.call @g(%i) {nvvm.noconvergent, will_return WORD} : (i32) -> ()"

DIAMOND = f"""
  %q = llvm.icmp "slt" %n, %c2 : i32
  llvm.cond_br %q, ^known, ^open
^known:
  llvm.store %n, %p : i32, !llvm.ptr
  llvm.br ^merge(%true, %c1 : i1, i32)
^open:
  %v = llvm.load %p : !llvm.ptr -> i32
  %r = llvm.icmp "eq" %v, %c3 : i32
  llvm.br ^merge(%r, %c2 : i1, i32)
^merge(%z: i1, %i: i32):
  {CALL}
  llvm.cond_br %z, ^match, ^end
^match:
  llvm.store %c1, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return"""

MACHINE = f"""
  llvm.br ^loop(%c0, %c0 : i32, i32)
^loop(%state: i32, %i: i32):
  {CALL}
  %j = llvm.add %i, %c1 : i32
  llvm.switch %state : i32, ^end [0: ^a, 1: ^b]
^a:
  llvm.store %c1, %p : i32, !llvm.ptr
  llvm.br ^loop(%c1, %j : i32, i32)
^b:
  llvm.store %c2, %p : i32, !llvm.ptr
  llvm.br ^loop(%c2, %j : i32, i32)
^end:
  llvm.return"""

TOP_TEST = f"""
  llvm.br ^head(%c0 : i32)
^head(%i: i32):
  {CALL}
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^end
^body:
  llvm.store %i, %p : i32, !llvm.ptr
  %j = llvm.add %i, %c1 : i32
  llvm.br ^head(%j : i32)
^end:
  llvm.return"""


def bottom_test(trips: str, inside: str = "llvm.br ^latch") -> str:
    """A loop with the call and `inside`, tested at its end."""
    return f"""
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  {CALL}
  {inside}
^latch:
  %j = llvm.add %i, %c1 overflow<nsw, nuw> : i32
  %c = llvm.icmp "slt" %j, {trips} : i32
  llvm.cond_br %c, ^loop(%j : i32), ^end
^end:
  llvm.return"""


INVARIANT = """llvm.cond_br %u, ^yes, ^no
^yes:
  llvm.store %i, %p : i32, !llvm.ptr
  llvm.br ^latch
^no:
  llvm.store %c3, %p : i32, !llvm.ptr
  llvm.br ^latch"""

RANGES = '%k = llvm.icmp "slt" %i, %c3 : i32\n' + INVARIANT.replace("%u", "%k")

PURE = "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>"

EXITS = f"""
  llvm.br ^loop(%c0 : i32)
^loop(%i: i32):
  %j = llvm.add %i, %c1 : i32
  %w = llvm.call @h(%i) {{nvvm.noconvergent, will_return, memory_effects = {PURE} WORD}} : (i32) -> i32
  %c = llvm.icmp "eq" %j, %n : i32
  llvm.cond_br %c, ^one(%w : i32), ^next
^next:
  %l = llvm.load volatile %p : !llvm.ptr -> i32
  %d = llvm.icmp "eq" %l, %c3 : i32
  llvm.cond_br %d, ^two(%w : i32), ^loop(%j : i32)
^one(%x: i32):
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.return
^two(%y: i32):
  llvm.store %y, %p : i32, !llvm.ptr
  llvm.return"""

CALLED = f"""
  llvm.call @inner(%n) : (i32) -> ()
  llvm.call @inner(%n) : (i32) -> ()
  llvm.return
}}
llvm.func internal @inner(%i: i32) {{
  {CALL}
  llvm.return"""

SPACES = f"""
  %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %sg = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
  %pg = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
  %gg = llvm.addrspacecast %pg : !llvm.ptr<1> to !llvm.ptr
  llvm.call @inner(%sg, %n) : (!llvm.ptr, i32) -> ()
  llvm.call @inner(%gg, %n) : (!llvm.ptr, i32) -> ()
  llvm.return
}}
llvm.func internal @inner(%o: !llvm.ptr, %i: i32) {{
  {CALL}
  llvm.store %i, %o : i32, !llvm.ptr
  llvm.return"""

KERNELS = {
    "jump-threading": DIAMOND,
    "dfa-jump-threading": MACHINE,
    "loop-rotate": TOP_TEST,
    "loop-unroll": bottom_test("%c3"),
    "loop-unroll<unroll-count=2>": bottom_test("%n"),
    "loop-unroll<unroll-peel-count=1>": bottom_test("%n"),
    "simple-loop-unswitch": bottom_test("%n", INVARIANT),
    "loop-index-split": bottom_test("%n", RANGES),
    "licm": EXITS,
    "inline": CALLED,
    "ipmsp": SPACES,
}
"""Kernels by the pass that copies their call."""


def module_of(text: str, word: str) -> ModuleOp:
    """Returns the kernel with an attribute at its call."""
    constants = "".join(f"%c{k} = llvm.mlir.constant({k} : i32) : i32\n" for k in range(4))
    module = parse_module(f"""
        llvm.func @g(i32)
        llvm.func @h(i32) -> i32
        llvm.mlir.global internal @shared() {{addr_space = 3 : i32}} : i32
        llvm.func @f(%n: i32, %p: !llvm.ptr) attributes {{nvvm.kernel}} {{
        {constants}
        %true = llvm.mlir.constant(true) : i1
        %u = llvm.icmp "eq" %n, %c3 : i32
        {text.replace(" WORD", word)}
        }}""")
    intern_types(module)
    return module


def calls(module: ModuleOp) -> int:
    """Returns the number of calls of the two external functions."""
    names = [str(op.properties["callee"]) for op in module.walk() if op.name == "llvm.call"]
    return sum(name in ("@g", "@h") for name in names)


@pytest.mark.parametrize("name", KERNELS)
def test_noduplicate_calls_are_not_copied(name: str):
    module = module_of(KERNELS[name], "")
    run_pipeline(module, name)
    verify_module(module)
    assert calls(module) > 1
    module = module_of(KERNELS[name], ", noduplicate")
    run_pipeline(module, name)
    verify_module(module)
    assert calls(module) == 1


@pytest.mark.parametrize(
    "op",
    [
        '%w = llvm.inline_asm "mov.u32 $0, $1;", "=r,r" %i : (i32) -> i32',
        "%w = llvm.intr.ctpop(%i) : (i32) -> i32",
    ],
    ids=["inline-assembly", "intrinsic"],
)
def test_noduplicate_inline_assembly_and_intrinsics_are_not_copied(op: str):
    kernel = DIAMOND.replace(CALL, f"{op}\nllvm.store %w, %p : i32, !llvm.ptr")
    for attributes, count in (({}, 2), ({NODUPLICATE: UNIT}, 1)):
        module = module_of(kernel, "")
        (found,) = [o for o in module.walk() if o.name in ("llvm.inline_asm", "llvm.intr.ctpop")]
        found.attributes.update(attributes)
        run_pipeline(module, "jump-threading")
        assert sum(o.name == found.name for o in module.walk()) == count


def test_a_call_is_sunk_to_one_exit():
    """The call is moved, not copied."""
    kernel = EXITS.replace("^two(%w : i32)", "^two(%l : i32)")
    module = module_of(kernel, ", noduplicate")
    run_pipeline(module, "licm")
    assert calls(module) == 1
    (call,) = [op for op in module.walk() if op.name == "llvm.call"]
    assert call.parent is not None
    assert call.parent.name_hint == "one"


# Reading and writing.

TEXT = """
declare void @g(i32)
declare void @once(i32) noduplicate
declare i32 @llvm.ctpop.i32(i32)
define ptx_kernel void @f(i32 %n) {
  call void @g(i32 %n) #0
  call void @once(i32 %n)
  call void asm "nop;", "r"(i32 %n) #0
  %c = call i32 @llvm.ctpop.i32(i32 %n) #0
  call void @g(i32 %c)
  ret void
}
attributes #0 = { noduplicate }
"""


def test_noduplicate_survives_reading_and_writing():
    module = read_ll(TEXT, "t.ll")
    marked = [op.name for op in module.walk() if is_noduplicate(op)]
    assert marked == ["llvm.call", "llvm.call", "llvm.inline_asm", "llvm.intr.ctpop"]
    again = read_ll(write_ll(module), "written.ll")
    assert [op.name for op in again.walk() if is_noduplicate(op)] == marked


CALLER = """
llvm.func @g(i32) attributes {{passthrough = ["noduplicate"]}}
llvm.func internal @quiet(%i: i32) attributes {{passthrough = ["noduplicate"]}} {{
  llvm.return
}}
llvm.func @f(%i: i32) attributes {{nvvm.kernel}} {{
  llvm.call @{}(%i) : (i32) -> ()
  llvm.return
}}
"""


def test_calls_in_mlir_inherit_noduplicate_from_the_callee():
    module = nvvm_xdsl.parse(CALLER.format("g"), format="mlir")
    assert [op.name for op in module.walk() if is_noduplicate(op)] == ["llvm.call"]


def test_function_attrs_adds_noduplicate_to_calls():
    """Before the pass no call is known not to be convergent, and so none may be copied."""
    module = parse_module(CALLER.format("quiet"))
    intern_types(module)
    assert not any(map(is_noduplicate, module.walk()))
    FunctionAttrs().run(module, AnalysisManager())
    (call,) = [op for op in module.walk() if is_noduplicate(op)]
    assert call.name == "llvm.call"
    # No other attribute changes then, and a second run changes nothing.
    del call.attributes[NODUPLICATE]
    assert FunctionAttrs().run(module, AnalysisManager())
    assert not FunctionAttrs().run(module, AnalysisManager())


# Code generation.

IRREDUCIBLE = """
declare void @g(i32)
define ptx_kernel void @f(i32 %n, ptr %p) {{
  %c = icmp eq i32 %n, 1
  br i1 %c, label %x, label %y
x:
  {0}
  %u = load volatile i32, ptr %p
  %d = icmp eq i32 %u, 1
  br i1 %d, label %y, label %end
y:
  {0}
  %v = load volatile i32, ptr %p
  %e = icmp eq i32 %v, 1
  br i1 %e, label %x, label %end
end:
  ret void
}}
"""


@pytest.mark.parametrize(
    "op", ["call void @g(i32 %n)", 'call void asm sideeffect "nanosleep.u32 1;", ""()']
)
def test_irreducible_cycles_are_not_split(op: str):
    assert nvvm_xdsl.compile(IRREDUCIBLE.format(op), arch="sm_90", opt_level=3)
    with pytest.raises(DiagnosticError, match="must not be copied"):
        nvvm_xdsl.compile(IRREDUCIBLE.format(f"{op} noduplicate"), arch="sm_90", opt_level=3)
