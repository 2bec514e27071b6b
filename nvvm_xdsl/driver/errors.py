"""Turns any exception of a compilation into one readable error."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TypeVar

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from nvvm_xdsl.ir.bounded_files import source_lines
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ResultT = TypeVar("ResultT")

PACKAGE = Path(__file__).resolve().parent.parent


class InternalError(DiagnosticError):
    """A fault of nvvm-xdsl, not of the input."""


class TimeLimitExceeded(DiagnosticError):
    """A compilation exceeded its time limit."""


def _from_parse_error(error: ParseError) -> DiagnosticError:
    span = error.span
    content = span.input.content
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    made = DiagnosticError.at_offset(error.msg, text, span.start, span.input.name)
    if made.line is not None:
        made.line += span.line_offset
    return made


def _from_os_error(error: OSError, file: str | None) -> DiagnosticError:
    name = error.filename if isinstance(error.filename, str) else file
    reason = error.strerror or str(error)
    return DiagnosticError(reason[:1].lower() + reason[1:], file=name)


def _from_unexpected(error: Exception, file: str | None) -> InternalError:
    import traceback

    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if PACKAGE in path.parents:
            place = f" at {path.relative_to(PACKAGE.parent)}:{frame.lineno}"
    text = str(error).split("\n", 1)[0][:200]
    detail = f"{type(error).__name__}: {text}" if text else type(error).__name__
    doing = "".join(f", {note}" for note in getattr(error, "__notes__", ()))
    return InternalError(f"internal error{place}{doing}: {detail}", file=file)


def _from_pass_failure(error: DiagnosticError) -> DiagnosticError | None:
    """An exception of a pass that is not a user error is an internal error."""
    from nvvm_xdsl.pipeline.pass_runner import PassFailure

    if not isinstance(error, PassFailure) or isinstance(error.__cause__, DiagnosticError):
        return None
    return InternalError(f"internal error: {error.message}", file=error.file)


def as_diagnostic(error: BaseException, file: str | None = None) -> DiagnosticError | None:
    """The error in printable form; None for exceptions that must not be caught."""
    if isinstance(error, DiagnosticError):
        return _from_pass_failure(error) or error
    if isinstance(error, ParseError):
        return _from_parse_error(error)
    if isinstance(error, BrokenPipeError):
        return None
    if isinstance(error, RecursionError):
        return DiagnosticError("the input is nested too deeply", file=file)
    if isinstance(error, MemoryError):
        return DiagnosticError("out of memory", file=file)
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        return DiagnosticError(f"byte {error.start} is 0x{byte:02x}: not UTF-8 text", file=file)
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        name = error.object.encode("utf-8", "surrogateescape")
        shown = "".join(chr(b) if 0x20 <= b < 0x7F else f"\\{b:02X}" for b in name[:80])
        return DiagnosticError(
            f'"{shown}" is not UTF-8: MLIR text of xDSL cannot contain it', file=file
        )
    if isinstance(error, OSError):
        return _from_os_error(error, file)
    if isinstance(error, (DiagnosticException, ArgSpecParseError)):
        return DiagnosticError(str(error).strip(), file=file)
    if isinstance(error, Exception):
        return _from_unexpected(error, file)
    return None


def with_places(
    attempt: Callable[[bool], ResultT], texts: Mapping[str, str | bytes] | None = None
) -> ResultT:
    """Runs the work; if it fails without a location, runs it again with locations.

    Locations of all ops cost memory and time, so they are created only on demand.

    Arguments:
        attempt: the work; its argument is whether ops get their locations in the source text.
        texts: the sources by name, for printing the erroneous line; files may be omitted.
    Raises the exceptions of the work, with a location if one is found.
    """
    try:
        return attempt(False)
    except DiagnosticError as error:
        raise _located(error, attempt, texts or {}) from error.__cause__


def _located(
    error: DiagnosticError, attempt: Callable[[bool], object], texts: Mapping[str, str | bytes]
) -> DiagnosticError:
    found = error
    if error.line is None and not isinstance(error, TimeLimitExceeded):
        try:
            # The output of the first run is already printed.
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                attempt(True)
        except DiagnosticError as again:
            if again.line is not None:
                found = again
    for part in found.parts():
        show_line(part, texts)
    return found


def show_line(error: DiagnosticError, texts: Mapping[str, str | bytes]) -> None:
    """Adds the text of the line to an error that names one; `texts` as of `with_places`."""
    if error.line is None or error.source_line is not None or error.file is None:
        return
    text = texts.get(error.file)
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = source_lines(error.file) if text is None else text.split("\n")
    if 0 < error.line <= len(lines):
        error.source_line = lines[error.line - 1]


@contextmanager
def user_errors(file: str | None = None) -> Generator[None]:
    """Turns every exception but an interrupt into a DiagnosticError about `file`.

    An exception that no input should cause becomes an InternalError that names its location in the
    source code and has the original exception as its cause.
    """
    try:
        yield
    except BaseException as error:
        made = as_diagnostic(error, file)
        if made is None or made is error:
            raise
        raise made from (error if isinstance(made, InternalError) else None)
