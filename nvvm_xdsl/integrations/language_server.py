"""The server of `nvvm-lsp`: the documents of `editor` over the Language Server Protocol, with
pygls.

Errors during typing, hover with type, uniformity, range, known bits and the cost of memory
accesses, definitions, references, the outline, completion, semantic tokens, and inlay hints of
ranges and divergence. Language Server Protocol 3.17.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from nvvm_xdsl.integrations.editor import Document, Span
from nvvm_xdsl.integrations.editor_words import TOKEN_KINDS, completions, words_of
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


MOST_COMPLETIONS = 200
"""Maximum number of completions of one answer; the editor repeats the request during typing."""

_COMPLETION_KINDS = {
    "value": lsp.CompletionItemKind.Variable,
    "symbol": lsp.CompletionItemKind.Function,
    "intrinsic": lsp.CompletionItemKind.Function,
    "op": lsp.CompletionItemKind.Keyword,
    "attribute": lsp.CompletionItemKind.Property,
    "type": lsp.CompletionItemKind.TypeParameter,
    "pass": lsp.CompletionItemKind.Module,
    "analysis": lsp.CompletionItemKind.Module,
}


def _overlap(before: str, word: str) -> int:
    """The length of the longest suffix of a text that is a prefix of the word."""
    return next(
        (n for n in range(min(len(before), len(word)), 0, -1) if word.startswith(before[-n:])), 0
    )


def _range(span: Span) -> lsp.Range:
    return lsp.Range(lsp.Position(span.line, span.start), lsp.Position(span.line, span.end))


def _opened(server: NvvmLanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
    server.read(params.text_document.uri)


def _changed(server: NvvmLanguageServer, params: lsp.DidChangeTextDocumentParams) -> None:
    server.read(params.text_document.uri)


def _closed(server: NvvmLanguageServer, params: lsp.DidCloseTextDocumentParams) -> None:
    server.forget(params.text_document.uri)


def _hover(server: NvvmLanguageServer, params: lsp.HoverParams) -> lsp.Hover | None:
    document = server.documents[params.text_document.uri]
    found = document.hover(params.position.line, params.position.character)
    if found is None:
        return None
    text, span = found
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), _range(span))


def _definition(server: NvvmLanguageServer, params: lsp.DefinitionParams) -> lsp.Location | None:
    uri = params.text_document.uri
    span = server.documents[uri].definition(params.position.line, params.position.character)
    return None if span is None else lsp.Location(uri, _range(span))


def _references(server: NvvmLanguageServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    uri = params.text_document.uri
    document = server.documents[uri]
    found = document.references(params.position.line, params.position.character)
    if not params.context.include_declaration:
        place = document.definition(params.position.line, params.position.character)
        found = [span for span in found if span != place]
    return [lsp.Location(uri, _range(span)) for span in found]


def _outline(
    server: NvvmLanguageServer, params: lsp.DocumentSymbolParams
) -> list[lsp.DocumentSymbol]:
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


def _completion(server: NvvmLanguageServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    document = server.documents[params.text_document.uri]
    place = params.position
    found = completions(document, place.line, place.character)
    line = document.lines[place.line][: place.character] if found else ""
    items = [
        lsp.CompletionItem(
            word.text,
            kind=_COMPLETION_KINDS[word.kind],
            detail=word.detail or None,
            # Editors split words differently from NVVM IR.
            text_edit=lsp.TextEdit(
                lsp.Range(
                    lsp.Position(place.line, place.character - _overlap(line, word.text)), place
                ),
                word.text,
            ),
        )
        for word in found[:MOST_COMPLETIONS]
    ]
    return lsp.CompletionList(len(found) > MOST_COMPLETIONS, items)


def _tokens(server: NvvmLanguageServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    numbers: list[int] = []
    at, column = 0, 0
    for line, start, length, kind in words_of(server.documents[params.text_document.uri]):
        column = column if line == at else 0
        numbers += [line - at, start - column, length, TOKEN_KINDS.index(kind), 0]
        at, column = line, start
    return lsp.SemanticTokens(numbers)


def _hints(server: NvvmLanguageServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    document = server.documents[params.text_document.uri]
    return [
        lsp.InlayHint(lsp.Position(line, column), text, padding_left=True)
        for line, column, text in document.hints(params.range.start.line, params.range.end.line)
    ]


_FEATURES: tuple[tuple[str, object, Callable[..., object]], ...] = (
    (lsp.TEXT_DOCUMENT_DID_OPEN, None, _opened),
    (lsp.TEXT_DOCUMENT_DID_CHANGE, None, _changed),
    (lsp.TEXT_DOCUMENT_DID_CLOSE, None, _closed),
    (lsp.TEXT_DOCUMENT_HOVER, None, _hover),
    (lsp.TEXT_DOCUMENT_DEFINITION, None, _definition),
    (lsp.TEXT_DOCUMENT_REFERENCES, None, _references),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, None, _outline),
    (
        lsp.TEXT_DOCUMENT_COMPLETION,
        lsp.CompletionOptions(trigger_characters=["%", "@", "^", ".", ",", "(", "#", "!"]),
        _completion,
    ),
    (
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensLegend(list(TOKEN_KINDS), []),
        _tokens,
    ),
    (lsp.TEXT_DOCUMENT_INLAY_HINT, None, _hints),
)
"""Methods of the protocol: name, registration options, and handler."""


def make_server() -> NvvmLanguageServer:
    """The server, not started: `start_io()` serves an editor over standard streams."""
    server = NvvmLanguageServer()
    for name, options, handler in _FEATURES:
        server.feature(name, options)(handler)
    return server
