"""Parts of a stack slot: their ranges and types."""

from __future__ import annotations

import pytest
from helpers.slots import after, at, copied, loaded


def stores_to(text: str, address: str) -> list[str]:
    """Returns the types of the stores to addresses based on a pointer, in order of the text."""
    names = {address}
    found: list[str] = []
    for line in text.splitlines():
        words = line.replace(",", "").split()
        if "getelementptr" in words and names.intersection(words):
            names.add(words[0])
        if words[:1] == ["store"] and words[words.index("ptr") + 1] in names:
            found.append(words[1])
    return found


# Copies of parts.


def test_a_stored_part_is_copied_out():
    text = after("%s = alloca i32\nstore i32 %a, ptr %s\n" + copied("%p", "%s", 4))
    assert "store i32 %a, ptr %p" in text
    assert "alloca" not in text


@pytest.mark.parametrize("first", [0, 4])
def test_only_written_parts_are_copied_out(first: int):
    """The other half of the slot is read, but never written."""
    body = (
        "%s = alloca { i32, i32 }\n"
        + at("%e", "%s", first)
        + at("%o", "%s", 4 - first)
        + copied("%e", "%p", 4)
        + loaded("i32", "%o")
        + copied("%q", "%s", 8)
    )
    assert stores_to(after(body).replace("store volatile", ""), "%q") == ["i32"]


@pytest.mark.parametrize("first", [0, 4])
def test_only_read_parts_are_copied_in(first: int):
    body = (
        "%s = alloca { i32, i32 }\n"
        + at("%e", "%s", first)
        + copied("%s", "%p", 8)
        + loaded("i32", "%e")
    )
    text = after(body)
    assert text.count("= load ") == 1
    assert "memcpy" not in text


def test_the_rest_of_a_scalar_that_is_partly_accessed_is_copied_as_a_smaller_one():
    for offset in (0, 4):
        body = (
            "%s = alloca i64\n"
            + at("%e", "%s", offset)
            + copied("%s", "%p", 8)
            + "store i32 %a, ptr %e\n"
            + copied("%q", "%s", 8)
        )
        text = after(body)
        assert sorted(stores_to(text, "%q")) == ["i32", "i32"]
        assert "alloca" not in text


def test_a_field_that_does_not_fill_its_bytes_is_copied_as_bytes():
    body = "%s = alloca { i1, i32 }\n" + copied("%s", "%p", 8) + copied("%q", "%s", 8)
    assert stores_to(after(body), "%q") == ["i32", "i32"]


def test_an_accessed_bit_is_copied_with_its_byte():
    body = "%s = alloca i1\n" + copied("%s", "%p", 1) + loaded("i1", "%s") + copied("%q", "%s", 1)
    text = after(body)
    assert "alloca i1" in text
    assert text.count("memcpy") == 2


def test_large_arrays_are_copied_as_bytes():
    body = "%s = alloca [65 x i32]\n" + copied("%s", "%p", 260) + copied("%q", "%s", 260)
    text = after(body)
    assert "alloca [65 x i32]" in text
    assert text.count("memcpy") == 2


@pytest.mark.parametrize(("bits", "is_one_part"), [(511, False), (513, True)])
def test_many_bytes_without_a_type_are_copied_as_bytes(bits: int, is_one_part: bool):
    size = (bits + 7) // 8
    body = f"%s = alloca i{bits}\n" + copied("%s", "%p", size) + copied("%q", "%s", size)
    assert after(body).count(f"i64 {size}, i1 false") == 2 * is_one_part


def test_bytes_without_a_type_are_copied_within_the_slot():
    """Four bytes, not eight."""
    body = "%s = alloca i17\n" + copied("%s", "%p", 4) + copied("%q", "%s", 4)
    assert stores_to(after(body), "%q") == ["i32"]


# Types.


def test_overlapping_values_stay_in_memory():
    body = (
        "%s = alloca i64\n"
        + at("%e", "%s", 2)
        + "store i32 %a, ptr %s, align 2\nstore i32 %b, ptr %e, align 2\n"
        + loaded("i32", "%s")
    )
    assert "alloca [6 x i8]" in after(body)


def test_a_chain_of_overlapping_values_stays_in_memory():
    """No access covers all eight bytes."""
    body = "%s = alloca i64\n" + at("%e", "%s", 2) + at("%o", "%s", 4)
    body += "".join(f"store i32 %a, ptr {place}, align 2\n" for place in ("%s", "%e", "%o"))
    assert "alloca i64" in after(body + loaded("i32", "%e"))


