"""What a module is apart from its names: equal fingerprints mean equal modules, in practice."""

from __future__ import annotations

from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.ir import fast


class _Fingerprint:
    """Values and blocks are numbered where they are first met; attributes where they are new."""

    def __init__(self) -> None:
        self.numbers: dict[SSAValue | Block, int] = {}
        self.attributes: dict[int, int] = {}
        self.kept: list[Attribute] = []
        self.parts: list[object] = []

    def number(self, thing: SSAValue | Block) -> int:
        return self.numbers.setdefault(thing, len(self.numbers))

    def attribute(self, attribute: Attribute) -> int:
        # Most attributes are shared, and hashing one walks all of it.
        found = self.attributes.get(id(attribute))
        if found is None:
            found = self.attributes[id(attribute)] = hash(attribute)
            self.kept.append(attribute)
        return found

    def add(self, op: Operation) -> None:
        """Takes in an op and all within it. Regions nest as deeply as functions in a module do."""
        number, attribute = self.number, self.attribute
        self.parts += (
            op.name,
            tuple(map(number, fast.operands_of(op))),
            tuple((number(r), attribute(r.type)) for r in op.results),
            tuple(map(number, fast.successors_of(op))),
            tuple((k, attribute(v)) for k, v in sorted(op.properties.items())),
            tuple((k, attribute(v)) for k, v in sorted(op.attributes.items())),
        )
        for region in op.regions:
            for block in fast.blocks_of(region):
                arguments = tuple((number(a), attribute(a.type)) for a in block.args)
                self.parts += ("block", number(block), arguments)
                for inner in fast.ops_of(block):
                    self.add(inner)
            self.parts.append("end")


def fingerprint(op: Operation) -> int:
    """A number for an op and all within it, without names and locations."""
    found = _Fingerprint()
    found.add(op)
    return hash(tuple(found.parts))
