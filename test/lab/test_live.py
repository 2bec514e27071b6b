"""`nvvm-view serve` as started by a user: a process, and typing in a browser."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest

from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.workers import end_shared_pool
from nvvm_xdsl.tools import nvvm_view

pytest.importorskip("starlette", reason="the extra 'serve' is not installed")
pytest.importorskip("uvicorn", reason="the extra 'serve' is not installed")

PATIENCE = 300
"""Seconds to wait for an answer: a busy machine may start a process in a minute."""

KERNEL = """\
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %x = mul i32 %n, 24
  store i32 %x, ptr addrspace(1) %p
  ret void
}
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server for a small kernel."""
    path = tmp_path_factory.mktemp("live") / "k.ll"
    path.write_text(KERNEL)
    command = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_view", "serve", str(path)]
    # On a busy machine a compilation takes longer than the default limit of 30 seconds.
    command += ["--time-limit", str(PATIENCE)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.fullmatch(r"serving (http://127\.0\.0\.1:\d+/) \(stop with Ctrl-C\)\n", line)
        assert found, line + process.stderr.read()
        yield found[1]
        process.send_signal(signal.SIGINT)
        reported = process.stderr.read()
        process.wait(PATIENCE)
    assert "Traceback" not in reported
    assert path.read_text() == KERNEL


def token_of(page: str) -> str:
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert data is not None
    return json.loads(data[1])["token"]


def asked(address: str, **parts: str) -> dict[str, str]:
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:
        token = token_of(response.read().decode())
    body = {"text": KERNEL, "pipeline": "", "arch": "", "level": "3"} | parts
    request = urllib.request.Request(
        f"{address}compile", json.dumps(body).encode(), {"X-Token": token}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return json.loads(response.read())


def test_fields_of_an_answer(address: str):
    answer = asked(address)
    assert ".entry k(" in answer["ptx"]
    assert "llvm.mul" in answer["ir"]
    assert answer["sass"]
    assert answer["arch"] == "sm_75"
    assert "global store" in answer["costs"]
    assert "/tmp" not in json.dumps(answer)


def test_a_long_name_is_shown_without_the_temporary_folder(tmp_path: Path):
    name = "a_kernel_with_a_long_name.ll"
    from nvvm_xdsl.lab.live import LiveRequest, compiled

    answer = compiled(tmp_path / name, CompileOptions(), LiveRequest(KERNEL, "", "", "3"))
    (row,) = [row for row in answer["costs"].splitlines() if "global store" in row]
    assert row.startswith(f"{name}:")


def test_the_level_the_architecture_and_a_pipeline(address: str):
    assert ".target sm_90" in asked(address, arch="sm_90")["ptx"]
    dead = KERNEL.replace("ret void", "%dead = add i32 %x, 1\n  ret void")
    assert "llvm.add" in asked(address, text=dead, pipeline="globaldce")["ir"]
    assert "llvm.add" not in asked(address, text=dead, pipeline="dce")["ir"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"text": KERNEL.replace("%n, 24", "%m, 24")}, "k.ll:2:16: error: use of undefined value '%m'"),
        ({"pipeline": "dcee"}, "unknown pass 'dcee'; did you mean 'dce'"),
        ({"arch": "sm_1"}, "sm_1"),
    ],
)  # fmt: skip
def test_errors_have_their_location(address: str, parts: dict[str, str], message: str):
    answer = asked(address, **parts)
    assert list(answer) == ["error"]
    assert message in answer["error"]


def test_a_compilation_has_a_time_limit(tmp_path: Path):
    """A compilation that takes longer is ended, and the next one gets an answer."""
    live = pytest.importorskip("nvvm_xdsl.lab.live")
    page = live.LivePage(tmp_path / "k.ll", CompileOptions(), seconds=0.01)
    request = live.LiveRequest(KERNEL, "", "", "3")
    assert asyncio.run(page.compiled(request)) == {
        "error": "the compilation took longer than its limit of 0.01 s"
    }
    page.seconds = PATIENCE
    assert ".entry k(" in asyncio.run(page.compiled(request))["ptx"]
    end_shared_pool()


def test_errors_of_the_limit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "k.ll").write_text(KERNEL)
    assert nvvm_view.main(["serve", str(tmp_path / "k.ll"), "--time-limit", "0"]) == 1
    assert "--time-limit must be positive" in capsys.readouterr().err


def test_requests_with_other_fields(address: str):
    with pytest.raises(urllib.error.HTTPError, match="400"):
        asked(address, colour="red")


def test_requests_from_other_sites_are_rejected(address: str):
    body = json.dumps({"text": KERNEL, "pipeline": "", "arch": "", "level": "3"}).encode()
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(f"{address}compile", body, timeout=60)
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(
            urllib.request.Request(address, headers={"Host": "elsewhere.example"}), timeout=60
        )


def test_a_missing_file(capsys: pytest.CaptureFixture[str]):
    assert nvvm_view.main(["serve", "no-such.cu"]) == 1
    assert capsys.readouterr().err == "no-such.cu: error: serve requires an existing file\n"


def test_a_missing_starlette_is_reported_with_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    (tmp_path / "k.ll").write_text(KERNEL)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    monkeypatch.delitem(sys.modules, "nvvm_xdsl.lab.live", raising=False)
    assert nvvm_view.main(["serve", str(tmp_path / "k.ll")]) == 1
    assert "install nvvm-xdsl[serve]" in capsys.readouterr().err


@pytest.mark.skipif(chromium.CHROMIUM is None, reason="Chromium was not found")
def test_typing_updates_the_page(address: str):
    pytest.importorskip("playwright.sync_api", reason="the extra 'browser' is not installed")
    with chromium.browser() as browser:
        page: Any = browser.new_page(viewport={"width": 1400, "height": 800})
        page.set_default_timeout(PATIENCE * 1000)
        errors: list[str] = []
        requests: list[str] = []

        def failed(error: Any) -> None:
            errors.append(str(error))

        def printed(message: Any) -> None:
            errors.append(message.text)

        def sent(request: Any) -> None:
            requests.append(request.url)

        page.on("pageerror", failed)
        page.on("console", printed)
        page.on("request", sent)
        page.goto(address)
        result = page.locator("#result")
        page.locator("#result", has_text=".entry k(").wait_for()
        page.click("#show-ir")
        assert "llvm.mul" in result.inner_text()
        page.fill("#source", KERNEL.replace("mul i32 %n, 24", "xor i32 %n, 24"))
        page.locator("#result", has_text="llvm.xor").wait_for()
        page.click("#show-pipeline")
        page.fill("#pipeline", "dcee")
        page.locator("#error", has_text="dcee").wait_for()
        assert "did you mean 'dce'" in page.locator("#error").inner_text()
        page.fill("#pipeline", "dce")
        page.locator("#error").wait_for(state="hidden")
        page.click("#show-costs")
        assert "global store" in result.inner_text()
        page.click("#show-sass")
        assert result.inner_text().strip()
        # On a phone the panes are below each other, and each has half of the height.
        page.set_viewport_size({"width": 390, "height": 780})
        heights = [page.locator(pane).bounding_box()["height"] for pane in ("#input", "#output")]
        assert abs(heights[0] - heights[1]) < 2
        assert errors == []
        assert all(url.startswith(address) for url in requests)
        page.close()
