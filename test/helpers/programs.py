"""Functions from MLIR text, and random ones, for tests of value analyses."""

from __future__ import annotations

from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.test import Test
from xdsl.ir import Block, Operation, SSAValue
from xdsl.parser import Parser

from helpers.constant_ranges import HOLDS
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvvm import NVVM


def parse_module(text: str) -> ModuleOp:
    """Returns the module of the text, not verified."""
    context = Context()
    for dialect in (Builtin, LLVM, NVVM, Test):
        context.load_dialect(dialect)
    return Parser(context, text).parse_module()


def parse_function(text: str) -> Operation:
    """Returns the last function of the module."""
    return [op for op in parse_module(text).ops if op.name == "llvm.func"][-1]


def value_named(func: Operation, name: str) -> SSAValue:
    """Returns the value with this name."""
    for block in func.regions[0].blocks:
        for argument in block.args:
            if argument.name_hint == name:
                return argument
        for op in block.ops:
            for result in op.results:
                if result.name_hint == name:
                    return result
    raise KeyError(name)


def block_named(func: Operation, name: str) -> Block:
    """Returns the block with this name; `entry` is the first."""
    for number, block in enumerate(func.regions[0].blocks):
        if block.name_hint == name or (number == 0 and name == "entry"):
            return block
    raise KeyError(name)


def all_values(func: Operation) -> list[SSAValue]:
    """Every value of the function."""
    found: list[SSAValue] = []
    for block in func.regions[0].blocks:
        found += block.args
        for op in block.ops:
            found += op.results
    return found


