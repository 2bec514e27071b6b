"""Counterexamples with the names of the program, and their runs on the simulator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMVoidType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import function_type_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.validator import Verdict
from nvvm_xdsl.lab.validation.values import is_float
from nvvm_xdsl.simulator import launch

KERNEL = "__nvvm_tv"


def described(verdict: Verdict, before: ModuleOp, after: ModuleOp) -> Iterator[str]:
    """The lines of a counterexample: the arguments, and both functions' results on the simulator."""
    for names in verdict.arguments:
        for name in names:
            yield f"{name} = {_shown(verdict.model, name)}"
    try:
        results = [_result(verdict, module) for module in (before, after)]
    except Exception as error:
        yield f"not confirmed by the simulator: {str(error).splitlines()[0]}"
        return
    for title, result in zip(("before", "after"), results):
        yield f"{title} optimization the simulator returns 0x{result:x}"
    if results[0] == results[1]:
        yield "not confirmed by the simulator"


def _is_poison(model: Mapping[str, Any], name: str) -> bool:
    return bool(z3.is_true(model.get(f"{name} is poison", False)))


def _number(model: Mapping[str, Any], name: str) -> int:
    value = model.get(name)
    return 0 if value is None else value.as_long()


def _undef_bits(model: Mapping[str, Any], name: str) -> int:
    return _number(model, f"undef bits of {name}")


def _shown(model: Mapping[str, Any], name: str) -> str:
    if _is_poison(model, name):
        return "poison"
    number, mask = _number(model, name), _undef_bits(model, name)
    shown = f"{number} (0x{number:x})" if number > 9 else str(number)
    return f"{shown} with undef bits 0x{mask:x}" if mask else shown


def _result(verdict: Verdict, module: ModuleOp) -> int:
    """The result of the function on the simulator. Raises ValueError if it cannot be called."""
    function = symbols_of(module)[verdict.function]
    type_ = function_type_of(function)
    if isinstance(type_.output, LLVMVoidType):
        raise ValueError("the function returns nothing")
    words: list[str] = []
    for names, argument in zip(verdict.arguments, type_.inputs.data):
        if len(names) != 1 or _is_poison(verdict.model, names[0]):
            raise ValueError("an argument is poison or no scalar")
        if _undef_bits(verdict.model, names[0]):
            raise ValueError("an argument has undef bits")
        words.append(_literal(_number(verdict.model, names[0]), argument))
    result = _spelled(type_.output)
    lines = [
        f"define ptx_kernel void @{KERNEL}(ptr %out) {{",
        f"  %r = call {result} @{verdict.function}({', '.join(words)})",
        f"  store {result} %r, ptr %out",
        "  ret void",
        "}",
    ]
    callable_module = parse(write_ll(module) + "\n".join(lines) + "\n")
    size = DataLayout.of(module).store_size(type_.output)
    out = np.zeros(size, np.uint8)
    launch(callable_module, KERNEL, 1, 1, [out])
    return int.from_bytes(out.tobytes(), "little")


_FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}


def _spelled(type_: Attribute) -> str:
    text = str(type_)
    if not text.startswith("i") and text not in _FLOATS:
        raise ValueError(f"a value of type {text}")
    return _FLOATS.get(text, text)


def _literal(number: int, type_: Attribute) -> str:
    spelled = _spelled(type_)
    if not is_float(type_):
        return f"{spelled} {number}"
    width = {"half": 16, "bfloat": 16, "float": 32, "double": 64}[spelled]
    return f"{spelled} bitcast (i{width} {number} to {spelled})"
