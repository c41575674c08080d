"""Pages of formats in a folder, with an index."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from ...generator.compile import load_checked
from ...generator.graph import in_order
from ...generator.in_memory import compile_idl
from ...generator.model import Module, Record
from ...verify.tracking import Track, no_progress
from ..explorer import explore
from ..plain import plain
from ..sampling.sampler import Sample, sample_list
from .pages import refusals_of, sections_of

#: The most bytes of the example that a page shows.
_MOST = 400
_SAMPLES = 6
#: What tells a page from other files, as page.html.j2 writes it.
_PAGE = re.compile(r'<title>(?P<name>\w+): (?P<title>[^<]*)</title>.*<p class="digest">Made from (?P=name)\.idl,', re.S)


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A field of the example: its depth, offset, bytes and value."""

    depth: int
    offset: int
    size: int
    name: str
    type: str
    data: str
    value: str


def write_pages(
    files: Sequence[Path], folder: Path, track: Track = no_progress, *, allow_extern: Sequence[str] = ()
) -> list[Path]:
    """Writes one page per IDL file and per included file, and an index of these and of the pages that were there. Returns the
    paths of the written files.

    Raises:
        IdlError: a file has errors.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, Path] = {}
    listed = _listed(folder)
    for path in track(files, "IDL files"):
        model = load_checked(path, allow_extern=allow_extern)
        for module in in_order(model):
            if module.name in written:
                continue
            page = folder / f"{module.name}.html"
            text = page_of(module, path if module is model else Path(module.file), allow_extern=allow_extern)
            page.write_text(text, encoding="utf-8")
            written[module.name] = page
            listed[module.name] = _title(module)
    index = folder / "index.html"
    index.write_text(_render("index.html.j2", formats=sorted(listed.items())), encoding="utf-8")
    return [*written.values(), index]


def _listed(folder: Path) -> dict[str, str]:
    """Returns the names and titles of the pages in a folder that an earlier call wrote."""
    found: dict[str, str] = {}
    for path in folder.glob("*.html"):
        page = _PAGE.search(path.read_text(encoding="utf-8", errors="replace"))
        if page is not None and unescape(page["name"]) == path.stem:
            found[path.stem] = unescape(page["title"])
    return found


def page_of(module: Module, path: Path, *, allow_extern: Sequence[str] = ()) -> str:
    """Returns the page of a file; ``path`` is where it can be compiled from, for its example."""
    name, example = _example(module, path, allow_extern)
    return _render(
        "page.html.j2", name=module.name, title=_title(module), doc=module.doc, sections=sections_of(module),
        refusals=refusals_of(module), example=example, example_of=name, digest=module.digest[:12],
    )  # fmt: skip


def _title(module: Module) -> str:
    first = module.doc.strip().split("\n\n")[0].replace("\n", " ")
    return first or module.name


# ---- the example ----


def _example(module: Module, path: Path, allow_extern: Sequence[str]) -> tuple[str, list[ExampleRow]]:
    """Returns the name of the outermost type that has samples, and the rows of one; ``""`` and none if no type has."""
    compiled = compile_idl(path, allow_extern=allow_extern)
    for name in _root_records(module):
        cls: Any = compiled.__spec__[name].cls
        try:
            found = sample_list(cls, _SAMPLES, 1)
        except ValueError:
            continue
        fitting = [each for each in found if 0 < len(each.data) <= _MOST] or found
        chosen = max(fitting, key=_sample_order)
        if chosen.data and len(chosen.data) <= _MOST:
            return name, list(_rows(explore(chosen.data, cls, parameters=chosen.parameters).root, 0))
    return "", []


def _sample_order(sample: Sample) -> int:
    return len(sample.data)


def _root_records(module: Module) -> list[str]:
    """Returns the records without parameters, those that no other has inside first."""
    records = [item for item in module.definitions if isinstance(item, Record) and not item.params]
    inside = {each.type.name for item in records for each in item.fields}
    ranked = sorted(records, key=lambda each: (each.name != "File", each.name in inside))
    return [each.name for each in ranked]


def _rows(node: Any, depth: int) -> list[ExampleRow]:
    found: list[ExampleRow] = []
    for each in node.parts():
        parts = list(each.parts())
        data = each.data
        shown = data[:12].hex(" ") + (" …" if len(data) > 12 else "")
        value = "" if parts else _shown(each.value)
        found.append(ExampleRow(depth, each.offset, each.size, each.name, each.type, shown, value))
        found += _rows(each, depth + 1)
    return found


def _shown(value: Any) -> str:
    if isinstance(value, bytes | memoryview) and bytes(value).isascii() and bytes(value).decode().isprintable():
        return f'"{bytes(value).decode()}"'
    text = str(plain(value))
    return text if len(text) <= 60 else f"{text[:57]}…"


# ---- templates ----


def _prose(text: str) -> Markup:
    """Returns documentation as paragraphs; words between backquotes are code."""
    blocks = [block for block in re.split(r"\n\s*\n", text.strip()) if block]
    made = [
        Markup("<p>{}</p>").format(Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(each)))))
        for each in blocks
    ]
    return Markup("\n").join(made)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__, "templates"), undefined=StrictUndefined, autoescape=True, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["prose"] = _prose
    return made


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values).strip() + "\n"
