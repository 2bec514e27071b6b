"""xDSL's interactive application with this project's passes, inputs and outputs; see `nvvm_gui`.

The overrides replace the parts of xDSL's application that are bound to its own parser, printer and
clipboard. Textual calls the handlers of every class of an object: `prevent_default` keeps xDSL's
from running too.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import App
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.reactive import reactive
from textual.widgets import Button, Label, TextArea, Tree
from textual.widgets.tree import TreeNode
from xdsl.dialects.builtin import ModuleOp
from xdsl.interactive.add_arguments_screen import AddArguments
from xdsl.interactive.app import InputApp
from xdsl.interactive.pass_list_item import PassListItem
from xdsl.interactive.passes import AvailablePass, get_condensed_pass_list
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from nvvm_xdsl.codegen.convert_llvm_to_nvptx import ConvertLLVMToNVPTX
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import ConvertNVPTXToPTX
from nvvm_xdsl.codegen.from_ptx import ConvertPTXToNVPTX
from nvvm_xdsl.driver.compile import complete, generate, mlir_context, parse, verify
from nvvm_xdsl.driver.errors import user_errors, with_places
from nvvm_xdsl.driver.files import STDIN_NAME, format_of, read_input
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import get_all_passes
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.pipeline import build_pipeline, print_nodes, run_pipeline
from nvvm_xdsl.pipeline.build import ForeignNode, NestNode, Node, PassNode
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.nvopt import NvOpt

LEVELS = tuple(AvailablePass(NvOpt(f"nvopt<{level}>")) for level in ("O1", "O2", "O3"))
"""Entries before the passes in the list of applicable transformations."""

FORMS = ("MLIR", "LLVM assembly", "PTX", "changes of the last pass")
"""The forms of the output pane, in the order in which a key cycles through them."""

EXAMPLE = """\
define ptx_kernel void @scale(ptr addrspace(1) %out, float %a) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = alloca float
  store float %a, ptr %slot
  %p = getelementptr float, ptr addrspace(1) %out, i32 %i
  %x = load float, ptr addrspace(1) %p
  %b = load float, ptr %slot
  %y = fmul float %x, %b
  store float %y, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
"""The initial input without a file."""


def text_of_file(path: str) -> str:
    """The text of a file for the input pane: LLVM assembly for bitcode.

    Raises DiagnosticError.
    """
    data = read_input(path)
    with user_errors(path):
        if format_of(data, path) == "bc":
            return write_ll(parse(data, filename=path))
        return data.decode()


def passes_of(pipeline: str) -> tuple[ModulePass, ...]:
    """The passes of pipeline text, each group and level as one entry. Raises DiagnosticError."""
    return _single(build_pipeline(pipeline))


def _single(nodes: Sequence[Node]) -> tuple[ModulePass, ...]:
    found: list[ModulePass] = []
    for node in nodes:
        if isinstance(node, (PassNode, ForeignNode)):
            found.append(node.instance)
        elif isinstance(node, NestNode) and not node.spelling:
            found += _single(node.children)
        else:
            found.append(NvOpt(print_nodes([node])))
    return tuple(found)


def pipeline_of(passes: Sequence[ModulePass]) -> str:
    """The text of a pipeline of these passes, with only the parameters that differ from the
    default."""
    return ",".join(map(_text_of_pass, passes))


def _text_of_pass(instance: ModulePass) -> str:
    if isinstance(instance, NvOpt) and not instance.opt:
        return instance.pipeline
    if not isinstance(instance, NvvmPass):
        return print_nodes([ForeignNode(instance)])
    usual = type(instance)().parameters()
    stated = [parameter for parameter in instance.parameters() if parameter not in usual]
    return f"{instance.name}<{';'.join(stated)}>" if stated else instance.name


def _text_of(available: AvailablePass) -> str:
    value = available.module_pass
    return _text_of_pass(value) if isinstance(value, ModulePass) else value.name


def arguments_of(cls: type[ModulePass]) -> str:
    """The default parameters of a pass in xDSL's grammar, without unset ones, which the grammar
    cannot express."""
    spec = cls().pipeline_pass_spec(include_default=True)
    stated = {name: values for name, values in spec.parameters.items() if values}
    text = str(ArgSpec(spec.name, stated))
    return text.removeprefix(spec.name).removeprefix("{").removesuffix("}")


class _Arguments(AddArguments):
    """xDSL's screen for parameters, which starts with text that it can read back."""

    CSS_PATH = Path(inspect.getfile(AddArguments)).with_name("add_arguments_screen.tcss")

    def __init__(self, selected: type[ModulePass]) -> None:
        super().__init__(selected)
        self.argument_text_area = TextArea(arguments_of(selected), id="argument_text_area")


