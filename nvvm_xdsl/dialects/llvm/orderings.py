"""Atomic orderings: the numbers and keywords of MLIR's `AtomicOrdering`."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.types import I64, int_attr

ORDERINGS: Final = ENUMS["AtomicOrdering"]
"""The number of each ordering by its keyword."""

ORDERING_NAMES: Final = {number: name for name, number in ORDERINGS.items()}
"""The keyword of each ordering by its number."""

NOT_ATOMIC: Final = ORDERINGS["not_atomic"]
UNORDERED: Final = ORDERINGS["unordered"]
MONOTONIC: Final = ORDERINGS["monotonic"]
ACQUIRE: Final = ORDERINGS["acquire"]
RELEASE: Final = ORDERINGS["release"]
ACQ_REL: Final = ORDERINGS["acq_rel"]
SEQ_CST: Final = ORDERINGS["seq_cst"]

ORDERING_ATTRIBUTES: Final = {name: int_attr(number, I64) for name, number in ORDERINGS.items()}
"""The `ordering` property of each ordering by its keyword."""

PLAIN: Final = ORDERING_ATTRIBUTES["not_atomic"]
"""The `ordering` of loads and stores that are not atomic."""

ELEMENTWISE: Final = "nvvm.elementwise"
"""The attribute of an `llvm.atomicrmw` of a vector whose elements are updated separately, as by LLVM's
`atomicrmw elementwise`. Without it the vector is one access."""
