"""A launch on a command line: its dimensions, and values for `--arg`."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nvvm_xdsl.ir.bounded_files import read_file
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

ARGUMENTS_HELP = """\
arguments of the kernel, in order, or by the name of a parameter (--arg n=42):
  --arg 42  --arg 0.5                 a number
  --arg f32[1000]                     a buffer of zeros: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64
  --arg f32[1000]=random              numbers from 0 to 1, the same in every run
  --arg i32[1000]=arange              0, 1, 2 ...
  --arg i32[1000]=7                   the same number everywhere
  --arg f32[1000]=@in.npy             a NumPy file or, with any other suffix, raw bytes
  --arg f32[48,64]                    the same, with a shape: C order
  --arg texture:f32[48,64]=@in.npy    a texture object of such a buffer; words before the colon set
                                      its properties: linear normalized wrap mirror clamp border
                                      float srgb layered cubemap buffer, 2 or 4 for the channels
  --arg texture,linear,4:u8[9,9,4]=7  ... of the last axis
  --arg surface:f32[48,64]            a surface object; words: layered cubemap, 2 or 4
  --arg bytes=00112233                a struct by value, in hexadecimal
  --arg null                          a null pointer
"""
"""The help text of `--arg`."""

TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64")
"""Element types of buffers."""

C_TYPES = {
    "float": "f32",
    "double": "f64",
    "half": "f16",
    "__half": "f16",
    "bool": "u8",
    "char": "i8",
    "signed char": "i8",
    "unsigned char": "u8",
    "short": "i16",
    "unsigned short": "u16",
    "int": "i32",
    "unsigned int": "u32",
    "unsigned": "u32",
    "long": "i64",
    "unsigned long": "u64",
    "long long": "i64",
    "unsigned long long": "u64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
}
"""Element types by their names in C++ and NumPy."""

_LIKE_BUFFER = re.compile(r"(?P<type>[A-Za-z_][\w ]*)\[")
_BUFFER = re.compile(
    r"(?P<type>[iuf](?:8|16|32|64))\[(?P<shape>\d+(?:,\d+)*)\](?:=(?P<content>.*))?", re.S
)
_HANDLE = re.compile(r"(?P<kind>texture|surface)(?P<words>(?:,\w+)*):(?P<buffer>.*)", re.S)

SURFACE_WORDS: dict[str, dict[str, Any]] = {
    "layered": {"layered": True},
    "cubemap": {"cubemap": True},
    "2": {"channels": 2},
    "4": {"channels": 4},
}
TEXTURE_WORDS: dict[str, dict[str, Any]] = {
    **SURFACE_WORDS,
    "linear": {"filter": "linear"},
    "normalized": {"normalized": True},
    **{mode: {"address_mode": mode} for mode in ("wrap", "mirror", "clamp", "border")},
    "float": {"normalized_float": True},
    "srgb": {"normalized_float": True, "srgb": True},
    "buffer": {"linear_memory": True},
}
"""Arguments of `Texture` for the words before the colon of a texture."""


_NAMED = re.compile(r"(?!bytes=)(?P<name>[A-Za-z_]\w*)=(?P<value>.+)", re.S)


def in_order(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    """The values of `--arg` in the order of the parameters, each stated by its name or by its position.

    Arguments:
        names: names of the parameters.
    Raises DiagnosticError for an unknown name, and for a parameter without a value.
    """
    if not any(_NAMED.fullmatch(text) for text in texts):
        return list(texts)
    named: dict[str, str] = {}
    others: list[str] = []
    for text in texts:
        match = _NAMED.fullmatch(text)
        if match is None:
            others.append(text)
        elif match["name"] not in names:
            hint = did_you_mean(match["name"], names)
            raise DiagnosticError(
                f"--arg: there is no parameter '{match['name']}'{hint}; the kernel has {', '.join(names) or 'none'}"
            )
        else:
            named[match["name"]] = match["value"]
    rest = iter(others)
    found = [named[name] if name in named else next(rest, None) for name in names]
    missing = [name for name, value in zip(names, found) if value is None]
    if missing:
        raise DiagnosticError(f"--arg: no value for {', '.join(missing)}")
    return [value for value in (*found, *rest) if value is not None]


def parse_argument(text: str, seed: int = 0) -> Any:
    """The value of an `--arg` text. Raises DiagnosticError.

    Arguments:
        seed: seed of random contents.
    """
    if text == "null":
        return None
    if text.startswith("bytes="):
        try:
            return bytes.fromhex(text[6:])
        except ValueError:
            raise DiagnosticError(f"expected bytes= and hexadecimal digits, got '{text}'") from None
    handle = _HANDLE.fullmatch(text)
    if handle is not None:
        array = _buffer_of(handle["buffer"], seed)
        if array is None:
            raise DiagnosticError(f"'{handle['buffer']}' is not a buffer; see --help")
        return _handle_object(handle["kind"], handle["words"].split(",")[1:], array)
    array = _buffer_of(text, seed)
    if array is None:
        try:
            return (
                float(text) if re.search(r"[.einEIN]", text) and "x" not in text else int(text, 0)
            )
        except ValueError:
            raise DiagnosticError(_not_a_value(text)) from None
    return array


def _not_a_value(text: str) -> str:
    """The message about an invalid value of `--arg`."""
    match = _LIKE_BUFFER.match(text)
    if match is None:
        return f"'{text}' is neither a number nor a buffer such as f32[1000]; see --help"
    type_ = match["type"]
    if type_ in TYPES:
        return f"'{text}': expected a size such as {type_}[1000] or {type_}[48,64]"
    hint = f"; did you mean '{C_TYPES[type_]}'?" if type_ in C_TYPES else did_you_mean(type_, TYPES)
    return f"'{text}': unknown element type '{type_}'{hint or '; known are ' + ', '.join(TYPES)}"


def mismatch(text: str, parameter: str) -> str | None:
    """The element types of a buffer and of a C++ pointer parameter as words, if they differ.

    Arguments:
        text: a value of `--arg`.
        parameter: the type of the parameter, such as `float const*`.
    """
    match = _BUFFER.fullmatch(text)
    pointee = re.sub(r"\b(const|volatile|__restrict__)\b", "", parameter)
    if match is None or pointee.count("*") != 1:
        return None
    expected = C_TYPES.get(" ".join(pointee.replace("*", "").split()))
    # Signedness does not change the bits.
    if expected is None or expected.replace("u", "i") == match["type"].replace("u", "i"):
        return None
    return f"a buffer of {match['type']} for a parameter of type {parameter} ({expected})"


def _handle_object(kind: str, words: list[str], array: Array) -> Any:
    """The texture or surface of an array, with the given settings."""
    from nvvm_xdsl.simulator import Surface, Texture

    known = TEXTURE_WORDS if kind == "texture" else SURFACE_WORDS
    options: dict[str, Any] = {}
    for word in words:
        if word not in known:
            hint = did_you_mean(word, known) or f"; expected one of {', '.join(known)}"
            raise DiagnosticError(f"unknown property '{word}' of a {kind}{hint}")
        options.update(known[word])
    return Texture(array, **options) if kind == "texture" else Surface(array, **options)


def _buffer_of(text: str, seed: int) -> Array | None:
    """The array described by a text such as `f32[3]=7`; None for other text."""

    match = _BUFFER.fullmatch(text)
    if match is None:
        return None
    shape = tuple(int(part) for part in match["shape"].split(","))
    return _contents(match, math.prod(shape), seed).reshape(shape)


def _contents(match: re.Match[str], count: int, seed: int) -> Array:
    import numpy as np

    kind = np.dtype(match["type"][0] + str(int(match["type"][1:]) // 8))
    content = match["content"] or "0"
    if content.startswith("@"):
        return _from_file(Path(content[1:]), kind, count)
    if content == "arange":
        return np.arange(count).astype(kind)
    if content == "random":
        rng = np.random.default_rng(seed)
        if kind.kind == "f":
            return rng.random(count).astype(kind)
        return rng.integers(0, 100, count).astype(kind)
    try:
        value = float(content) if kind.kind == "f" else int(content, 0)
    except ValueError:
        hint = did_you_mean(content, ("arange", "random"))
        raise DiagnosticError(
            f"a buffer cannot be filled with '{content}'{hint or '; expected a number, arange, random or @FILE'}"
        ) from None
    return np.full(count, value, np.float64 if kind.kind == "f" else object).astype(kind)


def _from_file(path: Path, kind: np.dtype[Any], count: int) -> Array:
    import numpy as np

    try:
        if path.suffix == ".npy":
            data = np.load(path)
        else:
            data = np.frombuffer(read_file(path), np.uint8)
    except OSError as error:
        raise DiagnosticError(f"cannot read {path}: {error.strerror}") from None
    except (EOFError, ValueError) as error:
        raise DiagnosticError(f"cannot read {path}: {error}") from None
    raw = np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8)
    if raw.size < count * kind.itemsize:
        raise DiagnosticError(
            f"{path} has {raw.size} bytes, but the argument needs {count * kind.itemsize}"
        )
    return raw[: count * kind.itemsize].view(kind).copy()


def _dimensions(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected one to three numbers, got '{text}'") from None
    if not 1 <= len(found) <= 3 or min(found) < 1:
        raise argparse.ArgumentTypeError(f"expected one to three positive numbers, got '{text}'")
    return found


def parse_thread(text: str) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """A block and a thread of it, written `X[,Y[,Z]][@BX[,BY[,BZ]]]`, counted from 0."""
    thread, _, block = text.partition("@")
    return _coordinates(block or "0"), _coordinates(thread)


def _coordinates(text: str) -> tuple[int, int, int]:
    parts = text.split(",")
    if len(parts) > 3 or not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(
            f"expected one to three non-negative numbers, got '{text}'"
        )
    x, y, z = [*map(int, parts), 0, 0][:3]
    return x, y, z


def lane_of(thread: tuple[int, int, int], block: tuple[int, ...]) -> int:
    """The number of a thread in its block. Raises DiagnosticError if there is no such thread."""
    bx, by, bz = (*block, 1, 1)[:3]
    x, y, z = thread
    if x >= bx or y >= by or z >= bz:
        raise DiagnosticError(f"a block of {bx} x {by} x {bz} threads has no thread {thread}")
    return (z * by + y) * bx + x


def add_launch_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a launch: kernel, grid, block, cluster, shared, arg."""
    add = parser.add_argument
    add("--kernel", metavar="NAME", help="name of the kernel; optional if the module has only one")
    add(
        "--grid",
        type=_dimensions,
        default=(1,),
        metavar="X[,Y[,Z]]",
        help="number of blocks (default 1)",
    )
    add(
        "--block",
        type=_dimensions,
        default=(1,),
        metavar="X[,Y[,Z]]",
        help="number of threads per block (default 1)",
    )
    add(
        "--cluster",
        type=_dimensions,
        metavar="X[,Y[,Z]]",
        help="number of blocks per cluster (default: the cluster size that the kernel declares)",
    )
    add(
        "--shared",
        type=int,
        default=0,
        metavar="BYTES",
        help="size of the dynamic shared memory in bytes (default 0)",
    )
    add(
        "--arg",
        action="append",
        default=[],
        dest="arguments",
        metavar="VALUE",
        help="an argument of the kernel, see below",
    )
