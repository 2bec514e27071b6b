"""The reader builds the same as `mlir-translate --import-llvm`, except where it keeps more.

Both results are printed by `mlir-opt`, which must therefore accept our output, and are compared line by line.
`expected` applies the intended differences; docs/frontend.md gives the reasons.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.normal_form import CONSTANTS, normal_form
from helpers.scale import share, slow_but
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import CallingConventionAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.types import UNIT, VOID
from nvvm_xdsl.dialects.nvvm.calls import build_call
from nvvm_xdsl.driver.compile import mlir_context
from nvvm_xdsl.frontend.attributes import kernel_attributes
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.frontend.mlir_reader import read_mlir
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import verify_module

HERE = Path(__file__).resolve().parent
EXAMPLES = sorted((HERE.parents[1] / "examples").glob("*.ll"))
LANGUAGE = sorted(
    path for path in (HERE / "language").glob("*.ll") if path.name != "special_floats.ll"
)
"""The text without the constants that only LLVM 23 spells in this form."""
CORPUS = [
    HERE.parent / "corpus" / name
    for name in (
        "numba/atomics_int.cc90.ll",
        "numba/record_kernel.cc90.ll",
        "numba/histogram_shared.cc90.ll",
        "triton/layernorm_fwd.sm90.ll",
        "triton/rowsum_atomic.sm90.ll",
    )
]

QUICK = ("histogram.ll", "saxpy.ll", "struct_argument.ll", *(path.name for path in LANGUAGE))

TRANSLATE = shutil.which("mlir-translate-22") or shutil.which("mlir-translate")
OPT = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")

needs_mlir = pytest.mark.skipif(
    TRANSLATE is None or OPT is None, reason="mlir-translate and mlir-opt were not found"
)


def run(command: list[str | None], text: str) -> str:
    words = [word for word in command if word is not None]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def through_opt(text: str) -> ModuleOp:
    return read_mlir(run([OPT, "--mlir-print-local-scope"], text), "<mlir>", mlir_context())


def expected(module: ModuleOp) -> None:
    """Changes MLIR's module by the intended differences."""
    for op in list(module.body.block.ops):
        name = op.properties.get("sym_name")
        if (
            isinstance(name, StringAttr)
            and name.data.startswith("llvm.")
            and not op.regions[0].blocks
        ):
            op.detach()
            continue
        if op.name == "llvm.func":
            _expected_function(op)
        for inner in list(op.walk()):
            _expected_op(inner)


def _expected_function(op: Operation) -> None:
    convention = op.properties.get("CConv")
    if isinstance(convention, CallingConventionAttr) and convention.cconv_name == "ptx_kernelcc":
        op.properties["CConv"] = CallingConventionAttr("ccc")
        op.attributes["nvvm.kernel"] = UNIT
    listed = op.properties.pop("passthrough", None)
    if not isinstance(listed, ArrayAttr):
        return
    kept: list[Attribute] = []
    for entry in listed:
        if isinstance(entry, ArrayAttr):
            key, value = (word.data for word in entry if isinstance(word, StringAttr))
            if key in ("target-cpu", "prefer-vector-width"):
                # Both in a list and as a property.
                continue
            if key.startswith("nvvm."):
                op.attributes.update(kernel_attributes({key: value}))
                continue
        elif entry == StringAttr("nvvm.blocksareclusters"):
            op.attributes[entry.data] = UNIT
            continue
        kept.append(entry)
    if kept:
        op.properties["passthrough"] = ArrayAttr(kept)


def _expected_op(op: Operation) -> None:
    if op.name == "llvm.call_intrinsic":
        intrinsic = op.properties["intrin"]
        assert isinstance(intrinsic, StringAttr)
        if not intrinsic.data.startswith("llvm.nvvm."):
            return

        def insert(new: Operation):
            fast.insert_before(new, op)
            return new.results[0]

        output = op.results[0].type if op.results else VOID
        made = build_call(intrinsic.data, list(op.operands), output, insert, dict(op.properties))
        if isinstance(made, Operation):
            fast.insert_before(made, op)
            fast.replace_op(op, list(made.results))
        else:
            fast.replace_op(op, [made])
    elif op.name == "llvm.bitcast" and op.operands[0].type == op.results[0].type:
        fast.replace_op(op, [op.operands[0]])
    elif op.name == "llvm.inline_asm" and op.results and str(op.results[0].type) == "!llvm.void":
        new = fast.create(op.__class__, op.operands, (), dict(op.properties))
        fast.insert_before(new, op)
        fast.erase(op)


EXTRA = frozenset(
    {
        "cold",
        "llvm.align",
        "llvm.convergent",
        "llvm.dereferenceable",
        "llvm.externally_initialized",
        "llvm.nonnull",
        "llvm.nvvm_ir_version",
        "llvm.noundef",
        "llvm.prof",
        "llvm.range",
        "noduplicate",
    }
)
"""Attributes of ops for information that MLIR's importer drops."""


def without_extra(module: ModuleOp) -> None:
    for op in module.walk():
        for name in EXTRA & op.attributes.keys():
            del op.attributes[name]


@needs_mlir
@pytest.mark.parametrize(
    "path",
    slow_but(
        [*share(EXAMPLES, 3, lambda p: p.name), *LANGUAGE, *share(CORPUS, 3, lambda p: p.name)],
        QUICK,
        lambda path: path.name,
    ),
)
def test_same_as_mlir(path: Path):
    text = path.read_text()
    module = read_ll(text, path.name)
    verify_module(module)
    module.verify()
    ours = through_opt(str(module))
    imported = run([TRANSLATE, "--import-llvm", "--mlir-print-local-scope"], text)
    theirs = read_mlir(imported, "<mlir>", mlir_context())
    without_extra(ours)
    expected(theirs)
    ours_lines, their_lines = normal_form(ours), normal_form(theirs)
    assert ours_lines.keys() == their_lines.keys()
    for name, lines in ours_lines.items():
        assert lines == their_lines[name]


@needs_mlir
def test_the_comparison_finds_a_difference():
    """Checks that the comparison can fail."""
    one = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"
    left = normal_form(through_opt(str(read_ll(one))))
    right = normal_form(through_opt(str(read_ll(one.replace("add", "sub")))))
    assert left != right
    assert "llvm.mlir.constant" in CONSTANTS
