"""Passes of other packages between the optimizer's tiers.

A plug-in has a phase ID: it runs after the tiers with a lower threshold. Plug-ins
are registered through `register_plugin`, or by an entry point of the group `nvvm_xdsl.plugins`
that names a `Plugin` or a function that returns one or several.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from typing import cast

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import register_pass
from nvvm_xdsl.passes.base import NvvmPass

ENTRY_POINT_GROUP = "nvvm_xdsl.plugins"


@dataclass(frozen=True)
class Plugin:
    """A pass of a plug-in and its position.

    Arguments:
        phase_id: compared with the tiers' thresholds.
        pipeline: the elements to run, in pipeline text.
        passes: the plug-in's pass classes that the text names.
    """

    phase_id: int
    pipeline: str
    passes: tuple[type[NvvmPass], ...] = ()


_registered: list[Plugin] = []


def register_plugin(plugin: Plugin) -> None:
    """Registers a plug-in's passes by name and runs it in every later `nvopt<...>` pipeline."""
    for cls in plugin.passes:
        register_pass(cls)
    if plugin not in _registered:
        _registered.append(plugin)


def unregister_plugin(plugin: Plugin) -> None:
    """Removes a plug-in from pipelines; its passes stay registered by name."""
    _registered.remove(plugin)


def _may_be_installed() -> bool:
    """True if an installed package names the group; searches folders, because importing
    `importlib.metadata` is slow."""
    if any(hasattr(f, "find_distributions") and f is not PathFinder for f in sys.meta_path):
        return True
    group = ENTRY_POINT_GROUP.encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:  # an archive
            return True
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(os.path.join(folder, name, "entry_points.txt"), "rb") as stream:
                        if group in stream.read():
                            return True
                except OSError:
                    pass
    return False


@cache
def load_installed() -> tuple[Plugin, ...]:
    """Returns the plug-ins of installed packages; the first call registers their passes.

    Raises DiagnosticError for a plug-in that cannot be loaded.
    """
    found: list[Plugin] = []
    if not _may_be_installed():
        return ()
    from importlib.metadata import entry_points

    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        try:
            loaded: object = entry_point.load()
            group = loaded if isinstance(loaded, Plugin) or not callable(loaded) else loaded()
            for plugin in _several(group):
                for cls in plugin.passes:
                    register_pass(cls)
                found.append(plugin)
        except Exception as error:
            package = entry_point.dist.name if entry_point.dist else "?"
            raise DiagnosticError(
                f"the plug-in '{entry_point.name}' ({entry_point.value}) of the package '{package}' "
                f"cannot be loaded: {type(error).__name__}: {error}"
            ) from error
    return tuple(found)


def _several(loaded: object) -> tuple[Plugin, ...]:
    """Returns the plug-ins of an entry point. Raises TypeError for anything else."""
    if not isinstance(loaded, Plugin | Iterable):
        raise TypeError(f"expected a Plugin, or several, not {type(loaded).__name__}")
    group = (loaded,) if isinstance(loaded, Plugin) else tuple(cast("Iterable[object]", loaded))
    for plugin in group:
        if not isinstance(plugin, Plugin):
            raise TypeError(f"expected a Plugin, not {type(plugin).__name__}")
    return cast("tuple[Plugin, ...]", group)


def plugins() -> tuple[Plugin, ...]:
    """All plug-ins, those of installed packages first."""
    return (*load_installed(), *_registered)
