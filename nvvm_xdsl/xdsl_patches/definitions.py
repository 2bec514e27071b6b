"""Op and attribute classes whose definition is computed on first use.

xDSL's `irdl_op_definition` and `irdl_attr_definition` compute a class's definition when the class
is created: fields become constraints, assembly formats programs, attributes dataclasses. That takes
0.2 to 1 ms per class. The dialects here and xDSL's `builtin` and `llvm` have 700 classes, and a
kernel needs about 60. The decorators of the same names here defer this until the definition is
needed: an op is verified, built by its constructor or printed, one of its fields is read, an
attribute is created. Then xDSL's own functions run, and the resulting class is the same.

    from nvvm_xdsl.xdsl_patches.definitions import irdl_op_definition

`stock_dialects` imports xDSL's two dialects in this way.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any, TypeVar, cast, dataclass_transform

import xdsl.irdl as irdl
from xdsl.ir import Attribute, Data, Operation, OpTraits, ParametrizedAttribute, TypedAttribute
from xdsl.irdl import IRDLOperation, OpDef, ParamAttrDef, operations, param_def
from xdsl.irdl.attributes import check_attr_name
from xdsl.utils.runtime_final import runtime_final

OpT = TypeVar("OpT", bound=type[IRDLOperation])
AttributeT = TypeVar("AttributeT", bound=type[Attribute])

_lock = RLock()


class _Waiting:
    """State of an op class without a definition.

    Arguments:
        verify: the check that the class adds to its definition's.
        traits: the traits that its definition will have.
    """

    def __init__(self, verify: Any, traits: OpTraits) -> None:
        self.verify = verify
        self.traits = traits
        self.assembly: dict[str, Any] = {}
        """The class's own `parse` and `print` while placeholders replace them."""
        self.changes: list[Callable[[], None]] = []


_ops: dict[type[Operation], _Waiting] = {}
_attributes: set[type[ParametrizedAttribute]] = set()
_formats: dict[type[Operation], OpDef] = {}
"""Classes whose formats have not been compiled yet."""

_waiting_assembly: set[Callable[..., Any]] = set()
"""Placeholders for `parse` and `print`."""


def _name_field(self: Any, _owner: type, name: str) -> None:
    self.name = name


def _read_field(self: Any, op: Any, _owner: type | None = None) -> Any:
    if op is None:
        return self
    define(op.__class__)
    return getattr(op, self.name)


def _write_field(self: Any, op: Any, value: Any) -> None:
    define(op.__class__)
    setattr(op, self.name, value)


def _make_fields_readable() -> None:
    """Accessor that computes the definition, for a field that is read before the class has its
    own."""
    field: Any = operations._OpDefField
    field.__set_name__ = _name_field
    field.__get__ = _read_field
    field.__set__ = _write_field


_make_fields_readable()


def _is_below(cls: type, other: type) -> bool:
    return cls in other.__mro__


def _check_ancestors_only() -> None:
    """Determines whether a class derives from one of xDSL's bases by its ancestors.

    Python would query all subclasses of the base, because any of them may have registered the
    class; here none has.
    """
    for base in (Attribute, Operation, irdl.AttrConstraint):
        changed: Any = base
        changed.__subclasshook__ = classmethod(_is_below)


_check_ancestors_only()


def define(cls: type[Operation | Attribute]) -> None:
    """Computes the definition of a class that has none yet."""
    with _lock:
        for base in cls.__mro__:
            if base in _ops:
                _define_op(cast("type[IRDLOperation]", base))
                return
            if base in _attributes:
                _define_attribute(cast("type[ParametrizedAttribute]", base))
                return


def define_all() -> None:
    """Computes every missing definition and compiles every format, so that errors are detected."""
    with _lock:
        for cls in [*_ops, *_attributes]:
            define(cls)
        for op in list(_formats):
            _compile_format(op)


def when_defined(cls: type[Operation], change: Callable[[], None]) -> None:
    """Changes an op class that needs its definition: immediately if it has one, otherwise when it
    is computed.

    `parse` and `print` also wait for the change.
    """
    with _lock:
        waiting = _ops.get(cls)
        if waiting is None:
            change()
            return
        waiting.changes.append(change)
        if not waiting.assembly and cls.__dict__.get("assembly_format") is None:
            waiting.assembly = {name: cls.__dict__.get(name) for name in ("parse", "print")}
            _wait_in_assembly(cls, define)


def set_traits(cls: type[Operation], traits: OpTraits) -> None:
    """Replaces the traits of an op class."""
    with _lock:
        waiting = _ops.get(cls)
        if waiting is not None:
            waiting.traits = traits
        else:
            cast("type[IRDLOperation]", cls).get_irdl_definition().traits = traits
        cls.traits = traits


# Ops.


def irdl_op_definition(cls: OpT) -> OpT:
    """xDSL's decorator of the same name; the definition is computed on first use."""
    assert issubclass(cls, IRDLOperation), f"class {cls.__name__} is not an IRDLOperation"
    waiting = _Waiting(getattr(cls, "verify_", None), _traits_of(cls))

    own: Any = cls

    def get_irdl_definition(_cls: type[IRDLOperation]) -> OpDef:
        define(cls)
        return cls.get_irdl_definition()

    def verify_(self: IRDLOperation) -> None:
        define(cls)
        own.verify_(self)

    own.get_irdl_definition = classmethod(get_irdl_definition)
    own.verify_ = verify_
    own.traits = waiting.traits
    if cls.assembly_format is not None:
        _wait_in_assembly(cls, _compile_format)
    _ops[cls] = waiting
    return cls


