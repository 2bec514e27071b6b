"""Properties of xDSL that this project depends on: these tests fail first if a new release changes them."""

from __future__ import annotations

import ast
import hashlib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
import xdsl.dialects.builtin as builtin
import xdsl.parser.attribute_parser as attribute_parser
import xdsl.parser.core as parser_core
import xdsl.printer as printer
from helpers.roundtrip import parse, show
from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i32
from xdsl.dialects.llvm import LoadOp
from xdsl.ir import Block
from xdsl.parser import AttrParser, Parser
from xdsl.traits import IsolatedFromAbove, is_side_effect_free
from xdsl.transforms.dead_code_elimination import dce
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.exceptions import ParseError, VerifyException

from nvvm_xdsl.dialects.llvm import LLVM, types
from nvvm_xdsl.dialects.llvm.compat import (
    ASSEMBLY,
    CONSTRAINTS,
    DEFAULTS,
    FORMATS,
    PROPERTIES,
    augment,
)
from nvvm_xdsl.dialects.llvm.ops import AtomicRMWOp
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.ir import fast

HASHES: dict[tuple[ModuleType, str], str] = {
    (llvm, "AllocaOp"): "d6c2cde9a5",
    (llvm, "BrOp"): "7994c7a327",
    (llvm, "CondBrOp"): "e1914df8d8",
    (llvm, "CallOp"): "8e2b406ef0",
    (llvm, "CallIntrinsicOp"): "86b21184e2",
    (llvm, "FuncOp"): "b9a0b7220e",
    (llvm, "InlineAsmOp"): "e33df00f5c",
    (llvm, "IntToPtrOp"): "b9f64fa149",
    (llvm, "PtrToIntOp"): "ad7df68cb8",
    (llvm, "LoadOp"): "cbda1885a1",
    (llvm, "StoreOp"): "6c5fe81c72",
    (llvm, "GlobalOp"): "32dd8a0d65",
    (llvm, "GEPOp"): "a9fd45dd98",
    (llvm, "SelectOp"): "e54ce5d7be",
    (llvm, "FCmpOp"): "ee63ae9c36",
    (llvm, "ICmpOp"): "3a32d15bc7",
    (llvm, "MaskedStoreOp"): "5b7103f2eb",
    (llvm, "ZeroOp"): "c55c786144",
    (llvm, "ConstantOp"): "ddabe5e461",
    (llvm, "TruncOp"): "84919d34b4",
    (llvm, "ZExtOp"): "aee468a458",
    (llvm, "SExtOp"): "3b7f4dae55",
    (llvm, "ExtractValueOp"): "057a93ff64",
    (llvm, "InsertValueOp"): "b135061330",
    (llvm, "IntegerConversionOpOverflow"): "66d5571fc0",
    (llvm, "LLVMStructType"): "bd9aeabd92",
    (llvm, "LLVMArrayType"): "4ed0a71527",
    (llvm, "LLVMFunctionType"): "ac679a1dea",
    (llvm, "CallingConventionAttr"): "11cf03dbbb",
    (llvm, "TargetFeaturesAttr"): "666e6f0eca",
    (llvm, "FastMathAttr"): "9096d43806",
    (llvm, "OverflowAttr"): "f44d78e1eb",
    (llvm, "_parse_optional_llvm_type"): "ca11c8342c",
    (llvm, "is_compatible_type"): "445e93398b",
    (attribute_parser, "AttrParser._parse_extended_type_or_attribute"): "cbf9bc4f0c",
    (attribute_parser, "AttrParser._parse_optional_builtin_attr"): "fc78471d8c",
    (attribute_parser, "AttrParser._parse_location"): "9f54ed7881",
    (attribute_parser, "AttrParser.parse_optional_builtin_int_or_float_attr"): "3750d36d23",
    (attribute_parser, "AttrParser._TensorLiteralElement"): "4eb0fd9677",
    (parser_core, "Parser._parse_alias_def"): "3243481fde",
    (printer, "Printer.print_float"): "9ed66a1374",
    (builtin, "FloatAttr"): "cefac81d5b",
    (builtin, "FloatData"): "11800ce59c",
    (builtin, "StructPackableType"): "817003888a",
    (builtin, "IntegerType"): "3823f466c2",
    (builtin, "Float80Type"): "2f5fa2771f",
    (builtin, "Float128Type"): "790e382a57",
    (builtin, "FusedLoc"): "fa9460b811",
}
"""Hashes of the xDSL source that `compat` was written for."""

STOCK_COUNT = 72
"""Ops of xDSL 0.74's llvm dialect."""


def test_the_release_is_the_supported_one():
    assert version("xdsl").startswith("0.74."), "read compat.py against the new release first"


