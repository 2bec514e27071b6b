"""Records the changes of each function by each pass of a compilation, as an observer of a watcher.

A function's text is stored once, and every later state as the lines that differ: most passes change
few. Values keep their names (`ir.steady_text`), so that a differing line was changed by a pass.
Rows are the passes in execution order, with one cell for each function that a row ran on; functions
that are processed one after the other by a pipeline share the rows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.nvptx.functions import FuncOp as MachineFunc
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.ir.steady_text import Aliases, FunctionText, Line
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.pipeline.build import PassNode, print_nodes
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher

MODULE = "[module]"
"""The name of the column for everything outside of functions."""

Edit = tuple[int, int, list[int]]
"""Index in the lines before the edit, number of removed lines, and numbers of the inserted
lines."""


@dataclass(eq=False)
class Row:
    """A pass at one position of the pipeline, or the end of a stage.

    Attributes:
        name: the pass, by its pipeline name, or the stage.
        text: the pass with its parameters.
        stage: `ir` or `machine`.
        seconds: the time of all its runs.
    """

    name: str
    text: str
    stage: str
    seconds: float = 0.0


@dataclass(eq=False)
class Cell:
    """The changes of a function by a row.

    Attributes:
        seconds: its time; the time of a module pass is in the cell of `[module]`.
        edits: from the state before the pass to the state after it, in order; None if nothing
            changed.
        remarks: the remarks of the pass on this function.
    """

    row: Row
    seconds: float = 0.0
    edits: list[Edit] | None = None
    remarks: list[Remark] = field(default_factory=list[Remark])


@dataclass(eq=False)
class Column:
    """A function's cells in the order in which its passes ran.

    Attributes:
        text: assigns the names of the function's values.
        lines: the numbers of its current lines.
    """

    name: str
    text: FunctionText
    cells: list[Cell] = field(default_factory=list[Cell])
    lines: list[int] = field(default_factory=list[int])
    gone: bool = False
    """Whether a pass has removed the function."""


class History:
    """A recording of one compilation.

    `watch` observes the passes, `begin` and `stage` record other changes.

    Attributes:
        lines: all distinct lines of all states; edits contain their numbers.
        aliases: aliases of the attributes in the lines.
        columns: by the function's name.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.aliases = Aliases()
        self.columns: dict[str, Column] = {}
        self._numbers: dict[Line, int] = {}
        self._rows: list[Row] = []
        self._places: dict[Row, int] = {}
        self._known: dict[tuple[int, int], Row] = {}
        self._counts: dict[tuple[str, int], int] = {}
        self._kept: list[object] = []
        self._last: dict[str, Row] = {}
        self._last_of_module: Row | None = None
        self._stage = "ir"
        self._heard: list[Remark] = []

    @property
    def rows(self) -> Sequence[Row]:
        """The rows in order."""
        return self._rows

    def watch(self, watcher: Watcher) -> Watcher:
        """Makes the watcher report its passes to this recording; returns it."""
        watcher.observer = self.ran
        watcher.listener = self._heard.append
        return watcher

    def begin(self, module: ModuleOp) -> None:
        """Records the input module as the first row."""
        self.stage(module, "input", "ir")

    def stage(self, module: ModuleOp, name: str, stage: str, seconds: float = 0.0) -> None:
        """Records the module produced by a step other than a pass, such as selection.

        Arguments:
            name: the name of its row.
            stage: `ir` or `machine`, for this and the following rows.
        """
        self._stage = stage
        row = self._append(Row(name, name, stage, seconds))
        self._record_module(module, row)

    def barrier(self) -> Row:
        """Later passes follow all rows so far; returns the last of them."""
        if not self._rows:
            self._append(Row("input", "input", self._stage))
        self._last_of_module = self._rows[-1]
        return self._rows[-1]

    def ran(self, run: PassRun) -> None:
        """Records the run of a pass: the callback of a watcher's observer."""
        if isinstance(run.unit, ModuleOp):
            row = self._append(self._new_row(run.instance))
            self._cell(MODULE, row).seconds += run.seconds
            if run.changed:
                self._record_module(run.unit, row)
        else:
            name = symbol_name(run.unit) or ""
            row = self._row_of_function(run, name)
            cell = self._cell(name, row)
            cell.seconds += run.seconds
            if run.changed:
                self._record_function(name, run.unit, cell)
        row.seconds += run.seconds
        for remark in self._heard:
            known = remark.function in self.columns
            self._cell(remark.function if known else MODULE, row).remarks.append(remark)
        self._heard.clear()

    def names(self, function: str) -> FunctionText:
        """The object that names the values and blocks of a function."""
        return self._column(function).text

    # Rows.

    def _new_row(self, instance: NvvmPass) -> Row:
        return Row(instance.name, print_nodes((PassNode(instance),)), self._stage)

    def _append(self, row: Row) -> Row:
        """Appends a row after all others: a module pass follows all earlier passes."""
        self._places[row] = len(self._rows)
        self._rows.append(row)
        self._last_of_module = row
        return row

    def _row_of_function(self, run: PassRun, name: str) -> Row:
        """The row of a pass on a function: the row of the same pipeline position for earlier
        functions, if it follows all rows of this function; otherwise a new row."""
        before = [r for r in (self._last.get(name), self._last_of_module) if r is not None]
        place = max((self._places[row] for row in before), default=-1)
        counted = name, id(run.instance)
        turn = self._counts[counted] = self._counts.get(counted, 0) + 1
        if turn == 1:
            # `id` is unique only while the object is live.
            self._kept.append(run.instance)
        key = id(run.instance), turn
        row = self._known.get(key)
        if row is None or self._places[row] <= place:
            row = self._known[key] = self._new_row(run.instance)
            self._rows.insert(place + 1, row)
            for at in range(place + 1, len(self._rows)):
                self._places[self._rows[at]] = at
        self._last[name] = row
        return row

    # Columns.

    def _column(self, name: str) -> Column:
        column = self.columns.get(name)
        if column is None:
            column = self.columns[name] = Column(name, FunctionText(self.aliases))
        return column

    def _cell(self, name: str, row: Row) -> Cell:
        column = self._column(name)
        if column.cells and column.cells[-1].row is row:
            return column.cells[-1]
        cell = Cell(row)
        column.cells.append(cell)
        return cell

    def _record_module(self, module: ModuleOp, row: Row) -> None:
        """Records the changes in the functions and around them."""
        rest: list[Operation] = []
        seen: set[str] = set()
        for op in fast.ops_of(module.body.block):
            name = symbol_name(op)
            if isinstance(op, (FuncOp, MachineFunc)) and name and op.regions[0].first_block:
                seen.add(name)
                self._record_lines(name, self._column(name).text.lines(op), row)
            else:
                rest.append(op)
        for name, column in self.columns.items():
            if name not in seen and name != MODULE and not column.gone and column.lines:
                self._record_lines(name, [], row)
                column.gone = True
        text = self._column(MODULE).text
        self._record_lines(MODULE, [line for op in rest for line in text.lines_of_op(op)], row)

    def _record_function(self, name: str, func: Operation, cell: Cell) -> None:
        self._record_lines(name, self._column(name).text.lines(func), cell.row)

    def _record_lines(self, name: str, lines: Sequence[Line], row: Row) -> None:
        column = self._column(name)
        now = [self._number(line) for line in lines]
        column.gone = False
        if now == column.lines:
            return
        self._cell(name, row).edits = edits(column.lines, now)
        column.lines = now

    def _number(self, line: Line) -> int:
        number = self._numbers.get(line)
        if number is None:
            number = self._numbers[line] = len(self.lines)
            self.lines.append(line)
        return number


