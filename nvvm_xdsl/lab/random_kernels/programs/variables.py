"""Variables of every space, shared by kernels that are launched one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

THREADS: Final = 4
"""Number of threads of a block in a multithreaded program; each has its own elements of every
variable."""


@dataclass(frozen=True)
class Variable:
    """A variable of a program.

    Arguments:
        name: without `@`.
        space: its address space.
        type_: type of one thread's copy.
        initial: the initial value; `undef` for variables that a kernel sets before they are read.
        linkage: `internal`, or empty if the host can access it.
    """

    name: str
    space: int
    type_: str
    initial: str
    linkage: str = "internal"

    def definition(self, threads: int) -> str:
        """The definition for a number of threads."""
        type_, initial = self.type_, self.initial
        if threads > 1:
            simple = initial in ("undef", "zeroinitializer", "null")
            listed = ", ".join([f"{type_} {initial}"] * threads)
            type_ = f"[{threads} x {type_}]"
            initial = f"[{listed}]" if not simple else initial.replace("null", "zeroinitializer")
        space = f"addrspace({self.space}) " if self.space else ""
        linkage = f"{self.linkage} " if self.linkage else ""
        return f"@{self.name} = {linkage}{space}global {type_} {initial}, align 8"

    @property
    def pointer(self) -> str:
        """The type of its address."""
        return f"ptr addrspace({self.space})" if self.space else "ptr"


BOX: Final = "%Box { i32 3, float 1.5, i64 -9 }"

VARIABLES: Final = {
    v.name: v
    for v in (
        Variable("state", 1, "i32", "5"),
        Variable("flag", 1, "i32", "0"),
        Variable("never_read", 1, "i32", "1"),
        Variable("fixed", 1, "i32", "77"),
        Variable("seen", 1, "i32", "9", ""),
        Variable("generic", 0, "i32", "-3"),
        Variable("unset", 1, "i64", "undef"),
        Variable("zeros", 1, "[4 x i32]", "zeroinitializer"),
        Variable("box", 1, "%Box", BOX.removeprefix("%Box ")),
        Variable("deep", 1, "%Deep", f"{{ {BOX}, [2 x %Pair] zeroinitializer }}"),
        Variable("pair", 1, "%Pair", "{ i32 11, i32 -12 }"),
        Variable("shared_pair", 3, "%Pair", "undef"),
        Variable("shared_box", 3, "%Box", "undef"),
        Variable("scratch", 3, "[4 x i32]", "undef"),
        Variable("pointer", 1, "ptr", "null"),
        Variable("heap", 1, "ptr", "null"),
        Variable("records", 1, "ptr", "null"),
    )
}

CONSTANTS: Final = """\
@numbers = internal addrspace(4) constant [4 x i32] [i32 10, i32 -20, i32 30, i32 1], align 4
@same1 = private unnamed_addr addrspace(4) constant [2 x i32] [i32 4, i32 5], align 4
@same2 = private unnamed_addr addrspace(4) constant [2 x i32] [i32 4, i32 5], align 4
@settings = addrspace(4) externally_initialized global [2 x i32] [i32 6, i32 -6], align 4
@never_set = internal addrspace(4) global i32 21, align 4
@unused = internal addrspace(1) global i64 0, align 8
@mailbox = internal addrspace(3) global [4 x i32] undef, align 4
"""
"""Variables that no kernel writes: `settings` of the host, and the shared variable of
`@exchange`."""

SCALARS: Final = (
    ("state", "", "i32"), ("flag", "", "i32"), ("seen", "", "i32"), ("generic", "", "i32"), ("unset", "", "i64"),
    ("box", "i32 0", "i32"), ("box", "i32 1", "float"), ("box", "i32 2", "i64"),
    ("deep", "i32 0, i32 1", "float"), ("deep", "i32 1, i32 1, i32 0", "i32"), ("deep", "i32 1, i32 0, i32 1", "i32"),
    ("shared_box", "i32 1", "float"), ("shared_box", "i32 2", "i64"), ("pair", "i32 1", "i32"),
)  # fmt: skip
"""Accessed locations: variable, indices, type."""

ARRAYS: Final = ("zeros", "scratch")
"""Arrays of four integers; the elements of `scratch` are written before they are read."""
