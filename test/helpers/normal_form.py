"""Modules as lists of lines that are independent of the order of constants.

Two readers of LLVM IR place the constants of a function in different orders. With constants printed at their
uses, equal functions are equal line by line.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

CONSTANTS = frozenset(
    {
        "llvm.mlir.constant",
        "llvm.mlir.zero",
        "llvm.mlir.undef",
        "llvm.mlir.poison",
        "llvm.mlir.addressof",
    }
)
PURE = CONSTANTS | {
    "llvm.addrspacecast",
    "llvm.add",
    "llvm.bitcast",
    "llvm.getelementptr",
    "llvm.insertelement",
    "llvm.insertvalue",
    "llvm.inttoptr",
    "llvm.ptrtoint",
    "llvm.sub",
}
"""Ops of constant expressions."""

NAMELESS = frozenset({"llvm.mlir.global_ctors", "llvm.mlir.global_dtors", "llvm.module_flags"})


class _Function:
    def __init__(self, region: Region) -> None:
        self.lines: list[str] = []
        self.values: dict[SSAValue, str] = {}
        self.blocks: dict[Block, str] = {}
        self._region = region

    def run(self) -> list[str]:
        for number, block in enumerate(self._region.blocks):
            self.blocks[block] = f"^{number}"
            for index, argument in enumerate(block.args):
                self.values[argument] = f"%{number}.{index}"
        for block in self._region.blocks:
            types = ", ".join(str(a.type) for a in block.args)
            self.lines.append(f"{self.blocks[block]}({types}):")
            for op in block.ops:
                self._op(op)
        return self.lines

    def _spell(self, value: SSAValue) -> str:
        found = self.values.get(value)
        return "forward" if found is None else found

    def _op(self, op: Operation) -> None:
        operands = [self._spell(v) for v in op.operands]
        text = f"{op.name}({', '.join(operands)}){attributes_of(op)}"
        if op.successors:
            text += " -> " + ", ".join(self.blocks[b] for b in op.successors)
        types = ", ".join(str(r.type) for r in op.results)
        if op.name in PURE and all(o[0] == "{" for o in operands):
            self.values[op.results[0]] = "{" + f"{text} : {types}" + "}"
            return
        for index, result in enumerate(op.results):
            self.values[result] = f"%v{len(self.lines)}" + (f"#{index}" if index else "")
        self.lines.append(f"{text} : {types}")


def attributes_of(op: Operation) -> str:
    """Properties and attributes in the order of their names, without defaults."""
    entries: dict[str, Attribute] = {**op.attributes, **op.properties}
    listed = entries.get("passthrough")
    if isinstance(listed, ArrayAttr):
        entries["passthrough"] = ArrayAttr(sorted(listed, key=str))
    kept = [f"{name} = {entries[name]}" for name in sorted(entries) if not _default(entries[name])]
    return " {" + ", ".join(kept) + "}" if kept else ""


def _default(value: Attribute) -> bool:
    text = str(value)
    if isinstance(value, ArrayAttr):
        return all(isinstance(v, DictionaryAttr) and not v.data for v in value)
    return text in (
        "0 : i64",
        "#llvm.fastmath<none>",
        "#llvm.cconv<ccc>",
        "#llvm.tailcallkind<none>",
        "array<i32>",
        "#llvm.overflow<none>",
        "0 : i32",
    )


def name_of(op: Operation) -> str:
    """The symbol that an op at the top of a module defines, or its name."""
    name = op.properties.get("sym_name")
    return f"@{name.data}" if isinstance(name, StringAttr) else op.name


def normal_form(module: ModuleOp) -> dict[str, list[str]]:
    """Lines for each symbol of the module."""
    found: dict[str, list[str]] = {}
    for op in module.body.block.ops:
        lines = [f"{op.name}{attributes_of(op)}"]
        for region in op.regions:
            if op.name == "llvm.comdat":
                lines += sorted(attributes_of(o) for o in region.block.ops)
            else:
                lines += _Function(region).run()
        found[name_of(op)] = lines
    return found
