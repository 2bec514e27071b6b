"""What makes a process that runs one tool, or a script that compiles, start and end sooner.

Dataclasses and regular expressions are a third of the time of importing the compiler: Python writes the
methods of the one as text and compiles it whenever a class is made, and has a compiler in Python for the other.
`remember` keeps what these compiled, by its text, in the user's cache folder (`kept_code`). `alone` also spares the
collector its last walk over IR that dies with the process. In somebody else's process `importing`
does what can be done without touching what is theirs.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from nvvm_xdsl.ir.collector import imports_exempt
from nvvm_xdsl.tools.kept_code import FORMAT, KeptCode
from nvvm_xdsl.tools.quick_imports import quick_imports

if TYPE_CHECKING:
    import re

ArgumentsT = TypeVar("ArgumentsT")
StatusT = TypeVar("StatusT")

CACHE_VARIABLE = "XDG_CACHE_HOME"
FOLDER = "nvvm-xdsl"

OURS = ("nvvm_xdsl.", "xdsl.")
"""How the names of modules begin whose classes and patterns a script makes by importing the compiler."""


def once(work: Callable[[ArgumentsT], StatusT]) -> Callable[[ArgumentsT], StatusT]:
    """The work of a tool that makes one thing of what it reads, in a process of its own.

    It has no garbage that is worth a search.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        gc.disable()
        return alone(work)(arguments)

    return prepared


def alone(work: Callable[[ArgumentsT], StatusT]) -> Callable[[ArgumentsT], StatusT]:
    """The work of a tool in a process of its own.

    The process ends without looking for garbage that the system takes anyway.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        atexit.register(gc.freeze)
        remember()
        return work(arguments)

    return prepared


def cache_path() -> str | None:
    """The file of what is kept, of this version of Python; None where nothing is."""
    folder = os.environ.get(CACHE_VARIABLE, "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    if sys.dont_write_bytecode or not os.path.isabs(folder):
        return None
    tag = sys.implementation.cache_tag
    return tag and os.path.join(folder, FOLDER, f"start-{FORMAT}.{tag}-{sys.hexversion:x}.marshal")


@contextmanager
def importing() -> Generator[None]:
    """Imports inside are quick, and no later collection looks at what they made.

    Nothing is garbage while modules are imported, and classes and tables live as long as the process: they are
    half of what its last collection would look at.
    """
    remember(OURS)
    with imports_exempt():
        yield


_remembered = False


def remember(modules: tuple[str, ...] = ("",)) -> None:
    """Has methods of dataclasses and named tuples and regular expressions compiled once and not by every process.

    The file is read at once, and written at the end when something was missing in it.

    Arguments:
        modules: how the names of the modules begin whose classes and expressions are meant.
    """
    global _remembered
    path = cache_path()
    if path is None or _remembered:
        return
    _remembered = True
    quick_imports(OURS)
    kept = KeptCode(path)
    _remember_dataclasses(kept, modules)
    _remember_named_tuples(kept, modules)
    _remember_patterns(kept, modules)
    atexit.register(kept.store)


def _compiled(text: str, mode: Literal["eval", "exec"]) -> CodeType:
    """As the library would have it: what this module takes from `__future__` is not what the other does."""
    return compile(text, "<string>", mode, dont_inherit=True)


class _Inspect:
    """`inspect` as dataclasses see it: the docstring that a class without one gets is its name alone.

    Finding the signature, which Python puts there, takes longer than all else of the class.
    """

    def __init__(self, modules: tuple[str, ...]) -> None:
        import inspect

        self._inspect = inspect
        self._modules = modules

    def signature(self, cls: Any) -> Any:
        return "" if cls.__module__.startswith(self._modules) else self._inspect.signature(cls)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inspect, name)


class _Identifiers:
    """The pattern that dataclasses look for at the start of annotations, of which most are the same."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.match = cache(pattern.match)


def _remember_dataclasses(kept: KeptCode, modules: tuple[str, ...]) -> None:
    import dataclasses

    def execute(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        module = str(names.get("__name__", ""))
        if not text.startswith("def __create_fn__(") or not module.startswith(modules):
            exec(_compiled(text, "exec"), names, made)
            return
        code = kept.table(module).get(text)
        if code is None:
            constants = _compiled(text, "exec").co_consts
            code = next(const for const in constants if isinstance(const, CodeType))
            kept.keep(module, text, code)
        made["__create_fn__"] = FunctionType(code, names)

    # `exec` as the module sees it: the text that it runs, one function, is all there is to a method.
    changed: Any = dataclasses
    changed.exec = execute
    changed.inspect = _Inspect(modules)
    if hasattr(changed, "_MODULE_IDENTIFIER_RE"):
        changed._MODULE_IDENTIFIER_RE = _Identifiers(changed._MODULE_IDENTIFIER_RE)


def _remember_named_tuples(kept: KeptCode, modules: tuple[str, ...]) -> None:
    import collections

    def evaluate(text: str, names: dict[str, Any]) -> Any:
        module = _asking("collections", "typing")
        if not module.startswith(modules):
            return eval(_compiled(text, "eval"), names)
        code = kept.table(module).get(text)
        if code is None:
            code = _compiled(text, "eval")
            kept.keep(module, text, code)
        return eval(code, names)

    changed: Any = collections
    changed.eval = evaluate


def _asking(*libraries: str) -> str:
    """The module that called one of these of Python's, which called the caller."""
    frame: FrameType | None = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.partition(".")[0] not in libraries:
            return name
        frame = frame.f_back
    return ""


def _remember_patterns(kept: KeptCode, modules: tuple[str, ...]) -> None:
    import re

    compiler: Any = vars(re).get("_compiler")
    if not all(hasattr(compiler, name) for name in ("compile", "_code", "_parser", "_sre")):
        return
    stock = compiler.compile
    never = int(re.DEBUG | re.LOCALE)

    def pattern(text: Any, flags: int = 0) -> re.Pattern[Any]:
        module = _asking("re")
        if not module.startswith(modules) or flags & never or not isinstance(text, str):
            return stock(text, flags)
        key = (text, int(flags))
        made = kept.table(module).get(key)
        if made is not None:
            return compiler._sre.compile(text, *made)
        found = stock(text, flags)
        code = [int(word) for word in compiler._code(compiler._parser.parse(text, flags), flags)]
        names = {number: name for name, number in found.groupindex.items()}
        groups = tuple(names.get(number) for number in range(found.groups + 1))
        kept.keep(module, key, (found.flags, code, found.groups, dict(found.groupindex), groups))
        return found

    compiler.compile = pattern
