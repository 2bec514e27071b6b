"""The sequence tables against the document's, row by row."""

import re
from pathlib import Path

import pytest

from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import sequences
from nvvm_xdsl.pipeline.construct import (
    LANGUAGE,
    LEVEL,
    MASTER_SWITCH,
    NAME_BLOCKS,
    NOT_MINIMAL,
    TIER_SWITCHES,
    VERIFY_PLUGINS,
    names_of_slots,
)
from nvvm_xdsl.pipeline.knobs import knobs
from nvvm_xdsl.pipeline.options import (
    BOOL,
    GUARD_NAMES,
    INTEGER,
    READ_AS_ENABLED,
    STR_PTR,
    slot_at,
    slots_by_guard,
)
from nvvm_xdsl.pipeline.registry import ADAPTORS, SPECIAL, rows
from nvvm_xdsl.pipeline.sequences import STANDARD_PIPELINES, rows_of
from nvvm_xdsl.pipeline.text import parse_pipeline

DOCUMENT = Path(__file__).parent / "document"
TABLES = {
    "tier 0": (sequences.TIER_0, 34),
    "tiers": (sequences.TIERS, 69),
    "ptx": (sequences.PATH_A, 10),
    "mid": (sequences.PATH_B, 43),
    "default": (sequences.PATH_C, 45),
    "phase 2": (sequences.PRE_OPTIMIZATION, 9),
    "phase 5": (sequences.FINALIZATION, 3),
    "O0": (sequences.LEVEL_O0, 0),
    "Ofcmax": (sequences.LEVEL_OFCMAX, 1),
}


def documented_guard(row):
    """Returns a row's guard in the document's form: offsets, each with the slot's own polarity."""

    def term(match):
        negated, name = match.groups()
        slot = slots_by_guard().get(name)
        if slot is None:
            return match[0]
        inverted = slot.inverted and slot.knob == name
        if slot.offset in READ_AS_ENABLED:
            # The document reads these two as disable flags.
            inverted = slot.knob != name
        return f"{'' if bool(negated) == inverted else '!'}opts[{slot.offset}]"

    return re.sub(r"(!?)([A-Za-z][\w-]*)", term, row.guard)


ABBREVIATED_GUARDS = {
    14: "tier!=1&&!opts[960]&&!opts[1200]",
    15: "tier!=1&&!opts[1160]",
    68: "opts[3328]&&!opts[2080]&&!opts[2120]",
}
"""Rows of the document's tiers, from 1, whose guard it abbreviates to "guards"."""


def _document(name):
    return (DOCUMENT / f"{name}.txt").read_text().splitlines()


def _documented(text):
    """The rows of a table that have a note; the others are this project's."""
    return [row for row in rows_of(text) if row.note]


def _factory(row):
    return row.note.partition("(")[0].split()[0]


def test_tier_0_row_by_row():
    ours = []
    for number, row in enumerate(_documented(sequences.TIER_0), 1):
        factory, label = row.note.split(" ", 1)
        ours.append(f"{number}{factory}{label}{documented_guard(row)}")
    assert ours == _document("tier0")


_ROW = re.compile(
    r"(?P<factory>sub_[0-9A-F]+)\((?P<arguments>[^)]*)\)\s*"
    r"(?:\[(?P<guard>(?:[^\[\]]|\[\d+\])*)\]\s*)?(?P<label>.*)"
)


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (sequences.TIERS, "tiers"),
        (sequences.PATH_A, "path_a"),
        (sequences.PATH_B, "path_b"),
        (sequences.PATH_C, "path_c"),
    ],
)
def test_tables_row_by_row(table, name):
    lines = _document(name)
    for number, (row, line) in enumerate(zip(_documented(table), lines, strict=True), 1):
        factory, arguments, guard, label = _ROW.fullmatch(line).groups()
        note = f"{factory}({arguments})"
        if guard and "guards" in guard:
            guard = ABBREVIATED_GUARDS[number]
        elif guard and " if " in guard:
            # A rule for an argument, not a guard.
            note, guard = f"{note} [{guard}]", None
        assert documented_guard(row) == (guard or "").replace("a4[", "opts[").replace(" ", "")
        assert row.note.split() == f"{note} {label}".split()


def test_the_list_of_abbreviated_guards_is_complete():
    assert [n for n, line in enumerate(_document("tiers"), 1) if "guards" in line] == list(
        ABBREVIATED_GUARDS
    )


@pytest.mark.parametrize("name", TABLES)
def test_row_counts(name):
    text, count = TABLES[name]
    assert len(_documented(text)) == count


def test_calls_of_a_factory_make_the_same_pass():
    made = {}
    for text, _ in TABLES.values():
        for row in _documented(text):
            names = ",".join(element.name for element in parse_pipeline(row.passes))
            if _factory(row) == "sub_1C4B6F0":
                # The inliner's rows in tiers inline more than mandatory calls.
                names = names.replace(",inline", "")
            assert made.setdefault(_factory(row), names) == names, row


def test_standard_pipelines_have_the_documents_ids_and_inliner_arguments():
    for text, _ in TABLES.values():
        for row in _documented(text):
            assert row.passes.startswith("standard<") == (_factory(row) == "sub_1A62BF0"), row
            if not row.passes.startswith("standard<"):
                continue
            arguments = row.note.partition("(")[2].partition(")")[0].split(",")
            inlines = arguments[1] == "..." or arguments[4] == "1"
            assert row.passes == f"standard<{arguments[0]}{';inline' if inlines else ''}>"


def test_intrinsic_lowering_has_the_documents_level():
    for text, _ in TABLES.values():
        for row in _documented(text):
            if _factory(row) == "sub_1CB4E40":
                level = row.note.partition("(")[2].partition(")")[0]
                assert row.passes == f"nvvm-intrinsic-lowering<level={level}>"