class _PassCommands(Provider):
    """The passes in Textual's command palette, found by fuzzy search."""

    def _commands(self) -> list[tuple[str, str, Callable[[], None]]]:
        app = self.app
        assert isinstance(app, PipelineApp)
        found: list[tuple[str, str, Callable[[], None]]] = []
        for available in app.choices():
            value = available.module_pass
            cls = value if isinstance(value, type) else type(value)
            about = (inspect.getdoc(cls) or "").partition("\n")[0]
            found.append((_text_of(available), about, partial(app.append, value)))
        return found

    async def discover(self) -> Hits:
        """All of them, for an empty query."""
        for text, about, command in self._commands():
            yield DiscoveryHit(text, command, help=about)

    async def search(self, query: str) -> Hits:
        """The passes whose names match the query."""
        matcher = self.matcher(query)
        for text, about, command in self._commands():
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), command, help=about)


class PipelineApp(InputApp):
    """The application.

    Arguments:
        file_path: the file that is shown first, a small kernel when not given.
        pass_pipeline: the passes that are applied first.
    Raises DiagnosticError for a file that cannot be read.
    """

    CSS_PATH = Path(inspect.getfile(InputApp)).with_name("app.tcss")

    TITLE = "nvvm-gui"

    COMMANDS = App.COMMANDS | {_PassCommands}

    BINDINGS: ClassVar = [
        *InputApp.BINDINGS,
        Binding("ctrl+o", "next_form", "Output as", priority=True),
        Binding("ctrl+l", "remove_last", "Remove last pass", priority=True),
    ]

    form: reactive[str] = reactive(FORMS[0])
    """The form that the output pane shows, one of `FORMS`."""

    before_last: str | None = None
    """The IR before the last pass; None without passes, and after a failure."""

    def __init__(
        self, file_path: str | None = None, pass_pipeline: tuple[ModulePass, ...] = ()
    ) -> None:
        named = {name: make() for name, make in get_all_passes().items()}
        for cls in (NvOpt, ConvertLLVMToNVPTX, ConvertNVPTXToPTX, ConvertPTXToNVPTX):
            named[cls.name] = cls
        text = EXAMPLE if file_path is None else text_of_file(file_path)
        self._condensed: tuple[ModuleOp, tuple[AvailablePass, ...]] | None = None
        super().__init__((), tuple(sorted(named.items())), file_path, text, pass_pipeline)

    def choices(self) -> tuple[AvailablePass, ...]:
        """The applicable transformations: the levels, then the passes by name."""
        return (*LEVELS, *(AvailablePass(cls) for _, cls in self.all_passes))

    def chosen(self) -> tuple[ModulePass, ...]:
        """The passes that are applied."""
        # xDSL declares the attribute by a generic alias that pyright cannot resolve.
        return self.pass_pipeline  # pyright: ignore[reportUnknownMemberType]

    def append(self, wanted: type[ModulePass] | ModulePass) -> None:
        """Applies a pass with its default parameters after the others."""
        instance = wanted if isinstance(wanted, ModulePass) else wanted()
        self.pass_pipeline = (*self.chosen(), instance)

    def compute_available_pass_list(self) -> tuple[AvailablePass, ...]:
        """Like xDSL's, without parsing the input again, because it is called at every change."""
        module = self.current_module
        if isinstance(module, Exception):
            return ()
        if module is None or not self.condense_mode:
            return self.choices()
        if self._condensed is None or self._condensed[0] is not module:
            found = get_condensed_pass_list(mlir_context(), module, self.all_passes)
            self._condensed = (module, found)
        return self._condensed[1]

    def expand_node(
        self, expanded_pass: TreeNode[Any], child_pass_list: tuple[AvailablePass, ...]
    ) -> None:
        """Shows passes under a node by their pipeline text."""
        expanded_pass.remove_children()
        for available in child_pass_list:
            expanded_pass.add(Text(_text_of(available)), available.module_pass)

    def update_root_of_passes_tree(self) -> None:
        """Shows the last pass as the root of the passes that can follow it."""
        super().update_root_of_passes_tree()
        if self.chosen():
            self.passes_tree.root.set_label(Text(_text_of_pass(self.chosen()[-1])))

    def update_selected_passes_list_view(self) -> None:
        """Shows the passes except for the last one, which is the root of the tree."""
        self.selected_passes_list_view.clear()
        for each in self.chosen()[:-1]:
            label = Label(_text_of_pass(each), markup=False)
            self.selected_passes_list_view.append(
                PassListItem(label, module_pass=each, name=each.name)
            )

    def get_pass_arguments(
        self, selected_pass_value: type[ModulePass], root_to_child_pass_list: tuple[ModulePass, ...]
    ) -> None:
        """Prompts for the parameters of a pass and applies it."""

        def entered(result: ModulePass | None) -> None:
            if result is not None:
                self.pass_pipeline = (*self.chosen(), *root_to_child_pass_list, result)

        self.push_screen(_Arguments(selected_pass_value), entered)

    @on(Tree.NodeExpanded, "#passes_tree")
    def expand_tree_node(self, event: Tree.NodeExpanded[Any]) -> None:
        """Shows the passes that can follow a pass without parameters."""
        event.prevent_default()
        if event.node.is_root or isinstance(event.node.data, ModulePass):
            self.expand_node(event.node, self.choices())

    def _parsed(self, text: str) -> ModuleOp:
        name = self.current_file_path or "<input>"
        kind = format_of(text.encode(), STDIN_NAME)

        def attempt(locations: bool) -> ModuleOp:
            with user_errors(name):
                module = parse(text, filename=name, format=kind, locations=locations)
                verify(module)
                return module

        return with_places(attempt, {name: text})

    @on(TextArea.Changed, "#input")
    def update_current_module(self, event: TextArea.Changed | None = None) -> None:
        """Reads the input, whatever its format, and applies the passes."""
        if event is not None:
            event.prevent_default()
        self.before_last = None
        counted = ModuleOp([])
        text = self.input_text_area.text
        try:
            module = self._parsed(text) if text.strip() else None
            if module is not None:
                counted = module.clone()
                self.current_module = self._applied(module)
            else:
                self.current_module = None
        except DiagnosticError as error:
            self.current_module = error
        self.update_input_operation_count_tuple(counted)

    def _applied(self, module: ModuleOp) -> ModuleOp:
        with user_errors():
            if self.chosen():
                *earlier, last = self.chosen()
                run_pipeline(module, pipeline_of(earlier))
                before = ir_text(module)
                run_pipeline(module, _text_of_pass(last))
                verify(module)
                self.before_last = before
        return module

    def watch_current_module(self) -> None:
        """Shows the module, or the error, in the output pane."""
        self.query_one("#input_container").border_title = "Input"
        self.query_one("#output_container").border_title = f"Output: {self.form}"
        module = self.current_module
        if module is None:
            text = "No input"
        else:
            try:
                text = module.render() if isinstance(module, DiagnosticError) else self._shown()
            except DiagnosticError as error:
                text = error.render()
        self.output_text_area.load_text(text)
        self.update_operation_count_diff_tuple()

    def _shown(self) -> str:
        """The module in the chosen form. Raises DiagnosticError if it cannot be printed in it."""
        module = self.current_module
        assert isinstance(module, ModuleOp)
        with user_errors():
            if self.form == "LLVM assembly":
                module = module.clone()
                complete(module)
                return write_ll(module)
            if self.form == "PTX":
                return generate(module.clone(), CompileOptions().for_module(module))
            if self.form == "MLIR":
                return f"{ir_text(module)}\n"
            if self.before_last is None:
                return "No pass is applied"
            old, new = (text.splitlines() for text in (self.before_last, ir_text(module)))
            return "\n".join(difflib.unified_diff(old, new, "before", "after", lineterm=""))

    def watch_form(self) -> None:
        """Shows the module in the form that was chosen."""
        if self.query("#output_container"):
            self.watch_current_module()

    def action_next_form(self) -> None:
        """Switches to the next form of the output."""
        self.form = FORMS[(FORMS.index(self.form) + 1) % len(FORMS)]

    def action_remove_last(self) -> None:
        """Removes the last pass."""
        self.pass_pipeline = self.chosen()[:-1]

    def get_query_string(self) -> str:
        """The equivalent `nvvm-opt` command."""
        file = self.current_file_path or "-"
        passes = pipeline_of(self.chosen())
        return f"nvvm-opt {file} -p '{passes}'" if passes else f"nvvm-opt {file}"

    @on(Button.Pressed, "#copy_query_button")
    def copy_query(self, event: Button.Pressed) -> None:
        """Copies the command through the terminal, which works from other machines too."""
        event.prevent_default()
        self.copy_to_clipboard(self.get_query_string())
        self.notify(self.get_query_string(), title="Copied", markup=False)

    @on(Button.Pressed, "#copy_output_button")
    def copy_output(self, event: Button.Pressed) -> None:
        """Copies the output through the terminal."""
        event.prevent_default()
        self.copy_to_clipboard(self.output_text_area.text)
        self.notify("the output", title="Copied")

    @on(Button.Pressed, "#load_file_button")
    def load_file(self, event: Button.Pressed) -> None:
        """Lets the user choose a file and shows it without passes."""
        event.prevent_default()

        def show(path: str | None) -> None:
            if path is None:
                return
            try:
                text = text_of_file(path)
            except DiagnosticError as error:
                self.notify(error.render(), severity="error", markup=False)
                return
            self.current_file_path = path
            self.pass_pipeline = ()
            self.input_text_area.load_text(text)

        self.push_screen("load_file", show)
