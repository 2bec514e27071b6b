"""The registry against the document's lists."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.aliases import ALIASES
from nvvm_xdsl.pipeline.levels import FAST_COMPILE_ENCODING, select_pipeline
from nvvm_xdsl.pipeline.registry import (
    NVIDIA_ROWS,
    SECTIONS,
    list_passes,
    missing,
    rows,
)
from nvvm_xdsl.pipeline.sequences import named_passes

DOCUMENT = Path(__file__).parent / "document"


def _lines(name):
    return (DOCUMENT / f"{name}.txt").read_text().splitlines()


def test_registration_order_and_counts():
    for section, line in zip(SECTIONS, _lines("registration"), strict=True):
        found = re.match(r"(.*?)\d+-\d+~(\d+)", line)
        assert (section.title, section.documented_count) == (found[1], int(found[2]))


def test_custom_passes_by_level():
    module, function, loop, analyses = (line.partition(": ")[2] for line in _lines("custom_passes"))
    for text, level, kind in (
        (module, "module", "pass"),
        (function, "function", "pass"),
        (loop, "loop", "pass"),
        (analyses, "function", "analysis"),
    ):
        listed = [re.split(r"[<*\s]", name)[0] for name in text.split(", ")]
        ours = [r.name for r in NVIDIA_ROWS if (r.level, r.kind) == (level, kind)]
        assert sorted(ours) == sorted(listed)
        for name in listed:
            assert rows()[name].level == level


def test_class_names_of_analyses():
    line = _lines("custom_passes")[3].partition(": ")[2]
    for name, class_name in re.findall(r"([\w-]+) \((\w+)\)", line):
        assert rows()[name].class_name == class_name


def test_no_documented_pass_is_missing():
    assert missing() == []
    assert list_passes(only_missing=True) == "no documented pass is missing\n"


def test_a_documented_pass_without_an_implementation_is_listed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(PASSES, "sinking2")
    assert [row.name for row in missing()] == ["sinking2"]
    assert "  sinking2" in list_passes(only_missing=True)


def test_every_element_of_every_documented_sequence_is_a_pass():
    assert named_passes() <= PASSES.keys()


def test_the_integers_of_fast_compile():
    for line in _lines("fast_compile")[1:]:
        number, text, rest = re.match(
            r"(\d)-(?:Ofast-compile|Ofc)=(0|max|mid|min)(.*)", line
        ).groups()
        assert FAST_COMPILE_ENCODING[text] == int(number)
        if text != "0":
            assert rest.startswith(select_pipeline(fast_compile=text))
    assert FAST_COMPILE_ENCODING[""] == 0


@pytest.mark.parametrize("name", ALIASES)
def test_an_alias_is_its_target_with_other_defaults(name: str):
    alias = ALIASES[name]
    cls = pass_class(name)
    target = pass_class(alias.target)
    assert issubclass(cls, target)
    assert (cls.name, cls.title, cls.__doc__) == (name, alias.title, alias.effect)
    values = {field.name: getattr(cls(), field.name) for field in fields(target)}
    ours = {field.name: getattr(target(), field.name) for field in fields(target)}
    assert values == {**ours, **alias.defaults}
