"""The site's contents from outside docs/: the README as its start page, and the pages of other
folders. Pages with diagrams load Mermaid from the site itself, so that they need no network.

MkDocs calls the functions (https://www.mkdocs.org/dev-guide/plugins/#events); mkdocs.yml names this file.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent

PAGES = {
    # page of the site: file it is made of
    "index.md": "README.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "bench/README.md": "bench/README.md",
    "bench/results.md": "bench/results.md",
    "bench/held_out.md": "bench/held_out.md",
}

MERMAID = "javascripts/mermaid.tiny.js"

_LINK = re.compile(r"(?<=\]\()(?!https?:|#)([^)\s#]+)")


def moved(text: str, source: str) -> str:
    """The text with its links relative to the page that the file `source` becomes.

    docs/ becomes the root of the site: of other folders only `PAGES` are included.
    """
    folder = Path(source).parent
    pages = {made_of: page for page, made_of in PAGES.items()}
    depth = "../" * (len(Path(pages.get(source, source.removeprefix("docs/"))).parts) - 1)

    def target(match: re.Match[str]) -> str:
        parts: list[str] = []
        for part in (folder / match[1]).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        path = "/".join(parts)
        return depth + pages.get(path, path.removeprefix("docs/"))

    return _LINK.sub(target, text)


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made of files outside docs/, and Mermaid."""
    for page, source in PAGES.items():
        text = moved((ROOT / source).read_text(), source)
        files.append(File.generated(config, page, content=text))
    script = gzip.decompress((ROOT / "docs" / f"{MERMAID}.gz").read_bytes())
    files.append(File.generated(config, MERMAID, content=script))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Mends the links of the pages in docs/."""
    name = page.file.src_uri
    return markdown if name in PAGES else moved(markdown, f"docs/{name}")


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Adds Mermaid to a page with diagrams; the theme would load it from the web."""
    if '<pre class="mermaid">' not in output:
        return output
    script = "../" * page.url.count("/") + MERMAID
    return output.replace("</head>", f'<script src="{script}"></script></head>', 1)
