"""Converts machine code to PTX: registers get names, blocks get labels.

Values get register numbers per class in order of appearance; registers that PHI elimination
numbered keep their numbers. If there are block arguments, each edge copies its values in parallel
before the branch. Blocks stay in their order, and branches to the next block become fall-through
edges.

    %c = nvptx.setp lt.s32 %t, %n : ...        ptx.inst "setp.lt.s32" "%p1, %r1, %r2"
    nvptx.cbra %c : !nvptx.pred, ^bb1, ^bb2    ptx.inst "bra" "$L__BB0_2" guard = "@!%p1"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass

from nvvm_xdsl.codegen.emission.convert_branches import BranchConverter
from nvvm_xdsl.codegen.emission.ptx_data import convert_variable, in_definition_order
from nvvm_xdsl.dialects.llvm.modules import DEBUG_GLOBALS, take_contents
from nvvm_xdsl.dialects.llvm.types import I64, int_attr, string
from nvvm_xdsl.dialects.nvptx.calls import CallOp, InlineAsmOp
from nvvm_xdsl.dialects.nvptx.control_flow import PragmaOp, TerminatorOp
from nvvm_xdsl.dialects.nvptx.debug import DESCRIBED, DebugValueOp
from nvvm_xdsl.dialects.nvptx.functions import DIRECTIVES, FuncOp, GlobalOp, LocalOp, ParamAttr
from nvvm_xdsl.dialects.nvptx.instructions import (
    GUARD,
    GUARD_TRUE,
    LAYOUT,
    MODIFIERS,
    InstructionOp,
    ModifiersAttr,
)
from nvvm_xdsl.dialects.nvptx.operands import (
    SYMBOL_ADDRESS_KIND,
    SYMBOL_KIND,
    OperandsAttr,
    slot_name,
    slot_size,
    slot_text,
)
from nvvm_xdsl.dialects.nvptx.registers import REGISTER_CLASSES, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import MovSregOp, RegisterOp, UndefOp
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

if TYPE_CHECKING:
    from nvvm_xdsl.codegen.emission.dwarf.lines import Lines
    from nvvm_xdsl.codegen.emission.dwarf.scopes import FunctionScopes
    from nvvm_xdsl.codegen.emission.dwarf.units import DebugInfo
    from nvvm_xdsl.codegen.emission.dwarf.variable_flow import Described, VariableFlow

ADDRESS_SIZE = 64

_DEBUG_LABEL = "$L__tmp"
"""Prefix of labels for debuggers."""


@dataclass(frozen=True)
class ConvertNVPTXToPTX(ModulePass):
    """Assigns names, labels and declarations: converts a module of nvptx to one of ptx.

    As of `convert`.
    """

    name = "convert-nvptx-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        take_contents(op, convert(op))


def convert(module: ModuleOp) -> ModuleOp:
    """The module in the ptx dialect; the argument is not changed.

    The module's attributes `nvptx.target` and `nvptx.ptx` determine `.target` and `.version`;
    `nvptx.debug = "line"` requests `.loc` lines, `"full"` also DWARF. Raises DiagnosticError for
    constructs that PTX cannot express, and for ops of other dialects.
    """
    return _ModuleConverter(module).convert()


def _text_attr(module: ModuleOp, name: str, default: str) -> str:
    found = module.attributes.get(name)
    return found.data if isinstance(found, StringAttr) else default


class _ModuleConverter:
    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        debug = _text_attr(module, "nvptx.debug", "")
        self.lines: Lines | None = None
        self.debug_info: DebugInfo | None = None
        if debug:
            from nvvm_xdsl.codegen.emission.dwarf.lines import Lines

            self.lines = Lines(_version(module))
            if debug == "full":
                from nvvm_xdsl.codegen.emission.dwarf.units import DebugInfo

                self.debug_info = DebugInfo(self.lines.file_number)
        self.labels = 0
        self.out = fast.new_block()

    def convert(self) -> ModuleOp:
        """Returns the PTX module: directives, variables, then functions."""
        module = self.module
        variables: dict[str, GlobalOp] = {}
        functions: dict[str, FuncOp] = {}
        for op in fast.ops_of(module.body.block):
            if isinstance(op, GlobalOp):
                variables[op.symbol] = op
            elif isinstance(op, FuncOp):
                functions[op.symbol] = op
            else:
                raise DiagnosticError(f"{op.name} cannot be printed as PTX")
        version = _text_attr(module, "nvptx.ptx", "8.0")
        target = _text_attr(module, "nvptx.target", "sm_90")
        self._add(ptx.VersionOp, version=string(version))
        target_op = self._add(ptx.TargetOp, target=string(target))
        self._add(ptx.AddressSizeOp, bits=int_attr(ADDRESS_SIZE, I64))

        declared: set[str] = set()

        def declare(name: str) -> None:
            function = functions.get(name)
            if function is not None and name not in declared:
                declared.add(name)
                fast.append(self.out, convert_signature(function, declaration=True))

        for variable in variables.values():
            for reloc in variable.relocations:
                declare(reloc.data[1])
        for variable in in_definition_order(variables):
            fast.append(self.out, convert_variable(variable))
            if self.debug_info is not None:
                for described in items_of(variable.attributes.get(DESCRIBED)):
                    self.debug_info.global_variable(described, variable.symbol, variable.space)
        if variables:
            self._add(ptx.TextOp, text=string(""))
        for function in functions.values():
            if function.body.first_block is None:
                declare(function.symbol)
        order = {name: number for number, name in enumerate(functions)}
        for number, function in enumerate(functions.values()):
            if function.body.first_block is None:
                continue
            converter = _FunctionConverter(self, function, number)
            body = converter.convert()
            for name in converter.symbols:
                if order.get(name, -1) >= number:
                    declare(name)
            declared.add(function.symbol)
            signature = convert_signature(function)
            region = signature.regions[0]
            fast.append_block(region, body)
            fast.append(self.out, signature)
        if self.debug_info is not None:
            for described in items_of(module.attributes.get(DEBUG_GLOBALS)):
                self.debug_info.global_variable(described)
        sections = [] if self.debug_info is None else self.debug_info.directives()
        if sections:
            target_op.properties["target"] = string(f"{target}, debug")
        if self.lines is not None:
            for text in (*self.lines.directives(), *sections):
                self._add(ptx.DirectiveOp, text=string(text))
        return ModuleOp(Region(self.out))

    def _add(self, cls: type[ptx.PTXOp], **properties: Attribute) -> ptx.PTXOp:
        made = fast.create(cls, (), (), dict(properties))
        fast.append(self.out, made)
        return made

    def new_label(self) -> str:
        """A label for a position, for debuggers."""
        self.labels += 1
        return f"{_DEBUG_LABEL}{self.labels - 1}"


def _version(module: ModuleOp) -> int:
    """The PTX version, times ten."""
    major, _, minor = _text_attr(module, "nvptx.ptx", "8.0").partition(".")
    return int(major) * 10 + int(minor or 0)


def _strings(texts: Sequence[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([string(t) for t in texts])


def _directive_lines(function: FuncOp) -> list[str]:
    lines: list[str] = []
    for name in DIRECTIVES:
        found: Any = function.properties.get(name)
        if found is None:
            continue
        if isinstance(found, IntegerAttr):
            lines.append(f".{name} {cast(Any, found).value.data}")
        elif hasattr(found, "get_values"):
            lines.append(f".{name} " + ", ".join(str(v) for v in found.get_values()))
        else:
            lines.append(f".{name}")
    return lines


def convert_signature(function: FuncOp, *, declaration: bool = False) -> ptx.FuncOp:
    """The header of a function with an empty body."""
    properties: dict[str, Attribute] = {"symbol": string(function.symbol)}
    if function.is_kernel:
        properties["entry"] = cast(Any, function.properties["kernel"])
    linkage = function.linkage
    if declaration and function.body.first_block is None and linkage != "weak":
        linkage = "extern"
    if linkage:
        properties["linkage"] = string(linkage)
    if function.params:
        properties["params"] = _strings(
            [
                p.declaration(p.param_name or f"{function.symbol}_param_{i}")
                for i, p in enumerate(function.params)
            ]
        )
    if function.ret is not None:
        properties["ret"] = string(function.ret.declaration("func_retval0"))
    directives = _directive_lines(function)
    # ptxas accepts none of them for a kernel without a body.
    if directives and not (declaration and function.is_kernel):
        properties["directives"] = _strings(directives)
    return fast.create(ptx.FuncOp, (), (), properties, regions=(Region(),))


_opcodes: dict[tuple[type[Operation], ModifiersAttr], StringAttr] = {}
_templates: dict[tuple[Any, ...], tuple[StringAttr, str, bool]] = {}


def _opcode(op: InstructionOp, mods: ModifiersAttr) -> StringAttr:
    key = (type(op), mods)
    found = _opcodes.get(key)
    if found is None:
        text = f"{op.mnemonic}.{mods.data}" if mods.data else op.mnemonic
        found = _opcodes[key] = string(text)
    return found


def _result_template(op: InstructionOp, count: int) -> str:
    """The format of the results, `%s` for each: `d`, `{d0, d1}`, `d|p`, `{d0, d1}|p` or `{d0},
    r`."""
    signature = op.signature
    groups: list[str] = []
    left = count
    for spec in () if signature is None else signature.results:
        if left == 0:
            break
        # The operands of an unpacking `mov` have no separate count.
        size = left if spec.kind == "bits" else spec.count or 1
        text = ", ".join(["%s"] * size)
        groups.append("{" + text + "}" if spec.count or size > 1 else text)
        left -= size
    separator = "|" if signature is not None and signature.is_pair else ", "
    return separator.join([*groups, *["%s"] * left])


def _template(op: InstructionOp, count: int) -> str:
    """The format of an instruction's operands, `%s` for each register."""
    parts = [_result_template(op, count)] if count else []
    parts.extend(slot_text(slot) for slot in op.slots)
    return ", ".join(parts)


