"""The implementation of `nvvm-opt`: xDSL's tool with additional inputs, options and outputs."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.xdsl_opt_main import xDSLOptMain

from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.driver.errors import InternalError, user_errors, with_places
from nvvm_xdsl.driver.files import STDIN_NAME, Format, decode, format_of, read_input, write_output
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import (
    add_instrument_arguments,
    add_level_arguments,
    chosen,
    instruments_of,
    join_values,
    nodes_of,
    unread_notes,
)
from nvvm_xdsl.pipeline.option_flags import add_clang_arguments
from nvvm_xdsl.tools.arguments import OPT_VERSION, ArgumentParser
from nvvm_xdsl.tools.completion import add_completion_argument
from nvvm_xdsl.tools.nvcc_options import join_clang
from nvvm_xdsl.tools.proofs import with_proofs

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline import Instruments
    from nvvm_xdsl.pipeline.build import Node

DESCRIPTION = """\
Reads CUDA C++ (.cu), NVVM IR (.ll, .bc, .mlir) or PTX (.ptx), runs passes, and prints IR: MLIR, with -S LLVM
assembly, with -t ptx PTX.
It accepts the options of xdsl-opt. Without passes it prints the input."""

EPILOG = """\
examples:
  nvvm-opt kernel.ll                        show LLVM assembly as the llvm and nvvm dialects
  nvvm-opt kernel.ll -p mem2reg,dce         run passes
  nvvm-opt kernel.ll -p 'function(sroa,simplifycfg<bonus-inst-threshold=2>),globaldce'
  nvvm-opt kernel.ptx -p convert-ptx-to-nvptx,nvptx-ssa-construction   PTX as machine code
  nvvm-opt kernel.ll -O3 --print-changed=diff -o optimized.mlir   the changes of each pass of -O3
  nvvm-opt kernel.ll -p 'print<loops>' -o same.mlir   print an analysis
  nvvm-opt -O3 --explain-pipeline           the documented pipeline of -O3, and the passes of it that run
  nvvm-opt --list-passes                    the passes with their parameters, and the analyses
  nvvm-opt kernel.mlir -t 'ptx{arch=sm_90}'   PTX, from the llvm, nvptx or ptx dialect
  nvvm-opt kernel.ll -O3 -S -o optimized.ll   LLVM assembly, for opt, llc and libNVVM
  nvvm-opt kernel.ll -p 'llvm<"default<O3>">'   LLVM's own passes, by llvmlite
"""

_XDSL_HELP = {
    "-p": "the passes to run, in the syntax of LLVM's `opt -passes=` or of xdsl-opt; --list-passes lists them",
    "-t": "output format: mlir (default), llvm (bitcode with -o FILE.bc), ptx, or another target of xDSL's",
    "-f": "input format (default: detected by content and suffix)",
    "-o": "the output file (default: standard output)",
    "--disable-verify": "do not verify the module before and after the passes",
    "-v": "print the versions of nvvm-opt and xDSL and exit",
}
"""Replacements for help texts of xDSL's options, which would list all passes and targets."""

_MLIR_OPT = re.compile(r"(?:^|,)\s*mlir-opt\[")
_SPLIT = re.compile(rb"(?://|;) -----")


