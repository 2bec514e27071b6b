"""Constants and constant expressions (LLVM Language Reference, "Constants").

A constant is read into a small tree first. In a function it then becomes ops at the start of the
entry block, one for each distinct constant; as the initializer of a global it becomes an
attribute where it is plain data, and ops in the initializer region otherwise, as in MLIR.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    VectorType,
)
from xdsl.dialects.llvm import (
    AddressOfOp,
    BitcastOp,
    ConstantOp,
    InsertElementOp,
    InsertValueOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    UndefOp,
    ZeroOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class, types
from nvvm_xdsl.dialects.llvm.constants import float_from_bits
from nvvm_xdsl.dialects.llvm.ops import PoisonOp
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, I1, I8, I32, dense_i64, int_attr
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.float_literals import is_float_token, parse_float_bits
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, unquote
from nvvm_xdsl.frontend.types import TypeReader, is_integer, is_vector, name_of
from nvvm_xdsl.ir import fast

MAX_DIGITS = 4000
DENSE_ZERO_LIMIT = 4096
"""`zeroinitializer` of more scalars is `llvm.mlir.zero`, because a dense attribute would contain
each scalar."""

_ALL_FLOATS: frozenset[Attribute] = FLOAT_TYPES | {types.F80, types.F128}


CAST_OPCODES = frozenset(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr "
    "bitcast addrspacecast".split()
)
BINARY_OPCODES = frozenset(
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split()
)


class Constant:
    """A constant that was read.

    Arguments:
        kind: `int`, `float`, `zero`, `undef`, `poison`, `global`, `bytes`, `data` (scalars of one
            type: integers or float bits), `aggregate` (its elements), `expression`.
        type_: its type.
        payload: the contents, by kind; for an expression the opcode, operands and modifiers.
    """

    __slots__ = ("_key", "kind", "payload", "type")

    kind: str
    type: Attribute
    payload: Any
    _key: tuple[Any, ...] | None

    def __init__(self, kind: str, type_: Attribute, payload: Any = None) -> None:
        self.kind = kind
        self.type = type_
        self.payload = payload
        self._key = None

    @property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for equal constants; types are interned and compared by identity."""
        if self._key is None:
            payload = self.payload
            if self.kind == "aggregate":
                payload = tuple(element.key for element in payload)
            elif self.kind == "expression":
                opcode, operands, extra = payload
                payload = (opcode, tuple(operand.key for operand in operands), extra)
            elif self.kind == "data":
                payload = tuple(payload)
            self._key = (self.kind, id(self.type), payload)
        return self._key

    def is_zero_index(self) -> bool:
        """Returns True if it is the integer 0 or a vector of them."""
        return (self.kind == "int" and self.payload == 0) or (
            self.kind == "zero" and not isinstance(self.type, LLVMPointerType)
        )


