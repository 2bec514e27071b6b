// RUN: nvvm-opt --list-passes | filecheck %s --check-prefix=LIST
// RUN: nvvm-opt --list-passes --missing | filecheck %s --check-prefix=MISSING
// RUN: nvvm-opt -p 'simplifycfg,globaldce,nvopt<O2>' --print-pipeline-passes | filecheck %s --check-prefix=PRINT
// RUN: not nvvm-opt %s -p 'mem2reg,simplifcfg' 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not nvvm-opt %s -p 'function(dce,globaldce)' 2>&1 | filecheck %s --check-prefix=LEVEL
// RUN: nvvm-opt -O3 --explain-pipeline | filecheck %s --check-prefix=EXPLAIN
// RUN: not nvvm-opt -p mem2reg --explain-pipeline 2>&1 | filecheck %s --check-prefix=NO-LEVEL
// RUN: not nvvm-opt %s -p 'attributor-light' 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: not nvvm-opt %s -O2 -p dce 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: not nvvm-opt %s -Ofast-compile=fast 2>&1 | filecheck %s --check-prefix=FAST
// RUN: not nvvm-opt %s -O1 -opt '-do-lcm=0' 2>&1 | filecheck %s --check-prefix=OPT
// RUN: nvvm-opt %s -O0 | filecheck %s --check-prefix=O0
// RUN: nvvm-opt %s -O1 --verify-each | filecheck %s --check-prefix=O1
// RUN: nvvm-opt %s -Ofc=max --verify-each | filecheck %s --check-prefix=O1
// RUN: nvvm-opt %s -Ofast-compile=mid --verify-each | filecheck %s --check-prefix=O1
// RUN: nvvm-opt %s -p 'default<Ofcmin>' --verify-each | filecheck %s --check-prefix=O1
// RUN: nvvm-opt %s -Ofast-compile=0 -p 'mem2reg' | filecheck %s --check-prefix=MEM2REG
// RUN: nvvm-opt %s -p mem2reg --time-passes 2>&1 | filecheck %s --check-prefix=TIME
// RUN: nvvm-opt %s -p 'mem2reg,dce' --opt-bisect-limit=1 2>&1 | filecheck %s --check-prefix=BISECT
// RUN: nvvm-opt %s -p 'mem2reg,dce' --print-changed=diff 2>&1 | filecheck %s --check-prefix=DIFF

// LIST:      Module passes ({{[0-9]+}} of about 95 documented):
// LIST:        globaldce: Erases internal functions and globals
// LIST:      Function analyses ({{[0-9]+}} of about 65 documented):
// LIST:        domtree
// LIST:        rpa [RegisterPressureAnalysis]
// LIST:      Function passes ({{[0-9]+}} of about 185 documented):
// LIST:        simplifycfg<bonus-inst-threshold=1;

// MISSING: no documented pass is missing

// PRINT: function(simplifycfg<bonus-inst-threshold=1;phi-node-folding-threshold=4;{{.*}}>),globaldce,module(soften-fp128,nvvm-pretreat,function(nvvm-intr-range),

// EXPLAIN:      nvopt<O3>
// EXPLAIN-NEXT:   preparation       soften-fp128 {{ +}}runs
// EXPLAIN-NEXT:   preparation       nvvm-pretreat {{ +}}runs
// EXPLAIN:        tier 0            devirt<1>(inline,globaldce,{{.*}}...  runs
// EXPLAIN:        tier 1            (all) {{ +}}off     disabled by opts[3528] at this level
// EXPLAIN:        tier 3            sccp {{ +}}runs    guard advanced-group&&!no-sccp
// EXPLAIN:        tier 3            gvn-hoist {{ +}}off     opts[3080] is off (-enable-llvm-gvn-hoist=0)
// EXPLAIN:        tier 3            break-crit-edges {{ +}}off     opts[520] is on (-disable-break-critical-edges=1)
// EXPLAIN:        {{[0-9]+}} passes run, {{[0-9]+}} are disabled, {{[0-9]+}} are not implemented
// NO-LEVEL: error: --explain-pipeline requires a level, such as -O3 or -p 'nvopt<O2>'

// UNKNOWN:      pipeline:1:9: error: unknown pass 'simplifcfg'; did you mean 'simplifycfg'
// UNKNOWN-NEXT: mem2reg,simplifcfg
// UNKNOWN-NEXT:         ^
// LEVEL:        pipeline:1:14: error: unknown function pass 'globaldce': it is a module pass
// ABSENT:       error: the pass 'attributor-light' is documented but not implemented
// BOTH:         error: Cannot specify -O#/-Ofast-compile=<min,mid,max> and --passes=/--foo-pass, use -passes='default<O#>,other-pass' or -passes='default<Ofcmax>,other-pass'
// FAST:         error: libnvvm : error: -Ofast-compile called with unsupported level, only supports 0, min, mid, or max
// OPT:          error: -opt: unknown option '-do-lcm'; did you mean 'do-licm'

// O0:      llvm.alloca
// O1-NOT:  llvm.alloca
// O1:      llvm.return %x
// MEM2REG: llvm.return %x
// TIME:    Pass execution timing report
// TIME:    1  mem2reg
// BISECT:  BISECT: running pass (1) mem2reg on f
// BISECT:  BISECT: NOT running pass (2) dce on f
// DIFF:    *** IR Dump After mem2reg on f ***
// DIFF:    -  %slot = llvm.alloca
// DIFF:    *** IR Dump After dce on f ***
llvm.func @f(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  %y = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %y : i32
}
