"""`old-load-store-vectorizer`: LLVM's LoadStoreVectorizer before it put types together.

      %a = llvm.load %p : !llvm.ptr -> f32           ; both stay: an f32 and an i32
      %b = llvm.load %q : !llvm.ptr -> i32           ; 4 bytes behind each other

NVIDIA's compiler has both the old and the new form. The document states only its name; LLVM's
version before it was rewritten in 2023 merges accesses whose elements have one type. Here it is
`load-store-vectorizer` with that restriction. The intrinsics that it supports in NVIDIA's compiler
(`vect-intrinsics`) are loads and stores here by then. Document 000 lists it among the function
passes, and no sequence runs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nvvm_xdsl.passes.scalar.load_store_vectorizer import LoadStoreVectorizer


@dataclass(frozen=True)
class OldLoadStoreVectorizer(LoadStoreVectorizer):
    """Puts neighbouring loads, and neighbouring stores, of one type together."""

    name = "old-load-store-vectorizer"
    title = "OldLoadStoreVectorizer"

    mixes_types: ClassVar[bool] = False


__all__ = ["OldLoadStoreVectorizer"]
