"""Writes the op classes of the llvm and nvvm dialects from MLIR's operation definitions.

`dev.generate` creates the dumps of the definitions and runs this module. The output is committed,
so it is only needed for a new MLIR release. Ops of xDSL's llvm dialect are omitted, because they
are extended in place (`dialects/llvm/compat.py`), and ops with custom assembly in C++ are written
by hand.

Ops and attributes that are rows of a table (`dialects/llvm/vp_ops.py`, `dialects/nvvm/sreg_ops.py`, the enumeration
and struct attributes) are not generated but compared: differences from MLIR's definitions are
printed.
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from xdsl.dialects.llvm import LLVM as STOCK_LLVM
from xdsl.irdl import IRDLOperation

from nvvm_xdsl.dialects.llvm import struct_attributes as llvm_structs
from nvvm_xdsl.dialects.llvm import vp_ops
from nvvm_xdsl.dialects.llvm.verifiers import VERIFIERS as LLVM_VERIFIERS
from nvvm_xdsl.dialects.nvvm import sreg_ops
from nvvm_xdsl.dialects.nvvm import struct_attributes as nvvm_structs
from nvvm_xdsl.dialects.nvvm.enum_attributes import ENUM_ATTRIBUTES, AngledEnum, EnumRow
from nvvm_xdsl.dialects.nvvm.verifiers import VERIFIERS as NVVM_VERIFIERS

Record = dict[str, Any]

DIALECTS = Path(__file__).parent.parent / "nvvm_xdsl" / "dialects"
GENERATED = DIALECTS / "generated"

HAND_WRITTEN = frozenset(
    {
        "llvm.mlir.alias",
        "llvm.mlir.ifunc",
        "llvm.invoke",
        "llvm.landingpad",
        "llvm.switch",
        "llvm.indirectbr",
        "llvm.intr.assume",
        "llvm.intr.ubsantrap",
        "nvvm.mma.sync",
        "nvvm.mma.sp.sync",
        "nvvm.mma.block_scale",
        "nvvm.mma.sp.block_scale",
    }
)

BY_HAND: dict[str, dict[str, list[str]]] = {
    "llvm": {
        "flow_ops": [
            "AssumeOp",
            "IndirectBrOp",
            "InvokeOp",
            "LandingpadOp",
            "SwitchOp",
            "UBSanTrapOp",
        ],
        "symbol_ops": ["AliasOp", "IFuncOp"],
    },
    "nvvm": {"mma_ops": ["MmaOp", "MmaSpOp", "MmaBlockScaleOp", "MmaSpBlockScaleOp"]},
}
"""Classes of the hand-written ops, by dialect and module."""

RESERVED = frozenset(dir(IRDLOperation)) | frozenset(keyword.kwlist) | {"operands", "results"}

NAMED_TYPES = {
    "AnyType": "ANY_TYPE",
    "LLVM_Type": "LLVM_TYPE",
    "LLVM_PrimitiveType": "PRIMITIVE",
    "LLVM_LoadableType": "LOADABLE",
    "LLVM_AnyAggregate": "AGGREGATE",
    "LLVM_AnyNonAggregate": "NON_AGGREGATE",
    "LLVM_AnyStruct": "STRUCT",
    "LLVM_AnyPointer": "POINTER",
    "LLVM_AnyVector": "VECTOR",
    "LLVM_AnyFixedVector": "VECTOR",
    "LLVM_AnyFloat": "FLOAT",
    "AnyFloat": "FLOAT",
    "LLVM_TokenType": "TOKEN",
    "AnySignlessInteger": "SIGNLESS_INT",
    "AnyInteger": "SIGNLESS_INT",
    "AnySignlessIntegerOrIndex": "SIGNLESS_INT",
}

NAMED_ATTRS = {
    "UnitAttr": "UnitAttr",
    "BoolAttr": "BOOL_ATTR",
    "I1Attr": "I1_ATTR",
    "I8Attr": "I8_ATTR",
    "I16Attr": "I16_ATTR",
    "I32Attr": "I32_ATTR",
    "I64Attr": "I64_ATTR",
    "F64Attr": "F64_ATTR",
    "StrAttr": "StringAttr",
    "SymbolNameAttr": "SymbolNameConstraint()",
    "FlatSymbolRefAttr": "SymbolRefAttr",
    "SymbolRefAttr": "SymbolRefAttr",
    "TypeAttr": "",
    "AnyAttr": "",
    "ArrayAttr": "ArrayAttr",
    "DictArrayAttr": "ArrayAttr",
    "StrArrayAttr": "ArrayAttr",
    "FlatSymbolRefArrayAttr": "ArrayAttr",
    "I32ArrayAttr": "ArrayAttr",
    "DenseI32ArrayAttr": "I32_ARRAY",
    "DenseI64ArrayAttr": "I64_ARRAY",
    "APIntAttr": "INT_ATTR",
    "LLVM_FastmathFlagsAttr": "FastMathAttr",
}

NVVM_ENUM_ATTRS = frozenset(cls.__name__ for cls in ENUM_ATTRIBUTES)

STRUCT_TABLES = {"llvm": llvm_structs.STRUCT_ATTRIBUTES, "nvvm": nvvm_structs.STRUCT_ATTRIBUTES}
"""Attributes in struct form by dialect."""

OP_TABLES: dict[str, tuple[type[IRDLOperation], ...]] = {
    "vp_ops": vp_ops.OPS,
    "sreg_ops": sreg_ops.OPS,
}
"""Modules whose ops are rows."""

SHARED = {
    "ACosOp": ("FloatFunction", "Function of a float"),
    "ATan2Op": ("BinaryFloatFunction", "Function of two floats of one type"),
    "Barrier0Op": ("PlainOp", "Op without operands and results"),
    "BitReverseOp": ("IntegerFunction", "Function of an integer"),
    "ClusterArriveOp": ("ClusterBarrier", "Synchronization of a cluster"),
    "ConstrainedFPTruncIntrOp": ("ConstrainedConversion", "Conversion with a rounding mode"),
    "ConvertF32x4ToF6x4Op": ("StochasticConversion", "Conversion of four floats by random bits"),
    "ConvertF6x2ToF16x2Op": ("WideningConversion", "Conversion of two narrow floats"),
    "CoroAlignOp": ("CoroutineConstant", "Property of a coroutine's frame"),
    "CountLeadingZerosOp": ("CountZeros", "Count of zeros at one end of an integer"),
    "CpAsyncBulkCommitGroupOp": ("PlainOp", "Op without operands and results"),
    "DebugTrapOp": ("PlainOp", "Op without operands and results"),
    "FPToSIOp": ("FloatToInteger", "Conversion of a float to an integer"),
    "FractionExpOp": ("FloatPairFunction", "Function of a float with two results in a struct"),
    "FshlOp": ("FunnelShift", "Shift of two concatenated integers"),
    "LaunderInvariantGroupOp": ("InvariantGroup", "Pointer with another invariant group"),
    "LifetimeEndOp": ("LifetimeMarker", "Marker of a variable's lifetime"),
    "LlrintOp": ("FloatToRoundedInteger", "Float rounded to an integer"),
    "LoadExpOp": ("FloatAndInteger", "Function of a float and an integer"),
    "MBarrierArriveNocompleteOp": ("MBarrierNocomplete", "Arrival that completes no phase"),
    "MBarrierArriveOp": ("MBarrierArrival", "Arrival at an mbarrier"),
    "MBarrierCompleteTxOp": ("MBarrierTransaction", "Change of an mbarrier's transaction count"),
    "MemcpyOp": ("MemoryCopy", "Copy of a range of bytes"),
    "SAddSatOp": ("BinaryIntegerFunction", "Function of two integers of one type"),
    "SAddWithOverflowOp": ("OverflowArithmetic", "Integer arithmetic with an overflow flag"),
    "SCmpOp": ("ThreeWayComparison", "Comparison with the result -1, 0 or 1"),
    "VaEndOp": ("VariadicArguments", "Start or end of reading variadic arguments"),
    "VectorReduceAddOp": ("IntegerReduction", "Reduction of a vector of integers"),
    "VectorReduceFmaxOp": ("FloatReduction", "Reduction of a vector of floats"),
}
"""Name and summary of the base class of ops with one definition, by the first of them."""

DERIVED = {
    "::llvm::cast<::mlir::VectorType>($_self).getElementType()": "element_type",
    "getValAndBoolStructType($_self)": "value_and_flag",
    "::getI1SameShape($_self)": "compare_result",
}


def screaming(name: str) -> str:
    """`EvictNormal` as `EVICT_NORMAL`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


