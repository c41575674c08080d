"""`%load_ext lakecodec`: IDL in cells of notebooks, and objects as HTML that opens and closes."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

from ..generator import compile_idl
from ..generator.diagnostics import IdlError
from ..runtime.errors import CodecError
from ..runtime.objects import Value
from ..runtime.records.lazy import LazyRecord
from ..runtime.short import html_table, short
from ..verify.finding import Finding
from .breaking import Change
from .diffs import Difference
from .excerpt import Excerpt
from .explorer import explore
from .page import page_of
from .plain import shown
from .tree import Node, Tree

#: The most nodes that a cell shows per object, and the most rows per table.
_MOST_NODES, _MOST_ROWS = 2000, 20
_STYLE = "font-family: monospace; white-space: pre-wrap; margin-left: 1.2em"
_ROWS = (Finding, Difference, Change)


def load_ipython_extension(shell: Any) -> None:
    """Gives a shell of IPython the magics of lakecodec, and the HTML of its objects."""
    shell.register_magic_function(lambda line, cell: _idl(shell, line, cell), "cell", "idl")
    formatter = shell.display_formatter.formatters["text/html"]
    formatter.for_type(Value, html_of)
    formatter.for_type(Tree, html_of_tree)
    formatter.for_type(Node, html_of_node)
    formatter.for_type_by_name("pyarrow.lib", "Table", html_of_arrow)
    # Only lists of findings are rendered. For other lists None selects the repr.
    formatter.for_type(list, html_of_rows)


def _idl(shell: Any, line: str, cell: str) -> None:
    """Compiles a cell: `%%idl NAME`; the module then has that name. `--allow-extern MODULE` lets it name externs."""
    words = line.split()
    allowed = [after for word, after in pairwise(words) if word == "--allow-extern"]
    names = [word for word in words if word != "--allow-extern" and word not in allowed]
    if len(names) != 1 or not names[0].isidentifier():
        raise ValueError(f"%%idl: one name for the module is needed, such as %%idl log, not {line!r}")
    try:
        shell.user_ns[names[0]] = compile_idl(cell + "\n", name=names[0], allow_extern=allowed)
    except IdlError as error:
        raise _shown_alone(error) from None


def _shown_alone(error: IdlError) -> IdlError:
    """Returns an error that notebooks show without a traceback: its message has the line and a caret."""
    error._render_traceback_ = lambda: [f"IdlError: {error}"]  # type: ignore[attr-defined]
    return error


# ---- objects ----


def html_of(value: Any) -> str:
    """Returns an object of a generated class as HTML: its fields with the offsets of their bytes in the encoded object."""
    if isinstance(value, LazyRecord):
        return value._repr_html_()
    try:
        given = [getattr(value, name) for name in getattr(type(value), "_parameters", ())]
        tree = explore(value.to_bytes(), type(value), parameters=given)
    except (CodecError, AttributeError, TypeError, ValueError) as error:
        return f"{value._repr_html_()}<p>It cannot be written: {html.escape(str(error))}</p>"
    return html_of_node(tree.root)


def html_of_node(node: Node) -> str:
    """Returns a node as HTML with folded children. Large nodes show their first parts."""
    excerpt = Excerpt(node, None, _MOST_NODES)
    return f'<div style="{_STYLE}">{"".join(_node(node, excerpt, is_open=True))}</div>'


def _node(node: Node, excerpt: Excerpt, is_open: bool = False) -> Iterator[str]:
    bits = f" bits {node.bits[0]}..{node.bits[0] + node.bits[1] - 1}" if node.bits else ""
    place = f'<span style="opacity: .6">{node.offset:06x}</span> '
    name = f"<b>{html.escape(node.name)}</b> " if node.name else ""
    error = f' <b style="color: #b3261e">✗ {html.escape(node.error.rule)}</b>' if node.error else ""
    doc = f' title="{html.escape(node.doc)}"' if node.doc else ""
    line = f"{place}{name}<i>{html.escape(node.type)}</i>{html.escape(shown(node) + bits)}{error}"
    children = [*(excerpt.children(node) or ()), *(() if node.view is None else (node.view.root,))]
    missing = excerpt.missing(node)
    if not children and missing == 0:
        yield f'<div style="margin-left: 1em"{doc}>{line}</div>'
        return
    yield f'<details{" open" if is_open else ""} style="margin-left: 1em"><summary{doc}>{line}</summary>'
    for each in children:
        yield from _node(each, excerpt)
    if missing != 0:
        yield f'<div style="margin-left: 1em">… {"parts are" if missing is None else f"{missing} more are"} not shown</div>'
    yield "</details>"


def html_of_tree(tree: Tree) -> str:
    """Returns the page of a tree in a frame: what `lakecodec explore --html` writes."""
    page = html.escape(page_of(tree), quote=True)
    return (
        f'<iframe srcdoc="{page}" style="width: 100%; height: 34rem; border: 1px solid #8888" title="explore"></iframe>'
    )


# ---- tables ----


def html_of_rows(rows: Sequence[Any]) -> str | None:
    """Returns a list of findings, differences or breaking changes as a table; None for other lists."""
    if not rows or not all(
        is_dataclass(each) and isinstance(each, _ROWS) and type(each) is type(rows[0]) for each in rows
    ):
        return None
    names = tuple(field.name for field in fields(rows[0]))
    cells = (tuple(_cell(getattr(each, name)) for name in names) for each in rows[:_MOST_ROWS])
    more = "" if len(rows) <= _MOST_ROWS else f"<p>{len(rows) - _MOST_ROWS} more</p>"
    return html_table("", cells, names) + more


def html_of_arrow(table: Any) -> str:
    """Returns a `pyarrow.Table` as HTML: its first rows, and their number in all."""
    heads = tuple(f"{field.name}: {field.type}" for field in table.schema)
    rows = table.slice(0, _MOST_ROWS)
    columns = [rows.column(number).to_pylist() for number in range(rows.num_columns)]
    cells = (tuple(_cell(column[number]) for column in columns) for number in range(rows.num_rows))
    return html_table(f"{table.num_rows:,} rows", cells, heads)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else short(value)
