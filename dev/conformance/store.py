"""Verdicts on disk, keyed by their inputs."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import asdict
from pathlib import Path

from dev.conformance.cases import Case
from dev.conformance.verdicts import PASSES, Verdict, judge, refusal_by_others
from nvvm_xdsl.driver.cache import compiler

_SCHEMA = """\
CREATE TABLE IF NOT EXISTS others (key TEXT PRIMARY KEY, refusal TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ours (
    key TEXT PRIMARY KEY, compiler TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL
) WITHOUT ROWID;
"""


class Store:
    """An SQLite database of verdicts.

    Arguments:
        path: the file, which is created if it does not exist.
        all_again: also repeat cases that passed with another version of this compiler.
    """

    def __init__(self, path: Path, *, all_again: bool = False) -> None:
        self._base = sqlite3.connect(path, isolation_level=None)
        self._base.executescript(_SCHEMA)
        self._all_again = all_again

    def verdict(self, case: Case) -> Verdict:
        """The verdict on a case, from the database if it is still valid."""
        key = hashlib.sha256(json.dumps(asdict(case), sort_keys=True).encode()).hexdigest()
        found = self._base.execute(
            "SELECT compiler, kind, reason FROM ours WHERE key = ?", (key,)
        ).fetchone()
        if found is not None:
            made_by, kind, reason = found
            if made_by == compiler() or (kind == PASSES and not self._all_again):
                return Verdict(kind, reason)
        verdict = judge(case, self._refusal(key, case))
        self._base.execute(
            "INSERT OR REPLACE INTO ours VALUES (?, ?, ?, ?)",
            (key, compiler(), verdict.kind, verdict.reason),
        )
        return verdict

    def _refusal(self, key: str, case: Case) -> str:
        found = self._base.execute("SELECT refusal FROM others WHERE key = ?", (key,)).fetchone()
        if found is not None:
            return found[0]
        refusal = refusal_by_others(case)
        self._base.execute("INSERT OR REPLACE INTO others VALUES (?, ?)", (key, refusal))
        return refusal