class Definitions:
    """The records of one `--dump-json` file."""

    def __init__(self, path: Path, prefix: str, dialect: str) -> None:
        self.records: dict[str, Record] = json.loads(path.read_text())
        self.prefix = prefix
        self.dialect = dialect

    def __getitem__(self, name: str | Record) -> Record:
        return self.records[name["def"] if isinstance(name, dict) else name]

    def ops(self) -> list[Record]:
        """The dialect's ops by name."""
        found = [self[n] for n in self.records["!instanceof"]["Op"]]  # type: ignore[index]
        return sorted(
            (r for r in found if r["opDialect"]["def"] == self.dialect), key=lambda r: r["opName"]
        )

    def name_of(self, op: Record) -> str:
        return f"{self.prefix}.{op['opName']}"

    def kinds(self, name: str | Record) -> list[str]:
        return self[name]["!superclasses"]

    def type_constraint(self, ref: Record) -> str:
        """A Python expression for a type constraint."""
        name = ref["def"]
        record = self[ref]
        kinds = record["!superclasses"]
        if name in NAMED_TYPES:
            return NAMED_TYPES[name]
        if "I" in kinds or "F" in kinds or re.fullmatch(r"[IF]\d+|BF16", name):
            return name
        if "LLVM_PointerInAddressSpace" in kinds or re.match(r"LLVM_Pointer\w+", name):
            (space,) = re.findall(r"address space (\d+)", record["summary"])
            return f"pointer_in({space})"
        if "LLVM_ScalarOrVectorOf" in kinds:
            element = self.type_constraint(record["allowedTypes"][0])
            known = {
                "SIGNLESS_INT": "INT_LIKE",
                "FLOAT": "FLOAT_LIKE",
                "POINTER": "POINTER_LIKE",
                "I1": "I1_LIKE",
            }
            return known.get(element, f"scalar_or_vector({element})")
        if "AnyTypeOf" in kinds:
            parts = [self.type_constraint(t) for t in record["allowedTypes"]]
            spaces = [p[11:-1] for p in parts if p.startswith("pointer_in(")]
            if len(spaces) == len(parts):
                return f"pointer_in({', '.join(spaces)})"
            if len(parts) == 1:
                return parts[0]
            return f"any_of({', '.join(parts)})"
        summary: str = record["summary"]
        if m := re.match(r"(fixed-length )?vector of (.*) values of length ([\d/]+)$", summary):
            lengths = ", ".join(m[3].split("/"))
            return f"vector_of({self._element(m[2])}, ({lengths},))"
        if summary.startswith("LLVM dialect-compatible vector of "):
            return f"vector_of({self._element(summary[34:])})"
        if "LLVM struct type" in summary or "LLVM structure type" in summary:
            return "STRUCT"
        raise ValueError(f"no constraint for {name}: {summary}")

    @staticmethod
    def _element(summary: str) -> str:
        if m := re.match(r"(\d+)-bit signless integer$", summary):
            return f"I{m[1]}"
        if m := re.match(r"(\d+)-bit float$", summary):
            return f"F{m[1]}"
        return {
            "bfloat16 type": "BF16",
            "signless integer": "SIGNLESS_INT",
            "floating-point": "FLOAT",
            "LLVM pointer type": "POINTER",
        }[summary]

    def attr_constraint(self, ref: Record) -> str:
        """A Python expression for an attribute constraint, empty for any attribute."""
        name = ref["def"]
        if name in NAMED_ATTRS:
            return NAMED_ATTRS[name]
        record = self[ref]
        kinds = record["!superclasses"]
        if "ConfinedAttr" in kinds or "OptionalAttr" in kinds or "DefaultValuedAttr" in kinds:
            return self.attr_constraint(record["baseAttr"])
        if "IntEnumAttr" in kinds and "I64EnumAttr" in kinds:
            return "I64_ATTR"
        if "AttrDef" in kinds:
            return self.attr_class(record)
        if "TypedArrayAttrBase" in kinds or "ArrayAttrBase" in kinds:
            return "ArrayAttr"
        if name in NAMED_ATTRS:
            return NAMED_ATTRS[name]
        if "TypeAttrBase" in kinds:
            return ""
        if "integer elements" in record.get("summary", ""):
            return "INT_ELEMENTS"
        if "ins" in record.get("summary", "") or record.get("summary") == "":
            return ""
        raise ValueError(f"no attribute constraint for {name}: {record.get('summary')}")

    def attr_class(self, record: Record) -> str:
        """The Python class of an attribute definition."""
        cpp: str = record["cppClassName"]
        return {
            "CConvAttr": "CallingConventionAttr",
            "FastmathFlagsAttr": "FastMathAttr",
        }.get(cpp, cpp)

    def keyword_enum(self, ref: Record) -> str | None:
        """The name of the enumeration whose keyword an attribute prints."""
        record = self[ref]
        kinds = record["!superclasses"]
        if "ConfinedAttr" in kinds or "OptionalAttr" in kinds or "DefaultValuedAttr" in kinds:
            return self.keyword_enum(record["baseAttr"])
        if "IntEnumAttr" in kinds and "I64EnumAttr" in kinds:
            return record["className"]
        return None

    def default(self, ref: Record) -> str:
        """A Python expression for the default of a DefaultValuedAttr."""
        record = self[ref]
        base = self[record["baseAttr"]]
        value: str = record["defaultValue"].replace("::mlir::", "")
        if base["!name"] in ("BoolAttr", "I1Attr"):
            return "TRUE" if value in ("true", "1") else "FALSE"
        if base["!name"] == "I64Attr":
            return f"int_attr({value}, types.I64)"
        if base["!name"] == "I32Attr" or "ConfinedAttr" in base["!superclasses"]:
            return f"int_attr({value}, types.I32)"
        if "FastmathFlags" in str(base.get("cppClassName", base["!name"])):
            return "NO_FASTMATH"
        last = value.rsplit("::", 1)[-1]
        if base.get("cppClassName") == "CConvAttr":
            return 'CallingConventionAttr("ccc")'
        if base.get("cppClassName") == "LinkageAttr":
            return 'LinkageAttr("external")'
        if base.get("cppClassName") == "TailCallKindAttr":
            return "TailCallKindAttr(TailCallKind.NONE)"
        if "I64EnumAttr" in base["!superclasses"]:
            return "int_attr(0, types.I64)"
        if base["!name"] == "LLVM_DIExpressionAttr":
            return "DIExpressionAttr(ArrayAttr(()))"
        enum = self.enum_of(base)
        return f"{base['cppClassName']}({enum['className']}.{screaming(last)})"

    def enum_of(self, attr: Record) -> Record:
        """The enumeration behind an EnumAttr."""
        return self[attr["enum"]]


