"""A fingerprint of a module that ignores names: equal fingerprints mean equal modules, in practice."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation

from nvvm_xdsl.ir import fast


class Fingerprints:
    """Computes fingerprints of modules that share most of their attributes.

    Hashing an attribute traverses all of it, so each object is hashed once and kept alive.
    """

    def __init__(self) -> None:
        self._hashes: dict[int, int] = {}
        # Keeps the objects of the ids in `_hashes` alive.
        self._kept: list[Attribute] = []

    def of(self, op: Operation) -> int:
        """A number for an op and all within it, without names and locations."""
        parts: list[object] = []
        self._add(op, {}, parts)
        return hash(tuple(parts))

    def _attributes(self, held: dict[str, Attribute], parts: list[object]) -> None:
        known = self._hashes.get
        for key in sorted(held) if len(held) > 1 else held:
            value = held[key]
            found = known(id(value))
            parts += (key, self._hash(value) if found is None else found)

    def _hash(self, attribute: Attribute) -> int:
        found = self._hashes.get(id(attribute))
        if found is None:
            found = self._hashes[id(attribute)] = hash(attribute)
            self._kept.append(attribute)
        return found

    def _add(self, op: Operation, numbers: dict[int, int], parts: list[object]) -> None:
        """Adds an op with its regions. Regions nest as deeply as functions in a module.

        Values and blocks are numbered in the order of their first occurrence.
        """
        number = numbers.setdefault
        parts.append(op.name)
        for value in fast.operands_of(op):
            parts.append(number(id(value), len(numbers)))
        parts.append("results")
        for result in op.results:
            parts += (number(id(result), len(numbers)), self._hash(result.type))
        parts.append("successors")
        for block in fast.successors_of(op):
            parts.append(number(id(block), len(numbers)))
        parts.append("properties")
        self._attributes(op.properties, parts)
        parts.append("attributes")
        self._attributes(op.attributes, parts)
        for region in op.regions:
            for block in fast.blocks_of(region):
                parts += ("block", number(id(block), len(numbers)))
                for argument in block.args:
                    parts += (number(id(argument), len(numbers)), self._hash(argument.type))
                for inner in fast.ops_of(block):
                    self._add(inner, numbers, parts)
            parts.append("end")


def fingerprint(op: Operation) -> int:
    """A number for an op and all within it, without names and locations."""
    return Fingerprints().of(op)
