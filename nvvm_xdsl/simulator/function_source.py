"""Source of a simulated function: the dispatch between its segments."""

from __future__ import annotations

from collections.abc import Sequence


def function_source(
    signature: str,
    results: Sequence[str],
    initial: Sequence[str],
    prologue: Sequence[str],
    bodies: Sequence[Sequence[str]],
    waits: bool,
) -> str:
    """The source of a function.

    Arguments:
        signature: name and parameters.
        results: the variables that the function returns.
        initial: the variables that are None at first.
        prologue: lines before the first segment.
        bodies: the lines of each segment; the variable `b` is the number of the current one.
        waits: whether lanes may be parked at a barrier or call; the function is then a generator.
    """
    out = [f"def {signature}:"]
    out.append("  blk.enter()")
    for start in range(0, len(initial), 200):
        out.append("  " + " = ".join(initial[start : start + 200]) + " = None")
    out.append("  pend = {}")
    if waits:
        out.append("  parked = {}; children = []")
    out.append("  b = 0; full = True; entered = m")
    out += ["  " + text for text in prologue]
    out.append("  while True:")
    out.append("    if m is None:")
    if waits:
        out += [
            "      while True:",
            "        b, m = blk.ready(pend, parked, children)",
            "        if m is not None or b == -1: break",
            "        yield",
            "      if m is None: break",
            "      full = not pend and not parked and not children",
        ]
    else:
        out += ["      if not pend: break", "      b, m = blk.pick(pend)", "      full = not pend"]
    _append_dispatch(out, bodies, 0, len(bodies), "    ")
    out.append("  blk.depth -= 1")
    out.append(f"  return ({''.join(r + ', ' for r in results)})")
    return "\n".join(out) + "\n"


def _append_dispatch(
    out: list[str], bodies: Sequence[Sequence[str]], low: int, high: int, indent: str
) -> None:
    """Appends the segments `low` to `high`, exclusive, under a binary search for `b`."""
    if high - low == 1:
        out += [indent + text for text in bodies[low]] or [indent + "pass"]
        return
    if high - low <= 3:
        for number in range(low, high):
            head = "if" if number == low else "elif"
            out.append(f"{indent}{head} b == {number}:" if number < high - 1 else f"{indent}else:")
            out += [indent + "  " + text for text in bodies[number]] or [indent + "  pass"]
        return
    middle = (low + high) // 2
    out.append(f"{indent}if b < {middle}:")
    _append_dispatch(out, bodies, low, middle, indent + "  ")
    out.append(f"{indent}else:")
    _append_dispatch(out, bodies, middle, high, indent + "  ")
