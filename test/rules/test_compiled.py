"""Compiled rules that are kept between processes."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects import llvm
from xdsl.ir import Block, Operation

from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.code_files import read_codes
from nvvm_xdsl.rules import compiled
from nvvm_xdsl.rules import table as rule_tables
from nvvm_xdsl.rules.table import RuleTable

ROWS = ["zero (xor x x) => 0", "difference (add (sub x y) y) => x"]


class Process:
    """A process that keeps compiled rules in a file."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._at_exit: list[Callable[[], None]] = []
        monkeypatch.setattr(compiled.atexit, "register", self._at_exit.append)
        monkeypatch.setattr(compiled, "_path", list[str]())
        compiled._opened.cache_clear()
        compiled.keep_compiled_rules(str(path))

    def end(self) -> None:
        """Runs the functions that are registered for the end of the process."""
        for function in self._at_exit:
            function()


@pytest.fixture(autouse=True)
def _closed():
    yield
    compiled._opened.cache_clear()


def difference() -> Operation:
    x, y = Block(arg_types=[I32, I32]).args
    inner = fast.create(llvm.SubOp, (x, y), (I32,))
    return fast.create(llvm.AddOp, (inner.results[0], y), (I32,))


def names(rows: list[str]) -> list[str]:
    op = difference()
    found = RuleTable(rows).candidates(op)
    (x, _) = fast.operands_of(fast.producer_of(fast.operands_of(op)[0]))
    assert all(match(op, None, *fast.operands_of(op)) is x for _, match in found)
    return [name for name, _ in found]


def test_shapes_are_decoded_when_they_occur(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = Process(tmp_path / "rules", monkeypatch)
    RuleTable(ROWS).candidates(fast.create(llvm.XOrOp, Block(arg_types=[I32] * 2).args, (I32,)))
    names(ROWS)
    process.end()
    process = Process(tmp_path / "rules", monkeypatch)
    decoded: list[object] = []
    loads = marshal.loads
    with monkeypatch.context() as patched:
        patched.setattr(
            compiled.marshal, "loads", lambda data: decoded.append(loads(data)) or decoded[-1]
        )
        names(ROWS)
        names(ROWS)
    assert len(decoded) == 2, "the file and one of two shapes"


def no_parser(_line: str) -> None:
    raise AssertionError("a row was parsed")


def test_kept_rules_are_not_parsed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "rules"
    first = Process(path, monkeypatch)
    assert names(ROWS) == ["difference"]
    first.end()
    kept = path.read_bytes()
    second = Process(path, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr(rule_tables, "left_of", no_parser)
        assert names(ROWS) == ["difference"]
        with pytest.raises(AssertionError, match="a row was parsed"):
            names([*ROWS, "other (add (sub x y) x) => y"])
    path.unlink()
    second.end()
    assert not path.exists(), "nothing new is to be written"
    path.write_bytes(kept)
    third = Process(path, monkeypatch)
    assert names(["another (add (sub x y) y) => x"]) == ["another"]
    third.end()
    assert path.read_bytes() != kept
    Process(path, monkeypatch)
    monkeypatch.setattr(rule_tables, "left_of", no_parser)
    assert names(ROWS) == ["difference"]
    assert names(["another (add (sub x y) y) => x"]) == ["another"]


@pytest.mark.parametrize("change", ["file", "names", "damage"])
def test_kept_rules_of_another_version_are_not_used(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rules"
    first = Process(path, monkeypatch)
    names(ROWS)
    first.end()
    second = Process(path, monkeypatch)
    if change == "file":
        rules = tmp_path / "package"
        rules.mkdir()
        (rules / "matcher.py").write_text("changed")
        monkeypatch.setattr(compiled, "__file__", str(rules / "compiled.py"))
    elif change == "names":
        monkeypatch.setattr(rule_tables, "namespace", lambda: {"another_function": None})
    else:
        path.write_bytes(path.read_bytes()[:-1])
    with monkeypatch.context() as patched:
        patched.setattr(rule_tables, "left_of", no_parser)
        with pytest.raises(AssertionError, match="a row was parsed"):
            names(ROWS)
    assert names(ROWS) == ["difference"]
    second.end()
    assert len(read_codes(str(path))) == 1


def test_number_of_kept_shapes_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MAX_SHAPES", 0)
    process = Process(tmp_path / "rules", monkeypatch)
    names(ROWS)
    process.end()
    (tables,) = read_codes(str(tmp_path / "rules")).values()
    assert tables == {}


def test_no_rules_are_kept_by_default() -> None:
    assert not compiled._path
    assert compiled.compiled_table(ROWS, ()) is not compiled.compiled_table(ROWS, ())
