"""Random loops over an array, with a call between or in the loops that changes the array."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.features import Features
from nvvm_xdsl.lab.random_kernels.values import SPAN

TOUCH = f"""\
define internal i32 @touch(ptr %p, i32 %i, i32 %v){{}} {{{{
entry:
  br label %head
head:
  %n = phi i32 [ 0, %entry ], [ %next, %head ]
  %at = add i32 %i, %n
  %masked = and i32 %at, {SPAN - 1}
  %q = getelementptr inbounds i32, ptr %p, i32 %masked
  %old = load i32, ptr %q
  %new = xor i32 %old, %v
  store i32 %new, ptr %q
  %next = add nuw nsw i32 %n, 3
  %more = icmp ult i32 %next, 6
  br i1 %more, label %head, label %exit
exit:
  ret i32 %old
}}}}
"""
"""A function that changes two elements of an array; its attributes are in the braces."""

LEAVE = """\
define internal void @leave(i32 %i, i32 %limit) noinline {
entry:
  %over = icmp uge i32 %i, %limit
  br i1 %over, label %out, label %on
out:
  call void @llvm.nvvm.exit()
  unreachable
on:
  ret void
}

declare void @llvm.nvvm.exit()
"""
"""A call that may not return: it ends the thread from some iteration on."""


class ArrayLoops(Features):
    """Adds loops over arrays as statements."""

    def array_loops(self) -> None:
        """One loop sets an array, a call may change it, another loop reads it.

        The second loop also has an early exit, from a block with a call that does not dominate the
        latch.
        """
        r = self.random
        array = f"%{self.fresh('line')}"
        self.allocas.append(f"  {array} = alloca [{SPAN} x i32], align {r.choice((4, 16))}")
        self._fill_by_loop(array)
        if r.random() < 0.7:
            self._touch(array)
        self._read_by_loop(array)

    def _touch(self, array: str) -> None:
        index, value = self.operand("i32"), self.operand("i32")
        element = self.element(array, "i32", self.masked(SPAN))
        self.result("i32", f"load i32, ptr {element}")
        self.result("i32", f"call i32 @touch(ptr {array}, {index.text}, {value.text})")
        self.result("i32", f"load i32, ptr {element}")

    def _fill_by_loop(self, array: str) -> None:
        value, head, done = self.operand("i32"), self.fresh("fill"), self.fresh("filled")
        entry, counter, following = self.block, f"%{self.fresh()}", f"%{self.fresh()}"
        self.emit(f"br label %{head}")
        self.label(head)
        self.emit(f"{counter} = phi i32 [ 0, %{entry} ], [ {following}, %{head} ]")
        place = self.assign(f"getelementptr inbounds i32, ptr {array}, i32 {counter}", "p")
        sum_ = self.assign(f"add i32 {counter}, {value.name}")
        self.emit(f"store i32 {sum_}, ptr {place}")
        self.emit(f"{following} = add nuw nsw i32 {counter}, 1")
        more = self.assign(f"icmp {self.random.choice(('ne', 'ult'))} i32 {following}, {SPAN}")
        self.emit(f"br i1 {more}, label %{head}, label %{done}")
        self.label(done)

    def _read_by_loop(self, array: str) -> None:
        r = self.random
        total, bound, wanted = (self.operand("i32") for _ in range(3))
        step = r.choice((1, 1, 2))
        head, arm, rest, join = (self.fresh(s) for s in ("read", "arm", "rest", "join"))
        entry = self.block
        counter, following, sum_, new, more_, last = (f"%{self.fresh()}" for _ in range(6))
        self.emit(f"br label %{head}")
        self.label(head)
        self.emit(f"{counter} = phi i32 [ 0, %{entry} ], [ {following}, %{rest} ]")
        self.emit(f"{sum_} = phi i32 [ {total.name}, %{entry} ], [ {new}, %{rest} ]")
        place = self.assign(f"getelementptr inbounds i32, ptr {array}, i32 {counter}", "p")
        value = self.assign(f"load i32, ptr {place}")
        rare = self.assign(f"icmp slt i32 {value}, {bound.name}")
        self.emit(f"br i1 {rare}, label %{arm}, label %{rest}")
        self.label(arm)
        changed = self.assign(f"call i32 @touch(ptr {array}, i32 {counter}, i32 {value})")
        self.emit(f"{more_} = add i32 {value}, {changed}")
        leaves = self.assign(f"icmp eq i32 {more_}, {wanted.name}")
        self.emit(f"br i1 {leaves}, label %{join}, label %{rest}")
        self.label(rest)
        self.emit(f"{last} = phi i32 [ {value}, %{head} ], [ {more_}, %{arm} ]")
        again = self.assign(f"load i32, ptr {place}")
        last = self.assign(f"xor i32 {last}, {again}")
        self.emit(f"{new} = {r.choice(('add', 'xor'))} i32 {sum_}, {last}")
        self.emit(f"{following} = add nuw nsw i32 {counter}, {step}")
        more = self.assign(f"icmp {r.choice(('ne', 'ult'))} i32 {following}, {SPAN}")
        self.emit(f"br i1 {more}, label %{head}, label %{join}")
        self.label(join)
        self.result("i32", f"phi i32 [ {sum_}, %{arm} ], [ {new}, %{rest} ]")

    def last_loop(self, *, guards: bool) -> None:
        """The kernel's last loop, which ends at its bound, possibly skipped by the step, or in a
        call.

        The thread's output up to then shows the number of iterations. With `guards` it ends at its
        bound, or in assembly before an invalid load.
        """
        r = self.random
        step, limit = r.choice((1, 2, 3, 4)), r.randint(1, 40)
        bound = r.choice((step * r.randint(1, 8), r.randint(1, 30)))
        start = self.masked(4).name if r.random() < 0.3 else "0"
        head, join = self.fresh("last"), self.fresh("done")
        index = pointer = ""
        if guards:
            chosen = self.assign(f"icmp ult i32 %tid, {r.choice((1, 7, 32))}")
            index = self.assign(f"select i1 {chosen}, i32 {1 << 24}, i32 {r.randrange(8)}")
            pointer = self.assign(
                f"getelementptr [8 x i32], ptr addrspace(4) @table, i32 0, i32 {index}", "p"
            )
        entry, counter, following = self.block, f"%{self.fresh()}", f"%{self.fresh()}"
        latch = self.fresh("guarded") if guards else head
        self.emit(f"br label %{head}")
        self.label(head)
        self.emit(f"{counter} = phi i32 [ {start}, %{entry} ], [ {following}, %{latch} ]")
        wide = self.assign(f"zext i32 {counter} to i64")
        if guards:
            # The thread ends before it loads from outside the table.
            leave = self.fresh("leave")
            outside = self.assign(f"icmp ugt i32 {index}, 7")
            self.emit(f"br i1 {outside}, label %{leave}, label %{latch}")
            self.label(leave)
            self.emit('call void asm sideeffect "exit;", ""()')
            self.emit(f"br label %{latch}")
            self.label(latch)
            value = self.assign(f"load i32, ptr addrspace(4) {pointer}, align 4")
            added = self.assign(f"zext i32 {value} to i64")
            wide = self.assign(f"add i64 {wide}, {added}")
        self.emit(f"store i64 {wide}, ptr %own_l")
        if not guards:
            self.emit(f"call void @leave(i32 {counter}, i32 {limit})")
        flags = r.choice(("", " nuw", " nuw nsw"))
        self.emit(f"{following} = add{flags} i32 {counter}, {step}")
        more = self.assign(f"icmp {'ult' if guards else 'ne'} i32 {following}, {bound}")
        self.emit(f"br i1 {more}, label %{head}, label %{join}")
        self.label(join)
        self.emit("store i64 -1, ptr %own_l")
