"""Functions of the run-time system that kernels can call."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.errors import describe
from nvvm_xdsl.simulator.execution.memory import GENERIC, GLOBAL, Lanes, Mask

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

ALLOCATION_ALIGNMENT = 16
MAX_STRING = 4096


def _access(block: Block, site: int, lane: int, address: int, size: int) -> int:
    """Checks that one lane may read bytes; returns their position in the arena."""
    bits = np.zeros(block.lanes, bool)
    bits[lane] = True
    addresses = np.full(block.lanes, address, np.uint64)
    found = block.access(site, Mask(bits), addresses, GENERIC, size, 1, "load")
    return int(found.position[0])


def _bytes(block: Block, site: int, lane: int, address: int, size: int) -> bytes:
    at = _access(block, site, lane, address, size)
    memory = block.memory
    if memory.undefined is not None and memory.undefined[at : at + size].any():
        block.grid.report(
            block.lane_error(
                "init",
                "printf reads undefined memory in",
                lane,
                site,
                title="Use of uninitialized value: printf prints it",
            )
        )
    return memory.bytes[at : at + size].tobytes()


def _string(block: Block, site: int, lane: int, address: int) -> str:
    """The zero-terminated text at an address."""
    memory = block.memory
    out = b""
    while len(out) < MAX_STRING:
        at = _access(block, site, lane, address + len(out), 1)
        ahead = memory.bytes[at : at + MAX_STRING - len(out)].tobytes()
        size = ahead.find(0) + 1
        if size == 0 or memory.owner[at + size - 1] != memory.owner[at]:
            # The allocation has no terminator: check byte by byte up to the first unreadable one.
            size = 1
        read = _bytes(block, site, lane, address + len(out), size)
        if read.endswith(b"\0"):
            return (out + read[:-1]).decode("latin-1")
        out += read
    return out.decode("latin-1")


_CONVERSION = re.compile(
    r"%[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?(hh|h|ll|l|z|j|t|L)?([diouxXeEfFgGaAcsp%])"
)


def vprintf(
    block: Block, site: int, mask: Mask, format_: Lanes, arguments: Lanes
) -> tuple[Lanes, ...]:
    """`vprintf(format, arguments)`: arguments are in a buffer, each aligned to its size.

    Its result is the number of arguments (CUDA C++ Programming Guide, "Formatted Output").
    """
    counts = np.zeros(block.lanes, np.uint32)
    formats = np.broadcast_to(format_, (block.lanes,))
    buffers = np.broadcast_to(arguments, (block.lanes,))
    for lane in mask.index:
        text = _string(block, site, int(lane), int(formats[lane]))
        take = _from_memory(block, site, int(lane), int(buffers[lane]))
        block.grid.write(_format(block, site, int(lane), text, take))
        counts[lane] = sum(m[4] != "%" for m in _CONVERSION.finditer(text))
    return (counts,)


def printf(
    block: Block, site: int, mask: Mask, format_: Lanes, *arguments: Lanes
) -> tuple[Lanes, ...]:
    """`printf(format, ...)`, before its lowering to `vprintf` by clang or NVIDIA's compiler."""
    counts = np.zeros(block.lanes, np.uint32)
    formats, *values = (np.broadcast_to(v, (block.lanes,)) for v in (format_, *arguments))
    for lane in mask.index:
        text = _string(block, site, int(lane), int(formats[lane]))
        handed = iter([np.asarray(v[lane]).tobytes() for v in values])

        def take(size: int, handed: Iterator[bytes] = handed) -> bytes:
            # Missing arguments read as zero.
            return next(handed, b"").ljust(size, b"\0")[:size]

        block.grid.write(_format(block, site, int(lane), text, take))
        counts[lane] = sum(m[4] != "%" for m in _CONVERSION.finditer(text))
    return (counts,)


