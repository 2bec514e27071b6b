"""What the command lines of the tools have in common."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """Exits with status 1, as for every other error."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(1, f"error: {message}\n")


def make_tool_parser(name: str, description: str, epilog: str) -> ArgumentParser:
    """A parser whose help keeps the line breaks of its texts; options are not abbreviated."""
    return ArgumentParser(
        prog=name,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