def _traits_of(cls: type[IRDLOperation]) -> OpTraits:
    """The traits of a class and its bases, as in its definition."""
    found: list[OpTraits] = [
        base.__dict__["traits"]
        for base in cls.__mro__
        if "traits" in base.__dict__ and base not in Operation.__mro__
    ]
    if len(found) == 1:
        return found[0]
    return OpTraits(lambda: tuple(trait for traits in found for trait in traits.gen_traits()))


def _wait_in_assembly(cls: type[Operation], prepare: Callable[[type[Operation]], None]) -> None:
    """Prepares the class before it is parsed or printed for the first time."""

    def parse(subclass: Any, parser: Any) -> Any:
        prepare(cls)
        return subclass.parse(parser)

    def print_(self: Any, printer: Any) -> None:
        prepare(cls)
        self.print(printer)

    own: Any = cls
    own.parse = classmethod(parse)
    own.print = print_
    _waiting_assembly.update((parse, print_))


def _define_op(cls: type[IRDLOperation]) -> None:
    waiting = _ops[cls]
    format_ = cls.assembly_format
    definition = OpDef.from_pyrdl(cls if format_ is None else _without_assembly(cls))
    definition.traits = waiting.traits
    made = operations.get_accessors_from_op_def(definition, waiting.verify)
    # Other threads that need the definition wait until it is complete.
    last = made.pop("get_irdl_definition")
    for name, value in [*made.items(), *waiting.assembly.items()]:
        if value is not None:
            setattr(cls, name, value)
        else:
            delattr(cls, name)
    if format_ is not None:
        definition.assembly_format = format_
        _formats[cls] = replace(
            definition,
            operands=definition.operands.copy(),
            results=definition.results.copy(),
            properties=definition.properties.copy(),
            attributes=definition.attributes.copy(),
            options=definition.options.copy(),
            accessor_names=definition.accessor_names.copy(),
        )
    cast(Any, cls).get_irdl_definition = last
    del _ops[cls]
    for change in waiting.changes:
        change()


def _without_assembly(cls: type[IRDLOperation]) -> type[IRDLOperation]:
    """The class without its format."""
    namespace = {name: Operation.__dict__[name] for name in ("parse", "print")}
    make: Any = type(cls)
    return make(cls.__name__, (cls,), {**namespace, "__annotations__": {}, "assembly_format": None})


def _compile_format(cls: type[Operation]) -> None:
    """Compiles the format of an op class that has one."""
    define(cls)
    with _lock:
        definition = _formats.pop(cls, None)
    if definition is None:
        return
    accessors = operations.get_accessors_from_op_def(definition, None)
    for name in ("parse", "print"):
        # Definitions added since then are kept.
        if getattr(cls.__dict__[name], "__func__", cls.__dict__[name]) in _waiting_assembly:
            setattr(cls, name, accessors[name])


# Attributes.


@dataclass_transform(frozen_default=True, field_specifiers=(param_def,))
def irdl_attr_definition(cls: AttributeT) -> AttributeT:
    """xDSL's decorator of the same name; the definition is computed on first use."""
    check_attr_name(cls)
    if ParametrizedAttribute in cls.__mro__:
        changes: Any = cls

        def get_irdl_definition(_cls: type[Attribute]) -> ParamAttrDef:
            define(cls)
            return changes.get_irdl_definition()

        changes.get_irdl_definition = classmethod(get_irdl_definition)
        if issubclass(cls, TypedAttribute):

            def get_type_index(_cls: type[Attribute]) -> int:
                define(cls)
                return changes.get_type_index()

            changes.get_type_index = classmethod(get_type_index)
        _attributes.add(cast("type[ParametrizedAttribute]", cls))
    elif not issubclass(cls, Data):
        raise TypeError(f"{cls.__name__} is neither a Data nor a ParametrizedAttribute")
    return cast(AttributeT, runtime_final(cast(Any, cls)))


def _define_attribute(cls: type[ParametrizedAttribute]) -> None:
    definition = ParamAttrDef.from_pyrdl(cls)
    changes: Any = cls
    if issubclass(cls, TypedAttribute):
        index = [name for name, _ in definition.parameters].index("type")
        changes.get_type_index = classmethod(lambda _cls: index)
    dataclass(frozen=True, init=False)(cls)
    changes.get_irdl_definition = classmethod(lambda _cls: definition)
    _attributes.discard(cls)


# xDSL's dialects.


def stock_dialects() -> None:
    """Imports xDSL's `builtin` and `llvm` with definitions that are computed on first use.

    Dialects that are already imported are not changed.
    """
    if "xdsl.dialects.llvm" in sys.modules:
        return
    attribute, op = irdl.irdl_attr_definition, irdl.irdl_op_definition
    changes: Any = irdl
    changes.irdl_op_definition = irdl_op_definition
    changes.irdl_attr_definition = _with_arguments(attribute)
    try:
        import xdsl.dialects.llvm  # noqa: F401  # pyright: ignore[reportUnusedImport]
    finally:
        changes.irdl_op_definition, changes.irdl_attr_definition = op, attribute


def _with_arguments(stock: Callable[..., Any]) -> Callable[..., Any]:
    """The decorator in both its forms, `@irdl_attr_definition` and `@irdl_attr_definition(...)`."""

    def decorator(cls: Any = None, **arguments: Any) -> Any:
        return stock(**arguments) if cls is None else irdl_attr_definition(cls)

    return decorator
