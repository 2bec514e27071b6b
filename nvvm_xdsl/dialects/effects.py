"""Side effects of ops of the llvm and nvvm dialects.

`effects(op)` is a set of flags, determined by the op's class and, for some classes, by its
properties: a volatile load, a call with memory effects, an intrinsic without an op. An op of an
unknown class has all effects.

The facts are those of LLVM's intrinsic definitions (`nvvm/intrinsics.txt`), of MLIR's traits,
and of the PTX ISA for the nvvm ops without an intrinsic.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Operation
from xdsl.traits import NoMemoryEffect

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.llvm.accessors import (
    has_assembly_effects,
    int_property,
    int_value,
    intrinsic_name,
    memory_effects_of,
)
from nvvm_xdsl.dialects.llvm.orderings import MONOTONIC
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic

READS = 1
"""The op's effects or results may depend on memory that loads and stores access."""
WRITES = 2
"""The op may change such memory, or make other threads' changes visible."""
CONVERGENT = 4
"""The set of threads that execute the op together matters: no control dependences may be added."""
STATE = 8
"""The op uses state that no load or store accesses: such ops keep their order and number."""
UNSPECULATABLE = 16
"""The op may trap or be undefined, so it must not be speculated."""
MAY_NOT_RETURN = 32
"""The ops after the op may never execute."""
ARGUMENTS_ONLY = 64
"""The op only accesses memory that its pointer operands point into."""
ALLOCATES = 128
"""Each execution yields distinct memory: two such ops are never equal."""

EVERYTHING = READS | WRITES | CONVERGENT | STATE | UNSPECULATABLE | MAY_NOT_RETURN
"""The effects of a call of an unknown function."""

NOT_CONVERGENT = "nvvm.noconvergent"
"""Discardable attribute of a call that reaches no convergent op. A call without it is convergent,
with or without LLVM's `convergent`."""

NODUPLICATE = "noduplicate"
"""Discardable attribute of a call or inline assembly that must not be copied within its function. A call
has it if LLVM's `noduplicate` is on the call or on its callee."""

COLD = "cold"
"""Discardable attribute of a call that is rarely executed (LLVM's attribute of call sites)."""

BLOCKS_REMOVAL = WRITES | STATE | MAY_NOT_RETURN
"""Flags of an op that must stay even if its results are unused."""

_SYNCHRONIZES = READS | WRITES | CONVERGENT | STATE | UNSPECULATABLE
_MEMORY = READS | WRITES | UNSPECULATABLE

_WARP_INSTRUCTIONS = re.compile(
    r"\b(?:bar|barrier|shfl|vote|match|redux|elect|activemask|mma|wmma|wgmma|ldmatrix|stmatrix|"
    r"movmatrix|tcgen05|setmaxnreg|call)\b|\.aligned\b"
)


@lru_cache(1 << 10)
def inline_assembly_is_convergent(text: str) -> bool:
    """Returns True if inline assembly contains a convergent instruction or a call."""
    return _WARP_INSTRUCTIONS.search(text) is not None


_ENDS_THREAD = re.compile(r"(?:^|[;{}:\n]|@!?[%$\w]+)\s*(?:exit|trap|ret)(?:\.uni)?\s*;")


@lru_cache(1 << 10)
def inline_assembly_may_end_thread(text: str) -> bool:
    """Returns True if inline assembly contains an instruction after which the thread does not
    continue: `exit`, `trap` or `ret`."""
    return _ENDS_THREAD.search(text) is not None