class NvvmOptMain(xDSLOptMain):
    """The tool; `execute` runs it."""

    nodes: list[Node]
    """The pipeline."""

    parser: ArgumentParser
    """The command line."""

    locations: bool = False
    """Whether ops without locations get the location of their text."""

    _parsed: bool = False
    """Whether the current part of the input has been read."""

    version_format: ClassVar[str] = OPT_VERSION

    def __init__(self, args: Sequence[str] | None = None) -> None:
        words = sys.argv[1:] if args is None else args
        super().__init__(DESCRIPTION, join_clang(join_values(words)))

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """xDSL's options, and those for NVVM IR."""
        super().register_all_arguments(arg_parser)
        # xDSL makes the parser; ours reports a misspelled option in one line.
        arg_parser.__class__ = ArgumentParser
        assert isinstance(arg_parser, ArgumentParser)
        self.parser = arg_parser
        for option, text in _XDSL_HELP.items():
            arg_parser.set_help(option, text)
        arg_parser.prog = "nvvm-opt"
        arg_parser.epilog = EPILOG
        arg_parser.formatter_class = argparse.RawDescriptionHelpFormatter
        arg_parser.add_argument(
            "--input-format",
            dest="frontend",
            choices=list(self.available_frontends),
            help="the same as --frontend",
        )
        arg_parser.add_argument(
            "-S",
            dest="target",
            action="store_const",
            const="llvm",
            help="print LLVM assembly: the same as -t llvm",
        )
        arg_parser.add_argument(
            "-g",
            action="store_true",
            help="keep the debug information of variables, as llvm.intr.dbg.* and #llvm.di_*",
        )
        add_instrument_arguments(arg_parser, known=["--time-passes"])
        add_level_arguments(arg_parser)
        add_clang_arguments(arg_parser)
        add_completion_argument(arg_parser)
        arg_parser.add_argument(
            "--list-passes", action="store_true", help="list the passes and analyses and exit"
        )
        arg_parser.add_argument(
            "--missing",
            action="store_true",
            help="with --list-passes: list the documented passes that are not implemented",
        )
        arg_parser.add_argument(
            "--print-pipeline-passes",
            action="store_true",
            help="print the expanded pipeline with all parameters and exit",
        )
        arg_parser.add_argument(
            "--explain-pipeline",
            action="store_true",
            help="explain for each pass of a level whether and why it runs, and exit",
        )

    @cached_property
    def multiverse(self) -> Universe:
        """The names that xDSL and the installed packages register, which requires importing each of
        them."""
        from nvvm_xdsl.pipeline.plugins import load_installed

        # xDSL's tools report a plug-in that cannot be loaded as a warning.
        load_installed()
        return Universe.get_multiverse()

    def register_all_dialects(self) -> None:
        """Registers the dialects of all packages."""
        for name, factory in self.multiverse.all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        """Registers the passes of all packages."""
        self.available_passes.update(self.multiverse.all_passes)

    def register_all_targets(self) -> None:
        """Registers the targets of all packages."""
        self.available_targets.update(self.multiverse.all_targets)

    def register_all_frontends(self) -> None:
        """xDSL's `mlir`, and `ll`, `bc` and `ptx`."""
        super().register_all_frontends()

        def read_mlir(stream: IO[bytes]) -> ModuleOp:
            from nvvm_xdsl.dialects.nvvm.extended_ops import EXTENDED_OPS
            from nvvm_xdsl.frontend.main_ops import lower_main_ops, register_main_ops
            from nvvm_xdsl.frontend.mlir_reader import give_constants_their_type
            from nvvm_xdsl.xdsl_patches.mlir_parser import GuardedParser, LocatingParser

            name = self.get_input_name()
            register_main_ops(self.ctx)
            parser = LocatingParser if self.locations else GuardedParser
            text = decode(stream.read(), name)
            module = parser(self.ctx, text, name, EXTENDED_OPS).parse_module(
                not self.args.no_implicit_module
            )
            lower_main_ops(module)
            intern_types(module)
            give_constants_their_type(module)
            return module

        self.available_frontends["mlir"] = read_mlir

        def make(format_: Format):
            def read(stream: IO[bytes]) -> ModuleOp:
                from nvvm_xdsl.driver.compile import parse
                from nvvm_xdsl.pipeline.compile_options import CompileOptions

                return parse(
                    stream.read(),
                    filename=self.get_input_name(),
                    format=format_,
                    locations=self.locations,
                    debug="full" if self.args.g else "none",
                    cuda=CompileOptions(
                        debug="full" if self.args.g else "none",
                        clang_flags=tuple(self.args.clang_flags),
                    ),
                )

            return read

        self.available_frontends["ll"] = make("ll")
        self.available_frontends["bc"] = make("bc")
        self.available_frontends["ptx"] = make("ptx")
        self.available_frontends["cu"] = make("cu")

    def setup_pipeline(self) -> None:
        """The passes of `-p`, in LLVM's grammar or xDSL's, or of `-O`. Raises DiagnosticError."""
        text: str = self.args.passes
        choice = chosen(self.args)
        if _MLIR_OPT.search(text):
            from nvvm_xdsl.pipeline.build import ForeignNode

            # xDSL's grammar can also run MLIR's passes.
            passes = PassPipeline.parse_spec(self.available_passes, text).passes
            self.nodes = [ForeignNode(instance) for instance in passes]
        else:
            self.nodes = nodes_of(choice, text or None)
        for note in unread_notes(choice.options):
            print(f"remark: {note}", file=sys.stderr)

    def instruments(self) -> Instruments:
        """The instrumentation of the passes."""
        args = self.args
        args.verify_each = args.verify_each and not args.disable_verify
        by_proof = args.verify_each_by_proof
        args.print_after_all = args.print_after_all or args.print_between_passes
        return with_proofs(instruments_of(args), wanted=by_proof)

    def verify(self, module: ModuleOp) -> None:
        """Verifies the module unless disabled. Raises VerifyError."""
        if not self.args.disable_verify:
            from nvvm_xdsl.driver.compile import verify

            verify(module)

    def apply_passes(self, prog: ModuleOp) -> None:
        """Runs the passes on a module that is verified before and after."""
        self._take_device_code(prog)
        self.verify(prog)
        if self.nodes:
            from nvvm_xdsl.frontend.mlir_reader import prepare_for_passes
            from nvvm_xdsl.pipeline.instrumentation import Watcher
            from nvvm_xdsl.pipeline.manager import optimize_module

            prepare_for_passes(prog)
            watcher = Watcher(self.instruments())
            try:
                optimize_module(prog, self.nodes, watcher, chosen(self.args).options)
            finally:
                watcher.finish()
            self.verify(prog)

    def _take_device_code(self, prog: ModuleOp) -> None:
        """Replaces a module by the contents of its `gpu.module`s if passes of this package or code
        generation need them; host code is dropped with a remark."""
        from xdsl.dialects.gpu import ModuleOp as GpuModuleOp

        from nvvm_xdsl.frontend.mlir_reader import flatten
        from nvvm_xdsl.pipeline.build import ForeignNode

        ours = any(not isinstance(node, ForeignNode) for node in self.nodes)
        if not ours and parse_spec(self.args.target).name not in ("ptx", "llvm"):
            return
        kinds = {type(op) is GpuModuleOp for op in prog.ops}
        if kinds == {True, False}:
            print(
                "remark: only the device code of gpu.module is kept; the host code is dropped",
                file=sys.stderr,
            )
        if True in kinds:
            flatten(prog, self.get_input_name())

    def output_resulting_program(self, prog: ModuleOp) -> str:
        """The output of `-t`; LLVM IR of a module without a target gets NVPTX's.

        `-opt` and the level also apply to the machine passes of `-t ptx`.
        """
        spec = parse_spec(self.args.target)
        if self._prints_llvm():
            from nvvm_xdsl.driver.compile import complete

            complete(prog)
        elif spec.name == "ptx" and (self.args.pass_options or self._level()):
            from nvvm_xdsl.driver.target import PTXTarget

            target = PTXTarget.from_spec(spec)
            if target.opt_level is None and not target.fast_compile:
                target = replace(target, **self._level())
            target = replace(target, opt=" ".join([target.opt, *self.args.pass_options]))
            output = io.StringIO()
            target.emit(self.ctx, prog, output)
            return output.getvalue()
        return super().output_resulting_program(prog)

    def _level(self) -> dict[str, Any]:
        """The options of the level that `-O` or `-p` selects; empty if they select none."""
        choice = chosen(self.args)
        text: str = self.args.passes
        if text:
            from nvvm_xdsl.pipeline.levels import level_of

            return {} if _MLIR_OPT.search(text) else level_of(text)
        if choice.opt_level is None and not choice.fast_compile:
            return {}
        return {"opt_level": choice.opt_level, "fast_compile": choice.fast_compile}

    def _prints_llvm(self) -> bool:
        """Returns True if the output is LLVM IR."""
        return self.args.target == "llvm"

    def get_input_name(self) -> str:
        """The input file, or the name of standard input in errors."""
        name: str | None = self.args.input_file
        return STDIN_NAME if name is None or name == "-" else name

    def read_parts(self) -> tuple[list[tuple[bytes, int]], str]:
        """The input, split at `// -----` lines on demand, each part with its line offset."""
        name: str | None = self.args.input_file
        data = read_input(name or "-")
        kind: str = self.args.frontend or ""
        if not kind:
            suffix = os.path.splitext(name or "")[1][1:]
            known = suffix in self.available_frontends
            kind = suffix if known else format_of(data, name or STDIN_NAME)
        parts = [data]
        if self.args.split_input_file and kind != "bc":
            parts = _SPLIT.split(data)
        offsets = accumulate([0, *[part.count(b"\n") for part in parts[:-1]]])
        return list(zip(parts, offsets)), kind

    def process(self, part: bytes, kind: str, offset: int) -> str:
        """The output for a part of the input. Raises DiagnosticError."""

        def attempt(locations: bool) -> str:
            # Remarks need locations.
            self.locations = locations or self.instruments().hears_remarks
            self._parsed = False
            with user_errors(self.get_input_name()):
                module = self.parse_chunk(io.BytesIO(part), kind, offset)
                self._parsed = True
                if module is None:
                    return ""
                self.apply_passes(module)
                return self.output_resulting_program(module)

        return with_places(attempt, {self.get_input_name(): part})

    def _show(self, error: DiagnosticError, offset: int, wanted: bool) -> None:
        """Prints an expected error; raises any other."""
        if error.line is not None:
            error.line += offset
        if not wanted or isinstance(error, InternalError):
            raise error
        print(error.render())
        for note in getattr(error, "__notes__", ()):
            print(note)

    def _explanation(self) -> str:
        from nvvm_xdsl.pipeline.explain import explain

        text = explain(self.nodes, chosen(self.args).options)
        if not text:
            raise DiagnosticError(
                "--explain-pipeline requires a level, such as -O3 or -p 'nvopt<O2>'"
            )
        return text

    def execute(self) -> None:
        """Reads, runs the passes and prints, part by part. Raises DiagnosticError."""
        if self.args.list_passes:
            from nvvm_xdsl.pipeline.registry import list_passes

            sys.stdout.write(list_passes(only_missing=self.args.missing))
            return
        if self.args.print_pipeline_passes:
            from nvvm_xdsl.pipeline import print_nodes
            from nvvm_xdsl.pipeline.explain import remark

            print(print_nodes(self.nodes, expand=True))
            note = remark(self.nodes, chosen(self.args).options)
            if note:
                print(f"remark: {note}", file=sys.stderr)
            return
        if self.args.explain_pipeline:
            sys.stdout.write(self._explanation())
            return
        parts, kind = self.read_parts()
        output = io.StringIO()
        for index, (part, offset) in enumerate(parts):
            if index:
                output.write("// -----\n")
            try:
                output.write(self.process(part, kind, offset))
            except DiagnosticError as error:
                self._flush(output)
                args = self.args
                wanted: bool = args.verify_diagnostics if self._parsed else args.parsing_diagnostics
                self._show(error, offset, wanted)
            self._flush(output)
        name: str | None = self.args.output_file
        if name is None:
            return
        if self._prints_llvm() and name.endswith(".bc"):
            from nvvm_xdsl.export.bitcode import assemble

            write_output(name, assemble(output.getvalue()))
        else:
            write_output(name, output.getvalue())

    def _flush(self, output: io.StringIO) -> None:
        """Flushes printed text to standard output, in order with diagnostics."""
        if self.args.output_file is None:
            sys.stdout.write(output.getvalue())
            output.seek(0)
            output.truncate()
