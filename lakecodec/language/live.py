"""Live bytes: the fields of a declaration in a sample file, while the declaration is being written."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lakecodec.generator import compile_idl
from lakecodec.runtime.errors import CodecError
from lakecodec.workbench import Node, explore
from lakecodec.workbench.excerpt import Excerpt
from lakecodec.workbench.sources import main_type

from .symbols import Symbol

_COMMENT = re.compile(r"^[ \t]*//![ \t]*sample:[ \t]*(.+?)(?:[ \t]+as[ \t]+(\w+))?[ \t]*$", re.MULTILINE)
#: The most nodes that are read per sample.
_MOST_NODES = 20_000
#: The most bytes and places that are shown per field.
_SHOWN_BYTES, _SHOWN_PLACES = 16, 3


@dataclass(slots=True)
class Sample:
    """A sample file, read as its IDL declares it.

    Attributes:
        places: the nodes of each field, by the names of its definition and itself.
        records: the nodes of each definition.
        problem: the reason if nothing of it can be read.
    """

    path: Path
    places: dict[tuple[str, str], list[Node]] = field(default_factory=lambda: defaultdict(list))
    records: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    problem: str = ""

    def about(self, symbol: Symbol) -> str:
        """Returns Markdown about a field's bytes, offset and value in the sample; empty if it does not occur there."""
        owner = symbol.parent
        while owner is not None and owner.parent is not None:
            owner = owner.parent
        if symbol.kind != "field" or owner is None:
            return ""
        nodes = self.places.get((owner.name, symbol.name), [])
        if not nodes:
            return f"`{self.path.name}`: {self.problem or 'not in the part that was read'}"
        shown = "\n".join(f"* {_node_text(node)}" for node in nodes[:_SHOWN_PLACES])
        more = len(nodes) - _SHOWN_PLACES
        return f"`{self.path.name}`:\n\n{shown}" + (f"\n* and {more} more" if more > 0 else "")

    def lens(self, name: str) -> str:
        """Returns one line about a definition in the sample: the number of places, the first of them, and the first failure."""
        nodes = self.records.get(name, [])
        if not nodes:
            return f"{self.path.name}: {self.problem}" if self.problem else ""
        failed = next((node for node in nodes if node.error is not None), None)
        if failed is not None and failed.error is not None:
            offset = failed.offset if failed.error.offset is None else failed.error.offset
            return f"{self.path.name}: fails at byte {offset}: {failed.error.rule or failed.error}"
        times = "once" if len(nodes) == 1 else f"{len(nodes)} times"
        return f"{self.path.name}: decoded {times}, first at byte {nodes[0].offset}"


def _node_text(node: Node) -> str:
    data = node.data[: _SHOWN_BYTES + 1]
    shown = data[:_SHOWN_BYTES].hex(" ") + (" ..." if len(data) > _SHOWN_BYTES else "")
    value = _short(repr(node.known)) if node.known is not None else ""
    failed = "" if node.error is None else f" **{node.error.rule or node.error}**"
    return f"byte {node.offset}, {node.size} long: `{shown}`{f' = `{value}`' if value else ''}{failed}"


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def named_samples(text: str, idl: Path) -> list[tuple[Path, str | None]]:
    """Returns the files that `//! sample: FILE` and `//! sample: FILE as Type` name, relative to the IDL's folder."""
    return [(idl.parent / match[1], match[2]) for match in _COMMENT.finditer(text)]


def read_sample(path: Path, type_name: str | None, idl: Path, text: str, allow_extern: Iterable[str]) -> Sample:
    """Returns a sample file as an IDL text declares it; its attribute ``problem`` has errors.

    Args:
        type_name: the record that the file is; by default the one called File, or the only one in no other.
        idl: the path of the IDL text; included files are beside it.
    """
    sample = Sample(path)
    try:
        module = compile_idl(text, include_paths=[idl.parent], allow_extern=allow_extern)
        readable = {name: spec for name, spec in module.__spec__.items() if spec.kind != "enum"}
        if type_name is not None and type_name not in readable:
            sample.problem = f"there is no type {type_name} to read it with"
            return sample
        cls = main_type(readable, "the IDL") if type_name is None else readable[type_name].cls
        tree = explore(path, cls)
        excerpt = Excerpt(tree.root, most=_MOST_NODES)
    except (CodecError, OSError, ValueError, KeyError) as error:
        sample.problem = _short(str(error.args[0] if isinstance(error, KeyError) else error).split("\n", 1)[0], 200)
        return sample
    pending = [tree.root]
    while pending:
        node = pending.pop()
        name = re.match(r"\w*", node.type)
        owner = "" if name is None or "[" in node.type else name[0]
        if owner in readable and node.kind == "field":
            sample.records[owner].append(node)
        below = excerpt.children(node) or ()
        for child in below:
            if owner and child.kind == "field":
                sample.places[owner, child.name].append(child)
        pending += reversed(below)
    return sample
