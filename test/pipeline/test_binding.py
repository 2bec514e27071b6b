"""Options of -opt become the parameters of the passes that read them."""

import dataclasses
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest

import nvvm_xdsl
from nvvm_xdsl.analysis.scev.knobs import DEFAULT_KNOBS, ScevKnobs, knob_name, knobs_from
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.machine.branch_folder import BranchFolder
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.passes.nvidia.registers.remat import Rematerialization
from nvvm_xdsl.passes.nvidia.spaces.memory_space_opt import MemorySpaceOpt
from nvvm_xdsl.pipeline import construct
from nvvm_xdsl.pipeline.binding import knobs_read_by, opt_text, stated_parameters, unread_knobs
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.construct import guarding_offsets
from nvvm_xdsl.pipeline.knobs import OPTIMIZER_DUMPS, PASS_KNOBS, TEXT_KIND, knobs, parse_opt
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.pipeline.options import PassOptions

WORDS = {"cssa-coalesce": "none", "nvvm-verify": "strict"}
"""Knobs that are neither numbers nor toggles, with a valid value."""


def passes_of(text, opt):
    return list(passes_in(build_pipeline(text, options=parse_opt(opt))))


def test_a_knob_sets_the_pass_field_of_the_same_name():
    assert passes_of("branch-folder", "-tail-merge-size=5 -enable-tail-merge=0") == [
        BranchFolder(tail_merge_size=5, enable_tail_merge=False)
    ]
    assert passes_of("nvptx-phi-elimination", "-cssa-coalesce=none -do-cssa=t") == [
        NVPTXPhiElimination(cssa_coalesce="none", do_cssa=True)
    ]


def test_numbers_in_other_bases():
    assert passes_of("branch-folder", "-tail-merge-size=0x10") == [BranchFolder(tail_merge_size=16)]


def test_a_negated_knob_sets_the_opposite_value():
    opposite = BranchFolder(requires_structured_cfg=True)
    knob = "-disable-nvptx-require-structured-cfg"
    assert passes_of("branch-folder", f"{knob}=0") == [opposite]
    assert passes_of("branch-folder", knob) == [BranchFolder()]


def test_the_pipeline_text_takes_precedence():
    assert passes_of("branch-folder<tail-merge-size=7>", "-tail-merge-size=5") == [
        BranchFolder(tail_merge_size=7)
    ]
    assert passes_of("branch-folder<no-disable-branch-fold>", "-disable-branch-fold") == [
        BranchFolder()
    ]


def test_knobs_reach_passes_of_named_pipelines():
    found = [p for p in passes_of("nvopt<O3>", "-dump-ir-before-memory-space-opt")
             if isinstance(p, MemorySpaceOpt)]  # fmt: skip
    assert found
    assert all(p.dump_ir_before_memory_space_opt for p in found)


def test_values_that_a_pass_rejects():
    with pytest.raises(DiagnosticError) as caught:
        passes_of("nvptx-phi-elimination", "-cssa-coalesce=all")
    assert caught.value.message == (
        "-opt: invalid NVPTXPhiElimination pass parameter 'cssa-coalesce=all': "
        "cssa-coalesce: expected one of congruence, none"
    )


@dataclass(frozen=True)
class Reading(FunctionPass):
    name = "test-reading"
    knobs: ClassVar = {"no-dce": "no-runs"}
    dump_remat: bool = False
    remat_move: str = ""
    other: int = 0
    runs: bool = True
    ftz: bool = False

    def run_on_function(self, func, am):
        return False


@pytest.mark.parametrize("value", ["0", "1"])
def test_every_documented_toggle_and_number_can_be_set_at_every_level(value):
    """`-do-remat=0`, the documents' own example, was an error."""
    for name, knob in knobs().items():
        text = f"-{name}={value}"
        if name in WORDS:
            text = f"-{name}={WORDS[name]}"
        elif knob.kind == TEXT_KIND and not knob.default:
            continue
        build_pipeline("nvopt<O3>", options=parse_opt(text))
        build_pipeline(machine_pipeline(3), options=parse_opt(text))


