"""Calls: stores of arguments, the call, and loads of results become one op.

    .param .b32 param0;
    st.param.b32 [param0], %r1;
    .param .b32 retval0;                  ->   %r2 = nvptx.call @f(%r1)
    call (retval0), f, (param0);
    ld.param.b32 %r2, [retval0];

PTX ISA 9.1, section 7.1. Arguments and results may be registers in the text, too, also several results,
vectors and predicates: without the ABI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.from_ptx.body import Body
from nvvm_xdsl.codegen.from_ptx.parameters import (
    Parameter,
    RegisterPiece,
    parse_parameters,
    parse_results,
)
from nvvm_xdsl.codegen.from_ptx.recipes import (
    SYMBOL,
    VECTOR,
    Entry,
    class_of,
    is_predicate,
    is_register,
)
from nvvm_xdsl.codegen.from_ptx.variables import element_of
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.dialects.nvptx.calls import call
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import ParamAttr, PieceAttr, param, piece
from nvvm_xdsl.dialects.nvptx.instructions import LAYOUT, PTX_COUNT
from nvvm_xdsl.dialects.nvptx.operands import REG, Slot, fimm, imm, layout, sym
from nvvm_xdsl.dialects.nvptx.registers import B16, RegisterClass
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.operands import (
    Atom,
    Brackets,
    Expression,
    Float,
    Parentheses,
    Sink,
    SymbolValue,
    Tree,
    Vector,
    constant,
    operand_trees,
    split_atoms,
)


@dataclass
class PendingStore:
    """The stores to parameters before the call.

    Arguments:
        offset: the offset in the parameter in bytes.
        type_: the type of the store, such as `v2.b32`.
        slots: the operand slots of the values.
        values: the values in registers, in order.
    """

    offset: int
    type_: str
    slots: list[Slot]
    values: list[SSAValue]


@dataclass
class CallVariable:
    """A `.param` variable within a function.

    `results` are the registers of a call's results for loads, by their op, that do not follow the
    call immediately.
    """

    name: str
    attribute: ParamAttr
    stores: list[PendingStore] = field(default_factory=list[PendingStore])
    loaded: set[Operation] = field(default_factory=set[Operation])
    results: dict[Operation, list[SSAValue]] = field(
        default_factory=dict[Operation, "list[SSAValue]"]
    )

    @classmethod
    def of(cls, op: ptx.VariableOp) -> Self:
        """The variable that an op declares. Raises ValueError."""
        type_, lanes = element_of(op)
        if lanes > 1:
            raise ValueError("a parameter cannot be a vector")
        count = op.number("count")
        if count == 0:
            raise ValueError(f"the parameter '{op.text('symbol')}' has no size")
        attribute = param(type_, count or 0, op.number("align") or 0)
        return cls(op.text("symbol"), attribute)

    def store(
        self,
        at: Body,
        opcode: str,
        trees: Sequence[Tree],
        atoms: list[str],
        entries: Sequence[Entry],
    ) -> None:
        """Folds `st.param` into the variable. Raises ValueError."""
        if len(trees) != 2:
            raise ValueError(f"'{opcode}' takes 2 operands")
        place, source = trees
        type_ = _access_type(opcode)
        elements = source.elements if isinstance(source, Vector) else (source,)
        _check_lanes(type_, elements, opcode)
        slots: list[Slot] = []
        values: list[SSAValue] = []
        for element in elements:
            slots.append(_argument(at, element, type_, atoms, entries, values))
        self.stores.append(PendingStore(_offset(place, atoms), type_, slots, values))

    def load(
        self,
        at: Body,
        opcode: str,
        trees: Sequence[Tree],
        atoms: list[str],
        entries: Sequence[Entry],
    ) -> None:
        """Replaces `ld.param` from the variable by the call's result. Raises ValueError."""
        op = at.op
        if op in self.loaded:
            return
        held = self.results.get(op)
        if held is None:
            raise ValueError(f"nothing was returned in '{self.name}'")
        for value, element in zip(held, _targets(trees, opcode)):
            if isinstance(element, Atom):
                type_ = entries[element.index].type_
                bare = type_.unallocated
                mov = "mov.pred" if bare.width == 1 else f"mov.{bare.ptx_type}"
                at.emit(mov, (value,), (type_,))


