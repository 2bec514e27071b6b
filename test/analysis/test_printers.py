import io

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options
from filecheck.parser import Parser as CheckParser
from filecheck.parser import pattern_for_opts
from helpers.programs import parse_function, parse_module

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis
from nvvm_xdsl.pipeline.build import build_pipeline
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
from nvvm_xdsl.pipeline.manager import PassManager

KERNEL = """
llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x f32>
llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %c = llvm.icmp "ult" %tid, %n : i32
  llvm.cond_br %c, ^loop(%k0 : i32), ^exit
^loop(%i: i32):
  %g = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %g : !llvm.ptr<1> -> f32
  %t = llvm.getelementptr %s[0, %tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x f32>
  llvm.store %v, %t : f32, !llvm.ptr<3>
  %next = llvm.add %i, %k1 overflow<nsw> : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next : i32), ^exit
^exit:
  nvvm.barrier0
  llvm.return
}
"""

EXPECTED = {
    "domtree": """
        CHECK: DominatorTree for function 'kernel':
        CHECK-NEXT: [1] ^bb0
        CHECK-NEXT: [2] ^loop
        CHECK-NEXT: [2] ^exit""",
    "postdomtree": """
        CHECK: [1] virtual exit
        CHECK-NEXT: [2] ^exit
        CHECK-DAG: [3] ^bb0
        CHECK-DAG: [3] ^loop""",
    "domfrontier": """
        CHECK: DomFrontier for ^loop is: ^loop ^exit""",
    "loops": """
        CHECK: Loop at depth 1 containing: ^loop<header><latch><exiting>""",
    "cfg": """
        CHECK: ^bb0 -> ^loop, ^exit
        CHECK-NEXT: ^loop -> ^loop, ^exit
        CHECK-NEXT: ^exit -> exit
        CHECK-NEXT: critical edge ^bb0 -> ^loop""",
    "branch-prob": """
        CHECK: edge ^bb0 -> ^loop probability is 0x40000000 / 0x80000000 = 50.00%
        CHECK: edge ^loop -> ^loop probability is 0x7c000000 / 0x80000000 = 96.88% [HOT edge]""",
    "block-freq": """
        CHECK: - ^bb0: float = 1
        CHECK-NEXT: - ^loop: float = 16
        CHECK-NEXT: - ^exit: float = 1""",
    "uniformity": """
        CHECK: BLOCK ^bb0
        CHECK: DIVERGENT: %tid = nvvm.read.ptx.sreg.tid.x
        CHECK: DIVERGENT: llvm.cond_br
        CHECK: BLOCK ^loop
        CHECK-NOT: DIVERGENT: %i
        CHECK: {{^ +}}%v = llvm.load
        CHECK: DIVERGENT: %t = llvm.getelementptr""",
    "memoryssa": """
        CHECK: ^loop:
        CHECK-NEXT: ; 1 = MemoryPhi({^bb0,liveOnEntry},{^loop,2})
        CHECK-NEXT: ; MemoryUse(1)
        CHECK-NEXT: %v = llvm.load
        CHECK-NEXT: ; 2 = MemoryDef(1)
        CHECK-NEXT: llvm.store""",
    "barriers": """
        CHECK: Barriers for function 'kernel':
        CHECK-NEXT: ^exit: before: writes shared memory and reads global memory; behind: nothing [dead]""",
    "aa": """
        CHECK: NoAlias: %g, %t""",
    "scalar-evolution": """
        CHECK: %i = argument of ^loop
        CHECK-NEXT: -->  {0,+,1}<nsw><%loop>
        CHECK: %g = llvm.getelementptr
        CHECK-NEXT: -->  {%p,+,4}
        CHECK: Loop %loop: backedge-taken count is (-1 + (1 smax %n))""",
    "coalescing": """
        CHECK: llvm.load: subscripts[{0,+,1}<nsw><%loop>], stride over tid.x 0 bytes, 1 transaction a warp, coalesced""",
    "bank-conflicts": """
        CHECK: llvm.store: subscripts[(zext i32 %tid to i64)], stride over tid.x 4 bytes, no conflict""",
    "lazy-value-info": """
        CHECK: ^loop:
        CHECK: %next: [-2147483646, 2147483648)
        CHECK: %n: full""",
    "merge-sets": """
        CHECK: ^loop: ^loop ^exit
        CHECK: ^exit: -""",
    "da": """
        CHECK: Src: llvm.load %g --> Dst: llvm.load %g
        CHECK-NEXT: da analyze - input [0]!
        CHECK-NEXT: Src: llvm.load %g --> Dst: llvm.store %t
        CHECK-NEXT: da analyze - none!
        CHECK-NEXT: Src: llvm.store %t --> Dst: llvm.store %t
        CHECK-NEXT: da analyze - output [*]!""",
    "delinearization": """
        CHECK: Inst: llvm.load
        CHECK-NEXT: AccessFunction: {0,+,4}
        CHECK-NEXT: Base offset: %p
        CHECK-NEXT: ArrayDecl[UnknownSize] with elements of 4 bytes.
        CHECK-NEXT: ArrayRef[{0,+,1}<nsw><%loop>]
        CHECK-NEXT: Inst: llvm.store""",
    "demanded-bits": """
        CHECK: DemandedBits: 0xffffffff for %tid = nvvm.read.ptx.sreg.tid.x""",
    "known-bits": """
        CHECK: %tid bits: 0000000000000000000000?????????? range: [0, 1024)""",
    "rpa": """
        CHECK: maximum: pred=1 b16=0 b32=4 b64=3 b128=0 registers=10
        CHECK-NEXT: ^bb0:""",
    "liveness": """
        CHECK: ^loop: in: %k1 %n %p %s %tid out: %k1 %n %p %s %tid""",
}


