"""The cache of components: parts that are compiled again, equal output, and modules that are compiled as a whole."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dev.edit_equality import differences
from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver import function_cache
from nvvm_xdsl.driver.cache import Cache, Entry
from nvvm_xdsl.driver.compile import compile_files, parse
from nvvm_xdsl.driver.cuda import CLANGS
from nvvm_xdsl.driver.errors import TimeLimitExceeded
from nvvm_xdsl.driver.function_cache import NotJoined, PTXParts, join, parts_of
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError

KERNEL = """\
define ptx_kernel void @{0}(ptr addrspace(1) %p, i32 %i) {{
  %c = icmp eq i32 %i, {1}
  br i1 %c, label %then, label %end
then:
  {2}
  store volatile i32 {1}, ptr addrspace(1) %p
  br label %end
end:
  ret void
}}
"""

HEAD = 'target triple = "nvptx64-nvidia-cuda"\ntarget datalayout = "e-i64:64-v16:16-v32:32-n16:32:64"\n'
OPTIONS = CompileOptions(arch="sm_90")


def module(*constants: int, more: str = "") -> str:
    return HEAD + "".join(KERNEL.format(f"k{n}", c, "") for n, c in enumerate(constants)) + more


Compile = Callable[[str], str]


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are read."""
    found: list[str] = []

    def recorded(source: object, **others: object) -> object:
        found.append(source if isinstance(source, str) else "")
        return parse(source, **others)  # pyright: ignore

    monkeypatch.setattr(driver, "parse", recorded)
    return found


def run(
    text: str, tmp_path: Path, cache: Cache | None, options: CompileOptions = OPTIONS
) -> tuple[str, list[str]]:
    path = tmp_path / "k.ll"
    path.write_text(text)
    said: list[str] = []
    return compile_files([str(path)], options, cache=cache, remark=said.append), said


def test_only_the_edited_function_is_compiled(tmp_path: Path, cache: Cache, compiled: list[str]):
    assert run(module(1, 2, 3, 4), tmp_path, cache) == run(module(1, 2, 3, 4), tmp_path, None)
    compiled.clear()
    found = run(module(1, 2, 5, 4), tmp_path, cache)
    (source,) = compiled
    # A module with one function runs passes in another order: another kernel accompanies it.
    assert "@k2" in source
    assert source.count("define ") == 2
    assert found == run(module(1, 2, 5, 4), tmp_path, None)
    compiled.clear()
    assert run(module(1, 2, 3, 4) + "; comment", tmp_path, cache) == run(
        module(1, 2, 3, 4), tmp_path, None
    )
    assert len(compiled) == 1


def test_order_and_number_of_functions(tmp_path: Path, cache: Cache, compiled: list[str]):
    first = module(1, 2, 3)
    run(first, tmp_path, cache)
    head, *kernels = first.split("define")
    text = head + "".join("define" + kernel for kernel in (kernels[2], kernels[0]))
    compiled.clear()
    found = run(text, tmp_path, cache)
    assert not compiled
    assert found == run(text, tmp_path, None)


VARIABLES = """\
@t0 = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @u0 to ptr)
@t1 = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @u1 to ptr)
@u1 = addrspace(1) global i32 1
@u0 = addrspace(1) global i32 0
declare void @later()
declare i32 @vprintf(ptr, ptr)
declare void @earlier()
"""


def test_variables_and_declarations(tmp_path: Path, cache: Cache, compiled: list[str]):
    def text(constant: int) -> str:
        uses = "%x = load volatile ptr, ptr addrspace(1) @t{0}\n  call void @{1}()"
        return (
            HEAD
            + KERNEL.format("k0", 1, uses.format(0, "earlier"))
            + KERNEL.format("k1", constant, uses.format(1, "later"))
            + VARIABLES
        )

    assert run(text(1), tmp_path, cache) == run(text(1), tmp_path, None)
    compiled.clear()
    found = run(text(2), tmp_path, cache)
    assert [bool(source) for source in compiled] == [True]
    assert found == run(text(2), tmp_path, None)
    assert found[0].index(" later") < found[0].index(" earlier")


