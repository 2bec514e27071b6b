"""Campaigns: each seed is tried once by any worker, regardless of interruptions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import pytest
from helpers.faults import Broken, odd_seeds, one_seed_dies

from nvvm_xdsl.driver import workers
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import campaign as module
from nvvm_xdsl.lab.campaign import Campaign, run
from nvvm_xdsl.lab.fuzz import Options
from nvvm_xdsl.pipeline.levels import FAST_COMPILE_LEVELS, default_pipeline
from nvvm_xdsl.tools.nvvm_fuzz import main, make_parser, pipelines_of

OPTIONS = Options(pipelines=("sroa",), size=10, machine=False)


@pytest.fixture(autouse=True)
def _without_kernels(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "findings_of", odd_seeds)
    monkeypatch.setattr(workers, "processors", lambda: 2)


def seeds_of(campaign: Campaign) -> list[int]:
    return [finding.seed for finding in campaign.findings()]


def test_a_stopped_campaign_continues(tmp_path: Path):
    first = Campaign(OPTIONS, tmp_path / "state")
    # Stopped by the consumer at the third finding, of seed 5.
    assert [finding.seed for finding in islice(run(first, range(10)), 3)] == [1, 3, 5]
    first.close()
    again = Campaign(OPTIONS, tmp_path / "state")
    assert again.missing(range(10)) == [6, 7, 8, 9]
    printed: list[tuple[int, int]] = []
    found = run(again, range(10), progress=lambda *how_far: printed.append(how_far))
    assert [finding.seed for finding in found] == [7, 9]
    assert printed[-1] == (4, 2)
    assert list(run(again, range(10))) == []
    assert seeds_of(again) == [1, 3, 5, 7, 9]
    assert again.tried() == 10
    assert again.compilers() == 1
    # Another test of the same seeds is another campaign, in the same file.
    assert Campaign(Options(size=11), tmp_path / "state").missing(range(3)) == [0, 1, 2]


def test_files_are_merged(tmp_path: Path):
    one, two = (Campaign(OPTIONS, tmp_path / name) for name in ("one", "two"))
    list(run(one, range(0, 6)))
    list(run(two, range(4, 10)))
    list(run(Campaign(Options(size=11), tmp_path / "two"), range(3)))
    two.close()
    # Four seeds of this campaign, three of the other.
    assert one.merge(tmp_path / "two") == 7
    assert one.merge(tmp_path / "two") == 0
    assert seeds_of(one) == [1, 3, 5, 7, 9]
    assert one.tried() == 10
    assert Campaign(Options(size=11), tmp_path / "one").tried() == 3


def test_two_processes_with_the_same_seeds(tmp_path: Path):
    one, two = (Campaign(OPTIONS, tmp_path / "state") for _ in range(2))
    for campaign in (one, two):
        campaign.note(3, odd_seeds(3, OPTIONS))
    assert seeds_of(one) == seeds_of(two) == [3]


def test_in_workers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "findings_of", one_seed_dies)
    campaign = Campaign(OPTIONS)
    list(run(campaign, range(8), jobs=2))
    assert [(f.seed, f.kind) for f in campaign.findings()] == [
        *((1, "difference"), (3, "difference"), (4, "crash"), (5, "difference"), (7, "difference"))
    ]
    assert campaign.tried() == 8


def test_any_executor():
    campaign = Campaign(OPTIONS)
    with ThreadPoolExecutor(1) as executor:
        list(run(campaign, range(6), executor=executor))
    assert seeds_of(campaign) == [1, 3, 5]


def test_tasks_lost_by_an_executor_remain_to_be_done():
    campaign = Campaign(OPTIONS)
    # Every second task fails.
    lost = [f for f in run(campaign, range(4), executor=Broken()) if f.kind == "lost"]
    assert sorted(f.seed for f in lost) == [1, 3]
    assert "the machine has gone" in lost[0].what
    assert campaign.missing(range(4)) == [1, 3]
    list(run(campaign, range(4)))
    assert seeds_of(campaign) == [1, 3]


def test_files_of_no_campaign(tmp_path: Path):
    (tmp_path / "text").write_text("no database, whatever it is called\n" * 100)
    with pytest.raises(DiagnosticError, match="not a database"):
        Campaign(OPTIONS, tmp_path / "text")
    campaign = Campaign(OPTIONS, tmp_path / "state")
    with pytest.raises(DiagnosticError, match="no such file"):
        campaign.merge(tmp_path / "missing")
    with pytest.raises(DiagnosticError, match=r"text: .*not a database"):
        campaign.merge(tmp_path / "text")
    with pytest.raises(DiagnosticError, match="unable to open"):
        Campaign(OPTIONS, tmp_path)
    assert campaign.tried() == 0


def test_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    state = str(tmp_path / "state")
    words = ["--count", "4", "--size", "10", "--out", str(tmp_path / "out"), "--state"]
    assert main([*words, state, "--keep-going", "1"]) == 1
    assert "2 seeds, 1 failures, 1 compilers" in capsys.readouterr().out
    assert main([*words, state]) == 1
    reported = capsys.readouterr()
    assert "4 seeds, 2 failures" in reported.out
    assert "2 of 4 seeds were tried before" in reported.err
    assert len(list((tmp_path / "out").iterdir())) == 2
    assert main([*words, str(tmp_path / "other"), "--merge", state]) == 0
    assert "4 new seeds" in capsys.readouterr().out
    for wrong, message in (
        (["--merge", state], "--merge requires --state"),
        (["--mutate", "ll", "--state", state], "cannot be combined with --mutate"),
    ):
        assert main(wrong) == 1
        assert message in capsys.readouterr().err


def test_all_levels_are_the_pipelines_of_the_compiler():
    options = make_parser().parse_args(["--all-levels", "--pipeline", "sroa"])
    levels = [default_pipeline(level) for level in range(4)]
    fast = [default_pipeline(0, fast_compile=name) for name in FAST_COMPILE_LEVELS]
    assert pipelines_of(options) == ["sroa", *levels, *fast]
    assert "nvopt<O1;short>" in levels
    assert "nvopt<Ofcmid;short>" in fast
