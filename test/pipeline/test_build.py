"""From names to passes: levels, parameters, and messages for unknown names."""

import random

import pytest

from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.scalar.simplifycfg import SimplifyCFG
from nvvm_xdsl.pipeline import build
from nvvm_xdsl.pipeline.build import (
    NestNode,
    PassNode,
    build_pipeline,
    forms_required_by,
    passes_in,
    print_nodes,
)
from nvvm_xdsl.pipeline.text import PipelineError


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("mem2reg,dce,globaldce", "function(mem2reg,dce),globaldce"),
        ("globaldce,dce,globaldce,dce", "globaldce,function(dce),globaldce,function(dce)"),
        ("function(dce),function(dce)", "function(dce),function(dce)"),
        ("module(dce)", "module(function(dce))"),
        ("cgscc(function(dce))", "cgscc(function(dce))"),
        ("repeat<2>(dce)", "repeat<2>(function(dce))"),
        ("function(repeat<2>(dce))", "function(repeat<2>(dce))"),
        ("devirt<4>(inline<threshold=1>)",
         "devirt<4>(inline<threshold=1;multiplier=11;hint-threshold=325;cold-threshold=45;local-bonus=4000;"
         "last-call-bonus=15000;clean-up;caller-limit=100000;total-limit=100000>)"),
        ("cgscc(devirt<4>(argpromotion,function(dce)))", "devirt<4>(argpromotion<max-elements=2>,cgscc(function(dce)))"),
        ("cgscc(function(dce),devirt<4>(repeat<2>(argpromotion),function(dce)),function(dce))",
         "cgscc(function(dce)),devirt<4>(repeat<2>(argpromotion<max-elements=2>),cgscc(function(dce))),cgscc(function(dce))"),
        ("cgscc(devirt<4>(function(dce)))", "cgscc(devirt<4>(function(dce)))"),
        ("require<domtree>,print<loops>", "function(require<domtree>,print<loops>)"),
        ("invalidate<all>", "invalidate<all>"),
        ("nvopt<O3>", "nvopt<O3>"),
        ("default<O2>", "default<O2>"),
        ("nvopt<O2;ptx>", "nvopt<O2;ptx>"),
    ],
)  # fmt: skip
def test_printed_with_explicit_nesting(text, printed):
    printed = printed.replace("dce)", "dce)")
    assert print_nodes(build_pipeline(text)) == printed


def test_parameters_are_printed_as_written():
    nodes = build_pipeline("simplifycfg<bonus-inst-threshold=2;no-speculate-blocks>")
    assert list(passes_in(nodes)) == [SimplifyCFG(bonus_inst_threshold=2, speculate_blocks=False)]
    assert print_nodes(nodes) == (
        "function(simplifycfg<bonus-inst-threshold=2;phi-node-folding-threshold=4;"
        "no-speculate-blocks;no-hoist-common-insts;"
        "no-sink-common-insts;simplify-cond-branch;switch-range-to-icmp;switch-to-lookup;"
        "keep-loops;no-disable-jump-threading;fold-with-var-cond>)"
    )


def test_both_spellings_mean_the_same():
    angle = build_pipeline("simplifycfg<bonus-inst-threshold=2;no-speculate-blocks>")
    brace = build_pipeline("simplifycfg{bonus-inst-threshold=2 speculate-blocks=false}")
    assert list(passes_in(angle)) == list(passes_in(brace))


def test_equal_passes_have_one_number():
    first = build_pipeline("simplifycfg,simplifycfg<bonus-inst-threshold=2>")
    second = build_pipeline("simplifycfg{bonus-inst-threshold=2},dce,simplifycfg")
    (a, b), (c, d, e) = ([node.number for node in n[0].children] for n in (first, second))
    assert (a, b) == (e, c)
    assert len({a, b, d}) == 3


def test_print_is_inverted_by_parse_for_random_pipelines():
    rng = random.Random(7)
    names = sorted(PASSES)
    for _ in range(200):
        text = ",".join(rng.choice(names) for _ in range(rng.randint(1, 8)))
        if rng.random() < 0.5:
            text = f"repeat<{rng.randint(1, 5)}>({text})"
        once = print_nodes(build_pipeline(text))
        assert print_nodes(build_pipeline(once)) == once
        assert list(passes_in(build_pipeline(once))) == list(passes_in(build_pipeline(text)))


def test_a_pass_is_identified_by_its_parameters():
    for name in PASSES:
        cls = pass_class(name)
        instance = cls()
        assert cls.from_parameters(instance.parameters()) == instance, name
        assert cls.from_spec(instance.spec()) == instance, name


