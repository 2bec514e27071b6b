"""`nvvm-view serve`: a web page that compiles its text while the user edits it.

The server listens on the loopback interface only. A request carries the text, the pipeline and the
options; the answer contains the sections of a report (`lab.report`). A worker process compiles, so
that the server can end a compilation that takes too long. Web framework: Starlette, served by
uvicorn.
"""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
from asyncio import Lock, wait_for, wrap_future
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from nvvm_xdsl.driver.errors import user_errors
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.tasks import KILLED
from nvvm_xdsl.driver.workers import shared_pool
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.lab.report.compilation import Compilation, compile_recorded
from nvvm_xdsl.lab.report.html import script_safe
from nvvm_xdsl.lab.report.text import as_text
from nvvm_xdsl.pipeline.history import MODULE, applied

HOST: Final = "127.0.0.1"
MAX_TEXT: Final = 4 << 20
"""Maximum size of a request in bytes."""

SECONDS: Final = 30.0
"""Time limit of a compilation."""


class LivePage:
    """The page of one file.

    Arguments:
        path: the file with the initial text, which is not written.
        options: options of the compilation that the page does not select.
        pipeline: the initial pipeline; empty for that of `-O3`.
        seconds: time limit of a compilation.
    """

    def __init__(
        self, path: Path, options: CompileOptions, pipeline: str = "", seconds: float = SECONDS
    ) -> None:
        self.path = path
        self.options = options
        self.pipeline = pipeline
        self.seconds = seconds
        # A secret that other pages in the same browser do not have.
        self.token = secrets.token_urlsafe(16)

    def html(self) -> str:
        """The page with the file's text."""
        folder = files("nvvm_xdsl.lab.report").joinpath("page")
        start = {
            "name": self.path.name,
            "text": self.path.read_text(encoding="utf-8", errors="replace"),
            "pipeline": self.pipeline,
            "arch": self.options.arch or "",
            "token": self.token,
            "version": VERSION,
        }
        page = folder.joinpath("live.html").read_text(encoding="utf-8")
        for name in ("live.css", "live.js"):
            page = page.replace("{{" + name + "}}", folder.joinpath(name).read_text("utf-8"))
        return page.replace("{{DATA}}", script_safe(start))

    async def compiled(self, asked: LiveRequest) -> dict[str, Any]:
        """The answer of a worker, or `error` if it takes too long or crashes."""
        pool = shared_pool(1)
        try:
            future = pool.submit(compiled, self.path, self.options, asked)
            return await wait_for(wrap_future(future), self.seconds)
        except TimeoutError:
            pool.end()
            return {"error": f"the compilation took longer than its limit of {self.seconds:g} s"}
        except BrokenProcessPool:
            pool.end()
            return {"error": KILLED}


@dataclass(frozen=True)
class LiveRequest:
    """The contents of the page: the text, a pipeline or none, the architecture or none, and the level."""

    text: str
    pipeline: str
    arch: str
    level: str


def compiled(file: Path, options: CompileOptions, asked: LiveRequest) -> dict[str, Any]:
    """The parts of the answer: `ir`, `ptx`, `sass`, `costs` and `remarks`, or `error`.

    Arguments:
        file: the file name of the text; its folder is searched for headers.
    """
    remarks: list[str] = []
    pipeline = asked.pipeline.strip()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.name
        path.write_text(asked.text, encoding="utf-8")
        try:
            with user_errors(file.name):
                options = replace(
                    options,
                    arch=asked.arch or None,
                    opt_level=None if pipeline else int(asked.level),
                    passes=pipeline or None,
                    clang_flags=(*options.clang_flags, f"-I{file.parent.resolve()}"),
                )
                found = compile_recorded([str(path)], options, remark=remarks.append)
        except DiagnosticError as error:
            return {"error": error.render().replace(f"{folder}/", "")}
        answer = _parts(found, folder)
        answer["remarks"] = "\n".join(remarks).replace(f"{folder}/", "")
        return answer


def _parts(found: Compilation, folder: str) -> dict[str, Any]:
    history = found.history
    columns = [c for c in history.columns.values() if c.name != MODULE and not c.gone]
    code = found.assembly.code
    machine = "\n\n".join(
        f"// {name}\n" + "\n".join(line.text for line in lines) for name, lines in code.items()
    )
    return {
        "ir": "\n\n".join(_optimized(found, column.name) for column in columns),
        "ptx": found.ptx,
        "sass": machine or "\n".join(found.assembly.missing),
        "costs": as_text(found.costs, found.sources, folder),
        "arch": found.arch,
        "seconds": round(found.seconds, 3),
    }


def _optimized(found: Compilation, function: str) -> str:
    """The function's IR at the end of the optimizer."""
    history = found.history
    last = history.rows.index(found.stage_rows["optimized"])
    column = history.columns[function]
    order = {row: number for number, row in enumerate(history.rows)}
    lines: list[int] = []
    for cell in sorted(column.cells, key=lambda cell: order[cell.row]):
        if order[cell.row] > last:
            break
        if cell.edits:
            lines = applied(lines, cell.edits)
    return "\n".join(history.lines[number].text for number in lines)


def application(page: LivePage) -> Starlette:
    """The routes: the page itself, and `/compile`."""

    async def index(_request: Request) -> Response:
        return HTMLResponse(page.html(), headers={"Cache-Control": "no-store"})

    one_at_a_time = Lock()

    async def compile_(request: Request) -> Response:
        if not secrets.compare_digest(request.headers.get("x-token", ""), page.token):
            return JSONResponse({"error": "the page is out of date: reload it"}, 403)
        body = await request.body()
        if len(body) > MAX_TEXT:
            return JSONResponse({"error": f"the text is longer than {MAX_TEXT} bytes"}, 413)
        try:
            asked = LiveRequest(**json.loads(body))
        except (ValueError, TypeError):
            return JSONResponse({"error": "the request has unexpected fields"}, 400)
        async with one_at_a_time:
            return JSONResponse(await page.compiled(asked))

    # Requests for other host names are rejected: a foreign name could resolve to this machine.
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
    routes = [Route("/", index), Route("/compile", compile_, methods=["POST"])]
    return Starlette(routes=routes, middleware=[hosts])


def serve(page: LivePage, port: int, ready: Callable[[str], None] | None = None) -> None:
    """Serves the page until it is interrupted.

    Arguments:
        port: port of the loopback interface; 0 for a free one.
        ready: called with the address when connections are accepted.
    """
    config = uvicorn.Config(application(page), HOST, port, log_level="warning")
    server = uvicorn.Server(config)
    with config.bind_socket() as socket:
        socket.listen()
        address = f"http://{HOST}:{socket.getsockname()[1]}/"
        (ready or _say)(address)
        server.run([socket])


def _say(address: str) -> None:
    print(f"serving {address} (stop with Ctrl-C)", file=sys.stderr, flush=True)
