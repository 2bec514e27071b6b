"""Machine code from a listing and its cubin into the sass dialect."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.parser import Parser

from nvvm_xdsl.dialects.sass import SASS
from nvvm_xdsl.dialects.sass.ops import DataOp, FunctionOp, InstructionOp
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.frontend.sass.cubin import read_cubin
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.machine_simulation import machine_module, why_no_machine_code

needs_ptxas = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

KERNEL = """\
.version 7.8
.target sm_80
.address_size 64
.const .align 4 .u32 factors[2] = {3, 5};
.global .align 8 .u64 table[2] = {factors, 7};
.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %p<2>;
  .shared .align 4 .b8 tile[64];
  ld.param.u64 %d1, [p];
  ld.param.u32 %r1, [n];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $done;
  ld.const.u32 %r2, [factors+4];
  st.shared.u32 [tile], %r2;
  st.global.u32 [%d1], %r2;
$done:
  ret;
}
"""


@needs_ptxas
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_a_kernel_is_parsed(arch: str):
    module = machine_module(KERNEL, arch)
    (function,) = (op for op in module.ops if isinstance(op, FunctionOp))
    assert "entry" in function.properties
    assert function.texts("params") == ["0:8", "8:4"]
    block = function.regions[0].first_block
    assert block is not None
    instructions = [op for op in fast.ops_of(block) if isinstance(op, InstructionOp)]
    assert [op.address for op in instructions] == [16 * i for i in range(len(instructions))]
    # The padding is dropped; the infinite loop after the code is the last instruction.
    assert instructions[-1].mnemonic == "BRA"
    assert "EXIT" in {op.mnemonic for op in instructions}
    guarded = [op for op in instructions if op.guard is not None]
    assert guarded
    assert guarded[0].guard is not None
    assert guarded[0].guard.file == "P"
    constants = [op for op in module.ops if isinstance(op, DataOp) and "constant3" in str(op)]
    assert constants[0].text("bytes") == "0300000005000000"


@needs_ptxas
@pytest.mark.parametrize(("stated", "read"), [(48, 48), (0xFFFFFFFF, 0)])
def test_an_unknown_stack_size_is_omitted(tmp_path: Path, stated: int, read: int):
    """`stated` replaces the least stack of the kernel, an attribute of 8 bytes, in the file."""
    (tmp_path / "k.ptx").write_text(KERNEL)
    command = [str(find_ptxas()), "-arch=sm_90", "k.ptx", "-o", "k.cubin"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    content = (tmp_path / "k.cubin").read_bytes()
    changed = re.sub(
        rb"\x04\x12\x08\0(....)....",
        lambda m: b"\x04\x12\x08\0" + m[1] + struct.pack("<I", stated),
        content,
        flags=re.DOTALL,
    )
    assert changed != content
    assert read_cubin(changed).functions["k"].frame == read


@needs_ptxas
def test_the_text_is_parsed_again():
    module = machine_module(KERNEL, "sm_90")
    context = Context()
    context.load_dialect(SASS)
    from xdsl.dialects.builtin import Builtin

    context.load_dialect(Builtin)
    again = Parser(context, str(module)).parse_module()
    again.verify()
    assert str(again) == str(module)


@needs_ptxas
def test_marks_of_spilled_registers_are_dropped():
    """40 values are live in 24 registers."""
    loads = "".join(f"ld.volatile.global.u32 %r{i}, [%d1+{4 * i}];\n" for i in range(40))
    stores = "".join(f"st.volatile.global.u32 [%d1+{4 * i}], %r{39 - i};\n" for i in range(40))
    ptx = f"""\
.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) .maxnreg 24
{{
  .reg .b32 %r<40>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [p];
{loads}{stores}  ret;
}}
"""
    module = machine_module(ptx, "sm_90")
    stores_to_stack = [
        op for op in module.walk() if isinstance(op, InstructionOp) and op.mnemonic == "STL"
    ]
    assert stores_to_stack
    assert all(op.parsed[-1].file == "R" for op in stores_to_stack)


def test_a_file_that_is_no_cubin():
    with pytest.raises(DiagnosticError, match="the file is not a cubin"):
        read_cubin(b"nothing")


@needs_ptxas
def test_a_listing_without_encodings():
    from nvvm_xdsl.frontend.sass.reader import _Listing  # pyright: ignore[reportPrivateUsage]

    listing = "\t.section\t.text.k,\n        /*0000*/                   EXIT ;\n"
    with pytest.raises(DiagnosticError, match="expected an instruction and its encoding") as caught:
        _Listing(listing, "k.sass").functions()
    assert (caught.value.line, caught.value.column) == (2, 9)
