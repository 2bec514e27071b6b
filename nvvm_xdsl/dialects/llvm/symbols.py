"""Functions and globals of a module by name, and references between them."""

from __future__ import annotations

from collections.abc import Container, Iterator

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    BitcastOp,
    CallOp,
    FuncOp,
    GlobalOp,
    LinkageAttr,
    ReturnOp,
)
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute

from nvvm_xdsl.dialects.generated.llvm_core_ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.accessors import callee_of, global_name, is_direct_call, symbol_name
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of

LOCAL_LINKAGE = frozenset({"internal", "private"})
"""Linkages of symbols that are invisible to other modules."""

DECLARED_LINKAGE = frozenset({"external", "extern_weak"})
"""Linkage of variables that another module may define."""
STRONG_LINKAGE = LOCAL_LINKAGE | {"external"}
"""Linkage of definitions that the linker does not replace."""

WEAK_LINKAGE = frozenset({"weak", "weak_odr", "linkonce", "linkonce_odr"})
"""Linkage of definitions of which the linker keeps one."""

DISCARDABLE_LINKAGE = LOCAL_LINKAGE | {"linkonce", "linkonce_odr", "available_externally"}
"""Linkages of symbols that may be dropped if this module does not use them."""

INTERPOSABLE_LINKAGE = frozenset({"weak", "linkonce", "common", "extern_weak"})
"""Linkage of definitions that need not be the ones that run: the linker may choose another with
different semantics (`GlobalValue::isInterposableLinkage`)."""

DEREFINABLE_LINKAGE = frozenset({"linkonce_odr", "weak_odr", "available_externally"})
"""Linkages of definitions that may be replaced at link time with a differently optimized one of the
same source semantics (`GlobalValue::mayBeDerefined`).
"""


def symbols_of(module: ModuleOp) -> dict[str, Operation]:
    """The module's functions, globals and aliases by name."""
    body = module.regions[0].first_block
    found: dict[str, Operation] = {}
    if body is not None:
        for op in fast.ops_of(body):
            name = symbol_name(op)
            if name is not None:
                found[name] = op
    return found


def fresh_name(name: str, taken: Container[str]) -> str:
    """The name if it is unused, else the name with the first number that makes it unique."""
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}.{number}"
    return found


def linkage_of(op: Operation) -> str:
    """The linkage keyword of a function, global or alias; `external` if none is stated."""
    linkage = op.properties.get("linkage")
    return linkage.linkage.data if isinstance(linkage, LinkageAttr) else "external"


def is_declaration(op: Operation) -> bool:
    """Returns True if another module defines a function or variable.

    A variable without an initializer and with other linkage than `DECLARED_LINKAGE` contains
    undefined bytes, as in MLIR's translation to LLVM IR.
    """
    if not op.regions or op.regions[0].first_block is not None:
        return False
    return type(op) is FuncOp or (
        type(op) is GlobalOp and "value" not in op.properties and linkage_of(op) in DECLARED_LINKAGE
    )


def is_definition_exact(op: Operation) -> bool:
    """Returns whether this definition is the one that runs (`GlobalValue::isDefinitionExact`)."""
    linkage = linkage_of(op)
    return linkage not in INTERPOSABLE_LINKAGE and linkage not in DEREFINABLE_LINKAGE


def aliased_symbol(alias: Operation) -> str | None:
    """The symbol whose address an `llvm.mlir.alias` names; None for another expression."""
    name = None
    for op in walk_function(alias):
        if type(op) is AddressOfOp and name is None:
            name = global_name(op)
        elif type(op) not in (AddrSpaceCastOp, BitcastOp, ReturnOp):
            return None
    return name


def walk_function(func: Operation) -> Iterator[Operation]:
    """The ops of a function or global initializer in block order."""
    return fast.ops_inside(func)


def calls_in(func: FuncOp) -> Iterator[CallOp]:
    """The direct calls that a function makes."""
    for op in walk_function(func):
        if type(op) is CallOp and is_direct_call(op):
            yield op


_MOST_KNOWN = 4000
_known_names: dict[int, tuple[Attribute, frozenset[str]]] = {}
"""Keyed by the identity of an attribute, which is kept alive so that the identity is not reused:
each pass that searches for used symbols queries the same types and lists of attributes.
"""


