"""The memory of a grid.

All state spaces are in one byte array, the arena, so that generic accesses cost little more than
accesses to one space. Bits 40 and above of an address are its space: 0 is global memory, 1 the
shared window, 2 local, 3 constant, 4 param, 5 code. Pointers of the specific spaces hold the
address within the window; global ones are equal to generic ones.

Every byte has an owner, a small number that differs between adjacent allocations and is 0 for
unallocated bytes. An access is within bounds if its first and last byte have the same nonzero
owner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from nvvm_xdsl.ir import nvptx
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution import pages

Lanes = np.ndarray[Any, Any]

WINDOW_SHIFT = 40
WINDOW_MASK = (1 << WINDOW_SHIFT) - 1
GLOBAL, SHARED, LOCAL, CONSTANT, PARAM, CODE = range(6)
WINDOW_NAMES = ("global", "shared", "local", "constant", "param", "code")

GENERIC = -1
WINDOW_OF_SPACE = {
    nvptx.GENERIC: GENERIC,
    nvptx.GLOBAL: GLOBAL,
    nvptx.SHARED: SHARED,
    nvptx.SHARED_CLUSTER: SHARED,
    nvptx.CONSTANT: CONSTANT,
    nvptx.LOCAL: LOCAL,
    nvptx.PARAM: PARAM,
}
"""The window of pointers in an LLVM address space."""

GLOBAL_BASE = 1 << 28
"""The lowest global address: lower addresses are null pointers with an offset."""

SHARED_SHIFT = 18
"""Number of low bits of a shared address that are an offset in the block; the bits above are the
rank of the block in its cluster."""

SHARED_BASE = 1024
"""The first kilobyte is reserved by the system, so that no variable has address 0."""

LOCAL_BASE = 1024
FIRST_CODE = 16

UNINITIALIZED = 0xA5
"""The initial contents of memory; the value makes uses of uninitialized memory visible."""

PARAM_START = 128
"""The start of parameters, aligned for tensor maps, which need 64 bytes."""

WRITES = frozenset({"store", "atomic", "atomic store"})
"""Kinds of accesses that change memory."""

GAP = 64
"""Number of unallocated bytes between allocations."""

MOST_CLEARED: Final = 4 << 20
"""Maximum number of bytes to clear for reuse of the arena by another launch."""


@dataclass(frozen=True)
class Allocation:
    """A named memory range; `address` is within its window.

    Arguments:
        origin: the origin of the allocation, as text for reports.
    """

    name: str
    window: int
    address: int
    size: int
    origin: str = ""


class Mask:
    """The active lanes of a block. Immutable; all other attributes are computed from `bits`."""

    __slots__ = ("_index", "all", "bits", "count")

    bits: Lanes
    count: int
    all: bool
    _index: Lanes | None

    def __init__(self, bits: Lanes) -> None:
        self.bits = bits
        self.count = int(np.count_nonzero(bits))
        self.all = self.count == bits.size
        self._index = None

    @property
    def index(self) -> Lanes:
        """The numbers of the active lanes."""
        if self._index is None:
            self._index = self.bits.nonzero()[0]
        return self._index


@dataclass
class Sizes:
    """Size of each window in bytes."""

    global_bytes: int = 0
    shared_bytes: int = 1 << SHARED_SHIFT
    constant_bytes: int = 0
    param_bytes: int = 0
    local_bytes: int = 1 << 16
    """Bytes of local memory of each thread."""
    threads: int = 1
    """Number of threads of all blocks that run at the same time."""
    blocks: int = 1
    """Number of blocks that run at the same time."""
    scratch_bytes: int = 0
    """Size of the target of invalid accesses after which the kernel continues."""


@dataclass
class Memory:
    """The arena and its allocations."""

    sizes: Sizes
    track_undefined: bool = False
    allocations: list[Allocation] = field(default_factory=list[Allocation])

    def __post_init__(self) -> None:
        s = self.sizes
        lengths = [
            s.global_bytes,
            s.shared_bytes * s.blocks,
            s.local_bytes * s.threads,
            s.constant_bytes,
            s.param_bytes,
            0,
        ]
        lengths = [(n + 2 * GAP + 15) // 16 * 16 for n in lengths]
        self.base = [GLOBAL_BASE, 0, 0, 0, 0, 0]
        offsets: list[int] = []
        total = 0
        for n in lengths:
            offsets.append(total)
            total += n
        self.scratch = total
        """The start of the scratch area in the arena, after all windows."""
        total += s.scratch_bytes
        self.offset = offsets
        """The start of each window in the arena."""
        self.read_only = offsets[CONSTANT]
        """The start of memory that only the host writes: constants and parameters of kernels."""
        self.length = [*lengths]
        self.length[LOCAL] = s.local_bytes
        self.length[CODE] = 0
        self._offset_table = np.array(offsets, np.int64)
        self._base_table = np.array(self.base, np.int64)
        self._length_table = np.array(self.length, np.int64)
        self.bytes = pages.take(total)
        self.owner = pages.take(total)
        self.views = {
            1: self.bytes,
            2: self.bytes.view(np.uint16),
            4: self.bytes.view(np.uint32),
            8: self.bytes.view(np.uint64),
        }
        self.undefined = pages.take(total) if self.track_undefined else None
        self.local_top = 0
        """Number of bytes of a thread's local memory that were ever used, from its start."""
        self.local_low = s.local_bytes
        """The lowest byte ever used in the part at the end of local memory."""
        self.freed: list[tuple[Allocation, str]] = []
        """Freed allocations, each with the op that freed it."""
        self.locals: dict[int, tuple[str, int]] = {}
        """Name and size of local variables, by address."""
        self._next_owner = 1
        self.recent: dict[int, tuple[Any, Any, int]] = {}
        """By site: first address, size and position of the last accessed allocation."""

    def base_of(self, windows: Lanes) -> Lanes:
        """The lowest address of each window."""
        return self._base_table[windows]

    def length_of(self, windows: Lanes) -> Lanes:
        """The size of each window in bytes."""
        return self._length_table[windows]

    def offset_of(self, windows: Lanes) -> Lanes:
        """The start of each window in the arena."""
        return self._offset_table[windows]

    def new_owner(self) -> int:
        """An owner number for a new allocation."""
        owner = self._next_owner
        self._next_owner = owner % 255 + 1
        return owner

    def place(
        self, name: str, window: int, address: int, size: int, lane_base: int = 0, origin: str = ""
    ) -> None:
        """Marks `size` bytes at `address` of the window as valid."""
        self.allocations.append(Allocation(name, window, address, size, origin))
        start = address - self.base[window] + self.offset[window] + lane_base
        self.owner[start : start + size] = self.new_owner()

    def release(self, window: int, address: int, size: int, where: str = "") -> None:
        """Marks bytes as invalid; `where` is the op that freed them."""
        start = self.position(window, address)
        self.owner[start : start + size] = 0
        self.recent.clear()
        for a in self.allocations:
            if (a.window, a.address) == (window, address):
                self.allocations.remove(a)
                self.freed.append((a, where))
                break

    def forget_locals(self) -> None:
        """Frees all local variables, because threads may exit within a function."""
        for part in self._used_locals(self.owner):
            part[...] = 0

    def used(self, shared: int) -> list[slice]:
        """The parts of the arena that may have been used, without local memory.

        Arguments:
            shared: bytes of shared memory of each block.
        """
        lain = [*self.allocations, *(a for a, _ in self.freed)]
        pieces = [(a.window, a.address, a.size) for a in lain if a.window != SHARED]
        for rank in range(self.sizes.blocks):
            pieces.append((SHARED, SHARED_BASE + (rank << SHARED_SHIFT), shared))
        starts = [(self.position(window, address), size) for window, address, size in pieces]
        return [slice(start, start + size) for start, size in starts]

    def _used_locals(self, array: Lanes) -> list[Lanes]:
        """The parts of an array over the arena for used local memory."""
        threads, stride = self.sizes.threads, self.sizes.local_bytes
        start = self.offset[LOCAL]
        rows = array[start : start + threads * stride].reshape(threads, stride)
        return [rows[:, : self.local_top], rows[:, self.local_low :]]

    def close(self, used: Sequence[slice]) -> None:
        """Returns the memory to the pool for the next launch."""
        if sum(part.size for part in self._used_locals(self.bytes)) > MOST_CLEARED:
            return
        for array in (self.bytes, self.owner, self.undefined):
            if array is None:
                continue
            for part in used:
                array[part] = 0
            for part in self._used_locals(array):
                part[...] = 0
            pages.give(array)

    def place_shared(self, blocks: int, variables: Sequence[tuple[str, int, int]]) -> None:
        """Marks the shared variables of blocks as valid, once for all clusters of a grid."""
        if any(a.window == SHARED for a in self.allocations):
            return
        for rank in range(blocks):
            for name, address, size in variables:
                at = SHARED_BASE + (rank << SHARED_SHIFT) + address
                self.place(name, SHARED, at, size, origin="shared memory of the block")

    def remember(self, site: int, asked: int, window: int, address: int) -> None:
        """Caches the bounds of the allocation of an address for the op's next access."""
        for a in self.allocations:
            if a.window == window and a.address <= address < a.address + a.size:
                tag = window << WINDOW_SHIFT if asked == GENERIC else 0
                self.recent[site] = (
                    np.uint64(a.address | tag),
                    np.uint64(a.size),
                    self.position(window, a.address),
                )
                return

    def position(self, window: int, address: int) -> int:
        """The position of an address in the arena."""
        return address - self.base[window] + self.offset[window]

    def write(self, window: int, address: int, data: bytes) -> None:
        """Sets bytes and marks them as defined."""
        at = self.position(window, address)
        self.bytes[at : at + len(data)] = np.frombuffer(data, np.uint8)
        if self.undefined is not None:
            self.undefined[at : at + len(data)] = 0

    def read(self, window: int, address: int, size: int) -> bytes:
        """The bytes at an address."""
        at = self.position(window, address)
        return self.bytes[at : at + size].tobytes()

    def freed_at(self, window: int, address: int) -> tuple[Allocation, str] | None:
        """The freed allocation at an address, and the op that freed it."""
        for a, where in self.freed:
            if a.window == window and a.address <= address < a.address + a.size:
                return a, where
        return None

    def _allocations_of(self, window: int) -> list[Allocation]:
        if window == LOCAL:
            return [
                Allocation(name, LOCAL, address, size, "a local variable")
                for address, (name, size) in self.locals.items()
            ]
        return [a for a in self.allocations if a.window == window]

    def nearest_allocation(self, window: int, address: int) -> tuple[int, Allocation] | None:
        """The allocation closest to an address, and the distance in bytes."""
        best: tuple[int, Allocation] | None = None
        for a in self._allocations_of(window):
            distance = max(a.address - address, address - (a.address + a.size) + 1, 0)
            if best is None or distance <= best[0]:
                best = distance, a
        return best

    def nearest(self, window: int, address: int) -> str:
        """The description of an address in errors: the closest allocation."""
        freed = self.freed_at(window, address)
        if freed is not None:
            return f"within '{freed[0].name}', which was freed{freed[1]}"
        best = self.nearest_allocation(window, address)
        if best is None:
            return "nothing is allocated there"
        distance, a = best
        if distance == 0:
            return f"within '{a.name}' ({a.size} bytes), at offset {address - a.address}"
        if address < a.address:
            return f"{distance} bytes before '{a.name}' ({a.size} bytes)"
        return f"{address - a.address - a.size} bytes past the end of '{a.name}' ({a.size} bytes)"


