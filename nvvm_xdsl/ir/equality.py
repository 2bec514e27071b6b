"""Structural equality of ops."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from xdsl.ir import Operation

from nvvm_xdsl.ir import fast


def shape_of(op: Operation, properties: Mapping[str, Hashable] | None = None) -> Hashable:
    """A key that two ops share if they compute the same function of their operands.

    The key consists of the op's class, the types of its operands and results, its properties, the
    number of its successors, and its regions. The operand types are part of it because an op that
    converts or stores a value does not state them elsewhere. An op with regions has a key of its own.
    The operands, the targets of the successors, discardable attributes and the location are not part
    of the key.

    Arguments:
        properties: used in place of the op's properties, if only some of them must be equal.
    """
    return (
        type(op),
        tuple(value.type for value in fast.operands_of(op)),
        tuple(result.type for result in op.results),
        frozenset((op.properties if properties is None else properties).items()),
        len(fast.successors_of(op)),
        tuple(op.regions),
    )


__all__ = ["shape_of"]
