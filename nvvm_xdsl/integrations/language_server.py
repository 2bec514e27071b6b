"""The documents of `editor` over the Language Server Protocol, by pygls: what `nvvm-lsp` runs.

Errors as one types, hover with type, uniformity, range, known bits and the cost of memory accesses, definitions,
references, and the outline. Language Server Protocol 3.17.
"""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from nvvm_xdsl.integrations.editor import Document, Span
from nvvm_xdsl.ir.version import VERSION

SOURCE = "nvvm-xdsl"


class NvvmLanguageServer(LanguageServer):
    """Keeps the documents that the editor has open, by URI."""

    def __init__(self) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            SOURCE, VERSION, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self.documents: dict[str, Document] = {}

    def read(self, uri: str) -> None:
        """Reads a changed text and sends its errors to the editor."""
        text = self.workspace.get_text_document(uri).source
        document = Document(text, unquote(urlsplit(uri).path) or uri)
        self.documents[uri] = document
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri,
                [
                    lsp.Diagnostic(
                        _range(problem.span),
                        problem.message,
                        severity=lsp.DiagnosticSeverity.Error,
                        source=SOURCE,
                    )
                    for problem in document.problems
                ],
            )
        )

    def forget(self, uri: str) -> None:
        """Drops a text that the editor has closed."""
        self.documents.pop(uri, None)


def _range(span: Span) -> lsp.Range:
    return lsp.Range(lsp.Position(span.line, span.start), lsp.Position(span.line, span.end))


def make_server() -> NvvmLanguageServer:
    """The server, not started: `start_io()` serves an editor over standard streams."""
    server = NvvmLanguageServer()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.read(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.read(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def _hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = server.documents[params.text_document.uri]
        found = document.hover(params.position.line, params.position.character)
        if found is None:
            return None
        text, span = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), _range(span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def _definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        uri = params.text_document.uri
        span = server.documents[uri].definition(params.position.line, params.position.character)
        return None if span is None else lsp.Location(uri, _range(span))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def _references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        uri = params.text_document.uri
        document = server.documents[uri]
        found = document.references(params.position.line, params.position.character)
        if not params.context.include_declaration:
            place = document.definition(params.position.line, params.position.character)
            found = [span for span in found if span != place]
        return [lsp.Location(uri, _range(span)) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _outline(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = server.documents[params.text_document.uri]
        return [
            lsp.DocumentSymbol(
                name,
                lsp.SymbolKind.Function if is_function else lsp.SymbolKind.Variable,
                _range(span),
                _range(span),
            )
            for name, span, is_function in document.outline()
        ]

    # pygls keeps the handlers; the names above are for readers.
    _ = (_opened, _changed, _closed, _hover, _definition, _references, _outline)
    return server
