"""Writes `intrinsics.txt` from LLVM's definitions of its intrinsics.

`dev.generate` creates the dump of the definitions and runs this module. Each line is an intrinsic:
its results, arguments and properties in the letters that `nvvm_xdsl.dialects.nvvm.intrinsics`
explains. Intrinsics of other targets are omitted.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

Record = dict[str, Any]

LETTERS = {
    "IntrNoMem": "n",
    "IntrReadMem": "r",
    "IntrWriteMem": "w",
    "IntrArgMemOnly": "a",
    "IntrInaccessibleMemOnly": "i",
    "IntrInaccessibleMemOrArgMemOnly": "b",
    "IntrConvergent": "c",
    "IntrSpeculatable": "s",
    "IntrHasSideEffects": "e",
    "IntrNoReturn": "x",
    "IntrWillReturn": "W",
    "Commutative": "C",
}

SPACES = {
    "llvm_ptr_ty": "p",
    "llvm_shared_ptr_ty": "p3",
    "llvm_shared_cluster_ptr_ty": "p7",
    "llvm_global_ptr_ty": "p1",
    "llvm_local_ptr_ty": "p5",
    "llvm_constant_ptr_ty": "p4",
    "llvm_tmem_ptr_ty": "p6",
}

ANY = {
    "llvm_any_ty": "any",
    "llvm_anyint_ty": "anyint",
    "llvm_anyfloat_ty": "anyfloat",
    "llvm_anyptr_ty": "anyptr",
}

SCALARS = {"float": "f32", "double": "f64", "half": "f16", "bfloat": "bf16"}


DIALECT = Path(__file__).parent.parent / "nvvm_xdsl" / "dialects" / "nvvm"


def type_name(records: dict[str, Any], ref: Record) -> str:
    """The letters of a type."""
    name: str = ref["def"]
    if name in SPACES:
        return SPACES[name]
    if m := re.fullmatch(r"llvm_(v\d+)?(i\d+|f\d+|bf16|float|double|half|bfloat)_ty", name):
        return (m[1] or "") + SCALARS.get(m[2], m[2])
    record = records[name]
    kinds = record["!superclasses"]
    if "LLVMQualPointerType" in kinds:
        return f"p{record['Sig'][1]}"
    if "LLVMMatchTypeNextArg" in kinds:
        # The type is that of another argument, possibly with a different address space from the
        # name.
        return "any"
    if "LLVMMatchType" in kinds:
        return f"={record['Number']}"
    if "LLVMAnyType" in kinds and name not in ANY:
        return "any"
    return {
        **ANY,
        "llvm_metadata_ty": "metadata",
        "llvm_vararg_ty": "...",
        "llvm_token_ty": "token",
    }.get(name) or record["VT"]["def"]


def properties(records: dict[str, Any], record: Record) -> str:
    """The letters of an intrinsic's properties, then its immediates and its result range."""
    letters = ""
    immediates: list[int] = []
    bounds = ""
    for ref in record["IntrProperties"]:
        prop = records[ref["def"]]
        name = prop["!name"] if not prop["!anonymous"] else prop["!superclasses"][-1]
        if name in LETTERS:
            letters += LETTERS[name]
        elif name == "ImmArg":
            immediates.append(prop["ArgNo"] - 1)
        elif name == "Range" and prop["ArgNo"] == 0:
            bounds = f" [{prop['Lower']},{prop['Upper']}"
    if not record["DisableDefaultAttributes"] and "W" not in letters:
        letters += "W"
    text = "".join(sorted(letters))
    if immediates:
        text += " #" + ",".join(map(str, sorted(immediates)))
    return text + bounds


def intrinsic_name(record: Record) -> str:
    """The LLVM name of an intrinsic."""
    return record["LLVMName"] or "llvm." + record["!name"].removeprefix("int_").replace("_", ".")


def main(paths: list[str]) -> None:
    """Writes the table of the nvvm dialect from the dump named in `paths`."""
    records = json.loads(Path(paths[0]).read_text())
    lines: list[str] = []
    for name in sorted(records["!instanceof"]["Intrinsic"]):
        record = records[name]
        if record["TargetPrefix"] not in ("", "nvvm") or record["!anonymous"]:
            continue
        results = " ".join(type_name(records, t) for t in record["RetTypes"])
        arguments = " ".join(type_name(records, t) for t in record["ParamTypes"])
        entry = (intrinsic_name(record), results, arguments, properties(records, record))
        lines.append("|".join(entry) + "\n")
    (DIALECT / "intrinsics.txt").write_text(
        "".join(sorted(lines, key=lambda line: line.partition("|")[0]))
    )


if __name__ == "__main__":
    main(sys.argv[1:])
