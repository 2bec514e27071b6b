import gc
import subprocess
import sys

import pytest

from nvvm_xdsl.ir.collector import paused_collector


def test_paused_and_resumed():
    assert gc.isenabled()
    with paused_collector():
        assert not gc.isenabled()
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_resumed_after_an_error():
    with pytest.raises(KeyError), paused_collector():
        raise KeyError
    assert gc.isenabled()


COMPILES = """
import gc, sys, weakref
{before}
import nvvm_xdsl
nvvm_xdsl.compile
driver = sys.modules["nvvm_xdsl.driver.compile"]
between = gc.get_freeze_count()
stock, seen = driver.parse, []
def parse(*arguments, **options):
    module = stock(*arguments, **options)
    seen.append(weakref.ref(module))
    return module
driver.parse = parse
nvvm_xdsl.compile("define void @f() {{\\n  ret void\\n}}")
after = gc.get_freeze_count()
frozen = after - between > 1000
print(frozen, not frozen or seen[-1]() is None)
nvvm_xdsl.compile("define void @f() {{\\n  ret void\\n}}")
print(gc.get_freeze_count() - after)
"""


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("", "True True\n0\n"),
        ("others = [[] for _ in range(100_000)]", "False True\n0\n"),
    ],
    ids=["few objects", "many objects"],
)
def test_what_a_first_compilation_leaves(before: str, shown: str) -> None:
    """Modules that it imported are exempt from collections; its IR is not among them."""
    done = subprocess.run(
        [sys.executable, "-c", COMPILES.format(before=before)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == shown