class ConstantPool:
    """The constants of one function, or of one initializer.

    Arguments:
        block: the block for their ops, at its start in the order of first use.
    """

    block: Block
    scalars: dict[tuple[str, int], SSAValue]
    """Values by token and identity of the type: the fast path for repeated constants."""

    _values: dict[tuple[Any, ...], SSAValue]
    _made: list[Operation]

    def __init__(self, block: Block) -> None:
        self.block = block
        self.scalars = {}
        self._values = {}
        self._made = []

    def insert(self, op: Operation) -> SSAValue:
        """Inserts the op after the previously inserted ones; returns its result."""
        if self._made:
            fast.insert_after(op, self._made[-1])
        else:
            fast.prepend(self.block, op)
        self._made.append(op)
        return op.results[0]

    def drop_unused(self) -> None:
        """Erases ops whose values are used only in attributes or in discarded constants."""
        for op in reversed(self._made):
            if op.results[0].first_use is None:
                fast.erase(op)
        self._made = []

    def value(self, constant: Constant) -> SSAValue:
        """The value of the constant, created on demand."""
        found = self._values.get(constant.key)
        if found is None:
            found = self._values[constant.key] = self._make(constant)
        return found

    def _make(self, constant: Constant) -> SSAValue:
        type_ = constant.type
        kind = constant.kind
        if kind == "global":
            properties: dict[str, Attribute] = {"global_name": SymbolRefAttr(constant.payload)}
            return self.insert(fast.create(AddressOfOp, (), (type_,), properties))
        if kind == "undef":
            return self.insert(fast.create(UndefOp, (), (type_,)))
        if kind == "poison":
            return self.insert(fast.create(PoisonOp, (), (type_,)))
        if kind == "expression":
            return self._expression(constant)
        attribute = attribute_of(constant)
        if attribute is not None:
            return self.insert(fast.create(ConstantOp, (), (type_,), {"value": attribute}))
        if kind == "float":
            bits = self.value(Constant("int", types.I128, constant.payload))
            return self.insert(fast.create(BitcastOp, (bits,), (type_,)))
        if kind == "zero":
            return self.insert(fast.create(ZeroOp, (), (type_,)))
        return self._aggregate(type_, elements_of(constant))

    def _aggregate(self, type_: Attribute, elements: Sequence[Constant]) -> SSAValue:
        values = [self.value(element) for element in elements]
        if not values:
            return self.insert(fast.create(ZeroOp, (), (type_,)))
        whole = self.value(Constant("undef", type_))
        for index, element in enumerate(values):
            if is_vector(type_):
                position = self.value(Constant("int", I32, index))
                op = fast.create(InsertElementOp, (whole, element, position), (type_,))
            else:
                op = fast.create(
                    InsertValueOp, (whole, element), (type_,), {"position": dense_i64((index,))}
                )
            whole = self.insert(op)
        return whole

    def _expression(self, constant: Constant) -> SSAValue:
        opcode, operands, extra = constant.payload
        values = [self.value(operand) for operand in operands]
        if opcode == "getelementptr":
            element, flags, raw = extra
            op = builders.gep(values[0], values[1:], raw, element, flags, constant.type)
        elif opcode == "icmp":
            op = builders.icmp(extra, values[0], values[1])
        elif opcode == "fcmp":
            op = builders.fcmp(extra, values[0], values[1])
        elif opcode in ("extractvalue", "insertvalue"):
            op = fast.create(
                op_class(f"llvm.{opcode}"), values, (constant.type,), {"position": dense_i64(extra)}
            )
        elif opcode == "shufflevector":
            op = builders.shuffle(values[0], values[1], extra)
        else:
            op = fast.create(
                op_class(f"llvm.{opcode}"),
                values,
                (constant.type,),
                builders.arithmetic_properties(opcode, extra),
            )
        return self.insert(op)


def elements_of(constant: Constant) -> Sequence[Constant]:
    """The elements of a constant aggregate or vector."""
    if constant.kind == "aggregate":
        return constant.payload
    element = constant_element_type(constant.type)
    return _scalar_constants(element, constant.payload)


def constant_element_type(type_: Attribute) -> Attribute:
    """The type of the elements of an array or vector."""
    if isinstance(type_, LLVMArrayType):
        return type_.type
    assert is_vector(type_)
    vector: VectorType[Attribute] = type_
    return vector.element_type


def attribute_of(constant: Constant) -> Attribute | None:
    """The constant as an attribute, MLIR's form of plain data; None if it requires ops."""
    type_ = constant.type
    kind = constant.kind
    if kind == "int":
        return int_attr(constant.payload, type_)  # pyright: ignore[reportArgumentType]
    if kind == "float":
        try:
            return float_from_bits(constant.payload, type_)
        except ValueError:
            # An fp128 that is not representable as a double has no attribute.
            return None
    if kind == "bytes":
        return string_of(constant.payload)
    if kind == "zero" and is_integer(type_):
        return int_attr(0, type_)
    if kind == "zero" and type_ in _ALL_FLOATS:
        return float_from_bits(0, type_)
    if isinstance(type_, LLVMStructType | LLVMPointerType):
        return None
    scalars: list[int] = []
    scalar = _scalar_type(type_)
    if scalar is None or not _flatten(constant, scalars):
        return None
    return _dense(type_, scalar, scalars)


def string_of(data: bytes) -> Attribute:
    """Bytes as an attribute: a string if they are UTF-8."""
    try:
        return StringAttr(data.decode("utf-8"))
    except UnicodeDecodeError:
        return BytesAttr(data)


def _scalar_type(type_: Attribute) -> Attribute | None:
    while isinstance(type_, LLVMArrayType):
        type_ = type_.type
    if is_vector(type_):
        type_ = constant_element_type(type_)
    if is_integer(type_):
        return type_ if type_.width.data in (1, 8, 16, 32, 64) else None
    return type_ if type_ in FLOAT_TYPES else None


