"""C programs that check their own results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dev.c_programs import main, verdict
from nvvm_xdsl.driver.cuda import find_clang
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import Limits

try:
    find_clang()
    CLANG = True
except DiagnosticError:
    CLANG = False

pytestmark = pytest.mark.skipif(not CLANG, reason="clang was not found")

LIMITS = Limits(steps=100_000, stack=1 << 20)

CALLS = """\
extern void abort(void);
extern int printf(const char *, ...);
struct Pair { int first, second; } original = {3, 4};
struct Pointers { int *p, *q; };

__attribute__((noinline)) int change(struct Pair pair) { return pair.first += 10; }
__attribute__((noinline)) void clear(struct Pointers *s) { *s->q = 0; }
__attribute__((noinline)) void write(int *p) { *p = 7; }
__attribute__((noinline)) int digit(unsigned n, int first) {
  char buffer[12], *end = buffer + 11, *at = end;
  *end = 'e';
  do *--at = '0' + n % 10; while (n /= 10);
  return *(first ? at : end);
}
int variable;

int main(void) {
  if (change(original) != 13 || original.first != 3) abort();
  int a = 1, b = 2;
  struct Pointers s = {&a, &b};
  clear(&s);
  if (a != 1 || b != 0) abort();
  write(&variable);
  if (variable != 7) abort();
  if (digit(905, 1) != '9' || digit(905, 0) != 'e') abort();
  printf("%d %c %s\\n", variable, digit(41, 1), "end");
  return 0;
}
"""


def found(tmp_path: Path, text: str, *, host: bool = False):
    path = tmp_path / "program.c"
    path.write_text(text)
    return verdict(path, host=host, limits=LIMITS)


def test_calls_that_are_not_inlined(tmp_path: Path):
    """Copies, fields and variables as arguments, and a walk over a local array."""
    assert found(tmp_path, CALLS, host=True).outcomes == {}


def test_a_program_that_aborts_fails(tmp_path: Path):
    done = found(tmp_path, "void abort(void); int main(void) { abort(); }")
    assert done.kind == "failed"
    assert set(done.outcomes.values()) == {"status 134\n"}


def test_another_output_than_that_of_the_host_fails(tmp_path: Path):
    text = """
extern int printf(const char *, ...);
int main(void) {
#ifdef __NVPTX__
  printf("GPU");
#endif
  return 0;
}
"""
    done = found(tmp_path, text, host=True)
    assert done.kind == "failed"
    assert done.outcomes["host"] == "status 0\n"
    assert done.outcomes["O2 -O3"] == "status 0\nGPU"


def test_programs_outside_the_scope(tmp_path: Path):
    rejected = found(tmp_path, "int main(void) { return undeclared; }")
    assert rejected.kind == "rejected"
    assert "undeclared" in rejected.outcomes["clang"]
    endless = found(tmp_path, "volatile int on = 1; int main(void) { while (on); return 0; }")
    assert endless.kind == "limit"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "good.c").write_text("int main(void) { return 0; }")
    (tmp_path / "bad.c").write_text("int main(void) { return 3; }")
    results = tmp_path / "results.jsonl"
    assert main([str(tmp_path), "--results", str(results)]) == 1
    assert capsys.readouterr().out.endswith("1 failed, 1 passed\n")
    assert [json.loads(line)["kind"] for line in results.read_text().splitlines()] == [
        "failed",
        "passed",
    ]
    assert main([str(tmp_path / "good.c")]) == 0
