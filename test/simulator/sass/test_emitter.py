"""Python source generated for operands of machine code."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.dialects.sass.operands import parse_operand
from nvvm_xdsl.simulator.sass.emitter import Emitter


@pytest.mark.parametrize(
    ("text", "wanted"), [("R1.SIGN", [0, 0, 1, 1]), ("!R1.reuse.SIGN", [1, 1, 0, 0])]
)
def test_a_sign_as_a_predicate(text: str, wanted: list[int]):
    emitter = Emitter(lambda value: "K", "t")
    result = emitter.predicate(parse_operand(text))
    values = {"R1": np.array([0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], np.uint32), "i4": np.int32}
    exec("\n".join(emitter.lines), values)
    assert np.asarray(values[result]).tolist() == [bool(n) for n in wanted]
