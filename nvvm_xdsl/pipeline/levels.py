"""The levels of `-O` and `-Ofast-compile`, and named pipelines.

The names, their selection and the errors are those of the optimizer document (sub_226C400 and
the libnvvm option at offset 1640).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from nvvm_xdsl.codegen.target_options import MODES
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.construct import PipelineConfig, construct
from nvvm_xdsl.pipeline.libnvvm_order import LIBNVVM_ORDER
from nvvm_xdsl.pipeline.options import PassOptions
from nvvm_xdsl.pipeline.text import parse_pipeline, print_pipeline

PIPELINE_NAMES = (
    "nvopt<O0>",
    "nvopt<O1>",
    "nvopt<O2>",
    "nvopt<O3>",
    "nvopt<Ofcmax>",
    "nvopt<Ofcmid>",
    "nvopt<Ofcmin>",
)

FAST_COMPILE_LEVELS = ("max", "mid", "min")

FAST_COMPILE_ENCODING: dict[str, int] = {"": 0, "0": 1, "max": 2, "mid": 3, "min": 4}
"""The libnvvm option's integer for `-Ofast-compile=`; 1 is reset to 0."""

SHORT = "short"
"""The parameter that selects this project's short pipeline in place of the documented one."""

SHORTENED = frozenset({"nvopt<O1>", "nvopt<Ofcmid>", "nvopt<Ofcmin>"})
"""Pipelines whose levels run the short pipeline in `nvvm-cc` and `nvvm-opt`.

The documented pipelines of these levels run nearly all passes of -O3, and take nearly its time.
"""

LANGUAGES = ("ptx", "mid", "default")

LIBNVVM_O3 = "libnvvm-O3"
"""The parameter of `nvopt` that selects libNVVM's order of this project's passes."""

EXCLUSION_ERROR = (
    "Cannot specify -O#/-Ofast-compile=<min,mid,max> and --passes=/--foo-pass, "
    "use -passes='default<O#>,other-pass' or -passes='default<Ofcmax>,other-pass'"
)

FAST_COMPILE_ERROR = (
    "libnvvm : error: -Ofast-compile called with unsupported level, "
    "only supports 0, min, mid, or max"
)


@dataclass(frozen=True)
class TargetFacts:
    """Facts about the target and the floating-point options for a pipeline.

    They follow the level in the parameters of `nvopt<...>`: `nvopt<O3;arch=90;no-ftz>`.

    Arguments:
        arch: the SM as a number, such as 90; None if unknown: reflection of it is not resolved.
        ftz, prec_div, prec_sqrt: as in `nvvm-cc`; None for the default of the pass that reads them.
    """

    arch: int | None = None
    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None

    def parameters(self, arch_factor: int = 1) -> list[str]:
        """The facts that are known, in the spelling of pipelines."""
        found = [] if self.arch is None else [f"arch={self.arch * arch_factor}"]
        for name in _SWITCHES:
            value: bool | None = getattr(self, name.replace("-", "_"))
            if value is not None:
                found.append(name if value else f"no-{name}")
        return found


_SWITCHES = tuple(f.name.replace("_", "-") for f in fields(TargetFacts) if f.name in MODES)


def fast_compile_level(text: str) -> str:
    """`max`, `mid` or `min` for the value of `-Ofast-compile=`; `0` means none, the empty string.

    Raises DiagnosticError with the documented message for any other value.
    """
    encoded = FAST_COMPILE_ENCODING.get(text) if text else None
    if encoded is None:
        raise DiagnosticError(FAST_COMPILE_ERROR)
    return "" if encoded == FAST_COMPILE_ENCODING["0"] else text


def select_pipeline(
    opt_level: int | None = None, fast_compile: str = "", passes: str | None = None
) -> str:
    """The name of the pipeline that the command line selects.

    Arguments:
        opt_level: the number of `-O`; None if not given.
        fast_compile: as `fast_compile_level` returns it.
        passes: the text of `--passes`, which excludes the others.
    Raises DiagnosticError with the documented message if `passes` is given as well.
    """
    if passes is not None:
        if opt_level is not None or fast_compile:
            raise DiagnosticError(EXCLUSION_ERROR)
        return passes
    if opt_level in (1, 2, 3):
        return f"nvopt<O{opt_level}>"
    if fast_compile in FAST_COMPILE_LEVELS:
        return f"nvopt<Ofc{fast_compile}>"
    return "nvopt<O0>"


def shortened(name: str) -> str:
    """The pipeline that the tools run for a level: its short pipeline if it has one."""
    return f"{name[:-1]};{SHORT}>" if name in SHORTENED else name


LEVEL_PIPELINES = tuple(map(shortened, PIPELINE_NAMES))
"""The pipelines that the tools run at their levels, in the order of `PIPELINE_NAMES`."""