class Op:
    """An op during the generation of its Python class."""

    def __init__(self, definitions: Definitions, record: Record) -> None:
        self.d = definitions
        self.record = record
        self.name = definitions.name_of(record)
        self.format: str | None = record["assemblyFormat"]
        self.cls = self._class_name()
        unnamed = iter(("lhs", "rhs"))
        for argument in record["arguments"]["args"]:
            if argument[1] is None:
                argument[1] = next(unnamed)

    def _class_name(self) -> str:
        name = re.sub(r"^(LLVM|NVVM)_", "", self.record["!name"])
        if "_" in name or name[0].islower():
            name = "".join(p[:1].upper() + p[1:] for p in name.split("_"))
        return name if name.endswith("Op") else name + "Op"

    def python_name(self, name: str) -> str:
        return f"{name}_" if name in RESERVED else name

    def same_types(self) -> dict[str, str]:
        """Constraint variable of each operand and result that shares its type."""
        found: dict[str, str] = {}
        values = [a[1] for a in self.record["arguments"]["args"] if self.is_value(a[0])]
        values += [a[1] for a in self.record["results"]["args"]]
        letters = iter("TUVW")
        if self.name.endswith(".with.overflow"):
            return {"lhs": "T", "rhs": "T", "res": "T:value_and_flag"}
        for ref in self.record["traits"]:
            trait = self.d[ref]
            kind = trait["!superclasses"][-1] if trait["!superclasses"] else ""
            if trait.get("trait") == "SameOperandsAndResultType":
                letter = next(letters)
                found.update({v: letter for v in values})
            elif kind == "AllTypesMatch":
                letter = next(letters)
                found.update({v: letter for v in trait["values"]})
            elif kind == "TypesMatchWith":
                source = trait["lhs"]
                if source not in found:
                    found[source] = next(letters)
                if trait["transformer"] == "$_self":
                    found[trait["rhs"]] = found[source]
                else:
                    found[trait["rhs"]] = f"{found[source]}:{DERIVED[trait['transformer']]}"
            elif trait.get("trait") == "SameTypeOperands":
                letter = next(letters)
                found.update(
                    {a[1]: letter for a in self.record["arguments"]["args"] if self.is_value(a[0])}
                )
        return found

    def is_value(self, ref: Record) -> bool:
        kinds = self.d.kinds(ref)
        return "TypeConstraint" in kinds or "OpVariable" in kinds

    def value(self, ref: Record, name: str, shared: dict[str, str], what: str) -> str:
        """The definition of one operand or result."""
        record = self.d[ref]
        kinds = record["!superclasses"]
        if "OpVariable" in kinds:
            record = self.d[record["constraint"]]
            ref = {"def": record["!name"]}
            kinds = record["!superclasses"]
        prefix = ""
        if "Optional" in kinds:
            prefix, ref = "opt_", record["baseType"]
        elif "Variadic" in kinds:
            prefix, ref = "var_", record["baseType"]
        constraint = self.d.type_constraint(ref)
        if name in shared:
            letter, _, derive = shared[name].partition(":")
            if derive:
                constraint = f'Derived("{letter}", {derive}, "{derive.replace("_", " ")}")'
            else:
                constraint = f'variable("{letter}", {constraint})'
        return f"{prefix}{what}_def({constraint})"

    def attribute(self, ref: Record, python: str, name: str) -> str:
        """The definition of one property."""
        record = self.d[ref]
        kinds = record["!superclasses"]
        constraint = self.d.attr_constraint(ref)
        extra = f', prop_name="{name}"' if python != name else ""
        optional = "OptionalAttr" in kinds or ref["def"] == "UnitAttr"
        if "DefaultValuedAttr" in kinds:
            return f"opt_prop_def({constraint}, default_value={self.d.default(ref)}{extra})"
        return f"{'opt_prop_def' if optional else 'prop_def'}({constraint}{extra})".replace(
            "(, ", "("
        )

    @property
    def bases(self) -> str:
        """The base classes of an op that shares its definition with no other."""
        return "OpRow" if self.format is None else "OpRow, AssemblyOp"

    def row(self, base: str) -> str:
        """The class of an op that `base` defines."""
        return f'class {self.cls}({base}, op="{self.name}"): ...'

    def body(self) -> str:
        """The body of the Python class without its name."""
        record = self.record
        lines: list[str] = []
        shared = self.same_types()
        renamed: dict[str, str] = {}
        enums: dict[str, str] = {}
        pointers: set[str] = set()
        groups = 0
        for ref, name in record["arguments"]["args"]:
            python = self.python_name(name)
            if self.is_value(ref):
                lines.append(f"    {python} = {self.value(ref, name, shared, 'operand')}")
                renamed[name] = python
                kinds = self.d.kinds(ref)
                groups += "Optional" in kinds or "Variadic" in kinds
                if not ("Optional" in kinds or "Variadic" in kinds):
                    cpp = self.d[ref].get("cppType", "")
                    if cpp == "::mlir::LLVM::LLVMPointerType":
                        pointers.add(name)
            else:
                lines.append(f"    {python} = {self.attribute(ref, python, name)}")
                if enum := self.d.keyword_enum(ref):
                    enums[name] = enum
        for ref, name in record["results"]["args"]:
            python = self.python_name(name)
            renamed[name] = python
            lines.append(f"    {python} = {self.value(ref, name, shared, 'result')}")
            if self.d[ref].get("cppType", "") == "::mlir::LLVM::LLVMPointerType":
                pointers.add(name)
        for _, name in record["regions"]["args"]:
            lines.append(f"    {name} = region_def()")
        for ref, name in record["successors"]["args"]:
            variadic = "VariadicSuccessor" in self.d.kinds(ref)
            lines.append(f"    {name} = {'var_' if variadic else ''}successor_def()")
        if self.format is not None:
            format_ = self._format(renamed, enums, pointers)
            if groups > 1 and "type(operands)" in format_:
                values = [a[1] for a in record["arguments"]["args"] if self.is_value(a[0])]
                listed = ", ".join(f"type(${renamed[v]})" for v in values)
                format_ = format_.replace(
                    "type(operands)", f"custom<OperandTypes{len(values)}>({listed})"
                )
            lines.append(f"    FORMAT: ClassVar[str] = {json.dumps(format_)}")
        options: list[str] = []
        traits = {self.d[t].get("trait") or t["def"] for t in record["traits"]}
        if "AttrSizedOperandSegments" in traits:
            options.append("AttrSizedOperandSegments(as_property=True)")
        if "::mlir::OpTrait::SameVariadicOperandSize" in traits:
            options.append("SameVariadicOperandSize()")
        if options:
            lines.append(f"    irdl_options = ({', '.join(options)},)")
        names: list[str] = []
        if "Pure" in traits:
            names.append("Pure()")
        if "IsTerminator" in traits:
            names.append("IsTerminator()")
        if "IsCommutative" in traits:
            names.append("Commutative()")
        if any(
            "SymbolOpInterface" in str(self.d[t].get("cppInterfaceName")) for t in record["traits"]
        ):
            names.append("SymbolOpInterface()")
        if "SymbolTable" in traits:
            names.append("SymbolTable()")
        if "NoTerminator" in traits:
            names.append("NoTerminator()")
        if names:
            lines.append(f"    traits = traits_def({', '.join(names)})")
        verifier = (LLVM_VERIFIERS | NVVM_VERIFIERS).get(self.name)
        if verifier is not None:
            lines.append(f"\n    def verify_(self) -> None:\n        verifiers.{verifier}(self)")
        return "\n".join(lines)

    def _format(self, renamed: dict[str, str], enums: dict[str, str], pointers: set[str]) -> str:
        text = " ".join((self.format or "").split())
        text = re.sub(r"qualified\(type\((\$\w+)\)\)", r"type( \1)", text)

        def stripped(m: re.Match[str]) -> str:
            return f"custom<StrippedPointer>(type(${m[1]}))" if m[1] in pointers else m[0]

        text = re.sub(r"(?<!functional-)type\(\$(\w+)\)", stripped, text)
        text = text.replace("type( $", "type($")

        def variable_name(m: re.Match[str]) -> str:
            name = m[1]
            if name in enums:
                return f"custom<{enums[name]}>(${name})"
            return f"${renamed.get(name, name)}"

        return re.sub(r"\$(\w+)", variable_name, text)


