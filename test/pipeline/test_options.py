"""NVVMPassOptions against the document, and parsing of -opt."""

from collections import Counter
from pathlib import Path

import pytest

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.knobs import (
    OPTIMIZER_DUMPS,
    OPTIMIZER_PARAMETERS,
    OPTIMIZER_TOGGLES,
    knobs,
    parse_opt,
)
from nvvm_xdsl.pipeline.options import (
    BOOL,
    DOCUMENTED_SLOTS,
    ENABLED_SLOTS,
    HEADER_SIZE,
    INTEGER,
    STR_PTR,
    STRING,
    WIDTHS,
    PassOptions,
    is_true,
    slot_at,
    slots,
    slots_by_knob,
)

DOCUMENT = Path(__file__).parent / "document"


def test_layout_counts_and_size():
    assert Counter(slot.type for slot in slots()) == {
        STRING: 114,
        BOOL: 100,
        INTEGER: 6,
        STR_PTR: 1,
    }
    last = slots()[-1]
    assert (last.index, last.offset) == (221, 4464)
    # Four quadwords of zeros follow the slots.
    assert last.offset + WIDTHS[last.type] + 4 * 8 == 4512
    assert slots()[0].offset == HEADER_SIZE


def test_slots_do_not_overlap_and_are_aligned():
    for before, after in zip(slots(), slots()[1:]):
        assert after.offset % 8 == 0
        assert before.offset + WIDTHS[before.type] <= after.offset < before.offset + 40


def _as_printed(line: str) -> str:
    slot, offset, kind, default, knob, consumer = (part.strip() for part in line.split("|"))
    return f"{slot}{offset}{kind}{default}{knob}{consumer}"


def test_every_row_of_the_documents_slot_table():
    printed = (DOCUMENT / "slots.txt").read_text().splitlines()
    assert [_as_printed(line) for line in DOCUMENTED_SLOTS.splitlines()[1:]] == printed


def test_every_stated_offset_follows_from_the_layout_rules():
    for line in DOCUMENTED_SLOTS.splitlines()[1:]:
        number, offset, kind, default, *_ = (part.strip() for part in line.split("|"))
        slot = slots()[int(number) - 1]
        assert (slot.offset, slot.type) == (int(offset.rstrip("*")), kind), line
        assert slot.confirmed == offset.endswith("*")
        if kind in (BOOL, INTEGER):
            assert int(slot.default) == int(default), line


def test_boolean_slots_enabled_by_default():
    assert {s.index for s in slots() if s.type == BOOL and s.default} == ENABLED_SLOTS
    assert len(ENABLED_SLOTS) == 14


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", True), ("true", True), ("TRUE", True), ("t", True), ("10", True), ("0", False),
     ("yes", False), ("on", False), ("", False), ("false", False)],
)  # fmt: skip
def test_booleans_are_true_by_their_first_character(text, value):
    assert is_true(text) is value


def test_inventories_are_the_documents_row_by_row():
    ours = []
    for table, kind in ((OPTIMIZER_TOGGLES, ""), (OPTIMIZER_PARAMETERS, "string"),
                        (OPTIMIZER_DUMPS, "")):  # fmt: skip
        for line in table.splitlines():
            name, text = (part.strip() for part in line.split("|"))
            ours.append(f"{name}{kind}{text}")
    assert ours == (DOCUMENT / "options.txt").read_text().splitlines()
    assert len(ours) == 15 + 26 + 23


def test_opt_sets_slots_knobs_and_dumps():
    options = parse_opt("-do-licm=0 -remat-max-live-limit=50 -dump-remat")
    assert options[2880] is False
    assert options[1240] is True
    assert options.boolean("do-licm") is False
    assert options.integer("remat-max-live-limit", 0) == 50
    assert options.boolean("dump-remat") is True


def test_unset_slots_keep_their_defaults():
    options = PassOptions()
    assert options[2880] is True
    assert options.boolean("do-licm") is True
    assert options.boolean("do-remat") is True
    assert options[3984] == 20
    assert options.boolean("no-dce") is False
    assert options.integer("jump-threading-threshold", 6) == 6


def test_an_inverted_knob_sets_its_slot_to_the_opposite():
    assert parse_opt("-do-ip-msp=0")[1760] is True
    assert parse_opt("-do-ip-msp")[1760] is False
    assert parse_opt("-do-ip-msp=0").boolean("do-ip-msp") is False


def test_later_options_win():
    options = parse_opt("-no-dce", parse_opt("-no-dce=0"))
    assert options[280] is True


def test_slots_that_are_enabled_by_default_are_not_disable_flags():
    options = PassOptions()
    assert options[400] is options[2360] is True
    assert options.guard("no-inline-a") is False
    assert options.guard("unreachable-block-elim") is True
    assert parse_opt("-no-inline-a")[400] is False


def test_knobs_of_the_other_documents_are_reachable():
    of_pass = [k for k in knobs().values() if k.description.split()[1:] == ["jump-threading"]]
    found = {k.name: k.default for k in of_pass}
    assert found["jump-threading-phi-threshold"] == "76"
    assert len(found) == 6
    for name in ("tail-merge-size", "globalopt-max-bits", "scalar-evolution-max-expr-size"):
        assert parse_opt(f"-{name}=7").integer(name, 0) == 7
    assert set(slots_by_knob()) - {"dump-*"} <= set(knobs())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-do-lcm=0", "unknown option '-do-lcm'; did you mean 'do-licm'"),
        ("-qqqqqq", "unknown option '-qqqqqq'"),
        ("do-licm", "expected '-name' or '-name=value'"),
        ("-tail-merge-size=big", "'-tail-merge-size' needs a number, not 'big'"),
        ("-remat-move='x", "No closing quotation"),
    ],
)
def test_errors(text, message):
    with pytest.raises(DiagnosticError) as caught:
        parse_opt(text)
    assert message in caught.value.message


def test_offsets_between_slots_are_errors():
    with pytest.raises(KeyError):
        slot_at(3532)
    with pytest.raises(KeyError):
        PassOptions()[17] = 1
