"""Uses of the bytes of a stack slot: a slot with another use is not split."""

from __future__ import annotations

import pytest
from helpers.slots import after, at, copied, filled, loaded

PAIR = "%s = alloca { i64, i64 }\nstore i64 %w, ptr %s\n"


@pytest.mark.parametrize(
    "body",
    [
        PAIR + "store ptr %s, ptr %p\n",
        "%s = alloca { i64, i64 }\nstore volatile i64 %w, ptr %s\n",
        PAIR + "%r = load volatile i64, ptr %s\n",
        PAIR + "%r = load atomic i64, ptr %s monotonic, align 8\n",
        PAIR + "call void @g(ptr %s)\n",
        PAIR + "%t1 = getelementptr i8, ptr %s, i64 %w\n" + loaded("i64", "%t1"),
        PAIR + copied("%p", "%s", "%w"),
        # Beyond the end, and before the start.
        PAIR + at("%e", "%s", 12) + loaded("i64", "%e"),
        PAIR + at("%e", "%s", -4) + loaded("i64", "%e"),
        PAIR + at("%e", "%s", 12) + copied("%p", "%e", 8),
        PAIR + at("%e", "%s", -4) + copied("%p", "%e", 8),
        PAIR + filled("%s", 0, 17),
        PAIR + copied("%p", "%s", 8).replace("false", "true"),
        # From the slot to itself.
        PAIR + at("%e", "%s", 8) + copied("%e", "%s", 8, "memmove") + loaded("i64", "%e"),
    ],
    ids=[
        "stored-address", "volatile-store", "volatile-load", "atomic-load", "call",
        "variable-offset", "variable-length", "beyond-end", "before-start", "copy-beyond-end",
        "copy-before-start", "fill-beyond-end", "volatile-copy", "copy-to-itself",
    ],
)  # fmt: skip
def test_a_slot_with_another_use_is_not_split(body: str):
    assert "alloca { i64, i64 }" in after(body)


def test_a_slot_at_its_bounds_is_split():
    body = PAIR + at("%e", "%s", 8) + copied("%e", "%p", 8) + filled("%s", 0, 16)
    assert "alloca" not in after(body + loaded("i64", "%e"))


def test_an_aggregate_is_split_once():
    """A slot that stays one range of bytes is unchanged if the pass runs again."""
    body = (
        "%s = alloca { i32, i32 }\nstore { i32, i32 } { i32 1, i32 2 }, ptr %s\n"
        + at("%e", "%s", 2)
        + loaded("i32", "%e")
    )
    once = after(body)
    assert "alloca" in once
    assert after(body, "sroa,sroa") == once
