"""The one op of xDSL's gpu dialect that falls short: `gpu.module` gets MLIR's assembly.

    gpu.module @kernels [#nvvm.target<chip = "sm_90">] attributes {...} { ... }

xDSL's class stays and keeps printing the generic form, which MLIR reads too.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.gpu import GPU as GPU
from xdsl.dialects.gpu import ModuleOp
from xdsl.ir import Attribute, Block, Region
from xdsl.irdl import OptPropertyDef, irdl_to_attr_constraint
from xdsl.irdl.constraints import AnyAttr
from xdsl.irdl.operations import OptionalPropertyAccessor
from xdsl.parser import Parser

_PROPERTIES = ("targets", "offloadingHandler")


def _parse_module(cls: type[ModuleOp], parser: Parser) -> ModuleOp:
    properties: dict[str, Attribute] = {"sym_name": parser.parse_symbol_name()}
    if parser.parse_optional_punctuation("<") is not None:
        properties["offloadingHandler"] = parser.parse_attribute()
        parser.parse_punctuation(">")
    targets = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_attribute
    )
    if targets is not None:
        properties["targets"] = ArrayAttr(targets)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region()
    if not body.blocks:
        body = Region(Block())
    return cls.create(
        properties=properties,
        attributes={} if attributes is None else dict(attributes.data),
        regions=[body],
    )


def _augment() -> None:
    definition = ModuleOp.get_irdl_definition()
    for name in _PROPERTIES:
        if name not in definition.properties:
            definition.properties[name] = OptPropertyDef(irdl_to_attr_constraint(AnyAttr()), None)
            definition.accessor_names[name] = (name, "property")
            setattr(ModuleOp, name, OptionalPropertyAccessor(name, None))
    ModuleOp.parse = classmethod(_parse_module)  # pyright: ignore[reportAttributeAccessIssue]


_augment()
