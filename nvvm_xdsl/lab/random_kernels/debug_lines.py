"""Debug information for random kernels: a location for each instruction, a variable for some values."""

from __future__ import annotations

import random
import re

FILE = "random.cu"

VARIABLE_SHARE = 0.4
"""Share of values, of types with debug types, that are values of a variable."""

_DEFINE = re.compile(r"^define .*?@([\w.]+)\(.*\{$")
_RESULT = re.compile(r"^  (%[\w.]+) = (?!phi |alloca )")
_TYPED = re.compile(
    r"^  %[\w.]+ = (?:add|sub|mul|and|or|xor|load|shl|lshr|ashr)\b[^<{]*?\b(i8|i16|i32|i64)\b"
)

TYPES = {
    "i8": ("signed char", 8, "DW_ATE_signed_char"),
    "i16": ("short", 16, "DW_ATE_signed"),
    "i32": ("int", 32, "DW_ATE_signed"),
    "i64": ("long", 64, "DW_ATE_signed"),
}


def with_debug_information(text: str, chance: random.Random) -> str:
    """The module with debug information of its functions, as clang emits it for -g."""
    nodes = [
        "distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)",
        f'!DIFile(filename: "{FILE}", directory: "/")',
        "!DISubroutineType(types: !3)",
        "!{null}",
        '!{i32 2, !"Debug Info Version", i32 3}',
    ]

    def node(content: str) -> int:
        nodes.append(content)
        return len(nodes) - 1

    types = {
        type_: node(f'!DIBasicType(name: "{name}", size: {size}, encoding: {encoding})')
        for type_, (name, size, encoding) in TYPES.items()
    }
    lines: list[str] = []
    scope = 0
    for number, line in enumerate(text.splitlines(), start=1):
        define = _DEFINE.match(line)
        if define is not None:
            name = define.group(1)
            scope = node(
                f'distinct !DISubprogram(name: "{name}", scope: !1, file: !1, line: {number}, type: !2, unit: !0, spFlags: DISPFlagDefinition)'
            )
            line = f"{line[:-1]}!dbg !{scope} {{"
        elif line == "}":
            scope = 0
        elif scope and line.startswith("  ") and " = phi " not in line and " = alloca " not in line:
            place = node(f"!DILocation(line: {number}, column: 3, scope: !{scope})")
            located = f"{line}, !dbg !{place}"
            typed = _TYPED.match(line)
            result = _RESULT.match(line)
            if typed and result and chance.random() < VARIABLE_SHARE:
                type_ = typed.group(1)
                variable = node(
                    f'!DILocalVariable(name: "v{number}", scope: !{scope}, file: !1, line: {number}, type: !{types[type_]})'
                )
                value = f"{type_} {result.group(1)}"
                located += f"\n    #dbg_value({value}, !{variable}, !DIExpression(), !{place})"
            line = located
        lines.append(line)
    lines += ["", "!llvm.dbg.cu = !{!0}", "!llvm.module.flags = !{!4}"]
    lines += [f"!{number} = {content}" for number, content in enumerate(nodes)]
    return "\n".join([*lines, ""])
