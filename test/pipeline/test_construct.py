"""Construction: AddPass, guards, tiers, plug-ins, paths, levels."""

import re
from dataclasses import dataclass

import pytest

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import PASSES, register_pass
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.pipeline import sequences
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.construct import (
    BARRIER,
    BARRIER_OPTIMIZATION,
    FUNCTION_PASS,
    NAME_BLOCKS,
    Constructor,
    PassList,
    PipelineConfig,
    PlannedPass,
    construct,
    guard_holds,
)
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.pipeline.levels import (
    EXCLUSION_ERROR,
    FAST_COMPILE_ERROR,
    PIPELINE_NAMES,
    config_of,
    default_pipeline,
    fast_compile_level,
    pipeline_text,
    select_pipeline,
)
from nvvm_xdsl.pipeline.options import TIER_THRESHOLDS, PassOptions
from nvvm_xdsl.pipeline.plugins import Plugin, plugins, register_plugin, unregister_plugin
from nvvm_xdsl.pipeline.text import Element


@dataclass(frozen=True)
class Nothing(FunctionPass):
    """An empty pass of a plug-in."""

    name = "test-nothing"

    def run_on_function(self, func, am):
        return False


def names_in(passes):
    """Returns the names of a list's passes, including those in nested pipelines."""
    found = []
    pending = [planned.element for planned in reversed(passes.passes)]
    while pending:
        element = pending.pop()
        if element.nested is None:
            found.append(element.name)
        else:
            pending.extend(reversed(element.nested))
    return found


def names(**config):
    return names_in(Constructor(PipelineConfig(plugins=(), **config)).build())


def test_add_pass_deduplicates_objects_and_updates_flags():
    passes = PassList()
    one, two = PlannedPass(Element("dce")), PlannedPass(Element("dce"))
    passes.add(one, FUNCTION_PASS)
    passes.add(two, FUNCTION_PASS)
    passes.add(one, 0, barrier=True)
    assert len(passes) == 2
    assert passes.passes == [one, two]
    assert passes.flags(one) == BARRIER
    assert passes.flags(two) == FUNCTION_PASS
    with pytest.raises(KeyError):
        passes.flags(PlannedPass(Element("dce")))


def test_a_barrier_ends_the_group_before_it():
    passes = PassList()
    passes.add(PlannedPass(Element("sroa")), FUNCTION_PASS)
    passes.add(PlannedPass(Element("dce")), FUNCTION_PASS)
    passes.add(PlannedPass(Element("mem2reg")), FUNCTION_PASS, barrier=True)
    passes.add(PlannedPass(Element("globaldce")), 0)
    assert passes.text() == "function(sroa,dce),function(mem2reg),globaldce"


@pytest.mark.parametrize(
    ("guard", "opt", "tier", "holds"),
    [
        ("", "", 0, True),
        ("!no-dce", "", 0, True),
        ("!no-dce", "-no-dce", 0, False),
        ("do-licm&&!no-licm", "", 0, True),
        ("do-licm&&!no-licm", "-do-licm=0", 0, False),
        ("do-licm&&!no-licm", "-slot=1240=1", 0, False),
        ("do-licm&&!no-licm", "-slot=2880=0", 0, False),
        ("do-remat", "", 0, True),
        ("do-remat", "-do-remat=0", 0, False),
        ("barrier-optimization", "", 0, False),
        ("barrier-optimization", "-slot=3488=1", 0, True),
        ("tier!=1", "", 1, False),
        ("tier!=1", "", 2, True),
        ("tier==3&&!no-late-opt", "", 3, True),
        ("tier==3&&!no-late-opt", "-no-late-opt", 3, False),
        ("!no-constmerge||extra-deadargelim", "-no-constmerge", 0, False),
        ("!no-constmerge||extra-deadargelim", "-no-constmerge -slot=3000", 0, True),
        ("unreachable-block-elim", "", 0, True),
        ("unreachable-block-elim", "-slot=2360=0", 0, False),
        ("!no-inline-b&&!no-inline-a", "", 0, True),
        ("!no-inline-b&&!no-inline-a", "-no-inline-b", 0, False),
        ("!no-inline-b&&!no-inline-a", "-no-inline-a", 0, False),
        ("!no-inline-b&&!no-inline-a", "-slot=400=0", 0, False),
    ],
)
def test_guards(guard, opt, tier, holds):
    assert guard_holds(guard, parse_opt(opt), tier) is holds


