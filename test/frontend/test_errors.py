"""Invalid input is rejected with the location and the reason."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ll_reader import ParseError, read_ll


def body(*lines: str) -> str:
    """Returns a function of some arguments with these instructions."""
    head = "define void @f(i32 %i, i64 %l, float %x, ptr %p, i1 %c, <2 x i32> %v, { i32, [2 x i8] } %s) {"
    return "\n".join([head, *(f"  {line}" for line in lines), "}"])


CASES: dict[str, tuple[str, int, int, str]] = {
    # Values
    "undefined value": (body("%y = add i32 %nope, 1", "ret void"), 2, 16, "use of undefined value '%nope'"),
    "wrong type of a value": (body("%y = add i32 %i, %l", "ret void"), 2, 20, "%l has type i64, expected i32"),
    "wrong type of a later value": (
        body("br label %b", "b:", "%y = add i32 %z, 1", "%z = add i64 %l, 1", "ret void"),
        5, 3, "%z has type i64, but was used as i32",
    ),
    "redefinition": (body("%y = add i32 %i, 1", "%y = add i32 %i, 2", "ret void"), 3, 3, "redefinition of %y"),
    "wrong number": (body("%0 = add i32 %i, 1", "%0 = add i32 %i, 1", "ret void"), 2, 3, "expected the next number to be %1, found %0"),
    "name for nothing": (body("%y = store i32 %i, ptr %p", "ret void"), 2, 3, "store has no result"),
    "unknown instruction": (body("%y = frobnicate i32 %i", "ret void"), 2, 8, "unknown instruction 'frobnicate'"),
    "integer for a float": (body("%y = fadd float %x, 1", "ret void"), 2, 23, "constant 1 is not of type float"),
    "float for an integer": (body("%y = add i32 %i, 1.0", "ret void"), 2, 20, "constant 1.0 is not of type i32"),
    "null for an integer": (body("store i32 null, ptr %p", "ret void"), 2, 13, "null must be a pointer, not i32"),
    "arithmetic on a pointer": (body("%y = add ptr %p, %p", "ret void"), 2, 12, "add needs integer operands, not ptr"),
    "integer arithmetic on floats": (body("%y = mul float %x, %x", "ret void"), 2, 12, "mul needs integer operands, not float"),
    "float arithmetic on integers": (body("%y = fmul i32 %i, %i", "ret void"), 2, 13, "fmul needs floating-point operands, not i32"),
    "comparison of structs": (body("%y = icmp eq { i32, [2 x i8] } %s, %s", "ret void"), 2, 16, "icmp needs integer or pointer operands, not { i32, [2 x i8] }"),
    "unknown predicate": (body("%y = icmp lt i32 %i, %i", "ret void"), 2, 13, "expected a predicate of icmp, found 'lt'"),
    "truncation upwards": (body("%y = trunc i32 %i to i64", "ret void"), 2, 14, "invalid trunc from i32 to i64"),
    "bitcast between sizes": (body("%y = bitcast i32 %i to i64", "ret void"), 2, 16, "invalid bitcast from i32 to i64"),
    "bitcast between spaces": (body("%y = bitcast ptr %p to ptr addrspace(1)", "ret void"), 2, 16, "invalid bitcast from ptr to ptr addrspace(1)"),
    "cast of space to itself": (body("%y = addrspacecast ptr %p to ptr", "ret void"), 2, 22, "invalid addrspacecast from ptr to ptr"),
    "select of two types": (body("%y = select i1 %c, i32 %i, i64 %l", "ret void"), 2, 15, "select between i32 and i64"),
    "select by a number": (body("%y = select i32 %i, i32 %i, i32 %i", "ret void"), 2, 15, "the condition of select must be i1, not i32"),
    "load of nothing": (body("%y = load void, ptr %p", "ret void"), 2, 13, "cannot load void"),
    "load from a number": (body("%y = load i32, i64 %l", "ret void"), 2, 18, "expected a pointer, found i64"),
    "odd alignment": (body("%y = load i32, ptr %p, align 3", "ret void"), 2, 32, "an alignment must be a power of two, at most 2^32"),
    "field that does not exist": (body("%y = extractvalue { i32, [2 x i8] } %s, 2", "ret void"), 2, 21, "indices do not fit { i32, [2 x i8] }"),
    "field of another type": (body("%y = insertvalue { i32, [2 x i8] } %s, i8 1, 0", "ret void"), 2, 42, "inserted value has type i8, expected i32"),
    "struct field by a value": (body("%y = getelementptr { i32 }, ptr %p, i32 0, i32 %i", "ret void"), 2, 50, "the index of a struct field must be a constant"),
    "index into a number": (body("%y = getelementptr i32, ptr %p, i32 0, i32 0", "ret void"), 2, 42, "cannot index into i32"),
    "element of no vector": (body("%y = extractelement i32 %i, i32 0", "ret void"), 2, 23, "expected a vector, found i32"),
    "mask out of range": (body("%y = shufflevector <2 x i32> %v, <2 x i32> %v, <1 x i32> <i32 4>", "ret void"), 2, 50, "the mask of shufflevector is out of range"),
    "atomic operation": (body("%y = atomicrmw frob ptr %p, i32 1 seq_cst", "ret void"), 2, 18, "expected an operation of atomicrmw, found 'frob'"),
    "atomic without ordering": (body("%y = atomicrmw add ptr %p, i32 1", "ret void"), 3, 3, "expected an atomic ordering, found 'ret'"),
    "atomic float operation": (body("%y = atomicrmw fadd ptr %p, i32 1 seq_cst", "ret void"), 2, 31, "atomicrmw fadd of i32"),
    # Control flow
    "undefined block": (body("br label %nope"), 2, 12, "use of undefined block '%nope'"),
    "no terminator": (body("%y = add i32 %i, 1"), 3, 1, "expected an instruction, found '}'"),
    "label behind no terminator": (body("%y = add i32 %i, 1", "b:", "ret void"), 3, 3, "expected a terminator before the next block"),
    "block defined twice": (body("br label %b", "b:", "br label %b", "b:", "ret void"), 5, 3, "redefinition of block '%b'"),
    "branch by a number": (body("br i32 %i, label %b, label %b", "b:", "ret void"), 2, 6, "the condition of br must be i1, not i32"),
    "branch to the entry": (body("br label %0"), 3, 1, "the entry block cannot be branched to"),
    "cases with one value": (body("switch i32 %i, label %b [ i32 1, label %b", "i32 1, label %b ]", "b:", "ret void"), 3, 3, "two cases with the same value"),
    "case of another type": (body("switch i32 %i, label %b [ i64 1, label %b ]", "b:", "ret void"), 2, 29, "a case of this switch has the type i32"),
    "return of another type": (body("ret i32 %i"), 2, 7, "the function returns void, not i32"),
    "late PHI": (body("br label %b", "b:", "%y = add i32 %i, 1", "%z = phi i32 [ 1, %0 ]", "ret void"), 5, 3, "PHI nodes must be at the start of a block"),
    "PHI in the entry": (body("%z = phi i32 [ 1, %0 ]", "ret void"), 2, 3, "a PHI node is not allowed in the entry block"),
    "PHI without an edge": (body("br i1 %c, label %b, label %d", "b:", "br label %d", "d:", "%z = phi i32 [ 1, %b ]", "ret void"), 6, 3, "PHI node has no entry for a block that branches here"),
    "PHI with an edge too many": (body("br label %b", "b:", "br label %d", "d:", "%z = phi i32 [ 1, %b ], [ 2, %0 ]", "ret void"), 6, 3, "PHI node has an entry for a block that does not branch here"),
    "PHI of another type": (body("br label %b", "b:", "%z = phi i32 [ %l, %0 ]", "ret void"), 4, 3, "%l has type i64, expected i32"),
    "callbr": (body('callbr void asm "", ""() to label %a []'), 2, 3, "callbr is not supported: assembly with jumps does not exist on NVIDIA GPUs"),
    "jump to what is not an address": (body("indirectbr i32 %i, []"), 2, 14, "indirectbr needs an address, not i32"),
    # Calls
    "undefined function": (body("call void @g()", "ret void"), 2, 13, "use of undefined value '@g'"),
    "too few arguments": (body("call void (i32) @g()", "ret void"), 2, 19, "too few arguments of the call"),
    "too many arguments": (body("call void () @g(i32 1)", "ret void"), 2, 16, "too many arguments of the call"),
    "argument of another type": (body("call void (i32) @g(i64 1)", "ret void"), 2, 19, "argument has type i64, expected i32"),
    "void argument": (body("call void @g(void)", "ret void"), 2, 16, "an argument cannot have the type void"),
    "address of an intrinsic": (body("store ptr @llvm.trap, ptr %p", "ret void", "}", "declare void @llvm.trap()", "define void @g() {", "ret void"), 2, 13, "the intrinsic '@llvm.trap' can only be called"),
    "immediate that is none": (body("%y = call i32 @llvm.ctlz.i32(i32 %i, i1 %c)", "ret void"), 2, 17, "argument 'is_zero_poison' of llvm.ctlz.i32 must be a constant"),
    "intrinsic with too many arguments": (body("call void @llvm.nvvm.bar.warp.sync(i32 1, i32 2)", "ret void"), 2, 13, "llvm.nvvm.bar.warp.sync takes 1 arguments, not 2"),
    # Types and constants
    "unknown type": ("@g = global i0 0", 1, 13, "expected a type, found 'i0'"),
    "undefined type": ("@g = global %t zeroinitializer", 1, 13, "use of undefined type named 't'"),
    "wide integer": ("@g = global i4097 0", 1, 13, "i4097 is not supported: integers have at most 4096 bits"),
    "recursive type": ("%t = type { i32, %t }\n@g = global %t zeroinitializer", 1, 18, "a type cannot contain itself"),
    "scalable vector": ("@g = global <vscale x 4 x i32> zeroinitializer", 1, 14, "scalable vectors are not supported: NVIDIA GPUs have none"),
    "vector of structs": ("@g = global <2 x { i32 }> zeroinitializer", 1, 18, "a vector cannot have elements of type { i32 }"),
    "foreign type": ("@g = global x86_mmx zeroinitializer", 1, 13, "the type x86_mmx does not exist on NVIDIA GPUs"),
    "short array": ("@g = global [2 x i32] [i32 1]", 1, 23, "1 elements for [2 x i32]"),
    "long array": ("@g = global [1 x i32] [i32 1, i32 2]", 1, 31, "too many elements for [1 x i32]"),
    "array of other elements": ("@g = global [1 x i32] [i64 1]", 1, 24, "element has type i64, expected i32"),
    "short string": ('@g = global [4 x i8] c"abc"', 1, 22, "string of 3 bytes is not of type [4 x i8]"),
    "short struct": ("@g = global { i32, i32 } { i32 1 }", 1, 34, "too few elements for { i32, i32 }"),
    "packed struct": ("@g = global { i32 } <{ i32 1 }>", 1, 21, "packed and unpacked struct do not match"),
    "unterminated string": ('@g = global [4 x i8] c"abc', 1, 22, "unterminated string"),
    "half of another format": ("@g = global half 0xR3C00", 1, 18, "constant 0xR3C00 is not of type half"),
    # The module
    "redefined function": ("declare void @f()\ndeclare void @f()", 2, 14, "redefinition of '@f'"),
    "redefined variable": ("@g = global i32 0\n@g = global i32 0", 2, 1, "redefinition of '@g'"),
    "undefined global": ("@g = global ptr @h", 1, 17, "use of undefined value '@h'"),
    "global in another space": ("@g = global ptr @h\n@h = addrspace(1) global i32 0", 1, 17, "'@h' is in address space 1, not in 0"),
    "no initializer": ("@g = global i32\n", 1, 13, "a variable without initializer must be external"),
    "alias of itself": ("@a = alias i32, ptr @b\n@b = alias i32, ptr @a", 1, 21, "'@a' is an alias of itself"),
    "address of a block": ("@g = global ptr blockaddress(@f, %a)", 1, 30, "use of undefined value '@f'"),
    "address of a block of a declaration": ("declare void @f()\n@g = global ptr blockaddress(@f, %a)", 2, 34, "'@f' is not defined here, and has no blocks"),
    "address of no block": ("@g = global ptr blockaddress(@f, %a)\ndefine void @f() {\ne:\n  br label %b\nb:\n  ret void\n}", 1, 34, "'@f' has no block '%a'"),
    "address of the entry block": ("@g = global ptr blockaddress(@f, %e)\ndefine void @f() {\ne:\n  ret void\n}", 1, 34, "the address of the entry block '%e' cannot be taken"),
    "ifunc": ("@g = ifunc void (), ptr @h", 1, 6, "ifunc is not supported: NVIDIA GPUs do not resolve symbols at run time"),
    "nonsense": ("hello world", 1, 1, "expected a definition, found 'hello'"),
    "comment without end": ("declare void @f()\n/* no end\n", 2, 1, "expected a definition, found '/* no end\\n'"),
    "undefined metadata": (body("ret void, !dbg !7"), 2, 18, "use of undefined metadata '!7'"),
    "foreign calling convention": ("declare cc 64 void @f()", 1, 9, "calling convention 64 does not exist on NVIDIA GPUs"),
    "cut off": (body("ret void")[:-1], 3, 1, "expected '}', found end of file"),
    "NUL": ("define void @f() {\n  \0ret void\n}", 2, 3, "unknown instruction '\\x00'"),
    "CRLF": ("define void @f() {\r\n  foo\r\n}\r\n", 2, 3, "unknown instruction 'foo'"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rejected(name: str):
    text, line, column, message = CASES[name]
    with pytest.raises(ParseError) as caught:
        read_ll(text, "k.ll")
    error = caught.value
    assert (error.message, error.line, error.column) == (message, line, column)
    assert error.file == "k.ll"


def test_shows_the_line_with_a_caret():
    with pytest.raises(ParseError) as caught:
        read_ll(body("%y = add i32 %i, %l", "ret void"), "k.ll")
    assert caught.value.render() == (
        "k.ll:2:20: error: %l has type i64, expected i32\n"
        "  %y = add i32 %i, %l\n"
        "                   ^"
    )


def test_locations_far_into_a_file_are_right():
    """Tokens are kept only in a window; the location is computed again from the text."""
    lines = [f'  %v{i} = add i32 %i, {i} ; a comment, "quoted" and not' for i in range(20_000)]
    text = body(*(line.strip() for line in lines), "%bad = add i32 %i, %nope", "ret void")
    with pytest.raises(ParseError) as caught:
        read_ll(text)
    assert caught.value.line == 20_002
    assert caught.value.column == 22


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'define ptx_kernel void @k() "nvvm.maxntid"="5000000000" {\n  ret void\n}',
            '"nvvm.maxntid" of 5000000000: at most 2147483647',
        ),
        (
            "declare i65 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
            "define void @f() {\n  %t = call i65 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}",
            "llvm.nvvm.read.ptx.sreg.tid.x does not return i65",
        ),
    ],
)
def test_messages_of_mutated_inputs(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        read_ll(text, "input")
