"""One feature per snippet: parsed, verified, printed as by MLIR, in both forms.

The files in `llvm/roundtrip` and `nvvm/roundtrip` hold MLIR 22's own canonical text, so that our output is
compared with MLIR's even without an MLIR installation. If mlir-opt is installed, it must parse our output and
print the same again.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.roundtrip import (
    FILES,
    MLIR_OPT,
    NO_MLIR,
    SEPARATOR,
    mlir_opt,
    parse,
    show,
    snippets,
    without_spacing,
)
from xdsl.utils.exceptions import ParseError

SNIPPETS = [
    pytest.param(text, id=f"{path.parent.parent.name}-{path.stem}-{index}")
    for path in FILES
    for index, text in enumerate(snippets(path))
]


def test_number_of_snippets():
    assert len(SNIPPETS) > 400


def body(text: str) -> str:
    """Returns printed text without the module that the parser adds."""
    text = without_spacing(text)
    assert text.startswith("module{")
    assert text.endswith("}")
    return text[len("module{") : -1].strip()


@pytest.mark.parametrize("text", SNIPPETS)
def test_prints_the_same_as_mlir(text: str):
    module = parse(text)
    if "loc(" in text:
        printed = show(module, locations=True)
        assert without_spacing(show(parse(printed), locations=True)) == without_spacing(printed)
        return
    printed = without_spacing(show(module))
    expected = without_spacing(text)
    assert (printed if expected.startswith("module") else body(show(module))) == expected


@pytest.mark.parametrize("text", SNIPPETS)
def test_the_generic_form_is_lossless(text: str):
    module = parse(text)
    again = parse(show(module, generic=True))
    assert again.is_structurally_equivalent(module)
    assert show(again) == show(module)


@pytest.mark.skipif(MLIR_OPT is None, reason=NO_MLIR)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_mlir_parses_the_output(path: Path, generic: bool):
    arguments = ("--split-input-file", "--mlir-print-local-scope")
    ours = [show(parse(text), generic=generic) for text in snippets(path)]
    assert mlir_opt(f"\n{SEPARATOR}\n".join(ours), *arguments) == mlir_opt(
        path.read_text(), *arguments
    )


LOCATIONS = """
llvm.func @f(%arg0: i32 loc("a.cu":1:8)) -> i32 {
  %0 = llvm.add %arg0, %arg0 : i32 loc(#late)
  llvm.return %0 : i32 loc(unknown)
} loc(#fused)
#file = #llvm.di_file<"a.cu" in "/src">
#name = loc("name"("a.cu":4:5))
#fused = loc(fused<#file>["a.cu":2:3, #name])
#late = loc(callsite(#name at #fused))
"""


def test_aliases_may_follow_their_use():
    printed = show(parse(LOCATIONS), locations=True)
    fused = 'fused<#llvm.di_file<"a.cu" in "/src">>["a.cu":2:3, "name"("a.cu":4:5)]'
    assert f'loc(callsite("name"("a.cu":4:5) at {fused}))' in printed
    assert f"}} loc({fused})" in printed
    assert without_spacing(show(parse(printed), locations=True)) == without_spacing(printed)


@pytest.mark.skipif(MLIR_OPT is None, reason=NO_MLIR)
@pytest.mark.parametrize("generic", [False, True], ids=["custom", "generic"])
def test_locations_are_preserved(generic: bool):
    arguments = ("--mlir-print-local-scope", "--mlir-print-debuginfo")
    ours = show(parse(LOCATIONS), generic=generic, locations=True)
    theirs = mlir_opt(LOCATIONS, *arguments)
    # Only MLIR gives the implicit module a location.
    assert mlir_opt(ours, *arguments).rsplit("loc(", 1)[0] == theirs.rsplit("loc(", 1)[0]


def test_an_undefined_alias():
    with pytest.raises(ParseError, match="undefined symbol alias '#nowhere'"):
        parse("llvm.func @f() attributes {a = #nowhere}")