class _FunctionConverter(BranchConverter):
    """Converts one function's body.

    `symbols` collects the referenced symbols; functions among them must be declared before.
    """

    def __init__(self, module: _ModuleConverter, function: FuncOp, number: int) -> None:
        super().__init__(number)
        self.module = module
        self.function = function
        self.symbols: dict[str, None] = {}
        self.lines = None if module.lines is None else module.lines.of_function()
        self.debug: FunctionScopes | None = None
        if module.debug_info is not None:
            from nvvm_xdsl.codegen.emission.dwarf.scopes import FunctionScopes

            self.debug = FunctionScopes.of(function.location, number, self._debug_label)
        self.flow: VariableFlow | None = None
        self.handlers: dict[type[Operation], Callable[[Any], None]] = {
            MovSregOp: self._mov_sreg,
            RegisterOp: self._nothing,
            UndefOp: self._nothing,
            DebugValueOp: self._nothing,
            LocalOp: self._local,
            PragmaOp: self._pragma,
            CallOp: self._call,
            InlineAsmOp: self._inline_asm,
        }

    def convert(self) -> Block:
        """Returns the block with the statements of the function body."""
        blocks = list(fast.blocks_of(self.function.body))
        self._number_registers(blocks)
        if self.debug is not None and blocks:
            from nvvm_xdsl.codegen.emission.dwarf.variable_flow import VariableFlow

            self.flow = VariableFlow(blocks, self.names, self._describer(blocks[0]))
        self._name_labels(blocks)
        handlers = self.handlers
        last = len(blocks) - 1
        if self.debug is not None:
            self._label(self.debug.root.begin)
        if self.lines is not None:
            self._line(self.function)
        for index, block in enumerate(blocks):
            label = self.labels.get(id(block))
            if label is not None:
                self._label(label)
            following = blocks[index + 1] if index < last else None
            if self.flow is not None:
                self.flow.enter(block)
            for op in fast.ops_of(block):
                if self.lines is not None:
                    self._line(op)
                handler = handlers.get(type(op))
                if handler is not None:
                    handler(op)
                elif isinstance(op, InstructionOp):
                    handlers[type(op)] = self._instruction
                    self._instruction(op)
                elif isinstance(op, TerminatorOp):
                    self._terminator(op, following)
                else:
                    raise DiagnosticError(f"{op.name} cannot be printed as PTX")
                if self.flow is not None:
                    self.flow.passed(op)
        if self.debug is not None and self.module.debug_info is not None:
            self._label(self.debug.root.end)
            self.debug.finish()
            self.module.debug_info.function(self.debug)
        return self._with_registers()

    def _with_registers(self) -> Block:
        head = fast.new_block()
        for register in REGISTER_CLASSES:
            count = self.next_number[type(register)]
            if count > 1:
                properties: dict[str, Attribute] = {
                    "type": string(register.ptx_type),
                    "prefix": string(register.prefix),
                    "count": int_attr(count, I64),
                }
                fast.append(head, fast.create(ptx.RegOp, (), (), properties))
        fast.splice_ops(self.out, head)
        return head

    def _line(self, op: Operation) -> None:
        """Emits the location of the following code."""
        assert self.lines is not None
        if type(op) is DebugValueOp:
            return
        if self.debug is not None and op is not self.function:
            self.debug.enter(op.location)
            if self.flow is not None:
                self.debug.move(self.flow.current)
        for text in self.lines.before(op.location):
            self._directive(text)

    def _debug_label(self) -> str:
        """The label for debuggers at the current end of the code."""
        op = self.out.last_op
        while isinstance(op, ptx.LabelOp | ptx.DirectiveOp):
            if isinstance(op, ptx.LabelOp) and op.text("label").startswith(_DEBUG_LABEL):
                return op.text("label")
            op = op.prev_op
        label = self.module.new_label()
        self._label(label)
        return label

    def _describer(self, entry: Block) -> Callable[[DebugValueOp], Described]:
        """Describes an op's variable and its location."""
        from nvvm_xdsl.codegen.emission.dwarf.locations import location_of

        debug = self.debug
        assert debug is not None
        memory = {op.symbol for op in fast.ops_of(entry) if isinstance(op, LocalOp)}

        def described(op: DebugValueOp) -> Described:
            history = debug.history_of(op)
            if history is None:
                return None
            if op.space == "local" and op.symbol not in memory:
                # Passes do not see the description: the memory may have been removed or shared.
                return history, None
            operands = fast.operands_of(op)
            return history, location_of(op, self.names[id(operands[0])] if operands else "")

        return described

    # Instructions

    def _instruction(self, op: InstructionOp) -> None:
        properties: Any = op.properties
        layout = properties.get(LAYOUT)
        operands: Any = fast.operands_of(op)
        results: Any = op.results
        names = self.names
        guard = properties.get(GUARD)
        key = (type(op), properties[MODIFIERS], layout, len(results), len(operands), guard)
        known = _templates.get(key)
        if known is None:
            known = (
                _opcode(op, properties[MODIFIERS]),
                _template(op, len(results)),
                _needs_byte_register(op),
            )
            _templates[key] = known
        if layout is not None:
            self._note_symbols(layout)
        opcode, template, through_byte = known
        registers = [names[id(v)] for v in results]
        if op.row.tied:
            self._tie(op, [(i, i) for i in range(len(results))])
            operands = operands[len(registers) :]
        registers += [names[id(v)] for v in operands]
        condition = ""
        if guard is not None:
            condition = f"@{'' if guard is GUARD_TRUE else '!'}{registers.pop()}"
        if through_byte:
            self._byte_conversion(opcode.data, registers, template, condition)
            return
        fields: dict[str, Attribute] = {
            "opcode": opcode,
            "operands": StringAttr(template % (*registers,)),
        }
        if condition:
            fields["guard"] = StringAttr(condition)
        fast.append(self.out, fast.create(ptx.InstOp, (), (), fields))

    def _tie(self, op: Operation, ties: Sequence[tuple[int, int]]) -> None:
        """Copies operands to the result registers, both by index."""
        operands = fast.operands_of(op)
        pairs: list[tuple[str, str]] = []
        for operand, number in ties:
            result = op.results[number]
            to, source = self.names[id(result)], self.names[id(operands[operand])]
            if to != source:
                pairs.append((to, source))
                self.classes[to] = register_class(result)
        self._at_once(pairs)

    def _note_symbols(self, layout: OperandsAttr) -> None:
        for slot in layout.data:
            if slot[0] == SYMBOL_KIND or slot[0] == SYMBOL_ADDRESS_KIND:
                self.symbols[slot_name(slot)] = None

    def _byte_conversion(
        self, opcode: str, registers: list[str], template: str, condition: str
    ) -> None:
        """A `cvt` that requires 8-bit registers, which are declared in this scope: from and to
        e2m1x2, between bf16 and integers of 8 bits, or with a scale for one value."""
        outer = self.out
        self.out = fast.new_block()
        words = opcode.split(".")
        target, source = words[-2:]
        operands = list(registers)
        if target in _BYTES or source in _BYTES:
            operands[int(source in _BYTES)] = "%byte"
            self._directive(".reg .b8 %byte;")
        if source in _BYTES:
            self._inst("cvt.u8.u16", f"%byte, {registers[1]}", condition)
        if _SCALE_OF_ONE in words:
            operands[-1] = "%scale"
            self._directive(".reg .b8 %scale;")
            self._inst("cvt.u8.u16", f"%scale, {registers[-1]}", condition)
        self._inst(opcode, template % tuple(operands), condition)
        if target in _BYTES:
            extension = "cvt.s16.s8" if target == "s8" else "cvt.u16.u8"
            self._inst(extension, f"{registers[0]}, %byte", condition)
        region = Region(self.out)
        self.out = outer
        fast.append(outer, fast.create(ptx.ScopeOp, regions=(region,)))

    def _mov_sreg(self, op: MovSregOp) -> None:
        result: Any = op.results[0]
        type_ = result.type
        mov = "mov.pred" if type_.width == 1 else f"mov.u{type_.width}"
        self._inst(mov, f"{self.names[id(result)]}, %{op.sreg}")

    def _nothing(self, op: Operation) -> None:
        """Ops that only define a value."""

    def _local(self, op: LocalOp) -> None:
        self._directive(f".local .align {op.align} .b8 {op.symbol}[{op.size}];")

    def _pragma(self, op: PragmaOp) -> None:
        self._directive(f'.pragma "{op.text}";')

    # Calls and inline assembly

    def _operand_texts(self, op: CallOp | InlineAsmOp) -> list[str]:
        values = [self.names[id(v)] for v in fast.operands_of(op)]
        texts: list[str] = []
        at = 0
        for slot in op.slots:
            size = slot_size(slot)
            texts.append(slot_text(slot) % tuple(values[at : at + size]))
            at += size
            if slot[0] == SYMBOL_KIND or slot[0] == SYMBOL_ADDRESS_KIND:
                self.symbols[slot_name(slot)] = None
        return texts

    def _call(self, op: CallOp) -> None:
        operands = self._operand_texts(op)
        callee = op.callee
        if callee is None:
            callee = operands.pop(0)
        else:
            self.symbols[callee] = None
        outer = self.out
        self.out = fast.new_block()
        params = op.params
        for number, param in enumerate(params):
            self._directive(f"{_bare(param).declaration(f'param{number}')};")
        at = 0
        for piece in op.stores:
            values = operands[at : at + piece.size]
            at += piece.size
            place = (
                f"[param{piece.param}+{piece.offset}]" if piece.offset else f"[param{piece.param}]"
            )
            self._inst(f"st.param.{piece.type_}", f"{place}, {_braced(values, piece.type_)}")
        ret = op.ret
        if ret is not None:
            self._directive(f"{_bare(ret).declaration('retval0')};")
        arguments = ", ".join(f"param{i}" for i in range(len(params)))
        target = f"{'(retval0), ' if ret is not None else ''}{callee}"
        if arguments or op.callee is None:
            target += f", ({arguments})"
        if op.callee is None:
            self.prototypes += 1
            name = f"prototype_{self.number}_{self.prototypes}"
            head = f"({_bare(ret).declaration('_')}) " if ret is not None else ""
            formal = ", ".join(_bare(p).declaration("_") for p in params)
            self._directive(f"{name} : .callprototype {head}_ ({formal});")
            target += f", {name}"
        self._inst("call.uni" if "uni" in op.properties else "call", target)
        results = [self.names[id(v)] for v in op.results]
        at = 0
        for piece in op.loads:
            values = results[at : at + piece.size]
            at += piece.size
            place = f"[retval0+{piece.offset}]" if piece.offset else "[retval0]"
            self._inst(f"ld.param.{piece.type_}", f"{_braced(values, piece.type_)}, {place}")
        region = Region(self.out)
        self.out = outer
        fast.append(outer, fast.create(ptx.ScopeOp, regions=(region,)))

    def _inline_asm(self, op: InlineAsmOp) -> None:
        self._tie(op, op.tied)
        values = [self.names[id(v)] for v in op.results] + self._operand_texts(op)
        text = expand_template(op.template, values)
        lines = ["\t// begin inline asm"]
        lines.extend(f"\t{line}" for line in text.split("\n"))
        lines.append("\t// end inline asm")
        fast.append(
            self.out, fast.create(ptx.TextOp, (), (), {"text": StringAttr("\n".join(lines))})
        )

    # Control flow


