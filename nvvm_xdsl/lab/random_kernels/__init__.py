"""Random kernels, which are valid, free of races and undefined behaviour, and determined by a seed.

A kernel is LLVM assembly built from nested regions: straight-line code, conditionals, loops of
bounded trip count, switches. Every integer has an interval of possible values, which determines
where `nsw`, `nuw` and similar flags are valid and which values may be indices. Each thread writes
its own part of the outputs. Shared memory is written between two barriers and read after the
second. Atomics update counters whose final value does not depend on order. The last loop may end
its thread in a call. Floats are converted to integers only where they cannot be NaN, because the
bits of a NaN are unspecified.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels.accesses import DYNAMIC_BYTES, OWN
from nvvm_xdsl.lab.random_kernels.array_loops import LEAVE, TOUCH
from nvvm_xdsl.lab.random_kernels.assembly import Assembly
from nvvm_xdsl.lab.random_kernels.block_effects import with_block_effects
from nvvm_xdsl.lab.random_kernels.block_orders import shuffle_blocks
from nvvm_xdsl.lab.random_kernels.code_forms import READER
from nvvm_xdsl.lab.random_kernels.debug_lines import with_debug_information
from nvvm_xdsl.lab.random_kernels.edges import share_edges
from nvvm_xdsl.lab.random_kernels.features import GLOBALS, SHAPE, TAKES_BY_VALUE
from nvvm_xdsl.lab.random_kernels.linked_modules import link_parts
from nvvm_xdsl.lab.random_kernels.memory_statements import (
    BLOCK,
    COUNTERS,
    OUTPUT_TYPES,
    SLOTS,
    STRIDE,
)
from nvvm_xdsl.lab.random_kernels.scattered_constants import scatter_constants
from nvvm_xdsl.lab.random_kernels.shapes import SWARM, Shape, choose_shapes, parse_shapes
from nvvm_xdsl.lab.random_kernels.structs_and_lists import LIST, RETURNS_IN_MEMORY
from nvvm_xdsl.lab.random_kernels.values import (
    FLOATS,
    INPUTS,
    POINTER,
    SMALL_VECTORS,
    STRUCT,
    Function,
    Value,
    bits_of,
)

MAX_DEPTH = 3
CERTAIN = 3
"""Number of forms for passes that each kernel of a swarm contains."""

KERNEL = "fuzz"
VARIABLES = GLOBALS + OWN + "\n"
OTHER_KERNEL = "define ptx_kernel void @other() {\n  ret void\n}\n"
"""A second kernel, which is not launched."""

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared_i = internal addrspace(3) global [64 x i32] undef, align 4
@shared_f = internal addrspace(3) global [64 x float] undef, align 4
@table = internal addrspace(4) constant [8 x i32] [i32 3, i32 -1, i32 0, i32 65536, i32 7, i32 -2147483648, i32 100, i32 1], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""

PARAMETERS = ("in_i", "in_f", "in_l", "in_d", "in_h")
OWN_PARAMETERS = (
    "ptr %out_l, ptr %out_f, ptr %out_d, ptr %counters, i32 %n, float %x, "
    f"ptr byval({STRUCT}) align 4 {SHAPE}"
)
START = f"""\
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %gid = add i32 %base, %tid
  %first = mul i32 %gid, {STRIDE}
  %at = zext i32 %first to i64
  %own_l = getelementptr i64, ptr %out_l, i64 %at
  %own_f = getelementptr float, ptr %out_f, i64 %at
  %own_d = getelementptr double, ptr %out_d, i64 %at"""


class Generator(Assembly):
    """Generates one module.

    Arguments:
        seed: determines all choices.
        size: approximate number of instructions.
        shapes: a selection of shapes, as `parse_shapes` reads it.
    """

    def __init__(self, seed: int, size: int, shapes: str = SWARM) -> None:
        super().__init__(seed, size)
        base, chosen = parse_shapes(shapes, SHAPES)
        later = random.Random(f"later:{seed}")
        self.shapes = choose_shapes(base, chosen, SHAPES, self.random, later)
        """The weights of the enabled statements, and the traits of the kernel."""
        r = self.random
        if "odd-integers" in self.shapes:
            widths = [r.choice((128, r.randint(2, 63), r.randint(65, 127))) for _ in range(2)]
            self.integers += tuple(dict.fromkeys(f"i{n}" for n in widths if n not in (8, 16, 32)))
        if "small-vectors" in self.shapes:
            self.vectors += SMALL_VECTORS
        self.shares_edges = "shared-edges" in self.shapes
        self.allows_irreducible = "irreducible" in self.shapes
        self._enabled = [(s, self.shapes[s.name]) for s in STATEMENTS if s.name in self.shapes]
        self._effects = random.Random(f"effects:{seed}")
        self._certain: list[Statement] = []
        """Statements of which a kernel contains each once at least, where it is allowed."""
        if base == SWARM:
            forms = [s for s, _ in self._enabled if s.later]
            self._certain = later.sample(forms, min(CERTAIN, len(forms)))

    def statement(self) -> None:
        allowed = [(weight, s.write) for s, weight in self._enabled if s.allowed(self)]
        write = self.random.choices([w for _, w in allowed], [weight for weight, _ in allowed])[0]
        write(self)

    def device_function(self, size: int) -> str:
        """A device function, which may call earlier ones."""
        r = self.random
        saved = self.lines, self.allocas, self.scopes, self.arrays, self.block, self.budget
        self.lines, self.allocas, self.scopes, self.arrays = [], [], [{}], []
        self.block, self.budget, self.converged = "entry", size, False
        types = (
            "i32",
            "float",
            "double",
            "half",
            POINTER,
            STRUCT,
            *self.integers,
            *self.vectors[-6:],
        )
        parameters = tuple(r.choice(types) for _ in range(r.randint(1, 4)))
        result = r.choice(("i32", "float", "i64", "double", "<2 x i32>", STRUCT))
        name = f"device{len(self.functions)}"
        for i, type_ in enumerate(parameters):
            self.scopes[0].setdefault(type_, []).append(self.value(f"%a{i}", type_))
        if r.random() < 0.3:
            self._early_return(result)
        self.statements(8)
        self.emit(f"ret {self.operand(result).text}")
        signature = ", ".join(f"{t} %a{i}" for i, t in enumerate(parameters))
        attribute = r.choice((" noinline", "", " alwaysinline"))
        head = f"define internal {result} @{name}({signature}){attribute} {{"
        text = "\n".join([head, "entry:", *self.allocas, *self.lines, "}", ""])
        self.functions.append(Function(name, parameters, result))
        self.lines, self.allocas, self.scopes, self.arrays, self.block, self.budget = saved
        return text

    def _early_return(self, result: str) -> None:
        self.compare()
        condition, value = self.condition(), self.operand(result)
        early, rest = self.fresh("early"), self.fresh("rest")
        self.emit(f"br {condition.text}, label %{early}, label %{rest}")
        self.label(early)
        self.emit(f"ret {value.text}")
        self.label(rest)

    def kernel(self) -> str:
        """The kernel."""
        self.in_kernel, self.converged = True, True
        pointers = [
            f"ptr {'noalias ' if self.random.random() < 0.5 else ''}%{n}" for n in PARAMETERS
        ]
        self.scopes[0] = {
            "i32": [
                Value("%tid", "i32", 0, BLOCK - 1),
                Value("%gid", "i32", 0, 1 << 20),
                self.value("%n", "i32"),
            ],
            "float": [Value("%x", "float")],
        }
        while self.budget > 0:
            self.statement()
            if self._certain:
                self._write_certain()
        while self._certain:
            self._write_certain()
        self._finish()
        if "last-loop" in self.shapes:
            self.last_loop(guards="guarding-exits" in self.shapes)
        if "block-effects" in self.shapes:
            self.lines = with_block_effects(self.lines, self._effects)
        linkage = self.random.choice(("", "", "linkonce_odr "))
        parameters = ", ".join([*pointers, OWN_PARAMETERS])
        size = f' "nvvm.reqntid"="{BLOCK}"' if "block-size" in self.shapes else ""
        head = f"define {linkage}ptx_kernel void @{KERNEL}({parameters}){size} {{"
        return "\n".join([head, "entry:", *self.allocas, START, *self.lines, "  ret void", "}", ""])

    def _write_certain(self) -> None:
        statement = self._certain.pop()
        if statement.allowed(self):
            statement.write(self)

    def _finish(self) -> None:
        """Stores some values of every type, so that little of the kernel is dead."""
        slot = dict.fromkeys((type_ for _, type_ in OUTPUT_TYPES), 0)
        bases = {type_: base for base, type_ in OUTPUT_TYPES}
        for type_ in ("i1", *self.integers, *FLOATS):
            for value in self.scopes[0].get(type_, [])[-2:]:
                if type_ in ("half", "bfloat"):
                    value = self.result("float", f"fpext {value.text} to float")
                elif type_ not in bases:
                    wide = value.type[0] == "i" and bits_of(value.type) > 64
                    op = "trunc" if wide else "zext"
                    value = self.result("i64", f"{op} {value.text} to i64")
                if slot[value.type] < SLOTS:
                    self.store_own(bases[value.type], value.type, value, SLOTS + slot[value.type])
                    slot[value.type] += 1
        if "checksum" in self.shapes:
            self._checksum(bases["i64"])

    def _checksum(self, base: str) -> None:
        """Stores a number that depends on all live integers."""
        total = "0"
        for type_ in ("i1", *self.integers):
            for value in self.scopes[0].get(type_, []):
                name = value.name
                if type_ != "i64":
                    op = "trunc" if bits_of(type_) > 64 else "zext"
                    name = self.assign(f"{op} {value.text} to i64")
                total = self.assign(f"mul i64 {total}, 31")
                total = self.assign(f"xor i64 {total}, {name}")
        self.store_own(base, "i64", Value(total, "i64"), STRIDE - 1)

    def module(self) -> str:
        """The module."""
        size = min(20, self.budget // 2)
        functions = [self.device_function(size) for _ in range(self.random.randint(0, 2))]
        kernel = self.kernel()
        bodies = [*functions, kernel]
        if self.random.random() < 0.3:
            bodies.append(OTHER_KERNEL)
        text = "\n".join(bodies)
        if "@by_value(" in text:
            text += TAKES_BY_VALUE
        if "@touch(" in text:
            text += TOUCH.format(self._attribute())
        if "@leave(" in text:
            text += LEAVE
        if "@in_memory(" in text:
            text += RETURNS_IN_MEMORY.replace("{attribute}", self._attribute())
        if "@listed(" in text:
            text += LIST.replace("{attribute}", self._attribute())
        if "@reader(" in text:
            text += READER.replace("{attribute}", self._attribute())
        text += (
            self.recursion
            + "".join((*self.twins, *self.own_functions))
            + "".join(f"{m}\n" for m in self.metadata)
        )
        variables = [line for line in VARIABLES.splitlines() if line.split()[0] in text]
        text = "\n".join([HEADER, *variables, *sorted(self.declarations), "", text])
        return with_debug_information(text, self.random) if "debug-info" in self.shapes else text

    def _attribute(self) -> str:
        return self.random.choice((" noinline", " noinline", "", " alwaysinline"))


@dataclass(frozen=True)
class Statement(Shape):
    """A kind of statement.

    Arguments:
        write: generates a statement.
        allowed: whether a statement is possible in the current state of the generator.
    """

    write: Callable[[Generator], object] = field(kw_only=True)
    allowed: Callable[[Generator], bool] = field(kw_only=True)


def _anywhere(_: Generator) -> bool:
    return True


def _in_kernel(g: Generator) -> bool:
    return g.in_kernel


def _converged(g: Generator) -> bool:
    return g.in_kernel and g.converged


def _outermost(g: Generator) -> bool:
    return g.in_kernel and g.depth == 0


def _nested(g: Generator) -> bool:
    return g.depth < MAX_DEPTH


def _looping(g: Generator) -> bool:
    return g.in_kernel and g.depth < MAX_DEPTH


def _converged_loop(g: Generator) -> bool:
    return _converged(g) and _looping(g)


def _statement(
    name: str,
    weight: float,
    write: Callable[[Generator], object],
    allowed: Callable[[Generator], bool] = _anywhere,
    *,
    core: bool = False,
    later: bool = False,
) -> Statement:
    what = (write.__doc__ or "").partition("\n")[0]
    return Statement(name, what, weight, core=core, later=later, write=write, allowed=allowed)


def _number(g: Generator) -> object:
    """A conversion to a number of another type."""
    return g.convert(g.random.choice((*g.integers, *FLOATS)))


G = Generator
STATEMENTS: Final = (
    _statement("integer", 24, G.integer, core=True),
    _statement("floating", 10, G.floating),
    _statement("compare", 8, G.compare, core=True),
    _statement("logic", 3, G.logic),
    _statement("assume", 1, G.assume),
    _statement("vector", 6, G.vector),
    _statement("structure", 4, G.structure),
    _statement("bit-cast", 4, G.bit_cast),
    _statement("load", 12, G.load, core=True),
    _statement("store", 6, G.store, core=True),
    _statement("wide-integers", 2, G.wide),
    _statement("convert", 3, _number),
    _statement("funnel-shifts", 2, G.funnel_shift),
    _statement("saturating", 2, G.saturating),
    _statement("overflow", 2, G.overflow),
    _statement("walk", 2, G.walk),
    _statement("array-loops", 2, G.array_loops),
    _statement("conditions-again", 2, G.asked_again),
    _statement("conditional", 6, G.conditional, _nested),
    _statement("switch", 3, G.switch, _nested),
    _statement("loop", 5, G.loop, _nested),
    _statement("local-array", 3, G.local_array, lambda g: len(g.arrays) < 3 and g.depth == 0),
    _statement("copy", 3, G.copy, lambda g: bool(g.arrays)),
    _statement("device-call", 5, G.device_call, lambda g: bool(g.functions)),
    _statement("counters", 3, G.atomic, _in_kernel),
    _statement("exchange", 4, G.exchange, _converged),
    _statement("warp", 4, G.warp, _converged),
    # Forms that NVIDIA's passes rewrite.
    _statement("slot-in-a-block", 1, G.slot_in_a_block),
    _statement("slow-division", 1, G.slow_division),
    _statement("wide-division", 1, G.wide_division),
    _statement("float-remainder", 1, G.remainder_of_floats),
    _statement("generic-variable", 1, G.generic_variable),
    _statement("named-variable", 1, G.named_variable),
    _statement("wide-subscript", 1, G.wide_subscript),
    _statement("strided-sums", 1, G.strided_sums),
    _statement("intrinsic", 1, G.intrinsic),
    _statement("unreachable-block", 1, G.unreachable_block),
    _statement("record", 1, G.record),
    _statement("shift-array", 1, G.shift_array),
    _statement("struct-by-value", 2, G.struct_by_value, _in_kernel),
    _statement("call-by-value", 1, G.call_by_value, _in_kernel),
    _statement("side-by-side", 2, G.side_by_side, _in_kernel),
    _statement("reflect", 1, G.reflect, _outermost),
    _statement("barriers", 1, G.barriers, _converged),
    _statement("print", 1, G.print_values, lambda g: _outermost(g) and not g.prints),
    # Branches with similar arms, and unusual control flow.
    _statement("repeated-stores", 4, G.repeated_stores),
    _statement("joined-casts", 4, G.joined_casts),
    _statement("any-switch", 4, G.any_switch, _nested),
    _statement("graph", 2, G.graph),
    _statement("state-machine", 2, G.state_machine),
    _statement("parted-edges", 3, G.parted_edges, _converged),
    _statement("several-latches", 2, G.several_latches, _nested),
    _statement("wrapping-counters", 2, G.wrapping_counter),
    _statement("huge-counts", 2, G.huge_count, _in_kernel),
    # Unusual accesses and calls.
    _statement("atomics", 4, G.any_atomic, _in_kernel),
    _statement("overlapping-copies", 3, G.overlapping_copy),
    _statement("punning", 3, G.type_punning),
    _statement("pointer-selects", 3, G.pointer_selects),
    _statement("by-value-and-sret", 2, G.by_value_and_sret),
    _statement("variadic", 2, G.variadic_call),
    # Forms that passes seldom find in the statements above.
    _statement("invariant-tests", 4, G.invariant_tests, _looping, later=True),
    _statement("counter-tests", 4, G.counter_tests, _looping, later=True),
    _statement("strided-loops", 4, G.strided_loop, _looping, later=True),
    _statement("vector-loops", 3, G.vector_loop, _nested, later=True),
    _statement("filling-loops", 2, G.fill_loop, _nested, later=True),
    _statement("bit-loops", 3, G.bit_loop, _nested, later=True),
    _statement("partly-redundant", 4, G.partly_redundant, _nested, later=True),
    _statement("division-pairs", 2, G.divisions, later=True),
    _statement("reordered-sums", 3, G.reordered_sums, later=True),
    _statement("address-steps", 3, G.address_steps, _in_kernel, later=True),
    _statement("half-pairs", 3, G.half_pairs, _in_kernel, later=True),
    _statement("bit-forms", 2, G.bit_forms, later=True),
    _statement("copy-chains", 3, G.copy_chains, later=True),
    _statement("warp-reductions", 2, G.warp_reduction, _converged, later=True),
    _statement("warp-exchanges", 2, G.warp_exchange, _converged, later=True),
    _statement("shared-loops", 2, G.shared_loop, _converged_loop, later=True),
    _statement("recursion", 2, G.recursive_call, later=True),
    _statement("readers", 2, G.reader_call, later=True),
    _statement("twins", 2, G.twin_calls, later=True),
    _statement("vector-atomics", 2, G.vector_atomic, _in_kernel, later=True),
    _statement("checked-vectors", 2, G.checked_vectors, later=True),
    _statement("vector-reductions", 2, G.vector_reduction, later=True),
    _statement("wide-checked-products", 2, G.wide_checked_product, later=True),
    _statement("loop-rows", 1, G.row_of_loops, _outermost, later=True),
    _statement("digit-loops", 2, G.digit_loop, _looping, later=True),
    _statement("wrapping-loops", 2, G.wrapping_loop, _looping, later=True),
    _statement("constant-addresses", 2, G.constant_address, _looping, later=True),
    _statement("wide-conversions", 2, G.wide_conversion, later=True),
    _statement("loops-left-before-increment", 2, G.left_before_increment, _looping, later=True),
    _statement("stated-loads", 2, G.stated_loads, _in_kernel, later=True),
    _statement("joined-masks", 2, G.joined_masks, _nested, later=True),
    _statement("disjoint-conditions", 2, G.disjoint_conditions, later=True),
    _statement("wrapping-addresses", 2, G.wrapping_addresses, later=True),
    _statement("own-addresses", 1, G.own_addresses, later=True),
    _statement("exchanged-arrays", 2, G.exchanged_arrays, _looping, later=True),
    _statement("assembly", 2, G.assembly, _in_kernel, later=True),
    _statement("stated-joins", 2, G.stated_joins, lambda g: g.in_kernel and _nested(g), later=True),
    _statement("finite-loops", 2, G.finite_loop, _looping, later=True),
    _statement("dynamic-shared", 2, G.dynamic_shared, _in_kernel, later=True),
    _statement("sum-windows", 2, G.sum_window, _looping, later=True),
    _statement("doubled-strides", 2, G.doubled_strides, _looping, later=True),
)  # fmt: skip
"""The kinds of statements."""

TRAITS: Final = (
    Shape("odd-integers", "Integers of unusual widths from 2 to 128 bits.", probability=0.4),
    Shape("small-vectors", "Vectors of narrow elements, and of 3 elements.", probability=0.4),
    Shape("shared-edges", "Several edges of one branch to the same block, with different values.", probability=0.5),
    Shape("irreducible", "Cycles with several entries in random graphs.", probability=0.4),
    Shape("checksum", "A sum of all integers in scope, at the end of the kernel.", probability=0.4),
    Shape("last-loop", "A loop at the end of the kernel that a called function may exit.", probability=0.15),
    Shape("debug-info", "Debug locations, and values of variables.", probability=0.15),
    Shape("scattered-constants", "Constants in the blocks that use them.", probability=0.3, later=True),
    Shape("block-size", "A declared size of the blocks.", probability=0.3, later=True),
    Shape("block-effects", "Stores and atomic operations in many blocks.", probability=0.2, later=True),
    Shape("shuffled-blocks", "Blocks before their dominators.", probability=0.3, later=True),
    Shape("guarding-exits", "Assembly in the last loop that ends threads before an invalid load.", probability=0.3, later=True),
    Shape("linked-modules", "Functions and variables that are linked from two modules.", probability=0.2, later=True),
)  # fmt: skip
"""Properties of whole kernels."""

SHAPES: Final = (*STATEMENTS, *TRAITS)


def shapes_table() -> str:
    """A line for each shape: its name, its weight or probability, and its description."""
    return "".join(f"{s.name:20} {s.weight or s.probability:5g}  {s.what}\n" for s in SHAPES)


def random_kernel_text(seed: int, size: int = 60, shapes: str = SWARM) -> str:
    """The LLVM assembly of the kernel of a seed.

    Arguments:
        size: approximate number of instructions.
        shapes: a selection of shapes, as `parse_shapes` reads it.
    """
    return Generator(seed, size, shapes).module()


def random_kernel(seed: int, size: int = 60, shapes: str = SWARM) -> ModuleOp:
    """The module of a seed, linked from two if its shapes include that. It may have edges and constants
    that LLVM assembly cannot express."""
    from nvvm_xdsl.frontend.ll_reader import read_ll

    generator = Generator(seed, size, shapes)
    module = read_ll(generator.module(), f"<seed {seed}>", debug="full")
    share_edges(module)
    if "scattered-constants" in generator.shapes:
        scatter_constants(module, random.Random(f"constants:{seed}"))
    if "shuffled-blocks" in generator.shapes:
        shuffle_blocks(module, random.Random(f"blocks:{seed}"))
    if "linked-modules" in generator.shapes:
        module = link_parts(module, random.Random(f"parts:{seed}"))
    return module


def random_launches(seed: int, grid: int = 2) -> list[Launch]:
    """A launch of the kernel of a seed, with special values in its inputs."""
    rng = np.random.default_rng(seed)
    integers = rng.integers(-(1 << 31), 1 << 31, INPUTS).astype(np.int32)
    integers[:8] = (0, 1, -1, 2147483647, -2147483648, 7, 31, 255)
    longs = rng.integers(-(1 << 63), (1 << 63) - 1, INPUTS)
    longs[:4] = (0, -1, 1 << 40, -(1 << 63))
    floats = (rng.normal(size=INPUTS) * 10.0 ** rng.integers(-6, 7, INPUTS)).astype(np.float32)
    floats[:6] = (0.0, -0.0, 1.0, np.inf, np.nan, 1e-41)
    doubles = rng.normal(size=INPUTS) * 10.0 ** rng.integers(-20, 20, INPUTS)
    doubles[:6] = (0.0, -0.0, -1.0, -np.inf, np.nan, 5e-324)
    halves = (rng.normal(size=INPUTS) * 10).astype(np.float16)
    threads = grid * BLOCK * STRIDE
    args = (
        integers, floats, longs, doubles, halves, np.zeros(threads, np.int64), np.zeros(threads, np.float32),
        np.zeros(threads), np.zeros(len(COUNTERS), np.int32), int(rng.integers(-100, 100)), float(rng.normal()),
        (int(rng.integers(-100, 100)), (float(rng.normal()), float(rng.normal()))),
    )  # fmt: skip
    return [Launch(KERNEL, grid, BLOCK, args, DYNAMIC_BYTES)]