class Rivals:
    """A potential race of a store, which is none if both threads write the same value.

    Attributes:
        earlier: bytes that another thread wrote before, and the report of the race.
        together: the report of a race between two threads of this store.
        report: receives the report of a confirmed race.
    """

    __slots__ = ("earlier", "report", "settled", "together")

    def __init__(
        self,
        earlier: tuple[Lanes, SimulationError] | None,
        together: SimulationError | None,
        report: Callable[[SimulationError], None],
    ) -> None:
        self.earlier = earlier
        self.report = report
        self.together = together
        self.settled = False
        """Whether a store was compared with that of the conflicting thread."""


class Access:
    """One checked access of the active lanes: positions in the arena, ready to read and write."""

    __slots__ = ("index", "lanes", "memory", "natural", "position", "rivals", "uniform")

    def __init__(
        self,
        memory: Memory,
        position: Lanes,
        index: Lanes | None,
        lanes: int,
        uniform: bool,
        natural: int,
    ) -> None:
        self.memory = memory
        self.position = position
        self.index = index
        self.lanes = lanes
        self.uniform = uniform
        self.natural = natural
        self.rivals: Rivals | None = None

    def _spread(self, values: Lanes) -> Lanes:
        if self.uniform or self.index is None:
            return values
        out = np.zeros(self.lanes, values.dtype)
        out[self.index] = values
        return out

    def _gather(self, data: dict[int, Lanes], size: int, offset: int) -> Lanes:
        at = self.position + offset if offset else self.position
        if size == 1:
            return data[1][at]
        if offset % size == 0 and self.natural >= size:
            return data[size][at >> (size.bit_length() - 1)]
        unsigned: Any = {2: np.uint16, 4: np.uint32, 8: np.uint64}[size]
        out = data[1][at].astype(unsigned)
        for i in range(1, size):
            out |= data[1][at + i].astype(unsigned) << unsigned(8 * i)
        return out

    def load(self, size: int, offset: int = 0) -> Lanes:
        """`size` bytes (1, 2, 4, 8) at the address plus `offset`, as unsigned integers."""
        return self._spread(self._gather(self.memory.views, size, offset))

    def load_undefined(self, size: int, offset: int = 0) -> Lanes | int:
        """A mask of the undefined bits, 0 if there are none."""
        undefined = self.memory.undefined
        if undefined is None:
            return 0
        unsigned: Any = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[size]
        at = self.position + offset
        out = undefined[at].astype(unsigned)
        for i in range(1, size):
            out |= undefined[at + i].astype(unsigned) << unsigned(8 * i)
        return self._spread(out) if out.any() else 0

    def _compress(self, values: Lanes) -> Lanes:
        if values.size == 1:
            return values
        if self.uniform:
            # All active lanes store to one address: the last lane's value remains.
            return values[self.index[-1:]] if self.index is not None else values[-1:]
        return values[self.index] if self.index is not None else values

    def store(self, values: Lanes, size: int, offset: int = 0) -> None:
        """Writes unsigned integers of `size` bytes; if lanes share an address, the last lane's
        value remains."""
        if self.rivals is not None:
            self._store_beside(self.rivals, values, size, offset)
            return
        values = self._compress(values)
        at = self.position + offset if offset else self.position
        if size == 1:
            self.memory.bytes[at] = values
        elif offset % size == 0 and self.natural >= size:
            self.memory.views[size][at >> (size.bit_length() - 1)] = values
        else:
            for i in range(size):
                self.memory.bytes[at + i] = (values >> values.dtype.type(8 * i)).astype(np.uint8)
        undefined = self.memory.undefined
        if undefined is not None:
            for i in range(size):
                undefined[at + i] = 0

    def _store_beside(self, rivals: Rivals, values: Lanes, size: int, offset: int) -> None:
        """Stores, and reports a conflicting store of another value."""
        memory = self.memory.bytes
        before = memory[rivals.earlier[0]] if rivals.earlier else None
        self.rivals = None
        self.store(values, size, offset)
        self.rivals = rivals
        rivals.settled = True
        if rivals.earlier and (memory[rivals.earlier[0]] != before).any():
            rivals.report(rivals.earlier[1])
            return
        if rivals.together:
            wanted = values if self.index is None or values.size == 1 else values[self.index]
            if (self._gather(self.memory.views, size, offset) != wanted).any():
                rivals.report(rivals.together)

    def store_undefined(self, bits: Lanes | int, size: int, offset: int = 0) -> None:
        """Marks bits as undefined, after `store`."""
        undefined = self.memory.undefined
        if undefined is None or isinstance(bits, int):
            return
        bits = self._compress(bits)
        for i in range(size):
            undefined[self.position + offset + i] = (bits >> bits.dtype.type(8 * i)).astype(
                np.uint8
            )