def check(text: str, expected: str) -> None:
    lines = "".join(f"// {line.strip()}\n" for line in expected.strip().splitlines())
    options = Options(match_filename="checks")
    checks = CheckParser(options, io.StringIO(lines), *pattern_for_opts(options))
    assert Matcher(options, FInput("printed", text), checks).run() == 0, text


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_printed_analyses(name: str):
    check(print_analysis(name, parse_function(KERNEL)), EXPECTED[name])


def test_every_printer_is_tested_and_works_on_all_functions():
    assert set(EXPECTED) == set(PRINTERS)
    declaration = parse_function("llvm.func @d(i32)")
    for name in PRINTERS:
        assert print_analysis(name, declaration, AnalysisManager()).count("\n") == 1


@pytest.mark.parametrize("name", [*sorted(PRINTERS), "callgraph"])
def test_every_printer_is_available_in_pipeline_text(name: str):
    message = io.StringIO()
    module = parse_module(KERNEL)
    nodes = build_pipeline(f"print<{name}>")
    PassManager(nodes, watcher=Watcher(Instruments(), message)).run(module)
    unit = module if name == "callgraph" else list(module.ops)[-1]
    assert message.getvalue() == print_analysis(name, unit)
    assert name == "callgraph" or message.getvalue().startswith(PRINTERS[name][0])


def test_irreducible_cycles_are_listed():
    text = print_analysis(
        "loops",
        parse_function(
            "llvm.func @f(%c: i1) {\nllvm.cond_br %c, ^a, ^b\n^a:\nllvm.br ^b\n^b:\nllvm.br ^a\n}"
        ),
    )
    assert "Irreducible cycle entered at: ^a,^b containing: ^a,^b" in text or "^b,^a" in text


def test_the_call_graph():
    module = parse_module(
        "llvm.func @a() {\nllvm.return\n}\nllvm.func @b() {\nllvm.call @a() : () -> ()\nllvm.return\n}"
    )
    assert print_analysis("callgraph", module) == (
        "Call graph, callees first:\n  SCC: @a\n  SCC: @b\n    @b calls @a\n"
    )


def test_unknown_names():
    with pytest.raises(KeyError):
        print_analysis("no-such-analysis", parse_function(KERNEL))