_SCALE_OF_ONE: Final = "scaled::n1::ue8m0"
_BYTES: Final = ("e2m1x2", "u8", "s8")


def _needs_byte_register(op: InstructionOp) -> bool:
    if op.mnemonic != "cvt":
        return False
    types = op.mods.split(".")[-2:]
    integers = "bf16" in types and ("u8" in types or "s8" in types)
    return "e2m1x2" in types or integers or _SCALE_OF_ONE in op.mods


def _bare(param: ParamAttr) -> ParamAttr:
    """The parameter without the properties of kernel parameters."""
    type_, count, align, name, _, _ = param.data
    return ParamAttr((type_, count, align, name, "", 0))


def _braced(values: Sequence[str], type_: str) -> str:
    return "{" + ", ".join(values) + "}" if type_.startswith("v") else values[0]


def expand_template(template: str, values: Sequence[str]) -> str:
    """Inline assembly with `$0`, `${1}` replaced by operands and `$$` by a dollar sign.

    Raises DiagnosticError for a nonexistent operand.
    """
    pieces: list[str] = []
    at = 0
    while True:
        dollar = template.find("$", at)
        if dollar < 0 or dollar + 1 >= len(template):
            pieces.append(template[at:])
            return "".join(pieces)
        pieces.append(template[at:dollar])
        at = dollar + 1
        if template[at] == "$":
            pieces.append("$")
            at += 1
            continue
        end = at
        if template[at] == "{":
            end = template.find("}", at)
            number = template[at + 1 : end].partition(":")[0]
            end += 1
        else:
            while end < len(template) and template[end].isdigit():
                end += 1
            number = template[at:end]
        if not number.isdigit() or int(number) >= len(values):
            raise DiagnosticError(f"inline assembly has no operand '${template[at:end]}'")
        pieces.append(values[int(number)])
        at = end