def _fields(line):
    return [part.strip() for part in line.split("|")]


@pytest.mark.parametrize(
    ("table", "name"), [(sequences.PRE_OPTIMIZATION, "phase2"), (sequences.FINALIZATION, "phase5")]
)
def test_phases_row_by_row(table, name):
    for row, line in zip(_documented(table), _document(name), strict=True):
        guard, factory, flags, label = _fields(line.replace("||", "OR"))
        guard = guard.replace("OR", "||").replace(" ", "").replace("a4[", "opts[")
        assert documented_guard(row) == guard
        assert row.note == f"{factory.replace(', ', ',')} {label}"
        assert flags == "1"


def test_the_standard_pipelines_row_by_row():
    lines = _document("standard")
    for (number, standard), line in zip(STANDARD_PIPELINES.items(), lines, strict=True):
        assert line.startswith(f"{number}{standard.point}")


def test_every_flag_of_the_flag_map_is_a_slot():
    """Fields inside of slots and after them are resolved in docs/deviations.md, C06 and C07."""
    inside = {3532, 3572, 3612, 4228, 3656}
    behind = {4480, 4488, 4496}
    kinds = {"bool": BOOL, "int": INTEGER, "ptr": STR_PTR}
    seen = set()
    for line in _document("flags"):
        offset, kind, purpose = re.fullmatch(r"\+(\d+)(bool|int|ptr)(.*)", line).groups()
        if int(offset) in inside | behind:
            with pytest.raises(KeyError):
                slot_at(int(offset))
        else:
            assert slot_at(int(offset)).type == kinds[kind], purpose
        seen.add(int(offset))
    assert seen >= inside | behind | {MASTER_SWITCH, LEVEL, LANGUAGE, NAME_BLOCKS, VERIFY_PLUGINS}
    assert seen >= set(TIER_SWITCHES.values())


def test_the_flags_that_choose_tiers_match_the_documents():
    lines = {line.split("bool")[0]: line for line in _document("flags") if "bool" in line}
    for tier, offset in TIER_SWITCHES.items():
        assert lines[f"+{offset}"] == f"+{offset}boolTier {tier} enablePhase 3 loop"
    assert lines[f"+{MASTER_SWITCH}"].endswith("Optimization master switchTier 0 gate")
    assert "BB naming" in lines[f"+{NAME_BLOCKS}"]
    assert "verify after plugins" in lines[f"+{VERIFY_PLUGINS}"]


def test_mid_pipeline_matches_the_documents_pass_list():
    """Names differ between the two; if both are standard pipelines, so do the texts."""
    arrows = [part.strip() for part in _document("mid_arrows")[0].split("→")]
    same = {
        "IPConstProp": "IPConstPropagation",
        "CVP": "CorrelatedValuePropagation",
        "InstCombine": "InstructionCombining",
        "MemorySpaceOpt": "MemorySpaceOpt",
        "NVVMRemat": "NVVMRematerialization",
    }
    for arrow, row in zip(arrows, _documented(sequences.PATH_B), strict=True):
        if arrow.startswith("LLVM standard #"):
            number = arrow.removeprefix("LLVM standard #")
            assert row.passes.startswith((f"standard<{number}>", f"standard<{number};"))
        else:
            label = row.note.split(" ", 1)[1]
            assert label.startswith(same.get(arrow, arrow)), (arrow, row)


@pytest.mark.parametrize("name", TABLES)
def test_guards_name_slots_whose_offsets_the_comments_state(name):
    for row in rows_of(TABLES[name][0]):
        known = slots_by_guard()
        for term in re.split(r"&&|\|\|", row.guard.replace(NOT_MINIMAL, "")):
            assert not term or term.startswith("tier") or term.removeprefix("!") in known, row
        assert tuple(known[n].offset for n in names_of_slots(row)) == row.offsets, row


def test_names_in_guards_are_unique():
    """A name of `GUARD_NAMES` is not a knob: `-opt` rejects it."""
    assert len(set(GUARD_NAMES.values())) == len(GUARD_NAMES)
    assert not set(GUARD_NAMES.values()) & knobs().keys()
    named = {offset for offset in GUARD_NAMES if slot_at(offset).knob in knobs()}
    # The second slot of do-licm.
    assert named == {1240}
    used = {
        name for text, _ in TABLES.values() for row in rows_of(text) for name in names_of_slots(row)
    }
    assert set(GUARD_NAMES.values()) - used == {"memory-space-opt-again"}


def test_the_standard_pipelines_are_all_used():
    assert list(STANDARD_PIPELINES) == [1, 2, 4, 5, 7, 8]
    used = {
        int(element.parameters[0])
        for text, _ in TABLES.values()
        for row in rows_of(text)
        for element in parse_pipeline(row.passes)
        if element.name == "standard"
    }
    assert used == set(STANDARD_PIPELINES)


def test_every_name_in_a_sequence_exists():
    texts = [row.passes for text, _ in TABLES.values() for row in rows_of(text)]
    texts += [standard.passes for standard in STANDARD_PIPELINES.values()]
    for text in texts:
        for element in parse_pipeline(text):
            name = element.name
            assert (
                name in PASSES
                or name in rows()
                or name in ADAPTORS
                or name in (*SPECIAL, "standard")
            ), name


def test_every_factory_of_a_row_is_in_the_documents_inventory():
    inventory = "\n".join(_document("inventory"))
    for text, _ in TABLES.values():
        for row in _documented(text):
            # ConstantMerge is called everywhere but missing from the inventory.
            assert _factory(row) in inventory or _factory(row) == "sub_184CD60", row