def level_of(passes: str) -> dict[str, Any]:
    """The options, `opt_level` and `fast_compile`, of the last level that a pipeline names.

    Empty if it names none. Raises PipelineError.
    """
    found: dict[str, Any] = {}
    work = parse_pipeline(passes)
    while work:
        element = work.pop(0)
        work[:0] = element.nested or []
        level = element.parameters[0] if element.parameters else ""
        if element.name in ("nvopt", "default") and f"nvopt<{level}>" in PIPELINE_NAMES:
            fast = level.startswith("Ofc")
            found = {
                "opt_level": 0 if fast else int(level[1:]),
                "fast_compile": level.removeprefix("Ofc") if fast else "",
            }
    return found


def target_parameters(target: TargetFacts) -> dict[str, list[str]]:
    """Facts about the target by pass name: the results of `nvvm-reflect`, the architecture for
    verifiers of functions written for an older GPU, whether `nvvm-intrinsic-lowering` may use plain
    ops instead of ops that flush denormals, and the architecture whose instructions
    `nvvm-reduction` and `slp-vectorizer` may use.
    """
    compiled_for = [] if target.arch is None else [f"compiled-for={target.arch * 10}"]
    return {
        "nvvm-verify": compiled_for,
        "nvvm-ir-verification": compiled_for,
        "nvvm-reflect": target.parameters(arch_factor=10),
        "nvvm-intrinsic-lowering": TargetFacts(ftz=target.ftz).parameters(),
        "nvvm-reduction": TargetFacts(arch=target.arch).parameters(),
        "slp-vectorizer": TargetFacts(arch=target.arch).parameters(),
    }


def with_target(text: str, target: TargetFacts) -> str:
    """Pipeline text in which levels, and passes without parameters, get the facts about the target
    that they need.

    Raises PipelineError.
    """
    told = target_parameters(target)
    elements = parse_pipeline(text)
    work = list(elements)
    while work:
        element = work.pop()
        work += element.nested or []
        without_facts = all(p in (*LANGUAGES, SHORT) for p in element.parameters[1:])
        if element.name in ("nvopt", "default") and element.parameters and without_facts:
            element.parameters += target.parameters()
        elif not element.parameters:
            element.parameters += told.get(element.name, [])
    return print_pipeline(elements)


def config_of(parameter: str) -> PipelineConfig:
    """The configuration for the parameter of `nvopt<...>`.

    It is a level, `O0` to `O3` or `Ofcmax`, `Ofcmid`, `Ofcmin`, and may be followed by a
    language, `ptx`, `mid` or `default`, by `short`, and by facts about the target, each after a
    `;`. Raises KeyError with the invalid part for any other text.
    """
    level, *rest = parameter.split(";")
    if f"nvopt<{level}>" not in PIPELINE_NAMES:
        raise KeyError(level)
    facts = TargetFacts()
    language = ""
    short = False
    for part in rest:
        if part in LANGUAGES:
            language = part
        elif part == SHORT and f"nvopt<{level}>" in SHORTENED:
            short = True
        else:
            facts = _with_fact(facts, part)
    config = (
        PipelineConfig(
            level=0, fast_compile=level.removeprefix("Ofc"), language=language, short=short
        )
        if level.startswith("Ofc")
        else PipelineConfig(level=int(level[1:]), language=language, short=short)
    )
    config.parameters.update(target_parameters(facts))
    return config


def _with_fact(facts: TargetFacts, part: str) -> TargetFacts:
    """The facts with one more, in the spelling of pipelines. Raises KeyError for other text."""
    key, _, value = part.partition("=")
    switch = part.removeprefix("no-")
    if switch in _SWITCHES:
        return replace(facts, **{switch.replace("-", "_"): switch == part})
    if key == "arch" and value.isdecimal():
        return replace(facts, arch=int(value))
    raise KeyError(part)


def pipeline_text(parameter: str, options: PassOptions | None = None) -> str:
    """The contents of `nvopt<...>`, including documented passes that do not exist here.

    Raises KeyError for an unknown parameter.
    """
    level, *rest = parameter.split(";")
    if level == LIBNVVM_O3:
        facts = TargetFacts()
        for part in rest:
            facts = _with_fact(facts, part)
        return with_target(LIBNVVM_ORDER, facts)
    config = config_of(parameter)
    if options is not None:
        config.options = options
    return construct(config)


def default_pipeline(
    opt_level: int, target: TargetFacts | None = None, *, fast_compile: str = ""
) -> str:
    """The pipeline text of `nvvm-cc`.

    Arguments:
        opt_level: 0 to 3. Level 0 runs the passes that correct PTX requires: reflection, mandatory
            inlining, and removal of unused symbols after it.
        target: facts about the target, for reflection.
        fast_compile: `max`, `mid`, `min` or empty.
    """
    name = shortened(select_pipeline(opt_level, fast_compile))
    return name[:-1] + "".join(f";{p}" for p in (target or TargetFacts()).parameters()) + ">"
