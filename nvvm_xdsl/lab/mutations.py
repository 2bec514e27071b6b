"""Damaged inputs: small parts of real modules and pipelines, with a few mutations each.

A kind and a seed determine an input. The parts come from files. A part of LLVM assembly, MLIR or PTX
is one function with the symbols that it refers to, so that inputs are small and run quickly.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from nvvm_xdsl.dialects.ptx.statements import IDENTIFIER, without_comments

InputKind: TypeAlias = Literal["ll", "mlir", "bc", "ptx", "pipeline"]
"""The kind of an input: LLVM assembly, MLIR, bitcode, PTX, or the text of a pipeline."""

INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)

MAX_PIECE = 4_000
"""Maximum length of a mutated piece in characters; parsing time is proportional to it."""

LL_INSTRUCTIONS = tuple(
    "ret br switch indirectbr unreachable add sub mul udiv sdiv urem srem shl lshr ashr and or xor "
    "fadd fsub fmul fdiv frem fneg extractelement insertelement shufflevector extractvalue "
    "insertvalue alloca load store fence cmpxchg atomicrmw getelementptr trunc zext sext fptrunc "
    "fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast icmp fcmp phi select "
    "freeze call va_arg".split()
)
"""Names of LLVM's instructions."""

_TOKEN = re.compile(
    r"""\s+ | (?:[%@!^\#$]|c)?"[^"\n]*"? | [%@^\#!$][-\w.$]* | [-+]?\d[\w.+]* | [\w.]+ | .""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"-?\d+")
_TYPE = re.compile(r"i\d+|half|float|double|bfloat|ptr|void|f\d+|index")
_NAME = re.compile(r"[%^\#!][-\w.$]+")
_SYMBOL = re.compile(r"@[-\w.$]+")
_HEAD = re.compile(
    r"(?:llvm|nvvm|nvptx|ptx|builtin|gpu)\.[\w.]+|"
    + "|".join(LL_INSTRUCTIONS)
    + r"|[su]?[lg][te]|eq|ne"
)
_LL_ENTITY = re.compile(r"^(?:(@[-\w.$]+|%[-\w.$]+|![-\w.$]+) =|attributes (#\d+) =)", re.MULTILINE)
_LL_DECLARED = re.compile(r"^declare[^@\n]*(@[-\w.$]+)", re.MULTILINE)
_LL_NAME = re.compile(r"[@%!#][-\w.$]+")
_PTX_OPCODE = re.compile(r"\.?[a-z]\w*(?:\.\w+)+|\.[a-z]\w*")
"""An opcode with modifiers, or a directive."""
_PTX_HEAD = re.compile(r"\.(?:version|target|address_size)\b[^\n]*")
_PTX_POSITION = re.compile(r"^\s*\.(?:file|loc)\b[^\n]*\n", re.MULTILINE)
_PTX_FUNCTION = re.compile(rf"\.(?:entry|func)\s*(?:\([^)]*\)\s*)?({IDENTIFIER})")
_PTX_VARIABLE = re.compile(rf"({IDENTIFIER})\s*(?:\[[^]]*\]\s*)*(?:=.*)?;", re.DOTALL)
_PTX_IDENTIFIER = re.compile(IDENTIFIER)
_MLIR_SYMBOL = re.compile(r"@([-\w.$]+)")

NUMBERS = (
    "0", "1", "-1", "2", "3", "7", "31", "32", "33", "63", "64", "65", "127", "128", "255", "256",
    "1024", "4095", "65535", "65536", "1000000", "2147483647", "2147483648", "-2147483648",
    "4294967295", "4294967296", "5000000000", "-5000000000", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "18446744073709551615",
    "18446744073709551616", "340282366920938463463374607431768211456", "9" * 4301, "0x7FF0000000000000",
    "0xK3FFF8000000000000000", "1.0e999", "1.5", "-0.0", "0x8000000000000000",
)  # fmt: skip
"""Boundary numbers."""

LL_TYPES = (
    "i1", "i8", "i16", "i24", "i32", "i64", "i65", "i128", "i256", "half", "bfloat", "float",
    "double", "fp128", "x86_fp80", "ptr", "ptr addrspace(1)", "ptr addrspace(3)",
    "ptr addrspace(99)", "<2 x i32>", "<4 x float>", "<3 x i8>", "<2 x ptr>", "[4 x i32]",
    "[0 x i8]", "[4294967296 x i8]", "[4 x [4 x float]]", "{ i32, i8 }", "<{ i8, i64 }>", "{}",
    "void", "label", "token", "metadata", "opaque", "i32 ()", "target(\"spirv.Image\")",
    "<vscale x 4 x i32>", "i32*", "%struct.none", "i0", "i8388608", "<0 x i32>",
)  # fmt: skip
"""Types of LLVM assembly, including types that are not first-class."""

MLIR_TYPES = (
    "i1", "i8", "i16", "i24", "i32", "i64", "i128", "f16", "bf16", "f32", "f64", "f80", "f128",
    "index", "!llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr<3>", "!llvm.ptr<99>", "vector<2xi32>",
    "vector<4xf32>", "vector<0xi32>", "vector<2x2xi32>", "vector<[4]xi32>", "vector<2x!llvm.ptr>",
    "!llvm.array<4 x i32>", "!llvm.array<-4 x i32>", "!llvm.array<4294967296 x i8>",
    "!llvm.struct<(i32, i8)>", "!llvm.struct<packed (i8, i64)>", "!llvm.struct<()>",
    "!llvm.struct<\"s\", opaque>", "!llvm.void", "!llvm.token", "!llvm.metadata", "!llvm.label",
    "!llvm.func<i32 ()>", "tensor<4xi32>", "memref<4xi32>", "none", "() -> ()", "tuple<i32>", "si32",
    "i0", "!nvptx.b32", "!nvptx.pred", "!unknown.type", "complex<f32>",
)  # fmt: skip
"""Types of MLIR, including other dialects."""

PTX_TYPES = (
    "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64",
    "f16", "f16x2", "bf16", "bf16x2", "tf32", "e4m3x2", "f32", "f32x2", "f64", "u16x2",
)  # fmt: skip
"""Types of PTX, without the dot."""

NOISE = '\x00"%@!(){}[]<>,=*:0123456789abc \n\\é;^#-'


def _closed(text: str, start: int) -> int:
    """The offset of the closing bracket after `start`, or the end of the line if no bracket is open."""
    depth = 0
    for match in re.compile(r'"[^"\n]*"|//[^\n]*|[{}()\[\]\n]').finditer(text, start):
        word = match[0]
        if word in "{([":
            depth += 1
        elif word in "})]":
            depth -= 1
            if depth < 0:
                return match.start()
        elif word == "\n" and depth == 0:
            return match.end()
    return len(text)


def ll_pieces(text: str) -> list[str]:
    """Each function of an LLVM module as a module, with the symbols that it refers to."""
    functions = [m[0] for m in re.finditer(r"^define .*?^\}\n", text, re.MULTILINE | re.DOTALL)]
    entities: dict[str, str] = {}
    for line in text.split("\n"):
        found = _LL_ENTITY.match(line) or _LL_DECLARED.match(line)
        name = next((part for part in found.groups() if part), None) if found else None
        if name is not None:
            entities[name] = line
    head = [line for line in text.split("\n") if line.startswith("target ")]
    by_name: dict[str, str] = {}
    for function in functions:
        name = re.search(r"@[-\w.$]+", function)
        if name is not None:
            by_name[name[0]] = function
    made: list[str] = []
    for function in functions:
        lines: dict[str, None] = {}
        pending = _LL_NAME.findall(function)
        size = len(function)
        while pending and size <= MAX_PIECE:
            name = pending.pop()
            line = entities.get(name) or by_name.get(name)
            if line is None or line in lines or line == function:
                continue
            lines[line] = None
            size += len(line)
            pending += _LL_NAME.findall(line)
        if size <= MAX_PIECE:
            made.append("\n".join([*head, *lines, function]))
    return made


def mlir_pieces(text: str) -> list[str]:
    """The parts of a split MLIR file; of a long one, each op with the symbols that it refers to."""
    made: list[str] = []
    for part in text.split("// -----"):
        part = re.sub(r"^\s*//[^\n]*\n", "", part, flags=re.MULTILINE)
        if not part.strip():
            continue
        if len(part) <= MAX_PIECE // 2:
            made.append(part)
            continue
        ops: list[str] = []
        at = 0
        while at < len(part):
            end = max(_closed(part, at), at + 1)
            ops.append(part[at:end])
            at = end
        named = {m[0]: op for op in ops if (m := _MLIR_SYMBOL.search(op)) is not None}
        aliases = [op for op in ops if op[:1] in "#!"]
        for op in ops:
            if op.strip() and op not in aliases and len(op) <= MAX_PIECE:
                used = {m[0] for m in _MLIR_SYMBOL.finditer(op)}
                rest = [named[name] for name in sorted(used) if name in named and named[name] != op]
                module = "".join([*aliases, *rest, op])
                if len(module) <= MAX_PIECE:
                    made.append(module)
    return made


def _ptx_items(text: str) -> list[str]:
    """The functions and variables of a PTX module."""
    items: list[str] = []
    depth = start = 0
    for match in re.finditer(r'"[^"\n]*"|[{};]', text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        item = text[start : match.end()]
        is_body = match[0] == "}" and (".section" in item or _PTX_FUNCTION.search(item) is not None)
        if depth == 0 and (match[0] == ";" or is_body):
            items.append(item)
            start = match.end()
    return items


def _ptx_name(item: str) -> str:
    found = _PTX_FUNCTION.search(item) or _PTX_VARIABLE.search(item)
    return "" if found is None else found[1]


def ptx_pieces(text: str) -> list[str]:
    """Each function of a PTX module as a module, with the symbols that it refers to."""
    text = _PTX_POSITION.sub("", without_comments(text))
    head = "\n".join(_PTX_HEAD.findall(text))
    items = [item for item in _ptx_items(_PTX_HEAD.sub("", text)) if ".section" not in item]
    named = {_ptx_name(item): item for item in items}
    made: list[str] = []
    for item in items:
        if not item.endswith("}"):
            continue
        used = dict.fromkeys(_PTX_IDENTIFIER.findall(item))
        others = [named[name] for name in used if named.get(name, item) != item]
        module = "".join([head, *others, item])
        if len(module) <= MAX_PIECE:
            made.append(module)
    return made


@dataclass(frozen=True)
class _Words:
    """Fragments that mutations insert into a kind of text.

    Arguments:
        all: every token.
        heads: names of instructions and ops.
        symbols: names of functions and variables, mostly intrinsics.
        types: types, each of one or several tokens.
    """

    all: Sequence[str]
    heads: Sequence[str]
    symbols: Sequence[str]
    types: Sequence[str]


@dataclass
class Pieces:
    """The mutated texts, by kind of input.

    Arguments:
        ll, mlir, ptx: texts of small modules.
        pipelines: texts of pipelines.
    """

    ll: list[str] = field(default_factory=list[str])
    mlir: list[str] = field(default_factory=list[str])
    ptx: list[str] = field(default_factory=list[str])
    pipelines: list[str] = field(default_factory=list[str])

    def texts(self, kind: str) -> list[str]:
        """The pieces of one kind."""
        texts = {"mlir": self.mlir, "ptx": self.ptx, "pipeline": self.pipelines}
        return texts.get(kind, self.ll)

    @cached_property
    def words(self) -> dict[str, _Words]:
        """The fragments that mutations insert into texts, by kind."""
        made: dict[str, _Words] = {}
        types = {"ll": LL_TYPES, "mlir": MLIR_TYPES, "ptx": PTX_TYPES, "pipeline": ()}
        for kind in types:
            words = sorted({word for text in self.texts(kind) for word in _TOKEN.findall(text)})
            made[kind] = _Words(
                words,
                [w for w in words if (_PTX_OPCODE if kind == "ptx" else _HEAD).fullmatch(w)],
                [word for word in words if _SYMBOL.fullmatch(word)],
                types[kind],
            )
        return made


_PIPELINES = re.compile(r"""(?:-p|--passes|--pipeline)[ =]('[^'\n]+'|"[^"\n]+"|[\w,()<>;=-]+)""")


def collect(paths: Iterable[Path]) -> Pieces:
    """The pieces of files and of all files below folders, and the pipelines that tests run."""
    from nvvm_xdsl.passes import PASSES
    from nvvm_xdsl.pipeline.levels import pipeline_text

    files: list[Path] = []
    for path in paths:
        files += sorted(path.rglob("*")) if path.is_dir() else [path]
    pieces = Pieces()
    pipelines = {name: None for name in PASSES}
    for level in ("O0", "O1", "O1;short", "O3"):
        pipelines[pipeline_text(level)] = None
        pipelines[f"nvopt<{level}>"] = None
    for file in files:
        if file.suffix not in (".ll", ".mlir", ".ptx"):
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for match in _PIPELINES.finditer(text):
            pipelines[match[1].strip("'\"")] = None
        if file.suffix == ".ll":
            pieces.ll += ll_pieces(text)
        elif file.suffix == ".ptx":
            pieces.ptx += ptx_pieces(text)
        else:
            pieces.mlir += mlir_pieces(text)
    pieces.ll = sorted(set(pieces.ll))
    pieces.mlir = sorted(set(pieces.mlir))
    pieces.ptx = sorted(set(pieces.ptx))
    pieces.pipelines = sorted(pipelines)
    return pieces


def _places(text: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    return [index for index, word in enumerate(text) if pattern.fullmatch(word)]


def _mutate_wildly(text: list[str], words: _Words, chance: random.Random) -> None:
    """Changes tokens without regard to their kind."""
    at = chance.randrange(len(text))
    match chance.randrange(9):
        case 0:
            text[at] = chance.choice(words.all)
        case 1:
            text.insert(at, chance.choice(words.all))
        case 2:
            del text[at : at + chance.randrange(1, 4)]
        case 3:
            other = chance.randrange(len(text))
            text[at], text[other] = text[other], text[at]
        case 4:
            text[at] = "".join(chance.choices(NOISE, k=chance.randrange(1, 6)))
        case 5:
            del text[at + 1 :]
        case 6:
            text[at:at] = text[at : at + chance.randrange(1, 30)]
        case 7:
            span = text[at : at + chance.randrange(1, 20)]
            del text[at : at + len(span)]
            other = chance.randrange(len(text) + 1)
            text[other:other] = span
        case _:
            found = [index for index, word in enumerate(text) if _NUMBER.search(word)]
            if found:
                at = chance.choice(found)
                text[at] = _NUMBER.sub(lambda _: chance.choice(NUMBERS), text[at], count=1)


def _mutate_gently(text: list[str], words: _Words, chance: random.Random) -> None:
    """Replaces tokens by others of the same kind, so that most of the inputs are still parsed."""
    pattern = chance.choice(
        (_NUMBER, _NUMBER, _TYPE, _TYPE, _TYPE, _NAME, _NAME, _HEAD, _SYMBOL, None)
    )
    found = _places(text, pattern) if pattern is not None else []
    if not found:
        _mutate_lines(text, chance)
        return
    at = chance.choice(found)
    old = text[at]
    if pattern is _NUMBER:
        new = chance.choice(NUMBERS)
    elif pattern is _TYPE:
        new = chance.choice(words.types if chance.random() < 0.5 else [text[i] for i in found])
    elif pattern is _NAME:
        # Replaces a reference to one value or block with a reference to another.
        new = chance.choice([text[i] for i in found if text[i][0] == old[0]])
    else:
        new = chance.choice(words.heads if pattern is _HEAD else words.symbols)
    # Replaces a type or the name of a function, often all occurrences, so that the text may remain
    # consistent.
    everywhere = pattern is _SYMBOL or (pattern is _TYPE and chance.random() < 0.5)
    for index in found if everywhere else [at]:
        if text[index] == old:
            text[index] = new


def _mutate_opcode(text: list[str], words: _Words, chance: random.Random) -> None:
    """Replaces an opcode of PTX by another, or one of its modifiers by another modifier or a type."""
    found = _places(text, _PTX_OPCODE)
    if not found:
        return
    at = chance.choice(found)
    if chance.random() < 0.3:
        text[at] = chance.choice(words.heads)
        return
    parts = text[at].split(".")
    others = chance.choice(words.heads).split(".")[1:] if chance.random() < 0.5 else words.types
    change = chance.randrange(1, len(parts))
    match chance.randrange(4):
        case 0:
            del parts[change]
        case 1:
            parts.insert(change, chance.choice(others or words.types))
        case _:
            parts[change] = chance.choice(others or words.types)
    text[at] = ".".join(parts)


def _mutate_lines(text: list[str], chance: random.Random) -> None:
    """Drops a line, doubles it, or exchanges it with another."""
    lines = "".join(text).split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case _:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    text[:] = _TOKEN.findall("\n".join(lines))


WILD_SHARE = 0.3
"""The share of inputs that are changed without regard to syntax."""

HOW_MANY = (1, 1, 1, 1, 2, 2, 3, 5)
"""Number of mutations of one input; few, because an early rejected mutation hides the later
ones."""


def mutated_text(kind: Literal["ll", "mlir", "ptx", "pipeline"], pieces: Pieces, seed: int) -> str:
    """The text of an input."""
    chance = random.Random(f"{kind}:{seed}")
    words = pieces.words[kind]
    text = _TOKEN.findall(chance.choice(pieces.texts(kind)))
    wild = kind == "pipeline" or chance.random() < WILD_SHARE
    for _ in range(chance.choice(HOW_MANY)):
        if not text:
            break
        if wild:
            _mutate_wildly(text, words, chance)
        elif kind == "ptx" and chance.random() < 0.5:
            _mutate_opcode(text, words, chance)
        else:
            _mutate_gently(text, words, chance)
    return "".join(text)


@cache
def _bitcode(text: str) -> bytes | None:
    """The bitcode of LLVM assembly; None if LLVM rejects the text."""
    llvm: Any = import_module("llvmlite.binding")
    try:
        # The names of structs depend on the modules that a context has read before.
        return llvm.parse_assembly(text, llvm.create_context()).as_bitcode()
    except RuntimeError:
        return None


def mutated_bitcode(pieces: Pieces, seed: int) -> bytes:
    """Bitcode with some changed bytes, or the bitcode of gently mutated assembly.

    Half of the inputs change at most four bytes, so that LLVM's reader accepts some of them.
    """
    chance = random.Random(f"bc:{seed}")
    whole = None
    while whole is None:
        whole = _bitcode(chance.choice(pieces.ll))
    data = bytearray(whole)
    for _ in range(chance.choice(HOW_MANY)):
        at = chance.randrange(4, len(data))
        match chance.randrange(8):
            case 0:
                del data[at:]
                break
            case 1:
                data[at : at + 4] = chance.randbytes(4)
            case 2:
                data[at:at] = data[at : at + 4 * chance.randrange(1, 8)]
            case 3:
                del data[at : at + 4]
            case _:
                data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


def mutated(kind: InputKind, pieces: Pieces, seed: int) -> bytes:
    """The input of a kind and a seed."""
    if kind == "bc":
        return mutated_bitcode(pieces, seed)
    return mutated_text(kind, pieces, seed).encode("utf-8", "surrogateescape")