HEADER = '''"""{title}, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; {segmented}
"""

from __future__ import annotations

from typing import ClassVar

{imports}
'''


def imports_for(body: str, dialect: str) -> str:
    """The import lines that a module body needs."""

    def used(names: list[str]) -> list[str]:
        return [n for n in names if re.search(rf"\b{n}\b", body)]

    import nvvm_xdsl.dialects.constraints as constraints

    sources: list[tuple[str, list[str]]] = [
        (
            "xdsl.dialects.builtin",
            ["ArrayAttr", "StringAttr", "SymbolNameConstraint", "SymbolRefAttr", "UnitAttr"],
        ),
        (
            "xdsl.dialects.llvm",
            [
                "CallingConventionAttr",
                "FastMathAttr",
                "LinkageAttr",
                "TailCallKind",
                "TailCallKindAttr",
            ],
        ),
        (
            "xdsl.irdl",
            [
                "AttrSizedOperandSegments",
                "ParsePropInAttrDict",
                "SameVariadicOperandSize",
                "operand_def",
                "opt_operand_def",
                "opt_prop_def",
                "opt_result_def",
                "prop_def",
                "region_def",
                "result_def",
                "successor_def",
                "traits_def",
                "var_operand_def",
                "var_result_def",
                "var_successor_def",
            ],
        ),
        (
            "xdsl.traits",
            [
                "Commutative",
                "IsTerminator",
                "NoTerminator",
                "Pure",
                "SymbolOpInterface",
                "SymbolTable",
            ],
        ),
        ("nvvm_xdsl.dialects.llvm", ["types"]),
        ("nvvm_xdsl.dialects.llvm.types", ["int_attr"]),
        ("nvvm_xdsl.dialects.assembly", ["AssemblyOp"]),
        ("nvvm_xdsl.dialects.op_rows", ["OpRow", "defined_in"]),
        ("nvvm_xdsl.dialects.defaults", ["FALSE", "NO_FASTMATH", "TRUE"]),
        (
            "nvvm_xdsl.dialects.constraints",
            [n for n in vars(constraints) if not n.startswith("_")],
        ),
    ]
    own = sorted(set(re.findall(r"\b[A-Z]\w+Attr\b", body)))
    known = {n for _, names in sources for n in names}
    # Names that another source provides are not imported a second time.
    own = [n for n in own if n not in known]
    enums = sorted({n for n in re.findall(r"\w+Attr\((\w+)\.", body) if n not in known})
    llvm_attrs = [n for n in own if dialect == "llvm" or n == "ConstantRangeAttr"]
    enum_attrs = [n for n in own if n in NVVM_ENUM_ATTRS]
    nvvm_attrs = [n for n in own if n not in llvm_attrs and n not in enum_attrs]
    for prefix, classes in STRUCT_TABLES.items():
        module = f"nvvm_xdsl.dialects.{prefix}.struct_attributes"
        names = {cls.__name__ for cls in classes}
        sources.append((module, [n for n in own if n in names]))
        llvm_attrs = [n for n in llvm_attrs if n not in names]
        nvvm_attrs = [n for n in nvvm_attrs if n not in names]
    sources.append(("nvvm_xdsl.dialects.llvm.attributes", llvm_attrs))
    sources.append(("nvvm_xdsl.dialects.nvvm.attributes", nvvm_attrs))
    sources.append(("nvvm_xdsl.dialects.nvvm.enum_attributes", enum_attrs))
    sources.append(("nvvm_xdsl.dialects.generated.nvvm_enums", enums))
    sources.append((f"nvvm_xdsl.dialects.{dialect}", ["verifiers"]))
    lines: list[str] = []
    seen: set[str] = set()
    for module, names in sources:
        names = [n for n in used(names) if n not in seen and not n.startswith("annotations")]
        seen.update(names)
        if names:
            lines.append(f"from {module} import {', '.join(names)}")
    return "\n".join(lines)


