"""A running block: memory functions for compiled code, and operations that compiled code cannot
perform itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import (
    CODE,
    GAP,
    LOCAL,
    LOCAL_BASE,
    SHARED,
    SHARED_BASE,
    SHARED_SHIFT,
    UNINITIALIZED,
    WINDOW_MASK,
    WINDOW_NAMES,
    WINDOW_SHIFT,
    WRITES,
    Access,
    Lanes,
    Mask,
    resolve,
    resolve_own,
)
from nvvm_xdsl.simulator.execution.recovery import access_title, address_notes, recover
from nvvm_xdsl.simulator.execution.scheduling import Grid
from nvvm_xdsl.simulator.execution.synchronization import Synchronization


class Unit:
    """A hardware unit that only some instructions use, with its state in one block."""

    def __init__(self, block: Block) -> None:
        self.block = block

    def finish(self) -> None:
        """Called when the block ends. Raises SimulationError if it must not end in this state."""

    def blocked(self) -> SimulationError | None:
        """The reason for which threads wait for the unit forever; None if no thread does."""
        return None


UnitT = TypeVar("UnitT", bound=Unit)


class Block(Synchronization):
    """One block of threads with its memory."""

    def __init__(self, grid: Grid, index: tuple[int, int, int], rank: int) -> None:
        super().__init__(grid, index, rank)
        self.memory = grid.memory
        stride = grid.memory.sizes.local_bytes
        self.lane_base = (self.lane.astype(np.int64) + rank * self.lanes) * stride
        self.dynamic = np.full(self.lanes, stride, np.int64)
        """The start of each lane's variables of dynamic size, at the end of its memory."""
        self.local_end = stride
        self._owners = self._rows(grid.memory.owner)
        self._fillings = [(self._rows(grid.memory.bytes), UNINITIALIZED)]
        """Local memory, a row per lane, and the initial contents of new variables."""
        if grid.memory.undefined is not None:
            self._fillings.append((self._rows(grid.memory.undefined), 0xFF))
        self.shared_base = SHARED_BASE + (rank << SHARED_SHIFT)
        start = grid.memory.position(SHARED, self.shared_base)
        end = start + grid.static_shared + grid.dynamic_shared
        grid.memory.bytes[start:end] = UNINITIALIZED
        if grid.memory.undefined is not None:
            grid.memory.undefined[start:end] = 0xFF
        if grid.races is not None:
            grid.races.forget(start, end)
        grid.barriers -= {place for place in grid.barriers if start <= place < end}
        self._units: dict[type[Unit], Unit] = {}

    def shared_address(self, address: int) -> Lanes:
        """The generic address of an address in shared memory."""
        return np.array([self.shared_base + address], np.uint64)

    def _rows(self, array: Lanes) -> Lanes:
        """The local memory of the lanes as a view of an array over the arena, one row per lane."""
        stride = self.memory.sizes.local_bytes
        start = self.memory.offset[LOCAL] + self.rank * self.lanes * stride
        return array[start : start + self.lanes * stride].reshape(self.lanes, stride)

    def unit(self, cls: type[UnitT]) -> UnitT:
        """The block's unit of a class, created on demand."""
        found = self._units.get(cls)
        if found is None:
            found = self._units[cls] = cls(self)
        return cast(UnitT, found)

    def resume(self, lanes: Lanes) -> None:
        """Resumes parked lanes."""
        self._release(lanes)

    def finish(self) -> None:
        super().finish()
        for unit in self._units.values():
            unit.finish()

    def blocked(self) -> SimulationError:
        waiting = (unit.blocked() for unit in self._units.values())
        return next((error for error in waiting if error is not None), None) or super().blocked()

    def access(
        self,
        site: int,
        mask: Mask,
        address: Lanes,
        window: int,
        size: int,
        alignment: int,
        kind: str,
        semantics: MemorySemantics | None = None,
    ) -> Access:
        """Checks an access of the active lanes.

        Arguments:
            kind: `load`, `store`, `atomic load`, `atomic store`, or `atomic` for a read-modify-write.
            semantics: order and scope of an atomic access; None for relaxed with system scope.
        """

        def fault(what: str, lane: int, tag: int, at: int, count: int = 1) -> SimulationError:
            name = WINDOW_NAMES[tag] if 0 <= tag < len(WINDOW_NAMES) else "unknown"
            place = f" ({self.memory.nearest(tag, at)})" if what == "out of bounds" else ""
            return self.lane_error(
                "memory",
                f"{what}: {kind} of {size} bytes at {name} address {at:#x}{place}, by",
                lane,
                site,
                title=access_title(kind, tag, size),
                notes=(notes := address_notes(self.memory, what, tag, at)),
                cause=notes[0].partition(" is ")[2],
                count=count,
            )

        if address.dtype != np.uint64:
            address = address.astype(np.uint64)
        races = self.grid.races
        found = resolve_own(self.memory, mask, address, window, size, alignment, self.lane_base)
        if found is not None:
            # No other thread can access local memory, and it is not constant.
            if races is not None:
                races.settle()
        else:
            try:
                found = resolve(
                    self.memory, mask, address, window, size, alignment, self.lane_base, fault, site
                )
                if kind in WRITES and int(found.position.max(initial=0)) >= self.memory.read_only:
                    raise self._read_only(site, mask, found, size, kind)
            except SimulationError:
                if not self.grid.sanitizing or size > self.memory.sizes.scratch_bytes:
                    raise
                found, faults = recover(
                    self.memory, mask, address, window, size, alignment, self.lane_base, kind
                )
                for wrong in faults:
                    self.grid.report(fault(*wrong))
            if races is not None:
                races.note(self, site, mask, found, size, kind, semantics)
        if self.grid.watchpoint is not None and kind in WRITES:
            op = self.grid.sites[site]
            self.grid.watchpoint.note(op, self.index, mask, found, size)
        if self.grid.profile is not None:
            self.grid.profile.accessed(site, mask, address, window, size)
        if self.grid.recorder is not None:
            self.grid.recorder.accessed(self, mask, address, window, found, size, kind)
        return found

    def note_texture(self, site: int, lane: Lanes, positions: Lanes) -> None:
        """Records that threads read bytes at positions of the arena through the texture proxy."""
        if self.grid.races is not None:
            self.grid.races.note_texture(self, site, lane, positions)

    def read_only(self, site: int, mask: Mask, access: Access, size: int) -> None:
        """Records loads of bytes that the launch must not write (`ld.global.nc`)."""
        if self.grid.races is not None:
            lane, start = mask.index, access.position
            shared = np.broadcast_to(start, lane.shape) < self.grid.races.size
            places = np.broadcast_to(start, lane.shape)[shared][:, None] + np.arange(size)
            self.note_texture(site, lane[shared].repeat(size), places.reshape(-1))

    def fence(self, mask: Mask, semantics: MemorySemantics) -> None:
        """A memory fence of the active lanes."""
        if self.grid.races is not None:
            self.grid.races.fence(self, mask.bits, semantics)

    def fence_proxy(self, mask: Mask) -> None:
        """A fence of the active lanes between the generic and the async proxy."""
        if self.grid.races is not None:
            self.grid.races.fence_proxy(self, mask.bits)

    def begins(self, number: int, mask: Mask) -> None:
        """Reports to the recorder that an op is about to execute."""
        if self.grid.recorder is not None:
            self.grid.recorder.begins(self, number, mask)

    def defined(
        self, number: int, mask: Mask, values: tuple[Lanes, ...], undefined: tuple[Any, ...]
    ) -> None:
        """Passes values to the recorder."""
        if self.grid.recorder is not None:
            self.grid.recorder.defined(self, number, mask, values, undefined)

    def _read_only(
        self, site: int, mask: Mask, found: Access, size: int, kind: str
    ) -> SimulationError:
        wrong = int(np.flatnonzero(found.position >= self.memory.read_only)[0])
        what = f"{kind} of {size} bytes to memory that kernels only read, in"
        lane = int(mask.index[wrong])
        title = f"Invalid write of size {size} bytes to memory that kernels only read"
        return self.lane_error("memory", what, lane, site, title=title)

    def push_local(self, stack: int, offset: int, size: int, name: str, mask: Mask) -> None:
        """Makes a local variable of the lanes valid and fills it with undefined contents."""
        memory = self.memory
        if LOCAL_BASE + stack + offset + size > self.local_end:
            raise self._stack_overflow()
        start = LOCAL_BASE + stack + offset
        memory.local_top = max(memory.local_top, start + size)
        lanes = slice(None) if mask.all else mask.index
        memory.locals[start] = name, size
        for rows, value in self._fillings:
            rows[lanes, start : start + size] = value
        self._owners[lanes, start : start + size] = memory.new_owner()

    def _stack_overflow(self, site: int | None = None) -> SimulationError:
        most = self.memory.sizes.local_bytes
        return self.error("limit", f"a thread uses more than {most} bytes of local memory", site)

    def push_dynamic(
        self,
        site: int,
        top: int,
        mask: Mask,
        count: Lanes,
        size: int,
        alignment: int,
        generic: bool,
    ) -> Lanes:
        """Allocates an array of `count` elements for each lane; returns its address."""
        memory = self.memory
        counts = np.broadcast_to(count, self.lanes)[mask.index]
        room = memory.sizes.local_bytes
        if counts.size and int(counts.max()) * size > room:
            raise self._stack_overflow(site)
        sizes = np.maximum(counts.astype(np.int64) * size, 1)
        starts = (self.dynamic[mask.index] - sizes - GAP) & -max(alignment, 16)
        lowest = int(starts.min(initial=room))
        if lowest < LOCAL_BASE + top:
            raise self._stack_overflow(site)
        self.dynamic[mask.index] = starts
        self.local_end = min(self.local_end, lowest)
        memory.local_low = min(memory.local_low, lowest)
        owner = memory.new_owner()
        places = memory.offset[LOCAL] + self.lane_base[mask.index] + starts
        for start, length in zip(places.tolist(), sizes.tolist()):
            memory.owner[start : start + length] = owner
            memory.bytes[start : start + length] = UNINITIALIZED
            if memory.undefined is not None:
                memory.undefined[start : start + length] = 0xFF
        return self.dynamic.astype(np.uint64) | np.uint64(LOCAL << WINDOW_SHIFT if generic else 0)

    def release_dynamic(self, until: Lanes, mask: Mask) -> None:
        """Frees each lane's variables of dynamic size below an address."""
        ends = np.broadcast_to(until, self.lanes).astype(np.int64)
        base = self.memory.offset[LOCAL] + self.lane_base
        for lane in mask.index[ends[mask.index] > self.dynamic[mask.index]].tolist():
            self.memory.owner[base[lane] + self.dynamic[lane] : base[lane] + ends[lane]] = 0
            self.dynamic[lane] = ends[lane]
        self.local_end = int(self.dynamic.min())

    def pop_frame(self, stack: int, frame: tuple[int, int], mask: Mask) -> None:
        """Frees a function's local memory, except for the part that its caller provided."""
        start, end = frame
        if end > start:
            self.pop_local(stack + start, end - start, mask)

    def check_index(self, mask: Mask, index: Lanes, count: int, site: int) -> None:
        """Reports an index outside of a jump table."""
        bad = mask.bits & (np.broadcast_to(index, self.lanes) >= count)
        if bad.any():
            raise self.lane_error(
                "poison", "an index outside of a jump table by", int(np.flatnonzero(bad)[0]), site
            )

    def pop_local(self, stack: int, size: int, mask: Mask) -> None:
        """Frees the local memory of a function that returns."""
        start = LOCAL_BASE + stack
        self._owners[slice(None) if mask.all else mask.index, start : start + size] = 0

    def local_pointer(self, offset: int, generic: bool) -> Lanes:
        """The address of a local variable."""
        address = LOCAL_BASE + offset
        return np.array([address | (LOCAL << 40 if generic else 0)], np.uint64)

    def check_divisor(self, mask: Mask, divisor: Lanes, site: int) -> None:
        """Reports division by zero."""
        if bool((mask.bits & (divisor == 0)).any()):
            lane = int(np.flatnonzero(mask.bits & (divisor == 0))[0])
            count = int(np.count_nonzero(mask.bits & (divisor == 0)))
            self.grid.report(
                self.lane_error("poison", "division by zero by", lane, site, count=count)
            )

    def check_quotient(self, mask: Mask, overflows: Lanes, site: int) -> None:
        """Reports a division of the minimum by -1 (LLVM Language Reference, `sdiv`, `srem`)."""
        if bool((mask.bits & overflows).any()):
            lane = int(np.flatnonzero(mask.bits & overflows)[0])
            what = "signed division of the minimum by -1 by"
            self.grid.report(self.lane_error("poison", what, lane, site))

    def copy_in(
        self, site: int, mask: Mask, stack: int, offset: int, size: int, source: Lanes, window: int
    ) -> None:
        """Copies the memory of a by-value argument to a local variable."""
        self.push_local(stack, offset, size, "by-value argument", mask)
        target = np.array([LOCAL_BASE + stack + offset], np.uint64)
        reading = self.access(site, mask, source, window, size, 1, "load")
        writing = self.access(site, mask, target, LOCAL, size, 1, "store")
        copy(reading, writing, size)

    def copy_memory(
        self,
        site: int,
        mask: Mask,
        target: Lanes,
        target_window: int,
        source: Lanes,
        source_window: int,
        length: Lanes,
    ) -> None:
        """`memcpy` and `memmove`: reads all bytes before it writes any."""
        for part, size in self._by_length(mask, length):
            reading = self.access(site, part, source, source_window, size, 1, "load")
            writing = self.access(site, part, target, target_window, size, 1, "store")
            copy(reading, writing, size)

    def set_memory(
        self,
        site: int,
        mask: Mask,
        target: Lanes,
        window: int,
        value: Lanes,
        undefined: Any,
        length: Lanes,
    ) -> None:
        """`memset`."""
        for part, size in self._by_length(mask, length):
            writing = self.access(site, part, target, window, size, 1, "store")
            for at in range(size):
                writing.store(value, 1, at)
                writing.store_undefined(undefined, 1, at)

    def _by_length(self, mask: Mask, length: Lanes) -> list[tuple[Mask, int]]:
        if length.size == 1:
            return [(mask, int(length[0]))] if length[0] else []
        found: list[tuple[Mask, int]] = []
        for value in np.unique(length[mask.bits]):
            if value:
                found.append((Mask(mask.bits & (length == value)), int(value)))
        return found

    def copy_some(
        self,
        site: int,
        mask: Mask,
        source: Lanes,
        window: int,
        target: Access,
        size: int,
        count: Lanes,
    ) -> None:
        """`cp.async` with a source size: bytes beyond it are zeros."""
        wide = np.broadcast_to(count, (self.lanes,))
        for at in range(size):
            target.store(np.zeros(1, np.uint8), 1, at)
            here = mask.bits & (wide > at)
            if here.any():
                part = Mask(here)
                address = source + np.uint64(at)
                reading = self.access(site, part, address, window, 1, 1, "load")
                value = np.broadcast_to(reading.load(1), (self.lanes,))
                place = np.broadcast_to(target.position, (mask.index.size,))
                chosen = here[mask.index]
                self.memory.bytes[place[chosen] + at] = value[mask.index][chosen]

    def clock(self) -> int:
        """A monotonic counter."""
        self.grid.clock += 1
        return self.grid.steps + self.grid.clock

    def call_target(
        self, mask: Mask, address: Lanes, site: int
    ) -> list[tuple[Callable[..., Any], Mask]]:
        """The functions of the lanes' function pointers."""
        targets: list[tuple[Callable[..., Any], Mask]] = []
        wide = np.broadcast_to(address, self.lanes)
        for value in np.unique(wide[mask.bits]):
            number = int(value)
            function = (
                self.grid.functions.get(number & WINDOW_MASK) if number >> 40 == CODE else None
            )
            if function is None:
                lane = int(np.flatnonzero(mask.bits & (wide == value))[0])
                raise self.lane_error(
                    "memory", f"a call of {number:#x}, which is not a function, by", lane, site
                )
            targets.append((function, Mask(mask.bits & (wide == value))))
        return targets

    def check_defined(self, mask: Mask, undefined: Any, site: int, what: str) -> None:
        """Reports poison, undef or uninitialized memory used as a defined value."""
        if isinstance(undefined, int):
            return
        bad = mask.bits & (np.broadcast_to(undefined, self.lanes) != 0)
        if bad.any():
            lane = int(np.flatnonzero(bad)[0])
            self.grid.report(
                self.lane_error(
                    "init",
                    f"{what} depends on an undefined value in",
                    lane,
                    site,
                    title=f"Use of uninitialized value: {what} depends on it",
                    count=int(np.count_nonzero(bad)),
                )
            )


def copy(source: Access, target: Access, size: int) -> None:
    """Copies bytes and their undefined bits; reads all bytes before it writes any."""
    values: list[tuple[int, Lanes, Any]] = []
    for at in range(size):
        values.append((at, source.load(1, at), source.load_undefined(1, at)))
    for at, value, undefined in values:
        target.store(value, 1, at)
        target.store_undefined(undefined, 1, at)
