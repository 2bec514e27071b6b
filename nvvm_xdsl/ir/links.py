"""Makes packages imported through the links at the repository's root the same module objects."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _LinkFinder(MetaPathFinder, Loader):
    """Finds `link.x` as the module `package.x`."""

    def __init__(self, link: str, package: str) -> None:
        self.link = link
        self.package = package
        self.specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname.startswith(f"{self.link}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self.package + spec.name.removeprefix(self.link))
        self.specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The module has already run under its own name; Python has just set the link's name.
        assert module.__spec__ is not None
        module.__spec__ = self.specs.pop(module.__spec__.name)


def follow_link(link: str, package: str) -> None:
    """Makes the name `link`, under which `package` is being imported, refer to `package`.

    Without this Python would run the package's files again, and there would be two of each class
    and registry.
    """
    sys.meta_path.insert(0, _LinkFinder(link, package))
    sys.modules[link] = import_module(package)