def test_messages_are_kept(tmp_path: Path, cache: Cache):
    call = KERNEL.format("k2", 1, "call void @missing()") + "declare void @missing()\n"
    run(module(1, 2, more=call), tmp_path, cache)
    found = run(module(3, 2, more=call), tmp_path, cache)
    assert found == run(module(3, 2, more=call), tmp_path, None)
    assert any("@missing" in text for text in found[1])


def test_errors_of_cached_functions_have_locations_in_the_module(tmp_path: Path, cache: Cache):
    run(module(1, 2), tmp_path, cache)
    wrong = module(1, 3).replace("label %end\nend", "label %nowhere\nend")
    with pytest.raises(DiagnosticError) as expected:
        run(wrong, tmp_path, None)
    with pytest.raises(DiagnosticError) as found:
        run(wrong, tmp_path, cache)
    assert found.value.render() == expected.value.render()


def change_entries(cache: Cache, change: Callable[[dict[str, object]], None]) -> None:
    """Changes the stored components."""
    with sqlite3.connect(cache.path) as base:
        keys = [key for (key,) in base.execute("SELECT key FROM entries") if key[:9] == "component"]
    for key, entry in cache.get_all(keys).items():
        fields = json.loads(entry.ptx)
        change(fields)
        cache.put(key, Entry(json.dumps(fields), entry.remarks))


def test_a_wrong_cache_entry_is_detected_on_its_next_use(tmp_path: Path, cache: Cache):
    run(module(1, 2), tmp_path, cache)

    def rename(fields: dict[str, object]) -> None:
        fields["parts"]["functions"][0][1] += "\n"  # pyright: ignore

    change_entries(cache, rename)
    assert run(module(1, 3), tmp_path, cache) == run(module(1, 3), tmp_path, None)


def test_the_limit_of_the_inliner(tmp_path: Path, cache: Cache, compiled: list[str]):
    run(module(1, 2), tmp_path, cache)
    change_entries(cache, lambda fields: fields.update(copied=100_001))
    compiled.clear()
    run(module(1, 2) + ";", tmp_path, cache)
    assert len(compiled) == 1


@pytest.mark.parametrize(
    "options",
    [
        CompileOptions(arch="sm_90", debug="lines"),
        CompileOptions(arch="sm_90", passes="sroa"),
        CompileOptions(arch="sm_90", machine_passes=""),
        CompileOptions(arch="sm_90", pass_options="-inline-threshold=1"),
        CompileOptions(arch="sm_90", emit="llvm"),
    ],
)
def test_options_that_need_the_whole_module(options: CompileOptions):
    assert function_cache.applies_to(OPTIONS)
    assert not function_cache.applies_to(options)


def test_options_are_in_the_key(tmp_path: Path, cache: Cache, compiled: list[str]):
    run(module(1, 2), tmp_path, cache)
    compiled.clear()
    found = run(module(1, 2), tmp_path, cache, CompileOptions(arch="sm_90", opt_level=0))
    assert len(compiled) == 1
    assert found == run(module(1, 2), tmp_path, None, CompileOptions(arch="sm_90", opt_level=0))


def test_targets_of_the_functions(tmp_path: Path, cache: Cache):
    """The newest target of a kernel is that of the module."""

    def text(first: str, second: str) -> str:
        body = module(1, 2)
        body = body.replace(
            "@k0(ptr addrspace(1) %p, i32 %i)",
            '@k0(ptr addrspace(1) %p, i32 %i) "target-cpu"="' + first + '"',
        )
        return body.replace(
            "@k1(ptr addrspace(1) %p, i32 %i)",
            '@k1(ptr addrspace(1) %p, i32 %i) "target-cpu"="' + second + '"',
        )

    for targets in (("sm_80", "sm_80"), ("sm_90", "sm_90"), ("sm_80", "sm_90")):
        source = text(*targets)
        assert run(source, tmp_path, cache, CompileOptions()) == run(
            source, tmp_path, None, CompileOptions()
        )