def test_three_bytes_are_no_integer():
    body = "%s = alloca i32\n%u = zext i16 %h to i24\nstore i24 %u, ptr %s\n" + at("%e", "%s", 1)
    assert "alloca [3 x i8]" in after(body + loaded("i8", "%e"))


def test_three_bytes_of_one_type_are_copied_as_a_value():
    body = "%s = alloca { i24, i8 }\n%u = zext i16 %h to i24\nstore i24 %u, ptr %s\n" + copied(
        "%p", "%s", 3
    )
    text = after(body)
    assert "alloca" not in text
    assert stores_to(text, "%p") == ["i24"]


def test_pointers_of_two_spaces_are_converted_through_an_integer():
    body = (
        "%s = alloca ptr\n%u = inttoptr i64 %w to ptr addrspace(1)\n"
        "store ptr addrspace(1) %u, ptr %s\n" + loaded("ptr", "%s")
    )
    text = after(body)
    assert "alloca" not in text
    assert "ptrtoint" in text


def test_a_bit_and_a_byte_are_no_integer():
    body = "%s = alloca i8\nstore i8 %x, ptr %s\nstore i1 %c, ptr %s\n"
    assert "alloca" in after(body + loaded("i8", "%s"))


# Vectors.

VECTOR = "%s = alloca <4 x i16>\n%v = bitcast i64 %w to <4 x i16>\nstore <4 x i16> %v, ptr %s\n"


@pytest.mark.parametrize("number", range(4))
def test_an_element_of_a_vector_is_extracted(number: int):
    text = after(VECTOR + at("%e", "%s", 2 * number) + loaded("i16", "%e"))
    assert f"extractelement <4 x i16> %v, i64 {number}" in text


@pytest.mark.parametrize("number", range(4))
def test_an_element_of_a_vector_is_inserted(number: int):
    body = VECTOR + at("%e", "%s", 2 * number) + "store i16 %h, ptr %e\n"
    text = after(body + loaded("<4 x i16>", "%s"))
    assert f"insertelement <4 x i16> %v, i16 %h, i64 {number}" in text


@pytest.mark.parametrize(
    "access",
    [
        at("%e", "%s", 1) + loaded("i16", "%e"),
        loaded("i32", "%s"),
        loaded("i8", "%s"),
    ],
    ids=["between-elements", "two-elements", "half-an-element"],
)
def test_other_parts_of_a_vector_are_bits_of_an_integer(access: str):
    text = after(VECTOR + access)
    assert "extractelement" not in text
    assert "alloca" not in text


def test_a_value_that_does_not_fill_its_bytes_is_no_element():
    body = VECTOR + loaded("i10", "%s") + at("%e", "%s", 2) + loaded("i16", "%e", "%z")
    assert "extractelement" not in after(body)


def test_a_value_that_does_not_fill_its_bytes_is_no_whole_vector():
    body = VECTOR + loaded("i57", "%s") + at("%e", "%s", 2) + loaded("i16", "%e", "%z")
    assert "extractelement" not in after(body)


def test_bits_are_no_elements():
    body = (
        "%s = alloca <16 x i1>\n%v = bitcast i16 %h to <16 x i1>\nstore <16 x i1> %v, ptr %s\n"
        + at("%e", "%s", 1)
    )
    text = after(body + loaded("i8", "%e"))
    assert "extractelement" not in text
    assert "alloca" not in text


def test_a_smaller_vector_is_not_the_type_of_the_part():
    body = "%s = alloca i64\n%v = bitcast i32 %a to <2 x i16>\nstore i64 %w, ptr %s\n"
    text = after(body + "store <2 x i16> %v, ptr %s\n" + loaded("i64", "%s"))
    assert "insertelement" not in text
    assert "alloca" not in text


def test_vectors_of_pointers_are_converted_by_element():
    body = (
        "%s = alloca <2 x ptr>\n%v = insertelement <2 x ptr> undef, ptr %p, i32 0\n"
        "store <2 x ptr> %v, ptr %s\n" + loaded("i128", "%s")
    )
    text = after(body)
    assert "ptrtoint <2 x ptr> %v to <2 x i64>" in text
    assert "alloca" not in text
