"""The documented pass sequences.

A row has three parts:

- The elements that run, as in pipeline text. A parameter may be `name=opts[SLOT]`, the value of an option slot,
  or `name=tier`, the number of the tier.
- In brackets the guard, a condition on knobs and the tier: `[tier!=1&&!no-sink]`. Slots without a knob have
  the names of `options.GUARD_NAMES`.
- After the semicolon a comment: the byte offsets of these slots, and the row of the optimizer document. That is
  the address of the pass factory with its arguments, and the document's name for the pass.

docs/deviations.md records the choice if the document is ambiguous about a factory. A test compares
the offsets, and every table with the document's, row by row. Rows without an address are this
project's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

TIER_0 = """\
break-crit-edges                                                  ; sub_1654860(1) BreakCriticalEdges
standard<1;inline>                                                ; sub_1A62BF0(1,...) LLVM standard pipeline #1
memcpyopt                                                         ; sub_1B26330 MemCpyOpt
ipsccp                                                            ; sub_185D600 IPConstantPropagation
gvn                                                               ; sub_1C6E800 GVN
gvn-hoist                                                         ; sub_1C6E560 NewGVN/GVNHoist [MEDIUM confidence]
nvvm-reflect,nvvm-reflect-pp                                      ; sub_1857160 NVVMReflect
sccp                                                              ; sub_1842BC0 SCCP
nvvm-verify                                                       ; sub_12D4560 NVVMVerifier
nvvm-predicate-opt                                                ; sub_18A3090 NVVMPredicateOpt
constmerge                                                        ; sub_184CD60 ConstantMerge
simplifycfg                                      [!no-sink]       ; opts[1040]
sink                                             [!no-sink]       ; opts[1040] sub_1869C50(1,0,1) Sink/MemSSA [MEDIUM confidence]
tailcallelim,jump-threading<no-repeat-targets>                    ; sub_1833EB0(3) TailCallElim/JumpThreading [MEDIUM confidence]
loop-index-split                                                  ; sub_1952F90(-1) LoopIndexSplit
standard<1;inline>                                                ; sub_1A62BF0(1,...) LLVM standard pipeline #1
nvvm-ir-verification                                              ; sub_1A223D0 NVVMIRVerification
instsimplify                                                      ; sub_1A7A9F0 InstructionSimplify
standard<1;inline>                                                ; sub_1A62BF0(1,...) LLVM standard pipeline #1
generic-to-nvvm                                                   ; sub_1A02540 GenericToNVVM
loop-simplify                                                     ; sub_198DF00(-1) LoopSimplify
loop-rotate                                                       ;
adce                                             [!no-adce-a]     ; opts[1320] sub_1C76260 ADCE
licm                                             [do-licm]        ; opts[2880] sub_195E880(0) LICM
loop-index-split                                 [!no-loopindexsplit] ; opts[1160]
indvars                                                           ;
loop-unroll<O2;no-partial;no-runtime;no-peeling> [!no-loopunroll] ; opts[1360] sub_19C1680(0,1) LoopUnroll
instcombine                                                       ; sub_19401A0 InstCombine
sroa                                                              ; sub_1968390 SROA
early-cse                                                         ; sub_196A2B0 EarlyCSE
simple-loop-unswitch                                              ; sub_19B73C0(2,...) LoopUnswitch
simplifycfg                                                       ; sub_190BB10(0,0) SimplifyCFG
remat                                                             ; sub_1A13320 NVVMRematerialization
dse                                                               ; sub_18F5480 DSE
dce                                                               ; sub_18DEFF0 DCE
standard<1;inline>                                                ; sub_1A62BF0(1,...) LLVM standard pipeline #1
strip-dead-prototypes                                             ; sub_18B1DE0 NVVMLoopPass [MEDIUM confidence]
function-attrs                                                    ; sub_1841180 FunctionAttrs
called-value-propagation                                          ;
"""
"""Tier 0, sub_12DE330."""

TIERS = """\
nvvm-intrinsic-lowering<level=1>                             [!no-intrin-lower]                 ; opts[2000] sub_1CB4E40(1) NVVMIntrinsicLowering (level=1)
nvvm-ir-verification                                         [!no-irverify]                     ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-intrinsic-lowering<level=1>                             [!no-intrin-lower]                 ; opts[2000] sub_1CB4E40(1) NVVMIntrinsicLowering (barrier=1)
nvvm-barrier-analysis                                        [barrier-optimization]             ; opts[3488] sub_18E4A00() NVVMBarrierAnalysis
nvvm-lower-barriers,dead-sync-elim                           [barrier-optimization]             ; opts[3488] sub_1C98160(0) NVVMLowerBarriers
nvvm-verify                                                  [!no-nvvm-verify]                  ; opts[600] sub_12D4560() NVVMVerifier
ipsccp                                                       [advanced-group&&!no-ipconst]      ; opts[3200,920] sub_185D600() IPConstPropagation         [advanced group]
nvvm-reflect,nvvm-reflect-pp                                 [advanced-group&&!no-nvvm-reflect] ; opts[3200,880] sub_1857160() NVVMReflect                [advanced group]
nvvm-predicate-opt                                           [advanced-group&&!no-predopt]      ; opts[3200,1120] sub_18A3430() NVVMPredicateOpt          [advanced group]
sccp                                                         [advanced-group&&!no-sccp]         ; opts[3200,720] sub_1842BC0() SCCP                       [advanced group]
nvvm-verify                                                  [!no-nvvm-verify]                  ; opts[600] sub_12D4560() NVVMVerifier
nvvm-predicate-opt                                           [advanced-group&&!no-predopt-b]    ; opts[3200,2160] sub_18A3090() NVVMPredicateOpt variant  [advanced group]
constmerge                                                   [advanced-group&&!no-constmerge]   ; opts[3200,1960] sub_184CD60() ConstantMerge             [advanced group]
simplifycfg                                                  [tier!=1&&!no-simplifycfg&&!no-simplifycfg-b] ; opts[960,1200] sub_190BB10(1,0) SimplifyCFG                [TIER 2/3 ONLY]
loop-index-split                                             [tier!=1&&!no-loopindexsplit]      ; opts[1160] sub_1952F90(-1) LoopIndexSplit             [TIER 2/3 ONLY]
nvvm-verify                                                  [tier!=1&&!no-nvvm-verify]         ; opts[600] sub_12D4560() NVVMVerifier               [TIER 2/3 ONLY]
licm                                                         [late-mode&&do-licm]               ; opts[3704,2880] sub_195E880(0) LICM
early-cse<memssa=opts[late-mode]>                                                               ; opts[3704] sub_1C8A4D0(v) [v=1 if opts[3704]] EarlyCSE
sink                                                         [tier!=1&&!no-sink]                ; opts[1040] sub_1869C50(1,0,1) Sink                     [TIER 2/3 ONLY]
tailcallelim,jump-threading<no-repeat-targets>               [tier==3&&!no-tailcallelim]        ; opts[320] sub_1833EB0(3) TailCallElim              [TIER 3 ONLY]
nvvm-unreachable-block-elim                                  [unreachable-block-elim]           ; opts[2360] sub_1CC3990() NVVMUnreachableBlockElim
correlated-propagation                                       [enable-cvp]                       ; opts[3040] sub_18EEA90() CorrelatedValuePropagation
nvvm-verify                                                  [!no-nvvm-verify]                  ; opts[600] sub_12D4560() NVVMVerifier
nvvm-ir-verification                                         [!no-irverify]                     ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-intrinsic-lowering<level=1>                             [!no-intrin-lower]                 ; opts[2000] sub_1CB4E40(1) NVVMIntrinsicLowering
always-inline,inline,globaldce                               [!no-inline-b&&!no-inline-c]       ; opts[440,480] sub_1C4B6F0() Inliner
argpromotion<max-elements=3>,deadargelim,attributor          [tier!=1&&!no-inline-b&&!no-inline-c] ; opts[440,480]
instsimplify                                                 [!no-instsimplify]                 ; opts[2720] sub_1A7A9F0() InstructionSimplify
nvvm-verify                                                  [!no-nvvm-verify]                  ; opts[600] sub_12D4560() NVVMVerifier
generic-to-nvvm                                              [!no-generic2nvvm]                 ; opts[2200] sub_1A02540() GenericToNVVM
loop-simplify                                                [!no-loopsimplify]                 ; opts[1520] sub_198DF00(-1) LoopSimplify
loop-rotate                                                                                     ;
adce                                                         [!no-adce-a&&!no-adce-b]           ; opts[1320,1480] sub_1C76260() ADCE
licm                                                         [do-licm&&!no-licm]                ; opts[2880,1240] sub_195E880(0) LICM
loop-idiom                                                                                      ;
loop-deletion                                                                                   ;
nvvm-lower-barriers<warp=opts[warp-barriers]>,dead-sync-elim [barrier-optimization]             ; opts[2920,3488] sub_1C98160(v) NVVMLowerBarriers
indvars                                                                                         ;
loop-unroll<opt-level=tier;no-partial;no-runtime;no-peeling> [!no-loopunroll]                   ; opts[1360] sub_19C1680(0,1) LoopUnroll
instcombine                                                  [!no-instcombine]                  ; opts[1000] sub_19401A0() InstCombine
aggressive-instcombine                                       [!no-instcombine]                  ; opts[1000]
early-cse                                                    [!no-earlycse]                     ; opts[1440] sub_196A2B0() EarlyCSE
gvn                                                                                             ;
globalopt                                                    [tier!=1&&!no-earlycse]            ; opts[1440]
sroa                                                         [!no-sroa]                         ; opts[1400] sub_1968390() SROA
simple-loop-unswitch                                         [tier!=1]                          ; sub_19B73C0(t,...) LoopUnswitch (SM-dependent) [TIER 2/3 ONLY]
standard<1;inline>                                           [!no-nvvm-verify]                  ; opts[600] sub_1A62BF0(1,...) LLVM standard pipeline #1
nvvm-ir-verification                                         [!no-irverify]                     ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-intrinsic-lowering<level=1>                             [!no-intrin-lower]                 ; opts[2000] sub_1CB4E40(1) NVVMIntrinsicLowering
simplifycfg                                                  [!no-simplifycfg]                  ; opts[960] sub_190BB10(0,0) SimplifyCFG
gvn-hoist                                                    [enable-llvm-gvn-hoist]            ; opts[3080] sub_1922F90() NVIDIA-specific loop pass
licm<allowspeculation>                                       [do-licm&&!no-licm]                ; opts[2880,1240] sub_195E880(0) LICM
remat                                                        [do-remat]                         ; opts[2320] sub_1A13320() NVVMRematerialization
sroa                                                         [!no-sroa]                         ; opts[1400] sub_1968390() SROA
correlated-propagation                                       [enable-cvp]                       ; opts[3040] sub_18EEA90() CorrelatedValuePropagation
dse                                                          [!no-dse]                          ; opts[760] sub_18F5480() DSE
dce                                                          [!no-dce]                          ; opts[280] sub_18DEFF0() DCE
standard<1;inline>                                           [!no-nvvm-verify]                  ; opts[600] sub_1A62BF0(1,...) LLVM standard pipeline #1
break-crit-edges                                             [!disable-break-critical-edges&&!disable-BreakCriticalEdgesPass] ; opts[520,560] sub_1AAC510() NVIDIA-specific pass
nvvm-ir-verification                                         [!no-irverify]                     ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-intrinsic-lowering<level=1>                             [!no-intrin-lower]                 ; opts[2000] sub_1CB4E40(1) NVVMIntrinsicLowering
memory-space-opt                                             [!no-memspaceopt-b]                ; opts[2680] sub_1C8E680() MemorySpaceOpt (from opts[3120])
nvvm-generic-addr-opt                                        [!no-genericaddropt]               ; opts[2560] sub_1CC71E0() NVVMGenericAddrOpt
nvvm-lower-barriers<warp=opts[warp-barriers]>,dead-sync-elim [barrier-optimization]             ; opts[2920,3488] sub_1C98270(1,v) NVVMLowerBarriers variant
adce                                                         [adce-c&&!no-adce-c]               ; opts[2840,1840] sub_1C6FCA0() ADCE
strip-dead-prototypes                                        [advanced-group&&!no-loopopt]      ; opts[3200,2640] sub_18B1DE0() LoopOpt/BarrierOpt        [advanced group]
nvvm-reflect,nvvm-reflect-pp                                 [advanced-group&&tier==3]          ; opts[3200] sub_1857160() NVVMReflect                [TIER 3 ONLY]
function-attrs                                               [advanced-group&&!no-func-attrs]   ; opts[3200,680] sub_1841180() FunctionAttrs              [advanced group]
nvvm-late-opt                                                [tier==3&&!no-late-opt]            ; opts[360] sub_1C46000() NVVMLateOpt                [TIER 3 ONLY]
function-attrs                                               [advanced-group&&!no-func-attrs]   ; opts[3200,680] sub_1841180() FunctionAttrs (2nd call)   [advanced group]
nvvm-lower-alloca                                            [!no-loweralloca&&!no-loweralloca-b] ; opts[2240,2280] sub_1CBC480() NVVMLowerAlloca
branch-dist                                                  [!no-branchdist&&!no-branchdist-b] ; opts[2080,2120] sub_1CB73C0() NVVMBranchDist
nvvm-warp-shuffle                                            [sm-specific&&!no-warp-shuffle]    ; opts[3328,1640] sub_1C7F370(1) NVVMWarpShuffle           [SM-specific]
nvvm-reduction                                               [sm-specific&&!no-reduction]       ; opts[3328,2400] sub_1CC5E00() NVVMReduction             [SM-specific]
sinking2                                                     [sm-specific&&!no-sinking2]        ; opts[3328,2440] sub_1CC60B0() NVVMSinking2              [SM-specific]
branch-dist                                                  [sm-specific&&!no-branchdist&&!no-branchdist-b] ; opts[3328,2080,2120] sub_1CB73C0() BranchDist (2nd call)      [SM-specific]
reassociate                                                  [sm-specific&&!no-reassoc]         ; opts[3328,1280] sub_1B7FDF0(3) Reassociate               [SM-specific]
loop-vectorize                                               [tier!=1]                          ;
simplifycfg<hoist-common-insts;sink-common-insts>            [!no-simplifycfg]                  ; opts[960]
div-rem-pairs                                                                                   ;
"""
"""Tiers 1, 2 and 3, sub_12DE8F0. The GlobalOpt document has its wrapper at EarlyCSE's address."""

