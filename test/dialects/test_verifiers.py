"""Ops whose operands have valid types that do not match each other.

MLIR rejects all of them, too, if it is installed.
"""

from __future__ import annotations

import subprocess

import pytest
from helpers.roundtrip import MLIR_OPT, NO_MLIR, parse
from xdsl.utils.exceptions import VerifyException

ROWS = [
    ("%r = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> i32", "a shuffle of f32 yields f32"),
    (
        "%r = nvvm.shfl.sync up %i, %i, %i, %i {return_value_and_is_valid} : i32 -> i32",
        "returns whether its value is valid yields",
    ),
    ("%r = nvvm.vote.sync ballot %i, %c -> i1", "vote 'ballot' yields i32"),
    ("%r = nvvm.vote.sync any %i, %c -> i32", "vote 'any' yields i1"),
    ("%r = nvvm.match.sync all %i, %i : i32 -> i32", "match 'all' yields"),
    ("%r = nvvm.redux.sync fmin %i, %i : i32 -> i32", "redux 'fmin' takes f32"),
    ("%r = nvvm.redux.sync add %f, %i : f32 -> f32", "redux 'add' takes i32"),
    ("%r = nvvm.redux.sync add %i, %i {nan = true} : i32 -> i32", "has neither abs nor nan"),
    ("nvvm.barrier number_of_threads = %i", "needs the barrier's number"),
    (
        "nvvm.cp.async.shared.global %p3, %p1, 5, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>",
        "4, 8 or 16 bytes, not 5",
    ),
    (
        "nvvm.cp.async.shared.global %p3, %p1, 4, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>",
        "cached 'cg' is of 16 bytes, not 4",
    ),
    (
        "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>}",
        "given for proxy 'async.shared' alone",
    ),
    ("nvvm.fence.proxy {kind = #nvvm.proxy_kind<tensormap>}", "has fences of its own"),
    ("%r = nvvm.mapa %p3, %i : !llvm.ptr<3> -> !llvm.ptr", "does not map address space 3 to 0"),
    ("%r = nvvm.prmt <f4e> %i, %i : i32", "prmt 'f4e' takes two registers"),
    ("%r = nvvm.prmt <rc8> %i, %i, %i : i32", "prmt 'rc8' takes one register"),
    (
        "%r = nvvm.ldmatrix %p3 {num = 2 : i32, layout = #nvvm.mma_layout<row>, "
        "shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, "
        "eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32",
        "ldmatrix of 2 yields .*, not i32",
    ),
    ("nvvm.setmaxregister increase 41", "multiple of 8 from 24 to 256, not 41"),
    ("%r = llvm.atomicrmw fadd %p, %i monotonic : !llvm.ptr, i32", "takes a floating-point value"),
    ("%r = llvm.atomicrmw add %p, %f monotonic : !llvm.ptr, f32", "takes an integer"),
    ("%r = llvm.atomicrmw add %p, %i unordered : !llvm.ptr, i32", "at least 'monotonic'"),
    ("%r = llvm.cmpxchg %p, %i, %i acquire release : !llvm.ptr, i32", "must not release"),
    ("llvm.fence monotonic", "at least 'acquire' or 'release'"),
    (
        "%r = llvm.getelementptr %p[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32)>",
        "5 is out of range for struct",
    ),
    (
        "%r = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32)>",
        "struct indices must be constants",
    ),
    ("%r = llvm.zext %i : i32 to i16", "invalid cast opcode"),
    ("%r = llvm.sext %i : i32 to i32", "invalid cast opcode"),
]


def function(line: str) -> str:
    arguments = "%i: i32, %f: f32, %c: i1, %p: !llvm.ptr, %p1: !llvm.ptr<1>, %p3: !llvm.ptr<3>"
    return f"llvm.func @f({arguments}) {{\n  {line}\n  llvm.return\n}}"


@pytest.mark.parametrize(("line", "message"), ROWS, ids=[row[0][:56] for row in ROWS])
def test_rejected(line: str, message: str):
    with pytest.raises(VerifyException, match=message):
        parse(function(line))


@pytest.mark.skipif(MLIR_OPT is None, reason=NO_MLIR)
@pytest.mark.parametrize("line", [row[0] for row in ROWS], ids=[row[0][:56] for row in ROWS])
def test_rejected_by_mlir(line: str):
    assert MLIR_OPT is not None
    done = subprocess.run([MLIR_OPT, "-"], input=function(line), capture_output=True, text=True)
    assert done.returncode != 0
