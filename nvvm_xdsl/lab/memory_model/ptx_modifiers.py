"""Modifiers of PTX instructions that define memory events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nvvm_xdsl.dialects.memory_semantics import (
    MemorySemantics,
    Order,
    Proxy,
    Scope,
    semantics_of_modifiers,
)

ACCESS_PROXIES = {
    "tex": Proxy.TEXTURE,
    "tld": Proxy.TEXTURE,
    "suld": Proxy.SURFACE,
    "sust": Proxy.SURFACE,
    "suatom": Proxy.SURFACE,
    "sured": Proxy.SURFACE,
    "cold": Proxy.CONSTANT,
}
"""Proxies of instructions that do not use the generic one."""

FENCE_PROXIES = {
    "alias": Proxy.ALIAS,
    "async": Proxy.ASYNC,
    "constant": Proxy.CONSTANT,
    "texture": Proxy.TEXTURE,
    "surface": Proxy.SURFACE,
    "generic": Proxy.GENERIC,
}
"""Proxies of `fence.proxy`. Constant, texture and surface are those of the ISCA 2022 paper."""

_TYPE = re.compile(r"[busf](8|16|32|64|128)$|b?f16x2$|bf16x?2?$|f16x2$")


@dataclass(frozen=True)
class Modifiers:
    """Modifiers of one instruction.

    Attributes:
        order, scope: ordering and scope of the access or fence.
        size: size of one element in bytes.
        is_signed: whether the type is a signed integer. is_float: whether a type is floating-point.
        count: number of elements of a vector.
    """

    order: Order
    scope: Scope
    size: int
    is_signed: bool
    count: int
    is_float: bool = False


def modifiers(opcode: Sequence[str], order: Order, scope: Scope) -> Modifiers:
    """The modifiers of an opcode, split at its dots, with defaults for ordering and scope."""
    size, is_signed, count, is_float = 4, False, 1, False
    found = semantics_of_modifiers(opcode[1:], MemorySemantics(order, scope))
    for word in opcode[1:]:
        word = word.partition("::")[0]
        if word in ("v2", "v4", "v8"):
            count = int(word[1:])
        elif _TYPE.match(word):
            digits = re.search(r"\d+", word)
            assert digits is not None
            size = int(digits[0]) // 8 * (2 if word.endswith("x2") else 1)
            is_signed = word[0] == "s"
            is_float |= "f" in word
    return Modifiers(found.order, found.scope, size, is_signed, count, is_float)


def access_proxy(opcode: Sequence[str]) -> Proxy:
    """The proxy of a load, store or atomic operation. Section "Proxies"."""
    if opcode[0] == "ld" and "const" in opcode:
        return Proxy.CONSTANT
    if opcode[0] == "ld" and "nc" in opcode:
        return Proxy.TEXTURE
    return ACCESS_PROXIES.get(opcode[0], Proxy.GENERIC)