PATH_A = """\
nvvm-peephole-optimizer                         ; sub_1CEF8F0() NVVMPeephole
nvvm-annotations                                ; sub_215D9D0() NVVMAnnotationsProcessor
nvvm-reflect,nvvm-reflect-pp [!no-nvvm-reflect] ; opts[880] sub_1857160() NVVMReflect
standard<1>                                     ; sub_1A62BF0(1,0,0,1,0,0,1) LLVM standard pipeline #1
memcpyopt                    [!no-memcpyopt]    ; opts[2040] sub_1B26330() MemCpyOpt
print-module<no-shown>                          ; sub_17060B0(0,0) PrintModulePass (debug)
dce                          [!no-dce]          ; opts[280] sub_18DEFF0() DCE
standard<1>                                     ; sub_1A62BF0(1,0,0,1,0,0,1) LLVM standard pipeline #1 (repeat)
strip-dead-prototypes        [!no-loopopt]      ; opts[2640] sub_18B1DE0() LoopPass / BarrierOpt
memory-space-opt             [do-ip-msp]        ; opts[1760] sub_1C8E680(0) MemorySpaceOptimization
"""
"""Language "ptx": light."""

PATH_B = """\
constmerge                       [!no-constmerge]   ; opts[1960] sub_184CD60() ConstantMerge
nvvm-intrinsic-lowering<level=0> [!no-intrin-lower] ; opts[2000] sub_1CB4E40(0) NVVMIntrinsicLowering (1st of 4)
memcpyopt                        [!no-memcpyopt]    ; opts[2040] sub_1B26330() MemCpyOpt
sroa                                                ; sub_198E2A0() SROA
nvvm-peephole-optimizer                             ; sub_1CEF8F0() NVVMPeephole
nvvm-annotations                                    ; sub_215D9D0() NVVMAnnotationsProcessor
loop-simplify                    [!no-loopsimplify] ; opts[1520] sub_198DF00(-1) LoopSimplify
gvn                                                 ; sub_1C6E800() GVN
nvvm-ir-verification             [!no-irverify]     ; opts[2600] sub_1A223D0() NVVMIRVerification (1st of 5+)
simplifycfg                                         ; sub_190BB10(0,0) SimplifyCFG
instcombine                                         ; sub_1832270(1) InstructionCombining
standard<5>                                         ; sub_1A62BF0(5,0,0,1,0,0,1) CGSCC pipeline (5 iterations)
nvvm-intrinsic-lowering<level=0> [!no-intrin-lower] ; opts[2000] sub_1CB4E40(0) NVVMIntrinsicLowering (2nd)
deadargelim                                         ; sub_18FD350(0) DeadArgElim
function-attrs                   [!no-func-attrs]   ; opts[680] sub_1841180() FunctionAttrs
dce                              [!no-dce]          ; opts[280] sub_18DEFF0() DCE
constmerge                       [!no-constmerge]   ; opts[1960] sub_184CD60() ConstantMerge
licm                             [!no-licm]         ; opts[1240] sub_195E880(0) LICM
nvvm-lower-barriers,dead-sync-elim                  ; sub_1C98160(0) NVVMLowerBarriers
memory-space-opt                 [do-ip-msp]        ; opts[1760] sub_1C8E680(0) MemorySpaceOpt (1st invocation)
reassociate                      [!no-reassoc]      ; opts[1280] sub_1B7FDF0(3) Reassociate
standard<8;inline>                                  ; sub_1A62BF0(8,0,0,1,1,0,1) CGSCC pipeline (8 iterations)
nvvm-reflect,nvvm-reflect-pp     [!no-nvvm-reflect] ; opts[880] sub_1857160() NVVMReflect (2nd of 3)
adce                             [!no-adce-c]       ; opts[1840] sub_1C6FCA0() ADCE
instsimplify                     [!no-instsimplify] ; opts[2720] sub_1A7A9F0() InstructionSimplify
deadargelim                                         ; sub_18FD350(0) DeadArgElim
tailcallelim,jump-threading<no-repeat-targets> [!no-tailcallelim] ; opts[320] sub_1833EB0(3) TailCallElim
deadargelim                                         ; sub_18FD350(0) DeadArgElim
correlated-propagation                              ; sub_18EEA90() CorrelatedValuePropagation
sink                                                ; sub_1869C50(1,0,1) Sink (MemorySSA-based)
simplifycfg                      [!no-simplifycfg]  ; opts[960] sub_190BB10(0,0) SimplifyCFG
dse                              [!no-dse]          ; opts[760] sub_18F5480() DSE
sinking2                         [!no-sinking2]     ; opts[2440] sub_1CC60B0() NVVMSinking2
nvvm-ir-verification             [!no-irverify]     ; opts[2600] sub_1A223D0() NVVMIRVerification
early-cse                                           ; sub_1C8A4D0(0) EarlyCSE
nvvm-reflect,nvvm-reflect-pp     [!no-nvvm-reflect] ; opts[880] sub_1857160() NVVMReflect (3rd)
standard<8;inline>                                  ; sub_1A62BF0(8,0,0,1,1,0,1) CGSCC pipeline (8 iterations)
nvvm-intrinsic-lowering<level=0> [!no-intrin-lower] ; opts[2000] sub_1CB4E40(0) NVVMIntrinsicLowering (3rd)
ipsccp                           [!no-ipconst]      ; opts[920] sub_185D600() IPConstPropagation
licm                             [!no-licm]         ; opts[1240] sub_195E880(0) LICM
nvvm-intrinsic-lowering<level=0> [!no-intrin-lower] ; opts[2000] sub_1CB4E40(0) NVVMIntrinsicLowering (4th)
loop-vectorize                                      ;
branch-dist                      [!no-branchdist-b] ; opts[2120] sub_1CB73C0() NVVMBranchDist
remat                            [do-remat]         ; opts[2320] sub_1A13320() NVVMRematerialization
"""
"""Language "mid": full."""

