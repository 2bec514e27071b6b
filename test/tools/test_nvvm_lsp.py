"""`nvvm-lsp` as started by an editor: a session over the process's standard streams."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from nvvm_xdsl.tools import nvvm_lsp

URI = "file:///work%20bench/kernel.ll"

KERNEL = """\
define ptx_kernel void @k(ptr %p, i32 %n) {
  %twice = lshr i32 %n, 1
  store i32 %twice, ptr %p
  ret void
}
"""


async def session() -> dict[str, Any]:
    client = LanguageClient("test", "1")
    reported: list[lsp.PublishDiagnosticsParams] = []
    arrived = asyncio.Event()

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _published(params: lsp.PublishDiagnosticsParams) -> None:
        reported.append(params)
        arrived.set()

    async def diagnostics() -> list[lsp.Diagnostic]:
        await asyncio.wait_for(arrived.wait(), 60)
        arrived.clear()
        return list(reported[-1].diagnostics)

    await client.start_io(sys.executable, "-m", "nvvm_xdsl.tools.nvvm_lsp")
    found: dict[str, Any] = {}
    try:
        started = await client.initialize_async(
            lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), root_uri="file:///work")
        )
        found["server"] = started.server_info
        client.initialized(lsp.InitializedParams())
        client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "llvm", 1, KERNEL))
        )
        found["at first"] = await diagnostics()
        document = lsp.TextDocumentIdentifier(URI)
        place = lsp.Position(2, 14)
        found["hover"] = await client.text_document_hover_async(lsp.HoverParams(document, place))
        found["definition"] = await client.text_document_definition_async(
            lsp.DefinitionParams(document, place)
        )
        found["references"] = await client.text_document_references_async(
            lsp.ReferenceParams(lsp.ReferenceContext(False), document, place)
        )
        found["outline"] = await client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(document)
        )
        found["hints"] = await client.text_document_inlay_hint_async(
            lsp.InlayHintParams(document, lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0)))
        )
        found["tokens"] = await client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        )
        found["values"] = await client.text_document_completion_async(
            lsp.CompletionParams(document, lsp.Position(2, 15))
        )
        # An edit: `i32` on the second line becomes `i64`.
        change = lsp.TextDocumentContentChangePartial(
            range=lsp.Range(lsp.Position(1, 16), lsp.Position(1, 19)), text="i64"
        )
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(uri=URI, version=2), [change]
            )
        )
        found["after typing"] = await diagnostics()
        await client.shutdown_async(None)
        client.exit(None)
    finally:
        await client.stop()
    return found


def test_a_session():
    found = asyncio.run(session())
    assert found["server"].name == "nvvm-xdsl"
    assert found["at first"] == []
    assert "%twice : i32" in found["hover"].contents.value
    assert "uniform" in found["hover"].contents.value
    assert found["definition"].range.start == lsp.Position(1, 2)
    assert [place.range.start for place in found["references"]] == [lsp.Position(2, 12)]
    assert [symbol.name for symbol in found["outline"]] == ["@k"]
    assert [(hint.position.line, hint.label) for hint in found["hints"]] == [(1, "[0, 2147483648)")]
    # `define`, and the name of the function after `ptx_kernel` and `void`.
    legend = ["comment", "string", "function", "variable", "type", "keyword"]
    assert list(found["tokens"].data[:5]) == [0, 0, 6, legend.index("keyword"), 0]
    assert list(found["tokens"].data[15:20]) == [0, 5, 2, legend.index("function"), 0]
    (item,) = found["values"].items
    assert item.label == "%twice"
    assert item.text_edit.range.start == lsp.Position(2, 12)
    (error,) = found["after typing"]
    assert error.severity is lsp.DiagnosticSeverity.Error
    assert error.range.start.line == 1
    assert "%n" in error.message


def test_a_missing_pygls_is_reported_with_the_package_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    monkeypatch.delitem(sys.modules, "nvvm_xdsl.integrations.language_server", raising=False)
    assert nvvm_lsp.main([]) == 1
    assert "install nvvm-xdsl[lsp]" in capsys.readouterr().err


def test_a_session_ends_without_a_traceback():
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]  # fmt: skip
    text = ""
    for message in messages:
        body = json.dumps({"jsonrpc": "2.0", **message})
        text += f"Content-Length: {len(body)}\r\n\r\n{body}"
    command = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_lsp"]
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
