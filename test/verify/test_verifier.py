import pytest
from helpers.modules import function, op_named, parse_module
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, NameLoc, StringAttr

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.verify.verifier import VerifyError, errors_of, verify_function, verify_module

ARGUMENTS = (
    "%a: i32, %b: i64, %p: !llvm.ptr, %x: f32, %y: f64, %c: i1, %v: vector<4xi32>, "
    "%q: !llvm.ptr<1>, %s: !llvm.struct<(i32, f32)>, %r: !llvm.array<4 x i32>, %mask: vector<4xi1>, "
    "%pair: vector<2xi32>, %ps: vector<2x!llvm.ptr>, %xs: vector<4xf32>"
)

GOOD = f"""
llvm.mlir.global internal @g(dense<0> : tensor<4xi32>) {{addr_space = 3 : i32}} : !llvm.array<4 x i32>
llvm.func @callee(%a: i32, %b: f32) -> i64
llvm.func @f({ARGUMENTS}) -> i32 {{
  %sum = llvm.add %a, %a : i32
  %cmp = llvm.icmp "slt" %sum, %a : i32
  llvm.cond_br %cmp, ^then(%sum : i32), ^join(%a : i32)
^then(%t: i32):
  %g = llvm.mlir.addressof @g : !llvm.ptr<3>
  %h = llvm.getelementptr %g[0, %t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<4 x i32>
  %l = llvm.load %h : !llvm.ptr<3> -> i32
  llvm.br ^join(%l : i32)
^join(%j: i32):
  %k = llvm.call @callee(%j, %x) : (i32, f32) -> i64
  llvm.return %j : i32
}}
"""


def test_a_valid_module_passes():
    verify_module(parse_module(GOOD), links=True)


def bad_body(body: str, result: str = "") -> str:
    arrow = f" -> {result}" if result else ""
    return (
        "llvm.mlir.global internal @g(0 : i32) {addr_space = 3 : i32} : i32\n"
        "llvm.func @callee(i32, f32) -> i64\n"
        "llvm.func @nothing()\n"
        f"llvm.func @f({ARGUMENTS}){arrow} {{\n{body}\n}}\n"
    )


