"""nvvm-debug through Textual's pilot and, started as users do, in a real terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from helpers.terminal import COLUMNS, ROWS, in_terminal

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import Recorder, launch, prepare
from nvvm_xdsl.simulator.debugger.session import Session
from nvvm_xdsl.tools import nvvm_debug

pytest.importorskip("textual")

from textual.widgets import DataTable, Static

from nvvm_xdsl.simulator.debugger.terminal import Debugger

ROOT = Path(__file__).parents[3]
KERNEL = "examples/broken/missing_barrier.ll"


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.chdir(ROOT)
    recorder = Recorder()
    given = parse((ROOT / KERNEL).read_bytes(), filename=KERNEL, locations=True)
    values = np.arange(64, dtype=np.int32)
    launch(prepare(given, recording=True), None, 1, 64, [values], recorder=recorder)
    return Session(recorder, lane=3)


def seen(session: Session, *keys: str) -> dict[str, str]:
    """Returns the contents of the panes after keys."""

    async def drive() -> dict[str, str]:
        app = Debugger(session, "test")
        async with app.run_test(size=(COLUMNS, ROWS)) as pilot:
            for key in keys:
                # A key that comes before its command line has the focus is lost.
                await pilot.press(key)
                await pilot.pause()
            found = {
                name: str(app.query_one(f"#{name}", Static).render())
                for name in ("source", "ops", "status")
            }
            for name in ("values", "warp"):
                table = app.query_one(f"#{name}", DataTable)
                rows = [" ".join(map(str, table.get_row(key))) for key in table.rows]
                found[name] = "\n".join(rows)
            return found

    return asyncio.run(drive())


def current(pane: str) -> str:
    return next(line for line in pane.splitlines() if "▶" in line)


@pytest.mark.slow
def test_keys_step_in_both_directions(session: Session):
    assert "tile[t] = values[t];" in current(seen(session, "s", "s")["source"])
    assert "values[t] = tile[63 - t];" in current(seen(session, "s")["source"])
    assert "tile[t] = values[t];" in current(seen(session, "S")["source"])
    assert "%4 = llvm.load %arrayidx" in current(seen(session, "i", "i")["ops"])
    assert "llvm.getelementptr" in current(seen(session, "I")["ops"])


@pytest.mark.slow
def test_commands(session: Session):
    shown = seen(session, "colon", *"break", "space", "8", "enter", "c")
    assert "values[t] = tile[63 - t];" in current(shown["source"])
    assert "●" in current(shown["source"])
    shown = seen(session, "colon", *"watch", "space", "percent_sign", "4", "enter")
    assert "▶ (3, 0, 0) 3" in shown["warp"]
    assert "• (31, 0, 0) 31" in shown["warp"]
    shown = seen(session, "colon", *"thread", "space", *"40", "enter")
    assert "thread (40, 0, 0)" in shown["status"]
    assert "▶ (40, 0, 0)" in shown["warp"]
    assert "there is no command dance" in seen(session, "colon", *"dance", "enter")["status"]
    assert "threads 0 to 63" in seen(session, "colon", *"thread", "space", *"99", "enter")["status"]
    assert "the thread has ended" in seen(session, "colon", *"end", "enter")["ops"]


def test_the_break_key_marks_the_line(session: Session):
    assert "● ▶" in seen(session, "s", "s", "b")["source"].replace("●▶", "● ▶")
    assert "●" not in seen(session, "b")["source"]


@pytest.mark.slow
def test_in_a_terminal():
    """The tool in a pseudo-terminal, its screen drawn by a terminal emulator."""
    words = [KERNEL, "--block", "64", "--thread", "3", "--break", "7", "--watch", "%4"]
    with in_terminal("nvvm_debug", *words, "--arg", "i32[64]=arange") as terminal:
        terminal.until("▶ 7 tile[t] = values[t];", "thread (3, 0, 0)")
        terminal.press(b"n")
        terminal.until("▶ 8 values[t] = tile[63 - t];", "▶ (3, 0, 0) 3", "• (4, 0, 0) 4")
        terminal.press(b"N")
        terminal.until("▶ 7 tile[t] = values[t];")
        terminal.press(b"q")
        assert terminal.status() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--thread", "64"], "has no thread (64, 0, 0)"),
        (["--thread", "x"], "expected one to three non-negative numbers, got 'x'"),
        (["--thread", "0@5"], "block (5, 0, 0) executed no op"),
        (["--kernel", "other"], "no kernel @other"),
    ],
)
def test_user_errors(options: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    arguments = [str(ROOT / KERNEL), "--block", "64", "--arg", "i32[64]", *options]
    assert nvvm_debug.main(arguments) == 1
    assert message in capsys.readouterr().err
