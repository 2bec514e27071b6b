"""The settings of ScalarEvolution, delinearization and dependence analysis, by their names.

Names, defaults and effects are those of 003 ("SCEV Invalidation & Delinearization",
"Configuration"). Where it states no default the field says so.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class ScevKnobs:
    """One setting of all knobs."""

    max_iterations: int = 100
    """Rounds of a loop that are run to find where it ends."""
    max_scev_compare_depth: int = 32
    """Nesting to which two expressions are compared when operands are put in order."""
    max_arith_depth: int = 32
    """Nesting beyond which sums and products are not folded."""
    max_ext_depth: int = 8
    """Nesting of extensions that are pushed inwards."""
    max_cast_depth: int = 8
    """Nesting of truncations that are pushed inwards."""
    max_constant_evolving_depth: int = 32
    """Length of the chain of ops that is run for one value of a loop of constants."""
    max_expr_size: int = 384
    """Nodes beyond which an expression is not looked into."""
    max_expr_failures: int = 100
    """Values that came out too large beyond which nothing new is looked into."""
    max_scev_operations_implication_depth: int = 2
    """Nesting of operations that are looked into to derive one condition from another."""
    max_value_compare_depth: int = 2
    """Nesting to which the operands of unknown values are compared."""
    mulops_inline_threshold: int = 32
    """Operands of a product beyond which products in it are kept."""
    addops_inline_threshold: int = 500
    """Operands of a sum beyond which sums in it are kept."""
    aggressive_positive_stride_analysis: bool = False
    """Take the launch's dimensions, and products of them, for strides above 0 though they might
    wrap; unsound where they do and the loop need not end. No default is stated."""
    do_sign_ext_simplify: bool = False
    """Drop a truncation below a sign extension where the range says that it loses nothing.
    No default is stated."""
    do_sign_ext_expand: bool = False
    """Push sign extensions into sums that cannot overflow by their ranges. No default is stated."""
    track_trip_count_more: bool = False
    """Count loops that go on while a counter equals something. No default is stated."""
    max_exit_analysis_depth: int = 2
    """The extra flag of `forget_loop` from which loops of two exits are not searched deeply
    (qword_4F88DC8, whose default is unknown)."""
    forget_scev_loop_unroll: bool = True
    """Forget a loop after it was unrolled; unsound when off."""
    verify_scev: bool = False
    """Compare the backedge-taken counts with fresh ones whenever the analysis is verified."""
    verify_scev_strict: bool = False
    """Also where one of the two could not be computed."""
    verify_scev_maps: bool = False
    """Also the expressions of all values."""
    delinearize: bool = True
    """Whether subscripts are recovered at all (byte_4F9A8C0, whose default is not stated)."""
    delinearize_use_fixed_size_array_heuristic: bool = False
    """Use the sizes of the array's type where the formula tells none."""
    delinearize_max_iterations: int = 8
    """Rounds after which dimensions that still change are taken as they are. The document names
    no number."""
    delinearize_expand_sums: bool = True
    """For what threads index by, look through extensions of sums and products (dword_4F9AB60,
    one of the three settings of the alternative entry, whose meanings are not stated)."""
    delinearize_launch_sizes: bool = True
    """In shared memory, take the block's and the grid's dimensions for sizes of an array, as of
    one that the launch gave its size (dword_4F9AE00, likewise)."""
    delinearize_partial_terms: bool = True
    """For what threads index by, leave out terms that do not divide the others instead of giving
    up (dword_4F9B340, likewise)."""
    da_disable_delinearization_checks: bool = False
    """Trust subscripts to stay within their dimensions; unsound where one runs over (LLVM's)."""
    da_delinearize: bool = True
    """Whether dependence analysis recovers subscripts."""
    da_miv_max_level_threshold: int = 7
    """Loops in one subscript beyond which dependence analysis does not test it."""


_SCALAR_EVOLUTION = frozenset(
    {
        "max_iterations", "max_scev_compare_depth", "max_arith_depth", "max_ext_depth",
        "max_cast_depth", "max_constant_evolving_depth", "max_expr_size", "max_expr_failures",
        "max_scev_operations_implication_depth", "max_value_compare_depth",
    }
)  # fmt: skip
_SCEV = frozenset({"mulops_inline_threshold", "addops_inline_threshold"})


def knob_name(field: str) -> str:
    """The name that a field has on command lines."""
    prefix = (
        "scalar-evolution-" if field in _SCALAR_EVOLUTION else "scev-" if field in _SCEV else ""
    )
    return prefix + field.replace("_", "-")


def knobs_from(texts: Mapping[str, str]) -> ScevKnobs:
    """The knobs that the texts set, by command-line name; the others keep their defaults.

    A boolean is true when its text begins with `1` or `t`. Raises ValueError for a number that
    is none.
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
    """The knobs that analyses made now are made with."""
    return _current.get()


@contextmanager
def using_knobs(knobs: ScevKnobs) -> Generator[None]:
    """Makes analyses with these knobs meanwhile."""
    token = _current.set(knobs)
    try:
        yield
    finally:
        _current.reset(token)