PATH_C = """\
standard<4>                                           ; sub_1A62BF0(4,0,0,1,0,0,1) LLVM standard pipeline #4
nvvm-reflect,nvvm-reflect-pp     [!no-nvvm-reflect]   ; opts[880] sub_1857160() NVVMReflect (1st)
nvvm-intrinsic-lowering<level=0> [!no-intrin-lower]   ; opts[2000] sub_1CB4E40(0) NVVMIntrinsicLowering
nvvm-reflect,nvvm-reflect-pp     [!no-nvvm-reflect]   ; opts[880] sub_1857160() NVVMReflect (2nd)
nvvm-peephole-optimizer                               ; sub_1CEF8F0() NVVMPeephole
nvvm-annotations                                      ; sub_215D9D0() NVVMAnnotationsProcessor
instsimplify                     [!no-instsimplify]   ; opts[2720] sub_1A7A9F0() InstructionSimplify
standard<5>                                           ; sub_1A62BF0(5,0,0,1,0,0,1) LLVM standard pipeline #5
ipsccp                           [!no-ipconst]        ; opts[920] sub_185D600() IPConstPropagation
memcpyopt                        [!no-memcpyopt]      ; opts[2040] sub_1B26330() MemCpyOpt
constmerge                       [!no-constmerge]     ; opts[1960] sub_184CD60() ConstantMerge
remat                            [do-remat]           ; opts[2320] sub_1A13320() NVVMRematerialization
tailcallelim,jump-threading<no-repeat-targets> [!no-tailcallelim]   ; opts[320] sub_1833EB0(3) TailCallElim
gvn                                                   ; sub_1C6E800() GVN
sccp                             [!no-sccp]           ; opts[720] sub_1842BC0() SCCP
dce                              [!no-dce]            ; opts[280] sub_18DEFF0() DCE
constmerge                       [!no-constmerge]     ; opts[1960] sub_184CD60() ConstantMerge
deadargelim                                           ; sub_18FD350(0) DeadArgElim
correlated-propagation                                ; sub_18EEA90() CorrelatedValuePropagation
standard<1>                                           ; sub_1A62BF0(1,0,0,1,0,0,1) LLVM standard pipeline #1
loop-unroll<O3;no-partial;no-runtime;no-peeling>      ; sub_197E720() LoopUnroll
instcombine                      [!no-instcombine]    ; opts[1000] sub_19401A0() InstCombine
nvvm-reflect,nvvm-reflect-pp     [!no-nvvm-reflect]   ; opts[880] sub_1857160() NVVMReflect (3rd)
standard<7>                                           ; sub_1A62BF0(7,0,0,1,0,0,1) LLVM standard pipeline #7
early-cse                                             ; sub_1C8A4D0(0) EarlyCSE
nvvm-ir-verification             [!no-irverify]       ; opts[2600] sub_1A223D0() NVVMIRVerification
instcombine                                           ; sub_1832270(1) InstructionCombining
sink                                                  ; sub_1869C50(1,0,1) Sink
loop-idiom                                            ; sub_1A68E70() LoopIdiomRecognize
loop-simplify                    [!no-loopsimplify]   ; opts[1520] sub_198DF00(-1) LoopSimplify
licm                             [!no-licm]           ; opts[1240] sub_195E880(0) LICM
simplifycfg                      [!no-simplifycfg]    ; opts[960] sub_190BB10(0,0) SimplifyCFG
simple-loop-unswitch                                  ; sub_19B73C0(3,-1,-1,0,0,-1,0) LoopUnswitch
nvvm-ir-verification             [!no-irverify]       ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-lower-barriers,dead-sync-elim                    ; sub_1C98160(0) NVVMLowerBarriers
memory-space-opt                 [do-ip-msp]          ; opts[1760] sub_1C8E680(0) MemorySpaceOpt
reassociate                      [!no-reassoc]        ; opts[1280] sub_1B7FDF0(3) Reassociate
strip-dead-prototypes            [!no-loopopt]        ; opts[2640] sub_18B1DE0() LoopPass
loop-index-split                 [!no-loopindexsplit] ; opts[1160] sub_1952F90(-1) LoopIndexSplit
deadargelim                                           ; sub_18FD350(0) DeadArgElim
sinking2                         [!no-sinking2]       ; opts[2440] sub_1CC60B0() NVVMSinking2
standard<2>                                           ; sub_1A62BF0(2,0,0,1,0,0,1) LLVM standard pipeline #2
nvvm-ir-verification             [!no-irverify]       ; opts[2600] sub_1A223D0() NVVMIRVerification
nvvm-predicate-opt               [!no-predopt]        ; opts[1120] sub_18A3430() NVVMPredicateOpt
standard<4;inline>                                    ; sub_1A62BF0(4,0,0,1,1,0,1) LLVM standard pipeline #4 (inlining)
"""
"""Any other language: general."""

