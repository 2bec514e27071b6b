"""What the command lines of the tools have in common."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean


class ArgumentParser(argparse.ArgumentParser):
    """Exits with status 1 and one message, as for every other error."""

    def error(self, message: str) -> NoReturn:
        """Names the options that an unknown one is like, instead of printing the usage."""
        _, unknown, options = message.partition("unrecognized arguments: ")
        if unknown:
            name = options.split()[0].partition("=")[0]
            message += did_you_mean(name, self._option_string_actions)
        self.exit(1, f"{self.prog}: error: {message} ({self.prog} --help lists the options)\n")

    def set_help(self, option: str, text: str) -> None:
        """Gives an option that is there another help text. Raises KeyError for an unknown one."""
        self._option_string_actions[option].help = text


def make_tool_parser(name: str, description: str, epilog: str) -> ArgumentParser:
    """A parser whose help keeps the line breaks of its texts; options are not abbreviated."""
    return ArgumentParser(
        prog=name,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def run_tool(work: Callable[[argparse.Namespace], int | None], options: argparse.Namespace) -> int:
    """Does a tool's work and returns the exit status: 1 for errors, which are printed.

    Arguments:
        work: what the tool does; it returns a status, None for 0.
        options: of the command line.
    """
    try:
        return work(options) or 0
    except BrokenPipeError:
        # Whoever reads standard output has gone; nothing is left to say, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except DiagnosticError as error:
        from nvvm_xdsl.driver.errors import show_line

        show_line(error, {})
        print(error.render(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
