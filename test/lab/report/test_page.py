"""The page in a real browser: opened, clicked, followed, searched, without errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest

from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.report.compilation import compile_recorded
from nvvm_xdsl.lab.report.html import page_of

pytest.importorskip("playwright.sync_api", reason="the extra 'browser' is not installed")
pytestmark = pytest.mark.skipif(chromium.CHROMIUM is None, reason="Chromium was not found")

EXAMPLES = Path(__file__).parents[3] / "examples"
VIEWS = ("Change", "Code", "Graph", "Registers", "Costs", "Time", "Remarks")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as started:
        yield started


def made(folder: Path, *names: str, pipeline: str | None = None) -> Path:
    paths = [str(EXAMPLES / name) for name in names]
    found = compile_recorded(paths, CompileOptions(arch="sm_90"), pipeline=pipeline)
    path = folder / "k.html"
    path.write_text(page_of(found))
    return path


@pytest.fixture(scope="module")
def matmul(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("matmul"), "matmul.ll")


@pytest.fixture(scope="module")
def saxpy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("saxpy"), "saxpy.debug.ll")


@pytest.fixture
def opened(browser: Any) -> Iterator[Any]:
    """Opens a page; at the end it must have no errors and have requested no other resources."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    errors: list[str] = []
    asked: list[str] = []

    def printed(message: Any) -> None:
        errors.append(message.text)

    def failed(error: Any) -> None:
        errors.append(str(error))

    def sent(request: Any) -> None:
        asked.append(request.url)

    page.on("console", printed)
    page.on("pageerror", failed)
    page.on("request", sent)

    def open_(path: Path) -> Any:
        page.goto(path.as_uri())
        return page

    yield open_
    assert errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_every_view_shows_something(opened: Any, matmul: Path):
    page = opened(matmul)
    assert page.locator("#title").inner_text().endswith("matmul.ll")
    for number, name in enumerate(VIEWS):
        page.keyboard.press(str(number + 1))
        selected = page.locator('#tabs [aria-selected="true"]')
        assert selected.inner_text().startswith(name)
        assert page.locator("#view").inner_text().strip()
    page.keyboard.press("3")
    assert page.locator("#graph .node").count() > 3
    assert page.locator("#graph .loop").count() >= 1
    assert page.locator("#graph .edge.div").count() >= 1
    page.keyboard.press("4")
    assert page.locator("#view svg .curve").count() == 1
    assert page.locator("#view svg .limit").count() >= 1


def test_changes_and_folds(opened: Any, matmul: Path):
    page = opened(matmul)
    assert page.locator("#view .row.add").count() > 0
    first = page.locator("#view .what").inner_text()
    page.keyboard.press("j")
    second = page.locator("#view .what").inner_text()
    assert second != first
    page.keyboard.press("k")
    assert page.locator("#view .what").inner_text() == first
    folded = page.locator("#passes .fold").first
    count = page.locator("#passes .fold").count()
    folded.click()
    assert page.locator("#passes .fold").count() < count or page.locator("#passes .same").count()
    page.keyboard.press("w")
    assert page.locator("#view .gap").count() == 0
    page.keyboard.press("]")
    assert "matmul_f64" in page.locator("#sidehead select").evaluate(
        "s => s.selectedOptions[0].text"
    )


