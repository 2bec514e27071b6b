"""Functions that the command lines of all tools share."""

from __future__ import annotations

import argparse
import errno
import io
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.tools.completion import add_completion_argument

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_INVALID_CHOICE = re.compile(
    r"invalid choice: '(?P<given>.*?)' \((?:choose|maybe).*?from (?P<known>.*)\)$"
)
_NUMBER = re.compile(r"-\.?\d.*")

OPT_VERSION = f"nvvm-opt {VERSION}, built on xdsl version {{xdsl_version}}"
"""The output of `nvvm-opt --version`, in the form of xDSL's tool class."""


def _measured_later(prog: str) -> argparse.HelpFormatter:
    """A help formatter of fixed width: argparse creates a formatter for each option to check it."""
    return argparse.RawDescriptionHelpFormatter(prog, width=80)


class ArgumentParser(argparse.ArgumentParser):
    """Exits with status 1 and one message, as for every other error.

    Attributes:
        other_options: further options to suggest, which are replaced before parsing.
    """

    other_options: Sequence[str] = ()

    def format_help(self) -> str:
        """The help text of argparse, with the line breaks of descriptions."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse ignores failures: help that could not be written would count as success.
        if message:
            stream = sys.stderr if file is None else file
            stream.write(message)
            stream.flush()

    def error(self, message: str) -> NoReturn:
        """Suggests names similar to an unknown one, instead of printing the usage."""
        _, unknown, options = message.partition("unrecognized arguments: ")
        choice = _INVALID_CHOICE.search(message)
        if unknown:
            # The words may be blank.
            message += self._hint(options.strip().partition(" ")[0].partition("=")[0])
        elif choice is not None:
            message += did_you_mean(choice["given"], re.findall(r"[\w.-]+", choice["known"]))
        elif message.startswith("the following arguments are required"):
            message += "".join(
                f"; {action.metavar} is one of {', '.join(action.choices)}"
                for action in self._actions
                if action.choices and not action.option_strings
            )
        self.exit(1, f"{self.prog}: error: {message} ({self.prog} --help lists the options)\n")

    def _hint(self, name: str) -> str:
        """The end of the message about an unknown option: similar options, or how to run a pass."""
        known = self._option_string_actions
        if "-p" in known:
            from nvvm_xdsl.pipeline.build import is_pass_name

            if is_pass_name(name.lstrip("-")):
                return f"; passes are named by -p: -p {name.lstrip('-')}"
        return did_you_mean(name, [*known, *self.other_options])

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> Any:
        """An argparse parser that accepts long options with one dash, as LLVM's tools do."""
        words = sys.argv[1:] if args is None else args
        return super().parse_known_args(self._with_two_dashes(words), namespace)

    def _with_two_dashes(self, words: Sequence[str]) -> list[str]:
        """The words, with `-time-passes` spelled as `--time-passes`. Exits for an unknown option.

        argparse would parse `-passes=sroa` as `-p` with the value `asses=sroa`.
        """
        known = self._option_string_actions
        found: list[str] = []
        for index, word in enumerate(words):
            if word == "--":
                found.extend(words[index:])
                break
            name = word.partition("=")[0]
            if name.startswith("-") and "-" + name in known and name not in known:
                word = "-" + word
            elif self._is_misspelled(name, word):
                self.error(f"unrecognized arguments: {word}")
            found.append(word)
        return found

    def _is_misspelled(self, name: str, word: str) -> bool:
        """True if a word with one dash is neither a known option nor a short one with its value."""
        if len(word) < 3 or word[0] != "-" or word[1] == "-" or _NUMBER.fullmatch(word):
            return False
        known = self._option_string_actions
        if name in known:
            return False
        short = known.get(word[:2])
        if short is None:
            return True
        if word[2:].isdecimal():
            # `-j8`.
            return False
        if short.choices is not None:
            # `-fll` is a short option with its value, `-foo` is not.
            return word[2:] not in short.choices
        # `-o-` and `-ok.ptx` are a short option and its value, unless similar to a long option.
        return bool(did_you_mean("-" + name, [n for n in known if n.startswith("--")]))

    def set_help(self, option: str, text: str) -> None:
        """Replaces the help text of an existing option. Raises KeyError for an unknown one."""
        self._option_string_actions[option].help = text