def _from_memory(block: Block, site: int, lane: int, buffer: int) -> Callable[[int], bytes]:
    """Reads consecutive arguments from a buffer, each aligned to its size."""
    offset = 0

    def take(size: int) -> bytes:
        nonlocal offset
        offset = -(-offset // size) * size
        data = _bytes(block, site, lane, buffer + offset, size)
        offset += size
        return data

    return take


def _format(block: Block, site: int, lane: int, text: str, take: Callable[[int], bytes]) -> str:
    def replace(match: re.Match[str]) -> str:
        spec = match[0]
        kind = match[4]
        if kind == "%":
            return "%"
        for _ in range(spec.count("*")):
            spec = spec.replace("*", str(struct.unpack("<i", take(4))[0]), 1)
        length = match[3] or ""
        plain = spec[: -1 - len(length)] if length else spec[:-1]
        if kind in "eEfFgGaA":
            value = struct.unpack("<d", take(8))[0]
            return (plain + kind) % value if kind not in "aA" else value.hex()
        if kind == "s":
            return (plain + "s") % _string(block, site, lane, struct.unpack("<Q", take(8))[0])
        if kind == "p":
            return f"{struct.unpack('<Q', take(8))[0]:#x}"
        size = 8 if length in ("l", "ll", "z", "j", "t") else 4
        value = int.from_bytes(take(size), "little", signed=kind in "dic")
        if kind == "c":
            return (plain + "c") % (value & 0xFF)
        width = {"h": 16, "hh": 8}.get(length)
        if width:
            value &= (1 << width) - 1
            if kind in "di" and value >> (width - 1):
                value -= 1 << width
        return (plain + ("d" if kind == "u" else kind)) % value

    return _CONVERSION.sub(replace, text)


def _actor(block: Block, lane: int) -> str:
    return f"{block.thread(lane)} in block {block.index}"


def malloc(block: Block, site: int, mask: Mask, size: Lanes) -> tuple[Lanes, ...]:
    """Device memory for each lane; null if the heap is exhausted."""
    out = np.zeros(block.lanes, np.uint64)
    sizes = np.broadcast_to(size, (block.lanes,))
    grid = block.grid
    for lane in mask.index:
        wanted = int(sizes[lane])
        start = -(-grid.heap_next // ALLOCATION_ALIGNMENT) * ALLOCATION_ALIGNMENT
        if start + wanted > grid.heap_end:
            continue
        grid.heap_next = start + wanted + ALLOCATION_ALIGNMENT
        origin = f"malloc at {describe(grid.sites[site])} by {_actor(block, int(lane))}"
        grid.memory.place(f"malloc({wanted})", GLOBAL, start, wanted, origin=origin)
        if grid.memory.undefined is not None:
            at = grid.memory.position(GLOBAL, start)
            grid.memory.undefined[at : at + wanted] = 0xFF
        grid.heap_blocks[start] = wanted, grid.sites[site]
        out[lane] = start
    return (out,)


def free(block: Block, site: int, mask: Mask, address: Lanes) -> tuple[Lanes, ...]:
    """Frees device memory of each lane."""
    addresses = np.broadcast_to(address, (block.lanes,))
    memory = block.memory
    for lane in mask.index:
        start = int(addresses[lane])
        if start == 0:
            continue
        size, _ = block.grid.heap_blocks.pop(start, (None, None))
        if size is None:
            before = memory.freed_at(GLOBAL, start)
            block.grid.report(
                block.lane_error(
                    "memory",
                    f"free of {start:#x}, which malloc did not return, by",
                    int(lane),
                    site,
                    title="Malloc/Free error encountered: "
                    + ("Double free" if before else "Invalid pointer to free"),
                    notes=[f"Address {start:#x}"]
                    + ([f"was freed before{before[1]}", before[0].origin] if before else []),
                )
            )
            continue
        where = f" at {describe(block.grid.sites[site])} by {_actor(block, int(lane))}"
        memory.release(GLOBAL, start, size, where)
    return ()


def assert_fail(
    block: Block,
    site: int,
    mask: Mask,
    message: Lanes,
    file: Lanes,
    line: Lanes,
    function: Lanes,
    *rest: Lanes,
) -> tuple[Lanes, ...]:
    """Device-side `assert`."""
    lane = int(mask.index[0])

    def text(address: Lanes) -> str:
        return _string(block, site, lane, int(np.broadcast_to(address, (block.lanes,))[lane]))

    number = int(np.broadcast_to(line, (block.lanes,))[lane])
    raise block.lane_error(
        "assert",
        f"{text(file)}:{number}: {text(function)}: assertion `{text(message)}` failed for",
        lane,
        site,
        title=f"{text(file)}:{number}: {text(function)}: Assertion `{text(message)}` failed",
        count=mask.count,
    )


def reflect(block: Block, site: int, mask: Mask, name: Lanes) -> tuple[Lanes, ...]:
    """`__nvvm_reflect`: properties of the compiler."""
    lane = int(mask.index[0])
    text = _string(block, site, lane, int(np.broadcast_to(name, (block.lanes,))[lane]))
    return (np.array([REFLECTED.get(text, 0)], np.uint32),)


REFLECTED = {"__CUDA_ARCH": 900, "__CUDA_FTZ": 0, "__CUDA_PREC_DIV": 1, "__CUDA_PREC_SQRT": 1}

FUNCTIONS: dict[str, Any] = {
    "printf": printf,
    "vprintf": vprintf,
    "malloc": malloc,
    "free": free,
    "__assertfail": assert_fail,
    "__assert_fail": assert_fail,
    "__nvvm_reflect": reflect,
}

IN_BUFFER: dict[str, Any] = {"printf": vprintf}
"""Functions that receive their variable arguments in an array in machine code."""
