"""Checks of ops of the llvm dialect that MLIR implements in C++, beyond operand types.

A check takes the op and raises VerifyException; `generate` calls it from the op's class.
"""

from __future__ import annotations

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.constraints import FLOAT_LIKE
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.assembly_helpers import KEYWORDS
from nvvm_xdsl.dialects.llvm.orderings import ACQ_REL, MONOTONIC, RELEASE
from nvvm_xdsl.dialects.llvm.types import width_of

_FLOAT_OPERATIONS = frozenset(
    ENUMS["AtomicBinOp"][name] for name in ("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum")
)
_EXCHANGE = ENUMS["AtomicBinOp"]["xchg"]


def atomic_rmw(op: Operation) -> None:
    """`llvm.atomicrmw` must be at least monotonic, and its operation must match its type."""
    operation = int_property(op, "bin_op")
    keyword = KEYWORDS["AtomicBinOp"].get(operation)
    if keyword is None:
        raise VerifyException(f"no atomic operation has number {operation}")
    type_ = op.operands[1].type
    if operation in _FLOAT_OPERATIONS:
        if not FLOAT_LIKE.holds(type_):
            raise VerifyException(f"atomic '{keyword}' takes a floating-point value, not {type_}")
    elif operation != _EXCHANGE and width_of(type_) not in (8, 16, 32, 64, 128):
        raise VerifyException(f"atomic '{keyword}' takes an integer of 8 to 128 bits, not {type_}")
    if int_property(op, "ordering") < MONOTONIC:
        raise VerifyException("an atomic operation is ordered at least 'monotonic'")


def compare_exchange(op: Operation) -> None:
    """`llvm.cmpxchg` has two orderings; the one for failure must not release."""
    type_ = op.operands[1].type
    if width_of(type_) not in (8, 16, 32, 64, 128) and not isinstance(type_, LLVMPointerType):
        raise VerifyException(f"cmpxchg takes an integer of 8 to 128 bits, not {type_}")
    success = int_property(op, "success_ordering")
    failure = int_property(op, "failure_ordering")
    if min(success, failure) < MONOTONIC:
        raise VerifyException("an atomic operation is ordered at least 'monotonic'")
    if failure in (RELEASE, ACQ_REL):
        raise VerifyException("the ordering for failure must not release")


def fence(op: Operation) -> None:
    """`llvm.fence` must be stronger than monotonic."""
    if int_property(op, "ordering") <= MONOTONIC:
        raise VerifyException("a fence is ordered at least 'acquire' or 'release'")


VERIFIERS: dict[str, str] = {
    "llvm.atomicrmw": "atomic_rmw",
    "llvm.cmpxchg": "compare_exchange",
    "llvm.fence": "fence",
}
"""The check of each op, by class."""