def _names_in(attribute: Attribute) -> frozenset[str]:
    """The names of symbols in an attribute."""
    known = _known_names.get(id(attribute))
    if known is not None:
        return known[1]
    found: set[str] = set()
    if isinstance(attribute, SymbolRefAttr):
        found.add(attribute.root_reference.data)
    elif type(attribute) is ArrayAttr:
        for item in items_of(attribute):
            found |= _names_in(item)
    elif isinstance(attribute, DictionaryAttr):
        for item in attribute.data.values():
            found |= _names_in(item)
    elif isinstance(attribute, ParametrizedAttribute) and not isinstance(attribute, LinkageAttr):
        for item in attribute.parameters:
            found |= _names_in(item)
    if len(_known_names) >= _MOST_KNOWN:
        _known_names.clear()
    names = frozenset(found)
    _known_names[id(attribute)] = attribute, names
    return names


_NO_SYMBOLS = frozenset(
    {
        "value",
        "linkage",
        "CConv",
        "function_type",
        "fastmathFlags",
        "overflowFlags",
        "predicate",
        # Metadata is large, and every load and store has some.
        "tbaa",
        "alias_scopes",
        "noalias_scopes",
        "access_groups",
        "loop_annotation",
    }
)


_WITHOUT_SYMBOLS = frozenset(
    f"llvm.{name}"
    for name in (
        "add sub mul sdiv udiv srem urem and or xor shl lshr ashr fadd fsub fmul fdiv frem fneg icmp fcmp "
        "select trunc zext sext fptrunc fpext fptosi fptoui sitofp uitofp bitcast addrspacecast ptrtoint "
        "inttoptr getelementptr load store extractvalue insertvalue extractelement insertelement br cond_br "
        "return alloca"
    ).split()
)
"""Ops whose properties refer to no function or global."""


def references_of(symbol: Operation) -> set[str]:
    """The names that a function or global refers to, by calls, addresses or attributes."""
    found: set[str] = set()
    for key, attribute in (*symbol.properties.items(), *symbol.attributes.items()):
        if key not in ("sym_name", "linkage", "CConv", "function_type", "global_type"):
            found |= _names_in(attribute)
    for op in walk_function(symbol):
        if op.name in _WITHOUT_SYMBOLS and not op.attributes:
            continue
        cls = type(op)
        if cls is CallOp:
            name = callee_of(op)
            if name is not None:
                found.add(name)
        elif cls is AddressOfOp:
            found.add(global_name(op))
        elif op.attributes or op.properties:
            for key, attribute in op.properties.items():
                if key not in _NO_SYMBOLS and type(attribute) not in _PLAIN:
                    found |= _names_in(attribute)
            for attribute in op.attributes.values():
                if type(attribute) not in _PLAIN:
                    found |= _names_in(attribute)
    return found


def _plain_classes() -> frozenset[type[Attribute]]:
    from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, IntegerType, UnitAttr
    from xdsl.dialects.llvm import LLVMPointerType

    return frozenset(
        {DenseArrayBase, FloatAttr, IntegerAttr, IntegerType, UnitAttr, StringAttr, LLVMPointerType}
    )


_PLAIN = _plain_classes()


def is_symbol(op: Operation) -> bool:
    """Returns True if the op is a function or a global variable."""
    return isinstance(op, (FuncOp, GlobalOp))


def entry_of(func: FuncOp) -> Block:
    """The entry block of a function with a body."""
    entry = func.regions[0].first_block
    assert entry is not None
    return entry


def module_of(op: Operation) -> ModuleOp | None:
    """The module that contains the op, or None for a detached op."""
    at: Operation | None = op
    while at is not None and not isinstance(at, ModuleOp):
        at = at.parent_op()
    return at


def functions_of(module: ModuleOp) -> Iterator[FuncOp]:
    """The functions with a body, in order."""
    body = module.regions[0].first_block
    if body is None:
        return
    for op in fast.ops_of(body):
        if isinstance(op, FuncOp) and op.regions[0].first_block is not None:
            yield op
