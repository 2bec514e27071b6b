"""The debugger in a terminal, on Textual."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, cast

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Input, Static

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.bounded_files import source_lines
from nvvm_xdsl.simulator.compiler import UNRECORDED
from nvvm_xdsl.simulator.debugger.session import Session
from nvvm_xdsl.simulator.debugger.trace import op_text
from nvvm_xdsl.simulator.execution.sanitizer import user_place

CONTEXT = 200
"""Number of lines around the current one that a pane shows."""


class Debugger(App[None]):
    """Panes for source, ops, values and a warp; keys and a command line control the session."""

    CSS = """
    #left, #right { width: 1fr; }
    #source, #ops, #values, #warp { height: 1fr; border: round $accent; }
    #source, #ops { text-wrap: nowrap; }
    #status { height: 1; background: $panel; }
    #command { height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "line(1)", "step"),
        Binding("n", "over(1)", "next"),
        Binding("i", "op(1)", "op"),
        Binding("c", "resume(1)", "continue"),
        Binding("S", "line(-1)", "step back"),
        Binding("N", "over(-1)", "next back"),
        Binding("I", "op(-1)", "op back"),
        Binding("C", "resume(-1)", "reverse"),
        Binding("b", "break", "break"),
        Binding("colon", "command", "command"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, session: Session, title: str, watched: Sequence[str] = ()) -> None:
        super().__init__()
        self.session = session
        self.title = title
        self.watched = list(watched)
        self.message = ""

    def compose(self) -> ComposeResult:
        """The panes."""
        with Horizontal():
            with Vertical(id="left"):
                yield Static(id="source")
                yield Static(id="ops")
            with Vertical(id="right"):
                yield DataTable(id="values", cursor_type="none")
                yield DataTable(id="warp", cursor_type="none")
        yield Static(id="status")
        yield Input(placeholder=COMMANDS_HELP, id="command")
        yield Footer()

    def on_mount(self) -> None:
        """Shows the position of the session."""
        for name, title in (
            ("source", "source"),
            ("ops", "ops"),
            ("values", "values"),
            ("warp", "warp"),
        ):
            self.query_one(f"#{name}").border_title = title
        self.set_focus(None)
        self.show()

    def on_resize(self) -> None:
        """Updates the panes: their heights, known after the layout, limit the number of lines."""
        self.call_after_refresh(self.show)

    # Actions

    def action_line(self, direction: int) -> None:
        """Steps to the next source line or back."""
        self._do(lambda: self.session.step_line(direction))

    def action_over(self, direction: int) -> None:
        """Steps over calls."""
        self._do(lambda: self.session.step_line(direction, over=True))

    def action_op(self, direction: int) -> None:
        """Steps to the next op or back."""
        self._do(lambda: self.session.step_op(direction))

    def action_resume(self, direction: int) -> None:
        """Moves to the next or previous breakpoint."""
        self._do(lambda: self.session.resume(direction))

    def action_break(self) -> None:
        """Toggles a breakpoint at the current line."""
        place = self.session.place
        if place.line is not None:
            self._do(lambda: self._toggle(f"{place.file}:{place.line}"))

    def action_command(self) -> None:
        """Moves the focus to the command line."""
        self.query_one("#command", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Executes a command."""
        words = event.value.split()
        event.input.value = ""
        self.set_focus(None)
        if words:
            self._do(lambda: self._command(words[0], " ".join(words[1:])))

    def _command(self, name: str, rest: str) -> None:
        commands: dict[str, Callable[[], object]] = {
            "break": lambda: self._toggle(rest),
            "watch": lambda: self._watch(rest),
            "thread": lambda: self.session.focus(int(rest)),
            "restart": self.session.restart,
            "end": self.session.to_end,
        }
        found = commands.get(name)
        if found is None:
            raise ValueError(f"there is no command {name}; {COMMANDS_HELP}")
        found()

    def _toggle(self, text: str) -> None:
        is_set = self.session.toggle(text)
        self.message = f"breakpoint {text} {'set' if is_set else 'removed'}"

    def _watch(self, name: str) -> None:
        if name in self.watched:
            self.watched.remove(name)
            return
        self.session.watch(name)
        self.watched.append(name)

    def _do(self, action: Callable[[], object]) -> None:
        self.message = ""
        try:
            action()
        except ValueError as error:
            self.message = str(error)
        self.show()

    # Display

    def show(self) -> None:
        """Updates the panes."""
        self.query_one("#source", Static).update(self._source())
        self.query_one("#ops", Static).update(self._ops())
        self._show_values()
        self._show_warp()
        session = self.session
        where = "the end" if session.ended else f"op {session.at + 1} of {len(session.events)}"
        stack = " < ".join(frame.function for frame in session.stack())
        text = f"thread {session.thread()}, {len(session.active)} active  {where}  {stack}"
        self.query_one("#status", Static).update(f"{text}  {self.message}".replace("[", r"\["))

    def _extent(self, name: str) -> tuple[int, int]:
        """Rows and columns of a pane."""
        size = self.query_one(name).size
        return max(size.height, 5), max(size.width, 20)

    def _source(self) -> Text:
        place = self.session.place
        if place.file is None or place.line is None:
            return Text("no source")
        lines = source_lines(place.file)
        stops = {b.text for b in self.session.breakpoints}
        rows: list[tuple[str, bool, bool]] = []
        for number, line in enumerate(lines, 1):
            stop = bool(stops & {f"{place.file}:{number}", str(number)})
            rows.append((f"{number:4} {line.rstrip()}", number == place.line, stop))
        return _window(rows, place.line - 1, *self._extent("#source"))

    def _ops(self) -> Text:
        op = self.session.op
        block = None if op is None else op.parent_block()
        if op is None or block is None:
            return Text("the thread has ended")
        names = self.session.names()
        ops = [o for o in fast.ops_of(block) if o.name not in UNRECORDED]
        rows = [(f"{user_place(o).line or '':>4} {op_text(o, names)}", o is op, False) for o in ops]
        return _window(rows, ops.index(op), *self._extent("#ops"))

    def _show_values(self) -> None:
        table = cast("DataTable[str]", self.query_one("#values", DataTable))
        table.clear(columns=True)
        table.add_columns("value", f"thread {self.session.thread()}")
        for name, text in (*self.session.variables(), *self.session.values()):
            table.add_row(name, text)

    def _show_warp(self) -> None:
        table = cast("DataTable[str]", self.query_one("#warp", DataTable))
        table.clear(columns=True)
        table.add_columns("thread", *self.watched)
        columns: list[list[str]] = []
        for name in self.watched:
            try:
                columns.append(self.session.watch(name))
            except ValueError:
                columns.append([""] * len(self.session.warp()))
        active = set(self.session.active)
        for row, lane in enumerate(self.session.warp()):
            mark = "▶" if lane == self.session.lane else ("•" if lane in active else " ")
            table.add_row(f"{mark} {self.session.thread(lane)}", *(c[row] for c in columns))


COMMANDS_HELP = "break LINE|OP|%VALUE   watch %VALUE|NAME[I]   thread N   restart   end"


def _window(rows: list[tuple[str, bool, bool]], current: int, height: int, width: int) -> Text:
    """The rows around the current one, with marks for it and for breakpoints."""
    start = max(0, min(current - height // 2, len(rows) - height))
    text = Text(no_wrap=True)
    for row, here, stop in rows[start : start + min(height, CONTEXT)]:
        mark = "●" if stop else " "
        line = f"{mark}{'▶' if here else ' '}{row}"[:width]
        text.append(f"{line}\n", "reverse" if here else "")
    return text