@st.composite
def loops_and_branches(
    draw: st.DrawFn, max_blocks: int = 7, constants: tuple[int, ...] = ()
) -> str:
    """A function of i32 values: each block has one argument and may use dominating values.

    Every block may use the function's arguments, its own argument and values of blocks that dominate it by
    construction: block `n` passes its values on to the blocks whose only predecessor it is.
    """
    count = draw(st.integers(1, max_blocks))
    targets = [
        draw(st.lists(st.integers(1, count - 1), max_size=2)) if count > 1 else []
        for _ in range(count)
    ]
    predecessors: list[set[int]] = [set() for _ in range(count)]
    for source, found in enumerate(targets):
        for target in found:
            predecessors[target].add(source)
    visible: dict[int, list[str]] = {}

    def names(block: int, path: tuple[int, ...] = ()) -> list[str]:
        if block in visible:
            return visible[block]
        own = ["a", "b"] if block == 0 else ["a", "b", f"p{block}"]
        if block and len(predecessors[block]) == 1 and block not in path:
            (only,) = predecessors[block]
            if only != block and only not in path:
                own += [n for n in names(only, (*path, block)) if n not in own]
        visible[block] = own
        return own

    lines: list[str] = []
    bodies: dict[int, list[str]] = {}
    for block in range(count):
        own = names(block)
        body: list[str] = []
        if block == 0 and constants:
            for n in constants:
                body.append(f"%k{n} = llvm.mlir.constant({n} : i32) : i32")
                own.append(f"k{n}")
        for place in range(draw(st.integers(0, 4))):
            op = draw(st.sampled_from(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr"]))
            x, y = draw(st.sampled_from(own)), draw(st.sampled_from(own))
            name = f"v{block}_{place}"
            body.append(f"%{name} = llvm.{op} %{x}, %{y} : i32")
            own.append(name)
        bodies[block] = body
    for block in range(count):
        own = visible[block]
        if block:
            lines.append(f"^b{block}(%p{block}: i32):")
        lines += bodies[block]

        def value() -> str:
            return "%" + draw(st.sampled_from(own))  # noqa: B023

        found = targets[block]
        if not found:
            lines.append(f"llvm.return {value()} : i32")
        elif len(found) == 1:
            lines.append(f"llvm.br ^b{found[0]}({value()} : i32)")
        else:
            lines.append(f'%c{block} = llvm.icmp "ult" {value()}, {value()} : i32')
            lines.append(
                f"llvm.cond_br %c{block}, ^b{found[0]}({value()} : i32), "
                f"^b{found[1]}({value()} : i32)"
            )
    return "llvm.func @f(%a: i32, %b: i32) -> i32 {\n" + "\n".join(lines) + "\n}"


MASK = (1 << 32) - 1


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


_BINARY = {
    "llvm.add": lambda a, b: a + b,
    "llvm.sub": lambda a, b: a - b,
    "llvm.mul": lambda a, b: a * b,
    "llvm.and": lambda a, b: a & b,
    "llvm.or": lambda a, b: a | b,
    "llvm.xor": lambda a, b: a ^ b,
    "llvm.shl": lambda a, b: a << b,
    "llvm.lshr": lambda a, b: a >> b,
    "llvm.ashr": lambda a, b: _signed(a) >> b,
    "llvm.udiv": lambda a, b: a // b,
    "llvm.urem": lambda a, b: a % b,
}

_COMPARE = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: _signed(a) < _signed(b),
    lambda a, b: _signed(a) <= _signed(b),
    lambda a, b: _signed(a) > _signed(b),
    lambda a, b: _signed(a) >= _signed(b),
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]


class Undefined(Exception):
    """The program has undefined behaviour: a shift by too much, a division by zero."""


def run(func: Operation, arguments: list[int], limit: int = 200) -> list[tuple[SSAValue, int]]:
    """Returns the value of each op of an i32 function, in the order of execution.

    Stops after `limit` blocks. Raises Undefined.
    """
    from nvvm_xdsl.dialects.llvm.branches import edges_of

    block = func.regions[0].blocks[0]
    state: dict[SSAValue, int] = {}
    trace: list[tuple[SSAValue, int]] = []

    def give(value: SSAValue, number: int) -> None:
        state[value] = number
        trace.append((value, number))

    incoming = [a & MASK for a in arguments]
    for _ in range(limit):
        for argument, number in zip(block.args, incoming, strict=True):
            give(argument, number)
        for op in block.ops:
            operands = [state[v] for v in op.operands]
            if op.name in _BINARY:
                a, b = operands
                shift = op.name in ("llvm.shl", "llvm.lshr", "llvm.ashr")
                if (shift and b >= 32) or (op.name in ("llvm.udiv", "llvm.urem") and b == 0):
                    raise Undefined
                give(op.results[0], _BINARY[op.name](a, b) & MASK)
            elif op.name == "llvm.mlir.constant":
                give(op.results[0], op.properties["value"].value.data & MASK)
            elif op.name == "llvm.icmp":
                predicate = op.properties["predicate"].value.data
                give(op.results[0], int(_COMPARE[predicate](*operands)))
            elif op.name == "llvm.select":
                give(op.results[0], operands[1] if operands[0] else operands[2])
        last = block.last_op
        edges = edges_of(last)
        if not edges:
            break
        if last.name == "llvm.cond_br":
            edges = [edges[0] if state[last.operands[0]] else edges[1]]
        block = edges[0][0]
        incoming = [state[v] for v in edges[0][1]]
    return trace


LOOP = """
llvm.func @f(%n: {type}, %s: {type}, %p: !llvm.ptr) {{
  %k0 = llvm.mlir.constant({start} : {type}) : {type}
  %k1 = llvm.mlir.constant({step} : {type}) : {type}
  llvm.br ^loop(%k0 : {type})
^loop(%i: {type}):
  %next = llvm.add %i, %k1{flags} : {type}
  %more = llvm.icmp "{predicate}" {tested}, {bound} : {type}
  llvm.cond_br %more, ^loop(%next : {type}), ^exit
^exit:
  llvm.return
}}
"""


def only_loop(se: ScalarEvolution):
    return se.loops.top_level[0]


NEST = """
llvm.func @f(%n: i64, %m: i64, %p: !llvm.ptr) {
  %k0 = llvm.mlir.constant(0 : i64) : i64
  %k1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^outer(%k0 : i64)
^outer(%i: i64):
  llvm.br ^inner(%k0 : i64)
^inner(%j: i64):
  %row = llvm.mul %i, %m : i64
  %at = llvm.add %row, %j : i64
  %a = llvm.getelementptr %p[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %jn = llvm.add %j, %k1 overflow<nsw> : i64
  %jm = llvm.icmp "ne" %jn, %m : i64
  llvm.cond_br %jm, ^inner(%jn : i64), ^next
^next:
  %in = llvm.add %i, %k1 overflow<nsw> : i64
  %im = llvm.icmp "ne" %in, %n : i64
  llvm.cond_br %im, ^outer(%in : i64), ^exit
^exit:
  llvm.return
}
"""


PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


def signed8(value: int) -> int:
    return ((value + 128) & 255) - 128


def compare8(predicate: str, a: int, b: int) -> bool:
    a, b = a & 255, b & 255
    if predicate in ("eq", "ne") or predicate.startswith("u"):
        return HOLDS[PREDICATES.index(predicate)](a, b)
    a, b = signed8(a), signed8(b)
    return {"slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b}[predicate]
