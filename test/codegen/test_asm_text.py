"""PTX versions and GPUs that foreign PTX text requires."""

import pytest

from dev.conformance.verdicts import refusal_by_ptxas
from nvvm_xdsl.codegen.asm_text import requirements
from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("", 0),
        ("no_such_instruction.u32 $0, $1;", 0),
        ("// abs.f16 is only spoken of", 0),
        ("{abs.f16 $0, $1;\n}", 65),
        ("abs.f16 $0, $1;", 65),
        ("@%p1 abs.f16 $0, $1;", 65),
        ("@!$2 abs.f16 $0, $1;", 65),
        ("add.u32 $0, $1, 1; abs.f16 $3, $4;", 65),
        ("again: abs.f16 $0, $1;", 65),
        ("mov.u32 $0, %clusterid.x;", 78),
        ("mov.u32 $0, %%clusterid.x;", 78),
        ("{\n\t.reg .b16 t;\n\tabs.f16 t, $1;\n}", 65),
    ],
)
def test_versions(text: str, version: int):
    found = max((form.ptx for _, forms in requirements(text) for form in forms), default=0)
    assert found == version if version else found < 65


def kernel(text: str, *, module_level: bool = False) -> str:
    if module_level:
        return f'module asm ".visible .func f() {{ {text} ret; }}"\ndefine ptx_kernel void @k() {{\n  ret void\n}}\n'
    escaped = text.replace('"', "\\22")
    return f'define ptx_kernel void @k() {{\n  call void asm sideeffect "{escaped}", ""()\n  ret void\n}}\n'


LACKING = [
    ("wgmma.fence.sync.aligned;", "sm_90", "'wgmma.fence.sync.aligned' needs sm_90a, not sm_90"),
    ("wgmma.fence.sync.aligned;", "sm_100a", "'wgmma.fence.sync.aligned' needs sm_90a, not sm_100a"),
    ("{ .reg .b32 %r; mov.u32 %r, %clusterid.x; }", "sm_80", "'%clusterid.x' needs sm_90 or later, not sm_80"),
    ("griddepcontrol.wait;", "sm_89", "'griddepcontrol.wait' needs sm_90 or later, not sm_89"),
    ("/* nothing */ nanosleep.u32 1; elect.sync _|p, -1;", "sm_75", "'elect.sync' needs sm_90 or later, not sm_75"),
    ("{ .reg .b32 a; redux.sync.add.u32 a, a, -1; }", "sm_75", "'redux.sync.add.u32' needs sm_80 or later, not sm_75"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arch", "message"), LACKING)
def test_instructions_that_the_gpu_lacks(text: str, arch: str, message: str):
    with pytest.raises(DiagnosticError) as error:
        compile(kernel(text), arch=arch, opt_level=0)
    assert error.value.message == f"in @k: inline assembly: {message}"


def test_module_assembly_for_another_gpu():
    with pytest.raises(
        DiagnosticError, match=r"module-level assembly: 'griddepcontrol.wait' needs"
    ):
        compile(kernel("griddepcontrol.wait;", module_level=True), arch="sm_80", opt_level=0)
    compile(kernel("griddepcontrol.wait;", module_level=True), arch="sm_90", opt_level=0)


@pytest.mark.parametrize(
    ("text", "arch"),
    [
        ("wgmma.fence.sync.aligned;", "sm_90a"),
        ("{ .reg .b32 %r; mov.u32 %r, %clusterid.x; }", "sm_90"),
        # Later forms of an instruction have other operands.
        ("{ .reg .pred p; .reg .b32 a; mov.b32 a, 0; vote.sync.any.pred p, 1, -1; }", "sm_75"),
        ("{ .reg .b16 h; .reg .f32 f; mov.f32 f, 0f00000000; cvt.rn.satfinite.f16.f32 h, f; }", "sm_75"),
        ("{ .reg .b16 h; .reg .f32 f; mov.f32 f, 0f00000000; cvt.rm.bf16.f32 h, f; }", "sm_80"),
    ],
)  # fmt: skip
def test_instructions_that_the_gpu_has(text: str, arch: str):
    ptx = compile(kernel(text), arch=arch, opt_level=0)
    if find_ptxas() is not None:
        assert refusal_by_ptxas(ptx) == ""


SATURATED = """
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %r = load <2 x half>, ptr addrspace(1) %p
  %d = call {<2 x half>, <2 x half>, <2 x half>, <2 x half>} @llvm.nvvm.wmma.m16n16k16.mma.row.row.f16.f16.satfinite(
    <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r,
    <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r,
    <2 x half> %r, <2 x half> %r, <2 x half> %r, <2 x half> %r)
  %v = extractvalue {<2 x half>, <2 x half>, <2 x half>, <2 x half>} %d, 0
  store <2 x half> %v, ptr addrspace(1) %p
  MORE
  ret void
}
"""


def test_instructions_that_ptx_removed():
    ptx = compile(SATURATED.replace("MORE", ""), arch="sm_75", opt_level=0)
    assert ".version 6.3" in ptx
    if find_ptxas() is not None:
        assert refusal_by_ptxas(ptx) == ""
    text = "wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16.satfinite"
    with pytest.raises(DiagnosticError, match=f"'{text}' needs PTX before 6.5, not sm_80"):
        compile(SATURATED.replace("MORE", ""), arch="sm_80", opt_level=0)
    newer = 'call void asm sideeffect "{ .reg .b16 h; mov.b16 h, 0; abs.f16 h, h; }", ""()'
    with pytest.raises(DiagnosticError, match=r"before 6\.5, but the module needs PTX 6\.5"):
        compile(SATURATED.replace("MORE", newer), arch="sm_75", opt_level=0)


def test_a_target_of_each_kind_of_requirement():
    ((_, (needed,)),) = requirements("wgmma.fence.sync.aligned;")
    assert Target.parse("sm_90a").supports(needed)
    assert not Target.parse("sm_90").supports(needed)
