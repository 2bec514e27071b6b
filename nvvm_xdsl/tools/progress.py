"""Progress of long operations on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

ItemT = TypeVar("ItemT")


def awaited(work: Iterable[ItemT], text: str) -> Iterator[ItemT]:
    """Yields the items of a slow iterable.

    While the next one is computed, standard error shows the text, its number, and the elapsed time,
    if it is a terminal.
    """
    iterator = iter(work)
    number = 1
    while True:
        with _shown(f"{text} {number}"):
            found = list(islice(iterator, 1))
        if not found:
            return
        yield found[0]
        number += 1


def _shown(text: str) -> AbstractContextManager[object]:
    """Shows a text with a spinner; nothing if standard error is not a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    # Redirected streams would write the results on standard output to standard error.
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task(text)
    return bar