def make_tool_parser(name: str, description: str, epilog: str) -> ArgumentParser:
    """A parser with `--version` and `--print-completion`, whose help keeps the line breaks of its
    texts.

    Options are not abbreviated.
    """
    parser = ArgumentParser(
        prog=name,
        description=description,
        epilog=epilog,
        formatter_class=_measured_later,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"{name} {VERSION}",
        help="print the version and exit",
    )
    add_completion_argument(parser)
    return parser


class _ClosedStream(io.RawIOBase):
    """Replaces a closed standard stream: every use raises OSError, except writing after
    `discards` is set."""

    discards = False

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def write(self, data: ReadableBuffer, /) -> int:
        if self.discards:
            return memoryview(data).nbytes
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _replace_closed_streams() -> None:
    """Python sets closed standard streams to None."""
    # The type says that it is present, but it can be None.
    streams: Mapping[str, object] = vars(sys)
    if streams["stdin"] is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(_ClosedStream()))
    if streams["stdout"] is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_ClosedStream()))
    if streams["stderr"] is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")


def _abandon(stream: TextIO, descriptor: int) -> None:
    """Discards buffered output of a stream that cannot be written, so that nothing fails at exit."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        raw = getattr(getattr(stream, "buffer", None), "raw", None)
        if isinstance(raw, _ClosedStream):
            # Python flushes the stream when it is finalized, and reports a failure since 3.14.
            raw.discards = True
        setattr(sys, "stdout" if descriptor == 1 else "stderr", None)
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _print_error(text: str) -> None:
    """Prints to standard error; ignores failures."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _abandon(sys.stderr, 2)


def _flush_output() -> None:
    if sys.stdout.closed:
        # A server closes its stream at the end of a session.
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        error.filename = "<stdout>"
        raise


def as_typed(text: str, file: str) -> str:
    """The text with the absolute path of an input, which clang writes, replaced by the typed name."""
    return text if file == "-" else text.replace(os.path.abspath(file), file)


def run_guarded(work: Callable[[], int | None]) -> int:
    """Runs a tool and returns the exit status: 1 for errors, which are printed.

    Any failure, including an unwritable output or a closed stream, is one message; an interrupt
    gives no message and status 130.

    Arguments:
        work: the tool, including reading its command line; it returns a status, None for 0.
    """
    _replace_closed_streams()
    try:
        try:
            status = work() or 0
        except SystemExit as exit_:
            # The parser of the command line has printed its message.
            status = 1 if exit_.code else 0
        _flush_output()
        return status
    except BrokenPipeError:
        # The reader of standard output is gone; nothing may be printed, not even at exit.
        _abandon(sys.stdout, 1)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        from nvvm_xdsl.driver.errors import as_diagnostic, show_line

        made = as_diagnostic(error)
        if made is None:
            raise
        show_line(made, {})
        _print_error(made.render())
        try:
            sys.stdout.flush()
        except OSError:
            _abandon(sys.stdout, 1)
        return 1


def run_tool(
    work: Callable[[argparse.Namespace], int | None],
    parser: Callable[[], argparse.ArgumentParser],
    argv: Sequence[str] | None,
    *,
    spelled: Callable[[Sequence[str]], Sequence[str]] = list,
) -> int:
    """Reads a command line and runs a tool, as `run_guarded` describes.

    Arguments:
        work: the tool, called with the options; it returns a status, None for 0.
        parser: returns the parser of the command line.
        argv: the command line; None for that of the process, whose only purpose is the tool.
        spelled: returns the command line with the spellings of the parser.
    """
    words = sys.argv[1:] if argv is None else argv
    if argv is None:
        from nvvm_xdsl.tools.startup_cache import owns_process

        work = owns_process(work)
    return run_guarded(lambda: work(parser().parse_args(spelled(words))))
