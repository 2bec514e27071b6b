"""nvcc options of `nvvm-cc`: spellings that argparse cannot read, and options without a
counterpart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nvvm_xdsl.ir.diagnostics import DiagnosticError

_WITH_VALUE = {
    "-I": "--include-path",
    "-D": "--define-macro",
    "-U": "--undefine-macro",
    "-Xcompiler": "--compiler-options",
    "-Xptxas": "--ptxas-options",
    "-std": "--std",
}
"""Options whose value may be a separate word that starts with a dash, or may follow without a
space."""

_ATTACHED = ("-I", "-D", "-U")

_SWITCHES = {
    "--use_fast_math": ("-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fmad=1"),
    "-use_fast_math": ("-ftz=1", "-prec-div=0", "-prec-sqrt=0", "-fmad=1"),
    "-dc": ("-rdc=true",),
    "--device-c": ("-rdc=true",),
    "-G": ("-g", "-O0"),
    "-ptx": (),
    "--ptx": (),
    "-res-usage": ("--ptxas-options=-v",),
    "--resource-usage": ("--ptxas-options=-v",),
    # clang has these extensions without an option.
    "-expt-relaxed-constexpr": (),
    "--expt-relaxed-constexpr": (),
    "-extended-lambda": (),
    "--extended-lambda": (),
    "--expt-extended-lambda": (),
}
"""nvcc's options with other names here."""

_NO_HOST = "nvvm-cc generates no host code, and calls no host compiler"

_NO_LIBRARIES = "nvvm-cc compiles device code only, and links no libraries of the host"

_EXPLAINED = {
    "-c": "nvvm-cc compiles device code only: use -ptx (default) or -cubin, and nvcc or clang for the host code",
    "--compile": "nvvm-cc compiles device code only: use -ptx (default) or -cubin",
    "-fatbin": "use -ptx or -cubin, and NVIDIA's fatbinary",
    "-dlto": "link-time code is a format of NVIDIA's compiler: link .ll files with nvvm-cc instead",
    "-link": "nvvm-cc links modules of IR, not objects: give all .cu and .ll files at once",
    "-run": "nvvm-run runs a kernel, without a GPU",
    "-E": "clang -E --cuda-device-only prints the preprocessed source",
    "-ccbin": _NO_HOST,
    "--compiler-bindir": _NO_HOST,
}
"""nvcc's options that have no effect here, and the reason."""

NVCC_OPTIONS = (*_SWITCHES, *_EXPLAINED, "-gencode", "--generate-code")
"""Names of nvcc's options that the parser does not see."""

_LIBRARY = re.compile(r"-[lL](?!ineinfo)\S+")
_WARNING = re.compile(r"-W[a-z][\w=+-]*|-w")
"""Options for warnings; clang has the same ones."""

_TRUTH = {"true": "1", "false": "0"}
_MODES = ("-ftz", "-prec-div", "-prec-sqrt", "-fmad")

_GENCODE = re.compile(r"arch=(?P<arch>\w+)(?:,code=\[?(?P<code>[\w,]+)\]?)?")


def join_nvcc(argv: Iterable[str]) -> list[str]:
    """The arguments of `nvvm-cc` with nvcc's spellings replaced by the parser's.

    Raises DiagnosticError for an option of nvcc that has no counterpart here.
    """
    found: list[str] = []
    gencodes: list[str] = []
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if name in _EXPLAINED:
            raise DiagnosticError(f"{name}: {_EXPLAINED[name]}")
        if _LIBRARY.fullmatch(word):
            raise DiagnosticError(f"{word}: {_NO_LIBRARIES}")
        if word in _SWITCHES:
            found += _SWITCHES[word]
        elif name in ("-gencode", "--generate-code"):
            gencodes.append(value if equals else next(words, ""))
        elif _WARNING.fullmatch(word):
            found.append(f"--compiler-options={word}")
        elif value in _TRUTH and f"-{name.lstrip('-')}" in _MODES:
            found.append(f"-{name.lstrip('-')}={_TRUTH[value]}")
        elif word == "-O":
            found.append(f"-O{next(words, '')}")
        else:
            found.append(word)
    if gencodes:
        found.append(f"-arch={_of_gencodes(gencodes)}")
    return join_clang(found)


def join_clang(argv: Iterable[str]) -> list[str]:
    """A command line with the values of `-I`, `-D`, `-std` and the like joined, and `-arch=native` as the GPU's name.

    Raises DiagnosticError for a GPU that does not exist.
    """
    found: list[str] = []
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if word in _WITH_VALUE or word in _WITH_VALUE.values():
            found.append(f"{_WITH_VALUE.get(word, word)}={next(words, '')}")
        elif word[:2] in _ATTACHED:
            found.append(f"{_WITH_VALUE[word[:2]]}={word[2:]}")
        elif name in _WITH_VALUE and equals:
            found.append(f"{_WITH_VALUE[name]}={value}")
        elif name in ("-arch", "--arch", "--gpu-architecture"):
            target = value if equals else next(words, "")
            if not target or target.startswith("-"):
                raise DiagnosticError(f"{name}: expected a target, for example {name} sm_90")
            found.append(f"-arch={_arch(target)}")
        else:
            found.append(word)
    return found


def _of_gencodes(texts: Sequence[str]) -> str:
    """The target of `-gencode` options. Raises DiagnosticError if they name several."""
    targets = sorted({target for text in texts for target in _targets(text)})
    if len(targets) != 1:
        raise DiagnosticError(
            f"-gencode names {' and '.join(targets)}, but a PTX file has one target: run nvvm-cc once for each, "
            "or once for the lowest, since the driver compiles PTX for newer GPUs"
        )
    return targets[0]


def _targets(text: str) -> Iterator[str]:
    match = _GENCODE.fullmatch(text)
    if match is None:
        raise DiagnosticError(f"-gencode: expected arch=compute_90,code=sm_90, not '{text}'")
    codes = [code for code in (match["code"] or match["arch"]).split(",") if code]
    # `code=[sm_90,compute_90]` is machine code, and the PTX of the same GPU.
    yield from {code.replace("compute_", "sm_") for code in codes}


def _arch(text: str) -> str:
    """The value of -arch, with `native` replaced by the GPU of this machine. Raises
    DiagnosticError."""
    if text in ("all", "all-major"):
        raise DiagnosticError(
            f"-arch={text} names several targets, but a PTX file has one: name it, for example -arch=sm_90"
        )
    return native_arch() if text == "native" else text


def native_arch() -> str:
    """The target of the first GPU of this machine. Raises DiagnosticError if there is none."""
    import subprocess

    command = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
        major, minor = done.stdout.split()[0].split(".")
        return f"sm_{int(major)}{int(minor)}"
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        raise DiagnosticError(
            "-arch=native: nvidia-smi found no GPU; name the target, for example -arch=sm_90"
        ) from None
