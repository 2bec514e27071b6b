"""The documented pass sequences, as the optimizer document prints them.

Rows are data: a factory by its address with arguments, a guard in brackets, and the pass that
the document takes the factory for. `FACTORIES` says by which pipeline elements each factory is
carried out here. A test compares every table with the document's, row by row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

TIER_0 = """\
 1 | sub_1654860(1) | BreakCriticalEdges |
 2 | sub_1A62BF0(1,...) | LLVM standard pipeline #1 |
 3 | sub_1B26330 | MemCpyOpt |
 4 | sub_185D600 | IPConstantPropagation |
 5 | sub_1C6E800 | GVN |
 6 | sub_1C6E560 | NewGVN/GVNHoist [MEDIUM confidence] |
 7 | sub_1857160 | NVVMReflect |
 8 | sub_1842BC0 | SCCP |
 9 | sub_12D4560 | NVVMVerifier |
10 | sub_18A3090 | NVVMPredicateOpt |
11 | sub_184CD60 | ConstantMerge |
12 | sub_1869C50(1,0,1) | Sink/MemSSA [MEDIUM confidence] | !opts[1040]
13 | sub_1833EB0(3) | TailCallElim/JumpThreading [MEDIUM confidence] |
14 | sub_1952F90(-1) | LoopIndexSplit |
15 | sub_1A62BF0(1,...) | LLVM standard pipeline #1 |
16 | sub_1A223D0 | NVVMIRVerification |
17 | sub_1A7A9F0 | InstructionSimplify |
18 | sub_1A62BF0(1,...) | LLVM standard pipeline #1 |
19 | sub_1A02540 | GenericToNVVM |
20 | sub_198DF00(-1) | LoopSimplify |
21 | sub_1C76260 | ADCE | !opts[1320]
22 | sub_195E880(0) | LICM | opts[2880]
23 | sub_19C1680(0,1) | LoopUnroll | !opts[1360]
24 | sub_19401A0 | InstCombine |
25 | sub_1968390 | SROA |
26 | sub_196A2B0 | EarlyCSE |
27 | sub_19B73C0(2,...) | LoopUnswitch |
28 | sub_190BB10(0,0) | SimplifyCFG |
29 | sub_1A13320 | NVVMRematerialization |
30 | sub_18F5480 | DSE |
31 | sub_18DEFF0 | DCE |
32 | sub_1A62BF0(1,...) | LLVM standard pipeline #1 |
33 | sub_18B1DE0 | NVVMLoopPass [MEDIUM confidence] |
34 | sub_1841180 | FunctionAttrs |
"""
"""Tier 0, sub_12DE330: row, factory, pass, guard."""

TIERS = """\
sub_1CB4E40(1) [!opts[2000]]            NVVMIntrinsicLowering (level=1)
sub_1A223D0()  [!opts[2600]]            NVVMIRVerification
sub_1CB4E40(1) [!opts[2000]]            NVVMIntrinsicLowering (barrier=1)
sub_18E4A00()  [opts[3488]]             NVVMBarrierAnalysis
sub_1C98160(0) [opts[3488]]             NVVMLowerBarriers
sub_12D4560()  [!opts[600]]             NVVMVerifier
sub_185D600()  [opts[3200]&&!opts[920]] IPConstPropagation         [advanced group]
sub_1857160()  [opts[3200]&&!opts[880]] NVVMReflect                [advanced group]
sub_18A3430()  [opts[3200]&&!opts[1120]] NVVMPredicateOpt          [advanced group]
sub_1842BC0()  [opts[3200]&&!opts[720]] SCCP                       [advanced group]
sub_12D4560()  [!opts[600]]             NVVMVerifier
sub_18A3090()  [opts[3200]&&!opts[2160]] NVVMPredicateOpt variant  [advanced group]
sub_184CD60()  [opts[3200]&&!opts[1960]] ConstantMerge             [advanced group]
sub_190BB10(1,0)[tier!=1 && guards]     SimplifyCFG                [TIER 2/3 ONLY]
sub_1952F90(-1)[tier!=1 && guards]      LoopIndexSplit             [TIER 2/3 ONLY]
sub_12D4560()  [tier!=1 && !opts[600]]  NVVMVerifier               [TIER 2/3 ONLY]
sub_195E880(0) [opts[3704]&&opts[2880]] LICM
sub_1C8A4D0(v) [v=1 if opts[3704]]     EarlyCSE
sub_1869C50(1,0,1)[tier!=1&&!opts[1040]] Sink                     [TIER 2/3 ONLY]
sub_1833EB0(3) [tier==3 && !opts[320]]  TailCallElim              [TIER 3 ONLY]
sub_1CC3990()  [!opts[2360]]            NVVMUnreachableBlockElim
sub_18EEA90()  [opts[3040]]             CorrelatedValuePropagation
sub_12D4560()  [!opts[600]]             NVVMVerifier
sub_1A223D0()  [!opts[2600]]            NVVMIRVerification
sub_1CB4E40(1) [!opts[2000]]            NVVMIntrinsicLowering
sub_1C4B6F0()  [!opts[440]&&!opts[480]] Inliner
sub_1A7A9F0()  [!opts[2720]]            InstructionSimplify
sub_12D4560()  [!opts[600]]             NVVMVerifier
sub_1A02540()  [!opts[2200]]            GenericToNVVM
sub_198DF00(-1)[!opts[1520]]            LoopSimplify
sub_1C76260()  [!opts[1320]&&!opts[1480]] ADCE
sub_195E880(0) [opts[2880]&&!opts[1240]] LICM
sub_1C98160(v) [opts[3488]]             NVVMLowerBarriers
sub_19C1680(0,1)[!opts[1360]]           LoopUnroll
sub_19401A0()  [!opts[1000]]            InstCombine
sub_196A2B0()  [!opts[1440]]            EarlyCSE
sub_1968390()  [!opts[1400]]            SROA
sub_19B73C0(t,...)[tier!=1]             LoopUnswitch (SM-dependent) [TIER 2/3 ONLY]
sub_1A62BF0(1,...)[!opts[600]]          LLVM standard pipeline #1
sub_1A223D0()  [!opts[2600]]            NVVMIRVerification
sub_1CB4E40(1) [!opts[2000]]            NVVMIntrinsicLowering
sub_190BB10(0,0)[!opts[960]]            SimplifyCFG
sub_1922F90()  [opts[3080]]             NVIDIA-specific loop pass
sub_195E880(0) [opts[2880]&&!opts[1240]] LICM
sub_1A13320()  [!opts[2320]]            NVVMRematerialization
sub_1968390()  [!opts[1400]]            SROA
sub_18EEA90()  [opts[3040]]             CorrelatedValuePropagation
sub_18F5480()  [!opts[760]]             DSE
sub_18DEFF0()  [!opts[280]]             DCE
sub_1A62BF0(1,...)[!opts[600]]          LLVM standard pipeline #1
sub_1AAC510()  [!opts[520]&&!opts[560]] NVIDIA-specific pass
sub_1A223D0()  [!opts[2600]]            NVVMIRVerification
sub_1CB4E40(1) [!opts[2000]]            NVVMIntrinsicLowering
sub_1C8E680()  [!opts[2680]]            MemorySpaceOpt (from opts[3120])
sub_1CC71E0()  [!opts[2560]]            NVVMGenericAddrOpt
sub_1C98270(1,v)[opts[3488]]            NVVMLowerBarriers variant
sub_1C6FCA0()  [opts[2840]&&!opts[1840]] ADCE
sub_18B1DE0()  [opts[3200]&&!opts[2640]] LoopOpt/BarrierOpt        [advanced group]
sub_1857160()  [opts[3200]&&tier==3]    NVVMReflect                [TIER 3 ONLY]
sub_1841180()  [opts[3200]&&!opts[680]] FunctionAttrs              [advanced group]
sub_1C46000()  [tier==3&&!opts[360]]    NVVMLateOpt                [TIER 3 ONLY]
sub_1841180()  [opts[3200]&&!opts[680]] FunctionAttrs (2nd call)   [advanced group]
sub_1CBC480()  [!opts[2240]&&!opts[2280]] NVVMLowerAlloca
sub_1CB73C0()  [!opts[2080]&&!opts[2120]] NVVMBranchDist
sub_1C7F370(1) [opts[3328]&&!opts[1640]] NVVMWarpShuffle           [SM-specific]
sub_1CC5E00()  [opts[3328]&&!opts[2400]] NVVMReduction             [SM-specific]
sub_1CC60B0()  [opts[3328]&&!opts[2440]] NVVMSinking2              [SM-specific]
sub_1CB73C0()  [opts[3328]&&guards]     BranchDist (2nd call)      [SM-specific]
sub_1B7FDF0(3) [opts[3328]&&!opts[1280]] Reassociate               [SM-specific]
"""
"""Tiers 1, 2 and 3, sub_12DE8F0: factory, guard, pass, remark."""

PATH_A = """\
sub_1CEF8F0()               NVVMPeephole
sub_215D9D0()               NVVMAnnotationsProcessor
sub_1857160()  [!a4[880]]   NVVMReflect
sub_1A62BF0(1,0,0,1,0,0,1)  LLVM standard pipeline #1
sub_1B26330()  [!a4[2040]]  MemCpyOpt
sub_17060B0(0,0)            PrintModulePass (debug)
sub_18DEFF0()  [!a4[280]]   DCE
sub_1A62BF0(1,0,0,1,0,0,1)  LLVM standard pipeline #1 (repeat)
sub_18B1DE0()  [!a4[2640]]  LoopPass / BarrierOpt
sub_1C8E680(0) [!a4[1760]]  MemorySpaceOptimization
"""
"""Language "ptx": light."""

PATH_B = """\
sub_184CD60()  [!a4[1960]]    ConstantMerge
sub_1CB4E40(0) [!a4[2000]]    NVVMIntrinsicLowering (1st of 4)
sub_1B26330()  [!a4[2040]]    MemCpyOpt
sub_198E2A0()                  SROA
sub_1CEF8F0()                  NVVMPeephole
sub_215D9D0()                  NVVMAnnotationsProcessor
sub_198DF00(-1)[!a4[1520]]     LoopSimplify
sub_1C6E800()                  GVN
sub_1A223D0()  [!a4[2600]]    NVVMIRVerification (1st of 5+)
sub_190BB10(0,0)               SimplifyCFG
sub_1832270(1)                 InstructionCombining
sub_1A62BF0(5,0,0,1,0,0,1)    CGSCC pipeline (5 iterations)
sub_1CB4E40(0) [!a4[2000]]    NVVMIntrinsicLowering (2nd)
sub_18FD350(0)                 DeadArgElim
sub_1841180()  [!a4[680]]     FunctionAttrs
sub_18DEFF0()  [!a4[280]]     DCE
sub_184CD60()  [!a4[1960]]    ConstantMerge
sub_195E880(0) [!a4[1240]]    LICM
sub_1C98160(0)                 NVVMLowerBarriers
sub_1C8E680(0) [!a4[1760]]    MemorySpaceOpt (1st invocation)
sub_1B7FDF0(3) [!a4[1280]]    Reassociate
sub_1A62BF0(8,0,0,1,1,0,1)    CGSCC pipeline (8 iterations)
sub_1857160()  [!a4[880]]     NVVMReflect (2nd of 3)
sub_1C6FCA0()  [!a4[1840]]    ADCE
sub_1A7A9F0()  [!a4[2720]]    InstructionSimplify
sub_18FD350(0)                 DeadArgElim
sub_1833EB0(3) [!a4[320]]     TailCallElim
sub_18FD350(0)                 DeadArgElim
sub_18EEA90()                  CorrelatedValuePropagation
sub_1869C50(1,0,1)             Sink (MemorySSA-based)
sub_190BB10(0,0)[!a4[960]]     SimplifyCFG
sub_18F5480()  [!a4[760]]     DSE
sub_1CC60B0()  [!a4[2440]]    NVVMSinking2
sub_1A223D0()  [!a4[2600]]    NVVMIRVerification
sub_1C8A4D0(0)                 EarlyCSE
sub_1857160()  [!a4[880]]     NVVMReflect (3rd)
sub_1A62BF0(8,0,0,1,1,0,1)    CGSCC pipeline (8 iterations)
sub_1CB4E40(0) [!a4[2000]]    NVVMIntrinsicLowering (3rd)
sub_185D600()  [!a4[920]]     IPConstPropagation
sub_195E880(0) [!a4[1240]]    LICM
sub_1CB4E40(0) [!a4[2000]]    NVVMIntrinsicLowering (4th)
sub_1CB73C0()  [!a4[2120]]    NVVMBranchDist
sub_1A13320()  [!a4[2320]]    NVVMRematerialization
"""
"""Language "mid": full."""

PATH_C = """\
sub_1A62BF0(4,0,0,1,0,0,1)    LLVM standard pipeline #4
sub_1857160()  [!a4[880]]     NVVMReflect (1st)
sub_1CB4E40(0) [!a4[2000]]    NVVMIntrinsicLowering
sub_1857160()  [!a4[880]]     NVVMReflect (2nd)
sub_1CEF8F0()                  NVVMPeephole
sub_215D9D0()                  NVVMAnnotationsProcessor
sub_1A7A9F0()  [!a4[2720]]    InstructionSimplify
sub_1A62BF0(5,0,0,1,0,0,1)    LLVM standard pipeline #5
sub_185D600()  [!a4[920]]     IPConstPropagation
sub_1B26330()  [!a4[2040]]    MemCpyOpt
sub_184CD60()  [!a4[1960]]    ConstantMerge
sub_1A13320()  [!a4[2320]]    NVVMRematerialization
sub_1833EB0(3) [!a4[320]]     TailCallElim
sub_1C6E800()                  GVN
sub_1842BC0()  [!a4[720]]     SCCP
sub_18DEFF0()  [!a4[280]]     DCE
sub_184CD60()  [!a4[1960]]    ConstantMerge
sub_18FD350(0)                 DeadArgElim
sub_18EEA90()                  CorrelatedValuePropagation
sub_1A62BF0(1,0,0,1,0,0,1)    LLVM standard pipeline #1
sub_197E720()                  LoopUnroll
sub_19401A0()  [!a4[1000]]    InstCombine
sub_1857160()  [!a4[880]]     NVVMReflect (3rd)
sub_1A62BF0(7,0,0,1,0,0,1)    LLVM standard pipeline #7
sub_1C8A4D0(0)                 EarlyCSE
sub_1A223D0()  [!a4[2600]]    NVVMIRVerification
sub_1832270(1)                 InstructionCombining
sub_1869C50(1,0,1)             Sink
sub_1A68E70()                  LoopIdiomRecognize
sub_198DF00(-1)[!a4[1520]]     LoopSimplify
sub_195E880(0) [!a4[1240]]    LICM
sub_190BB10(0,0)[!a4[960]]     SimplifyCFG
sub_19B73C0(3,-1,-1,0,0,-1,0)  LoopUnswitch
sub_1A223D0()  [!a4[2600]]    NVVMIRVerification
sub_1C98160(0)                 NVVMLowerBarriers
sub_1C8E680(0) [!a4[1760]]    MemorySpaceOpt
sub_1B7FDF0(3) [!a4[1280]]    Reassociate
sub_18B1DE0()  [!a4[2640]]    LoopPass
sub_1952F90(-1)[!a4[1160]]     LoopIndexSplit
sub_18FD350(0)                 DeadArgElim
sub_1CC60B0()  [!a4[2440]]    NVVMSinking2
sub_1A62BF0(2,0,0,1,0,0,1)    LLVM standard pipeline #2
sub_1A223D0()  [!a4[2600]]    NVVMIRVerification
sub_18A3430()  [!a4[1120]]    NVVMPredicateOpt
sub_1A62BF0(4,0,0,1,1,0,1)    LLVM standard pipeline #4 (inlining)
"""
"""Any other language: general."""

PRE_OPTIMIZATION = """\
sub_1857160()  [!a4[1960]||a4[3000]]  NVVMReflect
sub_18FD350(0) [a4[3000]]     DeadArgElimination
sub_19CE990()  [!a4[1680]]    LoopStrengthReduce (NVIDIA)
sub_1CB4E40(0)                NVVMIntrinsicLowering(level=0)
sub_1B26330()  [!a4[2040]]    MemCpyOpt
sub_12D4560()                 NVVMVerifier
sub_184CD60()  [!a4[1960]]    ConstantMerge
sub_1C4B6F0()  [!a4[440]&&!a4[400]]  AlwaysInliner
sub_17060B0(1,0) [a4[3160]]   PrintModulePass
"""
"""Phase 2 of construction."""

FINALIZATION = """\
sub_1C98160(a4[2920]!=0) [!v244&&a4[3488]]  NVVMLowerBarriers
sub_1CEBD10()                 NVVMFinalLowering (cleanup)
sub_1654860(1) [!a4[2800]&&!a4[4464]]  BreakCriticalEdges
"""
"""Phase 5 of construction, before codegen dispatch; v244 is -Ofast-compile=max."""

LEVEL_O0 = """\
sub_1C8A4D0(0)                NVVMFinalCleanup
"""
"""All that LABEL_159 adds."""

LEVEL_OFCMAX = """\
sub_1857160()  [!a4[880]]     NVVMReflect
sub_1C4B6F0()  [!a4[440]&&!a4[400]]  AlwaysInliner
sub_1968390()  [!a4[1400]]    SROA
sub_18B3080(1)                Sinking2Pass (fast=1 for fc mode)
sub_1A7A9F0()  [!a4[2720]]    InstructionSimplify
sub_190BB10(0,0)[!a4[960]]    SimplifyCFG
sub_18DEFF0()  [!a4[280]]     DCE
"""
"""LABEL_196: Sinking2 in its fast form and minimal canonicalization."""

INFRASTRUCTURE = """\
1 | sub_149CCE0 | TargetLibraryInfoWrapperPass | 0
2 | sub_1BFB520 | TargetTransformInfoWrapperPass | 1
3 | sub_14A7550 | VerifierPass / BasicAliasAnalysis | 0
4 | sub_1361950 | AssumptionCacheTracker | 0
5 | sub_1CB0F50 | ProfileSummaryInfoWrapperPass | 1
"""
"""Phase 0 of construction: row, factory, pass, AddPass flags. Analyses, which come on demand here."""

SEQUENCES: tuple[str, ...] = (
    TIER_0,
    TIERS,
    PATH_A,
    PATH_B,
    PATH_C,
    PRE_OPTIMIZATION,
    FINALIZATION,
    LEVEL_O0,
    LEVEL_OFCMAX,
)
"""Every sequence whose rows may have guards."""

FACTORIES = """\
sub_12D4560 | nvvm-verify
sub_1654860 | break-crit-edges
sub_17060B0 | print-module
sub_1832270 | instcombine
sub_1833EB0 | tailcallelim,jump-threading
sub_1841180 | function-attrs
sub_1842BC0 | sccp
sub_184CD60 | constmerge
sub_1857160 | nvvm-reflect,nvvm-reflect-pp
sub_185D600 | ipsccp
sub_1869C50 | sink
sub_18A3090 | nvvm-predicate-opt
sub_18A3430 | nvvm-predicate-opt
sub_18B1DE0 | nvvm-loop-opt
sub_18B3080 | sinking2<fast>
sub_18DEFF0 | dce
sub_18E4A00 | nvvm-barrier-analysis
sub_18EEA90 | correlated-propagation
sub_18F5480 | dse
sub_18FD350 | deadargelim
sub_190BB10 | simplifycfg
sub_1922F90 | nvvm-loop-pass-1922f90
sub_1952F90 | loop-index-split
sub_195E880 | licm
sub_1968390 | sroa
sub_196A2B0 | early-cse
sub_197E720 | loop-unroll
sub_198DF00 | loop-simplify
sub_198E2A0 | sroa
sub_19401A0 | instcombine
sub_19B73C0 | simple-loop-unswitch
sub_19C1680 | loop-unroll
sub_19CE990 | loop-reduce
sub_1A02540 | generic-to-nvvm
sub_1A13320 | remat
sub_1A223D0 | nvvm-ir-verification
sub_1A62BF0 | STANDARD
sub_1A68E70 | loop-idiom
sub_1A7A9F0 | instsimplify
sub_1AAC510 | nvvm-pass-1aac510
sub_1B26330 | memcpyopt
sub_1B7FDF0 | reassociate
sub_1C46000 | nvvm-late-opt
sub_1C4B6F0 | always-inline
sub_1C6E560 | gvn-hoist
sub_1C6E800 | gvn
sub_1C6FCA0 | adce
sub_1C76260 | adce
sub_1C7F370 | nvvm-warp-shuffle
sub_1C8A4D0 | early-cse
sub_1C8E680 | memory-space-opt
sub_1C98160 | nvvm-lower-barriers
sub_1C98270 | nvvm-lower-barriers
sub_1CB4E40 | nvvm-intrinsic-lowering
sub_1CB73C0 | branch-dist
sub_1CBC480 | nvvm-lower-alloca
sub_1CC3990 | nvvm-unreachable-block-elim
sub_1CC5E00 | nvvm-reduction
sub_1CC60B0 | sinking2
sub_1CC71E0 | nvvm-generic-addr-opt
sub_1CEBD10 | nvvm-final-lowering
sub_1CEF8F0 | nvvm-peephole-optimizer
sub_215D9D0 | nvvm-annotations
"""
"""By which pipeline elements a factory is carried out. Where a document is in doubt what the
factory makes, docs/deviations.md says what was chosen."""

STANDARD_PIPELINES = """\
1 | EP_EarlyAsPossible / basic cleanup | simplifycfg,sroa,early-cse,instcombine,instsimplify
2 | EP_LoopOptimizerEnd | loop-simplify,loop-rotate,licm,loop-deletion
4 | EP_ScalarOptimizerLate | gvn,early-cse,instcombine,simplifycfg,dce
5 | EP_VectorizerStart | sroa,early-cse,instcombine,simplifycfg
7 | EP_OptimizerLast | instcombine,simplifycfg,dce,globaldce
8 | EP_CGSCCOptimizerLate | function-attrs,argpromotion,sroa,early-cse,simplifycfg,dce
"""
"""sub_1A62BF0, the standard pipeline factory: ID, LLVM's extension point, and what it runs here."""