_NVVM_RULES: tuple[tuple[str, int], ...] = (
    ("read.ptx.sreg.", 0),
    ("convert.", 0),
    ("dot.accumulate.", 0),
    ("prmt", 0),
    ("rcp.", 0),
    ("mapa", 0),
    ("tcgen05.mma_smem_desc", 0),
    ("clusterlaunchcontrol.query.cancel", 0),
    ("shfl.sync", CONVERGENT | STATE | UNSPECULATABLE),
    ("vote.sync", CONVERGENT | STATE | UNSPECULATABLE),
    ("match.sync", CONVERGENT | STATE | UNSPECULATABLE),
    ("redux.sync", CONVERGENT | STATE | UNSPECULATABLE),
    ("elect.sync", CONVERGENT | STATE | UNSPECULATABLE),
    ("mma.", CONVERGENT | UNSPECULATABLE),
    ("wmma.mma", CONVERGENT | UNSPECULATABLE),
    ("wmma.load", READS | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE),
    ("wmma.store", WRITES | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE),
    ("ldmatrix", READS | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE),
    ("stmatrix", WRITES | ARGUMENTS_ONLY | CONVERGENT | UNSPECULATABLE),
    ("bar", _SYNCHRONIZES),
    ("cluster", _SYNCHRONIZES),
    ("wgmma.", _SYNCHRONIZES),
    ("tcgen05.", _SYNCHRONIZES),
    ("setmaxregister", _SYNCHRONIZES),
    ("griddepcontrol", _SYNCHRONIZES),
    ("exit", EVERYTHING & ~CONVERGENT),
    ("breakpoint", STATE | UNSPECULATABLE),
    ("nanosleep", STATE),
    ("pmevent", STATE),
    ("prefetch", STATE | UNSPECULATABLE),
    ("st.bulk", WRITES | ARGUMENTS_ONLY | UNSPECULATABLE),
    ("inline_ptx", _SYNCHRONIZES),
    ("", _MEMORY | STATE),
)
"""By prefix of the op's name after `nvvm.`; the first match is used."""

_VOLATILE_REGISTERS = re.compile(r"clock|globaltimer|pm\d|smid|warpid")

_LLVM_RULES: dict[str, int] = {
    "alloca": ALLOCATES | STATE,
    "fence": _SYNCHRONIZES & ~CONVERGENT,
    "va_arg": _MEMORY,
    "intr.vacopy": _MEMORY | ARGUMENTS_ONLY,
    "intr.vaend": _MEMORY | ARGUMENTS_ONLY,
    "intr.vastart": _MEMORY | ARGUMENTS_ONLY,
    "landingpad": STATE,
    "resume": EVERYTHING & ~CONVERGENT,
    "unreachable": UNSPECULATABLE,
    "return": 0,
    "switch": 0,
    "indirectbr": 0,
    "br": 0,
    "cond_br": 0,
    "blocktag": STATE,
    "invoke": EVERYTHING,
    "sdiv": UNSPECULATABLE,
    "udiv": UNSPECULATABLE,
    "srem": UNSPECULATABLE,
    "urem": UNSPECULATABLE,
    "intr.assume": STATE | UNSPECULATABLE,
    "intr.trap": STATE | UNSPECULATABLE | MAY_NOT_RETURN,
    "intr.ubsantrap": STATE | UNSPECULATABLE | MAY_NOT_RETURN,
    "intr.debugtrap": STATE | UNSPECULATABLE,
    "intr.masked.load": READS | ARGUMENTS_ONLY | UNSPECULATABLE,
    "intr.masked.gather": READS | UNSPECULATABLE,
    "intr.masked.expandload": READS | ARGUMENTS_ONLY | UNSPECULATABLE,
    "intr.masked.store": WRITES | ARGUMENTS_ONLY | UNSPECULATABLE,
    "intr.masked.scatter": WRITES | UNSPECULATABLE,
    "intr.masked.compressstore": WRITES | ARGUMENTS_ONLY | UNSPECULATABLE,
    "intr.lifetime.start": WRITES | ARGUMENTS_ONLY | STATE,
    "intr.lifetime.end": WRITES | ARGUMENTS_ONLY | STATE,
    "intr.invariant.start": WRITES | ARGUMENTS_ONLY | STATE,
    "intr.invariant.end": WRITES | ARGUMENTS_ONLY | STATE,
    "intr.experimental.noalias.scope.decl": STATE,
    "intr.stacksave": STATE,
    "intr.stackrestore": STATE | WRITES,
    "intr.dbg.declare": STATE,
    "intr.dbg.label": STATE,
    "intr.dbg.value": STATE,
    "intr.prefetch": STATE,
    "intr.abs": 0,
    "intr.ctlz": 0,
    "intr.cttz": 0,
    "intr.expect": 0,
    "intr.expect.with.probability": 0,
    "intr.ssa.copy": 0,
    "intr.is.constant": 0,
    "intr.launder.invariant.group": STATE,
    "intr.strip.invariant.group": 0,
    "intr.threadlocal.address": 0,
    "mlir.none": 0,
}


