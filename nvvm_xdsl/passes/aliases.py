"""Documented names of passes that are implemented as other passes with different defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, make_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from nvvm_xdsl.passes.base import NvvmPass


class Alias(NamedTuple):
    """A second name of a pass, with different defaults.

    Arguments:
        target: the name of the pass that runs.
        title: the name of the class in the documents.
        effect: the first line of the pass's description.
        defaults: the parameters with different defaults.
        attributes: the class attributes with different values.
    """

    target: str
    title: str
    effect: str
    defaults: Mapping[str, Any] = {}
    attributes: Mapping[str, Any] = {}


ALIASES: dict[str, Alias] = {
    # The documents state only the name. LLVM's early inliner inlines calls that do not increase
    # code size: the cost of the body may exceed that of the call by LLVM's `inline-call-penalty`.
    "nv-early-inliner": Alias(
        "inline",
        "EarlyInliner",
        "Inlines functions whose cost is close to that of a call.",
        {
            "threshold": 25,
            "multiplier": 1,
            "hint_threshold": 25,
            "cold_threshold": 25,
            "local_bonus": 0,
            "last_call_bonus": 0,
            "clean_up": False,
        },
    ),
    # Document 000 states the name, the position and the address of the factory, 0x1C46000. That is
    # in the code of branch distribution, which the sister page locates from 0x1C45690 to 0x1C49D10.
    "nvvm-late-opt": Alias(
        "branch-dist",
        "NVVMLateOpt",
        "Removes barriers that order no accesses, late in the pipeline.",
        attributes={"level": "module"},
    ),
    # LLVM's version before it was rewritten in 2023 merges accesses to elements of one type. Document
    # 000 lists it among the function passes, and no sequence runs it.
    "old-load-store-vectorizer": Alias(
        "load-store-vectorizer",
        "OldLoadStoreVectorizer",
        "Merges adjacent loads, and adjacent stores, of one type.",
        attributes={"mixes_types": False},
    ),
}


def alias_class(name: str, target: type[NvvmPass]) -> type[NvvmPass]:
    """The class of an alias, a subclass of the class of its target."""
    alias = ALIASES[name]
    types = {field.name: field.type for field in fields(target)}
    made = make_dataclass(
        alias.title,
        [(field, cast(Any, types[field]), value) for field, value in alias.defaults.items()],
        bases=(target,),
        namespace={
            "name": name,
            "title": alias.title,
            "__doc__": alias.effect,
            "__module__": __name__,
            **alias.attributes,
        },
        frozen=True,
    )
    return made
