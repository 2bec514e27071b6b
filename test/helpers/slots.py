"""Functions with stack slots before and after a pass."""

from __future__ import annotations

from nvvm_xdsl.export.module import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @g(ptr)
define void @f(ptr %p, ptr %q, i1 %c, i8 %x, i16 %h, i32 %a, i32 %b, i64 %w, float %t) {{
{body}
  ret void
}}
"""


def after(body: str, pipeline: str = "sroa") -> str:
    """Returns the body of the function after a pipeline."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    verify_module(module)
    return write_ll(module).partition("define void @f(")[2].partition("{\n")[2].partition("}\n")[0]


def copied(target: str, source: str, length: int | str, name: str = "memcpy") -> str:
    """Returns a copy between two addresses."""
    return f"call void @llvm.{name}.p0.p0.i64(ptr {target}, ptr {source}, i64 {length}, i1 false)\n"


def filled(target: str, byte: int | str, length: int) -> str:
    """Returns a fill of memory."""
    return f"call void @llvm.memset.p0.i64(ptr {target}, i8 {byte}, i64 {length}, i1 false)\n"


def at(name: str, base: str, offset: int) -> str:
    """Returns the computation of an address at a byte offset."""
    return f"{name} = getelementptr i8, ptr {base}, i64 {offset}\n"


def loaded(type_: str, address: str, name: str = "%r") -> str:
    """Returns a load and a volatile store of its result."""
    return f"{name} = load {type_}, ptr {address}\nstore volatile {type_} {name}, ptr %q\n"
