"""Properties of single ops and values that several analyses use."""

from __future__ import annotations

from xdsl.dialects.llvm import AddressOfOp, SelectOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import global_reference, integer_width
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_number

_REGISTER = "nvvm.read.ptx.sreg."


def value_name(value: SSAValue) -> str:
    """The name of a value in printed analyses: its own name, its constant, or its defining op.

    Values of special registers are printed with PTX's name of the register: `%tid.x`.
    """
    if value.name_hint is not None:
        return f"%{value.name_hint}"
    constant = constant_number(value)
    if constant is not None:
        return str(constant)
    if isinstance(value, OpResult):
        if value.op.name.startswith(_REGISTER):
            return f"%{value.op.name[len(_REGISTER) :]}"
        if type(value.op) is AddressOfOp:
            return str(global_reference(value.op))
        return f"%<{value.op.name}>"
    return f"%arg{getattr(value, 'index', '?')}"


def connected(op: Operation) -> tuple[bool, SSAValue, SSAValue] | None:
    """The two operands of an `and` or `or` of conditions, or of the equivalent `select`.

    The flag is true for `and`. The second condition of a `select` is irrelevant if the first
    decides. None for other ops.
    """
    if not op.results or integer_width(op.results[0].type) != 1:
        return None
    operands = op.operands
    if op.name in ("llvm.and", "llvm.or"):
        return op.name == "llvm.and", operands[0], operands[1]
    if type(op) is SelectOp:
        condition, yes, no = operands
        if constant_integer(no) == 0:
            return True, condition, yes
        if constant_integer(yes) in (1, -1):
            return False, condition, no
    return None
