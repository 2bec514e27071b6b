"""Memory operands of inline assembly as addresses in registers, executed in the simulator."""

import pytest
from helpers.differential import check

from nvvm_xdsl.dialects.llvm.asm_operands import with_addresses


@pytest.mark.parametrize(
    ("text", "constraints", "wanted"),
    [
        ("mov.u32 $0, $1;", "=r,r", ("mov.u32 $0, $1;", "=r,r")),
        ("ld.u32 $0, $1;", "=r,*m", ("ld.u32 $0, [$1];", "=r,l,~{memory}")),
        ("st.u32 $0, $1;", "=*m,r,~{memory}", ("st.u32 [$0], $1;", "l,r,~{memory}")),
        (
            "ld.u32 $1, $2; st.u32 ${0:x}, $1; // $$3",
            "=*m,=r,*m,1",
            ("ld.u32 $0, [$2]; st.u32 [${1:x}], $0; // $$3", "=r,l,l,0,~{memory}"),
        ),
    ],
)
def test_brackets_and_numbers(text: str, constraints: str, wanted: tuple[str, str]):
    assert with_addresses(text, constraints) == wanted


def test_loads_and_stores():
    check(
        ["i32", "i32"],
        [
            ("i32", '%r = call i32 asm "ld.u32 $0, $1", "=r,*m"(ptr elementtype(i32) %at.b)'),
            (
                "i32",
                'call void asm "st.u32 $0, $1", "=*m,r"(ptr elementtype(i32) %at.a, i32 %b);'
                "%r = load i32, ptr %at.a",
            ),
        ],
    )
