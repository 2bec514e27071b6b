"""Completion scripts for shells: options, file names, targets and passes, by shtab."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any


def _targets() -> list[str]:
    from nvvm_xdsl.dialects.nvptx.target import known_targets

    return known_targets()


def _pass_names() -> list[str]:
    from nvvm_xdsl.pipeline.registry import rows

    return [row.name for row in rows().values() if row.kind == "pass" and row.implemented]


_VALUES: dict[str, Callable[[], list[str]]] = {
    "-arch": _targets,
    "-p": _pass_names,
    "--passes": _pass_names,
    "--machine-passes": _pass_names,
}
"""Functions that return the values of an option for completion scripts, by the option's name."""


class _PrintCompletion(argparse.Action):
    """Prints the completions of the command line for a shell, and stops."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        try:
            import shtab
        except ImportError:
            parser.error("--print-completion needs shtab: pip install shtab")
        for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
            if not action.option_strings or action.metavar in _FILES:
                action.complete = shtab.FILE  # pyright: ignore[reportAttributeAccessIssue]
            elif values_of := _VALUES.get(action.option_strings[0]):
                action.choices = values_of()
        script = shtab.complete(parser, shell=values)
        sys.stdout.write(_with_bash_words(script, parser) if values == "bash" else script)
        parser.exit()


def _with_bash_words(script: str, parser: argparse.ArgumentParser) -> str:
    """The script with a function that adapts the words of bash to shtab's functions."""
    name = parser.prog.replace("-", "_")
    options = (
        option
        for action in parser._actions  # pyright: ignore[reportPrivateUsage]
        if action.option_strings and _VALUES.get(action.option_strings[0]) is _pass_names
        for option in action.option_strings
    )
    completes = f"complete -o bashdefault -F _shtab_{name} {parser.prog}"
    if completes not in script:
        return script
    function = _BASH_WORDS.format(name=name, options="|".join(options) or "-p")
    return script.replace(completes, function + completes.replace("_shtab_", "_words_"))


_BASH_WORDS = """\
# bash separates an option from its value at `=`, and a pipeline is one word.
_words_{name}() {{
  local words=() word pipeline="" cursor=$COMP_CWORD quotes="\\"'" index
  for index in "${{!COMP_WORDS[@]}}"; do
    word="${{COMP_WORDS[index]}}"
    if [[ "$word" == "=" ]]; then
      if (( index < COMP_CWORD )); then (( cursor-- )); continue; fi
      if (( index == COMP_CWORD )); then word=""; fi
    fi
    words+=("$word")
  done
  word="${{words[cursor]}}"
  if [[ "${{words[cursor-1]}}" =~ ^({options})$ ]]; then
    words[cursor]="${{word##*[,($quotes]}}"
    pipeline="${{word%"${{words[cursor]}}"}}"
  fi
  COMP_WORDS=("${{words[@]}}") COMP_CWORD=$cursor
  _shtab_{name}
  # The opening quote is not a part of a completion.
  pipeline="${{pipeline#[$quotes]}}"
  for index in "${{!COMPREPLY[@]}}"; do COMPREPLY[index]="$pipeline${{COMPREPLY[index]}}"; done
}}

"""
"""The function of a tool for bash. It is named before shtab's function, which it calls."""

_FILES = frozenset({"FILE", "OUT", "PATH", "DIR"})
"""Metavariable for a file name in help texts."""

SHELLS = ("bash", "zsh", "tcsh")


def add_completion_argument(parser: argparse.ArgumentParser) -> None:
    """Adds `--print-completion`."""
    parser.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        choices=SHELLS,
        metavar="SHELL",
        help="print the completion script for bash, zsh or tcsh and exit",
    )
