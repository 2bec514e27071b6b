"""Indirect branches and invokes in MLIR: lowered to constructs that the hardware supports.

    %a = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
    llvm.indirectbr %a : !llvm.ptr, [^bb1, ^bb2]
    %r = llvm.invoke @g() to ^bb3 unwind ^bb4 : () -> i32

becomes

    %a = llvm.inttoptr %one : i64 to !llvm.ptr
    llvm.switch %number : i64, ^bb1 [2: ^bb2]
    %r = llvm.call @g() : () -> i32
    llvm.br ^bb3

PTX has no addresses of labels, so that a block whose address is taken gets a number, as in LLVM's
`indirectbr-expand`. There are no exceptions on a GPU, as in LLVM's `lower-invoke`. The reader of
LLVM assembly does the same.
"""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, ConstantOp, FuncOp, IntToPtrOp, PtrToIntOp, UnreachableOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integers_of, name_in
from nvvm_xdsl.dialects.llvm.ops import (
    BlockAddressOp,
    BlockTagOp,
    IndirectBrOp,
    InvokeOp,
    LandingpadOp,
    PoisonOp,
    ResumeOp,
)
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.dialects.llvm.types import I64, dense_i32, int_attr
from nvvm_xdsl.frontend.builders import NO_FASTMATH
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.op_verifier import verify_op
from nvvm_xdsl.verify.verifier import VerifyError

LOWERED: Final = (BlockAddressOp, BlockTagOp, IndirectBrOp, InvokeOp, LandingpadOp, ResumeOp)


def lower_jumps(module: ModuleOp) -> None:
    """Replaces these ops.

    Raises VerifyError for an op that violates its definition, and for an address that is not that
    of a block.
    """
    found = [op for op in module.walk() if isinstance(op, LOWERED)]
    if not found:
        return
    for op in found:
        verify_op(op)
    numbers = _Numbers(module, [op for op in found if isinstance(op, BlockTagOp)])
    for op in found:
        if isinstance(op, BlockAddressOp):
            number = _constant(numbers.of_address(op), op)
            made = fast.create(IntToPtrOp, (number,), (op.res.type,), location=op.location)
            fast.insert_before(made, op)
            fast.replace_op(op, made.results)
        elif isinstance(op, IndirectBrOp):
            _lower_jump(op, numbers)
        elif isinstance(op, InvokeOp):
            _lower_invoke(op)
        elif isinstance(op, LandingpadOp):
            made = fast.create(PoisonOp, (), (op.res.type,), location=op.location)
            fast.insert_before(made, op)
            fast.replace_op(op, made.results)
        elif isinstance(op, ResumeOp):
            fast.insert_before(fast.create(UnreachableOp, location=op.location), op)
            fast.erase(op)
    for op in found:
        if isinstance(op, BlockTagOp):
            fast.erase(op)


class _Numbers:
    """Representations of block addresses: distinct numbers from 1, by function and tag."""

    def __init__(self, module: ModuleOp, tags: list[BlockTagOp]) -> None:
        self._symbols = symbols_of(module)
        self._by_tag: dict[tuple[Operation | None, Attribute], int] = {}
        self._by_block: dict[Block, list[int]] = {}
        for op in tags:
            key = (_function_of(op), op.tag)
            if key in self._by_tag:
                raise VerifyError("another block of the function has this tag", op)
            number = self._by_tag[key] = len(self._by_tag) + 1
            block = op.parent
            if block is not None:
                self._by_block.setdefault(block, []).append(number)

    def of_address(self, op: BlockAddressOp) -> int:
        """The number for the op's result. Raises VerifyError if there is no such block."""
        address = op.block_addr
        name = name_in(address.function)
        number = self._by_tag.get((self._symbols.get(name), address.tag))
        if number is None:
            raise VerifyError(f"no block of @{name} has this tag", op)
        return number

    def of_block(self, block: Block) -> list[int]:
        """The numbers of a block, one for each of its tags."""
        return self._by_block.get(block, [])


def _function_of(op: Operation) -> Operation | None:
    found = op.parent_op()
    while found is not None and not isinstance(found, FuncOp):
        found = found.parent_op()
    return found


def _constant(number: int, before: Operation) -> SSAValue:
    made = fast.create(ConstantOp, (), (I64,), {"value": int_attr(number, I64)})
    fast.insert_before(made, before)
    return made.results[0]


def _lower_jump(op: IndirectBrOp, numbers: _Numbers) -> None:
    address, *operands = fast.operands_of(op)
    cases: dict[int, branches.Edge] = {}
    for block, count in zip(
        fast.successors_of(op), integers_of(op.indbr_operand_segments), strict=True
    ):
        for number in numbers.of_block(block):
            cases.setdefault(number, (block, tuple(operands[:count])))
        operands = operands[count:]
    made: Operation
    if not cases:
        # No existing block address is a target.
        made = fast.create(UnreachableOp)
    else:
        # Any other number is undefined behaviour, so that the first block can be the default.
        (_, (first, values)), *others = cases.items()
        if others:
            number = fast.create(PtrToIntOp, (address,), (I64,), location=op.location)
            fast.insert_before(number, op)
            made = make_switch(number.results[0], (first, values), others)
        else:
            made = branches.branch(first, values)
    made.location = op.location
    fast.insert_before(made, op)
    fast.erase(op)


_OF_CALLS = (
    "callee",
    "var_callee_type",
    "arg_attrs",
    "res_attrs",
    "CConv",
    "op_bundle_sizes",
    "op_bundle_tags",
)


def _lower_invoke(op: InvokeOp) -> None:
    callee = tuple(op.callee_operands)
    bundles = tuple(op.op_bundle_operands)
    properties = {name: op.properties[name] for name in _OF_CALLS if name in op.properties}
    properties["fastmathFlags"] = NO_FASTMATH
    properties["operandSegmentSizes"] = dense_i32((len(callee), len(bundles)))
    call = fast.create(
        CallOp,
        (*callee, *bundles),
        [result.type for result in op.results],
        properties,
        location=op.location,
    )
    target = branches.branch(op.normalDest, tuple(op.normalDestOperands))
    target.location = op.location
    fast.insert_before(call, op)
    fast.insert_before(target, op)
    fast.replace_op(op, call.results)