def write_module(path: Path, title: str, ops: list[Op], dialect: str) -> None:
    """Writes one module of op classes: shared bases, ops with separate bodies, and rows."""
    alike: dict[tuple[str, str], list[Op]] = {}
    for op in ops:
        alike.setdefault((op.bases, op.body()), []).append(op)
    classes: list[str] = []
    rows: list[tuple[str, str]] = []
    for (bases, body), group in alike.items():
        first = group[0]
        if len(group) > 1:
            name, summary = SHARED[first.cls]
            classes.append(f'class {name}({bases}):\n    """{summary}."""\n\n{body}\n')
            rows += ((op.name, op.row(name)) for op in group)
        elif body:
            classes.append(f'class {first.cls}({bases}, op="{first.name}"):\n{body}\n')
        else:
            rows.append((first.name, first.row(bases)))
    table = "\n".join(row for _, row in sorted(rows))
    segmented = [
        op.name
        for op in ops
        if any(op.d[t].get("trait") == "AttrSizedOperandSegments" for t in op.record["traits"])
    ]
    if segmented:
        sentence = (
            "these need `operandSegmentSizes` among their\nproperties: "
            + ", ".join(f"`{n}`" for n in segmented)
            + "."
        )
    else:
        sentence = "no op here needs `operandSegmentSizes`."
    text = "\n\n".join(classes)
    if rows:
        text += f"\n\n# fmt: off\n{table}\n# fmt: on\n"
    text += "\n\nOPS = defined_in(globals(), OpRow)\n"
    header = HEADER.format(title=title, segmented=sentence, imports=imports_for(text, dialect))
    path.write_text(wrap_docstring(header) + "\n\n" + text)