PRE_OPTIMIZATION = """\
nvvm-reflect,nvvm-reflect-pp [!no-constmerge||extra-deadargelim] ; opts[1960,3000] sub_1857160() NVVMReflect
deadargelim                  [extra-deadargelim]                 ; opts[3000] sub_18FD350(0) DeadArgElimination
loop-reduce                  [!no-loop-reduce]                   ; opts[1680] sub_19CE990() LoopStrengthReduce (NVIDIA)
nvvm-intrinsic-lowering<level=0>                                 ; sub_1CB4E40(0) NVVMIntrinsicLowering(level=0)
memcpyopt                    [!no-memcpyopt]                     ; opts[2040] sub_1B26330() MemCpyOpt
nvvm-verify                                                      ; sub_12D4560() NVVMVerifier
constmerge                   [!no-constmerge]                    ; opts[1960] sub_184CD60() ConstantMerge
always-inline<keep-pure>     [!no-inline-b&&!no-inline-a]        ; opts[440,400]
sroa                         [!no-sroa]                          ; opts[1400]
early-cse                    [!no-earlycse]                      ; opts[1440]
always-inline,globaldce      [!no-inline-b&&!no-inline-a]        ; opts[440,400] sub_1C4B6F0() AlwaysInliner
print-module<no-shown>       [dump-modules]                      ; opts[3160] sub_17060B0(1,0) PrintModulePass
"""
"""Phase 2 of construction."""

