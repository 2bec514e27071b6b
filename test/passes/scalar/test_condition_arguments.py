"""Block arguments that `instcombine` replaces by the condition of a branch, and the conditions for that."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.ir import Operation

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline


def text(
    *, entry: str = "br i1 %c, label %then, label ", no: str = "%join", then: str = "br label %join", other: str = "",
    phi: str = "i8 [1, %then], [0, %entry]", use: str = "%b = trunc i8 %a to i1",
) -> str:  # fmt: skip
    return f"""
        define void @f(i1 %c, i1 %d, ptr %p, i4 %n) {{
        entry:
          {entry}{no}
        then:
          store volatile i32 1, ptr %p
          {then}
        {other}
        join:
          %a = phi {phi}
          {use}
          br i1 %b, label %set, label %end
        set:
          store volatile i32 2, ptr %p
          br label %end
        end:
          ret void
        }}"""


def after(source: str) -> Operation:
    """The function after the pass."""
    module = read_ll(source)
    run_pipeline(module, "instcombine")
    module.verify()
    return function(module)


def arguments_after(source: str) -> int:
    """The number of block arguments other than the function's after the pass."""
    blocks = list(fast.blocks_of(after(source).regions[0]))
    return sum(len(block.args) for block in blocks[1:])


OTHER = "other:\nstore volatile i32 3, ptr %p\nbr label %join"
BOTH = {"no": "%other", "other": OTHER}

REPLACED = {
    "set on one path": {},
    "cleared on one path": {"phi": "i8 [0, %then], [1, %entry]"},
    "set in one of two arms": {**BOTH, "phi": "i8 [1, %then], [0, %other]"},
    "of type i1": {"phi": "i1 [1, %then], [0, %entry]", "use": "%b = xor i1 %a, %d"},
    "set at the end of an inner branch": {
        "then": "br i1 %d, label %more, label %join",
        "other": "more:\nstore volatile i32 3, ptr %p\nbr label %join",
        "phi": "i8 [1, %then], [1, %more], [0, %entry]",
    },
}
KEPT = {
    "a wider integer": {"phi": "i32 [1, %then], [0, %entry]", "use": "%b = trunc i32 %a to i1"},
    "with a test of several bits": {"use": "%t = trunc i8 %a to i4\n%b = icmp eq i4 %t, %n"},
    "below a switch": {"entry": "switch i1 %c, label %then [i1 0, label ", "no": "%join]"},
    "without a test of the lowest bit": {"use": "%b = icmp sgt i8 %a, 0\nstore volatile i8 %a, ptr %p"},
    "with another number": {"phi": "i8 [2, %then], [0, %entry]"},
    "with a value": {"phi": "i8 [%v, %then], [0, %entry]", "then": "%v = load i8, ptr %p\nbr label %join"},
    "both numbers on one side": {
        "then": "br i1 %d, label %more, label %join",
        "other": "more:\nstore volatile i32 3, ptr %p\nbr label %join",
        "phi": "i8 [1, %then], [0, %more], [0, %entry]",
    },
    "an arm of both sides": {
        "then": "br i1 %d, label %other, label %join", "no": "%other", "other": OTHER,
        "phi": "i8 [1, %then], [0, %other]",
    },
}  # fmt: skip


@pytest.mark.parametrize("why", REPLACED)
def test_replaced(why: str):
    assert arguments_after(text(**REPLACED[why])) == 0


@pytest.mark.parametrize("why", KEPT)
def test_kept(why: str):
    assert arguments_after(text(**KEPT[why])) == 1


@pytest.mark.parametrize(("numbers", "is_inverse"), [((1, 0), False), ((0, 1), True)])
def test_the_inverse_condition(numbers: tuple[int, int], is_inverse: bool):
    phi = f"i8 [{numbers[0]}, %then], [{numbers[1]}, %entry]"
    use = "%b = trunc i8 %a to i1\nstore i1 %b, ptr %p"
    assert any(op.name == "llvm.xor" for op in after(text(phi=phi, use=use)).walk()) is is_inverse


def test_values_of_unreachable_predecessors_are_ignored():
    module = parse_module("""
        llvm.func @f(%c: i1, %p: !llvm.ptr) {
          %k0 = llvm.mlir.constant(0 : i8) : i8
          %k1 = llvm.mlir.constant(1 : i8) : i8
          llvm.cond_br %c, ^then, ^join(%k0 : i8)
        ^then:
          llvm.store volatile %k1, %p : i8, !llvm.ptr
          llvm.br ^join(%k1 : i8)
        ^dead:
          llvm.br ^join(%k0 : i8)
        ^join(%a: i8):
          %b = llvm.trunc %a : i8 to i1
          llvm.store %b, %p : i1, !llvm.ptr
          llvm.return
        }""")
    run_pipeline(module, "instcombine")
    assert not any(block.args for block in list(function(module).regions[0].blocks)[1:])