def _count(type_: Attribute) -> int:
    count = 1
    while isinstance(type_, LLVMArrayType):
        count *= type_.size.data
        type_ = type_.type
    if is_vector(type_):
        count *= type_.get_shape()[0]
    return count


def _flatten(constant: Constant, scalars: list[int]) -> bool:
    kind = constant.kind
    if kind == "data":
        scalars.extend(constant.payload)
    elif kind == "bytes":
        scalars.extend(constant.payload)
    elif kind in ("int", "float"):
        scalars.append(constant.payload)
    elif kind == "zero":
        count = _count(constant.type)
        if count > DENSE_ZERO_LIMIT:
            return False
        scalars.extend([0] * count)
    elif kind == "aggregate":
        return all(_flatten(element, scalars) for element in constant.payload)
    else:
        return False
    return True


def _dense(type_: Attribute, scalar: Attribute, scalars: list[int]) -> Attribute | None:
    shape: list[int] = []
    inner = type_
    while isinstance(inner, LLVMArrayType):
        shape.append(inner.size.data)
        inner = inner.type
    if is_vector(inner):
        if shape:
            return None
        dense_type: Any = inner
    else:
        dense_type = TensorType(scalar, shape)
    if 0 in shape:
        return None
    width = builders.scalar_width(scalar)
    size = (width + 7) // 8
    mask = (1 << width) - 1
    data = b"".join([(value & mask).to_bytes(size, "little") for value in scalars])
    attribute: Attribute = DenseIntOrFPElementsAttr(dense_type, BytesAttr(data))
    return attribute


def _scalar_constants(element: Attribute, scalars: list[int]) -> list[Constant]:
    kind = "int" if type(element) is IntegerType else "float"
    return [Constant(kind, element, scalar) for scalar in scalars]


