"""What MLIR checks in C++ about ops of the nvvm dialect, beyond the types of each operand.

A check takes the op and raises VerifyException; `generate` calls it from the op's class.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.ir import types
from nvvm_xdsl.ir.attributes import int_value, segment_sizes
from nvvm_xdsl.ir.types import F32, I1, I32


def _kind(op: Operation, name: str) -> str:
    attr = op.properties.get(name)
    data = cast(Any, attr).data if attr is not None else ""
    return str(data.value) if isinstance(data, Enum) else str(data)


def _expect_result(op: Operation, expected: Attribute, why: str) -> None:
    found = op.results[0].type
    if found != expected:
        raise VerifyException(f"{why} yields {expected}, not {found}")


def shuffle(op: Operation) -> None:
    """`nvvm.shfl.sync` yields its value, or that and whether it is valid."""
    value = op.operands[1].type
    if "return_value_and_is_valid" in op.properties:
        expected = types.struct((value, I1))
        _expect_result(op, expected, "a shuffle that returns whether its value is valid")
    else:
        _expect_result(op, value, f"a shuffle of {value}")


def vote(op: Operation) -> None:
    """`nvvm.vote.sync ballot` yields a mask, the other votes a predicate."""
    kind = _kind(op, "kind")
    _expect_result(op, I32 if kind == "ballot" else I1, f"vote '{kind}'")


def match(op: Operation) -> None:
    """`nvvm.match.sync any` yields a mask, `all` a mask and a predicate."""
    kind = _kind(op, "kind")
    expected = I32 if kind == "any" else types.struct((I32, I1))
    _expect_result(op, expected, f"match '{kind}'")


def redux(op: Operation) -> None:
    """`nvvm.redux.sync` has kinds for floats and kinds for integers."""
    kind = _kind(op, "kind")
    floating = kind in ("fmin", "fmax")
    if (op.operands[0].type == F32) is not floating:
        raise VerifyException(f"redux '{kind}' takes {'f32' if floating else 'i32'}")
    if not floating and (_flag(op, "abs") or _flag(op, "nan")):
        raise VerifyException(f"redux '{kind}' takes neither abs nor nan")


def _flag(op: Operation, name: str) -> bool:
    attr = op.properties.get(name)
    if isinstance(attr, IntegerAttr):
        return bool(int_value(cast(Attribute, attr)))
    return attr is not None


def barrier(op: Operation) -> None:
    """`nvvm.barrier` with a count needs a number; one that reduces needs what and to where."""
    sizes = segment_sizes(op)
    if len(sizes) != 3:
        raise VerifyException("operandSegmentSizes needs 3 sizes")
    has_id, has_count, has_predicate = sizes
    if has_count and not has_id:
        raise VerifyException("a barrier for a number of threads needs the barrier's number")
    reduces = "reductionOp" in op.properties
    if reduces is not bool(has_predicate) or reduces is not bool(op.results):
        raise VerifyException("a reducing barrier needs an operation, a predicate and a result")


def copy_async(op: Operation) -> None:
    """`nvvm.cp.async.shared.global` copies 4, 8 or 16 bytes, 16 through `cg`."""
    size = int_value(op.properties.get("size"))
    modifier = _kind(op, "modifier")
    if size not in (4, 8, 16):
        raise VerifyException(f"an asynchronous copy is of 4, 8 or 16 bytes, not {size}")
    if modifier not in ("ca", "cg"):
        raise VerifyException(f"an asynchronous copy is cached 'ca' or 'cg', not '{modifier}'")
    if modifier == "cg" and size != 16:
        raise VerifyException(f"an asynchronous copy cached 'cg' is of 16 bytes, not {size}")


def fence_proxy(op: Operation) -> None:
    """`nvvm.fence.proxy` names the shared space for `async.shared` and for nothing else."""
    kind = _kind(op, "kind")
    if kind in ("tensormap", "generic"):
        raise VerifyException(f"proxy '{kind}' has fences of its own")
    if (kind == "async.shared") is not ("space" in op.properties):
        raise VerifyException("the shared space is given for proxy 'async.shared' alone")


def mapa(op: Operation) -> None:
    """`nvvm.mapa` maps generic to generic and shared to shared of the cluster."""
    source, target = op.operands[0].type, op.results[0].type
    assert isinstance(source, LLVMPointerType)
    assert isinstance(target, LLVMPointerType)
    spaces = types.address_space_of(source), types.address_space_of(target)
    if spaces not in ((0, 0), (3, 7)):
        raise VerifyException(f"mapa does not map address space {spaces[0]} to {spaces[1]}")


def permute(op: Operation) -> None:
    """`nvvm.prmt` takes two registers in the modes that extract from two."""
    mode = _kind(op, "mode")
    two = mode in ("default", "f4e", "b4e")
    if (len(op.operands) == 3) is not two:
        raise VerifyException(f"prmt '{mode}' takes {'two registers' if two else 'one register'}")


def load_matrix(op: Operation) -> None:
    """`nvvm.ldmatrix` yields a register for each matrix."""
    count = int_value(op.properties.get("num"))
    if count not in (1, 2, 4):
        raise VerifyException(f"ldmatrix loads 1, 2 or 4 matrices, not {count}")
    found = op.results[0].type
    fields = len(found.types.data) if isinstance(found, LLVMStructType) else 1
    registers = count * (2 if _shape(op)[0] == 16 and _shape(op)[1] == 16 else 1)
    if fields != registers:
        raise VerifyException(f"ldmatrix of {count} yields {registers} registers, not {fields}")


def _shape(op: Operation) -> tuple[int, int]:
    shape = cast(Any, op.properties["shape"])
    return shape.m.data, shape.n.data


def set_max_register(op: Operation) -> None:
    """`nvvm.setmaxregister` takes a multiple of 8 from 24 to 256."""
    count = int_value(op.properties.get("regCount"))
    if count % 8 or not 24 <= count <= 256:
        raise VerifyException(f"a register count is a multiple of 8 from 24 to 256, not {count}")


VERIFIERS: dict[str, str] = {
    "nvvm.shfl.sync": "shuffle",
    "nvvm.vote.sync": "vote",
    "nvvm.match.sync": "match",
    "nvvm.redux.sync": "redux",
    "nvvm.barrier": "barrier",
    "nvvm.cp.async.shared.global": "copy_async",
    "nvvm.fence.proxy": "fence_proxy",
    "nvvm.mapa": "mapa",
    "nvvm.prmt": "permute",
    "nvvm.ldmatrix": "load_matrix",
    "nvvm.setmaxregister": "set_max_register",
}
"""The check of each op that has one here."""
