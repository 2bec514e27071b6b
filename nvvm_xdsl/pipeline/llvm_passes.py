"""The passes and analyses that LLVM 22 registers by name, by section and in its order.

These are the names printed by `opt -print-passes`; `passes.PASSES` lists those that exist here.
Parameters of a name are in angle brackets.
"""

from __future__ import annotations

LLVM_PASSES: dict[str, str] = {
    "module analyses": """
        callgraph collector-metadata ctx-prof-analysis dxil-metadata dxil-resources
        dxil-resource-type dxil-resource-bindings inline-advisor ir2vec-vocab ir-similarity
        last-run-tracking lcg libcall-lowering-info module-summary no-op-module
        pass-instrumentation profile-summary reg-usage runtime-libcall-info stack-safety
        verify globals-aa
    """,
    "module passes": """
        always-inline annotation2metadata assign-guid attributor attributor-light
        called-value-propagation canonicalize-aliases check-debugify constmerge coro-cleanup
        coro-early cross-dso-cfi ctx-instr-gen ctx-prof-flatten ctx-prof-flatten-prethinlink
        noinline-nonprevailing deadargelim debugify declare-runtime-libcalls dfsan
        dot-callgraph dxil-upgrade elim-avail-extern extract-blocks expand-variadics
        forceattrs function-import global-merge-func globalopt globalsplit
        hipstdpar-interpose-alloc hipstdpar-math-fixup hipstdpar-select-accelerator-code
        hotcoldsplit inferattrs inliner-ml-advisor-release inliner-wrapper
        inliner-wrapper-no-mandatory-first insert-gcov-profiling instrprof ctx-instr-lower
        print<ctx-prof-analysis> invalidate<all> iroutliner jmc-instrumenter lower-emutls
        lower-global-dtors lower-ifunc simplify-type-tests lowertypetests fatlto-cleanup
        pgo-force-function-attrs memprof-context-disambiguation memprof-remove-attributes
        memprof-module mergefunc metarenamer module-inline name-anon-globals no-op-module
        norecurse-lto-inference nsan openmp-opt openmp-opt-postlink partial-inliner
        pgo-icall-prom pgo-instr-gen pgo-instr-use pre-isel-intrinsic-lowering print
        print-callgraph print-callgraph-sccs print-ir-similarity print-lcg print-lcg-dot
        print-must-be-executed-contexts print-profile-summary print-stack-safety
        print<dxil-metadata> print<dxil-resources> print<inline-advisor> print<ir2vec>
        print<ir2vec-vocab> print<module-debuginfo> print<reg-usage> prof-verify pseudo-probe
        pseudo-probe-update recompute-globalsaa rel-lookup-table-converter
        rewrite-statepoints-for-gc rewrite-symbols rpo-function-attrs rtsan sample-profile
        sancov-module sanmd-module scc-oz-module-inliner shadow-stack-gc-lowering strip
        strip-dead-debug-info strip-dead-prototypes strip-debug-declare strip-nondebug
        strip-nonlinetable-debuginfo strip-dead-cg-profile trigger-crash-module
        trigger-verifier-error tsan-module tysan verify view-callgraph wholeprogramdevirt
        alloc-token<mode=<mode>> asan<kernel;use-after-scope> cg-profile<in-lto-post-link>
        global-merge<group-by-use;ignore-single-use;max-offset=N;merge-const;merge-const-aggressive;merge-external;no-group-by-use;no-ignore-single-use;no-merge-const;no-merge-const-aggressive;no-merge-external>
        embed-bitcode<thinlto;emit-summary> globaldce<vfe-linkage-unit-visibility>
        hwasan<kernel;recover> internalize<preserve-gv=GV> ipsccp<no-func-spec;func-spec>
        loop-extract<single> memprof-use<profile-filename=S>
        msan<recover;kernel;eager-checks;track-origins=N>
        print<structural-hash><detailed;call-target-ignored> default<O0;O1;O2;O3;Os;Oz>
        thinlto-pre-link<O0;O1;O2;O3;Os;Oz> thinlto<O0;O1;O2;O3;Os;Oz>
        lto-pre-link<O0;O1;O2;O3;Os;Oz> lto<O0;O1;O2;O3;Os;Oz>
        fatlto-pre-link<O0;O1;O2;O3;Os;Oz;thinlto;emit-summary>
    """,
    "cgscc analyses": """
        no-op-cgscc fam-proxy pass-instrumentation
    """,
    "cgscc passes": """
        argpromotion attributor-cgscc attributor-light-cgscc invalidate<all> no-op-cgscc
        openmp-opt-cgscc coro-annotation-elide coro-split<reuse-storage>
        function-attrs<skip-non-recursive-function-attrs> inline<only-mandatory>
    """,
    "function analyses": """
        aa access-info assumptions bb-sections-profile-reader block-freq branch-prob cycles da
        debug-ata demanded-bits domfrontier domtree ephemerals func-properties
        machine-function-info gc-function last-run-tracking lazy-value-info loops memdep
        memoryssa no-op-function opt-remark-emit pass-instrumentation phi-values postdomtree
        regions scalar-evolution should-not-run-function-passes should-run-extra-vector-passes
        ssp-layout stack-safety-local target-ir target-lib-info uniformity verify basic-aa
        objc-arc-aa scev-aa scoped-noalias-aa tbaa
    """,
    "function passes": """
        aa-eval adce add-discriminators aggressive-instcombine alignment-from-assumptions
        annotation-remarks assume-builder assume-simplify atomic-expand bdce break-crit-edges
        callbr-prepare callsite-splitting chr codegenprepare complex-deinterleaving consthoist
        constraint-elimination coro-elide correlated-propagation count-visits dce
        declare-to-assign dfa-jump-threading div-rem-pairs dot-cfg dot-cfg-only dot-dom
        dot-dom-only dot-post-dom dot-post-dom-only dse dwarf-eh-prepare expand-memcmp
        expand-reductions extra-vector-passes fix-irreducible flatten-cfg float2int
        free-machine-function func-properties-stats gc-lowering guard-widening gvn-hoist
        gvn-sink helloworld indirectbr-expand infer-address-spaces infer-alignment
        inject-tli-mappings instcount instnamer instsimplify interleaved-access
        interleaved-load-combine invalidate<all> irce jump-threading jump-table-to-switch kcfi
        kernel-info lcssa libcalls-shrinkwrap load-store-vectorizer loop-data-prefetch
        loop-distribute loop-fusion loop-load-elim loop-simplify loop-sink loop-versioning
        lower-atomic lower-constant-intrinsics lower-expect lower-guard-intrinsic lower-invoke
        lower-switch lower-widenable-condition make-guards-explicit mem2reg memcpyopt memprof
        mergeicmps mergereturn move-auto-init nary-reassociate newgvn no-op-function objc-arc
        objc-arc-contract objc-arc-expand pa-eval partially-inline-libcalls pgo-memop-opt
        place-safepoints print print-alias-sets print-cfg-sccs print-memderefs
        print-mustexecute print-predicateinfo print<assumptions> print<block-freq>
        print<branch-prob> print<cost-model> print<cycles> print<da> print<debug-ata>
        print<delinearization> print<demanded-bits> print<domfrontier> print<domtree>
        print<func-properties> print<inline-cost> print<lazy-value-info> print<loops>
        print<memoryssa-walker> print<phi-values> print<postdomtree> print<regions>
        print<scalar-evolution> print<scev-division> print<stack-safety-local>
        print<uniformity> prof-inject reassociate redundant-dbg-inst-elim replace-with-veclib
        reg2mem safe-stack sandbox-vectorizer scalarize-masked-mem-intrin sccp select-optimize
        separate-const-offset-from-gep sink sjlj-eh-prepare slp-vectorizer slsr
        stack-protector strip-gc-relocates tailcallelim transform-warning
        trigger-crash-function trigger-verifier-error tsan typepromotion unify-loop-exits
        unreachableblockelim vector-combine verify verify<cycles> verify<domtree>
        verify<loops> verify<memoryssa> verify<regions> verify<safepoint-ir>
        verify<scalar-evolution> view-cfg view-cfg-only view-dom view-dom-only view-post-dom
        view-post-dom-only wasm-eh-prepare cfguard<check;dispatch> early-cse<memssa>
        drop-unnecessary-assumes<drop-deref> ee-instrument<post-inline>
        function-simplification<O1;O2;O3;Os;Oz>
        gvn<no-pre;pre;no-load-pre;load-pre;no-split-backedge-load-pre;split-backedge-load-pre;no-memdep;memdep;no-memoryssa;memoryssa>
        hardware-loops<force-hardware-loops;force-hardware-loop-phi;force-nested-hardware-loop;force-hardware-loop-guard;hardware-loop-decrement=N;hardware-loop-counter-bitwidth=N>
        instcombine<no-verify-fixpoint;verify-fixpoint;max-iterations=N> lint<abort-on-error>
        loop-unroll<O0;O1;O2;O3;full-unroll-max=N;no-partial;partial;no-peeling;peeling;no-profile-peeling;profile-peeling;no-runtime;runtime;no-upperbound;upperbound>
        loop-vectorize<no-interleave-forced-only;interleave-forced-only;no-vectorize-forced-only;vectorize-forced-only>
        lower-allow-check<cutoffs[indices]=N> lower-matrix-intrinsics<minimal>
        normalize<no-preserve-order;preserve-order;no-rename-all;rename-all;no-fold-all;fold-all;no-reorder-operands;reorder-operands>
        mldst-motion<no-split-footer-bb;split-footer-bb> print<access-info><allow-partial>
        print<da><normalized-results> print<memoryssa><no-ensure-optimized-uses>
        print<stack-lifetime><may;must>
        scalarizer<load-store;no-load-store;variable-insert-extract;no-variable-insert-extract;min-bits=N;>
        separate-const-offset-from-gep<lower-gep>
        simplifycfg<no-speculate-blocks;speculate-blocks;no-simplify-cond-branch;simplify-cond-branch;no-forward-switch-cond;forward-switch-cond;no-switch-range-to-icmp;switch-range-to-icmp;no-switch-to-arithmetic;switch-to-arithmetic;no-switch-to-lookup;switch-to-lookup;no-keep-loops;keep-loops;no-hoist-common-insts;hoist-common-insts;no-hoist-loads-stores-with-cond-faulting;hoist-loads-stores-with-cond-faulting;no-sink-common-insts;sink-common-insts;no-speculate-unpredictables;speculate-unpredictables;bonus-inst-threshold=N>
        speculative-execution<only-if-divergent-target> sroa<preserve-cfg;modify-cfg>
        structurizecfg<skip-uniform-regions> win-eh-prepare<demote-catchswitch-only>
        bounds-checking<trap;rt;rt-abort;min-rt;min-rt-abort;merge;guard=N>
        expand-ir-insts<O0;O1;O2;O3>
    """,
    "loopnest passes": """
        loop-flatten loop-interchange loop-unroll-and-jam no-op-loopnest
    """,
    "loop analyses": """
        ddg iv-users no-op-loop pass-instrumentation should-run-extra-simple-loop-unswitch
    """,
    "loop passes": """
        canon-freeze dot-ddg guard-widening extra-simple-loop-unswitch-passes indvars
        invalidate<all> loop-bound-split loop-deletion loop-idiom loop-idiom-vectorize
        loop-instsimplify loop-predication loop-reduce loop-term-fold loop-simplifycfg
        loop-unroll-full loop-versioning-licm no-op-loop print print<ddg>
        print<hash-recognize> print<iv-users> print<loop-cache-cost> print<loopnest>
        licm<allowspeculation;no-allowspeculation> lnicm<allowspeculation;no-allowspeculation>
        loop-rotate<no-header-duplication;header-duplication;no-prepare-for-lto;prepare-for-lto>
        simple-loop-unswitch<nontrivial;no-nontrivial;trivial;no-trivial>
    """,
    "machine analyses": """
        edge-bundles gisel-value-tracking livedebugvars live-intervals live-reg-matrix
        live-stacks live-vars machine-block-freq machine-branch-prob machine-cycles
        machine-dom-tree machine-loops machine-opt-remark-emitter machine-post-dom-tree
        machine-trace-metrics machine-uniformity pass-instrumentation reaching-def
        regalloc-evict regalloc-priority slot-indexes spill-code-placement virtregmap
    """,
    "machine passes": """
        block-placement-stats branch-relaxation dead-mi-elimination detect-dead-lanes
        early-ifcvt early-machinelicm early-tailduplication fentry-insert finalize-isel
        finalizebundle-test fixup-statepoint-caller-saved init-undef gc-empty-basic-blocks
        localstackalloc machine-cp machine-cse machine-latecleanup machine-sanmd
        machine-scheduler machinelicm no-op-machine-function opt-phis patchable-function
        peephole-opt phi-node-elimination post-RA-hazard-rec post-RA-sched postra-machine-sink
        postmisched post-ra-pseudos print print<gisel-value-tracking> print<livedebugvars>
        print<live-intervals> print<live-stacks> print<live-vars> print<machine-block-freq>
        print<machine-branch-prob> print<machine-cycles> print<machine-dom-tree>
        print<machine-loops> print<machine-post-dom-tree> print<machine-uniformity>
        print<reaching-def> print<slot-indexes> print<virtregmap> process-imp-defs
        prolog-epilog reg-usage-collector reg-usage-propagation register-coalescer
        rename-independent-subregs remove-loads-into-fake-uses remove-redundant-debug-values
        require-all-machine-function-properties shrink-wrap stack-coloring stack-frame-layout
        stack-slot-coloring tailduplication trigger-verifier-error two-address-instruction
        unreachable-mbb-elimination verify verify<machine-trace-metrics> xray-instrumentation
    """,
}
"""Section to names, separated by blanks."""
