"""The page docs/passes.md: all passes, from the registry.

python -m dev.pass_table docs/passes.md
"""

from __future__ import annotations

import inspect
import re
import sys

from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.pipeline.binding import knobs_read_by
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.dispatch import CODEGEN_PASSES
from nvvm_xdsl.pipeline.levels import default_pipeline
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.pipeline.registry import SECTIONS, Row, describe, missing, rows
from nvvm_xdsl.pipeline.selection import LOWERINGS

COMMAND = "make docs"

HEADER = f"""\
# The passes

Generated from the registry by `{COMMAND}`; `nvvm-opt --list-passes` prints the same list. Parameters have
their defaults, as printed by `--print-pipeline-passes`. Knobs are options of `-opt`, listed only if their
name differs from the parameter's. Documents are numbered as in docs/deviations.md.
"""

_DOCUMENT = re.compile(r"\b(00\d)\b")

_BENEFIT = re.compile(r"^Benefit: (.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)

NVIDIA = "nvvm_xdsl.passes.nvidia."
"""The package of NVIDIA's passes."""

BENEFIT_HEADER = """\
## Benefits of NVIDIA's passes

-O3 with the pass relative to -O3 without it, over the benchmark kernels that differ: the unoptimized examples
and Numba's kernels of test/corpus, 32 modules, sm_100a (`bench/bench_left_out.py`).
"""


def _documents(row: Row) -> str:
    """The documents that the pass's module cites, or else the origin of its name."""
    module = inspect.getmodule(pass_class(row.name))
    cited = sorted(set(_DOCUMENT.findall((module.__doc__ if module else "") or "")))
    if cited:
        return ", ".join(cited)
    return {"llvm": "LLVM", "here": ""}.get(row.origin, "000")


def _table(found: list[Row]) -> list[str]:
    lines = [
        "| Pass | Effect | Parameters | Knobs | Document |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(found, key=lambda r: r.name):
        cls = pass_class(row.name)
        parameters = " ".join(f"`{p}`" for p in cls().parameters())
        renamed = {k: p for k, p in knobs_read_by(cls).items() if k != p}
        knobs = " ".join(f"`{k}`" for k in renamed)
        class_name = f" ({row.class_name})" if row.class_name else ""
        text = describe(row.name).replace("|", "\\|")
        lines.append(
            f"| `{row.name}`{class_name} | {text} | {parameters} | {knobs} | {_documents(row)} |"
        )
    return lines


def _forms(found: list[Row]) -> list[str]:
    """A line for each set of required forms, with the passes that require it."""
    by_forms: dict[tuple[str, ...], list[str]] = {}
    for row in sorted(found, key=lambda r: r.name):
        by_forms.setdefault(pass_class(row.name).requires, []).append(f"`{row.name}`")
    return [
        f"Require {' and '.join(f'`{form}`' for form in forms)}: {', '.join(names)}.\n"
        for forms, names in by_forms.items()
        if forms
    ]


def benefit(name: str) -> str:
    """The paragraph of a pass's module docstring that starts with "Benefit:"."""
    module = inspect.getmodule(pass_class(name))
    found = _BENEFIT.search((module.__doc__ if module else "") or "")
    return "" if found is None else " ".join(found[1].split())


def _is_own(name: str) -> bool:
    """Whether a pass belongs to this project and not to a plug-in."""
    return pass_class(name).__module__.startswith("nvvm_xdsl.passes.")


LEVELS = ("O0", "O1", "O2", "O3", "Ofcmax", "Ofcmid", "Ofcmin")


def outside_all_levels() -> list[str]:
    """The passes that no level runs unless an option requests them, by name."""
    texts = [f"nvopt<{level}>" for level in LEVELS]
    texts += [f"nvopt<O3;{language}>" for language in ("ptx", "mid", "default")]
    texts += [default_pipeline(1), LOWERINGS, *map(machine_pipeline, range(4))]
    run = {item.name for text in texts for item in passes_in(build_pipeline(text))}
    forms = {form for name in run if name in PASSES for form in pass_class(name).requires}
    return sorted(name for name in PASSES if _is_own(name) and name not in run | forms)


def page() -> str:
    """The text of the page."""
    lines = [HEADER]
    implemented = [r for r in rows().values() if r.name in PASSES and _is_own(r.name)]
    for section in SECTIONS:
        found = [r for r in implemented if r.level == section.level]
        if section.kind == "pass" and found:
            lines += [f"## {section.title}", "", *_forms(found), *_table(found), ""]
    order = [p for p in CODEGEN_PASSES if p.name in PASSES]
    lines += ["## Machine passes in order", ""]
    lines += [f"{number}. `{p.name}`, from -O{p.level} on" for number, p in enumerate(order, 1)]
    lines += ["", BENEFIT_HEADER, "| Pass | Benefit |", "|---|---|"]
    for row in sorted(implemented, key=lambda r: r.name):
        if pass_class(row.name).__module__.startswith(NVIDIA):
            lines.append(f"| `{row.name}` | {benefit(row.name)} |")
    lines += ["", "## Passes outside all levels", ""]
    lines += ["These run only if a pipeline names them or an option requests them.", ""]
    lines += [", ".join(f"`{name}`" for name in outside_all_levels()) + "."]
    lines += ["", "## Documented but not implemented", ""]
    names = sorted(r.name for r in missing() if r.kind == "pass")
    lines += [", ".join(f"`{name}`" for name in names) or "None."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as stream:
        stream.write(page())
