"""Sample instructions for every modifier of every form of every table row."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Region, SSAValue

from nvvm_xdsl.dialects.nvptx import (
    B16,
    B32,
    B64,
    B128,
    F32,
    F64,
    PRED,
    REG,
    SINK,
    InstructionOp,
    RetOp,
    addr,
    addr_list,
    build,
    func,
    imm,
    layout,
    vec,
    width,
)
from nvvm_xdsl.dialects.nvptx.forms import Form, OperandSpec, bits_of, match, parse_form
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS, Row
from nvvm_xdsl.dialects.nvptx.operands import IMMEDIATE_KIND, VECTOR_KIND, Slot
from nvvm_xdsl.dialects.nvptx.target import Requirement, Target, version_text
from nvvm_xdsl.ir import fast

CONSTANTS = {
    "applypriority": 128,
    "cp.async": 16,
    "discard": 128,
    "fence": 128,
    "mma.sp": 0,
    "mma.sp::ordered_metadata": 0,
    "tensormap.cp_fenceproxy": 128,
    "fabric.try_pullred.async": 0xFFFFFFFF,
    "setmaxnreg": 24,
    "st.bulk": 0,
}
"""Required immediates of instructions; 1 for all others."""

SPARSITY_SELECTOR = {"wgmma.mma_async.sp": 3}
"""The number of the operand that must be 0 to be valid for all types."""

TARGETS = tuple(
    Target.parse(f"sm_{name}")
    for name in (
        "75",
        "80",
        "86",
        "89",
        "90",
        "90a",
        "100",
        "100f",
        "100a",
        "103a",
        "110f",
        "120f",
        "120a",
        "107f",
        "107a",
    )
)


_SHAPE_OF_MANY = re.compile(r"m64n(?!(?:8|64|120|256)k)")
"""Of the 32 shapes of `wgmma` all but four, among them those with the fewest and most registers."""


@dataclass(frozen=True)
class Sample:
    """An instruction to build: modifiers, layout, and register types."""

    row: Row
    mods: str
    slots: tuple[Slot, ...]
    operands: tuple[Attribute, ...]
    results: tuple[Attribute, ...]
    requirement: Requirement

    @property
    def opcode(self) -> str:
        return f"{self.row.mnemonic}.{self.mods}" if self.mods else self.row.mnemonic

    @property
    def is_one_more_shape(self) -> bool:
        """Whether it is a `wgmma` of a shape that differs from another sample's in its number only."""
        return bool(_SHAPE_OF_MANY.search(self.mods))

    @property
    def target(self) -> Target:
        """The first target that has the instruction."""
        return next(t for t in TARGETS if t.supports(self.requirement))

    @property
    def ptx(self) -> int:
        """The PTX version, times ten, that the tables say is enough."""
        return max(self.target.minimum_ptx, self.requirement.ptx)

    def build(self, operands: Sequence[SSAValue]) -> InstructionOp:
        """The instruction, with registers for its operands."""
        return build(self.row.mnemonic, self.mods, operands, self.results, layout(*self.slots))


def choices(form: Form) -> Iterator[str]:
    """Lists of modifiers that together use every modifier of the form and omit each optional one
    once."""
    base = [words[0] if not optional else "" for words, optional in form.words]
    seen: set[str] = set()
    picks = [base]
    for at, (words, _) in enumerate(form.words):
        picks.extend([*base[:at], word, *base[at + 1 :]] for word in words)
    for pick in picks:
        text = ".".join(word for word in pick if word)
        if text not in seen:
            seen.add(text)
            yield text


def register_for(type_: str) -> Attribute:
    """The register class in which code generation keeps a PTX type."""
    if type_ in ("f32", "f64"):
        return F32 if type_ == "f32" else F64
    return {1: PRED, 8: B16, 16: B16, 32: B32, 64: B64, 128: B128}[bits_of(type_)]