def _access_type(opcode: str) -> str:
    words = opcode.split(".")[2:]
    words = [w for w in words if w not in ("volatile", "weak")]
    if not words or len(words) > 2 or (len(words) == 2 and words[0] not in ("v2", "v4", "v8")):
        raise ValueError(f"'{opcode}' is not an access to a call's parameter")
    bits_of(words[-1])
    return ".".join(words)


def _check_lanes(type_: str, elements: Sequence[Tree], opcode: str) -> None:
    lanes = int(type_[1]) if type_[0] == "v" else 1
    if lanes != len(elements):
        raise ValueError(f"'{opcode}' takes {lanes} registers, not {len(elements)}")


def _offset(place: Tree, atoms: Sequence[str]) -> int:
    if isinstance(place, Brackets) and len(place.elements) == 1:
        value = constant(place.elements[0], atoms)
        if isinstance(value, SymbolValue):
            return value.offset
    raise ValueError("a call's parameter is accessed at a constant offset")


def _targets(trees: Sequence[Tree], opcode: str) -> Sequence[Tree]:
    if len(trees) != 2:
        raise ValueError(f"'{opcode}' takes 2 operands")
    elements = trees[0].elements if isinstance(trees[0], Vector) else (trees[0],)
    _check_lanes(_access_type(opcode), elements, opcode)
    return elements


def _argument(
    at: Body,
    tree: Tree,
    type_: str,
    atoms: Sequence[str],
    entries: Sequence[Entry] | Mapping[int, Entry],
    values: list[SSAValue],
) -> Slot:
    """The slot of a passed value; a register is added to `values`."""
    if isinstance(tree, Atom) and is_register(entries[tree.index]):
        values.append(entries[tree.index].value)
        return REG
    if not isinstance(tree, (Atom, Expression)):
        raise ValueError("an argument must be a register or a constant")
    value = constant(tree, atoms)
    if isinstance(value, int):
        return imm(value)
    if isinstance(value, Float):
        scalar = type_.rpartition(".")[2]
        if scalar in ("f32", "f64"):
            value = value.resized(bits_of(scalar))
        return fimm(value.bits, value.width)
    return sym(at.symbol_of(value), value.offset)


def _bare(attribute: ParamAttr) -> ParamAttr:
    return param(attribute.type_, attribute.count, attribute.align)


@dataclass
class _Results:
    """The results of a call; `written` counts the loads in the text that the call replaces."""

    loads: list[PieceAttr] = field(default_factory=list[PieceAttr])
    types: list[Attribute] = field(default_factory=list[Attribute])
    late: list[tuple[CallVariable, Operation, int, int]] = field(
        default_factory=list["tuple[CallVariable, Operation, int, int]"]
    )
    predicates: list[tuple[Entry, Entry]] = field(default_factory=list["tuple[Entry, Entry]"])
    """Registers that contain a predicate as a byte, and the predicates."""
    written: int = 0


def _call_parts(
    trees: Sequence[Tree], atoms: list[str]
) -> tuple[Atom, Sequence[Tree], Sequence[Tree], str]:
    """The function, arguments, results and prototype of a call. Raises ValueError."""
    rest = list(trees)
    returned: Sequence[Tree] = ()
    first = rest[0] if rest else None
    if isinstance(first, Parentheses):
        rest.pop(0)
        returned = first.elements
    target = rest.pop(0) if rest else None
    if not isinstance(target, Atom):
        raise ValueError("expected the name of a function")
    given: Sequence[Tree] = ()
    if rest:
        arguments = rest.pop(0)
        given = arguments.elements if isinstance(arguments, Parentheses) else (arguments,)
    last = rest[0] if rest else None
    prototype = atoms[last.index] if isinstance(last, Atom) else ""
    return target, given, returned, prototype


def _passed_arguments(
    at: Body,
    given: Sequence[Tree],
    formal: Sequence[Parameter],
    atoms: list[str],
    variables: dict[str, CallVariable],
    slots: list[Slot],
    operands: list[SSAValue],
) -> tuple[list[ParamAttr], list[PieceAttr], int]:
    """The parameters and the stores of the arguments; appends their slots and operands.

    The number is that of the stores to `.param` variables. Raises ValueError.
    """
    params: list[ParamAttr] = []
    stores: list[PieceAttr] = []
    stored = 0
    for number, (tree, parameter) in enumerate(zip(given, formal)):
        variable = variables.get(atoms[tree.index]) if isinstance(tree, Atom) else None
        if variable is not None:
            params.append(variable.attribute)
            for store in variable.stores:
                stores.append(piece(number, store.offset, store.type_))
                slots.extend(store.slots)
                operands.extend(store.values)
            stored += len(variable.stores)
            variable.stores = []
            continue
        attribute = _bare(parameter.attribute)
        params.append(attribute)
        if parameter.registers:
            (register,) = parameter.registers
            stores.append(piece(number, 0, register.access))
            slots.extend(_passed(at, tree, register, atoms, operands))
            continue
        if attribute.count:
            raise ValueError(f"argument {number} must be in a .param variable")
        stores.append(piece(number, 0, attribute.type_))
        entries = _entries_of(at, tree, atoms)
        slots.append(_argument(at, tree, attribute.type_, atoms, entries, operands))
    return params, stores, stored


