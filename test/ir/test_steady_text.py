"""Values keep their names, and unchanged ops are not printed again."""

from __future__ import annotations

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.steady_text import Aliases, FunctionText

SOURCE = """
define i32 @f(i32 %x, ptr %p) {
  %1 = add i32 %x, 1
  %2 = add i32 %1, %x
  %v = load i32, ptr %p, !tbaa !0
  %w = load i32, ptr %p, !tbaa !0
  %c = icmp eq i32 %2, %v
  br i1 %c, label %3, label %then
3:
  br label %then
then:
  %r = phi i32 [ %w, %0 ], [ %2, %3 ]
  ret i32 %r
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
"""


def lines(text: FunctionText, func: FuncOp) -> list[str]:
    return [line.text.strip() for line in text.lines(func)]


def test_names_are_stable_and_not_reused():
    (func,) = functions_of(parse(SOURCE))
    text = FunctionText()
    first = lines(text, func)
    add, other = (op for op in func.walk() if op.name == "llvm.add")
    name = text.name_of(add.results[0])
    user = text.name_of(other.results[0])
    fast.replace_op(add, [func.body.blocks[0].args[0]])
    second = lines(text, func)
    gone = [line for line in first if line not in second]
    assert [line.split(" = ")[0] for line in gone] == [f"%{name}", f"%{user}"]
    compare = next(op for op in func.walk() if op.name == "llvm.icmp")
    fast.insert_before(fast.clone(other), compare)
    fast.insert_before(fast.clone(compare), compare)
    third = lines(text, func)
    assert [line for line in second if line not in third] == []
    new = [line.split(" = ")[0] for line in third if line not in second]
    assert new[1] == "%c_1"
    assert new[0] not in (f"%{name}", f"%{user}")


def test_ops_changed_in_place_are_printed_again():
    (func,) = functions_of(parse(SOURCE))
    text = FunctionText()
    before = lines(text, func)
    load = next(op for op in func.walk() if op.name == "llvm.load")
    del load.properties["tbaa"]
    after = lines(text, func)
    (line,) = [line for line in after if line not in before]
    assert "tbaa" not in line


def test_blocks_have_separate_names():
    (func,) = functions_of(parse(SOURCE))
    labels = [line for line in lines(FunctionText(), func) if line.startswith("^")]
    assert labels == ["^bb1:", "^then(%r : i32):"]


def test_long_attributes_are_aliases():
    (func,) = functions_of(parse(SOURCE))
    text = FunctionText(Aliases())
    loads = [line for line in lines(text, func) if "llvm.load" in line]
    assert len(loads) == 2
    assert all("tbaa = [#tbaa_tag]" in line for line in loads)
    assert text.aliases.definitions["tbaa_tag"].startswith("#llvm.tbaa_tag<base_type = ")
