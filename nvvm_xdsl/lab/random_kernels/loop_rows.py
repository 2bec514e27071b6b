"""Random rows of loops, each bounded by the counter of the previous one."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.checked_arithmetic import CheckedArithmetic

ROW_LENGTHS = (2, 3, 4, 16)
"""Sixteen loops are enough to exceed the time limit if the time of an analysis doubles with each."""


class LoopRows(CheckedArithmetic):
    """Adds such rows as statements."""

    def row_of_loops(self) -> None:
        """Loops in a row, each bounded by the extended counter of the previous one."""
        r = self.random
        bound, total = self.some_trips(), self.operand("i64").name
        extends, test = r.choice(("zext", "sext")), r.choice(("slt", "ult"))
        # A loop has at most one iteration more than the loop before it.
        step = r.choice((0, 1, 1))
        uses_following = r.random() < 0.3
        converged, self.converged = self.converged, False
        for _ in range(r.choice(ROW_LENGTHS)):
            head, out = self.node("head", "i32", "i64"), self.node("out", "i64")
            counter, mixed = head.names
            self.jump(head, "0", total)
            self.begin(head)
            product = self.assign(f"mul i64 {mixed}, 3")
            wide = self.assign(f"zext i32 {counter} to i64")
            new = self.assign(f"xor i64 {product}, {wide}")
            following = self.assign(f"add i32 {counter}, 1")
            more = self.assign(f"icmp {test} i32 {following}, {bound}")
            self.fork(more, (head, (following, new)), (out, (new,)))
            self.begin(out)
            last = following if uses_following else counter
            wide = self.assign(f"{extends} i32 {last} to i64")
            wide = self.assign(f"add i64 {wide}, {step}")
            bound = self.assign(f"trunc i64 {wide} to i32")
            self.close(head, out)
            (total,) = out.names
        self.converged = converged
        self.scopes[-1].setdefault("i64", []).append(self.value(total, "i64"))
        self.scopes[-1].setdefault("i32", []).append(self.value(bound, "i32"))