# Bodies of a function that returns nothing, each with its error.
BAD_BODIES = [
    # Dominance.
    ("%z = llvm.add %w, %a : i32\n%w = llvm.add %a, %a : i32\nllvm.return",
     "'%z = llvm.add': %w does not dominate this use"),
    ("llvm.cond_br %c, ^l, ^m\n^l:\n%w = llvm.add %a, %a : i32\nllvm.br ^m\n^m:\n"
     "%z = llvm.add %w, %a : i32\nllvm.return", "%w does not dominate this use"),
    ("llvm.br ^m\n^m:\n%z = llvm.add %w, %a : i32\nllvm.br ^l\n^l:\n%w = llvm.add %a, %a : i32\n"
     "llvm.br ^m", "%w does not dominate this use"),
    ("llvm.cond_br %c, ^l(%a : i32), ^m\n^l(%w: i32):\nllvm.br ^m\n^m:\n"
     "%z = llvm.add %w, %a : i32\nllvm.return", "%w does not dominate this use"),
    ('%z = "llvm.add"(%z, %a) : (i32, i32) -> i32\nllvm.return', "uses its own result"),
    ("llvm.return\n^dead:\n%w = llvm.add %a, %a : i32\nllvm.br ^l\n^l:\n"
     '%z = "llvm.add"(%w, %b) : (i32, i64) -> i32\nllvm.return', "operands must have the same type"),
    ("llvm.br ^l\n^l:\n%z = llvm.add %w, %a : i32\nllvm.return\n^dead:\n"
     "%w = llvm.add %a, %a : i32\nllvm.br ^l", "%w does not dominate this use"),
    ('%z = "test.op"() ({\n%w = llvm.add %z, %a : i32\n"test.termop"() : () -> ()\n}) : () -> i32\n'
     "llvm.return", "uses %z of another region"),
    ('"test.op"() ({\n%w = llvm.add %z, %a : i32\n"test.termop"() : () -> ()\n}) : () -> ()\n'
     "%z = llvm.add %a, %a : i32\nllvm.return", "uses %z of another region"),
    ('llvm.cond_br %c, ^l, ^m\n^l:\n%z = llvm.add %a, %a : i32\nllvm.return\n^m:\n'
     '"test.op"() ({\n%w = llvm.add %z, %a : i32\n"test.termop"() : () -> ()\n}) : () -> ()\n'
     "llvm.return", "uses %z of another region"),
    ("builtin.module {\n%w = llvm.add %a, %a : i32\n}\nllvm.return", "uses %a of another region"),
    # Blocks and terminators.
    ("%z = llvm.add %a, %a : i32", r"block \^bb0 does not end in a terminator"),
    ("llvm.br ^l\n^l:\n%z = llvm.add %a, %a : i32\n", r"block \^l does not end in a terminator"),
    ("llvm.return\nllvm.return", "must be the last op of its block"),
    ("llvm.return\n^dead:\nllvm.unreachable\n%z = llvm.add %a, %a : i32\nllvm.return",
     "'llvm.unreachable': must be the last op of its block"),
    ('"llvm.br"()[^l] : () -> ()\n%z = llvm.add %a, %a : i32\nllvm.return\n^l:\nllvm.return',
     "'llvm.br': must be the last op of its block"),
    # Branches.
    ('"llvm.br"()[^l] : () -> ()\n^l(%w: i32):\nllvm.return',
     "successor #0 takes 1 values, is given 0"),
    ('"llvm.br"(%a, %a)[^l] : (i32, i32) -> ()\n^l(%w: i32):\nllvm.return',
     "successor #0 takes 1 values, is given 2"),
    ('"llvm.br"(%b)[^l] : (i64) -> ()\n^l(%w: i32):\nllvm.return',
     "value #0 for successor #0 must be i32, is i64"),
    ('"llvm.br"()[^l, ^l] : () -> ()\n^l:\nllvm.return', "expects 1 successor, has 2"),
    ('"llvm.cond_br"(%c, %a)[^l, ^m] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()\n'
     "^l(%w: i32):\nllvm.return\n^m(%u: i32):\nllvm.return",
     "successor #1 takes 1 values, is given 0"),
    ('"llvm.cond_br"(%c, %x)[^l, ^m] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, f32) -> ()\n'
     "^l:\nllvm.return\n^m(%u: i32):\nllvm.return", "value #0 for successor #1 must be i32, is f32"),
    ('"llvm.cond_br"(%a)[^l, ^l] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n'
     "^l:\nllvm.return", "the condition must be i1, is i32"),
    ('"llvm.cond_br"(%c)[^l, ^l] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1) -> ()\n'
     "^l:\nllvm.return", r"segment sizes \[1, 1, 0\] do not fit 1 operands"),
    ('"llvm.cond_br"(%c)[^l] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n'
     "^l:\nllvm.return", "expects 2 successors, has 1"),
    ('"llvm.switch"(%x)[^l] <{case_operand_segments = array<i32>, '
     "operandSegmentSizes = array<i32: 1, 0, 0>}> : (f32) -> ()\n^l:\nllvm.return",
     "the value must be an integer, is f32"),
    ('"llvm.switch"(%a)[^l, ^l] <{case_values = dense<[1, 2]> : vector<2xi32>, '
     "case_operand_segments = array<i32: 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> "
     ": (i32) -> ()\n^l:\nllvm.return", "has 2 case values for 1 cases"),
    ('"llvm.switch"(%a)[^l, ^l] <{case_values = dense<1> : vector<1xi64>, '
     "case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> "
     ": (i32) -> ()\n^l:\nllvm.return", "case values of type i64 do not fit a value of type i32"),
    ('"llvm.switch"(%a)[^l, ^l, ^l] <{case_values = dense<[7, 7]> : vector<2xi32>, '
     "case_operand_segments = array<i32: 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> "
     ": (i32) -> ()\n^l:\nllvm.return", "has two cases for 7"),
    ('"llvm.switch"(%a, %a)[^l, ^m] <{case_values = dense<1> : vector<1xi32>, '
     "case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 1>}> "
     ": (i32, i32) -> ()\n^l:\nllvm.return\n^m(%w: i32):\nllvm.return",
     r"case segment sizes \[0\] do not fit 1 operands"),
    ('"llvm.switch"(%a, %x)[^l, ^m] <{case_values = dense<1> : vector<1xi32>, '
     "case_operand_segments = array<i32: 1>, operandSegmentSizes = array<i32: 1, 0, 1>}> "
     ": (i32, f32) -> ()\n^l:\nllvm.return\n^m(%w: i32):\nllvm.return",
     "value #0 for successor #1 must be i32, is f32"),
    # Returns.
    ("llvm.return %a : i32", "expects no operand, since the function returns nothing"),
    # Integer ops.
    ('%z = "llvm.add"(%a, %b) : (i32, i64) -> i32\nllvm.return',
     "operands must have the same type, have i32 and i64"),
    ('%z = "llvm.add"(%a, %a) : (i32, i32) -> i64\nllvm.return',
     "the result must have the operands' type i32, has i64"),
    ('%z = "llvm.add"(%x, %x) : (f32, f32) -> f32\nllvm.return',
     "operand #0 must be an integer or a vector of integers, is f32"),
    ('%z = "llvm.xor"(%v, %a) : (vector<4xi32>, i32) -> vector<4xi32>\nllvm.return',
     r"have vector<4xi32> and i32"),
    ('%z = "llvm.shl"(%a, %b) : (i32, i64) -> i32\nllvm.return', "have i32 and i64"),
    ('%z = "llvm.udiv"(%a) : (i32) -> i32\nllvm.return', "expects 2 operands, has 1"),
    ('%z = "llvm.icmp"(%a, %b) <{predicate = 0 : i64}> : (i32, i64) -> i1\nllvm.return',
     "operands must have the same type, have i32 and i64"),
    ('%z = "llvm.icmp"(%x, %x) <{predicate = 0 : i64}> : (f32, f32) -> i1\nllvm.return',
     "operands must be integers or pointers, are f32"),
    ('%z = "llvm.icmp"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1\nllvm.return',
     "10 is not a predicate"),
    ('%z = "llvm.icmp"(%a, %a) <{predicate = 0 : i64}> : (i32, i32) -> i8\nllvm.return',
     "the result must be i1, is i8"),
    ('%z = "llvm.icmp"(%v, %v) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1\n'
     "llvm.return", "the result must be a vector of 4 i1, is i1"),
    ('%z = "llvm.icmp"(%p, %q) <{predicate = 0 : i64}> : (!llvm.ptr, !llvm.ptr<1>) -> i1\n'
     "llvm.return", "operands must have the same type"),
    # Float ops.
    ('%z = "llvm.fadd"(%x, %y) : (f32, f64) -> f32\nllvm.return',
     "operands must have the same type, have f32 and f64"),
    ('%z = "llvm.fadd"(%a, %a) : (i32, i32) -> i32\nllvm.return',
     "operand #0 must be a float or a vector of floats, is i32"),
    ('%z = "llvm.fneg"(%x) : (f32) -> f64\nllvm.return',
     "operand #0 must have the result's type f64, has f32"),
    ('%z = "llvm.fcmp"(%a, %a) <{predicate = 1 : i64}> : (i32, i32) -> i1\nllvm.return',
     "operands must be floats, are i32"),
    ('%z = "llvm.fcmp"(%x, %x) <{predicate = 16 : i64}> : (f32, f32) -> i1\nllvm.return',
     "16 is not a predicate"),
    ('%z = "llvm.intr.fma"(%x, %x, %y) : (f32, f32, f64) -> f32\nllvm.return',
     "operand #2 must have the result's type f32, has f64"),
    ('%z = "llvm.intr.sqrt"(%a) : (i32) -> i32\nllvm.return',
     "the result must be a float or a vector of floats, is i32"),
    ('%z = "llvm.intr.maxnum"(%x) : (f32) -> f32\nllvm.return', "expects 2 operands, has 1"),
    ('%z = "llvm.intr.smax"(%a, %b) : (i32, i64) -> i32\nllvm.return',
     "operand #1 must have the result's type i32, has i64"),
    ('%z = "llvm.intr.ctpop"(%a) : (i32) -> i64\nllvm.return',
     "operand #0 must have the result's type i64, has i32"),
    ('%z = "llvm.intr.fshl"(%a, %a, %b) : (i32, i32, i64) -> i32\nllvm.return',
     "operand #2 must have the result's type i32, has i64"),
    # Select and freeze.
    ('%z = "llvm.select"(%c, %a, %b) : (i1, i32, i64) -> i32\nllvm.return',
     "the values to choose from must have the same type, have i32 and i64"),
    ('%z = "llvm.select"(%a, %a, %a) : (i32, i32, i32) -> i32\nllvm.return',
     "the condition must be i1 or a vector of i1, is i32"),
    ('%z = "llvm.select"(%c, %a, %a) : (i1, i32, i32) -> i64\nllvm.return',
     "the result must have the values' type i32, has i64"),
    ('%m = llvm.mlir.undef : vector<2xi1>\n'
     '%z = "llvm.select"(%m, %v, %v) : (vector<2xi1>, vector<4xi32>, vector<4xi32>) -> '
     "vector<4xi32>\nllvm.return", r"the condition vector<2xi1> does not fit"),
    ('%z = "llvm.freeze"(%a) : (i32) -> i64\nllvm.return', "operand #0 must have the result's type"),
    # Casts.
    ('%z = "llvm.trunc"(%a) : (i32) -> i64\nllvm.return', "must be narrower than the operand"),
    ('%z = "llvm.trunc"(%a) : (i32) -> i32\nllvm.return', "must be narrower than the operand"),
    ('%z = "llvm.zext"(%b) : (i64) -> i32\nllvm.return', "must be wider than the operand"),
    ('%z = "llvm.sext"(%x) : (f32) -> i64\nllvm.return', "the operand must be an integer"),
    ('%z = "llvm.fpext"(%y) : (f64) -> f32\nllvm.return', "must be wider than the operand"),
    ('%z = "llvm.fptrunc"(%x) : (f32) -> i16\nllvm.return', "the result must be a float"),
    ('%z = "llvm.fptosi"(%a) : (i32) -> i32\nllvm.return', "the operand must be a float"),
    ('%z = "llvm.sitofp"(%v) : (vector<4xi32>) -> f32\nllvm.return',
     "the numbers of elements differ"),
    ('%z = "llvm.ptrtoint"(%a) : (i32) -> i64\nllvm.return', "the operand must be a pointer"),
    ('%z = "llvm.inttoptr"(%a) : (i32) -> i64\nllvm.return', "the result must be a pointer"),
    ('%z = "llvm.bitcast"(%a) : (i32) -> i64\nllvm.return', "the sizes differ: i32 to i64"),
    ('%z = "llvm.bitcast"(%b) : (i64) -> !llvm.ptr\nllvm.return',
     "can only cast pointers from and to pointers"),
    ('%z = "llvm.bitcast"(%p) : (!llvm.ptr) -> !llvm.ptr<1>\nllvm.return',
     "cannot change the address space"),
    ('%z = "llvm.bitcast"(%s) : (!llvm.struct<(i32, f32)>) -> i64\nllvm.return',
     "cannot cast between aggregates"),
    ('%z = "llvm.addrspacecast"(%q) : (!llvm.ptr<1>) -> !llvm.ptr<1>\nllvm.return',
     "must cast between different address spaces"),
    ('%z = "llvm.addrspacecast"(%b) : (i64) -> !llvm.ptr<1>\nllvm.return',
     "the operand must be a pointer"),
    # Memory.
    ('%z = "llvm.load"(%b) : (i64) -> i32\nllvm.return', "the address must be a pointer, is i64"),
    ('%z = "llvm.load"(%p) <{alignment = 3 : i64}> : (!llvm.ptr) -> i32\nllvm.return',
     "the alignment must be a power of two, is 3"),
    ('%z = "llvm.load"(%p) <{ordering = 5 : i64}> : (!llvm.ptr) -> i32\nllvm.return',
     "a load cannot have the ordering release"),
    ('%z = "llvm.load"(%p) <{ordering = 2 : i64}> : (!llvm.ptr) -> i1\nllvm.return',
     "an atomic access needs a width"),
    ('"llvm.store"(%a, %b) : (i32, i64) -> ()\nllvm.return', "the address must be a pointer, is i64"),
    ('"llvm.store"(%a, %p) <{ordering = 4 : i64}> : (i32, !llvm.ptr) -> ()\nllvm.return',
     "a store cannot have the ordering acquire"),
    ('%z = "llvm.alloca"(%x) <{elem_type = i32}> : (f32) -> !llvm.ptr\nllvm.return',
     "the number of elements must be an integer, is f32"),
    ('%z = "llvm.alloca"(%a) <{elem_type = !llvm.void}> : (i32) -> !llvm.ptr\nllvm.return',
     "cannot allocate a value of type !llvm.void"),
    ('%z = "llvm.alloca"(%a) <{elem_type = i32}> : (i32) -> i64\nllvm.return',
     "the result must be a pointer, is i64"),
    ('%z = "llvm.getelementptr"(%b) <{elem_type = i32, rawConstantIndices = array<i32: 1>}> : '
     "(i64) -> !llvm.ptr\nllvm.return", "the base must be a pointer, is i64"),
    ('%z = "llvm.getelementptr"(%p) <{elem_type = i32, rawConstantIndices = array<i32: 1>}> : '
     "(!llvm.ptr) -> !llvm.ptr<1>\nllvm.return", "the address space must stay the same"),
    ('%z = "llvm.getelementptr"(%p) <{elem_type = i32, rawConstantIndices = '
     "array<i32: -2147483648>}> : (!llvm.ptr) -> !llvm.ptr\nllvm.return",
     "expects 1 dynamic indices, has 0"),
    ('%z = "llvm.getelementptr"(%p, %x) <{elem_type = i32, rawConstantIndices = '
     "array<i32: -2147483648>}> : (!llvm.ptr, f32) -> !llvm.ptr\nllvm.return",
     "an index must be an integer, is f32"),
    ('%z = "llvm.getelementptr"(%p) <{elem_type = !llvm.struct<(i32, f32)>, rawConstantIndices = '
     "array<i32: 0, 2>}> : (!llvm.ptr) -> !llvm.ptr\nllvm.return", "index 2 is out of bounds"),
    ('%z = "llvm.getelementptr"(%p, %a) <{elem_type = !llvm.struct<(i32, f32)>, rawConstantIndices '
     "= array<i32: 0, -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr\nllvm.return",
     "must be a constant"),
    ('%z = "llvm.getelementptr"(%p) <{elem_type = i32, rawConstantIndices = array<i32: 0, 0>}> : '
     "(!llvm.ptr) -> !llvm.ptr\nllvm.return", "cannot index into i32"),
    ('%z = "llvm.atomicrmw"(%p, %a) <{bin_op = 1 : i64, ordering = 2 : i64}> : (!llvm.ptr, i32) -> '
     "i64\nllvm.return", "the result must have the value's type i32, has i64"),
    ('%z = "llvm.atomicrmw"(%p, %a) <{bin_op = 11 : i64, ordering = 2 : i64}> : (!llvm.ptr, i32) '
     "-> i32\nllvm.return", "the operation needs a float, has i32"),
    ('%z = "llvm.atomicrmw"(%p, %x) <{bin_op = 1 : i64, ordering = 2 : i64}> : (!llvm.ptr, f32) '
     "-> f32\nllvm.return", "the operation needs an integer, has f32"),
    ('%z = "llvm.atomicrmw"(%p, %a) <{bin_op = 1 : i64, ordering = 0 : i64}> : (!llvm.ptr, i32) '
     "-> i32\nllvm.return", "expects at least monotonic ordering"),
    ('%z = "llvm.cmpxchg"(%p, %a, %b) <{success_ordering = 2 : i64, failure_ordering = 2 : i64}> : '
     "(!llvm.ptr, i32, i64) -> !llvm.struct<(i32, i1)>\nllvm.return",
     "both values must have the same type"),
    ('%z = "llvm.cmpxchg"(%p, %a, %a) <{success_ordering = 2 : i64, failure_ordering = 2 : i64}> : '
     "(!llvm.ptr, i32, i32) -> i32\nllvm.return", "the result must be a struct of i32 and i1"),
    ('%z = "llvm.cmpxchg"(%p, %a, %a) <{success_ordering = 6 : i64, failure_ordering = 5 : i64}> : '
     "(!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i1)>\nllvm.return",
     "the failure ordering cannot be release"),
    ('"llvm.fence"() <{ordering = 2 : i64}> : () -> ()\nllvm.return',
     "can be given only acquire, release, acq_rel, and seq_cst orderings"),
    ('%z = "llvm.intr.masked.load"(%p, %mask, %v) <{alignment = 4 : i32}> '
     ": (!llvm.ptr, vector<4xi1>, vector<4xi32>) -> vector<2xi32>\nllvm.return",
     "operand #2 must have the result's type vector<2xi32>, has vector<4xi32>"),
    ('%z = "llvm.intr.masked.load"(%p, %mask) <{alignment = 4 : i32}> '
     ": (!llvm.ptr, vector<4xi1>) -> vector<2xi32>\nllvm.return",
     "operand #1 of type vector<4xi1> does not fit vector<2xi32>"),
    ('"llvm.intr.masked.store"(%pair, %p, %mask) <{alignment = 4 : i32}> '
     ": (vector<2xi32>, !llvm.ptr, vector<4xi1>) -> ()\nllvm.return",
     "operand #2 of type vector<4xi1> does not fit vector<2xi32>"),
    ('%z = "llvm.intr.masked.gather"(%ps, %mask) <{alignment = 4 : i32}> '
     ": (vector<2x!llvm.ptr>, vector<4xi1>) -> vector<4xi32>\nllvm.return",
     "operand #0 of type vector<2x!llvm.ptr> does not fit vector<4xi32>"),
    ('"llvm.intr.masked.scatter"(%v, %ps, %mask) <{alignment = 4 : i32}> '
     ": (vector<4xi32>, vector<2x!llvm.ptr>, vector<4xi1>) -> ()\nllvm.return",
     "operand #1 of type vector<2x!llvm.ptr> does not fit vector<4xi32>"),
    ('%z = "llvm.intr.masked.expandload"(%p, %mask, %pair) '
     ": (!llvm.ptr, vector<4xi1>, vector<2xi32>) -> vector<4xi32>\nllvm.return",
     "operand #2 must have the result's type vector<4xi32>, has vector<2xi32>"),
    ('"llvm.intr.masked.compressstore"(%pair, %p, %mask) '
     ": (vector<2xi32>, !llvm.ptr, vector<4xi1>) -> ()\nllvm.return",
     "operand #2 of type vector<4xi1> does not fit vector<2xi32>"),
    ('%z = "llvm.intr.lrint"(%x) : (f32) -> vector<2xi32>\nllvm.return',
     "cannot cast f32 to vector<2xi32>: the numbers of elements differ"),
    ('%z = "llvm.intr.expect"(%a, %a) : (i32, i32) -> i64\nllvm.return',
     "operand #0 must have the result's type i64, has i32"),
    ('%z = llvm.intr.expect.with.probability %a, %a, 1.5 : i32\nllvm.return',
     "the probability must be from 0 to 1, is 1.5"),
    ('%z = llvm.intr.expect.with.probability %a, %a, 9.0e9999 : i32\nllvm.return',
     "the probability must be from 0 to 1, is inf"),
    ('%z = "llvm.intr.expect.with.probability"(%a, %b) <{prob = 0.5 : f64}> : (i32, i64) -> i32\nllvm.return',
     "operand #1 must have the result's type i32, has i64"),
    ('%z = "llvm.intr.atan2"(%x, %y) : (f32, f64) -> f32\nllvm.return',
     "operand #1 must have the result's type f32, has f64"),
    ('%z = "llvm.intr.bswap"(%c) : (i1) -> i1\nllvm.return',
     "the width must be a multiple of 16 bits: i1"),
    ('%z = "llvm.intr.is.fpclass"(%x) <{bit = 3 : i32}> : (f32) -> vector<2xi1>\nllvm.return',
     "the result must be i1, is vector<2xi1>"),
    ('%z = "llvm.intr.ldexp"(%x, %a) : (f32, i32) -> f64\nllvm.return',
     "operand #0 must have the result's type f64, has f32"),
    ('%z = "llvm.intr.powi"(%x, %v) : (f32, vector<4xi32>) -> f32\nllvm.return',
     "operand #1 of type vector<4xi32> does not fit f32"),
    ('%z = "llvm.intr.frexp"(%x) : (f32) -> !llvm.struct<(f32, f32)>\nllvm.return',
     "does not fit an operand of type f32"),
    ('%z = "llvm.intr.sincos"(%x) : (f32) -> !llvm.struct<(f32, f64, f32)>\nllvm.return',
     "does not fit an operand of type f32"),
    ('%z = "llvm.intr.scmp"(%a, %b) : (i32, i64) -> i8\nllvm.return',
     "operands must have the same type, have i32 and i64"),
    ('%z = "llvm.intr.ucmp"(%a, %a) : (i32, i32) -> i1\nllvm.return',
     "a result of type i1 does not fit operands of type i32"),
    ('%z = "llvm.intr.uadd.with.overflow"(%a, %a) : (i32, i32) -> !llvm.struct<(i32, i8)>\nllvm.return',
     "the result must be a struct of i32 and i1"),
    ('%z = "llvm.intr.vector.reduce.add"(%v) : (vector<4xi32>) -> i64\nllvm.return',
     "the result must have the type of the elements, i32, has i64"),
    ('%z = "llvm.intr.vector.reduce.fadd"(%y, %xs) : (f64, vector<4xf32>) -> f32\nllvm.return',
     "operand #0 must have the type of the elements, f32, has f64"),
    ('%z = "llvm.intr.vector.extract"(%v) <{pos = 0 : i64}> : (vector<4xi32>) -> vector<2xi64>\nllvm.return',
     "the elements must have one type: vector<4xi32> and vector<2xi64>"),
    ('%z = "llvm.intr.vector.extract"(%v) <{pos = 3 : i64}> : (vector<4xi32>) -> vector<2xi32>\nllvm.return',
     "vector<2xi32> is not at position 3 of vector<4xi32>"),
    ('%z = "llvm.intr.vector.insert"(%v, %pair) <{pos = 4 : i64}> : (vector<4xi32>, vector<2xi32>) -> vector<4xi32>\nllvm.return',
     "vector<2xi32> is not at position 4 of vector<4xi32>"),
    ('%z = "llvm.intr.vector.interleave2"(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>\nllvm.return',
     "the result must be a vector of 8 i32, is vector<4xi32>"),
    ('%z = "llvm.intr.vector.deinterleave2"(%v) : (vector<4xi32>) -> !llvm.struct<(vector<2xi32>, vector<4xi32>)>\nllvm.return',
     "the result must be a struct of two halves of vector<4xi32>"),
    ('"llvm.intr.memcpy"(%p, %a, %b) <{isVolatile = false}> : (!llvm.ptr, i32, i64) -> ()\n'
     "llvm.return", "expects pointers, has i32"),
    ('"llvm.intr.memset"(%p, %a, %b) <{isVolatile = false}> : (!llvm.ptr, i32, i64) -> ()\n'
     "llvm.return", "the value must be i8, is i32"),
    # Aggregates and vectors.
    ('%z = "llvm.extractvalue"(%s) <{position = array<i64: 2>}> : (!llvm.struct<(i32, f32)>) -> i32\n'
     "llvm.return", "index 2 is out of bounds"),
    ('%z = "llvm.extractvalue"(%s) <{position = array<i64: 1>}> : (!llvm.struct<(i32, f32)>) -> i32\n'
     "llvm.return", "the result must be f32, is i32"),
    ('%z = "llvm.extractvalue"(%a) <{position = array<i64: 0>}> : (i32) -> i32\nllvm.return',
     "expects an aggregate, has i32"),
    ('%z = "llvm.insertvalue"(%s, %a) <{position = array<i64: 1>}> : '
     "(!llvm.struct<(i32, f32)>, i32) -> !llvm.struct<(i32, f32)>\nllvm.return",
     "the inserted value must be f32, is i32"),
    ('%z = "llvm.insertvalue"(%r, %a) <{position = array<i64: 4>}> : '
     "(!llvm.array<4 x i32>, i32) -> !llvm.array<4 x i32>\nllvm.return",
     "index 4 is out of bounds"),
    ('%z = "llvm.extractelement"(%v, %a) : (vector<4xi32>, i32) -> f32\nllvm.return',
     "the result must be i32, is f32"),
    ('%z = "llvm.insertelement"(%v, %x, %a) : (vector<4xi32>, f32, i32) -> vector<4xi32>\n'
     "llvm.return", "the inserted value must be i32, is f32"),
    ('%z = "llvm.shufflevector"(%v, %v) <{mask = array<i32: 0, 8>}> : '
     "(vector<4xi32>, vector<4xi32>) -> vector<2xi32>\nllvm.return",
     "mask index 8 is out of bounds"),
    ('%z = "llvm.shufflevector"(%v, %v) <{mask = array<i32: 0, 1>}> : '
     "(vector<4xi32>, vector<4xi32>) -> vector<4xi32>\nllvm.return",
     "the result must have 2 elements"),
    # Symbols and calls.
    ("%z = llvm.call @missing(%a) : (i32) -> i32\nllvm.return",
     "calls @missing, which does not exist"),
    ("%z = llvm.call @g(%a) : (i32) -> i32\nllvm.return", "calls @g, which is not a function"),
    ("%z = llvm.call @callee(%a) : (i32) -> i64\nllvm.return",
     "passes 1 arguments to a function of 2"),
    ("%z = llvm.call @callee(%a, %y) : (i32, f64) -> i64\nllvm.return",
     "argument #1 must be f32, is f64"),
    ("%z = llvm.call @callee(%a, %x) : (i32, f32) -> i32\nllvm.return",
     "the result must be i64, is i32"),
    ("llvm.call @callee(%a, %x) : (i32, f32) -> ()\nllvm.return",
     "must have a result of type i64"),
    ("%z = llvm.call @nothing() : () -> i32\nllvm.return",
     "takes a result from a function that returns none"),
    ("%z = llvm.mlir.addressof @missing : !llvm.ptr\nllvm.return",
     "refers to @missing, which does not exist"),
    ("%z = llvm.mlir.addressof @g : !llvm.ptr\nllvm.return",
     "must be a pointer into address space 3, where @g is"),
    ('%z = "llvm.call_intrinsic"(%a) <{intrin = "nvvm.foo", op_bundle_sizes = array<i32>, '
     "operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32\nllvm.return",
     "an intrinsic's name must start with 'llvm.'"),
    # Constants.
    ('%z = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i64\nllvm.return',
     "the value is i32, the result i64"),
    ('%z = "llvm.mlir.constant"() <{value = 1.0 : f32}> : () -> i32\nllvm.return',
     "a float cannot be a constant of type i32"),
    ('%z = "llvm.mlir.constant"() <{value = 1.0 : f32}> : () -> f64\nllvm.return',
     "the value is f32, the result f64"),
    ('%z = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> !llvm.ptr\nllvm.return',
     "an integer cannot be a constant of type !llvm.ptr"),
    # Convergence: barriers.
    ('%n = llvm.mlir.constant(16 : i32) : i32\n"nvvm.barrier"(%n) '
     "<{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\nllvm.return",
     "a barrier's number must be between 0 and 15, is 16"),
    ('%n = llvm.mlir.constant(1 : i32) : i32\n%t = llvm.mlir.constant(48 : i32) : i32\n'
     '"nvvm.barrier"(%n, %t) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()\n'
     "llvm.return", "a barrier's thread count must be a multiple of 32, is 48"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), BAD_BODIES)
