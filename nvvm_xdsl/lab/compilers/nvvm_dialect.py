"""Conversion of current LLVM assembly to the dialect of libNVVM 13.0.

libNVVM's modern dialect is that of an older LLVM: it accepts opaque pointers and most attributes,
requires `!nvvmir.version` and the size of lifetime markers, and supports some intrinsics only under
older names. The conversions were determined by experiments with small modules.
"""

from __future__ import annotations

import re
from typing import Final

# libNVVM 13.5 rejects every other layout string, even equivalent ones such as clang's.
_LAYOUT: Final = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)

_DROPPED: Final = (
    r" (?:dead_on_return|nocreateundeforpoison)\b(?:\(\d+\))?",
    r" errnomem: \w+,?",
    r", (?:target_mem\d|errnomem): \w+",
    r"(?m)^!llvm\.errno\.tbaa = .*$",
)
"""Constructs newer than the dialect that do not affect results."""

_CALLS: Final = (
    (r"@llvm\.nvvm\.fabs(\.ftz)?\.f32(?=\()", r"@llvm.nvvm.fabs\1.f"),
    (r"@llvm\.nvvm\.fabs\.f64(?=\()", r"@llvm.nvvm.fabs.d"),
    (r"@llvm\.nvvm\.ex2\.approx(\.ftz)?\.f32(?=\()", r"@llvm.nvvm.ex2.approx\1.f"),
    (
        r"call (?:noundef )?i32 @llvm\.nvvm\.activemask\(\)",
        'call i32 asm sideeffect "activemask.b32 $0;", "=r"()',
    ),
    (
        r"@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(i32 (?:noundef )?0\)",
        "@llvm.nvvm.barrier0()",
    ),
    (r"@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.all\(", "@llvm.nvvm.barrier.n("),
    (r"@llvm\.nvvm\.barrier\.cta\.sync\.aligned\.count\(", "@llvm.nvvm.barrier("),
    (r"@llvm\.nvvm\.barrier\.cta\.sync\.all\(", "@llvm.nvvm.barrier.sync("),
    (r"@llvm\.nvvm\.barrier\.cta\.sync\.count\(", "@llvm.nvvm.barrier.sync.cnt("),
)

_DECLARATIONS: Final = {
    "llvm.nvvm.barrier0": "void @llvm.nvvm.barrier0()",
    "llvm.nvvm.barrier.n": "void @llvm.nvvm.barrier.n(i32)",
    "llvm.nvvm.barrier": "void @llvm.nvvm.barrier(i32, i32)",
    "llvm.nvvm.barrier.sync": "void @llvm.nvvm.barrier.sync(i32)",
    "llvm.nvvm.barrier.sync.cnt": "void @llvm.nvvm.barrier.sync.cnt(i32, i32)",
    "llvm.nvvm.barrier0.popc": "i32 @llvm.nvvm.barrier0.popc(i32)",
    "llvm.nvvm.barrier0.and": "i32 @llvm.nvvm.barrier0.and(i32)",
    "llvm.nvvm.barrier0.or": "i32 @llvm.nvvm.barrier0.or(i32)",
}

_REDUCTION: Final = re.compile(
    r"( *)(%[\w.]+) = call (?:i1|i32) @llvm\.nvvm\.barrier\.cta\.red\.(and|or|popc)\.aligned\.all"
    r"\(i32 0, i1 ([%\w.]+)\)[^\n]*"
)

_LIFETIME: Final = re.compile(r"(@llvm\.lifetime\.(?:start|end)\.p\d\()(?!i64)")


def as_nvvm_ir(text: str) -> str:
    """The same module for libNVVM. Unsupported constructs are unchanged, so that libNVVM reports
    them."""
    text = re.sub(r'(?m)^target datalayout = "[^"]*"\n', "", text)
    text = f'target datalayout = "{_LAYOUT}"\n{text}'
    if "target triple" not in text:
        text = f'target triple = "nvptx64-nvidia-cuda"\n{text}'
    for pattern in _DROPPED:
        text = re.sub(pattern, "", text)
    text = re.sub(r"(?m)^declare [^\n]*@llvm\.nvvm\.barrier\.cta\.[^\n]*\n", "", text)
    for pattern, replacement in _CALLS:
        text = re.sub(pattern, replacement, text)
    text = _with_reductions(text)
    text = _with_lifetime_sizes(text)
    missing = [
        f"declare {declaration} #9990\n"
        for name, declaration in _DECLARATIONS.items()
        if re.search(rf"call [^\n]*@{re.escape(name)}\(", text)
        and not re.search(rf"declare [^\n]*@{re.escape(name)}\(", text)
    ]
    if missing:
        text += "\n" + "".join(missing) + "attributes #9990 = { convergent nounwind }\n"
    return _with_version(text)


def _with_reductions(text: str) -> str:
    """Barrier reductions with i32 operands and results, where current LLVM has i1."""
    count = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        indent, result, operation, operand = match.groups()
        wide = f"%barrier.operand.{count}"
        lines = [f"{indent}{wide} = zext i1 {operand} to i32"]
        if operation == "popc":
            lines.append(f"{indent}{result} = call i32 @llvm.nvvm.barrier0.popc(i32 {wide})")
        else:
            found = f"%barrier.result.{count}"
            lines.append(f"{indent}{found} = call i32 @llvm.nvvm.barrier0.{operation}(i32 {wide})")
            lines.append(f"{indent}{result} = icmp ne i32 {found}, 0")
        return "\n".join(lines)

    return _REDUCTION.sub(replace, text)


def _with_lifetime_sizes(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        line_start = text.rfind("\n", 0, match.start()) + 1
        declares = text[line_start : match.start()].lstrip().startswith("declare")
        return match[1] + ("i64 immarg, " if declares else "i64 -1, ")

    return _LIFETIME.sub(replace, text)


def _with_version(text: str) -> str:
    if "nvvmir.version" in text:
        return text
    number = max((int(n) for n in re.findall(r"(?m)^!(\d+) = ", text)), default=-1) + 1
    return f"{text}\n!nvvmir.version = !{{!{number}}}\n!{number} = !{{i32 2, i32 0}}\n"