TIER_GUARDS: dict[int, str] = {
    14: "tier!=1&&!opts[960]&&!opts[1200]",
    15: "tier!=1&&!opts[1160]",
    68: "opts[3328]&&!opts[2080]&&!opts[2120]",
}
"""Rows of `TIERS`, from 1, whose guard the document abbreviates to "guards"."""


@dataclass(frozen=True)
class SequenceRow:
    """One row of a sequence.

    Arguments:
        factory: address of the pass factory.
        arguments: what it is called with; `...` and variables as printed.
        guard: a condition on option offsets and the tier; empty: always.
        label: the pass that the document takes it for.
    """

    factory: str
    arguments: tuple[str, ...]
    guard: str
    label: str


_ROW = re.compile(
    r"(?P<factory>sub_[0-9A-F]+)\((?P<arguments>[^)]*)\)\s*(?:\[(?P<guard>(?:[^\[\]]|\[\d+\])*)\]\s*)?"
    r"(?P<label>.*)"
)


def _guard(text: str | None, number: int) -> str:
    if text is None:
        return ""
    if "guards" in text:
        return TIER_GUARDS[number]
    # "v=1 if opts[3704]" is a rule for an argument, not a guard.
    return "" if " if " in text else text.replace("a4[", "opts[")


@cache
def rows_of(text: str) -> tuple[SequenceRow, ...]:
    """The rows of a sequence."""
    found: list[SequenceRow] = []
    for number, line in enumerate(text.splitlines(), 1):
        if "|" in line.partition("[")[0]:
            _, factory, label, *guard = (part.strip() for part in line.split("|"))
            name, _, arguments = factory.partition("(")
            found.append(
                SequenceRow(
                    name,
                    tuple(arguments.removesuffix(")").split(",")) if arguments else (),
                    guard[0] if guard else "",
                    label,
                )
            )
            continue
        match = _ROW.fullmatch(line)
        assert match is not None, line
        arguments = match["arguments"]
        found.append(
            SequenceRow(
                match["factory"],
                tuple(arguments.split(",")) if arguments else (),
                _guard(match["guard"], number),
                match["label"].strip(),
            )
        )
    return tuple(found)


@cache
def factories() -> dict[str, str]:
    """Pipeline elements by factory."""
    pairs = (line.split("|") for line in FACTORIES.splitlines())
    return {factory.strip(): elements.strip() for factory, elements in pairs}


@cache
def standard_pipelines() -> dict[int, tuple[str, str]]:
    """Extension point and pipeline elements of the standard pipelines by ID."""
    found: dict[int, tuple[str, str]] = {}
    for line in STANDARD_PIPELINES.splitlines():
        number, point, elements = (part.strip() for part in line.split("|"))
        found[int(number)] = (point, elements)
    return found
