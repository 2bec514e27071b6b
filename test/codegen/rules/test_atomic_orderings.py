"""Every atomic operation has the ordering and scope of the IR in PTX.

The expected instructions are those of NVIDIA's "Atomics ABI" (PTX Writer's Guide to Interoperability):
`fence.sc` before a sequentially consistent operation, and the ordering and scope as modifiers of the
instruction.
"""

from __future__ import annotations

import random
import re
from itertools import product

import pytest
from helpers.assembling import assemble, needs_ptxas

from nvvm_xdsl.driver.compile import compile

SCOPES = {"": "sys", "device": "gpu", "cluster": "cluster", "block": "cta", "singlethread": ""}
SPACES = {0: "", 1: "global.", 3: "shared.", 7: "shared::cluster."}
ARCHITECTURES = ["sm_75", "sm_90", "sm_100"]

UPDATE = {
    "monotonic": "relaxed",
    "acquire": "acquire",
    "release": "release",
    "acq_rel": "acq_rel",
    "seq_cst": "acquire",
}
LOAD = {"unordered": "relaxed", "monotonic": "relaxed", "acquire": "acquire", "seq_cst": "acquire"}
STORE = {"unordered": "relaxed", "monotonic": "relaxed", "release": "release", "seq_cst": "relaxed"}
FENCE = {"acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "seq_cst": "sc"}
OLDER_FENCE = {**FENCE, "acquire": "acq_rel", "release": "acq_rel"}
"""Semantics of fences before sm_90."""

EXCHANGE = {
    "monotonic monotonic": "relaxed",
    "monotonic acquire": "acquire",
    "acquire monotonic": "acquire",
    "acquire acquire": "acquire",
    "release monotonic": "release",
    "release acquire": "acq_rel",
    "acq_rel monotonic": "acq_rel",
    "acq_rel acquire": "acq_rel",
    "seq_cst monotonic": "acquire",
    "monotonic seq_cst": "acquire",
    "release seq_cst": "acquire",
    "seq_cst seq_cst": "acquire",
}

INTEGERS = (
    "xchg add sub and or xor nand max min umax umin uinc_wrap udec_wrap usub_cond usub_sat".split()
)
FLOATS = "xchg fadd fsub fmax fmin fmaximum fminimum".split()
OPERATIONS = [
    *product(("i8", "i16", "i32", "i64"), INTEGERS),
    *product(("half", "bfloat", "float", "double"), FLOATS),
    *product(("<2 x half>",), ("fadd", "fsub")),
    ("ptr", "xchg"),
]
OPERATIONS_SM90 = [
    *product(("i128",), INTEGERS[:11]),
    *product(("<2 x bfloat>",), ("fadd", "fsub")),
]
BY_LOWERING = [
    *(("i32", "add"), ("i64", "sub"), ("float", "fadd"), ("half", "fadd"), ("ptr", "xchg")),
    *(("i32", "nand"), ("i16", "add"), ("i8", "max"), ("double", "fmax"), ("bfloat", "xchg")),
]
"""An operation of each expansion: native instructions and loops, of every width."""
BY_LOWERING_SM90 = [("i128", "xchg"), ("i128", "add")]

SIZES = {
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "i128": 16,
    "half": 2,
    "float": 4,
    "double": 8,
    "ptr": 8,
}


class Case:
    """Returns a function with one atomic operation, and the instructions expected of it."""

    def __init__(
        self, body: str, ordering: str, scope: str, space: int, sem: str, mnemonic: str = ""
    ) -> None:
        self.body = body
        self.mnemonic = mnemonic
        self.scope = SCOPES[scope]
        self.space = SPACES[space]
        self.sem = f"{sem}.{self.scope}." if self.scope else ""
        self.fences = [f"fence.sc.{self.scope}"] if "seq_cst" in ordering and self.scope else []

    def text(self, number: int) -> str:
        return f"define void @f{number}() {{\n  %p = load ptr, ptr @where\n  {self.body}\n  ret void\n}}"


def syncscope(scope: str) -> str:
    return f'syncscope("{scope}") ' if scope else ""


def pointer(space: int) -> tuple[str, str]:
    """Returns the cast of %p to the space, and the operand."""
    if not space:
        return "", "ptr %p"
    return f"%q = addrspacecast ptr %p to ptr addrspace({space})\n  ", f"ptr addrspace({space}) %q"


def value_of(type_: str) -> str:
    return {"p": "null", "<": "zeroinitializer", "i": "3"}.get(type_[0], "1.0")


def update(type_: str, name: str, ordering: str, scope: str, space: int) -> Case:
    cast, operand = pointer(space)
    value = f"{type_} {value_of(type_)}"
    body = f"{cast}%r = atomicrmw {name} {operand}, {value} {syncscope(scope)}{ordering}"
    return Case(body, ordering, scope, space, UPDATE[ordering])


def exchange(type_: str, ordering: str, scope: str, space: int) -> Case:
    cast, operand = pointer(space)
    values = f"{type_} {value_of(type_)}, {type_} {'null' if type_ == 'ptr' else 5}"
    body = f"{cast}%r = cmpxchg {operand}, {values} {syncscope(scope)}{ordering}"
    return Case(body, ordering, scope, space, EXCHANGE[ordering])


def places(arch: str, rng: random.Random, spaces_of_each: int = 1) -> list[tuple[str, int]]:
    """Every scope of a target, each with some of its address spaces."""
    before_clusters = arch == "sm_75"
    spaces = [space for space in SPACES if space != 7 or not before_clusters]
    return [
        (scope, space)
        for scope in SCOPES
        if scope != "cluster" or not before_clusters
        for space in rng.sample(spaces, spaces_of_each)
    ]


def compiled(cases: list[Case], arch: str) -> list[list[str]]:
    """Returns the memory instructions of each case, without operands, in order."""
    functions = "\n".join(case.text(number) for number, case in enumerate(cases))
    source = f"@where = external global ptr\n{functions}\n"
    ptx = compile(source, arch=arch, opt_level=0)
    assemble(ptx, arch, "-c", "-O0")
    found: dict[int, list[str]] = {}
    for number, body in re.findall(r"^\.visible \.func f(\d+)\(.*?\n\{(.*?)\n\}", ptx, re.M | re.S):
        instructions = re.findall(r"^\t((?:atom|ld|st|fence|membar|red)\S*?);?\s", body, re.M)
        found[int(number)] = instructions[instructions[:1] == ["ld.global.b64"] :]
    return [found[number] for number in range(len(cases))]


def check_updates(cases: list[Case], arch: str) -> None:
    for case, instructions in zip(cases, compiled(cases, arch), strict=True):
        fences = [word for word in instructions if word.startswith("fence")]
        atoms = [word for word in instructions if word.startswith("atom")]
        assert fences == case.fences, case.body
        assert instructions[: len(fences)] == fences, case.body
        assert len(atoms) == 1, case.body
        assert atoms[0].startswith(f"atom.{case.sem}{case.space}"), (case.body, atoms)
        for word in instructions:
            if word.startswith("ld"):
                # A loop first reads the memory. The access is strong, since a weak one would race.
                assert re.match(rf"ld\.{strong_read(case)}{case.space}b\d+$", word), (
                    case.body,
                    word,
                )


def strong_read(case: Case) -> str:
    """Returns a pattern for the modifiers of the first read in a loop.

    The loop of a byte compare-and-exchange ends at this read if the byte is not the expected one, so the read
    has the failure ordering.
    """
    if "cmpxchg" in case.body and "acq" in case.sem:
        return f"acquire\\.{case.scope}\\."
    return rf"(volatile\.|relaxed\.{case.scope}\.)" if case.scope else r"volatile\."


@needs_ptxas
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_operation_and_type(arch: str):
    rng = random.Random(arch)
    operations = OPERATIONS if arch == "sm_75" else [*OPERATIONS, *OPERATIONS_SM90]
    cases = [
        update(*operation, ordering, *rng.choice(places(arch, rng)))
        for operation, ordering in product(operations, ("seq_cst", "acq_rel"))
    ]
    check_updates(cases, arch)


@needs_ptxas
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_ordering_scope_and_space(arch: str):
    rng = random.Random(arch)
    operations = BY_LOWERING if arch == "sm_75" else [*BY_LOWERING, *BY_LOWERING_SM90]
    cases = [
        update(*operation, ordering, *place)
        for operation, ordering in product(operations, UPDATE)
        for place in places(arch, rng, 2)
    ]
    check_updates(cases, arch)


@needs_ptxas
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_compare_and_exchange(arch: str):
    rng = random.Random(arch)
    types = ["i8", "i16", "i32", "i64", "ptr"] + (["i128"] if arch != "sm_75" else [])
    cases = [
        exchange(type_, ordering, *place)
        for type_, ordering in product(types, EXCHANGE)
        for place in places(arch, rng, 2 if type_ == "i8" else 1)
    ]
    check_updates(cases, arch)


@needs_ptxas
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_loads_and_stores(arch: str):
    rng = random.Random(arch)
    cases: list[Case] = []
    for (type_, size), (ordering, sem) in product(SIZES.items(), LOAD.items()):
        for scope, space in places(arch, rng):
            cast, operand = pointer(space)
            rest = f"{operand} {syncscope(scope)}{ordering}, align {size}"
            body = f"{cast}%r = load atomic {type_}, {rest}"
            cases.append(Case(body, ordering, scope, space, sem, "ld"))
    for (type_, size), (ordering, sem) in product(SIZES.items(), STORE.items()):
        for scope, space in places(arch, rng):
            cast, operand = pointer(space)
            rest = f"{operand} {syncscope(scope)}{ordering}, align {size}"
            body = f"{cast}store atomic {type_} {value_of(type_)}, {rest}"
            cases.append(Case(body, ordering, scope, space, sem, "st"))
    for case, (*fences, access) in zip(cases, compiled(cases, arch), strict=True):
        assert fences == case.fences, case.body
        assert access.startswith(f"{case.mnemonic}.{case.sem}{case.space}"), (case.body, access)
        assert "volatile" not in access, (case.body, access)


@needs_ptxas
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_fences(arch: str):
    rng = random.Random(arch)
    cases = [
        Case(f"fence {syncscope(scope)}{ordering}", "", scope, space, sem)
        for ordering, sem in (OLDER_FENCE if arch == "sm_75" else FENCE).items()
        for scope, space in places(arch, rng)
    ]
    for case, found in zip(cases, compiled(cases, arch), strict=True):
        assert found == ([f"fence.{case.sem}"[:-1]] if case.scope else []), case.body


def test_cluster_scope_is_block_scope_before_sm_90():
    text = 'define void @f(ptr %p) {\n  fence syncscope("cluster") seq_cst\n  ret void\n}'
    assert "fence.sc.cta;" in compile(text, arch="sm_80")
    assert "fence.sc.cluster;" in compile(text, arch="sm_90")