FINALIZATION = """\
nvvm-lower-barriers<warp=opts[warp-barriers]>,dead-sync-elim [!v244&&barrier-optimization] ; opts[2920,3488] sub_1C98160(a4[2920]!=0) NVVMLowerBarriers
cnp-launch-check                                                                           ; sub_1CEBD10() NVVMFinalLowering (cleanup)
break-crit-edges                                             [!no-cfg-cleanup&&!no-cfg-cleanup-b] ; opts[2800,4464] sub_1654860(1) BreakCriticalEdges
"""
"""Phase 5 of construction, before codegen dispatch; v244 is -Ofast-compile=max."""

LEVEL_O0 = """\
nvvm-reflect,nvvm-reflect-pp [!no-nvvm-reflect]           ; opts[880]
always-inline                [!no-inline-b&&!no-inline-a] ; opts[440,400]
globaldce                                                 ;
"""
"""The passes that are required for correct PTX. The document has one clean-up here,
NVVMFinalCleanup (LABEL_159)."""

LEVEL_OFCMAX = """\
nvvm-reflect,nvvm-reflect-pp [!no-nvvm-reflect]           ; opts[880]
always-inline,globaldce      [!no-inline-b&&!no-inline-a] ; opts[440,400]
sroa                         [!no-sroa]                   ; opts[1400]
sinking2<fast>                                            ; sub_18B3080(1) Sinking2Pass (fast=1 for fc mode)
instsimplify                 [!no-instsimplify]           ; opts[2720]
simplifycfg                  [!no-simplifycfg]            ; opts[960]
dce                          [!no-dce]                    ; opts[280]
"""
"""The document names only the first form of Sinking2 and "minimal canonicalization" (LABEL_196)."""

