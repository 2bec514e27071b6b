import pytest

from nvvm_xdsl.codegen.asm_text import required_ptx


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
    found = required_ptx(text)
    assert found == version if version else found < 65