UNREAD = """
ftz prec-div prec-sqrt fmad opt-level sm-arch
scev-cgp-norm scev-cgp-tid-max-value
do-comdat-renaming do-counter-promotion forget-scev-loop-unroll
""".split()
"""Documented knobs whose passes do not exist here, or whose meaning is undocumented: docs/deviations.md."""


def test_unread_knobs_are_listed():
    """A new pass must remove its knobs from the list, which contains no others."""
    unread = [name for name in knobs() if list(unread_knobs(parse_opt(f"-{name}=1")))]
    assert set(unread) == set(UNREAD)


BY_THE_DRIVER = {"dump-nvvmir"}
"""Knobs that are read but not shown in pipelines."""

READ = sorted(knobs().keys() - set(UNREAD) - BY_THE_DRIVER)


BESIDE = {"disable-BreakCriticalEdgesPass": "-disable-break-critical-edges=0"}
"""Other options that a knob needs to have an effect."""


def _values(name):
    """Values of a knob, of which one is not its default."""
    if name in WORDS:
        return [WORDS[name]]
    default = knobs()[name].default
    number = [str(int(default, 0) + 1)] if default.lstrip("-").isdigit() else []
    return [*number, "1", "0"]


@cache
def _texts(opt):
    """The pipelines that guards, switches and slots change."""
    options = parse_opt(opt)
    return [
        construct.construct(construct.PipelineConfig(options=options, plugins=(), **config))
        for config in ({}, {"language": "ptx"}, {"language": "default"}, {"level": 0})
    ]


@pytest.mark.parametrize("name", READ)
def test_every_knob_that_is_read_makes_a_difference(name):
    """A knob changes the parameters of a pass, the pipeline, or ScalarEvolution; either value of a toggle may
    be its default.
    """
    beside = BESIDE.get(name, "")
    for value in _values(name):
        options = parse_opt(f"{beside} -{name}={value}")
        if any(
            cls.from_parameters(stated_parameters(cls, options)) != cls()
            for cls in map(pass_class, PASSES)
            if name in knobs_read_by(cls)
        ):
            return
        if _texts(f"{beside} -{name}={value}") != _texts(beside):
            return
        if knobs_from(options.knobs) != DEFAULT_KNOBS:
            return
    pytest.fail(f"-{name} changes nothing")


ACCEPTED = {
    "loop-rotate": {"prepare_for_lto"},
    "loop-vectorize": {"interleave_forced_only"},
    "speculative-execution": {"only_if_divergent_target"},
}
"""LLVM parameters that can make no difference here; their docstrings give the reason."""


def test_every_parameter_of_every_pass_is_read():
    """A knob sets a field; code must read the field."""
    root = Path(nvvm_xdsl.__file__).parent
    text = "\n".join(path.read_text() for path in root.rglob("*.py"))
    asked = set(re.findall(r"\.([a-z]\w*)", text))
    for pass_name in PASSES:
        cls = pass_class(pass_name)
        if not cls.__module__.startswith("nvvm_xdsl."):
            # The context of an example, which another test has entered.
            continue
        names = {field.name for field in dataclasses.fields(cls) if field.init}
        assert names - asked == ACCEPTED.get(pass_name, set()), pass_name


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_do_remat_sets_the_level_of_remat(level):
    (found,) = passes_of("remat", f"-do-remat={level}")
    assert isinstance(found, Rematerialization)
    assert found.do_remat == level
    options = parse_opt(f"-do-remat={level}")
    assert options.guard("do-remat") is (level != 0)
    assert (parse_opt(opt_text(options)).values, level) == (options.values, found.do_remat)


def test_the_register_limit_reaches_the_passes_that_count_registers():
    found = passes_of("remat,loop-reduce,nvptx-remat-block,machine-scheduler", "-maxrregcount=40")
    assert [p.maxrregcount for p in found] == [40] * 4


