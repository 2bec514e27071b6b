"""Campaigns: each seed is tested once, by any number of processes; a campaign can be interrupted
and resumed.

Tried seeds and findings are kept in an SQLite file. Several processes of one machine can use it at
the same time, and files of several machines can be merged. A campaign is identified by its options,
the operations on a seed. The state of the compiler is recorded with each seed, but seeds are not
tested again for a new state.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, astuple
from functools import partial
from pathlib import Path

from nvvm_xdsl.driver.cache import compiler
from nvvm_xdsl.driver.tasks import Lost, run_elsewhere, run_here
from nvvm_xdsl.driver.workers import worker_count
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.fuzz import Finding, Options, findings_of

IN_MEMORY = ":memory:"

WAIT_SECONDS = 60.0
"""Timeout in seconds for a lock of another process."""

COMPILER_DIGITS = 16
"""Number of characters of the hash of the compiler's files."""

_SCHEMA = """\
CREATE TABLE IF NOT EXISTS campaigns (id INTEGER PRIMARY KEY, settings TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS tried (
    campaign INTEGER NOT NULL REFERENCES campaigns, seed INTEGER NOT NULL, compiler TEXT NOT NULL,
    PRIMARY KEY (campaign, seed)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS findings (
    campaign INTEGER NOT NULL REFERENCES campaigns, seed INTEGER NOT NULL, pipeline TEXT NOT NULL,
    kind TEXT NOT NULL, what TEXT NOT NULL, module_text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS findings_by_seed ON findings (campaign, seed);
"""

_MERGE = (
    "INSERT OR IGNORE INTO campaigns (settings) SELECT settings FROM other.campaigns",
    """CREATE TEMP TABLE new AS
    SELECT ours.id AS campaign, theirs.id AS other, t.seed, t.compiler FROM other.tried AS t
    JOIN other.campaigns AS theirs ON theirs.id = t.campaign
    JOIN main.campaigns AS ours ON ours.settings = theirs.settings
    WHERE NOT EXISTS (SELECT 1 FROM main.tried AS o WHERE o.campaign = ours.id AND o.seed = t.seed)""",
    "INSERT INTO main.tried SELECT campaign, seed, compiler FROM new",
    """INSERT INTO main.findings SELECT new.campaign, f.seed, f.pipeline, f.kind, f.what, f.module_text
    FROM other.findings AS f JOIN new ON new.other = f.campaign AND new.seed = f.seed""",
)
"""If both files contain a seed, the finding of this file is kept."""


class Campaign:
    """The seeds tried with given options, and their findings.

    Arguments:
        options: the operations on a seed.
        path: the file, which may also contain other campaigns; None keeps the records in memory
        only. Its methods raise DiagnosticError when the file cannot be read or written.
    """

    def __init__(self, options: Options, path: str | Path = IN_MEMORY) -> None:
        self.options = options
        self.path = str(path)
        settings = json.dumps(asdict(options), sort_keys=True)
        with self._database_errors():
            self._base = sqlite3.connect(self.path, timeout=WAIT_SECONDS)
            self._base.executescript(_SCHEMA)
            with self._base:
                self._base.execute(
                    "INSERT OR IGNORE INTO campaigns (settings) VALUES (?)", (settings,)
                )
            self._id: int = self._base.execute(
                "SELECT id FROM campaigns WHERE settings = ?", (settings,)
            ).fetchone()[0]

    @contextlib.contextmanager
    def _database_errors(self, path: str | None = None) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise DiagnosticError(str(error), file=path or self.path) from None

    def missing(self, seeds: Iterable[int]) -> list[int]:
        """The seeds that have not been tested yet."""
        with self._database_errors():
            rows = self._base.execute("SELECT seed FROM tried WHERE campaign = ?", (self._id,))
            tried = {seed for (seed,) in rows}
        return [seed for seed in seeds if seed not in tried]

    def note(self, seed: int, findings: Iterable[Finding]) -> None:
        """Records that a seed was tested, and its finding, in one transaction."""
        with self._database_errors(), self._base:
            new = self._base.execute(
                "INSERT OR IGNORE INTO tried VALUES (?, ?, ?)",
                (self._id, seed, compiler()[:COMPILER_DIGITS]),
            ).rowcount
            if new:
                self._base.executemany(
                    "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?)",
                    [(self._id, *astuple(finding)) for finding in findings],
                )

    def merge(self, path: str | Path) -> int:
        """Merges all campaigns of another file; returns the number of new seeds."""
        if not Path(path).exists():
            raise DiagnosticError("no such file", file=str(path))
        with self._database_errors(str(path)):
            self._base.execute("ATTACH ? AS other", (str(path),))
            try:
                with self._base:
                    for statement in _MERGE:
                        self._base.execute(statement)
                    (count,) = self._base.execute("SELECT count(*) FROM new").fetchone()
                    self._base.execute("DROP TABLE new")
            finally:
                self._base.execute("DETACH other")
        return count

    def tried(self) -> int:
        """The number of tested seeds."""
        return self._count("tried")

    def findings(self) -> list[Finding]:
        """The findings by seed."""
        with self._database_errors():
            rows = self._base.execute(
                "SELECT seed, pipeline, kind, what, module_text FROM findings"
                " WHERE campaign = ? ORDER BY seed, rowid",
                (self._id,),
            )
            return [Finding(*row) for row in rows]

    def compilers(self) -> int:
        """The number of different states of the compiler in the records."""
        return self._count("tried", "DISTINCT compiler")

    def _count(self, table: str, what: str = "*") -> int:
        with self._database_errors():
            text = f"SELECT count({what}) FROM {table} WHERE campaign = ?"
            return self._base.execute(text, (self._id,)).fetchone()[0]

    def close(self) -> None:
        """Tests the missing seeds; a finding is recorded before it is reported.

        A seed that kills its worker is a finding of kind `crash`. A seed that an executor fails to
        test is reported as `lost` and stays missing."""
        self._base.close()


def run(
    campaign: Campaign,
    seeds: Iterable[int],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Finding]:
    """Tries the missing seeds; a finding is recorded before it is reported.

    A seed that kills its worker is a finding of the kind `crash`. A seed that an executor fails to
    try is reported as `lost` and stays missing.

    Arguments:
        jobs: number of processes; 0 for one per processor.
        executor: tests the seeds instead of these processes (see `compile_many`).
        progress: called with the number of finished seeds and their findings.
    """
    missing = campaign.missing(seeds)
    function = partial(findings_of, options=campaign.options)
    tasks = ((seed, seed) for seed in missing)
    wanted = worker_count(jobs, len(missing))
    if executor is not None:
        results = run_elsewhere(function, tasks, executor)
    elif wanted == 1:
        results = ((seed, function(seed)) for seed in missing)
    else:
        results = run_here(function, tasks, wanted)
    found = 0
    for done, (seed, result) in enumerate(results):
        if isinstance(result, Lost):
            kind = "crash" if executor is None else "lost"
            result = [Finding(seed, "", kind, result.why, "")]
        if not any(finding.kind == "lost" for finding in result):
            campaign.note(seed, result)
        found += sum(finding.kind != "refused" for finding in result)
        yield from result
        if progress is not None:
            progress(done + 1, found)