def wrap_docstring(text: str) -> str:
    """Breaks the overlong lines of a module docstring."""
    out: list[str] = []
    for line in text.split("\n"):
        while len(line) > 96 and not line.startswith("from "):
            cut = line.rfind(" ", 0, 96)
            out.append(line[:cut])
            line = line[cut + 1 :]
        out.append(line)
    return "\n".join(out)


def write_index(path: Path, title: str, modules: dict[str, list[str]], dialect: str) -> None:
    """Writes the module that exports every op class."""
    lines = [
        f'"""{title}, by name."""\n',
        "# The imports are the module's contents.",
        "# ruff: noqa: F401",
        "# pyright: reportUnusedImport=false",
    ]
    for module, names in modules.items():
        written = module in OP_TABLES or module in BY_HAND[dialect]
        home = f"{dialect}.{module}" if written else f"generated.{dialect}_{module}"
        lines.append(f"from nvvm_xdsl.dialects.{home} import (")
        lines += [f"    {name}," for name in names]
        lines.append(")")
    every = [name for names in modules.values() for name in names]
    assert len(every) == len(set(every)), "two op classes have one name"
    path.write_text("\n".join(lines) + "\n")


def llvm_module(name: str, record: Record, d: Definitions) -> str:
    """The module of an llvm op."""
    short = name.removeprefix("llvm.intr.")
    if short == name:
        return "core_ops"
    if short.startswith(("vp.", "experimental.vp.")):
        return "vp_ops"
    if short.startswith(("vector.", "masked.", "matrix.", "stepvector", "get.active")):
        return "vector_ops"
    if short.startswith(("coro.", "experimental.", "eh.", "dbg.", "annotation", "ptr.", "var.")):
        return "tooling_ops"
    if any(a[1] == "fastmathFlags" for a in record["arguments"]["args"]):
        return "math_ops"
    return "intrinsic_ops"


