"""Files of compiled Python code, which tools keep between processes."""

from __future__ import annotations

import marshal
import os
from binascii import crc32
from typing import Any


def read_codes(path: str) -> dict[Any, Any]:
    """Returns the dictionary of a file; an empty one if the file is missing or damaged."""
    try:
        with open(path, "rb", buffering=0) as stream:
            data = memoryview(stream.read())
    except OSError:
        return {}
    if len(data) < 4 or crc32(data[4:]) != int.from_bytes(data[:4], "little"):
        return {}
    return marshal.loads(data[4:])


def write_codes(path: str, codes: dict[Any, Any]) -> None:
    """Replaces a file. Errors of the file system are ignored.

    Arguments:
        codes: a dictionary of code objects, numbers, text, and tuples, lists and dictionaries of these.
    """
    data = marshal.dumps(codes)
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "xb") as stream:
            stream.write(crc32(data).to_bytes(4, "little") + data)
        os.replace(temporary, path)
    except FileExistsError:
        # The file of another process, which may still write it.
        pass
    except OSError:
        _remove(temporary)


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass
