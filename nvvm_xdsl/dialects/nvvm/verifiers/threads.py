"""Verification of ops between threads: shuffles, votes, reductions, barriers, registers."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import int_property, segment_sizes
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.types import F32, I1, I32, I64
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of


def _expect_result(op: Operation, expected: Attribute, why: str) -> None:
    found = op.results[0].type
    if found != expected:
        raise VerifyException(f"{why} yields {expected}, not {found}")


def shuffle(op: Operation) -> None:
    """`nvvm.shfl.sync` returns its value, or its value and a validity predicate."""
    value = op.operands[1].type
    if "return_value_and_is_valid" in op.properties:
        expected = types.struct((value, I1))
        _expect_result(op, expected, "a shuffle that returns whether its value is valid")
    else:
        _expect_result(op, value, f"a shuffle of {value}")


def vote(op: Operation) -> None:
    """`nvvm.vote.sync ballot` returns a mask, the other votes a predicate."""
    kind = keyword_of(op, "kind")
    _expect_result(op, I32 if kind == "ballot" else I1, f"vote '{kind}'")


def match(op: Operation) -> None:
    """`nvvm.match.sync any` returns a mask, `all` a mask and a predicate."""
    kind = keyword_of(op, "kind")
    expected = I32 if kind == "any" else types.struct((I32, I1))
    _expect_result(op, expected, f"match '{kind}'")


def redux(op: Operation) -> None:
    """`nvvm.redux.sync` has kinds for floats and kinds for integers."""
    kind = keyword_of(op, "kind")
    floating = kind in ("fmin", "fmax")
    if (op.operands[0].type == F32) is not floating:
        raise VerifyException(f"redux '{kind}' takes {'f32' if floating else 'i32'}")
    if not floating and (flag_of(op, "abs") or flag_of(op, "nan")):
        raise VerifyException(f"redux '{kind}' has neither abs nor nan")


def barrier(op: Operation) -> None:
    """`nvvm.barrier` with a count requires a number; a reduction requires its kind and operand."""
    sizes = segment_sizes(op)
    if len(sizes) != 3:
        raise VerifyException("operandSegmentSizes needs 3 sizes")
    has_id, has_count, has_predicate = sizes
    if has_count and not has_id:
        raise VerifyException("a barrier for a number of threads needs the barrier's number")
    reduces = "reductionOp" in op.properties
    if reduces is not bool(has_predicate) or reduces is not bool(op.results):
        raise VerifyException("a reducing barrier needs an operation, a predicate and a result")


def permute(op: Operation) -> None:
    """`nvvm.prmt` has two registers in the modes that extract from two."""
    mode = keyword_of(op, "mode")
    two = mode in ("default", "f4e", "b4e")
    if (len(op.operands) == 3) is not two:
        raise VerifyException(f"prmt '{mode}' takes {'two registers' if two else 'one register'}")


def set_max_register(op: Operation) -> None:
    """`nvvm.setmaxregister` requires a multiple of 8 from 24 to 256."""
    count = int_property(op, "regCount")
    if count % 8 or not 24 <= count <= 256:
        raise VerifyException(f"a register count is a multiple of 8 from 24 to 256, not {count}")


def performance_event(op: Operation) -> None:
    """`nvvm.pmevent` selects one event by its number, or several by a mask."""
    if ("eventId" in op.properties) is ("maskedEventId" in op.properties):
        raise VerifyException("one of `id` and `mask` must be set, and not both")


def query_cancel(op: Operation) -> None:
    """`nvvm.clusterlaunchcontrol.query.cancel` yields a predicate or a coordinate."""
    query = keyword_of(op, "query_type")
    _expect_result(op, I1 if query == "is_canceled" else I32, f"query '{query}'")


_REGISTER = "nvvm.read.ptx.sreg."
_WIDE = frozenset({f"{_REGISTER}clock64", f"{_REGISTER}globaltimer"})
"""Special registers of 64 bits; all others have 32 (PTX ISA 9.1, chapter 10)."""


def special_register(op: Operation) -> None:
    """A special register is read with its own width; a stated range must not be empty."""
    register = op.name.removeprefix(_REGISTER)
    _expect_result(op, I64 if op.name in _WIDE else I32, f"register {register}")
    range_ = op.properties.get("range")
    if isinstance(range_, ConstantRangeAttr):
        lower, upper = range_.unsigned_bounds()
        if lower == upper and lower not in (0, (1 << range_.width) - 1):
            raise VerifyException(
                f"the bounds of a range must differ, unless it is empty (0, 0) or full; got {lower} and {upper}"
            )
