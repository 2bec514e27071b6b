"""Classes of the instructions that an op represents (`profile.CLASSES`).

An op of machine code represents the PTX instructions that it prints: none for a register
    declaration, a pragma, or a branch to the next block. A call includes the instructions that
    store its arguments and load its result. Constants of the IR do not count, because they are
    operands in LLVM.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import int_value
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvptx import BraOp, CallOp, InlineAsmOp, InstructionOp
from nvvm_xdsl.dialects.nvptx.instructions import PTX_COUNT
from nvvm_xdsl.dialects.ptx.statements import Kind, StatementError, statements, without_comments
from nvvm_xdsl.dialects.sass.ops import InstructionOp as MachineInstructionOp
from nvvm_xdsl.ir import fast, nvptx

_NO_INSTRUCTION: Final = frozenset(
    "nvptx.pragma nvptx.local nvptx.register nvptx.undef nvptx.unreachable nvptx.debug_value "
    "llvm.mlir.constant llvm.mlir.zero llvm.mlir.undef llvm.mlir.poison llvm.mlir.addressof "
    "llvm.mlir.none llvm.intr.dbg.value llvm.intr.dbg.declare llvm.intr.dbg.label".split()
)

_BRANCHES: Final = frozenset(
    "nvptx.bra nvptx.cbra nvptx.brx nvptx.call nvptx.ret nvptx.exit nvptx.trap nvptx.brkpt "
    "llvm.br llvm.cond_br llvm.switch llvm.indirectbr llvm.call llvm.invoke llvm.return "
    "llvm.resume llvm.unreachable nvvm.exit nvvm.breakpoint".split()
)

_MNEMONICS: Final[dict[str, str]] = {
    mnemonic: name
    for name, mnemonics in {
        "conversion": "cvt cvta szext",
        "special function": "ex2 lg2 sin cos rcp sqrt rsqrt tanh",
        "move": "mov mapa getctarank isspacep istypep createpolicy stacksave stackrestore alloca",
        "barrier": "bar barrier membar fence mbarrier griddepcontrol clusterlaunchcontrol",
        "warp": "shfl vote match redux activemask elect",
        "matrix": "mma wmma wgmma ldmatrix stmatrix movmatrix tcgen05",
        "texture": "tex tld4 txq suq suld sust sured",
        "asynchronous": "cp st.async st.bulk red.async multimem tensormap",
        "other": "nanosleep pmevent setmaxnreg prefetch prefetchu applypriority discard",
    }.items()
    for mnemonic in mnemonics.split()
}
"""Classes by the first component of an opcode, or its first two; other opcodes are arithmetic."""

_MEMORY: Final = frozenset({"ld", "ldu", "st", "atom", "red"})

_SPACES: Final = {
    "global": "global",
    "shared": "shared",
    "shared::cta": "shared",
    "shared::cluster": "shared",
    "local": "local",
    "const": "constant",
    "param": "param",
    "param::entry": "param",
    "param::func": "param",
}

_SPACE_NUMBERS: Final = {
    nvptx.GENERIC: "generic",
    nvptx.GLOBAL: "global",
    nvptx.SHARED: "shared",
    nvptx.CONSTANT: "constant",
    nvptx.LOCAL: "local",
    nvptx.SHARED_CLUSTER: "shared",
    nvptx.PARAM: "param",
}

_IR_CONVERSIONS: Final = frozenset(
    f"llvm.{name}"
    for name in "trunc zext sext fptrunc fpext fptosi fptoui sitofp uitofp addrspacecast".split()
)

_IR_MOVES: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "alloca bitcast ptrtoint inttoptr freeze extractvalue insertvalue extractelement "
        "insertelement shufflevector"
    ).split()
)

_IR_MEMORY: Final = {"llvm.load": 0, "llvm.store": 1, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0}
"""The memory ops of the IR and the index of their pointer operand."""


def instruction_classes(op: Operation) -> tuple[str, ...]:
    """The class of each instruction that an op represents."""
    if op.name in _NO_INSTRUCTION:
        return ()
    if isinstance(op, MachineInstructionOp):
        return (_machine_class(op.mnemonic),)
    if isinstance(op, CallOp):
        return ("branch", *("param",) * (op.ptx_count - 1))[: op.ptx_count]
    stated = op.attributes.get(PTX_COUNT)
    if stated is not None:
        return (_class_of(op),) * int_value(stated)
    if isinstance(op, BraOp) and _falls_through(op):
        return ()
    if isinstance(op, InlineAsmOp):
        return _text_classes(op.template)
    return (_class_of(op),)


def _falls_through(op: BraOp) -> bool:
    block = op.parent
    return block is not None and fast.successors_of(op)[0] is block.next_block


def _class_of(op: Operation) -> str:
    name = op.name
    if name in _BRANCHES:
        return "branch"
    if isinstance(op, InstructionOp):
        return _opcode_class([*op.mnemonic.split("."), *op.mods.split(".")])
    if name.startswith("nvptx."):
        return "move" if name == "nvptx.mov.sreg" else "other"
    return _ir_class(op)


@lru_cache(maxsize=256)
def _text_classes(text: str) -> tuple[str, ...]:
    """The classes of the instructions of inline assembly; one class for unreadable text."""
    try:
        found = [s.head for s in statements(without_comments(text)) if s.kind is Kind.INSTRUCTION]
    except StatementError:
        return ("other",)
    return tuple(_opcode_class(opcode.split(".")) for opcode in found)


def _opcode_class(words: Sequence[str]) -> str:
    if words[0] in ("bra", "brx", "call", "ret", "exit", "trap", "brkpt"):
        return "branch"
    found = _MNEMONICS.get(".".join(words[:2])) or _MNEMONICS.get(words[0])
    if found is not None:
        return found
    if words[0] in _MEMORY:
        return next((_SPACES[w] for w in words if w in _SPACES), "generic")
    return "arithmetic"


_MACHINE_CLASSES: Final[dict[str, str]] = {
    mnemonic: name
    for name, mnemonics in {
        "branch": "BRA BRX JMP CALL RET EXIT BPT BREAK",
        "barrier": "BAR BSSY BSYNC BMOV WARPSYNC MEMBAR ERRBAR CGAERRBAR FENCE DEPBAR NANOSLEEP YIELD",
        "warp": "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT",
        "special function": "MUFU",
        "conversion": "F2F F2I I2F I2FP F2FP FRND F2IP",
        "move": "MOV UMOV S2R S2UR CS2R R2UR P2R R2P LEPC SEL FSEL USEL",
        "global": "LDG STG ATOMG REDG LDGSTS",
        "shared": "LDS STS ATOMS LDSM STSM REDS",
        "local": "LDL STL",
        "constant": "LDC ULDC LDCU",
        "generic": "LD ST ATOM RED",
        "matrix": "HMMA IMMA DMMA QMMA BMMA",
        "other": "NOP CCTL CCTLL QSPC",
    }.items()
    for mnemonic in mnemonics.split()
}
"""Classes by the mnemonic of a machine instruction; others are arithmetic."""


def _machine_class(mnemonic: str) -> str:
    return _MACHINE_CLASSES.get(mnemonic, "arithmetic")


def _ir_class(op: Operation) -> str:
    name = op.name
    pointer = _IR_MEMORY.get(name)
    if pointer is not None:
        type_ = fast.operands_of(op)[pointer].type
        space = address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0
        return _SPACE_NUMBERS.get(space, "generic")
    if name in _IR_CONVERSIONS:
        return "conversion"
    if name in _IR_MOVES or name.startswith("nvvm.read.ptx.sreg"):
        return "move"
    if name == "llvm.fence":
        return "barrier"
    if name.startswith("nvvm."):
        return _MNEMONICS.get(name.split(".")[1], "other")
    if name in ("llvm.call_intrinsic", "llvm.inline_asm"):
        return "other"
    return "arithmetic"
