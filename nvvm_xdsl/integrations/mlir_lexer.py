"""A Pygments lexer for MLIR; Pygments itself has lexers for LLVM IR and PTX only."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Whitespace


class MlirLexer(RegexLexer):
    """The tokens of MLIR's language reference ("Notation"), as far as highlighting distinguishes
    them."""

    name = "MLIR"
    aliases = ["mlir"]
    tokens = {
        "root": [
            (r"\s+", Whitespace),
            (r"//.*", Comment.Single),
            (r'"(?:[^"\\]|\\.)*"', String),
            (r'@(?:[\w$.-]+|"[^"]*")', Name.Function),
            (r"%[\w$.-]+(?:#\d+)?", Name.Variable),
            (r"\^[\w$.-]+", Name.Label),
            (r"[#!][A-Za-z_][\w$.]*", Keyword.Type),
            (r"(?:[su]?i\d+|b?f\d+\w*|index|vector|tuple|none)\b", Keyword.Type),
            (r"[A-Za-z_]\w*(?:\.[\w$]+)+", Name.Builtin),
            (r"-?0x[0-9A-Fa-f]+|-?\d+(?:\.\d*(?:[eE][+-]?\d+)?)?", Number),
            (r"[A-Za-z_]\w*", Keyword),
            (r".", Punctuation),
        ]
    }