def test_a_value_is_highlighted_everywhere(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("2")
    column = page.locator('[data-column="ir"]')
    value = column.locator(".t-v", has_text="%cmp.i3").first
    name = value.inner_text()
    value.click()
    assert page.locator("#follow").is_visible()
    lit = column.locator(".followed").all_inner_texts()
    assert len(lit) >= 2
    assert set(lit) == {name}
    page.locator("#follow .step").first.click()
    assert page.locator("#view .followed").first.inner_text() == name
    page.keyboard.press("3")
    page.locator("#graph .node").nth(1).click()
    assert page.locator("#graph .node.followed").count() == 1
    assert "block" in page.locator("#follow h3").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#follow").is_hidden()


def test_a_line_is_highlighted_in_all_columns(opened: Any, saxpy: Path):
    page = opened(saxpy)
    page.keyboard.press("2")
    row = page.locator('[data-column="source"] .row', has_text="y[i] = a * x[i]")
    row.hover()
    for kind, text in (("ir", "llvm.fmul"), ("ptx", "fma.rn.f32")):
        lit = page.locator(f'[data-column="{kind}"] .row.lit').all_inner_texts()
        assert any(text in line for line in lit)
        assert len(lit) < page.locator(f'[data-column="{kind}"] .row').count()
    if page.locator('[data-column="sass"] .row').count():
        lit = page.locator('[data-column="sass"] .row.lit').all_inner_texts()
        assert any("FFMA" in line for line in lit)
    row.click()
    pinned = page.locator('[data-column="ptx"] .row.pin').count()
    assert pinned > 2
    page.mouse.move(5, 5)
    assert page.locator(".row.lit").count() == 0
    assert page.locator('[data-column="ptx"] .row.pin').count() == pinned
    aliases = page.locator('[data-column="ir"] .row', has_text="#tbaa_tag =")
    assert aliases.count() == 1


def test_search(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("/")
    page.keyboard.type("fma")
    page.wait_for_selector("#results button")
    assert "fma" in page.locator("#results").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#results").is_hidden()
    name = page.locator("#view .t-v").first.inner_text()
    page.keyboard.press("/")
    page.locator("#search").fill(name)
    page.keyboard.press("Enter")
    assert page.locator("#follow h3").inner_text().startswith(f"value {name} ")
    page.locator("#search").fill("no such text anywhere")
    page.wait_for_selector("#results .empty")
    page.keyboard.press("Escape")


def test_themes_and_keys(opened: Any, saxpy: Path):
    page = opened(saxpy)

    def background() -> str:
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    before = background()
    page.keyboard.press("t")
    assert background() != before
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    at = page.locator("#passes .row.at").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#passes .row.at").inner_text() != at


def test_a_cost_links_to_its_line(opened: Any, saxpy: Path):
    page = opened(saxpy)
    page.keyboard.press("5")
    link = page.locator("#view td .link", has_text="saxpy.cu:8").first
    assert link.inner_text() == "examples/saxpy.cu:8"
    link.click()
    assert "y[i] = a * x[i]" in page.locator('[data-column="source"] .row.pin').inner_text()


def test_a_long_path_is_shortened(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("5")
    link = page.locator("#view td .link").first
    path = link.get_attribute("title")
    assert Path(path).is_absolute()
    assert link.inner_text().startswith(f"…/{Path(path).parent.name}/{Path(path).name}:")


def test_names_are_text(opened: Any, tmp_path: Path):
    source = tmp_path / "k.ll"
    source.write_text(
        'define void @"</script><img src=x onerror=alert(1)>"() {\n  ret void\n}\n; <b>bold</b>\n'
    )
    path = tmp_path / "k.html"
    path.write_text(page_of(compile_recorded([str(source)], CompileOptions(), pipeline="dce")))
    page = opened(path)
    page.keyboard.press("2")
    assert "<b>bold</b>" in page.locator('[data-column="source"]').inner_text()
    assert page.locator("img").count() == 0


@pytest.mark.slow
def test_a_large_input_opens(opened: Any, tmp_path: Path):
    lines = ["define i32 @f(i32 %x) {", "  %v0 = add i32 %x, 1"]
    lines += [f"  %v{n} = mul i32 %v{n - 1}, {n % 7 + 2}" for n in range(1, 100_000)]
    source = tmp_path / "large.ll"
    source.write_text("\n".join([*lines, "  ret i32 %v500", "}"]))
    path = tmp_path / "k.html"
    found = compile_recorded([str(source)], CompileOptions(), pipeline="function(dce)")
    path.write_text(page_of(found))
    page = opened(path)
    assert page.locator("#view .row").count() < 200
    page.keyboard.press("2")
    assert page.locator('[data-column="source"] .row').count() < 200
    page.keyboard.press("/")
    page.locator("#search").fill("%v499")
    page.keyboard.press("Enter")
    assert "%v499" in page.locator("#follow h3").inner_text()


def test_38_inputs_leave_room_for_the_search(browser: Any, tmp_path: Path):
    paths: list[str] = []
    for number in range(38):
        path = tmp_path / f"a_kernel_with_a_long_name_{number:02}.ll"
        path.write_text(
            f"define ptx_kernel void @_Z9kernel_{number:02}Pf(ptr %p) {{\n  ret void\n}}\n"
        )
        paths.append(str(path))
    (tmp_path / "k.html").write_text(page_of(compile_recorded(paths, CompileOptions())))
    page = browser.new_page(viewport={"width": 1100, "height": 700})
    page.goto((tmp_path / "k.html").as_uri())
    assert page.locator("#title").inner_text() == "a_kernel_with_a_long_name_00.ll and 37 more"
    assert page.locator("#title").get_attribute("title").splitlines() == paths
    box = page.locator("#search").bounding_box()
    assert box["x"] > 0
    assert box["x"] + box["width"] < 1100
    # The first row does not touch the line above it.
    rows, first = page.locator("#passes"), page.locator("#passes .row").first
    assert first.bounding_box()["y"] >= rows.bounding_box()["y"] + 4
    names = page.locator(".across button").all_inner_texts()
    assert names[:2] == ["kernel_00", "kernel_01"]
    # All of a name is visible.
    cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight).length"
    assert page.locator(".across button").evaluate_all(cut) == 0
    page.close()


def test_a_phone_shows_one_pane(browser: Any, matmul: Path):
    page = browser.new_page(viewport={"width": 390, "height": 780})
    page.goto(matmul.as_uri())
    assert page.locator("#work").is_visible()
    assert not page.locator("#side").is_visible()
    page.click("#panes")
    assert page.locator("#side").is_visible()
    assert not page.locator("#work").is_visible()
    page.locator("#passes .row", has_text="instcombine").first.click()
    assert page.locator("#work").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("2")
    widths = [box.bounding_box()["width"] for box in page.locator(".columns > div").all()]
    assert all(abs(width - 390) < 2 for width in widths)
    page.close()


def test_the_graph_moves_and_zooms(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("3")
    graph = page.locator("#graph svg")
    text = graph.text_content()
    assert "llvm.mlir.constant" not in text
    assert "llvm.icmp" in text
    # Edges are painted above boxes.
    assert page.locator("#graph g > .node ~ .edge").count() == page.locator("#graph .edge").count()
    # No boxes overlap.
    boxes = [node.bounding_box() for node in page.locator("#graph .node").all()]
    for one in boxes:
        for other in boxes:
            apart = (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or one["y"] + one["height"] <= other["y"]
                or other["y"] + other["height"] <= one["y"]
            )
            assert apart or one is other
    start = graph.get_attribute("viewBox")
    page.click("#zoom-in")
    larger = graph.get_attribute("viewBox")
    assert float(larger.split()[2]) < float(start.split()[2])
    page.click("#zoom-fit")
    fitting = graph.get_attribute("viewBox")
    box = page.locator("#graph").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 340, box["y"] + 230)
    page.mouse.up()
    moved = graph.get_attribute("viewBox")
    assert moved.split()[:2] != fitting.split()[:2]
    assert moved.split()[2:] == fitting.split()[2:]
    page.mouse.wheel(0, -200)
    page.wait_for_timeout(100)
    assert float(graph.get_attribute("viewBox").split()[2]) < float(moved.split()[2])


def test_constants_replace_their_uses_in_code(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("2")
    text = page.locator('[data-column="ir"]').inner_text()
    assert "llvm.mlir.constant" not in text
    assert "llvm." in text


def test_adjacent_marks_are_one(opened: Any, matmul: Path):
    page = opened(matmul)
    apart = """() => [...document.querySelectorAll("em")].filter((mark) => {
      const next = mark.nextSibling;
      const after = next?.nodeType === 3 && !next.data.trim() ? next.nextSibling : next;
      return after?.tagName === "EM";
    }).length"""
    marks = 0
    for _ in range(6):
        marks += page.locator("em").count()
        assert page.evaluate(apart) == 0
        page.keyboard.press("j")
    assert marks > 0


def test_form_elements_follow_the_theme(opened: Any, saxpy: Path):
    page = opened(saxpy)
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    seen = page.evaluate(scheme)
    page.keyboard.press("t")
    assert {seen, page.evaluate(scheme)} == {"light", "dark"}


def test_dumps_are_not_listed(opened: Any, matmul: Path):
    page = opened(matmul)
    page.keyboard.press("6")
    assert "print-module" not in page.locator("#view").inner_text()
    page.keyboard.press("7")
    assert "print-module" not in page.locator("#view").inner_text()
