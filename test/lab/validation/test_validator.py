"""Translation validation: wrong transformations are refuted, right ones are proved."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("z3")

import nvvm_xdsl
from nvvm_xdsl.lab.validation.validator import Limits, Verdict, validate


def _tables() -> ModuleType:
    path = Path(__file__).parent / "transformations.py"
    spec = importlib.util.spec_from_file_location("transformations", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TABLES = _tables()
_INTRINSIC = re.compile(r"call ([^@(]*)(@llvm\.[\w.]+)\(([^()]*)\)")


def declared(text: str) -> str:
    """The module with declarations of the intrinsics that it calls."""
    found: dict[str, str] = {}
    for result, name, arguments in _INTRINSIC.findall(text):
        types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments.split(", ") if a)
        found[name] = f"declare {result.strip()} {name}({types})"
    return "\n".join(found.values()) + text


def verdict(signature: str, before: str, after: str, query_seconds: float = 60) -> Verdict:
    """The verdict on a transformation of one function."""
    return compared((signature, before), (signature, after), query_seconds=query_seconds)


def compared(*functions: tuple[str, str], query_seconds: float = 60) -> Verdict:
    """The verdict on a function with these signatures and bodies before and after."""
    before, after = (
        nvvm_xdsl.parse(declared(TABLES.module_text(signature, body)))
        for signature, body in functions
    )
    (found,) = validate(before, after, Limits(query_seconds, 120, 4))
    return found


def _ids(table: str) -> list[str]:
    return [row[0] for row in TABLES.rows(table)]


@pytest.mark.parametrize("row", TABLES.rows(TABLES.WRONG), ids=_ids(TABLES.WRONG))
def test_wrong_transformations_are_refuted(row: list[str]):
    signature, before, after = row[1:]
    found = verdict(signature, before, after)
    assert found.status == "refuted", found


@pytest.mark.parametrize("row", TABLES.rows(TABLES.RIGHT), ids=_ids(TABLES.RIGHT))
def test_correct_transformations_are_proved(row: list[str]):
    signature, before, after = row[1:]
    found = verdict(signature, before, after)
    assert found.status == "proved", found


@pytest.mark.parametrize("row", TABLES.rows(TABLES.UNSUPPORTED), ids=_ids(TABLES.UNSUPPORTED))
def test_unsupported_constructs_are_reported(row: list[str]):
    signature, before, after, reason = row[1:]
    # The strict claim of two rows stays undecided for any limit; a limit is processor time.
    found = verdict(signature, before, after, query_seconds=3)
    assert (found.status, found.reason) == ("unsupported", reason)


@pytest.mark.parametrize("row", TABLES.rows(TABLES.WRONG_REWRITES), ids=_ids(TABLES.WRONG_REWRITES))
def test_results_that_flags_do_not_allow_are_not_proved(row: list[str]):
    signature, before, after, reason = row[1:]
    found = verdict(signature, before, after, query_seconds=0.2)
    assert (found.status, found.reason) == ("unsupported", reason)


@pytest.mark.parametrize("row", TABLES.rows(TABLES.ATTRIBUTES), ids=_ids(TABLES.ATTRIBUTES))
def test_attributes_of_functions_follow_from_bodies(row: list[str]):
    signature, attributes, body, expected = row[1:]
    found = compared((signature, body), (f"{signature} {attributes}", body))
    assert expected == (found.reason or found.status)


@pytest.mark.parametrize("row", TABLES.rows(TABLES.FACTS), ids=_ids(TABLES.FACTS))
def test_facts_of_arguments_and_results_follow_from_bodies(row: list[str]):
    before, after, body, expected = row[1:]
    found = compared((before, body), (after, body))
    assert expected == (found.reason or found.status)


def test_undef_may_be_the_value_of_another_edge():
    phi = "%p = phi i32 [%x, %0], [undef, %t]; %y = mul i32 %p, %p; ret i32 %y"
    branch = f"br i1 %c, label %t, label %e; t:; br label %e; e:; {phi}"
    square = "%y = mul i32 %x, %x; ret i32 %y"
    found = verdict("i32 (i1 noundef %c, i32 noundef %x)", branch, square, query_seconds=1)
    assert found.status == "proved", found


def test_long_products_of_constants_are_not_rewritten():
    factors = "".join(
        f"%s{n + 1} = fmul fast half %s{n}, {2.0 if n < 21 else 0.5};" for n in range(42)
    )
    found = verdict("half (half noundef %s0)", factors + "ret half %s42", "ret half %s0", 0.1)
    assert found.status == "unsupported"


def test_uses_of_uses_of_undef_bits_are_bounded():
    squares = "".join(f"%s{n + 1} = fmul half %s{n}, %s{n};" for n in range(16))
    found = verdict("half (half %s0)", squares + "ret half 1.0", "ret half 1.0", 5)
    assert (found.status, found.reason) == (
        "unsupported",
        "proved only apart from undef bits of inputs",
    )
    assert (
        verdict("half (half %s0)", squares + "ret half 1.0", "ret half 2.0", 5).status == "refuted"
    )
