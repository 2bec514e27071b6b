"""The PTX instruction of each intrinsic of matrix products (LLVM's IntrinsicsNVVM.td)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

Order = Sequence[int | str]
"""The sources of operands, in the notation of `intrinsics`."""

Rule = tuple[str, Callable[["re.Match[str]"], "tuple[str, Order]"]]

_TOTAL = {
    "bf16": "f32", "tf32": "f32", "f64": "f64",
    **{type_: "s32" for type_ in ("s8", "u8", "s4", "u4", "b1")},
}  # fmt: skip
"""The type of C and D, by the type of A."""

_SPACE = r"(?:\.p[013])?"
_SHAPE = r"(m\d+n\d+k\d+)"


def _types(names: Sequence[str]) -> str:
    """The types of D, A, B and C from a name, which contains the type of A, the types of A and B,
    or the types of D and C."""
    if len(names) == 4:
        return ".".join(names)
    first, last = names[0], names[-1]
    if first in ("f16", "f32"):
        return f"{first}.f16.f16.{last}"
    return f"{_TOTAL[first]}.{first}.{last}.{_TOTAL[first]}"


def _mma(match: re.Match[str]) -> tuple[str, Order]:
    sparse, scaled, bits, shape, layouts, rest = (g or "" for g in match.groups())
    words = rest.split(".")
    parts = [f"sync.aligned.{shape}.{layouts}"]
    tail = f".{bits}popc" if bits else ""
    if scaled:
        parts.append(f"kind::{words.pop(0)}.block_scale")
        if words[0] == "scale":
            parts.append(f"scale_vec::{words[1].upper()}")
            del words[:2]
        tail = f".{words.pop()}"
    elif words[0] == "kind":
        parts.append(f"kind::{words[1]}")
        del words[:2]
    elif words[0] == "satfinite":
        parts.append(words.pop(0))
    name = {"": "mma", "sp.": "mma.sp"}.get(sparse, "mma.sp::ordered_metadata")
    return f"{name}.{'.'.join(parts)}.{_types(words)}{tail}", ("rest",)


def _wmma(match: re.Match[str]) -> tuple[str, Order]:
    shape, bits, layouts, mode, types, finite = (g or "" for g in match.groups())
    names = types.split(".")
    # For f16 the name contains only the types of D and C.
    kinds = types if len(names) == 2 else _types(names)
    return f"wmma.mma{bits}.sync.aligned.{layouts}.{shape}{mode}.{kinds}{finite}", ("rest",)


def _load(match: re.Match[str]) -> tuple[str, Order]:
    shape, operand, layout, stride, type_ = match.groups()
    order: Order = ("address 0", 1) if stride else ("address 0",)
    return f"wmma.load.{operand}.sync.aligned.{layout}.{shape}.{type_}", order


def _store(match: re.Match[str]) -> tuple[str, Order]:
    shape, layout, stride, type_ = match.groups()
    order: Order = ("address 0", "between", -1) if stride else ("address 0", "rest")
    return f"wmma.store.d.sync.aligned.{layout}.{shape}.{type_}", order


RULES: tuple[Rule, ...] = (
    (rf"mma\.(sp\.ordered\.metadata\.|sp\.)?(block\.scale\.)?(?:(and\.|xor\.)popc\.)?{_SHAPE}\.((?:row|col)\.(?:row|col))\.(.*)", _mma),
    (rf"wmma\.{_SHAPE}\.load\.([abc])\.(row|col)(\.stride)?\.(\w+){_SPACE}", _load),
    (rf"wmma\.{_SHAPE}\.store\.d\.(row|col)(\.stride)?\.(\w+){_SPACE}", _store),
    (rf"wmma\.{_SHAPE}\.mma(\.xor\.popc|\.and\.popc)?\.((?:row|col)\.(?:row|col))(\.r[nzmp])?\.(\w+(?:\.f16|\.f32)?)(\.satfinite)?", _wmma),
)  # fmt: skip
