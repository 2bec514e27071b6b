"""Locates NVIDIA's assembler and device library.

Search order: `CUDA_HOME`, `CUDA_PATH`, the `cuda` extra's packages (of any 13.x), `/usr/local/cuda`, `/usr/local/cuda-*`
with the newest first, and for programs `PATH`.
`python -m nvvm_xdsl.driver.toolkit ptxas` prints the result.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEFAULT_ROOT = Path("/usr/local/cuda")
"""The folder where CUDA's installer puts the toolkit."""

LIBDEVICE_NAME = "libdevice.10.bc"


def _package_roots() -> Iterator[Path]:
    """The toolkit folders that the `cuda` extra installs: `nvidia/cu13` under site-packages."""
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return
    if spec is None:
        return
    for location in spec.submodule_search_locations or ():
        yield from sorted(Path(location).glob("cu[0-9]*"), reverse=True)


def _toolkit_roots() -> Iterator[Path]:
    yield from _stated_roots()
    yield from _package_roots()
    yield from _installed_roots()


def _stated_roots() -> Iterator[Path]:
    """The toolkits named by environment variables."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        value = os.environ.get(variable)
        if value:
            yield Path(value)


def _installed_roots() -> Iterator[Path]:
    """The toolkits where CUDA's installer puts them: the default one, then the others, newest first."""
    yield DEFAULT_ROOT
    numbered = DEFAULT_ROOT.parent.glob(f"{DEFAULT_ROOT.name}-*")
    yield from sorted(numbered, key=_release_of_folder, reverse=True)


def _release_of_folder(folder: Path) -> tuple[int, ...]:
    """`cuda-13.5` as (13, 5)."""
    return tuple(int(part) for part in re.findall(r"\d+", folder.name))


def find_program(name: str) -> Path | None:
    """The toolkit's program of that name (`ptxas`, `nvlink` ...), or None."""
    for root in _toolkit_roots():
        candidate = root / "bin" / name
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return candidate
    from shutil import which

    found = which(name)
    return None if found is None else Path(found)


def find_ptxas() -> Path | None:
    """NVIDIA's PTX assembler, or None."""
    return find_program("ptxas")


@dataclass(frozen=True)
class Release:
    """A release of ptxas: its version as text, and the newest PTX version that it reads, times ten."""

    text: str
    newest_ptx: int


def release_of(ptxas: Path) -> Release | None:
    """The release of a ptxas; None if it does not print one, as before CUDA 12."""
    release = re.search(r"release [\d.]+, V([\d.]+)", _output(ptxas, "--version"))
    versions = re.findall(r"^(\d+)\.(\d)\s*$", _output(ptxas, "--list-version"), re.MULTILINE)
    if release is None or not versions:
        return None
    return Release(release[1], max(int(major + minor) for major, minor in versions))


def _output(program: Path, option: str) -> str:
    try:
        import subprocess

        done = subprocess.run([program, option], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout


def find_libdevice() -> Path | None:
    """The bitcode of NVIDIA's math library, or None."""
    for root in _toolkit_roots():
        candidate = root / "nvvm" / "libdevice" / LIBDEVICE_NAME
        if candidate.is_file():
            return candidate
    return None


def find_headers() -> Path | None:
    """The toolkit with the headers of CUDA C++, or None.

    The `cuda` extra's packages come last, because they may be of several releases.
    """
    for root in (*_stated_roots(), *_installed_roots(), *_package_roots()):
        if (root / "include" / "cuda_runtime.h").is_file():
            return root
    return None


def find_libnvvm() -> Path | None:
    """NVIDIA's compiler as a library, or None."""
    for root in _toolkit_roots():
        for folder in (root / "lib", root / "nvvm" / "lib64"):
            for candidate in sorted(folder.glob("libnvvm.so*")):
                return candidate
    return None


def main(argv: list[str] | None = None) -> int:
    """Prints the path of libdevice or of a program of the toolkit."""
    names = sys.argv[1:] if argv is None else argv
    if not names:
        print("error: expected 'libdevice' or 'ptxas'", file=sys.stderr)
        return 1
    for name in names:
        found = find_libdevice() if name == "libdevice" else find_program(name)
        if found is None:
            print(
                f"error: {name} was not found: install nvvm-xdsl[cuda] or set CUDA_HOME",
                file=sys.stderr,
            )
            return 1
        print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