def _load(op: Operation) -> int:
    properties = op.properties
    if "volatile_" in properties:
        return _MEMORY | STATE
    if int_value(properties.get("ordering")) > MONOTONIC:
        return _MEMORY | STATE
    if int_value(properties.get("ordering")):
        return READS | WRITES | ARGUMENTS_ONLY | UNSPECULATABLE
    return READS | ARGUMENTS_ONLY | UNSPECULATABLE


def _store(op: Operation) -> int:
    properties = op.properties
    if "volatile_" in properties or int_value(properties.get("ordering")) > MONOTONIC:
        return _MEMORY | STATE
    return WRITES | ARGUMENTS_ONLY | UNSPECULATABLE


_ORDERINGS = ("ordering", "success_ordering", "failure_ordering")


def _atomic(op: Operation) -> int:
    properties = op.properties
    if "volatile_" in properties or any(
        int_value(properties.get(name)) > MONOTONIC for name in _ORDERINGS
    ):
        return _MEMORY | STATE
    return _MEMORY | ARGUMENTS_ONLY


def _copy(op: Operation) -> int:
    if int_property(op, "isVolatile"):
        return _MEMORY | STATE
    reads = 0 if "memset" in op.name else READS
    return reads | WRITES | ARGUMENTS_ONLY | UNSPECULATABLE


def _inline_assembly(op: Operation) -> int:
    text = op.properties.get("asm_string")
    constraints = op.properties.get("constraints")
    found = 0
    if has_assembly_effects(op):
        found = READS | WRITES | STATE | UNSPECULATABLE
    if isinstance(constraints, StringAttr) and (
        "memory" in constraints.data or "*" in constraints.data
    ):
        found |= READS | WRITES | UNSPECULATABLE
    code = text.data if isinstance(text, StringAttr) else ""
    if "convergent" in op.attributes or inline_assembly_is_convergent(code):
        found |= CONVERGENT | UNSPECULATABLE
    if inline_assembly_may_end_thread(code):
        found |= EVERYTHING & ~CONVERGENT
    return found


@lru_cache(1 << 8)
def memory_effects_flags(attr: MemoryEffectsAttr) -> int:
    """The flags of a function or call with these memory effects."""

    def kind(name: str) -> str:
        value = attr.field(name)
        return value.data if isinstance(value, StringAttr) else "readwrite"

    found = 0
    for name in ("other", "argMem", "errnoMem", "targetMem0", "targetMem1"):
        if "read" in kind(name):
            found |= READS
        if "write" in kind(name):
            found |= WRITES
    if kind("inaccessibleMem") != "none":
        found |= STATE
    if found & (READS | WRITES) and kind("other") == "none":
        found |= ARGUMENTS_ONLY
    return found


def with_arguments_as_other_memory(attr: MemoryEffectsAttr) -> MemoryEffectsAttr:
    """The memory effects if accesses through pointer arguments are accesses to other memory, too.

    They hold for a function after a pointer argument was replaced by an address that all its
    callers pass.
    """
    return _extended(attr, "other", "argMem")


def with_other_memory_as_arguments(attr: MemoryEffectsAttr) -> MemoryEffectsAttr:
    """The memory effects if accesses to other memory are accesses through pointer arguments, too.

    They hold for a function after a loaded pointer became an argument.
    """
    return _extended(attr, "argMem", "other")


def _extended(attr: MemoryEffectsAttr, to: str, source: str) -> MemoryEffectsAttr:
    """Adds the accesses to one kind of memory to those of another kind."""
    accesses: dict[str, str] = {}
    for field, value in zip(attr.FIELDS, attr.parameters):
        accesses[field.name] = value.data if isinstance(value, StringAttr) else "readwrite"
    both = accesses[to] + accesses[source]
    accesses[to] = "".join(word for word in ("read", "write") if word in both) or "none"
    return MemoryEffectsAttr.of(**accesses)


def _attributed(op: Operation, name: str) -> bool:
    return isinstance(op.properties.get(name, op.attributes.get(name)), UnitAttr)


def _call(op: Operation) -> int:
    effects = memory_effects_of(op)
    found = UNSPECULATABLE
    if NOT_CONVERGENT not in op.attributes:
        found |= CONVERGENT
    if isinstance(effects, MemoryEffectsAttr):
        found |= memory_effects_flags(effects)
    else:
        found |= READS | WRITES | STATE
    if not _attributed(op, "will_return"):
        found |= MAY_NOT_RETURN
    return found


