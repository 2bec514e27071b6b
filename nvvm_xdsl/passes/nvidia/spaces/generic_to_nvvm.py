"""`generic-to-nvvm`: moves variables of the generic space to global memory.

    llvm.mlir.global internal @count(7 : i32) : i32
    %p = llvm.mlir.addressof @count : !llvm.ptr

becomes

    llvm.mlir.global internal @count(7 : i32) {addr_space = 1 : i32} : i32
    %g = llvm.mlir.addressof @count : !llvm.ptr<1>
    %p = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr

Front ends that do not use address spaces mean memory that all threads can access, which is global
memory on a GPU. Users keep a generic pointer, from a cast of the new address; the passes that infer
address spaces resolve the cast. Constants are moved to global memory, too: constant memory is
limited to 64 KiB, and front ends assign it.

Not moved are LLVM's own variables (`llvm.used` ...), of which only the initializers are rewritten;
variables with an alias, because the type of the alias would change, too; thread-local variables,
which code generation rejects; and textures, surfaces and samplers. After LLVM's GenericToNVVM;
document 000, sub_1A02540.

Benefit: required for variables without an address space; otherwise disabling it changes no kernel's
machine code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp, GlobalOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import (
    global_name,
    int_property,
    is_thread_local,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import I32, PTR, int_attr, pointer
from nvvm_xdsl.dialects.nvvm.handles import handle_kind
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.passes.base import NvvmPass

RESERVED_PREFIX = "llvm."
"""Prefix of the names of LLVM's own variables."""


@dataclass(frozen=True)
class GenericToNVVM(NvvmPass):
    """Moves variables of the generic space to global memory."""

    name = "generic-to-nvvm"
    title = "GenericToNVVM"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        body = module.regions[0].first_block
        if body is None:
            return False
        ops = list(fast.ops_of(body))
        aliased = {
            global_name(address)
            for op in ops
            if op.name == "llvm.mlir.alias"
            for address in _addresses_in(op)
        }
        moved: set[str] = set()
        for op in ops:
            name = symbol_name(op)
            if name is not None and name not in aliased and _is_generic_variable(op):
                op.properties["addr_space"] = int_attr(GLOBAL, I32)
                moved.add(name)
        if moved:
            for op in ops:
                if _cast_addresses(op, moved):
                    am.invalidate(op, self.preserved())
        return bool(moved)


def _is_generic_variable(op: Operation) -> bool:
    if not isinstance(op, GlobalOp) or is_thread_local(op):
        return False
    if handle_kind(op) is not None:
        return False
    if int_property(op, "addr_space") != GENERIC:
        return False
    return not (symbol_name(op) or "").startswith(RESERVED_PREFIX)


def _addresses_in(op: Operation) -> Iterator[AddressOfOp]:
    for inner in walk_function(op):
        if type(inner) is AddressOfOp:
            yield inner


def _cast_addresses(op: Operation, moved: set[str]) -> bool:
    """Updates the addresses of moved variables in a function or initializer."""
    found = [
        address
        for address in _addresses_in(op)
        if address.results[0].type is PTR and global_name(address) in moved
    ]
    for address in found:
        result = address.results[0]
        made = fast.create(AddrSpaceCastOp, (result,), (PTR,))
        fast.replace_all_uses(result, made.results[0])
        fast.set_operand(made, 0, result)
        fast.set_type(result, pointer(GLOBAL))
        fast.insert_before(made, _first_after_constants(address))
    return bool(found)


def _first_after_constants(address: Operation) -> Operation:
    """The first op after the address that is not a constant; constants stay at the start of their
    block.
    """
    at = address.next_op
    while at is not None and (type(at) in CONSTANT_CLASSES or type(at) is AddressOfOp):
        at = at.next_op
    assert at is not None, "the block has no terminator"
    return at