SHORT = """\
nvvm-reflect,nvvm-reflect-pp                                  [!no-nvvm-reflect]                 ;
nvvm-intrinsic-lowering<level=0>                              [!no-intrin-lower]                 ;
nvvm-verify                                                   [!no-nvvm-verify]                  ;
always-inline,globaldce                                       [!no-inline-b&&!no-inline-a]       ;
inline,globaldce                                              [!no-inline-b&&!no-inline-c]       ;
generic-to-nvvm                                               [!no-generic2nvvm]                 ;
memcpyopt                                                     [!no-memcpyopt]                    ;
sroa                                                          [!no-sroa]                         ;
early-cse                                                     [!no-earlycse]                     ;
simplifycfg                                                   [!no-simplifycfg]                  ;
instcombine                                                   [tier==0&&!no-instcombine]         ;
tailcallelim                                                  [!no-tailcallelim]                 ;
loop-simplify                                                 [!no-loopsimplify]                 ;
loop-rotate                                                                                      ;
licm                                                          [do-licm&&!no-licm]                ;
loop-unroll<unroll-threshold=100;no-partial;no-runtime;no-peeling> [tier!=0&&!no-loopunroll]     ;
sroa                                                          [tier!=0&&!no-sroa]                ;
instcombine                                                   [tier!=0&&!no-instcombine]         ;
simplifycfg                                                   [tier!=0&&!no-simplifycfg]         ;
gvn                                                                                              ;
jump-threading<no-repeat-targets>                             [tier==2&&!no-tailcallelim]        ;
dse                                                           [!no-dse]                          ;
nvvm-intrinsic-lowering<level=1>                              [!no-intrin-lower]                 ;
memory-space-opt                                              [!no-memspaceopt-b]                ;
branch-dist                                                   [!no-branchdist&&!no-branchdist-b] ;
simplifycfg<hoist-common-insts;sink-common-insts>             [!no-simplifycfg]                  ;
dce                                                           [!no-dce]                          ;
div-rem-pairs                                                                                    ;
"""
"""The short pipelines of -Ofast-compile=mid (tier 0), -Ofast-compile=min (1) and -O1 (2), this project's:
each transformation runs once, or once more after loops over local arrays were unrolled."""

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
    SHORT,
)
"""Every sequence whose rows may have guards."""


