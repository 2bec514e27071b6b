"""Construction of `llvm.switch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.dialects.llvm.types import dense_i32, vector
from nvvm_xdsl.ir import fast


def _numbers(type_: IntegerType, numbers: Sequence[int]) -> Attribute:
    """A dense vector of integers of any width, each signed or not."""
    width = type_.width.data
    mask, size = (1 << width) - 1, (width + 7) // 8
    data = b"".join([(number & mask).to_bytes(size, "little") for number in numbers])
    return DenseIntOrFPElementsAttr(vector(len(numbers), type_), BytesAttr(data))  # pyright: ignore[reportArgumentType]


def make_switch(
    value: SSAValue, default: branches.Edge, cases: Sequence[tuple[int, branches.Edge]]
) -> Operation:
    """A new, detached `llvm.switch`."""
    sent = [v for _, (_, values) in cases for v in values]
    properties: dict[str, Attribute] = {
        "case_operand_segments": dense_i32([len(e[1]) for _, e in cases]),
        branches.SEGMENTS: dense_i32((1, len(default[1]), len(sent))),
    }
    if cases:
        properties["case_values"] = _numbers(cast(IntegerType, value.type), [n for n, _ in cases])
    return fast.create(
        SwitchOp,
        [value, *default[1], *sent],
        (),
        properties,
        [default[0], *(edge[0] for _, edge in cases)],
    )
