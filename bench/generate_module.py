"""Generates LLVM assembly of any size with the instruction mix of CUDA kernels.

The mix follows the kernels of test/corpus: a third arithmetic, a quarter memory with its address arithmetic,
the rest comparisons, selects, conversions, branches with PHIs and a few intrinsics.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

FUNCTION_INSTRUCTIONS = 2_500
"""Approximate number of instructions of a generated kernel."""

HEAD = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
declare i32 @llvm.smax.i32(i32, i32)
declare void @llvm.nvvm.barrier0()

@buffer = internal addrspace(3) global [1024 x float] undef, align 4
"""

TAIL = """
!0 = !{!"float", !1, i64 0}
!1 = !{!"omnipotent char", !2, i64 0}
!2 = !{!"Simple C++ TBAA"}
!3 = !{!0, !0, i64 0}
"""


class Kernel:
    """One kernel or device function: a chain of diamonds, or one block, of runs of random instructions."""

    def __init__(
        self,
        number: int,
        instructions: int,
        seed: int,
        *,
        device: bool = False,
        callees: Sequence[int] = (),
        straight: bool = False,
    ) -> None:
        self.number = number
        self.device = device
        self.callees = callees
        self.straight = straight
        self.left = instructions
        self.random = random.Random(seed)
        self.count = 0
        self.ints: list[str] = []
        self.floats: list[str] = []
        self.used: set[str] = set()

    def _name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def _operand(self, values: list[str]) -> str:
        """Returns mostly the last unused value, so that little of the module is dead."""
        if self.random.random() < 0.8:
            for name in reversed(values[-8:]):
                if name not in self.used:
                    self.used.add(name)
                    return name
        chosen = self.random.choice(values)
        self.used.add(chosen)
        return chosen

    def _instruction(self) -> Iterator[str]:
        pick = self.random.choice
        kind = self.random.randrange(12)
        name = self._name()

        def integer() -> str:
            return self._operand(self.ints)

        def real() -> str:
            return self._operand(self.floats)

        if kind <= 2:
            operator = pick(["add nsw", "sub", "mul", "and", "xor", "shl nuw nsw"])
            yield f"{name} = {operator} i32 {integer()}, {'3' if 'shl' in operator else integer()}"
            self.ints.append(name)
        elif kind <= 4:
            yield f"{name} = {pick(['fadd', 'fmul', 'fsub'])} contract float {real()}, {real()}"
            self.floats.append(name)
        elif kind <= 6:
            wide, address = self._name(), self._name()
            yield f"{wide} = sext i32 {integer()} to i64"
            yield f"{address} = getelementptr inbounds float, ptr addrspace(1) %in, i64 {wide}"
            yield f"{name} = load float, ptr addrspace(1) {address}, align 4, !tbaa !3"
            self.floats.append(name)
        elif kind == 7:
            yield f"{name} = getelementptr inbounds float, ptr addrspace(1) %out, i32 {integer()}"
            yield f"store float {real()}, ptr addrspace(1) {name}, align 4, !tbaa !3"
        elif kind == 8:
            flag = self._name()
            yield f"{flag} = icmp slt i32 {integer()}, {integer()}"
            yield f"{name} = select i1 {flag}, float {real()}, float {real()}"
            self.floats.append(name)
        elif kind == 9:
            yield f"{name} = call float @llvm.fma.f32(float {real()}, float {real()}, float {real()})"
            self.floats.append(name)
        elif kind == 10:
            yield f"{name} = sitofp i32 {integer()} to float"
            self.floats.append(name)
        else:
            yield f"{name} = call i32 @llvm.smax.i32(i32 {integer()}, i32 {self.random.randrange(64)})"
            self.ints.append(name)

    def _run(self, length: int) -> Iterator[str]:
        while length > 0:
            for text in self._instruction():
                length -= 1
                self.left -= 1
                yield f"  {text}\n"

    def _calls(self) -> Iterator[str]:
        for callee in self.callees:
            name = self._name()
            yield (
                f"  {name} = call float @device{callee}(ptr addrspace(1) %in, ptr addrspace(1) %out, "
                f"i32 {self._operand(self.ints)}, float {self._operand(self.floats)})\n"
            )
            self.floats.append(name)

    def lines(self) -> Iterator[str]:
        """Returns the text of the function: a kernel, or a device function that others call."""
        head = f"ptx_kernel void @kernel{self.number}"
        if self.device:
            head = f"internal float @device{self.number}"
        yield (
            f"\ndefine {head}(ptr addrspace(1) %in, "
            "ptr addrspace(1) %out, i32 %n, float %f) {\nentry:\n"
            "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        )
        self.ints = ["%tid", "%n"]
        self.floats = ["%f"]
        yield from self._calls()
        diamond = 0
        while self.left > 0:
            yield from self._run(12)
            if self.straight:
                continue
            ints, floats = list(self.ints), list(self.floats)
            flag = self._name()
            yield f"  {flag} = icmp ult i32 {ints[-1]}, {ints[-2]}\n"
            yield f"  br i1 {flag}, label %then{diamond}, label %else{diamond}\n"
            results: list[str] = []
            for side in ("then", "else"):
                yield f"\n{side}{diamond}:\n"
                self.ints, self.floats = list(ints), list(floats)
                yield from self._run(6)
                results.append(self.floats[-1])
                yield f"  br label %join{diamond}\n"
            # Values of the arms do not dominate the join; only the PHI is available there.
            self.ints, self.floats = ints[-24:], floats[-24:]
            merged = self._name()
            yield f"\njoin{diamond}:\n"
            yield (
                f"  {merged} = phi float [ {results[0]}, %then{diamond} ], "
                f"[ {results[1]}, %else{diamond} ]\n"
            )
            self.floats.append(merged)
            self.left -= 5
            diamond += 1
        last = self.floats[-1]
        if self.device:
            yield f"  ret float {last}\n}}\n"
        else:
            yield f"  store float {last}, ptr addrspace(1) %out, align 4\n  ret void\n}}\n"


def generate(instructions: int, seed: int = 1) -> str:
    """Returns a module of about `instructions` instructions."""
    parts = [HEAD]
    number = 0
    while instructions > 0:
        size = min(instructions, FUNCTION_INSTRUCTIONS)
        parts += Kernel(number, size, seed + number).lines()
        instructions -= size
        number += 1
    parts.append(TAIL)
    return "".join(parts)


def generate_program(functions: int, instructions: int = 50, seed: int = 1) -> str:
    """Returns a program of device functions, each of about `instructions` instructions, and a kernel.

    Each function calls one or two of the eight before it, so that the call graph is deep and wide.
    """
    chosen = random.Random(seed)
    parts = [HEAD]
    for number in range(functions):
        before = range(max(0, number - 8), number)
        callees = chosen.sample(before, min(len(before), chosen.randrange(1, 3)))
        parts += Kernel(number, instructions, seed + number, device=True, callees=callees).lines()
    parts += Kernel(0, instructions, seed, callees=range(max(0, functions - 8), functions)).lines()
    parts.append(TAIL)
    return "".join(parts)


if __name__ == "__main__":
    import sys

    sys.stdout.write(generate(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
