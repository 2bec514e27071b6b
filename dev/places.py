"""The states of a module at certain passes of a pipeline.

A pipeline is run step by step; a state is the module after one of the given passes has changed it.
Different pipelines of one module share most of their states, so each state is shown once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.lab.behaviour import nodes_of
from nvvm_xdsl.lab.fingerprint import Fingerprints
from nvvm_xdsl.pipeline import Instruments, PassManager
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher

Show = Callable[[str, ModuleOp], None]


@dataclass
class Places:
    """The states of a module in pipelines.

    Arguments:
        passes: the passes after which states are shown.
        runs: number of runs of these passes, on a function or the module.
        changes: number of runs that changed the module.
        states: number of different modules.
    """

    passes: Collection[str]
    runs: int = 0
    changes: int = 0
    states: int = 0
    _seen: set[int] = field(default_factory=set[int])
    _fingerprints: Fingerprints = field(default_factory=Fingerprints)

    def run(self, module: ModuleOp, pipeline: str, show: Show) -> None:
        """Runs a pipeline on a module.

        Arguments:
            module: the module, which is changed.
            pipeline: text of the pipeline.
            show: called with the position, such as `sroa (3)` for the third run of `sroa`, and the
                current module, which it must not change, unless it has been called with an equal
                one.
        """
        counts: dict[str, int] = {}

        def observe(ran: PassRun) -> None:
            name = ran.instance.name
            if name not in self.passes:
                return
            counts[name] = counts.get(name, 0) + 1
            self.runs += 1
            if not ran.changed:
                return
            self.changes += 1
            found = self._fingerprints.of(module)
            if found not in self._seen:
                self._seen.add(found)
                self.states += 1
                show(f"{name} ({counts[name]})", module)

        instruments = Instruments()
        watcher = Watcher(instruments, observer=observe)
        PassManager(nodes_of(pipeline), instruments, watcher).run(module)
