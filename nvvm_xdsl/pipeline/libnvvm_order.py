"""`nvopt<libnvvm-O3>`: libNVVM 13.0's order of this project's passes.

libNVVM prints its -O3 pipeline (docs/deviations.md, "The passes of libNVVM 13.0"). Here reflection
runs before it, and the preparation for code generation of -O3 after it. Parameters of passes in
`-opt` apply; guards and slots do not.
"""

from __future__ import annotations

from typing import Final

_ORDER: Final = """
soften-fp128 printf-lowering globaldce nvvm-reflect nvvm-reflect-pp nvvm-intr-range process-restrict mem2reg simplifycfg
function-attrs instcombine nvvm-pretreat generic-to-nvvm nv-inline-must inline globaldce byval-mem2reg
process-restrict<propagate-only> sroa process-restrict<propagate-only> memory-space-opt<first-time> instcombine
simplifycfg globalopt globaldce ipsccp deadargelim instcombine simplifycfg function-attrs gvn jump-threading simplifycfg
instcombine lower-ops nvvm-reflect nvvm-reflect-pp globaldce inline argpromotion correlated-propagation simplifycfg sroa
process-restrict<propagate-only> branch-dist instcombine tailcallelim simplifycfg reassociate loop-simplify loop-rotate
loop-index-split instcombine simplifycfg loop-simplify licm memory-space-opt<first-time> instcombine
simple-loop-unswitch instcombine loop-simplify indvars loop-idiom loop-deletion loop-unroll<O3> instcombine
loop-unroll<no-partial;no-peeling;no-runtime;O3> simplifycfg memcpyopt sroa process-restrict<propagate-only> instcombine
gvn loop-simplify licm sccp loop-deletion instcombine correlated-propagation dse adce simplifycfg sroa
process-restrict<propagate-only> lower-struct-args<opt-byval> sroa instcombine sinking2 memory-space-opt<first-time>
instcombine ipmsp strip-dead-prototypes globaldce constmerge basic-dbe constmerge propagate-alignment
lower-aggr-copies<lower-aggr-func-args> set-local-array-alignment propagate-alignment instcombine load-store-vectorizer
instcombine simplifycfg<hoist-common-insts;sink-common-insts> div-rem-pairs
"""
"""The passes lower-expect and alignment-from-assumptions, which do not exist here, are omitted, and
reuse-local-memory is part of the preparation. `simplifycfg` hoists and sinks common code at the end,
as in this project's -O3.
"""

_PREPARATION: Final = """
infer-address-spaces process-restrict bypass-slow-division loop-unroll<for-loads> early-cse dce remat
set-global-array-alignment set-local-array-alignment propagate-alignment loop-reduce load-store-vectorizer packed-bytes
reuse-local-memory globaldce
"""

LIBNVVM_ORDER: Final = ",".join(f"{_ORDER} {_PREPARATION}".split())
"""The text of the pipeline."""
