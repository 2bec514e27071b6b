"""Which class of `profile.CLASSES` an op is counted in, of machine code and of the IR."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx import InstructionOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.types import address_space_of

_NO_INSTRUCTION: Final = frozenset(
    {"nvptx.pragma", "nvptx.local", "nvptx.register", "nvptx.undef", "nvptx.unreachable"}
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
"""By the first word of an opcode, or its first two; what is not here calculates."""

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
    0: "generic",
    1: "global",
    3: "shared",
    4: "constant",
    5: "local",
    7: "shared",
    101: "param",
}

_IR_CONVERSIONS: Final = frozenset(
    f"llvm.{name}"
    for name in "trunc zext sext fptrunc fpext fptosi fptoui sitofp uitofp addrspacecast".split()
)

_IR_MOVES: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "mlir.constant mlir.zero mlir.undef mlir.poison mlir.addressof mlir.none alloca bitcast "
        "ptrtoint inttoptr freeze extractvalue insertvalue extractelement insertelement "
        "shufflevector"
    ).split()
)

_IR_MEMORY: Final = {
    "llvm.load": 0,
    "llvm.store": 1,
    "llvm.atomicrmw": 0,
    "llvm.cmpxchg": 0,
}
"""The memory ops of the IR and which of their operands is the pointer."""


def instruction_class(op: Operation) -> str | None:
    """The class of an op; None for one that is no instruction."""
    name = op.name
    if name in _BRANCHES:
        return "branch"
    if name in _NO_INSTRUCTION:
        return None
    if isinstance(op, InstructionOp):
        return _machine_class(op)
    if name.startswith("nvptx."):
        return "move" if name == "nvptx.mov.sreg" else "other"
    return _ir_class(op)


def _machine_class(op: InstructionOp) -> str:
    words = [*op.mnemonic.split("."), *op.mods.split(".")]
    found = _MNEMONICS.get(".".join(words[:2])) or _MNEMONICS.get(words[0])
    if found is not None:
        return found
    if words[0] in _MEMORY:
        return next((_SPACES[w] for w in words if w in _SPACES), "generic")
    return "arithmetic"


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