def test_functions_that_are_inlined_into_several_kernels(
    tmp_path: Path, cache: Cache, compiled: list[str]
):
    call = "%r = call i32 @f(i32 3)\n  store volatile i32 %r, ptr addrspace(1) %p"

    def text(constant: int, attributes: str) -> str:
        function = f"define internal i32 @f(i32 %x) {attributes} {{\n  %y = mul i32 %x, 5\n  ret i32 %y\n}}\n"
        constants = enumerate((1, 2, 3, constant))
        return HEAD + "".join(KERNEL.format(f"k{n}", c, call) for n, c in constants) + function

    run(text(4, "alwaysinline"), tmp_path, cache)
    compiled.clear()
    found = run(text(5, "alwaysinline"), tmp_path, cache)
    assert [source.count("define ptx_kernel") for source in compiled] == [2]
    assert found == run(text(5, "alwaysinline"), tmp_path, None)
    assert ".func" not in found[0]
    # A function that always-inline leaves in the PTX belongs to no kernel.
    recursive = text(5, "alwaysinline").replace("mul i32 %x, 5", "call i32 @f(i32 %x)")
    for _ in range(2):
        assert run(recursive, tmp_path, cache) == run(recursive, tmp_path, None)


CUDA = """\
#include "scale.h"
__attribute__((global)) void first(int *p) { *p = scale(*p); }
__attribute__((global)) void second(int *p) { __nvvm_atom_add_gen_i(p, scale(7)); }
__attribute__((global)) void third(int *p) { p[1] = scale(9); }
"""
HEADER = "__attribute__((device, always_inline)) static int scale(int x) { return x * 5; }\n"


@pytest.mark.skipif(not any(map(shutil.which, CLANGS)), reason="clang was not found")
def test_cuda(tmp_path: Path, cache: Cache, compiled: list[str]):

    def outcome(text: str, header: str, cache: Cache | None, *flags: str) -> tuple[str, list[str]]:
        options = CompileOptions(arch="sm_90", clang_flags=("-nocudainc", *flags))
        path = tmp_path / "k.cu"
        path.write_text(text)
        (tmp_path / "scale.h").write_text(header)
        said: list[str] = []
        try:
            return compile_files([str(path)], options, cache=cache, remark=said.append), said
        except DiagnosticError as error:
            return error.render(), said

    first = outcome(CUDA, HEADER, cache)
    assert first == outcome(CUDA, HEADER, None)
    assert "atom.relaxed.sys.global.add.u32" in first[0]
    compiled.clear()
    assert outcome(CUDA, HEADER, cache) == first
    assert not compiled
    edited = outcome(CUDA.replace("7", "8"), HEADER, cache)
    (source,) = compiled
    assert source.count("define dso_local ptx_kernel") == 2
    assert edited == outcome(CUDA.replace("7", "8"), HEADER, None) != first
    header = HEADER.replace("5", "6")
    assert outcome(CUDA, header, cache) == outcome(CUDA, header, None) != first
    for text in (CUDA + "?", CUDA.replace("p[1] =", "p[__builtin_return_address(0) == p] ="), " "):
        for flags in ((), ("-g0",)):
            assert outcome(text, HEADER, cache, *flags) == outcome(text, HEADER, None, *flags)