@pytest.mark.parametrize(
    "guard", ["no-dce maybe", "opts[280]", "no-such-knob", "tier=3", "!tier==3"]
)
def test_invalid_guards_are_errors(guard):
    with pytest.raises(ValueError, match="is not a guard"):
        guard_holds(guard, PassOptions())


@pytest.mark.parametrize(("level", "tiers"), [(0, []), (1, [0, 1]), (2, [0, 2]), (3, [0, 3])])
def test_tiers_of_each_level(level, tiers):
    constructor = Constructor(PipelineConfig(level=level, plugins=()))
    constructor.build()
    assert constructor.tiers_fired == tiers


def test_passes_excluded_from_tier_1():
    """Rows guarded by tier!=1: SimplifyCFG, LoopIndexSplit, NVVMVerifier, Sink, LoopUnswitch."""
    one, two = names(level=1), names(level=2)
    for name in ("loop-index-split", "nvvm-verify", "sink", "simple-loop-unswitch"):
        assert two.count(name) == one.count(name) + 1, name


def test_passes_of_tier_3_alone():
    two, three = names(level=2), names(level=3)
    assert three.count("tailcallelim") == two.count("tailcallelim") + 1
    assert three.count("nvvm-reflect") == two.count("nvvm-reflect") + 1
    assert "nvvm-late-opt" in three
    assert "nvvm-late-opt" not in two


def test_tier_3_raises_the_feature_flags():
    two = Constructor(PipelineConfig(level=2, plugins=()))
    two.build()
    assert two.features == 0
    assert not two.options[BARRIER_OPTIMIZATION]
    three = Constructor(PipelineConfig(level=3, plugins=()))
    three.build()
    assert three.features == 6
    assert three.options[BARRIER_OPTIMIZATION]
    given = Constructor(PipelineConfig(level=3, features=4, plugins=()))
    given.build()
    assert given.features == 4
    assert not given.options[BARRIER_OPTIMIZATION]


def test_escalation_keeps_an_explicit_slot():
    without = names(level=3, options=parse_opt("-slot=3488=0"))
    assert "nvvm-barrier-analysis" in names(level=3)
    assert "nvvm-barrier-analysis" not in without
    assert "nvvm-lower-barriers" not in without
    # Below tier 3 only the slot enables it.
    assert "nvvm-barrier-analysis" not in names(level=2)
    assert "nvvm-barrier-analysis" in names(level=2, options=parse_opt("-slot=3488=1"))


@pytest.mark.parametrize("features", [2, 6])
def test_the_memory_space_bit_of_the_feature_flags_has_no_effect(features):
    """Memory-space optimization is enabled at all levels; docs/deviations.md, C47."""
    for opt in ("", "-no-memspaceopt-b", "-memory-space-opt=0"):
        for level in (1, 2, 3):
            config = {"level": level, "options": parse_opt(opt)}
            assert names(features=features, **config) == names(features=2, **config)


@pytest.mark.parametrize(
    ("offset", "value"), [(4224, False), (3528, True), (3608, False), (3648, "ptx"), (200, 1)]
)
def test_an_explicit_slot_takes_precedence_over_the_level(offset, value):
    options = parse_opt(f"-slot={offset}={int(value) if value in (True, False) else value}")
    constructor = Constructor(PipelineConfig(3, language="mid", options=options, plugins=()))
    assert constructor.options[offset] == value


def test_options_disable_passes():
    assert "dce" in names(level=1)
    without = names(level=1, options=parse_opt("-no-dce"))
    # The standard pipelines have their own clean-up; tier 1 and tier 0 call the factory.
    assert without.count("dce") < names(level=1).count("dce")
    assert "licm" not in names(level=1, options=parse_opt("-do-licm=0"))
    # Tier 0 has no guard; the knob is passed to the pass.
    assert names(level=1).count("remat") == 3
    assert names(level=1, options=parse_opt("-do-remat=0")).count("remat") == 1


def elements_of(name, level, opt=""):
    """Returns a pass as written in a level, without target options."""
    passes = Constructor(PipelineConfig(level, options=parse_opt(opt), plugins=())).build().passes
    return [str(p.element) for p in passes if p.element.name == name]


