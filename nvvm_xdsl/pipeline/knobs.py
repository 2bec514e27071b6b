"""The names of knobs in `-opt`, and the parser of its text.

`-opt "-do-licm=0 -remat-max-live-limit=50 -dump-remat"` is a list of `-name` and `-name=value`.
The names are those of the documents: the optimizer's toggles, parametric knobs and dump flags
with the names of its slots, and the knobs of the documented passes.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.pipeline.options import (
    BOOL,
    INTEGER,
    TIER_THRESHOLDS,
    PassOptions,
    Slot,
    is_true,
    slot_at,
    slots_by_knob,
)

BOOLEAN_KIND, INTEGER_KIND, TEXT_KIND = "bool", "int", "text"

OPTIMIZER_TOGGLES = """\
do-ip-msp | Enable inter-procedural memory space propagation
do-licm | Enable LICM (loop-invariant code motion)
do-remat | Enable NVVMRematerialization
do-clone-for-ip-msp | Enable function cloning for IPMSP
do-cssa | Enable Conventional SSA construction
do-scev-cgp | Enable SCEV-based CodeGenPrepare
do-function-scev-cgp | Enable function-level SCEV-CGP
do-scev-cgp-aggresively | Aggressive SCEV-CGP mode [sic]
do-base-address-strength-reduce | Enable base address strength reduction
do-base-address-strength-reduce-chain | Enable chained base address SR
do-comdat-renaming | Enable COMDAT group renaming
do-counter-promotion | Enable counter promotion
do-lsr-64-bit | Enable 64-bit loop strength reduction
do-sign-ext-expand | Enable sign extension expansion
do-sign-ext-simplify | Enable sign extension simplification
"""

OPTIMIZER_PARAMETERS = """\
remat-for-occ | Rematerialization occupancy target
remat-gep-cost | GEP rematerialization cost
remat-ignore-single-cost | Skip single-use cost analysis
remat-lli-factor | Live-interval factor
remat-load-param | Parameter load remat policy
remat-loop-trip | Loop trip count for remat decisions
remat-max-live-limit | Maximum live variable count
remat-maxreg-ceiling | Register ceiling for remat
remat-move | Rematerialization move policy
remat-single-cost-limit | Single-value cost limit
remat-use-limit | Use count limit for remat
branch-dist-block-limit | Block count limit for branch distribution
branch-dist-func-limit | Function-level branch dist limit
branch-dist-norm | Normalization factor
scev-cgp-check-latency | Latency check threshold
scev-cgp-control | CGP control mode
scev-cgp-cross-block-limit | Cross-block analysis limit
scev-cgp-idom-level-limit | Immediate dominator depth limit
scev-cgp-inst-limit | Instruction count limit
scev-cgp-norm | Normalization factor
scev-cgp-old-base | Legacy base address mode
scev-cgp-tid-max-value | Thread ID maximum value
base-address-strength-reduce-iv-limit | IV count limit for base addr SR
base-address-strength-reduce-max-iv | Maximum IV for base addr SR
cssa-coalesce | CSSA coalescing mode
cssa-verbosity | CSSA debug verbosity
"""

OPTIMIZER_DUMPS = """\
dump-ip-msp | Dump IPMSP analysis results
dump-ir-before-memory-space-opt | Dump IR before MemorySpaceOpt
dump-ir-after-memory-space-opt | Dump IR after MemorySpaceOpt
dump-memory-space-warnings | Dump address space warnings
dump-remat | Dump rematerialization decisions
dump-remat-add | Dump remat additions
dump-remat-iv | Dump remat induction variables
dump-remat-load | Dump remat load decisions
dump-branch-dist | Dump branch distribution analysis
dump-scev-cgp | Dump SCEV-CGP analysis
dump-base-address-strength-reduce | Dump base address SR
dump-sink2 | Dump Sinking2 pass output
dump-before-cssa | Dump IR before CSSA
dump-phi-remove | Dump PHI node removal
dump-normalize-gep | Dump GEP normalization
dump-simplify-live-out | Dump live-out simplification
dump-process-restrict | Dump restrict processing
dump-process-builtin-assume | Dump builtin assume processing
dump-conv-dot | Dump convergence as DOT graph
dump-conv-func | Dump convergence per function
dump-conv-text | Dump convergence as text
dump-nvvmir | Dump NVVM IR
dump-va | Dump value analysis
"""

PASS_KNOBS = """\
nvvm-verify | text | unset | 000 nvvm-verify
disable-branch-fold | bool | false | 001 branch-folder
enable-tail-merge | bool | unset | 001 branch-folder
tail-merge-threshold | int | 150 | 001 branch-folder
tail-merge-size | int | 3 | 001 branch-folder
branch-fold-placement | bool | true | 001 block-placement
ifcvt-branch-fold | bool | true | 001 if-converter
disable-nvptx-require-structured-cfg | bool | false | 001 branch-folder
globalopt-max-bits | int | 2047 | 002 globalopt
globalopt-max-sra-fields | int | 16 | 002 globalopt
globalopt-disable-sra | bool | false | 002 globalopt
forget-scev-loop-unroll | bool | true | 003 scalar-evolution
verify-scev | bool | false | 003 scalar-evolution
verify-scev-strict | bool | false | 003 scalar-evolution
verify-scev-maps | bool | false | 003 scalar-evolution
scalar-evolution-max-iterations | int | 100 | 003 scalar-evolution
scalar-evolution-max-scev-compare-depth | int | 32 | 003 scalar-evolution
scalar-evolution-max-arith-depth | int | 32 | 003 scalar-evolution
scalar-evolution-max-ext-depth | int | 8 | 003 scalar-evolution
scalar-evolution-max-cast-depth | int | 8 | 003 scalar-evolution
scalar-evolution-max-constant-evolving-depth | int | 32 | 003 scalar-evolution
scalar-evolution-max-expr-size | int | 384 | 003 scalar-evolution
scalar-evolution-max-expr-failures | int | 100 | 003 scalar-evolution
scalar-evolution-max-scev-operations-implication-depth | int | 2 | 003 scalar-evolution
scalar-evolution-max-value-compare-depth | int | 2 | 003 scalar-evolution
aggressive-positive-stride-analysis | bool | false | 003 scalar-evolution
track-trip-count-more | bool | false | 003 scalar-evolution
scev-mulops-inline-threshold | int | 32 | 003 scalar-evolution
scev-addops-inline-threshold | int | 500 | 003 scalar-evolution
delinearize-use-fixed-size-array-heuristic | bool | false | 003 scalar-evolution
da-delinearize | bool | true | 003 scalar-evolution
da-miv-max-level-threshold | int | 7 | 003 scalar-evolution
da-disable-delinearization-checks | bool | false | 003 scalar-evolution
max-exit-analysis-depth | int | 2 | 003 scalar-evolution
delinearize | bool | true | 003 scalar-evolution
delinearize-max-iterations | int | 8 | 003 scalar-evolution
delinearize-expand-sums | bool | true | 003 scalar-evolution
delinearize-launch-sizes | bool | true | 003 scalar-evolution
delinearize-partial-terms | bool | true | 003 scalar-evolution
jump-threading-threshold | int | 6 | 004 jump-threading
jump-threading-implication-search-threshold | int | 3 | 004 jump-threading
jump-threading-phi-threshold | int | 76 | 004 jump-threading
jump-threading-across-loop-headers | bool | false | 004 jump-threading
jump-threading-disable-select-unfolding | bool | false | 004 jump-threading
print-lvi-after-jump-threading | bool | false | 004 jump-threading
dfa-jump-view-cfg-before | bool | false | 004 dfa-jump-threading
dfa-early-exit-heuristic | bool | true | 004 dfa-jump-threading
param-always-point-to-global | bool | true | sister memory-space-opt
process-alloca-always | bool | true | sister memory-space-opt
track-indir-load | bool | true | sister memory-space-opt
track-int2ptr | bool | true | sister memory-space-opt
devicefn-param-always-local | bool | true | sister memory-space-opt
process-builtin-assume | bool | true | sister memory-space-opt
lsr-check-rp | bool | true | sister loop-reduce
lsr-rp-limit | int | 64 | sister loop-reduce
lsr-loop-level | int | 0 | sister loop-reduce
lsr-skip-outer-loop | bool | false | sister loop-reduce
lsr-sxtopt | bool | true | sister loop-reduce
disable-unknown-trip-lsr | bool | false | sister loop-reduce
disable-lsr-for-sharedmem32-ptr | bool | false | sister loop-reduce
disable-lsr-complexity-discount | bool | false | sister loop-reduce
filter-bad-formula | bool | true | sister loop-reduce
max-aggr-copy-size | int | 128 | sister lower-aggr-copies
lower-aggr-unrolled-stores-limit | int | 16 | sister lower-aggr-copies
large-aggr-store-limit | int | 64 | sister lower-aggr-copies
allow-restrict-in-struct | bool | false | sister process-restrict
apply-multi-level-restrict | bool | false | sister process-restrict
maxrregcount | int | 0 | nvcc remat
cvp-max-functions-per-value | int | 4 | LLVM called-value-propagation
whole-program-visibility | bool | false | LLVM called-value-propagation set-global-array-alignment
no-remat | text |  | sister remat
remat-iv | int | 4 | sister remat
remat-add | int | 0 | sister remat
remat-load | bool | true | sister remat
simplify-live-out | int | 2 | sister remat
nv-remat-block | int | 14 | sister nvptx-remat-block
nv-remat-max-times | int | 10 | sister nvptx-remat-block
nv-remat-block-single-cost | int | 10 | sister nvptx-remat-block
nv-remat-block-map-size-limit | int | 6 | sister nvptx-remat-block
nv-remat-block-max-cost | int | 100 | sister nvptx-remat-block
nv-remat-block-loop-cost-factor | int | 20 | sister nvptx-remat-block
nv-remat-default-max-reg | int | 70 | sister nvptx-remat-block
nv-remat-block-load-cost | int | 10 | sister nvptx-remat-block
nv-remat-threshold-for-spec-reg | int | 20 | sister nvptx-remat-block
nv-dump-remat-block | bool | false | sister nvptx-remat-block
no-mi-remat | text |  | sister nvptx-remat-block
rp-aware-sink | bool | false | sister sink
load-remat | bool | true | sister nvptx-remat-block
disable-reuse-local-memory | bool | false | cicc stack-coloring reuse-local-memory
"""
"""Knob, type, default, and its document and pass; `sister` is the second description of the options
(docs/deviations.md), and `nvcc`, `cicc` and `LLVM` are options of these programs."""

LEVEL_KNOBS: dict[str, int] = {
    "do-remat": 3,
    "do-base-address-strength-reduce": 2,
    "do-scev-cgp": 2,
    "do-function-scev-cgp": 2,
}
"""Toggles whose value is a level, with the default level; 0 is off (the sister's knobs)."""

PIPELINE_KNOBS = """\
lsa-opt | Optimize copying of struct args to local memory; -Ofast-compile=max forces 0
memory-space-opt | Switch MemorySpaceOpt; -Ofast-compile=max forces 0
enable-nvvm-peephole | Enable NVVM Peephole Optimizer
nvvm-reflect-enable | Enable NVVMReflect
disable-JumpThreadingPass | Leave the JumpThreading pass out
disable-jump-threading | Disable jump threading in SimplifyCFG, for OCG experiments
"""
"""Switches that apply to all occurrences of a pass in the pipelines: `disable-` removes the pass;
the others are on unless set to 0. `disable-jump-threading` is a switch of SimplifyCFG, not of the
JumpThreading pass (004, "Two Disable Flags")."""

ON_DEMAND_KNOBS = """\
basic-dbe | Run the basic dead barrier elimination
normalize-gep | Normalize 64-bit GEP subscripts
enable-dfa-jump-thread | Run DFAJumpThreading behind each JumpThreading
"""
"""Switches of passes that run only if they are set: of the sister's list, and of document 004."""


@dataclass(frozen=True)
class Knob:
    """A knob of `-opt`.

    Arguments:
        name: without the leading `-`.
        kind: `BOOLEAN_KIND`, `INTEGER_KIND` or `TEXT_KIND`.
        default: the default as text; empty if the documents do not state it.
        description: its effect, or its document and pass.
    """

    name: str
    kind: str
    default: str = ""
    description: str = ""


@cache
def knobs() -> Mapping[str, Knob]:
    """All knobs by name."""
    found: dict[str, Knob] = {}
    for name, found_slots in slots_by_knob().items():
        if "*" in name:
            continue
        slot = found_slots[0]
        kind = {BOOL: BOOLEAN_KIND, INTEGER: INTEGER_KIND}.get(slot.type, TEXT_KIND)
        default = str(slot.default != slot.inverted).lower() if slot.type == BOOL else ""
        found[name] = Knob(name, kind, default, slot.consumer)
    for table, kind in (
        (OPTIMIZER_TOGGLES, BOOLEAN_KIND),
        (OPTIMIZER_PARAMETERS, TEXT_KIND),
        (OPTIMIZER_DUMPS, BOOLEAN_KIND),
        (PIPELINE_KNOBS, BOOLEAN_KIND),
        (ON_DEMAND_KNOBS, BOOLEAN_KIND),
    ):
        for line in table.splitlines():
            name, description = (part.strip() for part in line.split("|"))
            default = found[name].default if name in found else ""
            if name in LEVEL_KNOBS:
                found[name] = Knob(name, INTEGER_KIND, str(LEVEL_KNOBS[name]), description)
            else:
                found[name] = Knob(name, kind, default, description)
    for line in PASS_KNOBS.splitlines():
        name, kind, default, owner = (part.strip() for part in line.split("|"))
        found[name] = Knob(name, kind, "" if default == "unset" else default, owner)
    return found


def parse_opt(text: str, options: PassOptions | None = None) -> PassOptions:
    """Reads the text of one `-opt` into options, new ones if none are given.

    Raises DiagnosticError for an unknown name and for text that is not a number.
    """
    if options is None:
        options = PassOptions()
    try:
        words = shlex.split(text)
    except ValueError as e:
        raise DiagnosticError(f"-opt: {e}") from None
    for word in words:
        if not word.startswith("-"):
            raise DiagnosticError(f"-opt: expected '-name' or '-name=value', not '{word}'")
        name, equals, value = word.lstrip("-").partition("=")
        set_knob(options, name, value if equals else "1")
    return options


SLOT_KNOB = "slot"
"""`-slot=OFFSET=VALUE` sets a slot with or without a name."""


def set_knob(options: PassOptions, name: str, value: str) -> None:
    """Sets one knob, or with the name `slot` the slot at an offset. Raises DiagnosticError."""
    if name == SLOT_KNOB:
        _set_numbered_slot(options, value)
        return
    knob = knobs().get(name)
    if knob is None:
        raise DiagnosticError(f"-opt: unknown option '-{name}'" + did_you_mean(name, knobs()))
    if knob.kind == INTEGER_KIND:
        try:
            int(value, 0)
        except ValueError:
            raise DiagnosticError(f"-opt: '-{name}' needs a number, not '{value}'") from None
    set_slots = slots_by_knob().get(name, ())
    if not set_slots or name in LEVEL_KNOBS:
        options.knobs[name] = value
    if name in LEVEL_KNOBS:
        value = str(int(int(value, 0) != 0))
    for slot in set_slots:
        _set_slot(options, slot, value, inverted=slot.inverted)


def _set_slot(options: PassOptions, slot: Slot, value: str, *, inverted: bool = False) -> None:
    """Stores a value in a slot. Raises ValueError for text that is not a 32-bit number."""
    if slot.type == BOOL:
        options[slot.offset] = is_true(value) != inverted
    elif slot.type == INTEGER:
        options[slot.offset] = _int32(value)
    else:
        options[slot.offset] = value


def _int32(text: str) -> int:
    """The value of an integer slot. Raises ValueError for text that is not a 32-bit number."""
    number = int(text, 0)
    if not -(2**31) <= number < 2**31:
        raise ValueError(text)
    return number


def _set_numbered_slot(options: PassOptions, text: str) -> None:
    """Sets the slot that `OFFSET=VALUE` names; without a value it is 1.

    A slot whose knob is a level sets the knob: to 0 if the slot disables the pass, otherwise to the
    default level.
    """
    number, equals, value = text.partition("=")
    value = value if equals else "1"
    try:
        offset = int(number, 0)
        slot = None if offset in TIER_THRESHOLDS else slot_at(offset)
    except (ValueError, KeyError):
        raise DiagnosticError(
            f"-opt: no option slot starts at '{number}'; '-slot=3488=1' sets the one at offset 3488"
        ) from None
    try:
        if slot is None:
            options[offset] = _int32(value)
        elif slot.knob in LEVEL_KNOBS:
            enabled = is_true(value) != slot.inverted
            set_knob(options, slot.knob, str(LEVEL_KNOBS[slot.knob] if enabled else 0))
        else:
            _set_slot(options, slot, value)
    except ValueError:
        raise DiagnosticError(
            f"-opt: the slot at {offset} needs a number of 32 bits, not '{value}'"
        ) from None