def operand(row: Row, spec: OperandSpec) -> tuple[Slot, list[Attribute]]:
    """A slot for the spec, and the types of its registers."""
    kind = spec.kind
    if kind in ("mem", "tmem"):
        return addr(0), [B64 if kind == "mem" else B32]
    if kind == "either":
        return operand(row, spec.parts[0])
    if kind == "list":
        pairs = [operand(row, part) for part in spec.parts]
        return addr_list(*(s for s, _ in pairs)), [t for _, types in pairs for t in types]
    if kind == "const":
        least, range_, _ = spec.type_.partition("..")
        return imm(int(least) if range_ else CONSTANTS.get(row.mnemonic, 1)), []
    if kind == "sink":
        return SINK, []
    if kind == "any":
        # A number of threads, or of bytes.
        return imm(32 if ".red" in row.mnemonic else 1), []
    register = register_for(spec.type_)
    if spec.count:
        return vec(spec.count), [register] * spec.count
    return REG, [register]


def samples_of_form(row: Row, form_text: str) -> Iterator[Sample]:
    """Samples of one form, with and without its optional operands and results."""
    form = parse_form(form_text)
    for mods in choices(form):
        if "param::func" in mods.split("."):
            # The address is a parameter of a call; samples have no calls.
            continue
        signature = match(form, mods)
        assert signature is not None, f"{row.mnemonic}.{mods} does not fit its own form"
        least = signature.required_operands
        for count in {least, len(signature.operands)}:
            pairs = [operand(row, spec) for spec in signature.operands[:count]]
            selector = SPARSITY_SELECTOR.get(row.mnemonic)
            if selector is not None:
                pairs[selector] = (imm(0), [])
            results = [
                register_for(s.type_) for s in signature.results for _ in range(s.count or 1)
            ]
            needed = signature.required_results
            for size in {needed, len(results)}:
                tied = results[:size] if row.tied else []
                vectors = sum(slot[0] == VECTOR_KIND for slot, _ in pairs)
                constants = tuple(
                    str(slot[1]) if slot[0] == IMMEDIATE_KIND else None for slot, _ in pairs
                )
                requirement = row.requirement_with(mods, count, size, vectors, constants)
                yield Sample(
                    row,
                    mods,
                    tuple(slot for slot, _ in pairs),
                    (*tied, *(t for _, types in pairs for t in types)),
                    tuple(results[:size]),
                    requirement,
                )


def all_samples(mnemonics: Container[str] = ROWS) -> Iterator[Sample]:
    """Samples of every form of every row, or of the rows of some mnemonics."""
    for row in ROWS.values():
        if row.mnemonic in mnemonics:
            for form in row.forms:
                yield from samples_of_form(row, form)


def module_of(samples: Sequence[Sample], target: str, ptx: int) -> ModuleOp:
    """A module with kernels that hold the samples."""
    module = ModuleOp([])
    module.attributes["nvptx.target"] = StringAttr(target)
    module.attributes["nvptx.ptx"] = StringAttr(version_text(ptx))
    # All instructions of a kernel must use the same `.cta_group`.
    pairs = [s for s in samples if "cta_group::2" in s.mods]
    others = [s for s in samples if "cta_group::2" not in s.mods]
    for name, group in (("k", others), ("pairs", pairs)):
        if group:
            body = body_of(group)
            kernel = func(name, body=body, kernel=True, linkage="visible")
            fast.append(module.body.block, kernel)
    return module


def body_of(samples: Sequence[Sample]) -> Region:
    """The samples in sequence, with registers loaded from memory."""
    block = fast.new_block()

    def add(op: InstructionOp) -> SSAValue:
        fast.append(block, op)
        return op.results[0]

    pointer = add(build("mov", "b64", (), (B64,), layout(imm(4096))))
    registers: dict[Attribute, SSAValue] = {}

    def register(type_: Attribute) -> SSAValue:
        known = registers.get(type_)
        if known is None:
            if type_ is PRED:
                number = register(B32)
                op = build("setp", "eq.u32", (number,), (PRED,), layout(REG, imm(0)))
            else:
                op = build("ld", f"global.b{width(type_)}", (pointer,), (type_,), layout(addr()))
            known = registers[type_] = add(op)
        return known

    for sample in samples:
        fast.append(block, sample.build([register(t) for t in sample.operands]))
    fast.append(block, fast.create(RetOp))
    return Region(block)
