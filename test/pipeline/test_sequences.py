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
    TIER_SWITCHES,
    VERIFY_PLUGINS,
)
from nvvm_xdsl.pipeline.options import BOOL, INTEGER, STR_PTR, slot_at
from nvvm_xdsl.pipeline.registry import ADAPTORS, SPECIAL, rows
from nvvm_xdsl.pipeline.sequences import factories, rows_of, standard_pipelines
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
    "O0": (sequences.LEVEL_O0, 1),
    "Ofcmax": (sequences.LEVEL_OFCMAX, 7),
}


def _document(name):
    return (DOCUMENT / f"{name}.txt").read_text().splitlines()


def test_tier_0_row_by_row():
    ours = [
        "".join(part.strip() for part in line.split("|")) for line in sequences.TIER_0.splitlines()
    ]
    assert ours == _document("tier0")


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
    for ours, theirs in zip(table.splitlines(), _document(name), strict=True):
        assert ours.split() == theirs.split()


@pytest.mark.parametrize("name", TABLES)
def test_row_counts_factories_and_guards(name):
    text, count = TABLES[name]
    found = rows_of(text)
    assert len(found) == count
    for row in found:
        assert row.factory in factories(), row
        assert row.label, row


def _fields(line):
    return [part.strip() for part in line.split("|")]


def test_phase_0_row_by_row():
    ours = [_fields(line) for line in sequences.INFRASTRUCTURE.splitlines()]
    assert ours == [_fields(line) for line in _document("phase0")]


@pytest.mark.parametrize(
    ("table", "name"), [(sequences.PRE_OPTIMIZATION, "phase2"), (sequences.FINALIZATION, "phase5")]
)
def test_phases_row_by_row(table, name):
    for row, line in zip(rows_of(table), _document(name), strict=True):
        guard, factory, flags, label = _fields(line.replace("||", "OR"))
        guard = guard.replace("OR", "||").replace(" ", "").replace("a4[", "opts[")
        assert row.guard == guard
        assert f"{row.factory}({','.join(row.arguments)})" == factory.replace(", ", ",")
        assert row.label == label
        assert flags == "1"


def test_the_standard_pipelines_row_by_row():
    lines = _document("standard")
    for (number, (point, _)), line in zip(standard_pipelines().items(), lines, strict=True):
        assert line.startswith(f"{number}{point}")


def test_every_flag_of_the_flag_map_is_a_slot():
    """Fields inside of slots and behind them are settled in docs/deviations.md, C06 and C07."""
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


def test_the_flags_that_choose_tiers_are_the_documents():
    lines = {line.split("bool")[0]: line for line in _document("flags") if "bool" in line}
    for tier, offset in TIER_SWITCHES.items():
        assert lines[f"+{offset}"] == f"+{offset}boolTier {tier} enablePhase 3 loop"
    assert lines[f"+{MASTER_SWITCH}"].endswith("Optimization master switchTier 0 gate")
    assert "BB naming" in lines[f"+{NAME_BLOCKS}"]
    assert "verify after plugins" in lines[f"+{VERIFY_PLUGINS}"]


def test_the_middle_path_is_the_documents_arrow_line():
    """Names differ between the two; where both are standard pipelines, so do the words."""
    arrows = [part.strip() for part in _document("mid_arrows")[0].split("→")]
    same = {
        "IPConstProp": "IPConstPropagation",
        "CVP": "CorrelatedValuePropagation",
        "InstCombine": "InstructionCombining",
        "MemorySpaceOpt": "MemorySpaceOpt",
        "NVVMRemat": "NVVMRematerialization",
    }
    for arrow, row in zip(arrows, rows_of(sequences.PATH_B), strict=True):
        if arrow.startswith("LLVM standard #"):
            assert row.factory == "sub_1A62BF0"
            assert row.arguments[0] == arrow.removeprefix("LLVM standard #")
        else:
            assert row.label.startswith(same.get(arrow, arrow)), (arrow, row)


def test_guards_name_slots():
    for text, _ in TABLES.values():
        for row in rows_of(text):
            for part in row.guard.replace("||", "&&").split("&&"):
                if "opts[" in part:
                    slot_at(int(part.split("[")[1].split("]")[0]))


def test_abbreviated_guards_are_settled():
    settled = rows_of(sequences.TIERS)
    assert {n: settled[n - 1].guard for n in sequences.TIER_GUARDS} == sequences.TIER_GUARDS
    assert [
        n for n, line in enumerate(sequences.TIERS.splitlines(), 1) if "guards" in line
    ] == list(sequences.TIER_GUARDS)


def test_the_standard_pipelines_have_the_documented_ids():
    assert list(standard_pipelines()) == [1, 2, 4, 5, 7, 8]
    used = {
        int(row.arguments[0])
        for text, _ in TABLES.values()
        for row in rows_of(text)
        if row.factory == "sub_1A62BF0"
    }
    assert used == {1, 2, 4, 5, 7, 8}


def test_everything_a_sequence_names_is_known():
    texts = [e for e in factories().values() if e != "STANDARD"]
    texts += [elements for _, elements in standard_pipelines().values()]
    for text in texts:
        for element in parse_pipeline(text):
            name = element.name
            assert name in PASSES or name in rows() or name in ADAPTORS or name in SPECIAL, name


def test_every_listed_factory_is_in_the_documents_inventory_or_a_row_of_it():
    inventory = "\n".join(_document("inventory"))
    # ConstantMerge is called everywhere and missing from the inventory.
    for factory in factories():
        assert factory in inventory or factory == "sub_184CD60", factory
