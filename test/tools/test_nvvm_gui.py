"""nvvm-gui through Textual's pilot and in a real terminal, started as by users."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from helpers.terminal import in_terminal

pytest.importorskip("textual")
pytest.importorskip("pyclip")

from textual.pilot import Pilot
from xdsl.utils.arg_spec import parse_pipeline

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.export.bitcode import assemble
from nvvm_xdsl.tools import nvvm_gui
from nvvm_xdsl.tools.pipeline_app import (
    FORMS,
    PipelineApp,
    arguments_of,
    passes_of,
    pipeline_of,
    text_of_file,
)

ROOT = Path(__file__).parents[2]
SAXPY = str(ROOT / "examples" / "saxpy.ll")


def driven(app: PipelineApp, drive: Callable[[Pilot[None]], Awaitable[None]]) -> None:
    """Performs actions in the running application."""

    async def run() -> None:
        async with app.run_test(size=(140, 45)) as pilot:
            await pilot.pause()
            await drive(pilot)

    asyncio.run(run())


@pytest.mark.slow
def test_passes_are_found_and_applied():
    app = PipelineApp()

    async def drive(pilot: Pilot[None]) -> None:
        assert "llvm.alloca" in app.output_text_area.text
        await pilot.press("ctrl+p", *"sroa")
        await app.workers.wait_for_complete()
        await pilot.pause(0.3)
        await pilot.press("enter")
        await pilot.pause(0.3)
        assert app.get_query_string() == "nvvm-opt - -p 'sroa'"
        assert "llvm.alloca" not in app.output_text_area.text
        shown = {}
        for _ in FORMS:
            await pilot.press("ctrl+o")
            shown[app.form] = app.output_text_area.text
        assert "define ptx_kernel void @scale" in shown["LLVM assembly"]
        assert ".visible .entry scale" in shown["PTX"]
        removed = [x for x in shown["changes of the last pass"].splitlines() if x.startswith("-")]
        assert any("llvm.alloca" in line for line in removed)
        assert app.form == "MLIR"
        await pilot.press("ctrl+l")
        assert app.pass_pipeline == ()
        assert "llvm.alloca" in app.output_text_area.text

    driven(app, drive)


def test_parameters_are_requested():
    app = PipelineApp(SAXPY)

    async def drive(pilot: Pilot[None]) -> None:
        tree = app.passes_tree
        (node,) = [n for n in tree.root.children if str(n.label) == "simplifycfg"]
        tree.select_node(node)
        await pilot.pause()
        screen = app.screen
        area = screen.query_one("#argument_text_area")
        assert not screen.query_one("#enter_button").disabled
        area.load_text("bonus-inst-threshold=x")
        await pilot.pause()
        assert screen.query_one("#enter_button").disabled
        area.load_text("bonus-inst-threshold=2")
        await pilot.pause()
        screen.query_one("#enter_button").press()
        await pilot.pause()
        assert pipeline_of(app.pass_pipeline) == "simplifycfg<bonus-inst-threshold=2>"
        assert "llvm.func" in app.output_text_area.text

    driven(app, drive)


def test_errors_are_shown_with_their_location():
    app = PipelineApp(SAXPY, passes_of("nvopt<O3>"))

    async def drive(pilot: Pilot[None]) -> None:
        assert "llvm.func" in app.output_text_area.text
        text = app.input_text_area.text.replace("fadd", "fbad", 1).replace("fmul", "fbad", 1)
        app.input_text_area.load_text(text)
        await pilot.pause()
        shown = app.output_text_area.text
        assert "saxpy.ll:" in shown
        assert "error" in shown
        assert "^" in shown
        assert app.available_pass_list == ()
        app.input_text_area.load_text("")
        await pilot.pause()
        assert app.output_text_area.text == "No input"

    driven(app, drive)


@pytest.mark.slow
def test_copies_use_the_terminal():
    app = PipelineApp(SAXPY, passes_of("sroa"))

    async def drive(pilot: Pilot[None]) -> None:
        app.query_one("#copy_query_button").press()
        await pilot.pause()
        assert app.clipboard == f"nvvm-opt {SAXPY} -p 'sroa'"
        app.query_one("#copy_output_button").press()
        await pilot.pause()
        assert app.clipboard == app.output_text_area.text

    driven(app, drive)


@pytest.mark.slow
def test_only_passes_that_change_something():
    app = PipelineApp(None)
    app.all_passes = tuple(each for each in app.all_passes if each[0] in ("sroa", "licm"))

    async def drive(pilot: Pilot[None]) -> None:
        app.query_one("#condense_button").press()
        await pilot.pause()
        assert [str(each) for each in app.available_pass_list] == ["sroa"]

    driven(app, drive)


def test_each_pass_can_be_printed_and_parsed():
    for name, cls in PipelineApp().all_passes:
        instance = cls()
        (spec,) = parse_pipeline(f"{name}{{{arguments_of(cls)}}}")
        assert cls.from_pass_spec(spec) == instance
        assert passes_of(pipeline_of([instance])) == (instance,)


@pytest.mark.parametrize(
    "text",
    [
        "sroa,instcombine",
        "nvopt<O3>",
        "function(sroa,dce),nvopt<O2>",
        "repeat<2>(function(dce))",
        "cse",
    ],
)
def test_pipelines(text: str):
    assert pipeline_of(passes_of(text)) == text


@pytest.mark.slow
def test_files_of_each_kind(tmp_path: Path):
    source = (ROOT / "examples" / "saxpy.ll").read_text()
    bitcode = tmp_path / "k.bc"
    bitcode.write_bytes(assemble(source))
    assert "@saxpy(" in text_of_file(str(bitcode))
    parse(text_of_file(str(bitcode)))
    assert text_of_file(SAXPY) == source


@pytest.mark.slow
def test_in_a_terminal():
    """A session: the file, three passes by their names, PTX, and exit."""
    with in_terminal("nvvm_gui", "examples/saxpy.ll") as terminal:
        terminal.until("Output: MLIR", "saxpy", "nvopt<O3>")
        for name in (b"sroa", b"instcombine", b"O3"):
            terminal.press(b"\x10")
            terminal.until("Search for commands")
            terminal.press(name)
            terminal.until("Runs pipeline text." if name == b"O3" else name.decode())
            time.sleep(1)
            terminal.press(b"\r")
            time.sleep(1)
        terminal.until("sroa", "instcombine", "nvopt<O3>")
        terminal.press(b"\x0f")
        terminal.until("Output: LLVM assembly")
        terminal.press(b"\x0f")
        terminal.until("Output: PTX", ".version")
        terminal.press(b"\x11")
        assert terminal.status() == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.ll"], "none.ll: error: no such file"),
        ([SAXPY, "-p", "sroaa"], "unknown pass 'sroaa'"),
    ],
)
def test_user_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_gui.main(words) == 1
    assert message in capsys.readouterr().err


def test_without_textual(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setitem(sys.modules, "nvvm_xdsl.tools.pipeline_app", None)
    assert nvvm_gui.main([]) == 1
    assert "install nvvm-xdsl[debug]" in capsys.readouterr().err
