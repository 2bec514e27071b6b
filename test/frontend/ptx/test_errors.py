"""Errors state the line, the column, and the closest known form of an instruction."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n"


def error(body: str) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        read_ptx(f"{HEAD}{body}\n}}\n", "k.ptx")
    return caught.value


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("  ad.s32 a, b, c;", 3, "unknown instruction 'ad'; did you mean 'add'?"),
        ("  add.s33 a, b, c;", 7, "unknown instruction 'add.s33'; the closest is 'add.s32'"),
        ("  setp.lt.f16.s32 p, a, b;", 15, "the closest is 'setp.lt.f16'"),
        ("  ld.globl.u32 a, [b];", 6, "the closest is 'ld.global.u32'"),
        ("  fma.f32 a, b, c, d;", 7, "the closest is 'fma.rn.f32'"),
        ("  mma.sync.aligned.m16n8k99.row.col.f32.f16.f16.f32 a, b, c, d;", 20, "m16n8k"),
        ("  shfl.bfly.b32 a, b, 1, 31;", 8, "the closest is 'shfl.sync'"),
        ("  add.s32 a, b;", 3, "'add.s32' takes 3 operands, not 2"),
        ("  mov.b32 a, b c;", 16, "expected ',' or ';'"),
        ("  mov.b64 {a, b, c;", 19, "expected ',' or '}'"),
        ("  ld.global.u32 a, [b;", 22, "expected ',' or ']'"),
        ("  mov.b32 a, #1;", 14, "unexpected '#'"),
        ("  .reg .b33 a;", 8, "unknown type '.b33'"),
        ("  .local .align 3 .b8 a[4];", 17, "the alignment 3 is not a power of two"),
        ("  .unknown 5;", 3, "unknown directive '.unknown'"),
        ("  ?;", 3, "expected a statement"),
        ("  .reg .b32 \u00e9;", 13, "unexpected character '\u00e9'"),
    ],
)
def test_location_and_closest_form(line: str, column: int, message: str):
    found = error(line)
    assert message in found.message
    assert (found.line, found.column) == (6, column)
    assert found.source_line == line
    assert found.render().endswith(f"\n{' ' * (column - 1)}^")


def test_characters_outside_ascii_are_accepted_in_strings_and_comments():
    module = read_ptx(f'{HEAD}// \u00e9\n.pragma "\u00e9";\nret;\n}}\n', "k.ptx")
    assert "\\C3\\A9" in str(module)


def test_comments_do_not_change_locations():
    found = error("  // one\n  /* two\n */ add.s32 /* three */ a, b;")
    assert (found.line, found.column) == (8, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".target sm_90\n", "a PTX module begins with .version"),
        (".version 8\n", "expected '.version MAJOR.MINOR'"),
        (f"{HEAD}ret;\n", "the body of a function is not closed: expected '}'"),
        (".version 8.0\n.entry k(.param .b32 x\n{ }", "expected '{', ';' or a directive"),
        (".version 8.0\n.global .u32 x = ;\n", "expected a value"),
        (".version 8.0\nglobal .u32 x;\n", "expected a directive"),
        (".version 8.0\n.entry k() .maxtid 3 { }", "expected '{', ';' or a directive"),
    ],
)
def test_errors_outside_of_function_bodies(text: str, message: str):
    with pytest.raises(DiagnosticError) as caught:
        read_ptx(text, "k.ptx")
    assert message in caught.value.message
    assert caught.value.line is not None