def make_call(
    at: Body, pending: Sequence[CallVariable], trees: Sequence[Tree], atoms: list[str], uni: bool
) -> None:
    """Appends the call. Raises ValueError and DiagnosticError.

    Arguments:
        pending: the `.param` variables of the scope.
    """
    target, given, returned, prototype = _call_parts(trees, atoms)
    name = atoms[target.index]
    entry = at.entries([name])[0]
    callee: str | None = None
    slots: list[Slot] = []
    operands: list[SSAValue] = []
    if entry.kind == SYMBOL:
        callee = entry.name
        signature = at.module.signature(name)
        if signature is None:
            raise ValueError(f"'{name}' is not a function")
    elif is_register(entry):
        slots.append(REG)
        operands.append(entry.value)
        signature = _prototype(at, prototype)
    else:
        raise ValueError(f"'{name}' cannot be called")
    formal, formal_ret = signature
    if len(given) != len(formal):
        raise ValueError(f"'{name}' takes {len(formal)} arguments, not {len(given)}")
    variables = {v.name: v for v in pending}
    params, stores, stored = _passed_arguments(at, given, formal, atoms, variables, slots, operands)
    found = _Results()
    ret: ParamAttr | None = None
    if returned:
        ret = _returned(at, returned, atoms, variables, formal_ret, found)
    made = call(
        callee,
        operands,
        params,
        stores,
        ret,
        found.loads,
        found.types,
        layout=None if all(s is REG for s in slots) else layout(*slots),
        uniform=uni,
    )
    written = 1 + stored + found.written
    if written != made.ptx_count:
        made.attributes[PTX_COUNT] = int_attr(written, I64)
    at.append(made)
    for variable, load, first, count in found.late:
        variable.results[load] = list(made.results[first : first + count])
    for byte, predicate in found.predicates:
        operands = [byte.value]
        properties = {LAYOUT: layout(REG, imm(0))}
        at.emit("setp.ne.u16", operands, (predicate.type_,), properties)


def _entries_of(at: Body, tree: Tree, atoms: Sequence[str]) -> dict[int, Entry]:
    return {tree.index: at.entries([atoms[tree.index]])[0]} if isinstance(tree, Atom) else {}


def _passed(
    at: Body, tree: Tree, register: RegisterPiece, atoms: Sequence[str], values: list[SSAValue]
) -> list[Slot]:
    """The slots of an argument for a register parameter."""
    entries = _entries_of(at, tree, atoms)
    entry = entries[tree.index] if isinstance(tree, Atom) else None
    if register.lanes > 1:
        if entry is None or entry.kind != VECTOR or len(entry.parts) != register.lanes:
            raise ValueError(f"an argument must be a vector of {register.lanes} registers")
        values.extend(part.value for part in entry.parts)
        return [REG] * register.lanes
    if register.is_predicate and entry is not None and is_predicate(entry):
        properties = {LAYOUT: layout(imm(1), imm(0), REG)}
        values.append(at.emit("selp.b16", (entry.value,), (B16,), properties).results[0])
        return [REG]
    return [_argument(at, tree, register.scalar, atoms, entries, values)]


def _returned(
    at: Body,
    trees: Sequence[Tree],
    atoms: Sequence[str],
    variables: dict[str, CallVariable],
    formal: Parameter | None,
    found: _Results,
) -> ParamAttr:
    if formal is None:
        raise ValueError("the function returns nothing")
    attribute = _bare(formal.attribute)
    if formal.registers:
        if len(trees) != len(formal.registers):
            raise ValueError(f"the function returns {len(formal.registers)} results")
        for tree, register in zip(trees, formal.registers):
            _to_register(at, tree, register, atoms, variables, found)
        return attribute
    if len(trees) != 1:
        raise ValueError("the function returns one result")
    (tree,) = trees
    if isinstance(tree, Sink):
        return attribute
    if not isinstance(tree, Atom):
        raise ValueError("expected the destination of the result")
    variable = variables.get(atoms[tree.index])
    if variable is not None:
        _loads(at, variable, found)
        return variable.attribute
    entry = at.entries([atoms[tree.index]])[0]
    if not is_register(entry) or attribute.count:
        raise ValueError("the result must go to a register or a .param variable")
    found.loads.append(piece(0, 0, attribute.type_))
    found.types.append(entry.type_)
    return attribute