def test_slot_2920_is_the_argument_of_lowering_barriers():
    """sub_1C98160(0), (v), sub_1C98270(1,v) and (a4[2920]!=0), in this order."""
    plain, word = "nvvm-lower-barriers", "nvvm-lower-barriers<{}>"
    for opt, argument in (("", "no-warp"), ("-slot=2920=1", "warp")):
        expected = [plain, *[word.format(argument)] * 3]
        assert elements_of("nvvm-lower-barriers", 3, opt) == expected


def test_slot_3704_is_the_argument_of_early_cse():
    assert "early-cse<no-memssa>" in elements_of("early-cse", 2)
    assert "early-cse<memssa>" in elements_of("early-cse", 2, "-slot=3704=1")


def test_slot_3120_enables_the_second_run_of_memory_space_opt():
    name = "memory-space-opt"
    assert elements_of(name, 3) == [f"{name}<first-time>", f"{name}<second-time>"]
    assert elements_of(name, 3, "-slot=3120=0") == [f"{name}<first-time>"]


@pytest.mark.parametrize(
    ("opt", "element"),
    [
        ("", "lower-struct-args<opt-byval>"),
        ("-lsa-opt=0", "lower-struct-args<no-opt-byval>"),
        ("", "set-global-array-alignment"),
        ("-slot=1880=0", "set-global-array-alignment<skip-shared-mem>"),
        ("-slot=1920=0", "set-global-array-alignment<skip-global-mem>"),
    ],
)
def test_parameters_of_passes_before_code_generation(opt: str, element: str):
    assert elements_of(element.partition("<")[0], 3, opt)[-1:] == [element]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_unrolling_gets_the_level_of_its_factory(level):
    """sub_19B73C0(2,...) in tier 0, (t,...) in the others."""
    full = "no-partial;no-runtime;no-peeling"
    assert elements_of("loop-unroll", level) == [
        f"loop-unroll<O2;{full}>",
        f"loop-unroll<opt-level={level};{full}>",
        "loop-unroll<for-loads>",
    ]
    assert elements_of("loop-unroll", level, "-no-loopunroll") == []


def test_memory_space_opt_with_first_time_runs_first():
    elements = [
        str(p.element)
        for p in Constructor(PipelineConfig(level=2, language="mid", plugins=())).build().passes
        if p.element.name == "memory-space-opt"
    ]
    first, *others = elements
    assert first == "memory-space-opt<first-time>"
    assert others == ["memory-space-opt<second-time>"] * 2


def test_options_disable_memory_space_passes_before_code_generation():
    def planned(text: str) -> list[str]:
        config = PipelineConfig(level=2, options=parse_opt(text), plugins=())
        return names_in(Constructor(config).build())

    assert "ipmsp" in planned("")
    assert "ipmsp" not in planned("-do-ip-msp=0")
    assert "memory-space-opt" in planned("-do-ip-msp=0")
    assert "memory-space-opt" not in planned("-memory-space-opt=0")


def test_fast_compile_max_always_disables_memory_space_opt():
    asked = parse_opt("-memory-space-opt=1 -lsa-opt=1")
    constructor = Constructor(
        PipelineConfig(level=0, fast_compile="max", options=asked, plugins=())
    )
    found = names_in(constructor.build())
    assert "memory-space-opt" not in found
    assert constructor.options.boolean("lsa-opt") is False
    assert "sinking2" in found
    assert len(found) <= 15


def test_fast_compile_levels_grow():
    sizes = [len(names(level=0, fast_compile=level)) for level in ("max", "mid", "min")]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 3


def test_paths_follow_the_language():
    base = len(names(level=1))
    for language, text in (
        ("ptx", sequences.PATH_A),
        ("mid", sequences.PATH_B),
        ("default", sequences.PATH_C),
    ):
        assert len(names(level=1, language=language)) >= base + len(text.splitlines()) - 3


def test_repetition_matches_the_documents():
    mid = names(level=0, fast_compile="mid")
    assert mid.count("nvvm-intrinsic-lowering") == 4 + 1
    assert mid.count("nvvm-reflect") == 2 + 1
    assert mid.count("nvvm-ir-verification") == 2
    assert mid.count("loop-vectorize") == 1


