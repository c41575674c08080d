"""Leaves the decisions out of the search, which is for guides and the reference."""

from typing import Any


def on_page_markdown(markdown: str, /, *, page: Any, **_: Any) -> None:
    if page.file.src_uri.startswith("decisions/"):
        page.meta["search"] = {"exclude": True}