_BY_LETTER = {"r": READS, "w": WRITES, "c": CONVERGENT, "e": STATE, "x": MAY_NOT_RETURN}


@cache
def _intrinsic_flags(letters: str) -> int:
    found = 0 if "s" in letters else UNSPECULATABLE
    for letter in letters:
        found |= _BY_LETTER.get(letter, 0)
    if "n" in letters:
        return found
    if "i" in letters:
        return (found & ~(READS | WRITES)) | STATE
    if not found & (READS | WRITES):
        found |= READS | WRITES
    if "a" in letters:
        found |= ARGUMENTS_ONLY
    if "b" in letters:
        found |= ARGUMENTS_ONLY | STATE
    if "c" in letters and found & WRITES and not found & ARGUMENTS_ONLY:
        found |= STATE
    return found


def _call_intrinsic(op: Operation) -> int:
    intrinsic = find_intrinsic(intrinsic_name(op))
    return EVERYTHING if intrinsic is None else _intrinsic_flags(intrinsic.properties)


_BY_PROPERTIES: dict[str, Callable[[Operation], int]] = {
    "load": _load,
    "store": _store,
    "atomicrmw": _atomic,
    "cmpxchg": _atomic,
    "inline_asm": _inline_assembly,
    "call": _call,
    "call_intrinsic": _call_intrinsic,
    "intr.memcpy": _copy,
    "intr.memcpy.inline": _copy,
    "intr.memmove": _copy,
    "intr.memset": _copy,
    "intr.memset.inline": _copy,
}


def _llvm_class(cls: type[Operation]) -> int | Callable[[Operation], int]:
    name = cls.name.removeprefix("llvm.")
    if name in _BY_PROPERTIES:
        return _BY_PROPERTIES[name]
    if name in _LLVM_RULES:
        return _LLVM_RULES[name]
    if any(isinstance(trait, NoMemoryEffect) for trait in cls.traits.traits):
        return 0
    if name.startswith("intr."):
        intrinsic = find_intrinsic("llvm." + name.removeprefix("intr."))
        if intrinsic is not None:
            return _intrinsic_flags(intrinsic.properties)
    return EVERYTHING


def _nvvm_class(cls: type[Operation]) -> int:
    name = cls.name.removeprefix("nvvm.")
    if name.startswith("read.ptx.sreg.") and _VOLATILE_REGISTERS.search(name):
        return STATE
    return next(flags for start, flags in _NVVM_RULES if name.startswith(start))


@cache
def effects_table() -> dict[type[Operation], int | Callable[[Operation], int]]:
    """The flags of each op class, or the function that computes them for one op; passes may read
    it."""
    found: dict[type[Operation], int | Callable[[Operation], int]] = {
        cls: _llvm_class(cls) for cls in LLVM.operations
    }
    found |= {cls: _nvvm_class(cls) for cls in NVVM.operations}
    return found


_known: dict[type[Operation], int | Callable[[Operation], int]] = {}
"""The requested rows of the table, and those of ops without a row."""


def effects(op: Operation) -> int:
    """The flags of an op."""
    try:
        found = _known[type(op)]
    except KeyError:
        found = _known[type(op)] = effects_table().get(type(op), EVERYTHING)
    return found if isinstance(found, int) else found(op)


def is_noduplicate(op: Operation) -> bool:
    """Returns True if the op must not be copied within its function."""
    return NODUPLICATE in op.attributes


def is_pure(op: Operation) -> bool:
    """Returns True if the op has no effects and its results depend only on its operands.

    It may still be undefined for some operands: see `UNSPECULATABLE`.
    """
    return not effects(op) & ~UNSPECULATABLE


def is_removable(op: Operation) -> bool:
    """Returns True if the op may be erased if its results are unused. Terminators may not."""
    if op.successors or type(op) in _TERMINATORS:
        return False
    return not effects(op) & BLOCKS_REMOVAL or type(op) is llvm.AllocaOp


_TERMINATORS: frozenset[type[Operation]] = frozenset({llvm.ReturnOp, llvm.UnreachableOp})