def resolve(
    memory: Memory,
    mask: Mask,
    address: Lanes,
    window: int,
    size: int,
    alignment: int,
    lane_base: Lanes,
    fault: Any,
    site: int,
) -> Access:
    """Checks an access and computes its positions.

    Arguments:
        address: unsigned 64-bit addresses, one per lane or one for all.
        window: the window of the pointer's address space, or GENERIC.
        lane_base: the start of each lane's local memory in the window's part of the arena.
        fault: called with the error, the number of the first affected lane, the window and the
            address in it; returns the error object.
        site: number of the op, which caches the bounds of the last accessed allocation.
    """
    uniform = address.size == 1
    index = None if mask.all else mask.index
    if not uniform and index is not None:
        address = address[index]
    recent = memory.recent.get(site)
    if recent is not None:
        # Most accesses are to the last accessed allocation of the op.
        start, last, place = recent
        inside = address - start
        if size <= last and bool((inside <= last - np.uint64(size)).all()):
            odd = (address & np.uint64(alignment - 1)).any() if alignment > 1 else False
            if not odd:
                position = inside.view(np.int64) + place
                return Access(memory, position, index, mask.bits.size, uniform, alignment)
    found = _locate(memory, mask, index, address, window, size, lane_base, fault)
    _check(memory, found, size, alignment, index, fault)
    if isinstance(found.window, int) and found.window != LOCAL:
        memory.remember(site, window, found.window, int(found.low[0]))
    uniform = uniform and found.position.size == 1 and not found.private
    return Access(memory, found.position, index, mask.bits.size, uniform, alignment)


