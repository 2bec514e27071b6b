from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.parser import Parser

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.driver.errors import InternalError, user_errors
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def recurse() -> None:
    recurse()


def decode() -> None:
    b"ab\xff".decode()


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        (recurse, "nested too deeply"),
        (decode, "byte 2 is 0xff"),
        (lambda: open("/no/such/file"), "no such file or directory"),
    ],
)
def test_exceptions_become_errors(fail, message: str):
    with pytest.raises(DiagnosticError, match=message) as caught, user_errors("f.ll"):
        fail()
    assert not isinstance(caught.value, InternalError)


def test_memory_error():
    with pytest.raises(DiagnosticError, match=r"f\.ll: error: out of memory"), user_errors("f.ll"):
        raise MemoryError


def test_an_internal_error_names_its_source_location():
    with pytest.raises(InternalError) as caught, user_errors("f.ll"):
        types.struct(5)  # pyright: ignore[reportArgumentType]
    assert caught.value.message.startswith("internal error at nvvm_xdsl/dialects/llvm/types.py:")
    assert caught.value.__cause__ is not None


def test_xdsl_parse_errors_keep_their_location():
    context = Context()
    context.register_dialect("builtin", lambda: builtin.Builtin)
    text = "builtin.module {\n  %0 = }\n"
    with pytest.raises(DiagnosticError) as caught, user_errors():
        Parser(context, text, "m.mlir").parse_module()
    assert (caught.value.file, caught.value.line, caught.value.column) == ("m.mlir", 2, 8)
    assert "%0 = }" in caught.value.render()


@pytest.mark.parametrize("error", [KeyboardInterrupt, BrokenPipeError, SystemExit])
def test_other_exceptions_propagate(error: type[BaseException]):
    with pytest.raises(error), user_errors():
        raise error