def _to_register(
    at: Body,
    tree: Tree,
    register: RegisterPiece,
    atoms: Sequence[str],
    variables: dict[str, CallVariable],
    found: _Results,
) -> None:
    """Records that a result of a call is written to a register."""
    if isinstance(tree, Sink):
        return
    if not isinstance(tree, Atom):
        raise ValueError("expected the destination of the result")
    variable = variables.get(atoms[tree.index])
    if variable is not None:
        if register.offset:
            raise ValueError("the result must go to a register")
        _loads(at, variable, found)
        return
    entry = at.entries([atoms[tree.index]])[0]
    targets = entry.parts if entry.kind == VECTOR else (entry,)
    if len(targets) != register.lanes or not all(is_register(target) for target in targets):
        raise ValueError("the result must go to a register")
    found.loads.append(piece(0, register.offset, register.access))
    if register.is_predicate and is_predicate(entry):
        byte = at.names.temporary(B16)
        found.predicates.append((byte, entry))
        targets = (byte,)
    found.types.extend(target.type_ for target in targets)


def _loads(at: Body, variable: CallVariable, found: _Results) -> None:
    """The loads of call results: those immediately after the call write their registers directly."""
    behind = True
    op: Any = at.op.next_op
    while op is not None:
        if not isinstance(op, ptx.InstOp):
            if not isinstance(op, (ptx.DirectiveOp, ptx.TextOp, ptx.VariableOp)):
                behind = False
            op = op.next_op
            continue
        opcode = op.text("opcode")
        pieces = split_atoms(op.text("operands"))
        atoms = pieces[1::2]
        if opcode.startswith("call") and variable.name in atoms:
            return
        if not opcode.startswith("ld.param") or variable.name not in atoms:
            behind = False
            op = op.next_op
            continue
        if "guard" in op.properties:
            raise ValueError("an access to a call's parameter cannot be guarded")
        trees = operand_trees(tuple(pieces[0::2]))
        type_ = _access_type(opcode)
        targets = _targets(trees, opcode)
        place = piece(0, _offset(trees[1], atoms), type_)
        first = len(found.types)
        found.loads.append(place)
        for target in targets:
            found.types.append(_result_type(at, target, atoms, type_, behind))
        if behind:
            variable.loaded.add(op)
            found.written += 1
        else:
            found.late.append((variable, op, first, len(targets)))
        op = op.next_op


def _result_type(
    at: Body, target: Tree, atoms: Sequence[str], type_: str, behind: bool
) -> RegisterClass:
    if isinstance(target, Sink):
        return class_of(type_.rpartition(".")[2])
    if not isinstance(target, Atom):
        raise ValueError("a result must be loaded to a register")
    entry = at.entries([atoms[target.index]])[0]
    if not is_register(entry):
        raise ValueError("a result must be loaded to a register")
    return entry.type_ if behind else entry.type_.unallocated


def _prototype(at: Body, name: str) -> tuple[list[Parameter], Parameter | None]:
    """The signature of a `.callprototype`, or of the first function of `.calltargets`."""
    kind, _, text = at.names.tables.get(name, "").partition(" ")
    if kind == "calltargets":
        first = text.split(",")[0].strip()
        signature = at.module.signature(first)
        if signature is None:
            raise ValueError(f"'{first}' is not a function")
        return signature
    if kind != "callprototype":
        raise ValueError("an indirect call needs a .callprototype or .calltargets")
    text = text.partition(".noreturn")[0].partition(".abi_preserve")[0].strip()
    ret: Parameter | None = None
    if text.startswith("("):
        inner, _, text = text[1:].partition(")")
        ret = parse_results(inner)
    opening = text.find("(")
    if opening < 0:
        return [], ret
    inner = text[opening + 1 :].partition(")")[0]
    return parse_parameters([p.strip() for p in inner.split(",") if p.strip()]), ret