def test_the_llvm_dialect_has_one_class_per_op():
    assert XDSL_UNIVERSE.all_dialects["llvm"]() is llvm.LLVM is LLVM
    names = [op.name for op in LLVM.operations]
    assert len(names) == len(set(names))
    assert LoadOp is llvm.LoadOp
    attributes = [attr.name for attr in LLVM.attributes]
    assert len(set(attributes)) >= len(attributes) - 1, "llvm.target is a type and an attribute"


def test_counts_of_ops():
    own = sum(op.__module__.startswith("nvvm_xdsl") for op in LLVM.operations)
    assert len(list(LLVM.operations)) - own == STOCK_COUNT
    assert own == 212
    assert len(list(NVVM.operations)) == 185


def test_augmenting_again_changes_nothing():
    before = [(op, op.parse, op.print, op.traits) for op in LLVM.operations]
    augment()
    after = [(op, op.parse, op.print, op.traits) for op in LLVM.operations]
    assert [(a, c, d) for a, _, c, d in before] == [(a, c, d) for a, _, c, d in after]


def source_hash(module: ModuleType, name: str) -> str:
    """Returns a short hash of xDSL's definition of a class or method, regardless of patches."""
    text = Path(module.__file__ or "").read_text()
    scope: ast.AST = ast.parse(text)
    for part in name.split("."):
        scope = next(
            node
            for node in ast.iter_child_nodes(scope)
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == part
        )
    segment = ast.get_source_segment(text, scope)
    assert segment is not None
    return hashlib.sha256(segment.encode()).hexdigest()[:10]


def test_every_augmented_class_has_a_hash():
    augmented = {*PROPERTIES, *DEFAULTS, *CONSTRAINTS, *FORMATS, *ASSEMBLY}
    watched = {name for module, name in HASHES if module is llvm}
    assert {cls.__name__ for cls in augmented} <= watched


@pytest.mark.parametrize(("place", "expected"), HASHES.items(), ids=lambda v: str(v)[-40:])
def test_augmented_definitions_have_not_changed(place: tuple[ModuleType, str], expected: str):
    """If this fails: read the new definition, update `compat`, then the hash."""
    assert source_hash(*place) == expected


def test_replaced_members_exist():
    for cls in (*ASSEMBLY, *FORMATS):
        assert cls.parse is not None
        assert cls in set(LLVM.operations)
    for cls, constraints in CONSTRAINTS.items():
        definition = cls.get_irdl_definition()
        known = {name for name, _ in (*definition.operands, *definition.results)}
        assert set(constraints) <= known | set(definition.properties)


def test_private_names_of_xdsls_parser_exist():
    for name in (
        "_parse_extended_type_or_attribute",
        "_parse_optional_builtin_attr",
        "_parse_location",
        "_TensorLiteralElement",
        "_resume_from",
    ):
        assert hasattr(AttrParser, name), name
    assert hasattr(Parser, "_parse_alias_def")
    assert hasattr(llvm, "_parse_optional_llvm_type")


def test_stock_constructors_still_work():
    block = Block(arg_types=[llvm.LLVMPointerType(), i32])
    pointer, index = block.args
    gep = llvm.GEPOp(pointer, [llvm.GEP_USE_SSA_VAL], i32, [index], inbounds=True)
    assert gep.properties["noWrapFlags"] == IntegerAttr(3, 32)
    assert gep.inbounds == UnitAttr()
    gep.inbounds = None
    assert gep.properties["noWrapFlags"] == IntegerAttr(2, 32)
    mixed = llvm.GEPOp.from_mixed_indices(
        pointer, [1, index], llvm.LLVMArrayType(4, i32), inbounds=True
    )
    assert mixed.properties["noWrapFlags"] == IntegerAttr(3, 32)
    load = llvm.LoadOp(pointer, i32, alignment=4)
    store = llvm.StoreOp(load, pointer, volatile=True)
    for op in (gep, mixed, load, store):
        op.verify()


