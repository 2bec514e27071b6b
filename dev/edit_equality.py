"""Compares compilations with cached functions with compilations of the whole module, after random edits.

    python -m dev.edit_equality --edits 2000 [--seed 0] [--keep DIRECTORY]

Modules with kernels, device functions of one or of several kernels, variables, strings and metadata are generated, and edited step by step: constants,
operations, callees, attributes, linkage, variables, the order of definitions, the numbers of metadata. The PTX and the messages,
or the error, must be equal after every edit. `--keep` writes the modules that differ. Statistics of the cache are printed at the end.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nvvm_xdsl.driver.cache import Cache
from nvvm_xdsl.driver.compile import compile_files
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError

HEAD = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""

DECLARATIONS = """\
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @vprintf(ptr, ptr)
declare float @__nv_expf(float)
declare float @__nv_sinf(float)
"""

ATTRIBUTES = """\
attributes #0 = { noinline }
attributes #1 = { nounwind "fp-contract"="fast" }
attributes #2 = { alwaysinline }
"""

METADATA = """\
!llvm.module.flags = !{!10}
!nvvm.annotations = !{!20}
!10 = !{i32 1, !"wchar_size", i32 4}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"tbaa"}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.disable"}
!20 = !{ptr @k0, !"maxntidx", i32 128}
"""

OPERATIONS = ("add", "sub", "mul", "xor", "and", "or", "shl")
EDITS_PER_MODULE = 40


def own_or_other(number: int, count: int, chance: random.Random) -> int:
    """A number below the count, mostly the given one, so that most kernels are independent."""
    return number % count if chance.random() < 0.85 else chance.randrange(count)


def function_text(number: int, chance: random.Random) -> str:
    """A device function."""
    linkage = chance.choice(("internal ", "internal ", ""))
    group = chance.choice(("", " #0", " #1", " #2"))
    callee = (
        f"  %c = call i32 @d{number - 1}(i32 %b)\n" if number and chance.random() < 0.15 else ""
    )
    return (
        f"define {linkage}i32 @d{number}(i32 %x){group} {{\n"
        f"  %a = {chance.choice(OPERATIONS)} i32 %x, {chance.randrange(1, 30)}\n"
        f"  %b = {chance.choice(OPERATIONS)} i32 %a, %x\n{callee}"
        f"  %r = {chance.choice(OPERATIONS)} i32 %b, {'%c' if callee else '%a'}\n"
        "  ret i32 %r\n}\n"
    )


def helper_text(number: int, chance: random.Random) -> str:
    """A device function that is mostly inlined into all kernels: with a pointer, or with numbers only."""
    linkage = chance.choice(("internal ", "linkonce_odr ", "linkonce_odr "))
    operation, constant = chance.choice(OPERATIONS), chance.randrange(1, 30)
    if number == 0:
        return (
            f"define {linkage}i32 @h0(ptr addrspace(1) %p, i32 %x) #2 {{\n"
            "  store i32 %x, ptr addrspace(1) %p, align 4\n"
            "  %g = load i32, ptr addrspace(1) @g0, align 4\n"
            f"  %r = {operation} i32 %g, {constant}\n  ret i32 %r\n}}\n"
        )
    inner = chance.choice(("", f"  %c = call i32 @h{number + 1}(i32 %a)\n")) if number < 3 else ""
    return (
        f"define {linkage}i32 @h{number}(i32 %x){chance.choice((' #2', ' #2', ' #1'))} {{\n"
        f"  %a = {operation} i32 %x, {constant}\n{inner}"
        f"  %r = {chance.choice(OPERATIONS)} i32 %a, {'%c' if inner else '%x'}\n  ret i32 %r\n}}\n"
    )


def kernel_text(number: int, functions: int, chance: random.Random) -> str:
    """A kernel with one or more of: calls, a loop, shared memory, printf, libdevice."""
    lines = [
        f"define ptx_kernel void @k{number}(ptr addrspace(1) {chance.choice(('', 'noalias '))}%p, i32 %n, float %f){chance.choice(('', ' #1'))} {{",
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        f"  %v0 = {chance.choice(OPERATIONS)} i32 %t, {chance.randrange(1, 30)}",
    ]
    last = "%v0"
    if chance.random() < 0.6:
        lines.append(f"  %v1 = call i32 @d{own_or_other(number, functions, chance)}(i32 {last})")
        last = "%v1"
    for helper in range(1, 4):
        if chance.random() < 0.4:
            lines.append(f"  %h{helper} = call i32 @h{helper}(i32 {last})")
            last = f"%h{helper}"
    if chance.random() < 0.1:
        lines.append(f"  %h0 = call i32 @h0(ptr addrspace(1) %p, i32 {last})")
        last = "%h0"
    if chance.random() < 0.3:
        variable = f"@g{own_or_other(number, 3, chance)}"
        lines.append(f"  %v2 = load i32, ptr addrspace(1) {variable}, align 4, !tbaa !11")
        lines.append(f"  %v3 = add i32 {last}, %v2")
        last = "%v3"
        if chance.random() < 0.5:
            lines.append(f"  store i32 {last}, ptr addrspace(1) {variable}, align 4")
    if chance.random() < 0.3:
        lines.append(f"  %s = getelementptr [64 x i32], ptr addrspace(3) @s{number}, i32 0, i32 %t")
        lines.append(f"  store i32 {last}, ptr addrspace(3) %s, align 4")
        lines.append("  call void @llvm.nvvm.barrier0()")
        lines.append("  %v4 = load i32, ptr addrspace(3) %s, align 4")
        last = "%v4"
    if chance.random() < 0.15:
        lines.append(
            f"  %io = call i32 @vprintf(ptr @c{own_or_other(number, 3, chance)}, ptr null)"
        )
    if chance.random() < 0.05:
        lines.append(f"  %e = call float @__nv_{chance.choice(('expf', 'sinf'))}(float %f)")
        lines.append("  %b = bitcast float %e to i32")
        lines.append(f"  %v5 = xor i32 {last}, %b")
        last = "%v5"
    lines.append("  br label %loop" if chance.random() < 0.4 else "  br label %end")
    if lines[-1].endswith("loop"):
        lines += [
            "loop:",
            "  %i = phi i32 [ 0, %0 ], [ %j, %loop ]",
            "  %j = add i32 %i, 1",
            "  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i",
            f"  store i32 {last}, ptr addrspace(1) %q, align 4, !tbaa !11",
            f"  %m = icmp slt i32 %j, {chance.choice(('%n', '4', '40'))}",
            f"  br i1 %m, label %loop, label %end{chance.choice(('', ', !llvm.loop !14'))}",
        ]
    lines += ["end:", f"  store i32 {last}, ptr addrspace(1) %p, align 4", "  ret void", "}"]
    return "\n".join(lines) + "\n"


def variables_text(kernels: int, chance: random.Random) -> list[str]:
    """Variables in global and shared memory, and strings."""
    found = [
        f"@g{number} = {chance.choice(('internal ', ''))}addrspace(1) global i32 {chance.randrange(9)}, align 4\n"
        for number in range(3)
    ]
    found += [
        f'@c{number} = private unnamed_addr constant [{number // 2 + 3} x i8] c"{"x" * (number // 2)}{chance.choice("ab")}\\0A\\00"\n'
        for number in range(3)
    ]
    found += [
        f"@s{number} = internal addrspace(3) global [64 x i32] undef, align 4\n"
        for number in range(kernels)
    ]
    return found


@dataclass
class Module:
    """A module as a list of definitions, in which functions and variables can be moved."""

    definitions: list[str]
    metadata: str

    @staticmethod
    def random(chance: random.Random) -> Module:
        """A new module."""
        kernels = chance.randrange(2, 5)
        functions = chance.randrange(1, 5)
        made = variables_text(kernels, chance)
        made += [function_text(number, chance) for number in range(functions)]
        made += [helper_text(number, chance) for number in range(4)]
        made += [kernel_text(number, functions, chance) for number in range(kernels)]
        return Module(made, METADATA)

    def text(self) -> str:
        """The module as LLVM assembly."""
        body = "\n".join(self.definitions)
        # libdevice is linked only if it is declared, which takes longer than the compilation.
        declared = [
            line for line in DECLARATIONS.splitlines() if "__nv_" not in line or _name(line) in body
        ]
        return HEAD + body + "\n".join(declared) + "\n" + ATTRIBUTES + self.metadata


def _name(declaration: str) -> str:
    return declaration[declaration.index("@") : declaration.index("(")]


Edit = Callable[[Module, random.Random], None]


def _replace_match(module: Module, chance: random.Random, pattern: str, new: str) -> None:
    """Replaces one random match of a pattern in the definitions."""
    places = [
        (number, match)
        for number, text in enumerate(module.definitions)
        for match in re.finditer(pattern, text)
    ]
    if places:
        number, match = chance.choice(places)
        text = module.definitions[number]
        module.definitions[number] = text[: match.start()] + new + text[match.end() :]


def _constant(module: Module, chance: random.Random) -> None:
    _replace_match(module, chance, r"(?<=, )\d+(?=\n)", str(chance.randrange(64)))


def _operation(module: Module, chance: random.Random) -> None:
    _replace_match(
        module, chance, rf"\b(?:{'|'.join(OPERATIONS)})\b(?= i32)", chance.choice(OPERATIONS)
    )


def _callee(module: Module, chance: random.Random) -> None:
    defined = re.findall(r"^define.* i32 (@d\d)", "".join(module.definitions), re.MULTILINE)
    _replace_match(module, chance, r"(?<=call i32 )@d\d", chance.choice(defined))


def _attributes(module: Module, chance: random.Random) -> None:
    _replace_match(
        module, chance, r"(?<=\))(?: #\d)?(?= \{)", chance.choice(("", " #0", " #1", " #2"))
    )


def _linkage(module: Module, chance: random.Random) -> None:
    _replace_match(
        module,
        chance,
        r"(?<=define )(?:internal |weak |linkonce_odr )?(?=i32)",
        chance.choice(("", "internal ", "weak ", "linkonce_odr ")),
    )


def _variable(module: Module, chance: random.Random) -> None:
    edits = (
        (r"(?<=global i32 )\d", str(chance.randrange(9))),
        (r"(?<== )(?:internal )?(?=addrspace\(1\))", chance.choice(("", "internal "))),
        (r"(?<=addrspace\(1\) )(?:global|constant)", chance.choice(("global", "constant"))),
        (r'(?<=c")[abc]', chance.choice("abc")),
        (r"@g\d(?=, align)", f"@g{chance.randrange(3)}"),
        (r"@s\d(?=, i32)", f"@s{chance.randrange(2)}"),
        (r"@c\d(?=, ptr)", f"@c{chance.randrange(3)}"),
    )
    _replace_match(module, chance, *chance.choice(edits))


def _order(module: Module, chance: random.Random) -> None:
    moved = module.definitions.pop(chance.randrange(len(module.definitions)))
    module.definitions.insert(chance.randrange(len(module.definitions) + 1), moved)


def _rewrite(module: Module, chance: random.Random) -> None:
    """Replaces a kernel by another random one."""
    kernels = [n for n, text in enumerate(module.definitions) if "ptx_kernel" in text]
    number = chance.choice(kernels)
    name = re.search(r"@k(\d)", module.definitions[number])
    assert name is not None
    module.definitions[number] = kernel_text(int(name[1]), 1, chance)


def _numbers(module: Module, chance: random.Random) -> None:
    """Renumbers metadata."""
    shift = chance.randrange(30, 60)

    def shifted(text: str) -> str:
        return re.sub(r"!(\d+)", lambda match: f"!{(int(match[1]) + shift) % 1000}", text)

    module.definitions = [shifted(text) for text in module.definitions]
    module.metadata = shifted(module.metadata)


def _comment(module: Module, chance: random.Random) -> None:
    _replace_match(module, chance, r"(?<=\{)\n", '\n  ; a comment, with " and !5\n')


EDITS: Sequence[Edit] = (
    *(_constant, _operation, _callee, _attributes, _linkage, _variable, _variable),
    *(_order, _rewrite, _numbers, _comment),
)


def outcome(path: Path, options: CompileOptions, cache: Cache | None) -> tuple[str, list[str]]:
    """The PTX or the error, and the messages in alphabetical order."""
    said: list[str] = []
    try:
        return compile_files([str(path)], options, remark=said.append, cache=cache), sorted(
            set(said)
        )
    except DiagnosticError as error:
        return error.render(), []


def differences(edits: int, seed: int, keep: Path | None = None) -> tuple[int, int]:
    """Compares after each edit, and prints the edits that differ.

    Returns their number, and the number of edits that used cached parts.
    """
    chance = random.Random(seed)
    wrong = joined = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        path = Path(folder) / "module.ll"
        module = Module.random(chance)
        options = CompileOptions(arch="sm_90")
        for number in range(edits):
            if number % EDITS_PER_MODULE == 0:
                module = Module.random(chance)
                options = CompileOptions(arch="sm_90", opt_level=chance.choice((3, 3, 3, 2, 1, 0)))
            else:
                chance.choice(EDITS)(module, chance)
            path.write_text(module.text())
            hits = cache.statistics()["hits"]
            cached = outcome(path, options, cache)
            joined += cache.statistics()["hits"] > hits
            if cached != outcome(path, options, None):
                wrong += 1
                print(f"edit {number} of seed {seed}: the outputs differ", file=sys.stderr)
                if keep is not None:
                    (keep / f"{seed}-{number}.ll").write_text(module.text())
            if number % 100 == 99:
                print(
                    f"{number + 1} edits, {joined} with cached parts, {wrong} differences",
                    file=sys.stderr,
                    flush=True,
                )
        print(dict(cache.statistics()), file=sys.stderr)
    return wrong, joined


def main() -> int:
    """Runs the comparison; returns 1 if outputs differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    return int(differences(arguments.edits, arguments.seed, arguments.keep)[0] > 0)


if __name__ == "__main__":
    sys.exit(main())
