"""Changes to op classes of xDSL in place.

An op class refers to one mutable definition, which accepts further properties and constraints, and
`parse` and `print` are looked up on the class. A dialect passes its own properties, constraints and
assembly, and xDSL's op classes keep their identity.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OptPropertyDef,
    RangeOf,
    VariadicDef,
    irdl_to_attr_constraint,
    traits_def,
)
from xdsl.irdl.operations import OptionalPropertyAccessor
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import OpTrait

from nvvm_xdsl.xdsl_patches.definitions import set_traits


def add_to_dialect(
    dialect: Dialect, operations: Iterable[type[Operation]], attributes: Iterable[type[Attribute]]
) -> None:
    """Adds ops and attributes that the dialect lacks."""
    have = {op.name for op in dialect._operations}
    dialect._operations += [op for op in operations if op.name not in have]
    kinds = {(attr.name, TypeAttribute in attr.__mro__) for attr in dialect._attributes}
    dialect._attributes += [
        attr for attr in attributes if (attr.name, TypeAttribute in attr.__mro__) not in kinds
    ]


def definition_of(cls: type[Operation]) -> OpDef:
    """The definition in the closure of an op class."""
    return cast(type[IRDLOperation], cls).get_irdl_definition()


def add_properties(cls: type[Operation], properties: Mapping[str, Any]) -> None:
    """Declares optional properties; a constraint of None allows any attribute."""
    definition = definition_of(cls)
    for name, constraint in properties.items():
        if name in definition.properties:
            continue
        given = irdl_to_attr_constraint(Attribute if constraint is None else constraint)
        definition.properties[name] = OptPropertyDef(given, None)
        definition.accessor_names[name] = (name, "property")
        setattr(cls, name, OptionalPropertyAccessor(name, None))


def give_default(cls: type[Operation], name: str, default: Attribute | None = None) -> None:
    """Makes a property optional. If absent, it reads as `default`, or as its own default."""
    definition = definition_of(cls)
    old = definition.properties[name]
    if default is None:
        default = old.default_value
    definition.properties[name] = OptPropertyDef(old.constr, default)
    for accessor, (known, kind) in definition.accessor_names.items():
        if known == name and kind == "property":
            setattr(cls, accessor, OptionalPropertyAccessor(name, default))


def set_constraint(cls: type[Operation], name: str, constraint: AttrConstraint) -> None:
    """Replaces the type constraint of an operand or result, or the constraint of a property."""
    definition = definition_of(cls)
    if name in definition.properties:
        definition.properties[name].constr = constraint
        return
    for values in (definition.operands, definition.results):
        for i, (known, old) in enumerate(values):
            if known == name:
                new = RangeOf(constraint) if isinstance(old, VariadicDef) else constraint
                cast(Any, values)[i] = (name, type(old)(cast(Any, new)))
                return
    raise KeyError(name)


def set_assembly(
    cls: type[Operation],
    parse: Callable[[Any, Parser], Operation],
    print_: Callable[[Any, Printer], None] | None = None,
) -> None:
    """Replaces the parser of an op class and, if given, the printer."""
    cast(Any, cls).parse = classmethod(cast(Any, parse))
    if print_ is not None:
        cast(Any, cls).print = print_


def add_traits(cls: type[Operation], *traits: OpTrait) -> None:
    """Gives an op class its own set of traits, so that other classes that share the set do not
    change."""
    have = tuple(cls.traits.traits)
    set_traits(cls, traits_def(*have, *(t for t in traits if t not in have)))


def set_verifier(cls: type[Operation], check: Callable[[Any], None]) -> None:
    """Replaces the verifier of an op class that runs in addition to its definition."""
    definition = definition_of(cls)

    def verify_(self: Operation) -> None:
        definition.verify(self)
        check(self)

    cast(Any, cls).verify_ = verify_
