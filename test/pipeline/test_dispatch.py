"""The order of code generation passes."""

import pytest

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.dispatch import (
    CODEGEN_PASSES,
    PHI_ELIMINATION,
    CodegenPass,
    dispatch,
)
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.pipeline.registry import ANALYSES

ALL = [p.name for p in CODEGEN_PASSES]


def test_o0_has_the_fixed_order_and_only_required_passes():
    assert dispatch(0, available=ALL) == ["nvptx-phi-elimination"]


def test_o1_has_the_fixed_order():
    assert dispatch(1, available=ALL) == [p.name for p in CODEGEN_PASSES if p.level <= 1]


SSA_PASSES = [
    "nvptx-mem2reg",
    "machine-cp",
    "machine-cse",
    "dead-mi-elimination",
    "nvptx-load-store-vectorizer",
]


@pytest.mark.parametrize("level", [1, 2, 3])
def test_ssa_passes_phi_elimination_then_passes_that_require_no_phis(level):
    order = dispatch(level)
    assert [name for name in order if name in SSA_PASSES] == SSA_PASSES
    middle = order.index(PHI_ELIMINATION)
    for name in order[:middle]:
        assert next(p for p in CODEGEN_PASSES if p.name == name).ssa, name
    assert order.index("branch-folder") > middle


def test_phi_elimination_runs_after_all_ssa_passes():
    table = (
        CodegenPass("folds", ssa=False),
        CodegenPass(PHI_ELIMINATION, level=0),
        CodegenPass("late-row"),
    )
    order = dispatch(2, table, available=[p.name for p in table])
    assert order == ["late-row", PHI_ELIMINATION, "folds"]


def test_from_o2_on_dependencies_come_first():
    table = (
        CodegenPass("last", ("middle", "domtree")),
        CodegenPass("middle", ("first",)),
        CodegenPass("first"),
        CodegenPass("other"),
    )
    names = [p.name for p in table]
    assert dispatch(1, table, available=names) == names
    assert dispatch(2, table, available=names) == ["first", "middle", "last", "other"]


def test_dependencies_are_transitive_through_omitted_passes():
    table = (
        CodegenPass("last", ("middle",)),
        CodegenPass("middle", ("first",)),
        CodegenPass("first"),
    )
    assert dispatch(3, table, available=["last", "first"]) == ["first", "last"]


def test_cycles_are_errors():
    table = (CodegenPass("a", ("b",)), CodegenPass("b", ("a",)))
    with pytest.raises(
        DiagnosticError, match="cyclic requirements of code generation passes: a -> b -> a"
    ):
        dispatch(2, table, available=["a", "b"])


def test_every_dependency_is_a_pass_or_an_analysis_and_the_table_respects_it():
    for level in (2, 3):
        order = dispatch(level, available=ALL)
        for p in CODEGEN_PASSES:
            for need in p.needs:
                assert need in ALL or need in ANALYSES
                if need in order and p.name in order:
                    assert order.index(need) < order.index(p.name)


def test_keep_loops_disables_reversed_loop_conditions():
    kept = "block-placement<no-reverse-loop-conditions>"
    assert machine_pipeline(3).split(",") == dispatch(3)
    assert machine_pipeline(3, keep_loops=True) == machine_pipeline(3).replace(
        "block-placement", kept
    )


def test_machine_pipelines_of_o1_to_o3_are_equal():
    """As stated in docs/deviations.md; a pass that only a higher level runs would change it."""
    assert dispatch(1) == dispatch(2) == dispatch(3)
    assert dispatch(0) == [PHI_ELIMINATION]