def nvvm_module(name: str) -> str:
    """The module of an nvvm op."""
    short = name.removeprefix("nvvm.")
    if short.startswith("read.ptx.sreg"):
        return "sreg_ops"
    if short.startswith("tcgen05"):
        return "tcgen05_ops"
    if short.startswith(("wgmma", "wmma", "mma", "ldmatrix", "stmatrix", "cp.async.bulk")):
        return "tensor_ops"
    if short.startswith("convert"):
        return "convert_ops"
    return "core_ops"


def write_enums(d: Definitions, path: Path) -> None:
    """Writes the enumerations of the nvvm dialect."""
    lines = ['"""Enumerations of MLIR\'s NVVM dialect, written by `dev.generate_ops`."""\n']
    lines.append("from xdsl.utils.str_enum import StrEnum\n")
    written: set[str] = set()
    for attribute in enum_attributes(d):
        enum = d.enum_of(attribute)
        cls = enum["className"]
        if cls in written:
            continue
        written.add(cls)
        lines.append(f"\nclass {cls}(StrEnum):")
        lines.append(f'    """{enum["summary"]}."""\n')
        for case in (d[c] for c in enum["enumerants"]):
            lines.append(f'    {screaming(case["symbol"])} = "{case["str"]}"')
        lines.append("")
    path.write_text("\n".join(lines))


def enum_attributes(d: Definitions) -> list[Record]:
    """The dialect's attributes that are enumerants."""
    found = [d[n] for n in sorted(d.records["!instanceof"]["EnumAttr"])]  # type: ignore[index]
    return [record for record in found if record["dialect"]["def"] == d.dialect]


def write_llvm_enums(d: Definitions, path: Path) -> None:
    """Writes the integer enumerations of the llvm dialect."""
    lines = [
        '"""Integer enumerations of MLIR\'s LLVM dialect: keyword to value.',
        "",
        "Written by `dev.generate_ops`. A property of such a type is an i64 attribute.",
        '"""\n',
        "ENUMS: dict[str, dict[str, int]] = {",
    ]
    for name in sorted(d.records["!instanceof"]["I64EnumAttr"]):  # type: ignore[index]
        record = d[name]
        cases = {c["str"]: c["value"] for c in (d[r] for r in record["enumerants"])}
        lines.append(f'    "{record["className"]}": {json.dumps(cases)},')
    lines.append("}")
    path.write_text("\n".join(lines) + "\n")


def differing_ops(ops: list[Op], rows: Iterable[type[IRDLOperation]]) -> list[str]:
    """The ops whose row has another class name, other operands, properties or results."""

    def shape(cls: type[IRDLOperation]) -> tuple[str, set[str], set[str]]:
        found = cls.get_irdl_definition()
        return cls.__name__, {n for n, _ in found.operands + found.results}, {*found.properties}

    table = {cls.name: shape(cls) for cls in rows}
    wanted: dict[str, tuple[str, set[str], set[str]]] = {}
    for op in ops:
        values: set[str] = {result[1] for result in op.record["results"]["args"]}
        properties: set[str] = set()
        for ref, name in op.record["arguments"]["args"]:
            (values if op.is_value(ref) else properties).add(name)
        wanted[op.name] = op.cls, values, properties
    return [n for n in wanted | table if wanted.get(n) != table.get(n)]