def test_default_properties_of_created_ops_are_those_of_mlir():
    block = fast.new_block([types.F32, types.F32, types.PTR])
    add = fast.create(llvm.FAddOp, block.args[:2], (types.F32,))
    add.verify()
    assert add.fastmathFlags == llvm.FastMathAttr(None)
    load = fast.create(llvm.LoadOp, block.args[2:], (types.F32,))
    load.verify()
    assert load.ordering == IntegerAttr(0, 64)
    call = fast.create(
        llvm.CallIntrinsicOp,
        block.args[:1],
        (types.F32,),
        {
            "intrin": types.string("llvm.nvvm.fabs.f32"),
            "operandSegmentSizes": types.dense_i32((1, 0)),
        },
    )
    call.verify()


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("%0 = llvm.load %p : !llvm.ptr -> i32", False),
        ('%0 = llvm.fcmp "oeq" %f, %f : f32', True),
        ("%0 = llvm.intr.fabs(%f) : (f32) -> f32", True),
        ("%0 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i8", True),
        ("llvm.store %f, %p : f32, !llvm.ptr", False),
    ],
)
def test_effects_that_stock_passes_query(text: str, free: bool):
    module = parse(f"llvm.func @f(%p: !llvm.ptr, %f: f32) {{\n{text}\nllvm.return\n}}")
    op = next(iter(module.body.block.first_op.body.block.ops))
    assert is_side_effect_free(op) is free


def test_a_dead_load_is_removed_but_a_volatile_one_is_kept():
    module = parse(
        """
llvm.func @f(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load volatile %p : !llvm.ptr -> i32
  %2 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}"""
    )
    dce(module)
    text = show(module)
    assert text.count("llvm.load") == 2
    assert "llvm.load volatile" in text
    assert "acquire" in text


def test_functions_are_isolated():
    assert llvm.FuncOp.has_trait(IsolatedFromAbove)
    assert not llvm.AddOp.has_trait(IsolatedFromAbove)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%0 = llvm.extractvalue %s[5] : !llvm.struct<(i32)>", "no position [5]"),
        ("%0 = llvm.getelementptr inbounds|x %p[0] : (!llvm.ptr) -> !llvm.ptr, i8", "expected one"),
        ('%0 = llvm.icmp "lt" %i, %i : i32', "unknown predicate 'lt'"),
        ("%0 = llvm.load %p atomic sometimes : !llvm.ptr -> i32", "expected one of"),
        ("%0 = llvm.atomicrmw nope %p, %i acquire : !llvm.ptr, i32", "expected one of"),
    ],
)
def test_invalid_text(text: str, message: str):
    function = f"llvm.func @f(%p: !llvm.ptr, %i: i32, %s: !llvm.struct<(i32)>) {{\n{text}\n"
    with pytest.raises(ParseError, match=message.replace("[", r"\[").replace("|", r"\|")):
        parse(function + "llvm.return\n}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%0 = llvm.fptosi %i : i32 to i32", "expected floating point LLVM type"),
        ("%0 = llvm.trunc %i : i32 to i64", "invalid cast opcode"),
        ("%0 = llvm.addrspacecast %i : i32 to !llvm.ptr", "expected LLVM pointer type"),
        ('%0 = llvm.icmp "eq" %f, %f : f32', "expected signless integer"),
        ("%0 = llvm.select %i, %i, %i : i32, i32", "expected i1 or vector of i1"),
        ("%0 = nvvm.mapa %f, %i : f32 -> !llvm.ptr", "LLVM pointer in address space 0 or 3"),
    ],
)
def test_invalid_types(text: str, message: str):
    function = f"llvm.func @f(%i: i32, %f: f32) {{\n{text}\nllvm.return\n}}"
    with pytest.raises(VerifyException, match=message):
        parse(function)


def test_duplicate_cases():
    text = """
llvm.func @f(%i: i32) {
  llvm.switch %i : i32, ^bb1 [
    1: ^bb1,
    1: ^bb1
  ]
^bb1:
  llvm.return
}"""
    with pytest.raises(VerifyException, match="two cases have the same value"):
        parse(text)


def test_the_plugin_is_found_by_a_stock_tool():
    universe = Universe.get_multiverse()
    context = Context()
    for name, factory in universe.all_dialects.items():
        context.register_dialect(name, factory)
    assert context.get_optional_op("llvm.atomicrmw") is AtomicRMWOp
    assert context.get_optional_op("nvvm.barrier0") is not None
    assert context.get_optional_attr("nvvm.target") is not None
    assert context.get_optional_type("llvm.token") is not None
    assert "ptx" in universe.all_targets


@pytest.mark.parametrize("width", [1, 3, 12, 24, 31, 32, 63, 65, 128])
def test_elements_of_dense_constants_keep_only_their_bits(width: int):
    """The bytes are MLIR's; the high bits of the last byte are zero, and are ignored by the parser."""
    type_ = builtin.IntegerType(width)
    size = (width + 7) // 8
    numbers = [-1, 0, -(1 << (width - 1))]
    packed = type_.pack(numbers)
    assert packed == b"".join((n % (1 << width)).to_bytes(size, "little") for n in numbers)
    assert type_.unpack(packed, len(numbers)) == tuple(numbers)
    assert type_.unpack(b"\xff" * size, 1) == (-1,)
