"""Demangled names of C++ and Numba, and lookup of functions by such names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from nvvm_xdsl.ir.suggestions import did_you_mean

_MANGLED = re.compile(r"\b_Z[\w.$]+")
_ABI_TAG = re.compile(r"\[abi:\w+\]")
"""Numba keeps its version and flags in ABI tags."""


@cache
def demangled(name: str) -> str:
    """The declaration of a mangled name: `softmax(float const*, float*, int)`.

    Other names are returned unchanged, and so are all names if the C++ library of the system is
    missing.
    """
    if not name.startswith("_Z"):
        return name
    import cxxfilt

    try:
        return _ABI_TAG.sub("", cxxfilt.demangle(name))
    except (cxxfilt.Error, OSError):
        return name


@cache
def plain_name(name: str) -> str:
    """The demangled name without parameters and result type: `ns::softmax<4>`."""
    text = demangled(name)
    if text == name:
        return name
    end = _start_of_parameters(text)
    depth = 0
    start = 0
    for index, character in enumerate(text[:end]):
        depth += (character in "<(") - (character in ">)")
        if character == " " and not depth:
            start = index + 1
    return text[start:end]


def parameter_types(name: str) -> list[str]:
    """The types of the parameters in a mangled name of C++: `["float const*", "int"]`.

    The list is empty for other names.
    """
    text = demangled(name)
    if text == name:
        return []
    found, depth = [""], 0
    for character in text[_start_of_parameters(text) + 1 : -1]:
        depth += (character in "<([") - (character in ">)]")
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [type_.strip() for type_ in found]


def _start_of_parameters(text: str) -> int:
    """The index of the parenthesis that opens the list of parameters, else the length."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] == ")") - (text[index] == "(")
        if text[index] == "(" and not depth:
            return index
    return len(text)


def readable(text: str) -> str:
    """The text with every mangled name replaced by its demangled name."""
    return _MANGLED.sub(lambda match: plain_name(match[0]), text) if "_Z" in text else text


def matching(wanted: str, names: Iterable[str]) -> list[str]:
    """The names that match `wanted`.

    `wanted` may be the name itself, or its demangled form with or without parameters, template
    arguments and namespaces. Only the matches of the most exact form are returned.
    """
    found = list(names)
    forms: tuple[Callable[[str], str], ...] = (
        str,
        demangled,
        plain_name,
        _without_template,
        _last_part,
    )
    for form in forms:
        same = [name for name in found if form(name) == wanted]
        if same:
            return same
    return []


def _without_template(name: str) -> str:
    return plain_name(name).partition("<")[0]


def _last_part(name: str) -> str:
    return _without_template(name).rpartition("::")[2]


def listed(names: Sequence[str]) -> str:
    """A list of the names for messages: `@saxpy, softmax(float const*, float*, int)`."""
    return ", ".join("@" + n if demangled(n) == n else demangled(n) for n in names) or "none"


def choose(
    wanted: str | None, names: Sequence[str], kind: str = "kernel"
) -> tuple[str | None, str]:
    """The only name that matches, and if there is none or several, None and the error message.

    Arguments:
        wanted: as of `matching`; None for the only name.
        kind: the kind of the named entities, for messages.
    """
    if wanted is None:
        if len(names) == 1:
            return names[0], ""
        how = " with --kernel" if kind == "kernel" else ""
        return None, f"choose a {kind}{how}; the module has {listed(names)}"
    found = matching(wanted, names)
    if len(found) == 1:
        return found[0], ""
    if found:
        return None, f"'{wanted}' is ambiguous: {listed(found)}"
    hint = did_you_mean(wanted, [*names, *map(_last_part, names)])
    separator = " It has" if hint else "; it has"
    return None, f"the module has no {kind} @{wanted}{hint}{separator} {listed(names)}"