def test_plugins_run_between_the_tiers():
    early = Plugin(1, "test-early")
    late = Plugin(3, "test-late")
    options = parse_opt("-slot=3532=0 -slot=3612=0")
    config = PipelineConfig(level=2, plugins=(late, early), options=options)
    found = names_in(Constructor(config).build())
    tier_0, tier_2 = (
        found.index("gvn-hoist"),
        found.index("nvvm-predicate-opt", found.index("test-early")),
    )
    assert tier_0 < found.index("test-early") < tier_2 < found.index("test-late")


def test_a_threshold_moves_a_tier_after_a_plugin():
    def place(opt: str) -> bool:
        config = PipelineConfig(level=2, plugins=(Plugin(1, "test-x"),), options=parse_opt(opt))
        found = names_in(Constructor(config).build())
        return found.index("gvn-hoist") < found.index("test-x")

    assert place("")
    assert not place("-slot=4228=1")


@pytest.mark.parametrize("fast_compile", ["", "max", "mid", "min"])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_plugins_run_at_every_level(level, fast_compile):
    config = PipelineConfig(level, fast_compile, plugins=(Plugin(1, "test-x"),))
    assert names_in(Constructor(config).build()).count("test-x") == 1


def test_slot_1080_disables_dumps():
    assert "print-module" in names(level=1)
    assert "print-module" not in names(level=1, options=parse_opt("-no-dump"))


def test_tiers_that_no_plugin_triggers_run_after_the_loop():
    options = parse_opt(" ".join(f"-slot={offset}=9" for offset in TIER_THRESHOLDS))
    config = PipelineConfig(level=3, plugins=(Plugin(1, "test-early"),), options=options)
    constructor = Constructor(config)
    found = names_in(constructor.build())
    assert constructor.tiers_fired == [0, 3]
    assert found.index("test-early") < found.index("gvn-hoist")


def test_each_tier_runs_once_with_several_plugins():
    options = parse_opt("-slot=3612=0")
    plugins_ = tuple(Plugin(phase, f"test-{phase}") for phase in (1, 2, 3))
    constructor = Constructor(PipelineConfig(level=3, plugins=plugins_, options=options))
    constructor.build()
    assert constructor.tiers_fired == [0, 3]


def test_verification_after_each_plugin_is_optional():
    options = PassOptions()
    plugin = Plugin(1, "test-early")
    without = Constructor(PipelineConfig(level=1, plugins=(plugin,))).build()
    assert "verify" not in names_in(without)
    options[3904] = True
    config = PipelineConfig(level=1, options=options, plugins=(plugin,))
    found = names_in(Constructor(config).build())
    assert found[found.index("test-early") + 1] == "verify"


def test_registered_plugins_run_in_nvopt():
    plugin = Plugin(5, "test-nothing", (Nothing,))
    register_plugin(plugin)
    try:
        assert plugin in plugins()
        assert Nothing() in list(passes_in(build_pipeline("nvopt<O1>")))
    finally:
        unregister_plugin(plugin)
        PASSES.pop("test-nothing")
    assert plugin not in plugins()


def test_a_plugin_cannot_redefine_a_name():
    @dataclass(frozen=True)
    class Taken(Nothing):
        name = "dce"

    with pytest.raises(ValueError, match="the pass name 'dce' is taken"):
        register_pass(Taken)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({}, "nvopt<O0>"),
        ({"opt_level": 0}, "nvopt<O0>"),
        ({"opt_level": 1}, "nvopt<O1>"),
        ({"opt_level": 2}, "nvopt<O2>"),
        ({"opt_level": 3}, "nvopt<O3>"),
        ({"opt_level": 2, "fast_compile": "max"}, "nvopt<O2>"),
        ({"fast_compile": "max"}, "nvopt<Ofcmax>"),
        ({"fast_compile": "mid"}, "nvopt<Ofcmid>"),
        ({"opt_level": 0, "fast_compile": "min"}, "nvopt<Ofcmin>"),
        ({"passes": "dce"}, "dce"),
    ],
)
def test_selection(arguments, name):
    assert select_pipeline(**arguments) == name


