"""What `-O` and `-Ofast-compile` mean, and the pipelines that exist under a name."""

from __future__ import annotations

from dataclasses import dataclass

from nvvm_xdsl.passes import PASSES


@dataclass(frozen=True)
class TargetFacts:
    """What a pipeline must know of the target and of the floating-point options.

    Arguments:
        arch: the SM as a number, such as 90; None leaves questions for it open.
        ftz, prec_div, prec_sqrt: as in `nvvm-cc`.
    """

    arch: int | None = None
    ftz: bool | None = None
    prec_div: bool = True
    prec_sqrt: bool = True


def reflect_text(target: TargetFacts) -> str:
    """`nvvm-reflect` with the answers that follow from the target."""
    parameters: list[str] = []
    if target.arch is not None:
        parameters.append(f"arch={target.arch * 10}")
    if target.ftz is not None:
        parameters.append("ftz" if target.ftz else "no-ftz")
    parameters.append("prec-div" if target.prec_div else "no-prec-div")
    parameters.append("prec-sqrt" if target.prec_sqrt else "no-prec-sqrt")
    return f"nvvm-reflect<{';'.join(parameters)}>"


_CLEAN_UP = "simplifycfg,instsimplify,early-cse,dce"

_SEQUENCES: dict[int, tuple[str, ...]] = {
    0: ("REFLECT", "always-inline", "globaldce"),
    1: (
        "REFLECT",
        "always-inline",
        "globaldce",
        "sroa",
        "early-cse",
        "simplifycfg",
        "inline",
        "globaldce",
        "sroa",
        "infer-address-spaces",
        _CLEAN_UP,
        "globaldce",
    ),
}
_SEQUENCES[2] = _SEQUENCES[3] = _SEQUENCES[1]


def default_pipeline(opt_level: int, target: TargetFacts | None = None) -> str:
    """The pipeline text of `nvvm-cc -O<opt_level>`.

    At -O0 it does what correct PTX needs: reflection, mandatory inlining, and dropping what
    is not used after that. The higher levels optimize; passes that do not exist are left out.
    """
    facts = target or TargetFacts()
    names = [
        reflect_text(facts) if name == "REFLECT" else name
        for entry in _SEQUENCES[opt_level]
        for name in entry.split(",")
    ]
    return ",".join(name for name in names if name.partition("<")[0] in PASSES)


def pipeline_text(parameter: str) -> str:
    """What `nvopt<...>` stands for. Raises KeyError for a parameter that it does not have."""
    return default_pipeline({"O0": 0, "O1": 1, "O2": 2, "O3": 3}[parameter])