def resolve_own(
    memory: Memory,
    mask: Mask,
    address: Lanes,
    window: int,
    size: int,
    alignment: int,
    lane_base: Lanes,
) -> Access | None:
    """An access of each lane to one address of its own local memory.

    Arguments as for `resolve`. Returns None for other accesses and possible errors, which `resolve`
    handles. Most accesses of unoptimized kernels take this path.
    """
    if address.size != 1:
        return None
    low = int(address[0])
    if window == GENERIC:
        window = low >> WINDOW_SHIFT
        low &= WINDOW_MASK
    if window != LOCAL or low > memory.length[LOCAL] - size or low & (alignment - 1):
        return None
    index = None if mask.all else mask.index
    position = (lane_base if index is None else lane_base[index]) + (memory.offset[LOCAL] + low)
    owner = memory.owner[position]
    if not owner.all():
        return None
    if size > 1 and (memory.owner[position + (size - 1)] != owner).any():
        return None
    return Access(memory, position, index, mask.bits.size, False, alignment)


class _Place:
    """Addresses by window, before bounds are checked."""

    __slots__ = ("low", "position", "private", "window")

    def __init__(self, window: int | Lanes, low: Lanes, position: Lanes, private: bool) -> None:
        self.window = window
        """One for all lanes, or one per lane."""
        self.low = low
        """The addresses within the windows."""
        self.position = position
        self.private = private
        """Each lane has separate memory in this window."""


