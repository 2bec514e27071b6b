"""Suggestions for misspelled names in messages."""

from __future__ import annotations

from collections.abc import Iterable


def suggestions(name: str, known: Iterable[str], count: int = 3) -> list[str]:
    """The known names that are most similar to a misspelled one, best first."""
    import difflib

    names = sorted(set(known))
    close = difflib.get_close_matches(name, names, count, 0.6)
    plain = _letters(name)
    same = [n for n in names if _letters(n) == plain and n not in close]
    return (same + close)[:count]


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isascii() and c.isalnum())


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'a' or 'b'?`, or the empty string if no known name is similar."""
    found = [f"'{n}'" for n in suggestions(name, known)]
    if not found:
        return ""
    if len(found) == 1:
        return f"; did you mean {found[0]}?"
    return f"; did you mean {', '.join(found[:-1])} or {found[-1]}?"