class ConstantReader(TypeReader):
    """Reads constants at the current token."""

    block_numbers: dict[tuple[str, str], int]
    block_addresses: dict[tuple[str, str], tuple[int, int]]
    """The offset of the first address of each block, by function and label."""
    streaming: bool = False
    """Returns whether tokens before the current one are no longer needed."""

    def typed_constant(self) -> Constant:
        """`type constant`."""
        return self.constant(self.value_type())

    def constant(self, type_: Attribute) -> Constant:
        """The constant of a known type at the current token."""
        token = self.tokens[self.pos]
        if type(type_) is IntegerType:
            value = self._integer(token, type_)
            if value is not None:
                self.pos += 1
                return Constant("int", type_, value)
        elif type_ in _ALL_FLOATS:
            bits = parse_float_bits(token, type_)
            if bits is not None:
                if type_ is types.F80:
                    self._check_wide_float(bits, type_)
                self.pos += 1
                return Constant("float", type_, bits)
        first = token[:1]
        if first == "@":
            return self._global(type_)
        if token == "zeroinitializer":
            self.pos += 1
            return Constant("zero", type_)
        if token == "null":
            if not isinstance(type_, LLVMPointerType):
                self.fail(f"null must be a pointer, not {self.spell(type_)}")
            self.pos += 1
            return Constant("zero", type_)
        if token in ("undef", "poison"):
            self.pos += 1
            return Constant(token, type_)
        if first in ("[", "{", "<"):
            return self._aggregate(type_)
        if token.startswith('c"'):
            return self._bytes(type_)
        if token == "splat":
            return self._splat(type_)
        if token == "blockaddress":
            return self._block_address(type_)
        if token in _EXPRESSIONS:
            self.enter()
            constant = self.constant_expression(token)
            self.depth -= 1
            if constant.type is not type_:
                self.fail(
                    f"constant expression has type {self.spell(constant.type)}, "
                    f"expected {self.spell(type_)}",
                    self.pos - 1,
                )
            return constant
        self._fail_constant(token, type_)
        raise AssertionError

    def constant_expression(self, opcode: str) -> Constant:
        """The constant expression at the current token; `ConstantExpressionReader` reads it."""
        raise NotImplementedError

    def _check_wide_float(self, bits: int, type_: Attribute) -> None:
        try:
            float_from_bits(bits, type_)
        except ValueError:
            self.fail(f"a {self.spell(type_)} that is not a double is not supported")

    def _fail_constant(self, token: str, type_: Attribute) -> None:
        if token[:1] == "%":
            self.fail(f"expected a constant, found the value {token}")
        if token in ("dso_local_equivalent", "no_cfi", "ptrauth", "asm"):
            self.fail(f"{token} is not supported")
        if token in ("true", "false") or is_float_token(token) or token.lstrip("-").isdecimal():
            self.fail(f"constant {token[:40]} is not of type {self.spell(type_)}")
        self.fail_expected(f"a constant of type {self.spell(type_)}")

    def _integer(self, token: str, type_: Attribute) -> int | None:
        assert is_integer(type_)
        mask = (1 << type_.width.data) - 1
        digits = token[1:] if token[:1] == "-" else token
        if digits.isdecimal() and digits.isascii():
            if len(digits) > MAX_DIGITS:
                self.fail("integer constant is too long")
            return int(token) & mask
        if token in ("true", "false"):
            return int(token == "true") if type_ is I1 else None
        if token[:3] in ("u0x", "s0x"):
            try:
                value = int(token[1:], 16)
            except ValueError:
                return None
            if token[0] == "s" and value:
                bits = 4 * (len(token) - 3)
                if value >> (bits - 1):
                    value -= 1 << bits
            return value & mask
        return None

    def _block_address(self, type_: Attribute) -> Constant:
        """`blockaddress(@f, %block)`: the block's number as an address."""
        if not isinstance(type_, LLVMPointerType):
            self.fail(
                f"the address of a block must have the type of a pointer, not {self.spell(type_)}"
            )
        self.pos += 1
        self.expect("(")
        function = self.use_global(types.PTR)
        self.pos += 1
        self.expect(",")
        place = self.place()
        block = name_of(self.next_token())
        self.block_addresses.setdefault((function, block), place)
        number = self.block_number(function, block)
        self.expect(")")
        return Constant("expression", type_, ("inttoptr", [Constant("int", types.I64, number)], ()))

    def block_number(self, function: str, block: str) -> int:
        """The representation of the address of a block: a distinct number, from 1, for each address
        taken.

        A jump to an address is a switch on these numbers, as in LLVM's `indirectbr-expand`, because
        PTX has no addresses of labels.
        """
        return self.block_numbers.setdefault((function, block), len(self.block_numbers) + 1)

    def _global(self, type_: Attribute) -> Constant:
        if not isinstance(type_, LLVMPointerType):
            self.fail(f"a global must have the type of a pointer, not {self.spell(type_)}")
        constant = Constant("global", type_, self.use_global(type_))
        self.pos += 1
        return constant

    def use_global(self, type_: Attribute) -> str:
        """Records a use of the `@name` at the current token as a pointer; returns its name."""
        return name_of(self.tokens[self.pos])

    def _aggregate(self, type_: Attribute) -> Constant:
        opening = self.tokens[self.pos]
        place = self.pos
        packed = opening == "<" and self.tokens[self.pos + 1] == "{"
        self.enter()
        if opening == "{" or packed:
            self.pos += 1 + packed
            if not isinstance(type_, LLVMStructType):
                self.fail(f"a struct constant is not of type {self.spell(type_)}", place)
            fields = type_.types.data
            elements: list[Constant] = []
            while not self.accept("}"):
                if elements:
                    self.expect(",")
                self.fill()
                if len(elements) == len(fields):
                    self.fail(f"too many elements for {self.spell(type_)}")
                elements.append(self._element(fields[len(elements)]))
            if packed:
                self.expect(">")
            if len(elements) != len(fields):
                self.fail(f"too few elements for {self.spell(type_)}", self.pos - 1)
            if packed != types.is_packed(type_):
                self.fail("packed and unpacked struct do not match", place)
            self.depth -= 1
            return Constant("aggregate", type_, elements) if elements else Constant("zero", type_)
        if not (is_vector(type_) if opening == "<" else isinstance(type_, LLVMArrayType)):
            kind = "an array" if opening == "[" else "a vector"
            self.fail(f"{kind} constant is not of type {self.spell(type_)}", place)
        constant = self._sequence(type_, "]" if opening == "[" else ">")
        self.depth -= 1
        return constant

    def _element(self, wanted: Attribute) -> Constant:
        place = self.pos
        found = self.value_type()
        if found is not wanted:
            self.fail(f"element has type {self.spell(found)}, expected {self.spell(wanted)}", place)
        return self.constant(wanted)

    def _sequence(self, type_: Attribute, closing: str) -> Constant:
        element = constant_element_type(type_)
        count = outer_count(type_)
        place = self.pos
        self.pos += 1
        scalars: list[int] = []
        elements: list[Constant] = []
        is_data = is_integer(element) or element in _ALL_FLOATS
        if is_data:
            self._scalars(element, count, scalars)
        total = len(scalars)
        while not self.accept(closing):
            if total:
                self.expect(",")
            self.fill()
            if total == len(scalars) and not elements:
                elements = _scalar_constants(element, scalars)
            total += 1
            if total > count:
                self.fail(f"too many elements for {self.spell(type_)}")
            constant = self._element(element)
            if is_data and constant.kind in ("int", "float"):
                scalars.append(constant.payload)
            elif is_data and constant.kind == "zero":
                scalars.append(0)
            else:
                is_data = False
            elements.append(constant)
        if total != count:
            self.fail(f"{total} elements for {self.spell(type_)}", place)
        if is_data and scalars:
            return Constant("data", type_, scalars)
        if not elements:
            return Constant("zero", type_)
        for kind in ("undef", "poison"):
            if all(element.kind == kind for element in elements):
                return Constant(kind, type_)
        return Constant("aggregate", type_, elements)

    def _scalars(self, element: Attribute, count: int, scalars: list[int]) -> None:
        """Plain numbers, `i32 1, i32 2 ...`, up to the closing bracket or the first other element.

        The comma before the remaining elements is the current token. Tables may be long, so this
        does not create a `Constant` for each element, and discards tokens that are no longer
        needed.
        """
        tokens = self.tokens
        spelling = tokens[self.pos]
        if self._simple_type(spelling) is not element:
            return
        known: dict[str, int] = {}
        get = known.get
        pos = self.pos
        while len(scalars) < count:
            if len(tokens) - pos < LOOKAHEAD:
                self.pos = pos
                if self.streaming:
                    self.release()
                self.fill()
                pos = self.pos
            if tokens[pos] != spelling:
                break
            token = tokens[pos + 1]
            value = get(token)
            if value is None:
                value = self._scalar(token, element)
                if value is None:
                    break
                known[token] = value
            if tokens[pos + 2] != ",":
                scalars.append(value)
                self.pos = pos + 2
                return
            scalars.append(value)
            pos += 3
        # Back to the assumed comma.
        self.pos = pos - 1 if scalars else pos

    def _scalar(self, token: str, element: Attribute) -> int | None:
        if type(element) is IntegerType:
            return self._integer(token, element)
        return parse_float_bits(token, element) if element in FLOAT_TYPES else None

    def _bytes(self, type_: Attribute) -> Constant:
        token = self.tokens[self.pos]
        if len(token) < 3 or token[-1] != '"':
            self.fail("unterminated string")
        data = unquote(token).encode("latin-1")
        if not isinstance(type_, LLVMArrayType) or type_.type is not I8:
            self.fail(f"a string constant is not of type {self.spell(type_)}")
        if type_.size.data != len(data):
            self.fail(f"string of {len(data)} bytes is not of type {self.spell(type_)}")
        self.pos += 1
        return Constant("bytes", type_, data) if data else Constant("zero", type_)

    def _splat(self, type_: Attribute) -> Constant:
        if not is_vector(type_):
            self.fail(f"a splat must have a vector type, not {self.spell(type_)}")
        self.pos += 1
        self.expect("(")
        scalar = self._element(constant_element_type(type_))
        self.expect(")")
        count = outer_count(type_)
        if scalar.kind in ("int", "float"):
            return Constant("data", type_, [scalar.payload] * count)
        return Constant("aggregate", type_, [scalar] * count)


def outer_count(type_: Attribute) -> int:
    """The number of elements of an array, or of the first dimension of a vector."""
    if isinstance(type_, LLVMArrayType):
        return type_.size.data
    assert is_vector(type_)
    return type_.get_shape()[0]


_EXPRESSIONS = (
    CAST_OPCODES
    | BINARY_OPCODES
    | {
        "getelementptr",
        "icmp",
        "fcmp",
        "fneg",
        "select",
        "extractelement",
        "insertelement",
        "shufflevector",
        "extractvalue",
        "insertvalue",
    }
)