@dataclass(frozen=True)
class Standard:
    """A standard pipeline: the corresponding extension point of LLVM, and its passes here."""

    point: str
    passes: str


STANDARD_PIPELINES: dict[int, Standard] = {
    1: Standard(
        "EP_EarlyAsPossible / basic cleanup", "simplifycfg,sroa,early-cse,instcombine,instsimplify"
    ),
    2: Standard("EP_LoopOptimizerEnd", "loop-simplify,loop-rotate,licm,loop-deletion"),
    4: Standard("EP_ScalarOptimizerLate", "gvn,early-cse,instcombine,simplifycfg,dce"),
    5: Standard("EP_VectorizerStart", "sroa,early-cse,instcombine,simplifycfg"),
    7: Standard("EP_OptimizerLast", "instcombine,simplifycfg,dce,globaldce"),
    8: Standard(
        "EP_CGSCCOptimizerLate", "function-attrs,argpromotion,sroa,early-cse,simplifycfg,dce"
    ),
}
"""The passes of `standard<ID>`; sub_1A62BF0, the standard pipeline factory."""


@dataclass(frozen=True)
class SequenceRow:
    """One row of a sequence.

    Arguments:
        passes: pipeline elements; `standard<ID>` is a standard pipeline, with `inline` one that
            inlines.
        guard: a condition on knobs, guard names and the tier; empty: always.
        offsets: the slots that the elements and the guard read, by the row's comment.
        note: the document's factory by its address, its arguments, and the document's name for the
            pass; empty in a row that is this project's.
    """

    passes: str
    guard: str
    offsets: tuple[int, ...]
    note: str


_ROW = re.compile(
    r"(?P<passes>\S+)\s*(?:\[(?P<guard>[^;]*)\]\s*)?;\s*"
    r"(?:opts\[(?P<offsets>[\d,]+)\]\s*)?(?P<note>.*)"
)


@cache
def rows_of(text: str) -> tuple[SequenceRow, ...]:
    """The rows of a sequence."""
    found: list[SequenceRow] = []
    for line in text.splitlines():
        match = _ROW.fullmatch(line)
        assert match is not None, line
        offsets = tuple(int(offset) for offset in (match["offsets"] or "").split(",") if offset)
        found.append(SequenceRow(match["passes"], match["guard"] or "", offsets, match["note"]))
    return tuple(found)


@cache
def named_passes() -> frozenset[str]:
    """The names of all passes that a sequence or a standard pipeline runs."""
    elements = [row.passes for text in SEQUENCES for row in rows_of(text)]
    elements += [standard.passes for standard in STANDARD_PIPELINES.values()]
    names = {part for text in elements for part in re.sub(r"<[^>]*>", "", text).split(",")}
    return frozenset(names - {"standard"})
