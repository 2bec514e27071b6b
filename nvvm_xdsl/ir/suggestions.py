"""Which known names a misspelled one is like, for messages."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_MISSPELLED = re.compile(r"[^A-Za-z0-9]+")


def suggestions(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that are most like a misspelled one, best first."""
    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, count, 0.6)
    plain = _MISSPELLED.sub("", name.lower())
    same = [n for n in names if _MISSPELLED.sub("", n.lower()) == plain and n not in close]
    return (same + close)[:count]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'a' or 'b'?`, or nothing when no known name is like it."""
    found = [f"'{n}'" for n in suggestions(name, known)]
    if not found:
        return ""
    if len(found) == 1:
        return f"; did you mean {found[0]}?"
    return f"; did you mean {', '.join(found[:-1])} or {found[-1]}?"