def test_neighbours_of_one_level_share_a_group():
    (group,) = build_pipeline("dce,mem2reg")
    assert isinstance(group, NestNode)
    assert [type(child) for child in group.children] == [PassNode, PassNode]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("mem2rge", 1, "unknown pass 'mem2rge'; did you mean 'mem2reg'"),
        ("function(globaldce)", 10, "unknown function pass 'globaldce': it is a module pass"),
        ("dce,simplifycfg<fast>", 17, "invalid SimplifyCFG pass parameter 'fast'"),
        ("simplifycfg<bonus-inst-threshold=x>", 13,
         "invalid SimplifyCFG pass parameter 'bonus-inst-threshold=x'"),
        ("simplifycfg<bonus-inst-threshold=x>", 13, "': expected an integer"),
        ("simplifycfg<bonus-inst-threshold>", 13, "': expected 'bonus-inst-threshold=' and an integer"),
        ("simplifycfg<bonus-inst-treshold=2>", 13, "'; did you mean 'bonus-inst-threshold'?"),
        ("licm<allowspeculaton>", 6, "did you mean 'allowspeculation' or 'no-allowspeculation'?"),
        ("licm<x>", 6, "'; its parameters are allowspeculation, disable-licm-promotion, "),
        ("mem2reg<x>", 9, "': the pass has no parameters"),
        ("nvvm-verify<mode=x>", 13, "': expected mode=strict or mode=default"),
        ("memory-space-opt<third-time>", 18, None),
        ("attributor-light", 1, "the pass 'attributor-light' is documented but not implemented"),
        ("require<phi-values>", 9, "the analysis 'phi-values' is documented but not implemented"),
        ("require<domtre>", 9, "unknown analysis 'domtre'; did you mean 'domtree'"),
        ("repeat(dce)", 1, "'repeat' needs a number"),
        ("repeat<x>(dce)", 1, "'repeat' needs a number"),
        ("repeat<2>", 1, "'repeat' needs a nested pipeline"),
        ("dce(mem2reg)", 1, "'dce' takes no nested pipeline"),
        ("builtin.module(dce)", 1, "'builtin.module' takes no nested pipeline; write module(...)"),
        ("nvopt<O9>", 7, "invalid nvopt pipeline parameter 'O9'"),
        ("function(nvopt<O1>)", 10, "'nvopt' is not allowed in a function pipeline"),
        ("function(module(dce))", 10, "it is a module pass"),
        ("canonicalize{x=1}", 1, "'canonicalize'"),
    ],
)  # fmt: skip
def test_errors(text, column, message):
    with pytest.raises(PipelineError) as caught:
        build_pipeline(text)
    if message is not None:
        assert message in caught.value.message
    assert caught.value.column == column


def test_a_documented_name_never_runs_another_packages_pass(monkeypatch):
    monkeypatch.setattr(build, "PASSES", {k: v for k, v in PASSES.items() if k != "licm"})
    with pytest.raises(PipelineError, match="not implemented; 'xdsl::licm' is xDSL's"):
        build_pipeline("licm")
    nodes = build_pipeline("xdsl::licm,cse")
    assert [type(node).__name__ for node in nodes] == ["ForeignNode", "ForeignNode"]
    assert print_nodes(nodes) == "xdsl::licm,cse"


@pytest.mark.parametrize("level", ["O0", "O3", "Ofcmid"])
def test_an_expanded_level_runs_the_same_passes(level):
    nodes = build_pipeline(f"nvopt<{level}>")
    text = print_nodes(nodes, expand=True)
    assert "nvopt" not in text
    assert "()" not in text
    again = build_pipeline(text)
    assert list(passes_in(again)) == list(passes_in(nodes))


def test_a_required_form_must_be_a_function_pass(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pass_class("dce"), "requires", ("loop-simplfy",))
    with pytest.raises(PipelineError, match="'dce' requires 'loop-simplfy', which is not a func"):
        build_pipeline("sroa,dce")
    monkeypatch.setattr(pass_class("dce"), "requires", ("globaldce",))
    with pytest.raises(PipelineError, match="'dce' requires 'globaldce', which is not a func"):
        build_pipeline("sroa,dce")


def test_a_module_pass_requires_no_form(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pass_class("globaldce"), "requires", ("lcssa",))
    with pytest.raises(PipelineError, match="'globaldce' is a module pass and cannot require"):
        build_pipeline("globaldce")


@pytest.mark.parametrize("name", PASSES)
def test_the_forms_of_every_pass_exist(name: str):
    if pass_class(name).requires:
        build_pipeline(name)


def test_a_loop_pipeline_requires_the_forms_of_its_passes():
    (nest,) = build_pipeline("loop(licm,indvars)")
    assert forms_required_by([nest]) == ("loop-simplify", "lcssa")
    assert forms_required_by(build_pipeline("dce,loop-simplify")) == ()
