"""Startup of command-line tools: cached compiled code and no garbage collection at exit.

Python writes each method of a dataclass as text and compiles the text when the class is created. For the
compiler's and xDSL's classes that takes a third of the startup of `nvvm-cc`. Patterns of `re` take a twentieth.
The compiled methods, patterns and rewrite rules, and the code of the modules, are kept in
`$XDG_CACHE_HOME/nvvm-xdsl`, else `~/.cache/nvvm-xdsl`.

Only entry points that own their process use this module: it changes names in the modules `dataclasses` and `re`.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nvvm_xdsl.ir.code_files import read_codes, write_codes
from nvvm_xdsl.rules.compiled import keep_compiled_rules

if TYPE_CHECKING:
    from dataclasses import Field

ArgumentsT = TypeVar("ArgumentsT")
StatusT = TypeVar("StatusT")

CACHE_VARIABLE: Final = "XDG_CACHE_HOME"
FOLDER: Final = "nvvm-xdsl"

DIALECT_LOADER: Final = "xdsl.utils.dialect_loader"

MAX_METHODS: Final = 20_000
"""A cache with more methods, which must be partly outdated, starts again."""

MAX_PATTERNS: Final = 2_000
"""The same for patterns of `re`, some of which are of command lines."""


def owns_process(
    work: Callable[[ArgumentsT], StatusT], *, collect: bool = True, modules: str = ""
) -> Callable[[ArgumentsT], StatusT]:
    """Prepares the work of a tool that is the only purpose of its process.

    The process ends without a last garbage collection, because the system frees its memory.

    Arguments:
        work: takes the parsed arguments and returns the exit status.
        collect: whether cycles are collected while the tool runs.
        modules: the name of a file with the modules that the tool imports; empty for none.
    """

    def prepared(arguments: ArgumentsT) -> StatusT:
        if not collect:
            gc.disable()
        atexit.register(gc.freeze)
        if modules:
            cache_imports(modules)
            defer_dialect_loader()
        cache_dataclass_methods()
        cache_patterns()
        cache_compiled_rules()
        return work(arguments)

    return prepared


def cache_path(content: str) -> str | None:
    """Returns the cache file of some content for this version of Python, or None if nothing may be
    cached."""
    folder = os.environ.get(CACHE_VARIABLE, "")
    if not os.path.isabs(folder):
        folder = os.path.expanduser("~/.cache")
    if sys.dont_write_bytecode or not os.path.isabs(folder):
        return None
    tag = sys.implementation.cache_tag
    return tag and os.path.join(folder, FOLDER, f"{content}.{tag}-{sys.hexversion:x}.marshal")


class _Inspect:
    """The module `inspect` for `dataclasses`, without the signature in default docstrings.

    Computing the signature takes longer than the rest of the class.
    """

    def __init__(self) -> None:
        import inspect

        self._inspect = inspect

    def signature(self, cls: Any) -> str:
        """Returns an empty signature."""
        return ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inspect, name)


_shown = threading.local()
"""The objects whose `__repr__` runs in a thread."""


def _show_fields(fields: Sequence[Field[Any]], _names: object) -> Callable[[Any], str]:
    """`__repr__` of a dataclass."""
    names = [field.name for field in fields]

    def __repr__(self: Any) -> str:
        running: set[int] = vars(_shown).setdefault("running", set())
        if id(self) in running:
            return "..."
        running.add(id(self))
        try:
            shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        finally:
            running.discard(id(self))
        return f"{type(self).__qualname__}({shown})"

    return __repr__


def _reject_changes(
    cls: type, fields: Sequence[Field[Any]], _names: object
) -> tuple[Callable[[Any, str, Any], None], Callable[[Any, str], None]]:
    """`__setattr__` and `__delattr__` of a frozen dataclass."""
    from dataclasses import FrozenInstanceError

    names = {field.name for field in fields}

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __setattr__, __delattr__


def cache_dataclass_methods() -> None:
    """Makes `dataclasses` use cached methods. New methods are written to the cache at exit."""
    path = cache_path("dataclasses")
    if path is None:
        return
    import collections
    import dataclasses
    import typing

    methods = read_codes(path)
    known = len(methods)

    def expression(text: str, file: str = "<string>", mode: str = "eval") -> CodeType:
        code = methods.get(text)
        if code is None:
            code = methods[text] = compile(text, file, mode, dont_inherit=True)
        return code

    def evaluate(text: str, names: dict[str, Any]) -> Any:
        return eval(expression(text), names)

    def execute(text: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        if not text.startswith("def __create_fn__("):
            exec(compile(text, "<string>", "exec", dont_inherit=True), names, made)
            return
        code = methods.get(text)
        if code is None:
            constants = compile(text, "<string>", "exec", dont_inherit=True).co_consts
            code = next(constant for constant in constants if isinstance(constant, CodeType))
            methods[text] = code
        made["__create_fn__"] = FunctionType(code, names)

    def store() -> None:
        if len(methods) > known:
            write_codes(path, methods if len(methods) <= MAX_METHODS else {})

    changes: Any = dataclasses
    changes.exec = execute
    changes.inspect = _Inspect()
    if sys.version_info < (3, 13):
        changes._repr_fn = _show_fields
        changes._frozen_get_del_attr = _reject_changes
    # Named tuples: `__new__`, and annotations that are text.
    changes = collections
    changes.eval = evaluate
    changes = typing
    changes.compile = expression
    atexit.register(store)


class _Recorder:
    """The module `_sre` for `re`: keeps the arguments of the last call of `compile`."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self.last: tuple[Any, ...] = ()

    def compile(self, *arguments: Any) -> Any:
        """Creates a pattern."""
        self.last = arguments
        return self._module.compile(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def cache_patterns() -> None:
    """Makes `re` use cached patterns. New patterns are written to the cache at exit."""
    path = cache_path("patterns")
    if path is None:
        return
    import re

    module: Any = re
    compiler = module._compiler
    recorder = _Recorder(compiler._sre)
    stock, create = compiler.compile, compiler._sre.compile
    patterns = read_codes(path)
    known = len(patterns)

    def compile_pattern(pattern: Any, flags: int = 0) -> Any:
        if type(pattern) not in (str, bytes) or flags & re.DEBUG:
            return stock(pattern, flags)
        key = (pattern, int(flags))
        arguments = patterns.get(key)
        if arguments is None:
            found = stock(pattern, flags)
            _, all_flags, program, *groups = recorder.last
            # The constants of `re` are of a class that cannot be written.
            patterns[key] = (int(all_flags), list(map(int, program)), *groups)
            return found
        return create(pattern, *arguments)

    def store() -> None:
        if len(patterns) > known:
            write_codes(path, patterns if len(patterns) <= MAX_PATTERNS else {})

    compiler._sre = recorder
    compiler.compile = compile_pattern
    atexit.register(store)


class _DialectFinder:
    """xDSL's finder of dialects in IRDL, which is imported when a module is not found otherwise.

    It imports `importlib.resources` and 15 other modules.
    """

    def __init__(self, get_all_dialects: Any) -> None:
        self._get_all_dialects = get_all_dialects
        self._finder: Any = None

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Returns the dialect as a module; None if there is none."""
        if self._finder is None:
            sys.modules.pop(DIALECT_LOADER, None)
            from xdsl.utils.dialect_loader import IRDLDialectFinder

            self._finder = IRDLDialectFinder(self._get_all_dialects)
        return self._finder.find_spec(name, path, target)


def defer_dialect_loader() -> None:
    """Makes `xdsl.dialects` import its finder on first use."""
    loader: Any = ModuleType(DIALECT_LOADER)
    loader.IRDLDialectFinder = _DialectFinder
    sys.modules[DIALECT_LOADER] = loader


def cache_imports(name: str) -> None:
    """Makes the tool import modules from one file."""
    path = cache_path(f"{name}-modules-{sys.flags.optimize}")
    if path is not None:
        from nvvm_xdsl.tools.module_cache import cache_modules

        cache_modules(path)


def cache_compiled_rules() -> None:
    """Makes the passes use cached compiled rules."""
    path = cache_path("rules")
    if path is not None:
        keep_compiled_rules(path)