def test_only_documented_names_are_knobs():
    assert knobs_read_by(Reading) == {
        "dump-remat": "dump-remat",
        "remat-move": "remat-move",
        "no-dce": "no-runs",
    }


def test_only_the_parameters_of_explicit_options_are_set():
    assert stated_parameters(Reading, PassOptions()) == []
    stated = stated_parameters(Reading, parse_opt("-remat-move='a b' -no-dce -dump-remat=0"))
    assert stated == ["no-dump-remat", "remat-move=a b", "no-runs"]
    assert Reading.from_parameters(stated) == Reading(remat_move="a b", runs=False)


@pytest.mark.parametrize("line", PASS_KNOBS.splitlines())
def test_every_knob_of_a_pass_that_exists_reaches_it_with_its_default(line):
    name, _, default, owner = (part.strip() for part in line.split("|"))
    owner = owner.split()[1]
    if owner in PASSES:
        cls = pass_class(owner)
        parameter = knobs_read_by(cls).get(name)
        assert parameter is not None, f"{owner} has no field for {name}"
        if parameter == name:
            field = name.replace("-", "_")
            (value,) = [f.default for f in dataclasses.fields(cls) if f.name == field]
            assert str(value).lower() == {"unset": "none"}.get(default, default)
    elif owner == "scalar-evolution" and name not in UNREAD:
        found = {knob_name(f.name): f.default for f in dataclasses.fields(ScevKnobs)}
        assert str(found[name]).lower() == default


def test_dump_flags_are_fields_of_existing_passes():
    read = {name for pass_name in PASSES for name in knobs_read_by(pass_class(pass_name))}
    dumps = {line.split("|")[0].strip() for line in OPTIMIZER_DUMPS.splitlines()}
    assert dumps & read >= {
        "dump-ir-before-memory-space-opt",
        "dump-ir-after-memory-space-opt",
        "dump-memory-space-warnings",
        "dump-before-cssa",
    }


def test_unread_knobs_are_reported():
    options = parse_opt("-tail-merge-size=5 -scalar-evolution-max-iterations=3 -ftz=1")
    assert list(unread_knobs(options)) == ["ftz"]
    assert list(unread_knobs(PassOptions())) == []


def test_a_guard_of_passes_that_do_not_exist_is_unread(monkeypatch):
    options = parse_opt("-no-sccp=1")
    assert list(unread_knobs(options)) == []
    guarding_offsets.cache_clear()
    monkeypatch.setattr(construct, "exists", lambda name: name != "sccp")
    assert list(unread_knobs(options)) == ["no-sccp"]
    guarding_offsets.cache_clear()


def test_slots_by_number():
    options = parse_opt("-slot=3488=1 -slot=3984=0x20 -slot=760")
    assert options.values == {3488: True, 3984: 32, 760: True}
    assert options.boolean("no-dse")
    # No pass reads the limit at 3984; barriers have a guard.
    assert "slot=3984" in list(unread_knobs(options))


@pytest.mark.parametrize("text", ["-slot=3489=1", "-slot=x=1", "-slot=3984=many"])
def test_slots_that_do_not_exist(text):
    with pytest.raises(DiagnosticError):
        parse_opt(text)


@pytest.mark.parametrize(
    "text",
    ["", "-do-licm=0", "-slot=3532=7", "-do-licm=1", "-tail-merge-size=5 -dump-remat=1", "-remat-move='a b'",
     "-memory-space-opt=0 -no-dce=1 -ftz=x", "-slot=3488=1 -slot=3984=7 -slot=176='a b'"],
)  # fmt: skip
def test_the_text_of_options_is_read_as_the_same_options(text):
    options = parse_opt(text)
    again = parse_opt(opt_text(options))
    assert (again.values, again.knobs) == (options.values, options.knobs)
