"""Random inline assembly: results in wider registers, tied operands, operands in memory, guards and branches."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.lab.random_kernels.stated_facts import StatedFacts

CALLS: Final[tuple[tuple[str, str, str, tuple[str, ...]], ...]] = (
    ("cvt.s8.s32 $0, $1;", "=r,r", "i32", ("i32",)),
    ("cvt.s16.s32 $0, $1;", "=r,r", "i32", ("i32",)),
    ("cvt.sat.s8.s32 $0, $1;", "=r,r", "i32", ("i32",)),
    ("cvt.u8.u32 $0, $1;", "=h,r", "i16", ("i32",)),
    ("cvt.s8.s32 $0, $1;", "=h,r", "i16", ("i32",)),
    ("mad.lo.s32 $0, $0, 3, $2;", "=r,0,r", "i32", ("i32", "i32")),
    ("sub.s64 $0, $2, $0;", "=l,0,l", "i64", ("i64", "i64")),
    ("mad.wide.s32 $0, $1, $2, -8;", "=l,r,r", "i64", ("i32", "i32")),
    ("slct.s64.s32 $0, -5, $1, $2;", "=l,l,r", "i64", ("i64", "i32")),
    ("{ mov.b32 $0, 5; add.s32 $0, $0, $1; }", "=&r,r", "i32", ("i32",)),
    (
        "{ .reg .pred p; setp.lt.s32 p, $1, $2; mov.b32 $0, $2; @!p cvt.s8.s32 $0, $1; }",
        "=&r,r,r", "i32", ("i32", "i32"),
    ),
    (
        "{ .reg .pred p; setp.gt.s32 p, $1, 100; mov.b32 $0, 1; @p bra L${:uid}; xor.b32 $0, $1, $2; L${:uid}: }",
        "=&r,r,r", "i32", ("i32", "i32"),
    ),
    ("{ .reg .b16 h; cvt.s8.s32 h, $1; mul.wide.s16 $0, h, 300; }", "=r,r", "i32", ("i32",)),
)  # fmt: skip
"""Texts with their constraints, the type of the result, and those of the operands."""


class Assembly(StatedFacts):
    """Adds such code as statements."""

    def assembly(self) -> None:
        """Inline assembly, with one result, with two, or with an operand in memory."""
        r = self.random
        kind = r.choice(("one", "one", "one", "two", "load", "update"))
        effects = r.choice(("", " sideeffect"))
        if kind == "one":
            text, constraints, type_, operands = r.choice(CALLS)
            values = ", ".join([self.operand(t).text for t in operands])
            self.result(type_, f'call {type_} asm{effects} "{text}", "{constraints}"({values})')
            return
        if kind == "two":
            values = f"{self.operand('i32').text}, {self.operand('i32').text}"
            text = "add.s32 $0, $2, $3; sub.s32 $1, $2, $3;"
            pair = "{ i32, i32 }"
            both = self.assign(f'call {pair} asm{effects} "{text}", "=&r,=&r,r,r"({values})')
            for number in range(2):
                self.result("i32", f"extractvalue {pair} {both}, {number}")
            return
        place = f"ptr elementtype(i32) {self.own_place('i64')}"
        if kind == "load":
            self.result("i32", f'call i32 asm "ld.s8 $0, $1;", "=r,*m"({place})')
            return
        value = self.operand("i32").text
        text = "{ .reg .b32 t; ld.b32 t, $0; mad.lo.s32 t, t, 3, $1; st.b32 $0, t; }"
        self.emit(f'call void asm sideeffect "{text}", "=*m,r,*m"({place}, {value}, {place})')