def test_levels_and_passes_are_mutually_exclusive():
    assert EXCLUSION_ERROR == (
        "Cannot specify -O#/-Ofast-compile=<min,mid,max> and --passes=/--foo-pass, "
        "use -passes='default<O#>,other-pass' or -passes='default<Ofcmax>,other-pass'"
    )
    for given in ({"opt_level": 0}, {"fast_compile": "mid"}):
        with pytest.raises(DiagnosticError) as caught:
            select_pipeline(passes="dce", **given)
        assert caught.value.message == EXCLUSION_ERROR


@pytest.mark.parametrize(
    ("text", "level"), [("0", ""), ("max", "max"), ("mid", "mid"), ("min", "min")]
)
def test_fast_compile_levels(text, level):
    assert fast_compile_level(text) == level


@pytest.mark.parametrize("text", ["1", "fast", "", "MAX"])
def test_unknown_fast_compile_levels(text):
    assert FAST_COMPILE_ERROR == (
        "libnvvm : error: -Ofast-compile called with unsupported level, "
        "only supports 0, min, mid, or max"
    )
    with pytest.raises(DiagnosticError) as caught:
        fast_compile_level(text)
    assert caught.value.message == FAST_COMPILE_ERROR


@pytest.mark.parametrize("name", PIPELINE_NAMES)
def test_every_named_pipeline_consists_of_existing_passes(name):
    parameter = name.removeprefix("nvopt<").removesuffix(">")
    build_pipeline(name)
    level = int(parameter[1:]) if parameter[1:].isdigit() else 0
    fast = parameter.removeprefix("Ofc") if parameter.startswith("Ofc") else ""
    build_pipeline(default_pipeline(level, fast_compile=fast))


def test_short_pipelines():
    assert default_pipeline(1) == "nvopt<O1;short>"
    assert default_pipeline(0, fast_compile="mid") == "nvopt<Ofcmid;short>"
    assert default_pipeline(0, fast_compile="min") == "nvopt<Ofcmin;short>"
    assert [default_pipeline(level) for level in (0, 2, 3)] == [
        "nvopt<O0>",
        "nvopt<O2>",
        "nvopt<O3>",
    ]
    text = pipeline_text("O1;short;arch=90")
    assert "nvvm-reflect<arch=900>" in text
    assert not re.search(r"\b(remat|sinking2|indvars)\b", text)
    assert "loop-unroll<for-loads;unroll-loads-count=2>" in text
    assert "jump-threading" not in pipeline_text("Ofcmin;short")
    assert "unroll" not in pipeline_text("Ofcmid;short")
    for level in ("O1", "Ofcmid", "Ofcmin"):
        assert pipeline_text(f"{level};short").count("instcombine") == 1
    knobs = {"instcombine": "instcombine", "memcpyopt": "memcpyopt", "branchdist-b": "branch-dist"}
    for knob, name in knobs.items():
        assert name in text
        assert name not in pipeline_text("O1;short", options=parse_opt(f"-no-{knob}"))


def test_rotated_loops_are_split_by_their_index_before_they_are_unrolled():
    tier_0 = sequences.rows_of(sequences.TIER_0)
    names = [name for row in tier_0 for name in re.findall(r"[a-z0-9-]+", row.passes)]
    assert names.count("loop-index-split") == 2
    first, last = names.index("loop-rotate"), names.index("loop-unroll")
    assert "loop-index-split" in names[first:last]
    off = pipeline_text("O3", options=parse_opt("-no-loopindexsplit"))
    assert off.count("loop-index-split") == 1, "the document's row of tier 0 has no guard"


def test_the_passes_of_plug_ins_run_in_short_pipelines():
    plugin = Plugin(1, "bdce")
    config = PipelineConfig(level=1, short=True, plugins=(plugin,))
    assert "bdce" in construct(config)
    assert "indvars" not in construct(config)


@pytest.mark.parametrize(
    "parameter", ["O4", "Ofc", "", "O1;cuda", "o1", "O3;short", "Ofcmax;short"]
)
def test_unknown_pipelines(parameter):
    with pytest.raises(KeyError):
        config_of(parameter)


def test_the_target_determines_reflection():
    text = pipeline_text("O1;arch=90;ftz;no-prec-div;prec-sqrt")
    assert "nvvm-reflect<arch=900;ftz;no-prec-div;prec-sqrt>" in text
    assert "nvvm-reflect," not in text


