"""Split compilation: phase 2 and code generation of each function in a separate module.

After phase 1 no function depends on another's body. Each becomes a module named `<split-module>`:
the function and declarations of its references. Any process can compile it to machine code, and the
machine code of all functions is joined in the order of the functions. The result is byte for byte
that of compiling the whole module in one process.

000 LLVM Optimizer ("Split-Module Compilation", "Two-Phase Compilation") has the name of the modules and the
order by priority. There a table restores the linkage and `dso_local` of symbols after linking; here
the symbols of the original module keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp, InlineAsmOp, LinkageAttr
from xdsl.ir import Attribute, Operation, Region

from nvvm_xdsl.codegen.module_context import Needs
from nvvm_xdsl.codegen.select import assemble, context_of, select_functions
from nvvm_xdsl.dialects.llvm.accessors import assembly_of, defined_name, symbol_name
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_type
from nvvm_xdsl.dialects.llvm.setters import set_symbol_name
from nvvm_xdsl.dialects.llvm.symbols import (
    calls_in,
    functions_of,
    linkage_of,
    references_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvptx.functions import FuncOp as MachineFunc
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.dialects.ptx.names import SymbolNames
from nvvm_xdsl.driver.options import ResolvedOptions
from nvvm_xdsl.driver.serialization import pack, unpack
from nvvm_xdsl.driver.stages import codegen_options, machine_pipeline_of, pipeline_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.passes.nvidia.lowering.lower_ops import LIBRARY
from nvvm_xdsl.passes.nvidia.lowering.printf_lowering import PRINTF
from nvvm_xdsl.pipeline.build import Node, build_pipeline
from nvvm_xdsl.pipeline.machine import run_machine_passes
from nvvm_xdsl.pipeline.manager import PassManager, run_pipeline
from nvvm_xdsl.pipeline.options import PassOptions
from nvvm_xdsl.pipeline.selection import LOWERINGS
from nvvm_xdsl.transforms.runtime_calls import VPRINTF

SPLIT_MODULE = "<split-module>"

BATCHES_PER_WORKER = 4
"""Number of batches per worker. A batch contains several functions, so that shared attributes are
sent once per batch. With several batches per worker, the workers finish at about the same time."""

_ALWAYS_NAMED = frozenset({PRINTF, VPRINTF, *LIBRARY.values()})
"""Symbols that lowering looks up by name even if the function does not refer to them."""

_LOCAL_ARRAY = re.compile(r"__local_\d+")


# Which modules


def can_split(module: ModuleOp) -> bool:
    """Returns True if each function's machine code depends on its split module alone.

    Splitting is impossible if PTX names clash and get numbers, if inline assembly uses numbers that
    are unique in the module, or if a kernel passes on the address of a parameter, because the
    callee determines whether the parameter is copied.
    """
    return _names_are_independent(module) and not any(
        _uses_unique_ids(func) or _passes_parameters_on(func) for func in functions_of(module)
    )


def _names_are_independent(module: ModuleOp) -> bool:
    together = SymbolNames()
    symbols = symbols_of(module)
    for name in symbols:
        together.reserve(name)
    return all(
        together.of(name) == SymbolNames().of(name) and not _LOCAL_ARRAY.match(together.of(name))
        for name in symbols
    )


def _uses_unique_ids(func: FuncOp) -> bool:
    return any(type(op) is InlineAsmOp and ":uid" in assembly_of(op) for op in walk_function(func))


def _passes_parameters_on(func: FuncOp) -> bool:
    if not is_kernel(func):
        return False
    count = len(func.body.blocks[0].args)
    if all(by_value_type(func, number) is None for number in range(count)):
        return False
    return next(calls_in(func), None) is not None


# Splitting


@dataclass(frozen=True)
class Batch:
    """Split modules as bytes.

    Arguments:
        data: the serialized modules.
        functions: the numbers of their functions in the module.
        weight: the number of their ops.
    """

    data: bytes
    functions: tuple[int, ...]
    weight: int


@dataclass(frozen=True)
class _Head:
    """The contents of a split module besides its ops.

    Arguments:
        count: the ops at its top.
        attributes: of the module.
    """

    count: int
    attributes: dict[str, Attribute]


def split_functions(module: ModuleOp) -> list[FuncOp]:
    """The functions that machine code is generated for, in order."""
    return [f for f in functions_of(module) if linkage_of(f) != "available_externally"]


def priority(func: FuncOp) -> int:
    """The order of compilation: the longest first, estimated by the number of ops."""
    return sum(1 for _ in walk_function(func))


def split(module: ModuleOp, workers: int) -> list[Batch]:
    """Batches of split modules, the longest-running first."""
    functions = split_functions(module)
    weights = [priority(func) for func in functions]
    order = sorted(range(len(functions)), key=lambda number: -weights[number])
    enough = sum(weights) / (workers * BATCHES_PER_WORKER)
    splitter = _Splitter(module)
    batches: list[Batch] = []
    held: list[int] = []
    weight = 0
    for number in order:
        held.append(number)
        weight += weights[number]
        if weight >= enough or number == order[-1]:
            batches.append(splitter.batch([(n, functions[n]) for n in held], weight))
            held, weight = [], 0
    return batches


class _Splitter:
    """Copies functions out of a module, which is not changed."""

    def __init__(self, module: ModuleOp) -> None:
        self.attributes = dict(module.attributes)
        self.ops = list(fast.ops_of(module.body.block))
        self.symbols = symbols_of(module)
        self.places = {op: number for number, op in enumerate(self.ops)}
        self.named = sorted(_ALWAYS_NAMED & self.symbols.keys())
        self._references: dict[str, set[str]] = {}
        self._declarations: dict[Operation, Operation] = {}

    def batch(self, functions: Sequence[tuple[int, FuncOp]], weight: int) -> Batch:
        """The split modules of functions, each with its number."""
        ops: list[Operation] = []
        heads: list[_Head] = []
        for _, func in functions:
            found = [self._in_split(op, func) for op in self._with_references(func)]
            ops.extend(found)
            heads.append(_Head(len(found), self.attributes))
        return Batch(pack(ops, heads), tuple(number for number, _ in functions), weight)

    def _with_references(self, func: FuncOp) -> list[Operation]:
        """The function and the symbols it refers to, directly or through variables and aliases, in
        order."""
        found: set[Operation] = {func}
        pending = [*references_of(func), *self.named]
        while pending:
            op = self.symbols.get(pending.pop())
            if op is None or op in found:
                continue
            found.add(op)
            if not isinstance(op, FuncOp):
                pending.extend(self._references_of(op))
        return sorted(found, key=self.places.__getitem__)

    def _references_of(self, op: Operation) -> set[str]:
        name = defined_name(op)
        if name not in self._references:
            self._references[name] = references_of(op)
        return self._references[name]

    def _in_split(self, op: Operation, func: FuncOp) -> Operation:
        """The replacement of a symbol: functions of other modules are declared."""
        if op is func or not isinstance(op, FuncOp) or op.regions[0].first_block is None:
            return op
        made = self._declarations.get(op)
        if made is None:
            properties = dict(op.properties)
            properties["linkage"] = _EXTERNAL
            properties.pop("dso_local", None)
            made = self._declarations[op] = fast.create(
                FuncOp, (), (), properties, (), dict(op.attributes), op.location, (Region(),)
            )
        return made


_EXTERNAL = LinkageAttr("external")


# In the worker


@dataclass(frozen=True)
class _Made:
    """The outcome of one split module, besides its ops.

    Arguments:
        functions: the number of machine functions: its own, then library routines.
        added: the number of functions that lowering has added to the module.
        needs: requirements of the functions for the whole module.
    """

    functions: int
    added: int
    needs: Needs


@lru_cache(maxsize=4)
def _nodes(options: ResolvedOptions) -> tuple[list[Node], PassOptions]:
    settings = options.settings
    return build_pipeline(pipeline_of(options), options=settings), settings


def compile_batch(data: bytes, options: ResolvedOptions) -> bytes:
    """Machine code for split modules, both as bytes. Raises the errors of a compilation."""
    with paused_collector():
        ops, heads = unpack(data)
        at = 0
        made: list[_Made] = []
        out: list[Operation] = []
        for head in heads:
            module = ModuleOp(ops[at : at + head.count], head.attributes)
            at += head.count
            functions, added, needs = _compile_one(module, options)
            made.append(_Made(len(functions), len(added), needs))
            out += [*functions, *added]
        return pack(out, made)


def _compile_one(
    module: ModuleOp, options: ResolvedOptions
) -> tuple[list[MachineFunc], list[FuncOp], Needs]:
    """The machine code of a split module, functions added by lowering, and required symbols."""
    set_symbol_name(module, SPLIT_MODULE)
    before = set(symbols_of(module))
    nodes, settings = _nodes(options)
    PassManager(nodes, options=settings).run(module, only_phase=2)
    run_pipeline(module, LOWERINGS, options=settings)
    context, functions = select_functions(module, codegen_options(options))
    block = fast.new_block()
    for func in functions:
        fast.append(block, func)
    machine = ModuleOp(Region(block))
    run_machine_passes(machine, machine_pipeline_of(options), settings)
    for func in functions:
        fast.detach(func)
    added = [
        op
        for op in fast.ops_of(module.body.block)
        if isinstance(op, FuncOp) and op.sym_name.data not in before
    ]
    for op in added:
        fast.detach(op)
    return functions, added, context.needs


# Putting together


def join(
    module: ModuleOp, batches: Sequence[Batch], results: Sequence[bytes], options: ResolvedOptions
) -> ModuleOp | None:
    """The module of machine code; None if names in the parts conflict.

    Arguments:
        module: the split module; functions added by lowering are added to it.
        results: the results of `compile_batch` for each batch.
    """
    functions = split_functions(module)
    pieces: dict[int, tuple[list[Any], list[Any], Needs]] = {}
    for batch, data in zip(batches, results):
        ops, made = unpack(data)
        at = 0
        for number, one in zip(batch.functions, made):
            middle, end = at + one.functions, at + one.functions + one.added
            pieces[number] = (ops[at:middle], ops[middle:end], one.needs)
            at = end
    known = symbols_of(module)
    own: list[MachineFunc] = []
    routines: list[MachineFunc] = []
    for number in range(len(functions)):
        machine, added, _ = pieces[number]
        own.append(machine[0])
        wanted = {symbol_name(op) for op in added} - known.keys()
        for op in added:
            name = defined_name(op)
            if name in wanted:
                known[name] = op
                _add(module, op)
        routines += [op for op in machine[1:] if op.symbol in wanted]
    context = context_of(module, codegen_options(options))
    for number in range(len(functions)):
        context.add_needs(pieces[number][2])
    if any(context.names.of(name) != SymbolNames().of(name) for name in context.externals):
        return None
    return assemble(context, own + routines)


def _add(module: ModuleOp, op: Operation) -> None:
    """Inserts a function where lowering would insert it: declarations at the start, routines at the
    end."""
    block = module.body.block
    if op.regions[0].first_block is None:
        fast.prepend(block, op)
    else:
        fast.append(block, op)


def portable(options: ResolvedOptions) -> ResolvedOptions:
    """The options without cached values, for sending to another process."""
    return replace(options)
