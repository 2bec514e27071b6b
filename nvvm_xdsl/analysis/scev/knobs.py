"""The settings of ScalarEvolution, delinearization and dependence analysis, by their names.

Names, defaults and effects are those of 003 ("SCEV Invalidation & Delinearization",
"Configuration"). Fields without a default in the document are marked.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class ScevKnobs:
    """The values of all knobs."""

    max_iterations: int = 100
    """Maximum number of iterations that are evaluated to find a loop's trip count."""
    max_scev_compare_depth: int = 32
    """Maximum depth to which expressions are compared when operands are sorted."""
    max_arith_depth: int = 32
    """Maximum depth at which sums and products are folded."""
    max_ext_depth: int = 8
    """Maximum depth of extensions that are distributed."""
    max_cast_depth: int = 8
    """Maximum depth of truncations that are distributed."""
    max_constant_evolving_depth: int = 32
    """Maximum length of the chain of ops that is evaluated for one value of a loop on constants."""
    max_expr_size: int = 384
    """Maximum number of nodes of an expression that is analysed."""
    max_expr_failures: int = 100
    """Maximum number of values with too large expressions before analysis stops."""
    max_scev_operations_implication_depth: int = 2
    """Maximum depth of operations through which a condition is derived from another."""
    max_value_compare_depth: int = 2
    """Maximum depth to which the operands of unknown values are compared."""
    mulops_inline_threshold: int = 32
    """Maximum number of operands of a product into which nested products are merged."""
    addops_inline_threshold: int = 500
    """Maximum number of operands of a sum into which nested sums are merged."""
    aggressive_positive_stride_analysis: bool = False
    """Assume that the launch's dimensions, and products of them, are positive strides, though they
    might wrap; unsound if they do and the loop need not end. No default is stated."""
    do_sign_ext_simplify: bool = False
    """Drop a truncation below a sign extension if the range shows that it loses nothing. No default
    is stated."""
    do_sign_ext_expand: bool = False
    """Distribute sign extensions over sums that cannot overflow by their ranges. No default is
    stated."""
    track_trip_count_more: bool = False
    """Count loops that continue while a counter equals a value. No default is stated."""
    max_exit_analysis_depth: int = 2
    """The value of `forget_loop`'s extra flag from which loops with two exits are not searched
    deeply (qword_4F88DC8, whose default is unknown)."""
    verify_scev: bool = False
    """Compare the backedge-taken counts with recomputed ones whenever the analysis is verified."""
    verify_scev_strict: bool = False
    """Also compare if one of the two could not be computed."""
    verify_scev_maps: bool = False
    """Also compare the expressions of all values."""
    delinearize: bool = True
    """Whether subscripts are recovered (byte_4F9A8C0, whose default is not stated)."""
    delinearize_use_fixed_size_array_heuristic: bool = False
    """Use the sizes of the array's type if the formula reveals none."""
    delinearize_max_iterations: int = 8
    """Number of iterations after which changing dimensions are accepted. The document states no
    number."""
    delinearize_expand_sums: bool = True
    """For thread indices, expand extensions of sums and products (dword_4F9AB60, one of the three
    settings of the alternative entry, whose meanings are not stated)."""
    delinearize_launch_sizes: bool = True
    """In shared memory, use the block's and the grid's dimensions as sizes of an array whose size
    the launch determines (dword_4F9AE00, likewise)."""
    delinearize_partial_terms: bool = True
    """For thread indices, omit terms that do not divide the others (dword_4F9B340, likewise)."""
    da_disable_delinearization_checks: bool = False
    """Assume that subscripts stay within their dimensions; unsound if one does not (LLVM's)."""
    da_delinearize: bool = True
    """Whether dependence analysis recovers subscripts."""
    da_miv_max_level_threshold: int = 7
    """Maximum number of loops in one subscript that dependence analysis tests."""


_SCALAR_EVOLUTION = frozenset(
    {
        "max_iterations", "max_scev_compare_depth", "max_arith_depth", "max_ext_depth",
        "max_cast_depth", "max_constant_evolving_depth", "max_expr_size", "max_expr_failures",
        "max_scev_operations_implication_depth", "max_value_compare_depth",
    }
)  # fmt: skip
_SCEV = frozenset({"mulops_inline_threshold", "addops_inline_threshold"})


def knob_name(field: str) -> str:
    """The command-line name of a field."""
    prefix = (
        "scalar-evolution-" if field in _SCALAR_EVOLUTION else "scev-" if field in _SCEV else ""
    )
    return prefix + field.replace("_", "-")


def knobs_from(texts: Mapping[str, str]) -> ScevKnobs:
    """The knobs set by texts, by command-line name; the others keep their defaults.

    A boolean is true if its text begins with `1` or `t`. Raises ValueError for an invalid number.
    """
    values: dict[str, int | bool] = {}
    for field in fields(ScevKnobs):
        text = texts.get(knob_name(field.name))
        if text is not None:
            is_switch = isinstance(field.default, bool)
            values[field.name] = text[:1].lower() in ("1", "t") if is_switch else int(text, 0)
    return ScevKnobs(**values)  # pyright: ignore[reportArgumentType]


DEFAULT_KNOBS = ScevKnobs()

_current: ContextVar[ScevKnobs] = ContextVar("scev_knobs", default=DEFAULT_KNOBS)


def current_knobs() -> ScevKnobs:
    """The knobs of new analyses."""
    return _current.get()


@contextmanager
def using_knobs(knobs: ScevKnobs) -> Generator[None]:
    """Sets the knobs of analyses created in the context."""
    token = _current.set(knobs)
    try:
        yield
    finally:
        _current.reset(token)
