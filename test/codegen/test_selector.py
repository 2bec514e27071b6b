"""Registration of selection rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.llvm import AddOp
from xdsl.ir import Operation

from nvvm_xdsl.codegen import rules, selector
from nvvm_xdsl.codegen.selector import Selector, selects, selects_intrinsic


@pytest.fixture(autouse=True)
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of this test, with one rule."""
    for name in ("RULES", "DEFERRED", "INTRINSICS"):
        monkeypatch.setattr(selector, name, {})
    for name in ("PURE", "PURE_INTRINSICS"):
        monkeypatch.setattr(selector, name, set())
    selects(AddOp, pure=True)(first)
    selects_intrinsic("llvm.nvvm.x", pure=True)(first_intrinsic)


def first(sel: Selector, op: Operation) -> None: ...


def second(sel: Selector, op: Operation) -> None: ...


def first_intrinsic(sel: Selector, op: Operation, name: str) -> None: ...


def second_intrinsic(sel: Selector, op: Operation, name: str) -> None: ...


def test_a_second_rule_is_an_error():
    with pytest.raises(ValueError, match=r"'llvm.add' has a selection rule, '.*\.first'"):
        selects(AddOp)(second)
    with pytest.raises(ValueError, match=r"'llvm.nvvm.x' has a selection rule"):
        selects_intrinsic("llvm.nvvm.x")(second_intrinsic)


def test_a_rule_may_replace_an_earlier_rule():
    selects(AddOp, replaces=True)(second)
    selects_intrinsic("llvm.nvvm.x", replaces=True)(second_intrinsic)
    assert selector.RULES == {AddOp: second}
    assert selector.INTRINSICS == {"llvm.nvvm.x": second_intrinsic}
    assert not selector.PURE
    assert not selector.PURE_INTRINSICS


def test_replaces_without_an_earlier_rule_is_an_error():
    selector.RULES.clear()
    selector.INTRINSICS.clear()
    with pytest.raises(ValueError, match="no selection rule that could be replaced"):
        selects(AddOp, replaces=True)(second)
    with pytest.raises(ValueError, match="no selection rule that could be replaced"):
        selects_intrinsic("llvm.nvvm.x", replaces=True)(second_intrinsic)


def test_every_module_of_the_folder_is_registered(monkeypatch: pytest.MonkeyPatch):
    loaded: list[str] = []
    monkeypatch.setattr(rules, "import_module", loaded.append)
    rules.register_all()
    folder = Path(rules.__file__).parent
    assert loaded == sorted(f"nvvm_xdsl.codegen.rules.{p.stem}" for p in folder.glob("[!_]*.py"))
