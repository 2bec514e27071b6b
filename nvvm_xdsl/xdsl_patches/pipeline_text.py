"""Syntax of pass options that xDSL's pipelines lack."""

from __future__ import annotations

import re


def accept_angle_brackets() -> None:
    """Makes xDSL's pipelines accept `pass<a;b>` for `pass{a b}`.

    The rules are private to xDSL. If another release has others, only this syntax is missing.
    """
    try:
        from xdsl.utils import arg_spec

        rules = arg_spec._lexer_rules  # pyright: ignore[reportPrivateUsage]
        kinds = arg_spec.SpecTokenKind
        if not any(pattern.pattern == "<" for pattern, _ in rules):
            rules[:0] = [
                (re.compile("<"), kinds.L_BRACE),
                (re.compile(">"), kinds.R_BRACE),
                (re.compile(";"), kinds.SPACE),
            ]
    except (ImportError, AttributeError, TypeError):
        pass
