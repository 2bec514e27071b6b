"""Completes ops of xDSL's gpu dialect: modules, functions, returns and barriers get MLIR's
assembly.

    gpu.module @kernels [#nvvm.target<chip = "sm_90">] attributes {...} {
      gpu.func @k(%p: !llvm.ptr {llvm.noalias}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
        gpu.barrier
        gpu.return
      }
    }

xDSL's classes are kept and still print the generic form, which MLIR reads, too.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr, UnitAttr
from xdsl.dialects.gpu import GPU as GPU
from xdsl.dialects.gpu import BarrierOp, FuncOp, ModuleOp, ReturnOp
from xdsl.ir import Attribute, Block, Region
from xdsl.irdl import IRDLOperation, OptPropertyDef, irdl_to_attr_constraint
from xdsl.irdl.constraints import AnyAttr
from xdsl.irdl.operations import OptionalPropertyAccessor
from xdsl.parser import Parser

_PROPERTIES: dict[type[IRDLOperation], tuple[str, ...]] = {
    ModuleOp: ("targets", "offloadingHandler"),
    FuncOp: ("arg_attrs",),
}
"""Properties of MLIR's ops that xDSL's ops lack."""


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


def _parse_function(cls: type[FuncOp], parser: Parser) -> FuncOp:
    name = parser.parse_symbol_name()
    attributes: list[DictionaryAttr] = []

    def parse_argument() -> Parser.Argument:
        argument = parser.parse_argument()
        attributes.append(DictionaryAttr(parser.parse_optional_dictionary_attr_dict()))
        parser.parse_optional_location()
        return argument

    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_argument)
    results: list[Attribute] = []
    if parser.parse_optional_punctuation("->") is not None:
        listed = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_type
        )
        results += [parser.parse_type()] if listed is None else listed
    for keyword in ("workgroup", "private"):
        if parser.parse_optional_keyword(keyword) is not None:
            parser.raise_error(
                f"{keyword} memory of a gpu.func is not supported: run mlir-opt -convert-gpu-to-nvvm first"
            )
    inputs = [argument.type for argument in arguments]
    properties: dict[str, Attribute] = {"function_type": FunctionType.from_lists(inputs, results)}
    if parser.parse_optional_keyword("kernel") is not None:
        properties["kernel"] = UnitAttr()
    if any(entry.data for entry in attributes):
        properties["arg_attrs"] = ArrayAttr(attributes)
    stated = parser.parse_optional_attr_dict_with_keyword()
    return cls.create(
        properties=properties,
        attributes={**({} if stated is None else stated.data), "sym_name": StringAttr(name.data)},
        regions=[parser.parse_region(arguments)],
    )


def _parse_return(cls: type[ReturnOp], parser: Parser) -> ReturnOp:
    at = parser.pos
    named = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    if not named:
        return cls.create()
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return cls.create(operands=parser.resolve_operands(named, types, at))


def _parse_barrier(cls: type[BarrierOp], parser: Parser) -> BarrierOp:
    return cls.create(attributes=parser.parse_optional_attr_dict())


def _augment() -> None:
    for cls, names in _PROPERTIES.items():
        definition = cls.get_irdl_definition()
        for name in names:
            if name not in definition.properties:
                definition.properties[name] = OptPropertyDef(
                    irdl_to_attr_constraint(AnyAttr()), None
                )
                definition.accessor_names[name] = (name, "property")
                setattr(cls, name, OptionalPropertyAccessor(name, None))
    ModuleOp.parse = classmethod(_parse_module)  # pyright: ignore[reportAttributeAccessIssue]
    FuncOp.parse = classmethod(_parse_function)  # pyright: ignore[reportAttributeAccessIssue]
    ReturnOp.parse = classmethod(_parse_return)  # pyright: ignore[reportAttributeAccessIssue]
    BarrierOp.parse = classmethod(_parse_barrier)  # pyright: ignore[reportAttributeAccessIssue]


_augment()
