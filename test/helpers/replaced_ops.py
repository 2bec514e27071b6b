"""The ops by which the reader replaces an op of MLIR's main branch."""

from __future__ import annotations

from nvvm_xdsl.driver.compile import parse, verify

_OTHERS = ("llvm.func", "llvm.return", "llvm.store")


def replacement(text: str) -> str:
    """The ops of a module with one op in a function; a call by its intrinsic and the constant argument that comes last."""
    module = parse(text, format="mlir")
    verify(module)
    constants: dict[str, str] = {}
    found: list[str] = []
    for line in str(module).splitlines():
        words = line.split()
        if "llvm.mlir.constant(" in line:
            constants[words[0]] = line.partition("(")[2].partition(")")[0].partition(" ")[0]
        elif '"llvm.nvvm.' in line:
            name = line.split('"')[1].removeprefix("llvm.nvvm.")
            last = line.partition('"(')[2].partition(")")[0].split(", ")[-1]
            found.append(f"{name} {constants[last]}" if last in constants else name)
        else:
            name = next((w for w in words if w.startswith(("llvm.", "nvvm."))), "")
            if name and name not in _OTHERS:
                found.append(name)
    return "; ".join(found)