def edits(old: Sequence[int], new: Sequence[int]) -> list[Edit]:
    """The edits from the old lines to the new lines, in linear time except for sorting.

    Lines that occur once in both are matched, as many as are in the same order. Between two matched
    lines, equal lines from either end are matched, too. All other lines are replaced. ("Patience
    diff", B. Cohen.)
    """
    found: list[Edit] = []
    at_old = at_new = 0
    for next_old, next_new in [*_matches(old, new), (len(old), len(new))]:
        _replace(found, old, new, (at_old, next_old), (at_new, next_new))
        at_old, at_new = next_old + 1, next_new + 1
    return found


def applied(lines: Sequence[int], changes: Sequence[Edit]) -> list[int]:
    """The lines after the edits."""
    found: list[int] = []
    at = 0
    for start, removed, added in changes:
        found += lines[at:start]
        found += added
        at = start + removed
    found += lines[at:]
    return found


def _replace(
    found: list[Edit],
    old: Sequence[int],
    new: Sequence[int],
    before: tuple[int, int],
    after: tuple[int, int],
) -> None:
    (start, end), (new_start, new_end) = before, after
    while start < end and new_start < new_end and old[start] == new[new_start]:
        start, new_start = start + 1, new_start + 1
    while start < end and new_start < new_end and old[end - 1] == new[new_end - 1]:
        end, new_end = end - 1, new_end - 1
    if start < end or new_start < new_end:
        found.append((start, end - start, list(new[new_start:new_end])))


def _matches(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Index pairs of lines that occur once in both: the longest increasing subsequence."""
    places = _unique_places(new)
    pairs = [(at, places[line]) for line, at in _unique_places(old).items() if line in places]
    ends: list[int] = []
    last: list[int] = []
    previous: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        previous.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(place)
            last.append(index)
        else:
            ends[length] = place
            last[length] = index
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    chain.reverse()
    return chain


def _unique_places(lines: Sequence[int]) -> dict[int, int]:
    """The indices of the lines that occur once, in order."""
    places: dict[int, int] = {}
    for at, line in enumerate(lines):
        places[line] = -1 if line in places else at
    return {line: at for line, at in places.items() if at >= 0}