def test_o0_runs_reflection_mandatory_inlining_removal_of_unused_symbols_and_verification():
    assert [p.name for p in passes_in(build_pipeline(default_pipeline(0)))] == [
        "nvvm-reflect",
        "nvvm-reflect-pp",
        "always-inline",
        "globaldce",
        "cnp-launch-check",
    ]


def test_undocumented_positions_of_passes():
    """docs/deviations.md, "Passes that are named and not described"."""
    text = pipeline_text("O1")
    first = "soften-fp128,nvvm-pretreat,function(nvvm-intr-range),process-restrict,nvvm-reflect,"
    assert text.startswith(first)
    assert text.index("process-restrict") < text.index("always-inline")
    assert text.index("infer-address-spaces") < text.index("bypass-slow-division")
    for name in ("nvvm-pretreat", "nvvm-intr-range", "process-restrict", "bypass-slow-division"):
        assert name not in pipeline_text("O0")
        assert name not in pipeline_text("Ofcmax")


@pytest.mark.parametrize("name", ["basic-dbe", "normalize-gep"])
def test_passes_disabled_by_default(name):
    assert name not in pipeline_text("O3")
    assert name in pipeline_text("O3", options=parse_opt(f"-{name}"))
    assert name not in pipeline_text("O3", options=parse_opt(f"-{name}=0"))


@pytest.mark.parametrize("knob", ["do-scev-cgp", "do-function-scev-cgp"])
def test_scev_cgp_is_disabled_by_default(knob):
    assert "scev-cgp" not in pipeline_text("O3")
    assert "scev-cgp" not in pipeline_text("O3", options=parse_opt(f"-{knob}=0"))
    text = pipeline_text("O3", options=parse_opt(f"-{knob}=1"))
    assert text.index("loop-reduce") < text.index("scev-cgp")


def test_reflection_is_followed_by_clean_up():
    text = pipeline_text("O3")
    assert text.count("nvvm-reflect,") > 2
    assert text.count("nvvm-reflect,") == text.count("nvvm-reflect,function(nvvm-reflect-pp")


@pytest.mark.parametrize(
    ("name", "switch"),
    [("nvvm-peephole-optimizer", "enable-nvvm-peephole"), ("nvvm-reflect", "nvvm-reflect-enable")],
)
def test_switches_remove_a_pass_everywhere(name, switch):
    assert name in pipeline_text("O2;mid")
    assert name not in pipeline_text("O2;mid", options=parse_opt(f"-{switch}=0"))
    assert name in pipeline_text("O2;mid", options=parse_opt(f"-{switch}=1"))


def test_naming_of_blocks_is_optional_and_last():
    """Phase 8."""
    options = PassOptions()
    options[NAME_BLOCKS] = True
    assert names(level=2, options=options)[-1] == "nvvm-name-blocks"
    assert "nvvm-name-blocks" not in names(level=2)


def test_the_fastest_level_never_lowers_barriers():
    """Phase 5: v244."""
    options = PassOptions()
    options[BARRIER_OPTIMIZATION] = True
    assert "nvvm-lower-barriers" not in names(fast_compile="max", options=options)
    assert "nvvm-lower-barriers" in names(fast_compile="mid", options=options)
    assert sequences.rows_of(sequences.FINALIZATION)[0].passes.startswith("nvvm-lower-barriers<")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_optimizing_levels_end_by_removing_unused_symbols(level):
    """Tiers disable themselves after they run; the level still counts as optimizing."""
    found = Constructor(PipelineConfig(level=level, plugins=())).build()
    assert found.passes[-1].element.name == "globaldce"
    assert Constructor(PipelineConfig(level=0, plugins=())).build().passes[-1].element.name == (
        "cnp-launch-check"
    )


@pytest.mark.parametrize(
    ("opt", "name"),
    [
        ("-disable-break-critical-edges=0", "break-crit-edges"),
        ("-enable-llvm-gvn-hoist", "gvn-hoist"),
    ],
)
def test_libnvvm_options_add_the_same_passes_as_libnvvm(opt, name):
    """As shown by libNVVM 13.0's `-debug-pass=Arguments`; docs/deviations.md."""
    assert names(options=parse_opt(opt)).count(name) == names().count(name) + 1


def test_no_loopopt_removes_strip_dead_prototypes():
    assert names().count("strip-dead-prototypes") == 2
    assert names(options=parse_opt("-no-loopopt")).count("strip-dead-prototypes") == 1