def test_errors_in_bodies_are_found(body: str, message: str):
    with pytest.raises(VerifyError, match=message) as error:
        verify_module(parse_module(bad_body(body)))
    assert str(error.value).startswith("error: in @f: ") or ": error: in @f: " in str(error.value)


BAD_MODULES = [
    ("llvm.func @f() -> i32 {\nllvm.return\n}", "in @f: 'llvm.return': must return a value of type i32"),
    ("llvm.func @f(%x: f32) -> i32 {\nllvm.return %x : f32\n}", "must return i32, returns f32"),
    ("llvm.func @f() {\nllvm.return\n}\nllvm.func @f()", "redefinition of symbol @f"),
    ("llvm.func @f() {\nllvm.br ^a\n^a:\nllvm.br ^a\n}\nllvm.mlir.global internal @f(0 : i32) : i32",
     "redefinition of symbol @f"),
    ('"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (i32)>, CConv = '
     '#llvm.cconv<ccc>, linkage = #llvm.linkage<"external">}> ({\nllvm.return\n}) : () -> ()',
     "the entry block must have 1 arguments, has 0"),
    ('"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (i32)>, CConv = '
     '#llvm.cconv<ccc>, linkage = #llvm.linkage<"external">}> ({\n^b(%a: i64):\nllvm.return\n}) : '
     "() -> ()", "argument #0 of the entry block must be i32, is i64"),
    ('"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void ()>, CConv = '
     '#llvm.cconv<ccc>, linkage = #llvm.linkage<"external">}> ({\n^b:\n"llvm.br"()[^b] : () -> ()\n'
     "}) : () -> ()", "the entry block must not have predecessors"),
    ('"llvm.func"() <{sym_name = "f", function_type = !llvm.func<void (i32)>, CConv = '
     '#llvm.cconv<ccc>, linkage = #llvm.linkage<"external">, arg_attrs = [{}, {}]}> ({\n'
     "^b(%a: i32):\nllvm.return\n}) : () -> ()", "has 2 sets of attributes for 1 arguments"),
    ("llvm.func @f() -> i32 attributes {nvvm.kernel} {\n%z = llvm.mlir.constant(0 : i32) : i32\n"
     "llvm.return %z : i32\n}", "a kernel must return nothing, not i32"),
    ("llvm.func @f(%p: !llvm.ptr {llvm.byval = !llvm.func<void ()>}) {\nllvm.return\n}",
     "argument #0 passes !llvm.func<void \\(\\)> by value, which has no size"),
    ("llvm.func @f(%a: !llvm.struct<(void, i32)>) {\nllvm.return\n}",
     "argument #0 of type !llvm.struct<\\(void, i32\\)> has no size"),
    ("llvm.func @f(i32, !llvm.func<void (i32)>)",
     "argument #1 of type !llvm.func<void \\(i32\\)> has no size"),
    ("llvm.mlir.global internal @g() : i32 {\n%z = llvm.mlir.constant(0.0 : f32) : f32\n"
     "llvm.return %z : f32\n}", "in @g: 'llvm.return': must return i32, returns f32"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD_MODULES)
def test_errors_in_modules_are_found(text: str, message: str):
    with pytest.raises(VerifyError, match=message):
        verify_module(parse_module(text))


def test_number_of_invalid_modules():
    assert len(BAD_BODIES) + len(BAD_MODULES) >= 100


def test_all_errors_are_found():
    body = '%z = "llvm.trunc"(%a) : (i32) -> i64\n%w = "llvm.zext"(%b) : (i64) -> i32\nllvm.return'
    errors = list(errors_of(parse_module(bad_body(body))))
    assert [e.op.name for e in errors] == ["llvm.trunc", "llvm.zext"]


def test_an_error_has_its_location():
    module = parse_module(bad_body('%z = "llvm.trunc"(%a) : (i32) -> i64\nllvm.return'))
    op = op_named(module, "llvm.trunc")
    place = FileLineColLoc(StringAttr("a.cu"), IntAttr(7), IntAttr(3))
    op.location = NameLoc(StringAttr("z"), place)
    with pytest.raises(DiagnosticError) as error:
        verify_module(module)
    assert error.value.render().startswith("a.cu:7:3: error: in @f: '%z = llvm.trunc': the result")


def test_one_function_can_be_verified():
    module = parse_module(GOOD)
    verify_function(function(module))
    op_named(module, "llvm.call").properties.pop("callee")
    with pytest.raises(VerifyError, match="an indirect call needs a pointer"):
        verify_function(function(module))


def test_erased_definitions_are_found():
    module = parse_module(GOOD)
    add = op_named(module, "llvm.add")
    fast.detach(add)
    with pytest.raises(VerifyError, match="uses %sum, which was erased"):
        verify_module(module)


def test_values_of_another_function_are_found():
    module = parse_module(GOOD + "llvm.func @h(%z: i32) {\nllvm.return\n}")
    foreign = function(module, "h").regions[0].blocks[0].args[0]
    fast.set_operand(op_named(module, "llvm.add"), 0, foreign)
    with pytest.raises(VerifyError, match="uses %z of another region"):
        verify_module(module)


def test_branches_into_another_function_are_found():
    module = parse_module(GOOD + "llvm.func @h() {\nllvm.br ^x\n^x:\nllvm.return\n}")
    target = function(module, "h").regions[0].blocks[1]
    fast.set_successors(op_named(module, "llvm.br"), [target])
    with pytest.raises(VerifyError, match="branches to a block of another region"):
        verify_module(module)


def test_an_empty_block_is_found():
    module = parse_module(GOOD)
    region = function(module).regions[0]
    fast.append_block(region, fast.new_block())
    with pytest.raises(VerifyError, match=r"block \^bb3 is empty"):
        verify_module(module)


def test_wrong_use_lists_are_found():
    module = parse_module(GOOD)
    add = op_named(module, "llvm.add")
    add.operands[0].first_use._next_use = None
    verify_module(module)
    with pytest.raises(VerifyError, match="the use list of %a is wrong"):
        verify_module(module, links=True)


def test_wrong_links_between_ops_are_found():
    module = parse_module(GOOD)
    load = op_named(module, "llvm.load")
    load._prev_op = None
    with pytest.raises(VerifyError, match="wrong links within its block"):
        verify_module(module)


def test_a_long_chain_of_blocks_is_verified_without_recursion():
    blocks = "".join(f"^b{n}(%v{n}: i32):\nllvm.br ^b{n + 1}(%v{n} : i32)\n" for n in range(3000))
    text = f"llvm.func @f(%a: i32) {{\nllvm.br ^b0(%a : i32)\n{blocks}^b3000(%e: i32):\nllvm.return\n}}"
    verify_module(parse_module(text), links=True)


def test_regions_see_values_that_dominate_their_op():
    verify_module(
        parse_module(
            """
            llvm.func @f(%a: i32, %c: i1) {
              %z = llvm.add %a, %a : i32
              llvm.cond_br %c, ^l, ^m
            ^l:
              "test.op"() ({
                %w = llvm.add %z, %a : i32
                "test.op"() ({
                  %v = llvm.add %w, %z : i32
                  "test.termop"() : () -> ()
                }) : () -> ()
                "test.termop"() : () -> ()
              }) : () -> ()
              llvm.return
            ^m:
              llvm.return
            }
            """
        )
    )
