"""What is added to xDSL's llvm dialect in place, kept in one file.

xDSL's op classes keep their identity: an op class closes over one mutable definition, which
takes further properties, and `parse` and `print` are looked up on the class. What is relied
on here is private to xDSL, so the release is pinned and `test/dialects/llvm/test_compat.py`
fails when a new one changes it.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Attribute, Dialect, Operation


def add_to_dialect(
    dialect: Dialect,
    operations: Iterable[type[Operation]],
    attributes: Iterable[type[Attribute]],
) -> None:
    """Adds what the dialect does not have by name yet."""
    have = {op.name for op in dialect._operations}
    dialect._operations += [op for op in operations if op.name not in have]
    have = {attr.name for attr in dialect._attributes}
    dialect._attributes += [attr for attr in attributes if attr.name not in have]


def augment() -> None:
    """Completes xDSL's own op classes."""