def test_one_time_limit_for_clang_and_the_compilation(
    tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
):
    def translated(*_: object) -> bytes:
        time.sleep(0.15)
        return module(1, 2).encode()

    def slow(*_: object) -> None:
        time.sleep(0.15)

    monkeypatch.setattr(driver, "_translated", translated)
    monkeypatch.setattr(driver, "_compile_by_components", slow)
    monkeypatch.setattr(driver, "parse", lambda *_, **__: None)  # pyright: ignore
    monkeypatch.setattr(driver, "compile_modules", lambda *_, **__: "")  # pyright: ignore
    path = tmp_path / "k.cu"
    path.write_text(CUDA)
    with pytest.raises(TimeLimitExceeded):
        compile_files([str(path)], CompileOptions(arch="sm_90", time_limit=0.25), cache=cache)


def test_names_that_become_equal(tmp_path: Path, cache: Cache):
    first = module(1, 2).replace("@k0", '@"k.0"')
    text = first + KERNEL.format('"k:0"', 3, "")
    run(first, tmp_path, cache)
    assert run(text, tmp_path, cache) == run(text, tmp_path, None)


def test_messages_with_lines_are_not_stored(tmp_path: Path, cache: Cache, compiled: list[str]):
    """Debug information is not part of the key, but messages contain its lines."""
    debug = '!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)\n!1 = !DIFile(filename: "k.cu", directory: "")\n'
    call = KERNEL.format("k2", 1, "call void @missing()") + "declare void @missing()\n"
    text = module(1, 2, more=call + debug)
    run(text, tmp_path, cache)
    compiled.clear()
    found = run(text + ";", tmp_path, cache)
    assert [source.count("define ") for source in compiled] == [2]
    assert found == run(text, tmp_path, None)


PTX = """\
.version 7.8
.target sm_90
.address_size 64

.global .align 4 .b8 x[4];
.visible .global .align 8 .u64 y = x;

.extern .func (.param .b32 func_retval0) f(
	.param .b64 f_param_0
);

.func g();

.visible .entry k()
.maxntid 128, 1, 1
{
$L__BB1_2:
	bra $L__BB1_2;
}

.func g()
{
	ret;
}

"""


def test_parts_of_ptx():
    parts = parts_of(PTX)
    assert [name for name, _ in parts.variables] == ["x", "y"]
    assert [name for name, _ in parts.declarations] == ["f"]
    assert [name for name, _ in parts.functions] == ["k", "g"]
    assert parts.functions[0][1].startswith(".func g();\n\n.visible .entry k()")
    assert "$L__BB\0_2" in parts.functions[0][1]
    places = {name: number for number, name in enumerate(("f", "x", "y", "k", "g"))}
    assert join([parts], places) == PTX
    assert "$L__BB0_2" in join([PTXParts("sm_90", (7, 8), [], [], parts.functions)], places)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (".version 7.8", ".version x"),
        (".visible .global .align 8 .u64 y = x;\n", "nonsense\n"),
        ("\tbra", "}\n\n\tbra"),
        ("\tret;\n}\n", "\tret;\n"),
        (".func g();\n", ".func g();\n\n.global .b32 z;\n"),
    ],
)
def test_other_ptx(old: str, new: str):
    assert old in PTX
    places = {name: number for number, name in enumerate(("f", "x", "y", "k", "g", "z"))}
    text = PTX.replace(old, new)
    try:
        found = join([parts_of(text)], places)
    except NotJoined:
        return
    assert found != text


def test_versions_and_targets():
    old, new = PTXParts("sm_90", (7, 8)), PTXParts("sm_90", (8, 0))
    assert join([old, new], {}).startswith(".version 8.0\n")
    with pytest.raises(NotJoined):
        join([old, PTXParts("sm_80", (7, 8))], {})
    with pytest.raises(NotJoined):
        join([PTXParts("sm_90", (8, 0), [("x", "")])], {})
    with pytest.raises(NotJoined):
        join([PTXParts("sm_90", (8, 0), [], [("f", text)]) for text in "ab"], {"f": 0})


def test_random_edits():
    """A small sample; `python -m dev.edit_equality` checks more."""
    wrong, joined = differences(12, 3)
    assert wrong == 0
    assert joined > 0
