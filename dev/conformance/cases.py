"""Cases of LLVM's and MLIR's test files: modules, targets, and options of the tool.

A file of `llvm/test/CodeGen/NVPTX` is compiled for each target that the `llc` commands of its RUN
lines name; a file of `mlir/test` is the modules between its `// -----`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH
from nvvm_xdsl.dialects.nvptx.target import Target, TargetError

LEVELS: Final = (0, 3)
"""The optimization levels at which LLVM's tests are compiled."""


@dataclass(frozen=True)
class Case:
    """One module that must be accepted or rejected.

    Arguments:
        file: the test file's name.
        text: the module.
        line: the line of the file at which the module begins, from 1.
        arch: the target of LLVM assembly; empty for MLIR, which is only read and verified.
        ptx_version: ten times the minimum PTX version; 0 if none is stated.
        level: optimization level.
        triple: target triple of LLVM assembly, with 64-bit pointers.
        options: options of `mlir-opt` that affect the validity of input.
    """

    file: str
    text: str
    line: int = 1
    arch: str = ""
    ptx_version: int = 0
    level: int = 0
    triple: str = ""
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The case within its file: `sm_90 -O3`, or the line of its module."""
        place = f"line {self.line} " if self.line > 1 else ""
        return f"{place}{self.arch} -O{self.level}" if self.arch else place.strip() or "line 1"


def cases_of(path: Path) -> Iterator[Case]:
    """The cases of a test file: `.ll` or `.mlir`."""
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    yield from _mlir_cases(path.name, text) if path.suffix == ".mlir" else _ll_cases(path, text)


# LLVM

_RUN = re.compile(r"^\s*(?:;|//)\s*RUN:(.*)$", re.M)
_CPU = re.compile(r"-mcpu[= ](sm_\w+)")
_PTX_FEATURE = re.compile(r"-mattr=\S*\+ptx(\d+)")
_TRIPLE = re.compile(r"-m(?:triple|arch)[= ](nvptx64\S*)")
_NVPTX64 = "nvptx64-nvidia-cuda"
_STATED_TRIPLE = re.compile(r"^target triple = .*$", re.M)
_SHORT_LAYOUT = re.compile(r'^target datalayout = "e-p:32.*$', re.M)
_PART = re.compile(r"^;\s?---[ \t]+(\S+).*\n", re.M)
"""The line with which `split-file` begins a part."""


def run_commands(text: str) -> list[str]:
    """The commands of the RUN lines, with continued lines joined and pipes split."""
    lines = "\n".join(line.strip() for line in _RUN.findall(text))
    joined = re.sub(r"\\\n", " ", lines)
    return [part.strip() for line in joined.splitlines() for part in re.split(r"\||%\{", line)]


def targets_of(text: str) -> list[tuple[str, int, str]]:
    """The targets of the `llc` commands, each once: GPU, least PTX version and triple.

    A GPU that the current ptxas does not support is replaced by the default GPU without a PTX
    version, and a 32-bit triple by a 64-bit one.
    """
    found: dict[tuple[str, int, str], None] = {}
    for command in run_commands(text):
        if command.split(" ")[0] != "llc":
            continue
        cpu, feature = _CPU.search(command), _PTX_FEATURE.search(command)
        arch, version = DEFAULT_ARCH, 0
        if cpu is not None and _is_known(cpu[1]):
            arch = cpu[1]
            version = int(feature[1]) if feature is not None else 0
        triple = _TRIPLE.search(command)
        found[arch, version, _NVPTX64 if triple is None else triple[1]] = None
    return list(found) or [(DEFAULT_ARCH, 0, _NVPTX64)]


def _is_known(arch: str) -> bool:
    try:
        return Target.parse(arch).sm >= Target.parse(DEFAULT_ARCH).sm
    except TargetError:
        return False


def _ll_cases(path: Path, text: str) -> Iterator[Case]:
    for part, line in _parts(text, _PART):
        if not re.search(r"^(define|declare|@)", part, re.M):
            continue
        for arch, version, triple in targets_of(text):
            # llc's options override the target in the text.
            module = _SHORT_LAYOUT.sub("", _STATED_TRIPLE.sub(f'target triple = "{triple}"', part))
            for level in LEVELS:
                yield Case(path.name, module, line, arch, version, level, triple)


def _parts(text: str, between: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """The parts of a text with the lines at which they begin."""
    start = 0
    for match in between.finditer(text):
        yield text[start : match.start()], text.count("\n", 0, start) + 1
        start = match.end()
    yield text[start:], text.count("\n", 0, start) + 1


# MLIR

_CHUNK = re.compile(r"^// -----.*\n", re.M)
_KEPT = ("-allow-unregistered-dialect", "--allow-unregistered-dialect")


def _mlir_cases(name: str, text: str) -> Iterator[Case]:
    commands = " ".join(run_commands(text)).split()
    options = tuple(dict.fromkeys(option for option in commands if option in _KEPT))
    parts = _parts(text, _CHUNK) if "split-input-file" in text else iter([(text, 1)])
    for part, line in parts:
        if re.sub(r"//.*", "", part).strip():
            yield Case(name, part, line, options=options)