def _locate(
    memory: Memory,
    mask: Mask,
    index: Lanes | None,
    address: Lanes,
    window: int,
    size: int,
    lane_base: Lanes,
    fault: Any,
) -> _Place:
    low = address.view(np.int64)
    if window == GENERIC:
        tags = low >> WINDOW_SHIFT
        window = int(tags[0])
        if not bool((tags == window).all()):
            return _locate_mixed(memory, index, tags, low & WINDOW_MASK, size, lane_base, fault)
        if window:
            low = low & WINDOW_MASK
    if window >= CODE or window < 0:
        raise _fault(fault, "no memory is there", np.ones(low.shape, bool), index, window, low)
    relative = low - memory.base[window]
    outside = (relative < 0) | (relative > memory.length[window] - size)
    if outside.any():
        null = window == GLOBAL and bool(((low < 4096) & outside).any())
        raise _fault(
            fault, "null pointer" if null else "out of bounds", outside, index, window, low
        )
    position = relative + memory.offset[window]
    if window == LOCAL:
        position = position + (lane_base if index is None else lane_base[index])
    return _Place(window, low, position, window == LOCAL)


def _locate_mixed(
    memory: Memory,
    index: Lanes | None,
    tags: Lanes,
    low: Lanes,
    size: int,
    lane_base: Lanes,
    fault: Any,
) -> _Place:
    """Generic addresses in several windows at once."""
    bad = (tags < 0) | (tags >= CODE)
    if bad.any():
        raise _fault(fault, "no memory is there", bad, index, tags, low)
    relative = low - memory.base_of(tags)
    outside = (relative < 0) | (relative > memory.length_of(tags) - size)
    if outside.any():
        raise _fault(fault, "out of bounds", outside, index, tags, low)
    position = relative + memory.offset_of(tags)
    own = lane_base if index is None else lane_base[index]
    return _Place(tags, low, np.where(tags == LOCAL, position + own, position), False)


def _check(
    memory: Memory, found: _Place, size: int, alignment: int, index: Lanes | None, fault: Any
) -> None:
    head = memory.owner[found.position]
    wrong = head == 0
    if size > 1:
        wrong = wrong | (memory.owner[found.position + (size - 1)] != head)
    if wrong.any():
        raise _fault(fault, "out of bounds", wrong, index, found.window, found.low)
    if alignment > 1:
        odd = (found.low & (alignment - 1)) != 0
        if odd.any():
            what = f"not aligned to {alignment} bytes"
            raise _fault(fault, what, odd, index, found.window, found.low)


def _fault(
    fault: Any, what: str, wrong: Lanes, index: Lanes | None, window: Lanes | int, address: Lanes
) -> SimulationError:
    place = int(np.flatnonzero(wrong)[0])
    # A uniform address is also that of the first active lane.
    lane = place if index is None else int(index[place])
    tag = window if isinstance(window, int) else int(window[place if window.size > 1 else 0])
    return fault(what, lane, tag, int(address[place if address.size > 1 else 0]))
