"""LLVM assembly without contraction of products and sums.

`-fp-contract=off` and libNVVM's `-fma=0` still fuse a product and a sum that both have the flag
`contract`, which clang gives to all floating-point operations of CUDA. libNVVM also fuses under the
attribute `unsafe-fp-math`, and converts every `llvm.fmuladd` to an `fma`.
"""

from __future__ import annotations

import re
from typing import Final

_FLAG: Final = r"(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast)"
_FLAGS: Final = re.compile(
    r"\b(fneg|fadd|fsub|fmul|fdiv|frem|fcmp|phi|select|call|fptrunc|fpext)"
    rf"((?: {_FLAG})+)(?= )"
)
_FAST: Final = " nnan ninf nsz arcp afn reassoc"

_UNSAFE: Final = re.compile(r'"unsafe-fp-math"="true"')

_FMULADD: Final = re.compile(
    rf"(?m)^( *)(%[\w.$-]+) = (?:(?:tail|notail) )?call((?: {_FLAG})*) "
    r"(float|double|half|bfloat|<\d+ x (?:float|double|half|bfloat)>) "
    r"@llvm\.fmuladd\.\w+\(([^()]*)\)(?: #\d+)?(.*)$"
)
_BETWEEN_ARGUMENTS: Final = re.compile(r",(?![^<>]*>) ")


def without_contraction(text: str) -> str:
    """The module with `fmuladd` split, and without flags that permit fusing products and sums."""
    text = _UNSAFE.sub('"unsafe-fp-math"="false"', text)
    text = _FLAGS.sub(_without_contract, text)
    return _FMULADD.sub(_split, text)


def _without_contract(match: re.Match[str]) -> str:
    flags = match[2].replace(" fast", _FAST).replace(" contract", "")
    return match[1] + flags


def _split(match: re.Match[str]) -> str:
    """`%r = call T @llvm.fmuladd(T a, T b, T c)` as a product and a sum."""
    indent, result, flags, type_, arguments, metadata = match.groups()
    a, b, c = (
        re.sub(r"^(?:noundef |nofpclass\([^)]*\) )+", "", part[len(type_) :].strip())
        for part in _BETWEEN_ARGUMENTS.split(arguments)
    )
    product = f"{result}.product"
    return (
        f"{indent}{product} = fmul{flags} {type_} {a}, {b}{metadata}\n"
        f"{indent}{result} = fadd{flags} {type_} {product}, {c}{metadata}"
    )