def differing_enums(d: Definitions) -> list[str]:
    """The enumeration attributes whose row has another class name, enumeration or form."""
    table = {
        cls.name: (cls.__name__, cls.enum_type.__name__, issubclass(cls, AngledEnum))
        for cls in ENUM_ATTRIBUTES
        if issubclass(cls, EnumRow)
    }
    wanted = {
        f"{d.prefix}.{record['mnemonic']}": (
            record["cppClassName"],
            d.enum_of(record)["className"],
            "`<`" in record["assemblyFormat"],
        )
        for record in enum_attributes(d)
    }
    return [n for n in wanted | table if wanted.get(n) != table.get(n)]


def differing_structs(d: Definitions) -> list[str]:
    """The attributes with assembly `<` struct(params) `>` whose row has other fields."""

    def may_be_left_out(ref: Record | str) -> bool:
        if isinstance(ref, str):
            return False
        if "LLVM_DIParameter" in d.kinds(ref):
            return d[ref]["defaultValue"] != ""
        return any("Optional" in k or "DefaultValued" in k for k in d.kinds(ref))

    table = {
        cls.name: (cls.__name__, [(field.name, field.optional) for field in cls.FIELDS])
        for cls in STRUCT_TABLES[d.prefix]
    }
    wanted: dict[str, tuple[str, list[tuple[str, bool]]]] = {}
    for record in (d[n] for n in d.records["!instanceof"]["AttrDef"]):  # type: ignore[index]
        form = " ".join((record["assemblyFormat"] or "").split())
        if record["dialect"]["def"] == d.dialect and form == "`<` struct(params) `>`":
            fields = [(name, may_be_left_out(ref)) for ref, name in record["parameters"]["args"]]
            wanted[f"{d.prefix}.{record['mnemonic']}"] = record["cppClassName"], fields
    by_hand = {"llvm.tbaa_type_desc"}
    return [n for n in wanted | table if wanted.get(n) != table.get(n) and n not in by_hand]


def _format(files: list[str]) -> None:
    """Sorts imports and formats files with the project's settings; the files need not be in the
    project."""
    root = Path(__file__).parent.parent
    config = ["-q", "--config", str(root / "pyproject.toml")]
    compact = ["--config", "format.skip-magic-trailing-comma=true"]
    ruff = [sys.executable, "-m", "ruff"]
    check = [*ruff, "check", *config, "--fix", "--select", "I,F401,RUF022", *files]
    subprocess.run(check, check=False, cwd=root)
    subprocess.run([*ruff, "format", *config, *compact, *files], check=True, cwd=root)


def main(paths: list[str]) -> None:
    """Writes all modules from the three dumps in `paths`, and prints the rows that differ."""
    core = Definitions(Path(paths[0]), "llvm", "LLVM_Dialect")
    intrinsics = Definitions(Path(paths[1]), "llvm", "LLVM_Dialect")
    nvvm = Definitions(Path(paths[2]), "nvvm", "NVVM_Dialect")
    stock = {op.name for op in STOCK_LLVM.operations if op.__module__.startswith("xdsl.")}
    titles = {
        "core_ops": "Ops of the {} dialect",
        "math_ops": "Floating-point intrinsics of the llvm dialect",
        "intrinsic_ops": "Intrinsics of the llvm dialect",
        "tooling_ops": "Intrinsics of the llvm dialect for debuggers, coroutines and annotations",
        "vector_ops": "Vector intrinsics of the llvm dialect",
        "tensor_ops": "Matrix and bulk copy ops of the nvvm dialect",
        "tcgen05_ops": "Fifth-generation tensor core ops of the nvvm dialect",
        "convert_ops": "Conversions of the nvvm dialect",
    }
    write_enums(nvvm, GENERATED / "nvvm_enums.py")
    write_llvm_enums(core, GENERATED / "llvm_enums.py")
    found: dict[str, dict[str, list[Op]]] = {"llvm": {}, "nvvm": {}}
    for d in (core, intrinsics, nvvm):
        for record in d.ops():
            op = Op(d, record)
            if op.name in HAND_WRITTEN or op.name in stock:
                continue
            module = nvvm_module(op.name) if d is nvvm else llvm_module(op.name, record, d)
            found[d.prefix].setdefault(module, []).append(op)
    differing = [*differing_enums(nvvm), *differing_structs(core), *differing_structs(nvvm)]
    for dialect, modules in found.items():
        for module, ops in modules.items():
            if module in OP_TABLES:
                differing += differing_ops(ops, OP_TABLES[module])
                continue
            path = GENERATED / f"{dialect}_{module}.py"
            write_module(path, titles[module].format(dialect), ops, dialect)
        names = {module: [op.cls for op in ops] for module, ops in modules.items()}
        write_index(
            DIALECTS / dialect / "ops.py",
            f"Every op class of MLIR's {dialect} dialect that xDSL lacks",
            names | BY_HAND[dialect],
            dialect,
        )
    files = [
        str(p) for p in (GENERATED, DIALECTS / "llvm" / "ops.py", DIALECTS / "nvvm" / "ops.py")
    ]
    _format(files)
    for name in differing:
        print(f"{name}: its row is not as MLIR defines it")


if __name__ == "__main__":
    main(sys.argv[1:])
